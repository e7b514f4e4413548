"""Qrels from the judgment log, with a count of everything that is left out, and the manifest beside them."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import MINUS_ONE_RULE, UNJUDGED, Names, Qrels
from cranfield.errors import InputError
from cranfield.formats import format_of, write_qrels
from cranfield.formats.whole_files import is_file, write_files_atomically, write_text
from cranfield.judging.labels.choice import chance_notes, resolve_policy
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.labels.policies import Decisions, State, apply_policy, count_display_orders
from cranfield.parallel import Tell, ignore_note
from cranfield.selection import EVERYTHING, LabelledBy, Selection
from cranfield.store.chain import OTHERS, log_head
from cranfield.store.pools import (
    Pool,
    newest_built_pool,
    newest_stratified_pool,
    pool_with_present_names,
    stratified_qrels,
)
from cranfield.store.qrels import sort_qrels, with_subtopics
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdrawal_and_round_filter
from cranfield.text import counted

STRATIFIED = ("sample-eval", "grade-stratum")
SUBTOPICS = "subtopics"


class LabelRule(NamedTuple):
    """Whose labels count, the first assessor first, and what counts where they differ.

    Without a policy and assessors the choice on record decides; labels that differ need one of the three.
    """

    policy: str | None = None
    assessors: Sequence[str] | None = None
    whose: LabelledBy = LabelledBy.all
    count_unsure: bool = True

    def decide(self, store: Store, tell: Tell = ignore_note) -> Decisions:
        """What counts in a store; it tells what the choice on record was, and which models agree at chance only."""
        count, whose = self.count_unsure, self.whose
        choice = resolve_policy(store, self.policy, self.assessors, whose, count_unsure=count)
        decided = apply_policy(store, rule=choice.rule, names=choice.names, count_unsure=count, whose=whose)
        for line in (*choice.notes_on(decided), *chance_notes(store, decided.supporting_models)):
            tell(line)
        return decided


class QrelsRequest(NamedTuple):
    """The file of qrels to write, and of what."""

    path: Path
    format: str = "trec"
    rule: LabelRule = LabelRule()
    selection: Selection = EVERYTHING


class DetailedQrels(NamedTuple):
    """Qrels to be written, notes on them, and the names of strata that are written as numbers."""

    qrels: Qrels
    notes: tuple[str, ...] = ()
    strata: Mapping[str, str] = {}


def add_format_columns(
    store: Store, outcome: Decisions, missing: Mapping[Pair, int], format: str, pool: int | None = None
) -> DetailedQrels:
    """The qrels of a policy with the columns a format has; an error where there is nothing for a column it needs."""
    plain = outcome.qrels(missing)
    if format in STRATIFIED:
        sample = stratified_qrels(store, plain, pool)
        if sample is None or sample.qrels.stratum is None:
            which = "there is no stratified pool" if pool is None else f"pool {pool} has no strata for these labels"
            remedy = "build a pool with strata: `cranfield pool build` with --method stratified, uniform or tail"
            raise InputError(f"{which}; {remedy}")
        rows = sort_qrels(sample.qrels)
        stratum, names = number_strata(sample.qrels.stratum if rows.stratum is None else rows.stratum)
        stratum_notes = []
        if names:
            stratum_notes.append(
                f"strata are written as numbers: {', '.join(f'{number} is {name}' for number, name in names.items())}"
            )
        if sample.otherwise:
            stratum_notes.append(
                f"{counted(sample.otherwise, 'label')} of documents outside the sample"
                f" {'is' if sample.otherwise == 1 else 'are'} written to a separate stratum"
            )
        return DetailedQrels(replace(rows, stratum=stratum), tuple(stratum_notes), names)
    events = np.array([_event(outcome, pair) for pair in plain.pairs], np.int64)
    about = with_subtopics(store, plain, events)
    if format == SUBTOPICS:
        return _qrels_by_subtopic(about)
    notes = []
    if about.subtopics is not None:
        notes.append("this format omits the subtopics of these labels; write them with --format subtopics")
    if newest_stratified_pool(store) is not None:
        notes.append("this format omits the strata of the pool; write them with --format sample-eval")
    if format != "trec" and set(plain.sources) - {"0", ""}:
        notes.append("this format omits the second column of imported labels; write it with --format trec")
    return DetailedQrels(plain, tuple(notes))


def renaming_notes(store: Store) -> list[str]:
    """A note where documents with labels were renamed, on which names are written."""
    counting = withdrawal_and_round_filter(store)
    now = counting.selection.document
    if now is None:
        return []
    judged = [number for (number,) in store.rows("SELECT DISTINCT document - 1 FROM current_event")]
    number = sum(now[one] not in (-1, one) for one in judged)
    names = "this round's names" if counting.labels else "the current names"
    was = counted(number, "judged document was", "judged documents were")
    return [f"{was} renamed; the qrels contain {names}"] if number else []


def left_out(store: Store) -> list[str]:
    """What of topics and documents is left out, in a line."""
    line = replace(store.left_out, runs={}).line
    return [line] if line else []


def negative_grade_note(qrels: Qrels) -> list[str]:
    """A note where labels of a scale with grade -1 are written, which in a file is none.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> negative_grade_note(replace(as_qrels({"q": {"d1": -1, "d2": -1}}), minus_one_judged=True))
    ['2 labels have grade -1, so programs that read the file count them as unjudged; in qrels files, grade -1 means \
unjudged']
    """
    number = int((qrels.judged & (qrels.grade == UNJUDGED)).sum())
    them = "it" if number == 1 else "them"
    which = f"{counted(number, 'label')} {'has' if number == 1 else 'have'} grade {UNJUDGED}"
    line = f"{which}, so programs that read the file count {them} as unjudged; {MINUS_ONE_RULE}"
    return [line] * bool(number)


def number_strata(strata: Names) -> tuple[Names, dict[str, str]]:
    """Strata as whole numbers, which a file can hold, and the name of each; unchanged where they are numbers already.

    >>> number_strata(np.array(["11-", "1-10", "11-"], object))
    (array(['2', '1', '2'], dtype=object), {'1': '1-10', '2': '11-'})
    >>> number_strata(np.array(["3", "1"], object))
    (array(['3', '1'], dtype=object), {})
    """
    names = sorted(set(strata.tolist()), key=_naturally)
    if all(name.isdecimal() for name in names):
        return strata, {}
    number = {name: str(place) for place, name in enumerate(names, 1)}
    return np.array([number[name] for name in strata], object), {place: name for name, place in number.items()}


def _naturally(name: str) -> list[tuple[int, str]]:
    """A key that sorts numbers within names by their size."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name) if part]


