"""The table of significance tests: those to prefer first."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.metrics.significance.bootstrap import BOOTSTRAP
from cranfield.metrics.significance.pairs import SignificanceTest
from cranfield.metrics.significance.permutation import PERMUTATION
from cranfield.metrics.significance.sign import SIGN
from cranfield.metrics.significance.t import T
from cranfield.metrics.significance.tukey import TUKEY
from cranfield.metrics.significance.wilcoxon import WILCOXON

TESTS: Mapping[str, SignificanceTest] = {test.name: test for test in (T, PERMUTATION, TUKEY, BOOTSTRAP, WILCOXON, SIGN)}
