"""What large pieces of memory take goes back to the system as soon as they are freed."""

import contextlib
import ctypes

MMAP_THRESHOLD = -3  # of mallopt(3)
LARGE = 1024 * 1024


def give_back_large_pieces() -> None:
    """Have the allocator map them one by one.

    Left alone, glibc learns from the first large piece that is freed to keep such pieces for each thread.
    """
    with contextlib.suppress(AttributeError, OSError):  # another libc, which has no such habit
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)