def _qrels_by_subtopic(qrels: Qrels) -> DetailedQrels:
    if qrels.subtopics is None:
        raise InputError("these labels have no subtopics; import qrels with subtopics")
    without = len(qrels) - len(set(qrels.subtopics.judgment.tolist()))
    note = f"{counted(without, 'label')} without subtopics omitted" if without else ""
    return DetailedQrels(qrels, tuple(filter(None, [note])))


def _event(outcome: Decisions, pair: Pair) -> int:
    behind = outcome.supporting_events(pair) if pair in outcome.labels else []
    return -1 if len(behind) != 1 or behind[0].id is None else behind[0].id


VERSION = 1
MODELS = {LabelledBy.all: "where nobody else labelled", LabelledBy.people: "left out", LabelledBy.models: "alone"}


def write_manifest(
    store: Store,
    outcome: Decisions,
    path: Path,
    *,
    counts: Mapping[str, int],
    pool: Pool | None,
    missing: Mapping[State, int],
    layout: Mapping[str, object],
    asked: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """Write PATH.manifest.json for the qrels at PATH, of this format and with these names of strata; where it is.

    `asked` is what was asked for of features, by option; the round is said by itself.
    """
    document = {
        "manifest": VERSION,
        **_file(path),
        **layout,
        **_rules(store, outcome, missing, asked),
        **_collection(store, pool),
    }
    document |= {"counts": dict(counts), **_labels(outcome), "orders": count_display_orders(outcome)}
    out = path.with_name(path.name + ".manifest.json")
    write_text(out, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return out


def _file(path: Path) -> dict[str, Any]:
    from cranfield import __version__

    content = path.read_bytes()
    return {"qrels": path.name, "sha256": hashlib.sha256(content).hexdigest(), "program": f"cranfield {__version__}"}


def _rules(store: Store, outcome: Decisions, missing: Mapping[State, int], asked: Mapping[str, str]) -> dict[str, Any]:
    rule = outcome.policy
    options = {**asked, **store.selection.round_options}
    return {
        **({"asked": options} if options else {}),
        "policy": {"name": rule.name, "version": rule.version, "about": rule.about},
        "models": "as named" if outcome.named else MODELS[outcome.whose],
        "unsure": "counted" if outcome.count_unsure else "left out",
        "missing": {
            state: missing.get(state, "left out") for state in ("cannot-judge", "later", "unlabelled", "unsure")
        },
    }


def _collection(store: Store, pool: Pool | None) -> dict[str, Any]:
    collection = store.collection
    return {
        "collection": collection.name,
        "scale": {str(grade): meaning for grade, meaning in collection.grades.items()},
        "min_relevant": collection.min_relevant,
        "pool": None if pool is None else _pool(pool),
        "log": log_head(store.conn)._asdict(),
        "other_logs": log_head(store.conn, OTHERS)._asdict(),
    }


def _pool(pool: Pool) -> dict[str, Any]:
    return {
        "number": pool.number,
        "method": pool.shown_method,
        "seed": pool.seed,
        "version": pool.version,
        "documents": len(pool.documents),
    }


def _labels(outcome: Decisions) -> dict[str, Any]:
    """How many labels of each grade, and of whom."""
    behind = Counter(event.assessor for pair in outcome.labels for event in outcome.supporting_events(pair))
    grades = Counter(outcome.labels.values())
    return {
        "grades": {str(grade): grades[grade] for grade in sorted(grades)},
        "assessors": {name: {"kind": kind, "labels": behind[name]} for name, kind in outcome.assessors.items()},
    }


MISSING: tuple[State, ...] = ("unsure", "cannot-judge", "later", "unlabelled")


class ExportCounts(NamedTuple):
    """What was written and, of the pairs of the pool, what was not."""

    labels: int
    unsure: int  # of the labels: how many are marked so
    outside: int  # of the labels: how many are of pairs that are not in the pool
    pooled: int
    cannot_judge: int
    later: int
    unlabelled: int  # no event at all
    unsure_left_out: int = 0  # all labels are unsure, and those do not count
    ties: int = 0  # of the labels: how many a tie rule decided
    adjudicated: int = 0  # of the labels
    models: int = 0  # of the labels: how many rest on a model's
    negative: int = 0  # pairs without a label that were written with a negative grade
    notes: tuple[str, ...] = ()  # what the file leaves out

    @property
    def counts(self) -> dict[str, int]:
        """The numbers, by name."""
        return {name: count for name, count in self._asdict().items() if name != "notes"}

    def __str__(self) -> str:
        """One line that leaves nothing out.

        >>> print(ExportCounts(2, 1, 0, 5, 1, 0, 2))
        wrote 2 labels (1 unsure, 0 outside the pool); the pool has 5 pairs, including 1 that cannot be judged,
        0 deferred and 2 unlabelled
        """
        more = {
            "unsure labels omitted: {}": self.unsure_left_out,
            "ties broken: {}": self.ties,
            "adjudicated labels: {}": self.adjudicated,
            "labels by models: {}": self.models,
            "unlabelled pairs written with a negative grade: {}": self.negative,
        }
        return (
            f"wrote {counted(self.labels, 'label')} ({self.unsure:,} unsure, {self.outside:,} outside the pool);"
            f" the pool has {counted(self.pooled, 'pair')}, including {self.cannot_judge:,} that cannot be judged,"
            f" {self.later:,} deferred and {self.unlabelled:,} unlabelled"
            + "".join("; " + words.format(f"{count:,}") for words, count in more.items() if count)
        )


def export_derived(
    store: Store,
    path: str | PathLike[str],
    outcome: Decisions,
    *,
    missing: Mapping[State, int] | None = None,
    number: int | None = None,
    format: str = "trec",
) -> ExportCounts:
    """Write the qrels that a policy derived, sorted by topic and document, and PATH.manifest.json beside them.

    `number` is the pool to use, the newest by default. A pair without a label is left out and counted, never written as
    0. `missing` writes the pairs in a state with a negative grade, for programs that use it to tell pooled from
    unjudged. A pair that one assessor put off and another could not judge counts as the latter. What `format` needs
    beside grades, strata or subtopics, comes from the pool or from the labels; notes say which of them are not written.
    """
    if format in STRATIFIED:
        number = number or newest_stratified_pool(store)
    pool_number = number or newest_built_pool(store)
    pool: Pool | None = None if pool_number is None else pool_with_present_names(store, pool_number)
    pooled = pairs_of(pool) if pool else set()
    negative = negative_grades(store, outcome, pooled, missing or {})
    if not outcome.labels and not negative:
        raise InputError("there are no labels to write; judge documents, or import qrels", path)
    output = add_format_columns(store, outcome, negative, format, number)
    notes = (*output.notes, *renaming_notes(store), *left_out(store), *negative_grade_note(output.qrels))
    summary = _summary(outcome, pooled)._replace(negative=len(negative), notes=notes)
    if not is_file(path):
        write_qrels(path, output.qrels, format)
        return summary._replace(notes=(*notes, "no manifest is written, because the qrels go to standard output"))
    layout = {"format": format, **({"strata": output.strata} if output.strata else {})}
    with write_files_atomically(path) as file:
        write_qrels(file, output.qrels, format)
        write_manifest(store, outcome, file, counts=summary.counts, pool=pool, missing=missing or {}, layout=layout)
        if format_of("qrels", file) != format:
            options = f"--format {format} (evaluate: --input-format {format})"
            notes = (*notes, f"programs cannot detect the format of this file; read it with {options}")
        return summary._replace(notes=notes)


def pairs_of(pool: Pool) -> set[Pair]:
    """The pairs of a pool."""
    return {(document.qid, document.docno) for document in pool.documents}


def negative_grades(
    store: Store, outcome: Decisions, pooled: set[Pair], missing: Mapping[State, int]
) -> dict[Pair, int]:
    """The grades for pairs without a label, by their state; an error if one could be taken for a label."""
    for state, grade in missing.items():
        if grade >= 0 or grade in store.collection.grades:
            raise InputError(f"{state}: {grade}; expected a negative number that is not on the scale")
    states = {pair: outcome.state(pair) for pair in pooled | set(outcome.by_pair)} if missing else {}
    return {pair: missing[state] for pair, state in states.items() if state in missing}


def _summary(outcome: Decisions, pooled: set[Pair]) -> ExportCounts:
    labels = outcome.labels
    states = [outcome.state(pair) for pair in pooled]
    decisions = [outcome.decisions[pair] for pair in labels]
    return ExportCounts(
        labels=len(labels),
        unsure=sum(any(event.unsure for event in outcome.by_pair[pair].events) for pair in labels),
        outside=len(labels.keys() - pooled),
        pooled=len(pooled),
        cannot_judge=states.count("cannot-judge"),
        later=states.count("later"),
        unlabelled=states.count("unlabelled"),
        unsure_left_out=states.count("unsure"),
        ties=sum(decision.tied for decision in decisions),
        adjudicated=sum(decision.adjudicated for decision in decisions),
        models=outcome.models,
    )
