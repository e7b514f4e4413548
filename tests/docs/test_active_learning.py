"""The outputs in docs/build/active-learning.md are those of the program; skipped without the data of ../shared/data."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT, Cranfield
from tests.docs.cacm import MAKE, run_line

PAGE = (ROOT / "docs/build/active-learning.md").read_text(encoding="utf-8")
STEP = re.compile(r"^    \$ ([^\n]+)\n((?:^(?!    \$)(?:    [^\n]*)?\n)*)", re.MULTILINE)


@pytest.mark.daily
def test_outputs(cranfield: Cranfield, cacm: Path) -> None:
    """In the order of the page."""
    (first, _), *steps = STEP.findall(PAGE)
    assert first == MAKE
    for line, output in steps:
        result = run_line(line, cranfield)
        printed = " ".join((result.out if result.code == 0 else result.err).split())
        assert (line, printed) == (line, " ".join(output.split()))
