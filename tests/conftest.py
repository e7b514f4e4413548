"""What tests share: the real collections beside the checkout, where they are, and the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

from cranfield.cli import main

settings.register_profile("untimed", deadline=None, max_examples=50)  # machines differ
settings.load_profile("untimed")

SHARED = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real collections; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared/data, which is not here")
    return SHARED


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Cranfield = Callable[..., Result]


@pytest.fixture
def cranfield(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cranfield:
    """The command line, as a function of its arguments."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: object) -> Result:
        monkeypatch.setattr("sys.argv", ["cranfield", *map(str, arguments)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run
