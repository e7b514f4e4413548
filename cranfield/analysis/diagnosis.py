"""What the command is given: an old collection and a new run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from cranfield.arrays.rankings import Runs, Vocabulary
from cranfield.errors import InputError
from cranfield.formats import read_qrels, read_runs
from cranfield.formats.files import bare_name
from cranfield.source import Source, Tell, is_store, open_source, silent
from cranfield.store.whose import Whose


def opened(
    paths: Sequence[Path],
    teams: Path | None = None,
    assessor: str | None = None,
    labels: Whose = Whose.all,
    tell: Tell = silent,
    pool: int | None = None,
) -> tuple[Source | None, Source, str]:
    """The old collection, None where no other run is there; it together with the new run; the new run's tag.

    The new run is the last path, or with a store, before any file of that name, the tag of one of its runs.
    """
    last = paths[-1]
    if not is_store(paths[0]) and len(paths) == 2:
        qrels, runs = read_qrels(paths[0]), _one(last)
        return None, Source(runs, qrels, {}, 1), runs.tags[0]
    source = open_source(paths[:-1], teams, assessor, labels, pool, tell)
    if is_store(paths[0]) and str(last) in source.runs.tags:
        return without(source, str(last)), source, str(last)
    if is_store(paths[0]) and not last.exists():
        raise InputError(f"neither a file nor a run of {paths[0]}; {near(str(last), source.runs.tags)}", last)
    new = _one(last)
    if new.tags[0] in source.runs.tags:
        new = replace(new, tags=(bare_name(last),))
    if new.tags[0] in source.runs.tags:
        hint = "; give its tag instead" if is_store(paths[0]) else ""
        raise InputError(f"the run {new.tags[0]!r} is among the others already{hint}", last)
    return source, replace(source, runs=together(source.runs, new)), new.tags[0]


def near(name: str, tags: Sequence[str]) -> str:
    """The tags most like a name that is none of them, or the first ones.

    >>> near("bm52", ["bm25", "lsa"]), near("x", ["bm25", "lsa"])
    ('near: bm25', 'there are: bm25, lsa')
    """
    alike = get_close_matches(name, tags, 3, 0.5)
    first = ", ".join(tags[:5]) + (f" and {len(tags) - 5} more" if len(tags) > 5 else "")
    return f"near: {', '.join(alike)}" if alike else f"there are: {first}"


def _one(path: Path) -> Runs:
    runs = read_runs([path])
    if not len(runs):
        raise InputError("an empty run", path)
    return runs


def without(source: Source, tag: str) -> Source | None:
    """The source without a run."""
    tags = [other for other in source.runs.tags if other != tag]
    about = {other: info for other, info in source.about.items() if other != tag}
    listed = source.listed and tuple(other for other in source.listed if other != tag)
    return replace(source, runs=source.runs.select(tags), about=about, listed=listed) if tags else None


def together(runs: Runs, more: Runs) -> Runs:
    """Two batches of runs as one, whose integers mean the same.

    >>> from cranfield.metrics.inputs import as_runs
    >>> both = together(as_runs({"a": {"q1": {"d2": 1.0}}}), as_runs({"b": {"q1": {"d1": 2.0, "d2": 1.0}}}))
    >>> both.tags, both.docnos.names[both.document].tolist()
    (('a', 'b'), ['d2', 'd1', 'd2'])
    """
    topics, topic = _extended(runs.topics, more.topics)
    docnos, document = _extended(runs.docnos, more.docnos)
    order = np.lexsort((np.arange(len(more)), topic[more.topic], more.run))
    return Runs(
        (*runs.tags, *more.tags), topics, docnos,
        np.concatenate([runs.run, more.run[order] + len(runs.tags)]),
        np.concatenate([runs.topic, topic[more.topic][order]]),
        np.concatenate([runs.document, document[more.document][order]]),
        np.concatenate([runs.score, more.score[order]]),
    )  # fmt: skip


def _extended(known: Vocabulary, other: Vocabulary) -> tuple[Vocabulary, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """A vocabulary of the names of both, the known ones first, and the integers in it of the other's names."""
    codes = known.codes(other.names)
    unknown = codes < 0
    codes[unknown] = len(known.names) + np.arange(int(unknown.sum()))
    return Vocabulary(np.concatenate([known.names, other.names[unknown]])), codes
