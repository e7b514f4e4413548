"""What a folder is made from, and its parts in Parquet: corpus/, queries/, qrels/, log/ and pools/."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.features.publishing.description import Description
from cranfield.features.publishing.formats import (
    CORPUS,
    CORPUS_WITHOUT_TEXT,
    FRAME,
    JUDGMENTS,
    POOLS,
    QRELS,
    QUERIES,
    Columns,
    TableFile,
    write_shards,
    write_table,
)
from cranfield.features.publishing.publication import PublishedFile, PublishOptions, splits_of
from cranfield.features.publishing.store.published import (
    Assessor,
    assessors,
    events_with_commitments,
    frame,
    hashes,
    log_states,
    pooled,
    texts,
)
from cranfield.formats import Topic
from cranfield.formats.files import read_text
from cranfield.formats.whole_files import write_lines, write_text
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.labels.policies import Decisions, apply_policy
from cranfield.store.chain import Event
from cranfield.store.pools import PooledDocument, newest_built_pool, stored_pool
from cranfield.store.store import Store


@dataclass(frozen=True)
class Publishing:
    """The copy of a store that is published, the folder it goes into, and the options."""

    store: Store
    root: Path
    description: Description
    options: PublishOptions

    @cached_property
    def judgments(self) -> Decisions:
        """The labels that count under the policy."""
        return apply_policy(self.store, rule=self.options.policy)

    @cached_property
    def qrels(self) -> Qrels:
        """The grades under the policy."""
        return self.judgments.qrels()

    @property
    def splits(self) -> dict[str, frozenset[str]]:
        """The qids of each split."""
        return splits_of([topic.qid for topic in self.store.topics()], self.options.split)

    def published_path(self, *names: str) -> Path:
        """A path in the folder, whose own folder is there."""
        path = self.root.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


class PublishedTable(NamedTuple):
    """A Parquet file of the folder, and the table it belongs to."""

    file: TableFile
    table: str
    columns: Columns


@dataclass(frozen=True)
class Part:
    """One row of the table of parts; `write` puts its files into the folder, and returns those that are tables."""

    name: str
    write: Callable[[Publishing], Sequence[PublishedTable]]
    applies: Callable[[PublishOptions], bool] = lambda options: True


@dataclass(frozen=True)
class PublishedParts:
    """What is published, and the files of its parts, which are there already."""

    publishing: Publishing
    files: Sequence[PublishedFile]
    root: Path  # of the files

    @property
    def description(self) -> Description:
        """What people say of the collection."""
        return self.publishing.description


def rows_of_table(files: Sequence[PublishedFile], table: str) -> int:
    """How many rows a table has in all its files."""
    return sum(file.rows or 0 for file in files if file.table == table)


@dataclass(frozen=True)
class Target:
    """One row of the table of targets.

    `texts` gives the texts of its files by their paths, `write` puts files into the folder that are no texts;
    `commands` are what a person types to publish there, `DIR` being the folder.
    """

    name: str
    about: str
    texts: Callable[[PublishedParts], Mapping[str, str]] = lambda published: {}
    write: Callable[[PublishedParts], None] = lambda published: None
    commands: Callable[[Description], Sequence[str]] = lambda description: ()


def write_corpus(publishing: Publishing) -> Sequence[PublishedTable]:
    folder = publishing.published_path("corpus", "-").parent
    if publishing.options.text:
        columns, files = CORPUS, write_shards(folder, "corpus", CORPUS, texts(publishing.store))
    else:
        columns = CORPUS_WITHOUT_TEXT
        files = write_shards(folder, "corpus", columns, hashes(publishing.store, withheld=True))
    return [PublishedTable(file, "corpus", columns) for file in files]


CORPUS_PART = Part("corpus", write_corpus)


def write_queries(publishing: Publishing) -> Sequence[PublishedTable]:
    language, topics = " ".join(publishing.description.language), publishing.store.topics()
    return [
        PublishedTable(
            write_table(
                publishing.published_path("queries", f"{split}.parquet"),
                QUERIES,
                [_query(topic, language) for topic in topics if topic.qid in qids],
            ),
            "queries",
            QUERIES,
        )
        for split, qids in publishing.splits.items()
    ]


def _query(topic: Topic, language: str) -> tuple[Any, ...]:
    metadata = json.dumps(dict(topic.metadata), ensure_ascii=False) if topic.metadata else ""
    return topic.qid, topic.title, topic.description, topic.narrative, language, metadata


QUERIES_PART = Part("queries", write_queries)


def write_qrels(publishing: Publishing) -> Sequence[PublishedTable]:
    store = publishing.store
    newest = stored_pool(store, newest_built_pool(store)).documents if store.count("pool") else ()
    pooled = {(one.qid, one.docno): one for one in newest}
    return [
        PublishedTable(
            write_table(
                publishing.published_path("qrels", f"{split}.parquet"), QRELS, _labels(publishing, pooled, qids)
            ),
            "qrels",
            QRELS,
        )
        for split, qids in publishing.splits.items()
    ]


def _labels(
    publishing: Publishing, pooled: Mapping[Pair, PooledDocument], qids: frozenset[str]
) -> Iterator[tuple[Any, ...]]:
    qrels = publishing.qrels
    columns = (qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), qrels.sources)
    for qid, docno, grade, source in zip(*columns, strict=True):
        if qid not in qids:
            continue
        votes = publishing.judgments.by_pair[qid, docno].votes
        place = pooled.get((qid, docno))
        about = (place.stratum, place.probability, place.depth or None) if place else (None, None, None)
        yield qid, docno, float(grade), *about, len(votes), source


QRELS_PART = Part("qrels", write_qrels)


JUDGED, ASSESSORS, STATE = "log/judgments.parquet", "log/assessors.tsv", "log/log.json"
COLLECTION = "collection.json"  # has the SHA-256 of the other files: so the head stands for all of them
VERIFY = (  # part of the published data: other words need another LAYOUT
    "head is the SHA-256 of the chains, sorted and joined by newlines; each of them is the commitment of an event.",
    "A commitment is the SHA-256 of all that the event said when it was recorded, of the commitment before it in its"
    " chain, and of a random id that is not published: what was left out cannot be guessed from it.",
    "With the store, its publisher can show what an event said, and that the log has this head:"
    " cranfield store verify track.db --manifest log/log.json",
    "Without the store it can be verified that the number of events, their commitments and the head are those of"
    " another copy of this log, but not that what is said of an event is what was committed to.",
)


def write_log(publishing: Publishing) -> Sequence[PublishedTable]:
    rows = (_event_row(event, commitment) for event, commitment in events_with_commitments(publishing.store))
    file = write_table(publishing.published_path(JUDGED), JUDGMENTS, rows)
    write_assessors(publishing)
    return [PublishedTable(file, "judgments", JUDGMENTS)]


def write_assessors(publishing: Publishing) -> None:
    """Write who the assessors are."""
    lines = ("\t".join([one.name, one.kind, one.repeats or "", str(one.events)]) for one in assessors(publishing.store))
    write_lines(publishing.published_path(ASSESSORS), ["assessor\tkind\trepeats\tevents", *lines])


def write_head(publishing: Publishing, collection: str) -> None:
    """Write the head of the log and, where there is one, the SHA-256 of collection.json."""
    document = log_document(publishing) | ({COLLECTION: collection} if collection else {})
    write_text(publishing.published_path(STATE), json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def read_assessors(path: Path) -> Iterator[Assessor]:
    """The assessors of a published log; their events are not counted."""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != len(Assessor._fields):
            raise InputError(f"{len(cells)} columns; expected {len(Assessor._fields)}", path, number)
        if number > 1:
            yield Assessor(cells[0], cells[1], cells[2] or None, 0)


def _event_row(event: Event, commitment: str) -> tuple[Any, ...]:
    return (
        event.id, event.at, event.kind, event.qid, event.docno, event.assessor, event.grade, event.unsure, event.reason,
        event.note, event.evidence, event.source, event.seconds, event.position, event.order_policy, event.order_seed,
        event.document_sha256, event.pool, event.supersedes, event.input, event.fast, event.highlight_terms,
        event.docno_shown, commitment,
    )  # fmt: skip


def event_of_row(row: Sequence[Any]) -> Event:
    """The event of a row, as a store that imports it has it: the commitment is its id."""
    number, at, kind, qid, docno, assessor, *rest, commitment = row
    (
        grade, unsure, reason, note, evidence, source, seconds, position, order_policy, order_seed, digest, pool,
        supersedes, means, fast, highlight_terms, docno_shown,
    ) = rest  # fmt: skip
    return Event(
        kind,
        qid,
        docno,
        assessor=assessor,
        grade=grade,
        unsure=unsure,
        reason=reason or "",
        note=note or "",
        evidence=evidence,
        source=source or "",
        seconds=seconds,
        position=position,
        order_policy=order_policy or "",
        order_seed=order_seed,
        document_sha256=digest,
        pool=pool,
        supersedes=supersedes,
        at=at,
        event_id=commitment,
        id=number,
        input=means or "",
        fast=fast,
        highlight_terms=highlight_terms or "",
        docno_shown=docno_shown,
    )


def log_document(publishing: Publishing) -> dict[str, Any]:
    """log.json: the head of the log, those of logs that were published before, and what they are good for."""
    states: list[dict[str, Any]] = [
        {"events": one.events, "head": one.head, "chains": list(one.chains)} for one in log_states(publishing.store)
    ]
    return {
        "as": publishing.options.log,
        "log": states[-1] if states else None,
        "earlier": states[:-1],
        "verification": list(VERIFY),
    }


LOG_PART = Part("log", write_log, lambda options: options.log != "no")


def write_pools(publishing: Publishing) -> Sequence[PublishedTable]:
    if not publishing.store.count("pool"):
        return []
    documents = write_table(publishing.published_path("pools", "pools.parquet"), POOLS, pooled(publishing.store))
    tables = [PublishedTable(documents, "pools", POOLS)]
    if publishing.store.count("frame_document"):
        sample = write_table(publishing.published_path("pools", "frame.parquet"), FRAME, frame(publishing.store))
        tables.append(PublishedTable(sample, "frame", FRAME))
    return tables


POOLS_PART = Part("pools", write_pools)
