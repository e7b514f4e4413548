"""What a report is about: a store or files."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple, Self

from cranfield import hooks
from cranfield.analysis.contributors import with_contributors
from cranfield.arrays.rankings import MINUS_ONE_RULE, UNJUDGED, Qrels
from cranfield.call_view import CallView
from cranfield.errors import CranfieldError, InputError
from cranfield.formats.runs.files import has_named_teams
from cranfield.report.blocks import Block, Cell, Facts, Section, TableBlock, Text, rounded_cell
from cranfield.selection import LeftOut
from cranfield.store.log import Tally, assessors, tallies
from cranfield.store.names import Lack, find_missing_names
from cranfield.store.pools import Pool
from cranfield.store.releases import release_name
from cranfield.store.store import Collection, Store
from cranfield.text import counted, runs_and_teams_text
from cranfield.view import View


class ReportSubject(NamedTuple):
    """The files, the view that is scored or why there is none, and of a store the collection and its counts.

    A store has the titles of its topics and the unknown ids in its runs and judgments as well.
    """

    paths: Sequence[Path]
    scored: View | None
    lack: str = ""
    collection: Collection | None = None
    counts: Mapping[str, int] | None = None
    titles: Mapping[str, str] | None = None
    unknown: Sequence[Lack] = ()
    pool: int | None = None  # the number of the pool, None for the newest
    sections: Sequence[Section] = ()  # of features
    release: str = ""  # the name and the date of the release that this is
    left_out: LeftOut = LeftOut()  # what does not count
    view: CallView | None = None  # of what it is

    @property
    def name(self) -> str:
        """The name of the collection, or that of the qrels file."""
        return self.collection.name if self.collection else self.paths[0].name


def subject_of(view: CallView, depth: int | None = None) -> ReportSubject:
    """The subject of a view, with the runs pooled to a depth; a store may lack runs or judgments."""
    subject = _subject_of(view, depth)
    if subject.scored:
        _ = subject.scored.judged  # reads the runs
    return subject._replace(left_out=view.left_out)


class StoreFacts(NamedTuple):
    """What a report says of a store."""

    collection: Collection
    counts: Mapping[str, int]
    titles: Mapping[str, str]
    unknown: Sequence[Lack]
    sections: Sequence[Section]
    release: str

    @classmethod
    def from_store(cls, store: Store) -> Self:
        """Read the facts of a store."""
        return cls(
            store.collection,
            store.counts(),
            unknown=find_missing_names(store),
            titles={topic.qid: topic.title for topic in store.topics()},
            sections=[*chain.from_iterable(hooks.ask(lambda extension: extension.report_sections(store)))],
            release=release_name(store),
        )


def _subject_of(view: CallView, depth: int | None) -> ReportSubject:
    of_store = view.read_from_store(StoreFacts.from_store, None)
    if of_store is None:
        return ReportSubject(view.paths, _scored_view(view, depth), view=view)
    try:
        scored, lack = _scored_view(view, depth), ""
    except CranfieldError as error:
        if of_store.counts["run"] and of_store.counts["qrels"]:
            raise
        scored, lack = None, error_message(error)
    return ReportSubject(
        paths=view.paths,
        view=view,
        scored=scored,
        lack=lack,
        collection=of_store.collection,
        counts=of_store.counts,
        titles=of_store.titles,
        unknown=of_store.unknown,
        pool=view.setting.pool,
        sections=of_store.sections,
        release=of_store.release,
    )


def _scored_view(view: CallView, depth: int | None) -> View:
    return with_contributors(view.select_topics_and_tell(view.which), depth)


def error_message(error: CranfieldError) -> str:
    """The message of an error, without the file.

    >>> error_message(InputError("no runs here", "a.db"))
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


MANY = 60  # runs; of more than these, teams are shown
MOST_PAIRS = 45  # of assessors that the table shows
KAPPA = "Cohen kappa"
RAW = "raw agreement"


def collection(subject: ReportSubject) -> Section:
    """Name, licence, grades and counts."""
    facts = _store_facts(subject) if subject.collection else _file_facts(subject)
    if subject.lack:
        return Section("collection", "The collection", [Facts(facts), Text(f"Nothing to measure yet: {subject.lack}.")])
    return Section("collection", "The collection", [Facts(facts)])


