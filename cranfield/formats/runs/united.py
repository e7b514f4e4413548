"""Runs of several files as one batch."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from cranfield.arrays.join import GrowingColumn
from cranfield.arrays.rankings import Runs, Vocabulary
from cranfield.formats.arrow import ArrowVocabulary, text_array, unite

AT_ONCE = 16  # runs whose docnos are united at a time


def united_runs(runs: Iterable[Runs], codes: type[np.int32] | type[np.int64]) -> Runs:
    """The runs of files, each over its own names, as one batch, its integers of this kind; four bytes are for keeping.

    >>> from cranfield.metrics.inputs import as_runs
    >>> both = united_runs([as_runs({tag: {"q": {"d1": 2.0, tag: 1.0}}}) for tag in "ba"], np.int32)
    >>> both.tags, both.run, both.docnos.names[both.document].tolist()
    (('b', 'a'), array([0, 0, 1, 1], dtype=int32), ['d1', 'b', 'd1', 'a'])
    """
    several, tags, lengths, qids = iter(runs), list[str](), list[int](), dict[str, int]()
    docnos: Vocabulary = ArrowVocabulary(text_array([]))
    topic, document, score = GrowingColumn(codes), GrowingColumn(codes), GrowingColumn(np.float64)
    while batch := list(islice(several, AT_ONCE)):
        docnos, places = unite([docnos, *(run.docnos for run in batch)])
        for run, place in zip(batch, places[1:], strict=True):
            numbers = [qids.setdefault(qid, len(qids)) for qid in run.topics.names.tolist()]
            topic.add(np.array(numbers, np.int64)[run.topic])
            document.add(place[run.document])
            score.add(run.score)
            tags += run.tags
            lengths += np.bincount(run.run, minlength=len(run.tags)).tolist()
    topics = Vocabulary(sorted(qids))
    of: Any = np.repeat(np.arange(len(tags), dtype=codes), lengths)
    topic_codes: Any = topics.codes([*qids]).astype(codes)[topic.whole()]
    return Runs(tuple(tags), topics, docnos, run=of, topic=topic_codes, document=document.whole(), scores=score.whole())
