"""How the names in our addresses are written."""

LENGTH = 220
PATTERN = r"^[a-z0-9][a-z0-9-]{0,219}$"
