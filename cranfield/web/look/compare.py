"""Two runs compared: their mean difference with its interval and p, and the difference on each topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cranfield.analysis.comparison import compared, document, settings_of
from cranfield.arrays.judged import Judged
from cranfield.errors import InputError
from cranfield.metrics.measure import Measure
from cranfield.metrics.significance import TESTS
from cranfield.metrics.significance.pairs import SAMPLES
from cranfield.report.blocks import Block, Facts, Html, Text
from cranfield.report.by_topic import ByTopic, by_topic, comparison
from cranfield.report.components.difference_bars import signed
from cranfield.source import Source
from cranfield.store.store import Store
from cranfield.text import counted

from .parameters import MEASURE, RUN, _runs
from .query import Query, address
from .sources import LABELS, choice, source_of, titles, topic_links
from .view import LookView, Row

ALPHA, SEED, ZEROS = 0.05, 0, "wilcox"  # as `cranfield compare` has them by default
TEST = choice("test", "Test", [name for name, test in TESTS.items() if not test.whole])


class _Comparison(NamedTuple):
    """Two runs by topic, and the document of `cranfield compare` with this pair alone."""

    found: ByTopic
    runs: tuple[int, int]  # among those by topic
    document: dict[str, Any]

    @property
    def topics(self) -> list[Row]:
        """One row per topic, the largest difference first."""
        first, second = self.found.scores[list(self.runs)].tolist()
        tags = [self.found.tags[run] for run in self.runs]
        rows = [
            {"query_id": qid, "title": title, **dict(zip(tags, pair, strict=True)), "difference": pair[0] - pair[1]}
            for qid, title, pair in zip(
                self.found.qids, self.found.titles, zip(first, second, strict=True), strict=True
            )
        ]
        return sorted(rows, key=lambda row: (row["difference"] != row["difference"], -row["difference"]))
