"""Where temporary files are kept: in memory, as tests write thousands of small stores, each of which is synced."""

import os
import shutil

FOLDER = "/dev/shm"
ROOM = 4 << 30  # bytes that are to be free


def memory() -> str | None:
    """A folder in memory, where there is one with room."""
    return FOLDER if os.access(FOLDER, os.W_OK) and shutil.disk_usage(FOLDER).free > ROOM else None
