"""What ends a backup or a restore, in words for an operator."""


class BackupError(Exception):
    """It cannot go on; the message says why and what to do."""
