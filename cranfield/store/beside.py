"""What features keep in files beside a store until it has that: no copy of the store has it, no erasure reaches it."""

from pathlib import Path

from cranfield import hooks
from cranfield.store.store import Store


def beside(store: Store) -> list[str]:
    """What is there, a line for each file; features are asked only where a file may be theirs.

    >>> with Store.memory("nothing") as store:
    ...     beside(store)
    []
    """
    path = Path(store.path)
    own = {path.name, *(f"{path.name}-{part}" for part in ("wal", "shm", "journal"))}
    if not path.is_file() or not any(one.name not in own for one in files_beside(path, "")):
        return []
    return [line for tell in hooks.rows("store.beside") for line in tell(store)]


def files_beside(path: Path, ending: str) -> list[Path]:
    """The files whose names begin with that of a store and an ending."""
    return sorted(one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}{ending}"))