def _store_facts(subject: ReportSubject) -> list[tuple[str, str]]:
    about, counts = subject.collection, subject.counts or {}
    if about is None:
        return []
    unknown = {lack.table: lack.missing for lack in subject.unknown}
    terms = [("description", about.description), ("licence", about.licence), ("created", about.created[:10])]
    return [
        ("name", about.name),
        *((term, value) for term, value in terms if value),
        *([("release", subject.release)] if subject.release else []),
        ("grades", scale(about)),
        ("documents", f"{counts['document'] - unknown.get('document', 0):,}"),
        ("topics", f"{counts['topic'] - unknown.get('topic', 0):,}"),
        ("runs", f"{counts['run']:,}{_pooled(subject)}"),
        ("judgments", f"{counts['qrels']:,}"),
        ("assessors", f"{counts['assessor']:,}"),
        *((f"unknown {lack.table}s", lack.sentence(f"{lack.table}s here")) for lack in subject.unknown),
        *([("labels used", subject.scored.labels_note)] if subject.scored and subject.scored.labels_note else []),
        *([("labels not used", subject.scored.drawn_note)] if subject.scored and subject.scored.drawn_note else []),
        *_left_out_facts(subject),
    ]


def _left_out_facts(subject: ReportSubject) -> list[tuple[str, str]]:
    line = subject.left_out.line.removeprefix("left out: ")
    return [("left out", line)] if line else []


def scale(collection: Collection) -> str:
    """The grades with their labels, and the lowest relevant one.

    >>> scale(Collection("x", "", "", "", {0: "no", 1: "fair", 2: "good"}, 2))
    '0 no, 1 fair, 2 good (relevant from 2)'
    """
    meanings = ", ".join(f"{grade} {meaning}" for grade, meaning in sorted(collection.grades.items()))
    return f"{meanings} (relevant from {collection.min_relevant})"


def _file_facts(subject: ReportSubject) -> list[tuple[str, str]]:
    scored = subject.scored
    if scored is None:
        return []
    judged = scored.qrels.rows(scored.qrels.judged)
    grades, without = Counter(judged.grade.tolist()), len(scored.qrels) - len(judged)
    but = f"; {counted(without, 'more row')} with grade {UNJUDGED} ({MINUS_ONE_RULE})" if without else ""
    files = len(subject.paths) - 1
    return [
        ("judgments", f"{len(judged):,} in {subject.paths[0].name}{but}"),
        ("topics", f"{len(scored.qrels.qids):,}"),
        ("judged documents", f"{len(set(judged.document.tolist())):,}"),
        ("judgments by grade", ", ".join(f"{grade}: {grades[grade]:,}" for grade in sorted(grades))),
        ("runs", f"{len(scored.runs.tags):,} in {counted(files, 'file')}{_pooled(subject)}"),
        *_left_out_facts(subject),
    ]


def _pooled(subject: ReportSubject) -> str:
    about = subject.scored.run_info if subject.scored else {}
    pooled = [info for info in about.values() if info.pooled]
    teams = {tag: info.team for tag, info in about.items() if info.pooled}
    who = runs_and_teams_text(len(pooled), len({*teams.values()}), has_named_teams(teams))
    own = subject.scored.contributors if subject.scored else None
    how = " (inferred from the judgments)" if own and own.known_by == "judgments" else ""
    return f"; {who} contributed to the pool{how}" if pooled else ""


def pool(subject: ReportSubject) -> Section | None:
    """How the stored pool was built, and what each run contributed; None without a stored pool."""
    from cranfield.pooling.stored.contents import contribution_by_unit
    from cranfield.store.pools import pool_with_present_names
    from cranfield.store.runs import run_info

    if subject.view is None or not subject.counts or not subject.counts["pool"]:
        return None
    number = subject.scored.pool_number if subject.scored else subject.pool
    stored = subject.view.read_from_store(lambda store: (pool_with_present_names(store, number), run_info(store)), None)
    if stored is None:
        return None
    pool, about = stored
    runs = pool.parameters.get("runs", [])
    blocks: list[Block] = [Facts(pool_facts(pool))]
    if subject.scored and runs:
        name = "team" if len(runs) > MANY else "run"
        units = {tag: about[tag].team for tag in runs} if name == "team" else {tag: tag for tag in runs}
        rows = contribution_by_unit(pool, subject.scored.qrels, units, name, subject.scored.min_relevant)
        blocks.append(
            TableBlock(
                "brought",
                f"Documents that each {name} contributed to the pool, and documents that no other {name} contributed",
                rows,
            )
        )
    return Section("pool", "The pool", blocks)


