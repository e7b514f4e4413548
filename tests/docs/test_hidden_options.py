"""Guides name `--help all` for each command of which they use an option that its short help omits."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.options import GROUPS
from tests.readme import places

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]
GUIDES = [path for folder in ("start", "build", "judge", "measure", "online", "share", "operate")
          for path in sorted((ROOT / "docs" / folder).glob("*.md"))]  # fmt: skip
COMMANDS = {place.words for place in places()}


@cache
def page(*words: str) -> str:
    return CliRunner().invoke(app, [*words]).output.replace("\N{NON-BREAKING HYPHEN}", "-")


def commands_with_options(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for typed in re.findall(r"cranfield ([a-z][^\n`#]*)", text.replace("\\\n", " ")):
        words = typed.split()
        command = next((tuple(words[:n]) for n in (3, 2, 1) if tuple(words[:n]) in COMMANDS), None)
        if command is not None:
            yield from ((command, option) for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", typed))


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_names_the_help_that_shows_its_options(path: Path) -> None:
    text = path.read_text("utf-8")
    in_groups = "".join(page("help", group) for group in GROUPS)
    hidden = {
        (" ".join(command), option)
        for command, option in commands_with_options(text)
        if option not in page(*command, "--help") and f"{option} " not in in_groups
        if f"cranfield {' '.join(command)} --help all" not in text
    }
    assert hidden == set()
