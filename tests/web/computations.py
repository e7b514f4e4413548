"""What tests have another process compute."""

import os
import signal
from pathlib import Path

from cranfield.parallel import progress_bar
from cranfield.store.store import Store


def topics(store: Store) -> int:
    """How many topics there are."""
    return store.count("topic")


def identity(store: Store) -> int:
    return os.getpid()


def slowly(store: Store, unused: str) -> str:
    """Say how far it is."""
    with progress_bar("steps", 2) as advance:
        advance(1)
    return Path(store.path).name


def deadly(store: Store, times: str) -> str:
    """End the process as often as the file has characters left."""
    times_left = Path(times).read_text()
    Path(times).write_text(times_left[1:])
    if times_left:
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def wrong(store: Store) -> None:
    raise ValueError("out of range")


def forever(store: Store) -> None:
    """Never end."""
    with progress_bar("forever"):
        signal.pause()
