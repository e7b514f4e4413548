"""The command `adjudicate`."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import Format, Output, PoolNumber, StorePath
from cranfield.cli.streams import streams, width
from cranfield.cli.tables import TableFormat, emit, say
from cranfield.errors import InputError
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cranfield.analysis.adjudication import DrawnSample, SampleEstimate
    from cranfield.judging.adjudication.adjudication import Dispute
    from cranfield.judging.adjudication.estimate import Corrected, DoubleSampleEstimate
    from cranfield.judging.labels.derive import Derived
    from cranfield.store.events import Event
    from cranfield.store.store import Store

NO_RUNS = "There are no runs here, so disagreements stand by how far their grades are apart."
CAUTION = (
    "Shares are of what can be judged; the adjudicator is taken for right. Intervals tell of the sampling alone, and"
    " are right if what is not adjudicated was left by chance, not because it was hard."
)


def adjudicate(
    path: StorePath,
    assessor: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who adjudicates; not needed with --list.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many answers.")] = None,
    between: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="LabelledBy disagreements; may be repeated. [default: everybody but models]"),
    ] = None,
    pool: PoolNumber = None,
    measure: Annotated[str, typer.Option("-m", "--measure", help="By which measure systems are ranked.")] = "AP",
    policy: Annotated[str, typer.Option(help="What decides as long as nobody has adjudicated.")] = "primary",
    top: Annotated[int, typer.Option(min=1, help="How many of the best systems are the top.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the sample, or of the order in which labels are shown.")] = 0,
    list_only: Annotated[
        bool, typer.Option("--list", help="List the disagreements and their effects instead.")
    ] = False,
    sample: Annotated[
        int | None, typer.Option(min=6, metavar="N", help="Adjudicate N documents drawn at random, without labels.")
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Tell what the sample adjudicated so far says of all documents.")
    ] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Settle what assessors disagree on, the disagreements first that can change the ranking of the stored runs.

    You see the document and the labels, not whose they are. Give any grade, say why it cannot be judged, or skip. Each
    label that somebody gave is tried in the qrels, all others staying as they are; disagreements that move nothing
    alone may do so together. A reason may follow a grade on its line; ? tells what else there is. Use the result with
    `export qrels --policy adjudicated-else-primary`.

    What was adjudicated because it matters tells nothing of the rest. --sample draws from all documents with two
    labels, also those on which they agree; --estimate then tells how many are relevant, and how often assessors are
    right.

    Example: cranfield adjudicate track.db --assessor eve --limit 20
    """
    if list_only and (sample or estimate):
        raise typer.BadParameter("it lists disagreements, not a sample", param_hint="--list")
    if pool and (sample or estimate):
        raise typer.BadParameter(
            "a sample is of all documents with two labels, whatever pool they are in", param_hint="--pool"
        )
    if sample or estimate:
        _sample(path, assessor, limit, between, policy, sample, seed, estimate, format, output)
        return
    from cranfield.analysis.adjudication import weighed
    from cranfield.judging.adjudication.adjudication import disputes, ranked, summary
    from cranfield.judging.labels.derive import derive
    from cranfield.judging.labels.pairs import counted_assessors, labels_by_pair
    from cranfield.store.store import Store

    with Store.open(path) as store:
        derived, whose = derive(store, policy), LabelledBy.all if between else LabelledBy.people
        several = disputes(labels_by_pair(store, counted_assessors(store, between, whose), pool=pool))
        if not several:
            others = "" if between else "; models are left out, unless --between names them"
            of_pool = f" in pool {pool}" if pool else ""
            raise InputError(
                f"there are no disagreements{of_pool}: no document has two labels that differ{others}", path
            )
        several, runs = weighed(store, derived, several, measure, top)
        if list_only:
            if format is TableFormat.table and output is None:
                say(f"{summary(several, top) if runs else NO_RUNS}\n")
            _list(ranked(several), derived, format, output)
        elif assessor is None:
            raise InputError("who adjudicates? --assessor NAME; or --list to see the disagreements", path)
        else:
            say(summary(several, top) if runs else NO_RUNS)
            _adjudicate(store, derived, ranked(several), assessor, seed, limit)


