"""Print the lowest versions that pyproject.toml accepts, as constraints for pip: those of the project and its tests.

python .ci/floors.py > floors.txt && pip install -c floors.txt '.[test]'
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def floors(project: dict[str, Any]) -> Iterator[str]:
    """A line for each requirement: its name, and the version after >=."""
    for requirement in (*project["dependencies"], *project["optional-dependencies"]["test"]):
        name, least = re.match(r"([\w-]+)>=([\w.]+)", requirement).groups()
        yield f"{name}=={least}"


if __name__ == "__main__":
    about = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    print("\n".join(floors(about["project"])))
