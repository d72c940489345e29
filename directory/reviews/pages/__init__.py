"""The pages of reviews and questions."""
