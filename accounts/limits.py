"""Bounds of accounts and credentials."""

EMAIL = 254
NAME = 160
KEY_NAME = 80
KEYS = 50
KEY_PATTERN = r"plk_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}"
