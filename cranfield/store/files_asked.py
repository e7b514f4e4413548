"""What of runs and judgments in files is asked for: a set of topics, and what was not judged before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from cranfield import hooks
from cranfield.arrays.left_out import TOPICS, noted
from cranfield.arrays.rankings import Qrels, Runs, Vocabulary
from cranfield.arrays.selection import Selection, pair_keys
from cranfield.errors import InputError
from cranfield.formats import read_qrels

EVALUATED = 1000  # documents of a ranking, once those that were judged earlier are gone: as TREC scores them


def chosen_of_files() -> Callable[[Runs, Qrels], tuple[Runs, Qrels]] | None:
    """What takes of runs and judgments in files those that are asked for; None where all are."""
    asked = (feature.load(row.at) for feature, row in hooks.places("source.earlier") if hooks.is_asked(feature))
    earlier = [path for find in asked if (path := find())]
    if not TOPICS.get() and not earlier:
        return None

    def chosen(runs: Runs, qrels: Qrels) -> tuple[Runs, Qrels]:
        before = [read_qrels(path) for path in earlier]
        return (
            _selection_of_files(runs.topics, runs.docnos, before).of_runs(runs.whole),
            _selection_of_files(qrels.topics, qrels.docnos, before, qrels).of_qrels(qrels),
        )

    return chosen


def _selection_of_files(
    topics: Vocabulary, docnos: Vocabulary, before: Sequence[Qrels], qrels: Qrels | None = None
) -> Selection:
    """What is asked for, over these topics and documents."""
    known, name, keys = None, TOPICS.get(), np.zeros(0, np.int64)
    if name:
        from cranfield.store.topic_sets import qids_in

        known = np.isin(topics.names.astype(object), np.array(qids_in(Path(name)), object))
        if qrels is not None:
            counts = known[qrels.judged_topics]
            if not counts.any():
                raise InputError(f"none of its topics was judged: the qrels have {_first_of(qrels.qids)}", Path(name))
            if not counts.all():
                noted().others[f"topics not in {Path(name).name}"] = int((~counts).sum())
    for one in before:
        judged = one.rows(one.judged)
        topic, document = (
            judged.topics.translate(judged.topic, topics),
            judged.docnos.translate(judged.document, docnos),
        )
        there = (topic >= 0) & (document >= 0)
        keys = np.union1d(keys, pair_keys(topic[there], document[there]))
    return Selection(known, earlier=keys if before else None, most=EVALUATED if before else None)


def _first_of(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + ", ..." * (len(names) > 3)
