"""British English, 24 hours a day."""
