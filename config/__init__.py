"""Wiring: imports everything, imported by nothing."""