def pool_facts(pool: Pool) -> list[tuple[str, str]]:
    """How a pool was built."""
    options = {key: value for key, value in pool.parameters.items() if isinstance(value, (int, float, str))}
    return [
        ("method", pool.shown_method),
        *((key.replace("_", " "), str(value)) for key, value in options.items()),
        ("documents", f"{len(pool.documents):,} for {counted(len({d.qid for d in pool.documents}), 'topic')}"),
        ("runs", str(len(pool.parameters.get("runs", [])))),
        *([("seed", str(pool.seed))] if pool.seed is not None else []),
        ("created", f"{pool.created[:10]} with cranfield {pool.version}"),
    ]


def judging_section(subject: ReportSubject) -> Section | None:
    """How much each assessor judged, and how well assessors agree; None without judgments."""
    if subject.view is None or not subject.counts or not subject.counts["judgment_event"]:
        return None
    return subject.view.read_from_store(_judging_in, None)


def _judging_in(store: Store) -> Section | None:
    rows = assessor_rows(tallies(store), assessors(store), sorted(store.collection.grades))
    blocks = agreement(store)
    caption = "Current labels by assessor and grade; hours: active time, if recorded"
    return Section("judging", "The judging", [TableBlock("assessors", caption, rows), *blocks] if rows else blocks)


def assessor_rows(standing: Sequence[Tally], kinds: Mapping[str, str], grades: Sequence[int]) -> list[dict[str, Any]]:
    """One row per assessor; what was shown twice counts once, and its time both times.

    >>> rows = assessor_rows([Tally("ada", "label", 1, 2, 1, 1800.0)], {"ada": "human"}, [0, 1])
    >>> {name: getattr(value, "text", value) for name, value in rows[0].items()}
    {'assessor': 'ada', 'kind': 'human', 'labels': 2, 'grade 0': 0, 'grade 1': 2, 'cannot judge': 0, 'hours': '0.50'}
    """
    own: dict[str, list[Tally]] = defaultdict(list)
    for tally in standing:
        own[tally.assessor].append(tally)
    return [_assessor_row(name, kinds[name], own[name], grades) for name in kinds if own[name]]


def _assessor_row(name: str, kind: str, own: Sequence[Tally], grades: Sequence[int]) -> dict[str, Any]:
    labels, first = Counter[int](), [tally for tally in own if not tally.again]
    for tally in first:
        labels.update({tally.grade: tally.decisions} if tally.grade is not None else {})
    return {
        "assessor": name,
        "kind": kind,
        "labels": labels.total(),
        **{f"grade {grade}": labels[grade] for grade in grades},
        "cannot judge": sum(tally.decisions for tally in first if tally.kind == "cannot-judge"),
        "hours": rounded_cell(sum(t.seconds for t in own) / 3600 if any(t.timings for t in own) else None),
    }


NO_SECOND = "No document has labels by two assessors, so agreement cannot be measured."


def agreement(store: Store) -> list[Block]:
    """Raw agreement and Cohen's kappa of each pair of assessors with documents in common."""
    from cranfield.judging.agreement import AGREEMENTS
    from cranfield.judging.labels.pairs import matrix_of_store

    if len(assessors(store)) < 2:
        return [Text(NO_SECOND)]
    panel = matrix_of_store(store)
    rows: list[dict[str, Any]] = []
    for two in combinations(panel.assessors, 2):
        pair = panel.select_assessors(two)
        if pair.has_two_labels.any():
            grades = pair.select_rows(pair.has_two_labels).grades
            values = {name: AGREEMENTS[name](grades, panel.scale, panel.min_relevant) for name in (RAW, KAPPA)}
            blank = Cell("undefined")
            rows.append(
                {
                    "assessors": " and ".join(two),
                    "documents": len(grades),
                    RAW: rounded_cell(values[RAW], 3),
                    "Cohen's kappa": blank if isnan(values[KAPPA]) else rounded_cell(values[KAPPA], 3),
                }
            )
    if not rows:
        return [Text(NO_SECOND)]
    pairs = sorted(rows, key=lambda row: -row["documents"])[:MOST_PAIRS]
    more = (
        f", for the {MOST_PAIRS} of {len(rows)} pairs with the most documents in common"
        if len(rows) > MOST_PAIRS
        else ""
    )
    caption = f"Agreement on the documents that both assessors labelled{more}; only kappa is corrected for chance"
    return [TableBlock("agreement", caption, pairs)]
