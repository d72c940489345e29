"""HTML doors of the directory area."""
