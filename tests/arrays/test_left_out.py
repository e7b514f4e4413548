"""The line that says what was left out: of a few runs each with its reason, of more the reasons."""

import pytest

from cranfield.selection import LeftOut


@pytest.mark.parametrize(
    ("runs", "line"),
    [
        ({"a": "late", "b": "", "c": "late"}, "left out: 3 runs (a: late, c: late)"),
        ({"a": "late", "b": "", "c": "late", "d": "double"}, "left out: 4 runs (late, double)"),
        ({str(n): f"reason {n}" for n in range(3)}, "left out: 3 runs (0: reason 0, 1: reason 1, 2: reason 2)"),
        ({str(n): f"reason {n}" for n in range(4)}, "left out: 4 runs (reason 0, reason 1, reason 2, ...)"),
    ],
)
def test_three_runs_are_named_with_their_reasons(runs: dict[str, str], line: str) -> None:
    assert LeftOut(runs).line == line
