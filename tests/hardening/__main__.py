"""`python -m tests.hardening`: a few kills, full disks, storms and hostile folders, and all commands that can be
killed, to their ends; what is wrong, a line each.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.hardening import disks, kills, storms
from tests.hardening.folders import Folders
from tests.hardening.forks import warm
from tests.hardening.kills import Field
from tests.memory import memory

FEW = (
    "import runs",
    "judge t.db --assessor ada --plain",
    "export qrels t.db old",
    "init",
    "store backup",
    "export bundle",
    "assign t.db --give",
    "import votes",
)
LIGHT = (
    "cranfield.cli.commands",
    "cranfield.formats",
    "cranfield.store.bundles.bundle",
    "cranfield.store.log",
    "cranfield.cli.commands.judge",
)
KILLS, STORMS, FOLDERS = 3, 1, 60


def wrong(field: Field) -> Iterator[str]:
    """What is wrong, after each try."""
    for name, writer in kills.table().items():
        if name.startswith(FEW):
            yield from (f"kill {name}, seed {seed}: {field.kill(writer, seed)}" for seed in range(KILLS))
            yield f"disk {name}, seed 0: {disks.full_file(field, writer, 0)}"
    yield from (f"storm, seed {seed}: {storms.storm(field, seed)}" for seed in range(STORMS))
    folders = Folders(field)
    yield from (f"folder, seed {seed}: {folders.fault(seed)}" for seed in range(FOLDERS))


def run_whole(field: Field) -> Iterator[str]:
    """What is wrong where nobody kills."""
    return (f"{name}: {field.run_whole(writer)}" for name, writer in kills.table().items())


def main() -> None:
    """Exit 1 if anything is wrong."""
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        warm(LIGHT)
        field = Field(Path(folder))
        field.ready()
        notes = [*wrong(field), *run_whole(field)]
    print(*notes, sep="\n")
    sys.exit(not all(line.endswith(": ") for line in notes))


if __name__ == "__main__":
    main()
