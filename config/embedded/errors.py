"""What stops the embedded servers or the supervisor, said so that an operator can act on it."""


class CannotRunError(RuntimeError):
    """Nothing can be started; the message says why and what to do."""