def _sample(
    path: Path,
    assessor: str | None,
    limit: int | None,
    between: list[str] | None,
    policy: str,
    sample: int | None,
    seed: int,
    estimate: bool,
    format: TableFormat,
    output: Path | None,
) -> None:
    from cranfield.analysis.adjudication import as_document, estimated, sampled
    from cranfield.judging.labels.policies import policy as policy_named
    from cranfield.store.store import Store

    with Store.open(path) as store:
        drawn = sampled(store, path, between, sample, seed)
        if estimate:
            found = estimated(store, drawn, policy_named(policy))
            if format is TableFormat.table and output is None:
                _show(drawn, found)
            else:
                emit([_columns(row) for row in found.rows], format, output, document=as_document(drawn, found))
        elif assessor is None:
            raise InputError("who adjudicates? --assessor NAME; or --estimate", path)
        else:
            _adjudicate_sample(store, drawn, assessor, limit)


def _adjudicate(
    store: Store, derived: Derived, several: list[Dispute], name: str, seed: int, limit: int | None
) -> None:
    from cranfield.judging.adjudication.adjudication import Adjudication, share
    from cranfield.judging.frontends.plain_adjudication import PlainAdjudication

    session = Adjudication(store, name, several, seed)
    if session.known:
        say(f"{session.known} of them have a label of {name}, who knows it: they are left out.")
    if done := session.progress()[0]:
        say(f"{done} of them are settled; l lists these.")
    PlainAdjudication(session, *streams(), width(), limit).run()
    say(share(*session.progress(), derived))


def _list(several: Sequence[Dispute], derived: Derived, format: TableFormat, output: Path | None) -> None:
    rows = [
        {
            "topic": it.pair[0], "document": it.pair[1], "labels": " ".join(str(vote.grade) for vote in _sorted(it)),
            "moves top": it.effect.moves_top, "pairs of runs exchanged": it.effect.swaps, "spread": it.effect.spread,
            **_settled(derived.by_pair[it.pair].adjudications if it.pair in derived.by_pair else ()),
        }
        for it in several
    ]  # fmt: skip
    emit(rows, format, output)


def _settled(answers: Sequence[Event]) -> dict[str, str | None]:
    """How a disagreement is settled, by whom and why; nothing of one that is open."""
    grades = "; ".join("cannot judge" if event.grade is None else str(event.grade) for event in answers)
    names = "; ".join(event.assessor for event in answers)
    why = "; ".join(filter(None, (event.note or event.reason for event in answers)))
    return {"settled": grades or None, "settled by": names or None, "why": why or None}


def _sorted(dispute: Dispute) -> list[Event]:
    """The votes by grade, so that their order tells nothing of whose they are."""
    return sorted(dispute.votes, key=lambda vote: vote.grade or 0)


def _adjudicate_sample(store: Store, found: DrawnSample, name: str, limit: int | None) -> None:
    """Let somebody adjudicate the sample, who sees no labels."""
    from cranfield.judging.adjudication.adjudication import Adjudication
    from cranfield.judging.adjudication.sample import policy_of
    from cranfield.judging.frontends.plain_adjudication import PlainAdjudication

    policy = policy_of(found.number)
    session = Adjudication(store, name, found.drawn, found.seed, order_policy=policy, blind=True)
    say(
        f"{len(found.drawn)} documents, drawn at random from {len(found.several)} with two labels or more. Their labels"
        " are not shown."
    )
    if session.known:
        say(f"{session.known} of them have a label of {name}: they are for somebody else.")
    PlainAdjudication(session, *streams(), width(), limit).run()
    done, of = session.progress()
    say(f"{done} of {of} drawn documents adjudicated; --estimate tells what they say of all.")


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


def _show(drawn: DrawnSample, found: SampleEstimate) -> None:
    """The strata, what is estimated, and how to take it."""
    from cranfield.judging.adjudication.estimate import DoubleSampleEstimate

    both, pool = found.both, found.pool
    title = f"{len(both.documents)} documents with two labels or more; {drawn.number} drawn with seed {drawn.seed}"
    strata = [{name.replace("_", " "): value for name, value in row.items()} for row in both.strata_rows()]
    emit(strata, TableFormat.table, title=title)
    say()
    emit([_row(row) for row in found.rows], TableFormat.table, title="estimated for all of them, with 95 % intervals")
    say()
    if pool:
        say(
            f"Of all {pool['documents']} pooled documents, of which the overlap is a random sample, this share is"
            f" relevant: {_between(DoubleSampleEstimate(**pool['relevant']))}."
        )
    say(CAUTION)
