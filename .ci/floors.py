"""Print the lowest versions that pyproject.toml accepts, as constraints for pip: those of the project and its tests.

python .ci/floors.py > floors.txt && pip install -c floors.txt '.[test]'
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAME = "cranfield"


def floors(project: dict[str, Any]) -> Iterator[str]:
    """A line for each requirement: its name, and the version after >=; those of an extra instead of the extra."""
    lines = {f"{name}=={least}": None for name, least in map(_parts, requirements(project, "test"))}
    yield from lines


def requirements(project: dict[str, Any], extra: str) -> Iterator[str]:
    """The requirements of the project and of an extra, and of the extras that the extra names."""
    yield from project["dependencies"]
    yield from _expand(project["optional-dependencies"], extra)


def _expand(extras: dict[str, list[str]], extra: str) -> Iterator[str]:
    for requirement in extras[extra]:
        if named := re.fullmatch(rf"{NAME}\[(.*)\]", requirement):
            for other in named[1].split(","):
                yield from _expand(extras, other)
        else:
            yield requirement


def _parts(requirement: str) -> tuple[str, str]:
    return re.match(r"([\w-]+)>=([\w.]+)", requirement).groups()


if __name__ == "__main__":
    about = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    print("\n".join(floors(about["project"])))
