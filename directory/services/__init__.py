"""Changes to the directory, one function per operation."""
