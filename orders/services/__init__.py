"""Changes of orders."""
