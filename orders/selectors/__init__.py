"""Looking at what is for sale, and at orders."""
