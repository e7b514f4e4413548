"""Two batches of runs as one."""

import numpy as np

from cranfield.arrays.rankings import Ints, Runs, Vocabulary


def merged_runs(runs: Runs, more: Runs) -> Runs:
    """Two batches of runs as one, whose integers mean the same.

    >>> from cranfield.metrics.inputs import as_runs
    >>> both = merged_runs(as_runs({"a": {"q1": {"d2": 1.0}}}), as_runs({"b": {"q1": {"d1": 2.0, "d2": 1.0}}}))
    >>> both.tags, both.docnos.names[both.document].tolist()
    (('a', 'b'), ['d2', 'd1', 'd2'])
    """
    topics, topic = _extend_vocabulary(runs.topics, more.topics)
    docnos, document = _extend_vocabulary(runs.docnos, more.docnos)
    order = np.lexsort((np.arange(len(more)), topic[more.topic], more.run))
    return Runs(
        (*runs.tags, *more.tags), topics, docnos,
        run=np.concatenate([runs.run, more.run[order] + len(runs.tags)]),
        topic=np.concatenate([runs.topic, topic[more.topic][order]]),
        document=np.concatenate([runs.document, document[more.document][order]]),
        scores=np.concatenate([runs.score, more.score[order]]),
    )  # fmt: skip


def _extend_vocabulary(own: Vocabulary, other: Vocabulary) -> tuple[Vocabulary, Ints]:
    """A vocabulary of the names of both, its own first, and the integers in it of the other's names."""
    codes = own.codes(other.names)
    unknown = codes < 0
    codes[unknown] = len(own.names) + np.arange(int(unknown.sum()))
    return Vocabulary(np.concatenate([own.names, other.names[unknown]])), codes
