"""What visitors do, counted without keeping who they are."""
