"""What a report is about: a store or files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.analysis.contributors import with_contributors
from cranfield.analysis.online.results import experiment_results
from cranfield.analysis.online.showing import chosen_log, online_rows
from cranfield.arrays.rankings import Qrels
from cranfield.arrays.which_topics import WhichTopics
from cranfield.errors import CranfieldError, InputError
from cranfield.source import Source, Tell, is_store, open_source, silent
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.names.unknown import Lack, lacks
from cranfield.store.online.read import has_log
from cranfield.store.releases.releases import released
from cranfield.store.store import Collection, Store


class Subject(NamedTuple):
    """The files, the source or why there is none, and of a store the collection, its counts, the titles of its topics,
    and the unknown ids in its runs and judgments.
    """

    paths: Sequence[Path]
    source: Source | None
    lack: str = ""
    collection: Collection | None = None
    counts: Mapping[str, int] | None = None
    titles: Mapping[str, str] | None = None
    unknown: Sequence[Lack] = ()
    pool: int | None = None  # the number of the pool, None for the newest
    log: Sequence[Mapping[str, Any]] = ()  # the measures of the interaction log, by arm
    experiments: Sequence[Mapping[str, Any]] = ()  # what experiments with users say
    release: str = ""  # the name and the date of the release that this is

    @property
    def name(self) -> str:
        """The name of the collection, or that of the qrels file."""
        return self.collection.name if self.collection else self.paths[0].name


def subject_of(
    paths: Sequence[Path],
    teams: Path | None = None,
    labels: LabelledBy = LabelledBy.all,
    tell: Tell = silent,
    depth: int | None = None,
    pool: int | None = None,
    topics: WhichTopics = WhichTopics.all,
) -> Subject:
    """The subject of these paths, with the runs pooled to `depth`; a store may lack runs or judgments."""
    if not is_store(paths[0]) or len(paths) > 1:
        found = open_source(paths, teams, labels=labels, pool=pool, tell=tell, topics=topics)
        return Subject(paths, with_contributors(found, depth))
    with Store.open(paths[0]) as store:
        collection, counts = store.collection, store.counts()
        unknown = lacks(store)
        titles = {topic.qid: topic.title for topic in store.topics()}
        log = online_rows(chosen_log(store)) if has_log(store) else ()
        experiments = experiment_results(store)
        release = released(store)
    try:
        found = open_source(paths, teams, labels=labels, pool=pool, tell=tell, topics=topics)
        source, lack = with_contributors(found, depth), ""
    except CranfieldError as error:
        if counts["run"] and counts["qrels"]:
            raise
        source, lack = None, said(error)
    return Subject(paths, source, lack, collection, counts, titles, unknown, pool, log, experiments, release)


def said(error: CranfieldError) -> str:
    """The message of an error, without the file.

    >>> said(InputError("no runs here", "a.db"))
    'no runs here'
    """
    return error.message if isinstance(error, InputError) else str(error)


def fingerprint(qrels: Qrels) -> str:
    """SHA-256 of the judgments: lines of topic, 0, docno and grade, in byte order.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> fingerprint(as_qrels({"q": {"d2": 0, "d1": 1}})) == hashlib.sha256(b"q 0 d1 1\\nq 0 d2 0\\n").hexdigest()
    True
    """
    columns = (qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist())
    lines = sorted(f"{qid} 0 {docno} {grade}\n".encode() for qid, docno, grade in zip(*columns, strict=True))
    return hashlib.sha256(b"".join(lines)).hexdigest()
