"""The extras: pyproject.toml has those of cranfield.extras, and a missing one is an error in one line."""

import re
import tomllib
from pathlib import Path

import pytest

from cranfield.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REQUIRED = ["numpy", "scipy", "pandas", "sqlite-utils", "typer", "rich", "packaging"]


def names_of(requirements: list[str]) -> list[str]:
    return [re.match(r"[\w.-]+", line)[0] for line in requirements]  # type: ignore[index]


def test_seven_packages_are_required() -> None:
    assert names_of(PROJECT["dependencies"]) == REQUIRED


@pytest.mark.parametrize("name", EXTRAS)
def test_pyproject_has_the_packages_of_an_extra(name: str) -> None:
    packages = set(EXTRAS[name].packages.values())
    if name == "interop":  # which tests use, beside what the program imports
        assert packages <= set(names_of(PROJECT["optional-dependencies"][name]))
    else:
        assert packages == set(names_of(PROJECT["optional-dependencies"][name]))


def test_all_has_every_extra_that_the_table_says() -> None:
    everything = ",".join(name for name, extra in EXTRAS.items() if extra.is_in_all)
    assert PROJECT["optional-dependencies"]["all"] == [f"cranfield[{everything}]"]


@pytest.mark.parametrize("name", ["test", "docs", "dev", "interop"])
def test_what_developers_install_builds_on_all(name: str) -> None:
    assert PROJECT["optional-dependencies"][name][0] == "cranfield[all]"
