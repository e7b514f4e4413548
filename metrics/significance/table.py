"""The table of significance tests: those to prefer first."""

from __future__ import annotations

from collections.abc import Mapping

from .bootstrap import BOOTSTRAP
from .pairs import SignificanceTest
from .permutation import PERMUTATION
from .sign import SIGN
from .t import T
from .tukey import TUKEY
from .wilcoxon import WILCOXON

TESTS: Mapping[str, SignificanceTest] = {test.name: test for test in (T, PERMUTATION, TUKEY, BOOTSTRAP, WILCOXON, SIGN)}
