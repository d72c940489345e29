"""Changes to claims, one function for each operation."""
