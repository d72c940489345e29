"""What comes into the orders area and what goes out."""
