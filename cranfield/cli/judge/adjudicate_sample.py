"""What the command `adjudicate` does with --sample and --estimate."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.cli.tables import TableFormat, emit, say
from cranfield.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.judging.adjudication.adjudication import Dispute
    from cranfield.judging.adjudication.estimate import Corrected, DoubleSampleEstimate, Phases
    from cranfield.judging.labels.pairs import Pair, PairLabels
    from cranfield.judging.labels.policies import Policy
    from cranfield.store.store import Store

CAUTION = (
    "Shares are of what can be judged; the adjudicator is taken for right. Intervals tell of the sampling alone, and"
    " are right if what is not adjudicated was left by chance, not because it was hard."
)


class Sampled(NamedTuple):
    """The documents with two labels or more, and the sample of them."""

    several: Sequence[Dispute]
    drawn: Sequence[Dispute]
    number: int
    seed: int
    rel: int


def sampled(store: Store, path: Path, between: list[str] | None, number: int | None, seed: int) -> Sampled:
    """The sample asked for or, without a number, the one that the log has."""
    from cranfield.judging.adjudication.sample import asked, double_judged, draw
    from cranfield.judging.labels.pairs import known, labels_by_pair
    from cranfield.store.whose import Whose

    several = double_judged(labels_by_pair(store, known(store, between, Whose.all if between else Whose.people)))
    if not several:
        raise InputError("there is nothing to sample: no document has two labels", path)
    size, seed = (number, seed) if number else asked(store)
    rel = store.collection.min_relevant
    return Sampled(several, draw(several, size, seed, rel), size, seed, rel)


def adjudicate_sample(store: Store, found: Sampled, name: str, limit: int | None) -> None:
    """Let somebody adjudicate the sample, who sees no labels."""
    import shutil

    from cranfield.cli.judge.judge import _streams
    from cranfield.judging.adjudication.adjudication import Adjudication
    from cranfield.judging.adjudication.sample import policy_of
    from cranfield.judging.frontends.plain_adjudication import Adjudicating

    policy = policy_of(found.number)
    session = Adjudication(store, name, found.drawn, found.seed, order_policy=policy, blind=True)
    say(
        f"{len(found.drawn)} documents, drawn at random from {len(found.several)} with two labels or more. Their labels"
        " are not shown."
    )
    if session.known:
        say(f"{session.known} of them have a label of {name}: they are for somebody else.")
    Adjudicating(session, *_streams(), min(shutil.get_terminal_size().columns, 100), limit).run()
    done, of = session.progress()
    say(f"{done} of {of} drawn documents adjudicated; --estimate tells what they say of all.")


def estimate(store: Store, found: Sampled, rule: Policy, format: TableFormat, output: Path | None) -> None:
    """Tell what the sample says of all documents with two labels or more."""
    from cranfield.judging.adjudication.estimate import phases
    from cranfield.judging.labels.pairs import known, labels_by_pair

    every = labels_by_pair(store, known(store, None))
    both = phases(found.several, {it.pair for it in found.drawn}, _settled(every), found.rel)
    scale = tuple(store.collection.grades)
    labels = {it.pair: rule.grade([vote.grade or 0 for vote in it.votes], scale) or 0 for it in both.documents}
    rows = [*both.by_assessor(), both.corrected(f"policy {rule.name}", labels)]
    pool = _pool(store, both, every)
    document = {
        "sample": {"size": found.number, "seed": found.seed},
        "strata": both.strata_rows(),
        "assessors": [_document(row) for row in rows],
        "pool": pool,
    }
    if format is not TableFormat.table or output is not None:
        emit([_columns(row) for row in rows], format, output, document=document)
        return
    _show(found, both, rows, pool)


def _settled(every: Mapping[Pair, PairLabels]) -> dict[Pair, int | None]:
    """By pair: the grade of an adjudication, None where all there is says that it cannot be judged."""
    answers = {pair: [event.grade for event in ballot.adjudications] for pair, ballot in every.items()}
    return {pair: next((g for g in found if g is not None), None) for pair, found in answers.items() if found}


def _pool(store: Store, both: Phases, every: Mapping[Pair, PairLabels]) -> dict[str, Any] | None:
    """The share of relevant documents in the pool, where an overlap drawn from all of it has been judged."""
    import numpy as np

    from cranfield.store.assignments import assignments, plans, sampled

    overlap = {(qid, docno) for qid, docnos in sampled(store, "overlap").items() for docno in docnos}
    judged = all(pair in every and len(every[pair].settled) > 1 for pair in overlap)
    if len(plans(store)) != 1 or not overlap or not judged:
        return None
    own = both.of(np.array([document.pair in overlap for document in both.documents], bool))
    documents = sum(given.documents for given in assignments(store) if given.role == "first")
    if not own.documents:
        return None
    return {"documents": documents, "relevant": own.relevant(1 / len(own.documents) - 1 / documents)._asdict()}


def _document(row: Corrected) -> dict[str, Any]:
    told = {"assessor": row.assessor, "documents": row.documents, "labelled_relevant": row.labelled}
    return told | {"relevant": row.relevant._asdict(), "agreement": row.agreement._asdict()}


def _columns(row: Corrected) -> dict[str, Any]:
    told: dict[str, Any] = {"assessor": row.assessor, "documents": row.documents, "labelled_relevant": row.labelled}
    for name, found in (("relevant", row.relevant), ("agreement", row.agreement)):
        told |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
    return told


def _row(row: Corrected) -> dict[str, Any]:
    return {
        "labels of": row.assessor,
        "documents": row.documents,
        "called relevant": f"{row.labelled / row.documents:.2f}",
        "relevant": _between(row.relevant),
        "right": _between(row.agreement),
    }


def _between(found: DoubleSampleEstimate) -> str:
    """An estimate and its interval as people read it.

    >>> from cranfield.judging.adjudication.estimate import DoubleSampleEstimate
    >>> _between(DoubleSampleEstimate(0.25, 0.2, 0.31)), _between(DoubleSampleEstimate(float("nan"), 0, 1))
    ('0.25 (0.20-0.31)', 'not known')
    """
    if isnan(found.value):
        return "not known"
    return f"{found.value:.2f} ({found.low:.2f}-{found.high:.2f})"


def _show(found: Sampled, both: Phases, rows: Sequence[Corrected], pool: dict[str, Any] | None) -> None:
    from cranfield.judging.adjudication.estimate import DoubleSampleEstimate

    title = f"{len(both.documents)} documents with two labels or more; {found.number} drawn with seed {found.seed}"
    strata = [{name.replace("_", " "): value for name, value in row.items()} for row in both.strata_rows()]
    emit(strata, TableFormat.table, title=title)
    say()
    emit([_row(row) for row in rows], TableFormat.table, title="estimated for all of them, with 95 % intervals")
    say()
    if pool:
        say(
            f"Of all {pool['documents']} pooled documents, of which the overlap is a random sample, this share is"
            f" relevant: {_between(DoubleSampleEstimate(**pool['relevant']))}."
        )
    say(CAUTION)
