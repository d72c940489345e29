"""Awards that prove themselves, cabinets, the Hall of Fame and programmes."""
