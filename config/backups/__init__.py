"""Backups that prove themselves: made, kept, restored, and compared with what they were made from."""
