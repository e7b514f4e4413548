"""What of runs and judgments in files is asked for: a set of topics, and what was not judged before."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield import hooks
from cranfield.arrays.left_out import TOPICS, noted
from cranfield.arrays.rankings import Qrels, Runs, Vocabulary
from cranfield.arrays.selection import Selection, pair_keys
from cranfield.errors import InputError
from cranfield.formats import read_qrels

EVALUATED = 1000  # documents of a ranking, once those that were judged earlier are gone: as TREC scores them


class AskedOfFiles(NamedTuple):
    """Takes of runs and judgments in files those that are asked for: what was not judged before, of a set of topics."""

    before: Sequence[Qrels]

    def of_runs(self, runs: Runs) -> Runs:
        """The rows that are asked for."""
        return _selection_of_files(runs.topics, runs.docnos, self.before).of_runs(runs.whole)

    def of_qrels(self, qrels: Qrels) -> Qrels:
        """The judgments that are asked for; an error where there is none."""
        return _selection_of_files(qrels.topics, qrels.docnos, self.before, qrels).of_qrels(qrels)

    def of_both(self, runs: Runs, qrels: Qrels) -> tuple[Runs, Qrels]:
        """The same of both."""
        return self.of_runs(runs), self.of_qrels(qrels)


def asked_of_files() -> AskedOfFiles | None:
    """What of files is asked for; None where it is everything."""
    places = hooks.places("source.earlier") if hooks.GIVEN.get() else ()
    asked = (feature.load(row.at) for feature, row in places if hooks.is_asked(feature))
    earlier = [path for find in asked if (path := find())]
    return AskedOfFiles([read_qrels(path) for path in earlier]) if TOPICS.get() or earlier else None


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
