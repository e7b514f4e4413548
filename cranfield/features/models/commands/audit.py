"""`model audit` and `judge --audit`: compare a model's labels with people's, and correct what they give."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.commands.judge import JudgeOptions, JudgingTask, judging_task
from cranfield.cli.common_options import Measures, Printer, ReadStore, StorePath
from cranfield.cli.tables import Display, note, say, with_sign
from cranfield.features.models.commands.asking import ANY_LABELS
from cranfield.features.models.extension import audited_kinds
from cranfield.features.models.failures import AuditFailure, is_failed
from cranfield.options import ScopeOptions
from cranfield.selection import POLICY_NAMES
from cranfield.store.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.features.models.analysis.audit import ModelAudit
    from cranfield.features.models.analysis.estimate import EstimatedScore
    from cranfield.store.store import Store


class AuditOptions(NamedTuple):
    """The sample."""

    audit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Judge sample N of a model's labels, from `model audit draw`."),
    ] = None


def judge_sample(options: AuditOptions, store: Store, session_options: JudgeOptions) -> JudgingTask:
    """The documents of a sample, for the one who judges it."""
    from cranfield.features.models.sample import sample_for
    from cranfield.judging.session.session import Session

    work = sample_for(store, session_options.assessor, options.audit or 0)
    session = Session(
        store,
        session_options.assessor,
        work,
        order=session_options.order,
        seed=session_options.seed,
        topics=session_options.topics,
    )
    return judging_task(session)


class AuditUnit(StrEnum):
    """What is drawn."""

    pair = "pair"
    topic = "topic"


class StrataChoice(StrEnum):
    """What divides the labels into strata."""

    grade = "grade"
    topic = "topic"


@in_python("models.draw_audit_sample")
def draw(
    path: StorePath,
    model: Annotated[str, typer.Option(metavar="NAME", help="The model whose labels to check.")],
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Who judges the sample."), completion.ASSESSORS],
    size: Annotated[int, typer.Option(min=2, help="The number of documents to draw, or of topics with --unit topic.")],
    *,
    of: Annotated[
        str,
        typer.Option(metavar="LABELS", help=f"Which labels: {ANY_LABELS} or comparisons."),
        completion.single(lambda ctx: audited_kinds()),
    ] = "documents",
    by: Annotated[
        StrataChoice, typer.Option(help="Draw within the model's grades, or within topics.")
    ] = StrataChoice.grade,
    unit: Annotated[
        AuditUnit, typer.Option(help="Draw single documents, or whole topics, as AP and nDCG need.")
    ] = AuditUnit.pair,
    seed: Annotated[int, typer.Option(help="Random seed of the sample.")] = 0,
) -> None:
    """Draw a random sample of what a model labelled, for a person to judge without seeing its labels.

    The store keeps the sample with the sizes of the strata it was drawn from. When it is judged, `model audit estimate`
    estimates from it what people would have said of everything that the model labelled, and `model audit report` says
    what its labels can be used for.

    Of labels of answers (--of) a sample is always of topics: the person labels the answers of all runs to them.

    Example: cranfield model audit draw track.db --model qwen --assessor ada --size 200

    Example: cranfield model audit draw track.db --model qwen --assessor bob --size 50 --seed 2
    """
    from cranfield.features.models.analysis.estimate import draw_audit
    from cranfield.features.models.analysis.topics import draw_topics_of, kind_of
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path, tell=note) as store:
        if of != "documents":
            sample = draw_topics_of(store, of, model, assessor, size=size, seed=seed)
            words = [word for qid in sample.topics for word in ("--topic", qid)]
            say(f"Sample {sample.number}: {counted(len(sample.topics), 'topic')}, for {assessor} to label:")
            say(f"cranfield {kind_of(of).by_hand} {shlex.join([str(path), '--assessor', assessor, *words])}")
            return
        sample = draw_audit(store, model, assessor, size, by=by.value, unit=unit.value, seed=seed)
    topics = counted(len({pair.qid for pair in sample.pairs}), "topic")
    say(f"Sample {sample.number}: {counted(len(sample.pairs), 'document')} of {topics}, for {assessor} to judge:")
    say(f"cranfield judge {shlex.join([str(path), '--assessor', assessor])} --audit {sample.number}")


SHOWN = 10  # runs, of those that are not favoured


@in_python("models.audit")
def report(
    path: ReadStore,
    model: Annotated[str, typer.Option(metavar="NAME", help="The model whose labels to check.")],
    *,
    of: Annotated[
        str,
        typer.Option(metavar="LABELS", help=f"Which labels: {ANY_LABELS}, comparisons or preferences."),
        completion.single(lambda ctx: audited_kinds()),
    ] = "documents",
    human: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The person to compare it with. [default: the choice of `store labels`]"),
        completion.ASSESSORS,
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What counts where labels of people differ: median-low, max, ... [default: the choice of `store"
            " labels`; without one, labels that differ are refused]",
        ),
        completion.single(lambda ctx: POLICY_NAMES),
    ] = None,
    measure: Measures = None,
    declare: Annotated[
        list[str] | None,
        typer.Option(metavar="RUN=FAMILY", help="The family of models that a run uses; may be repeated."),
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The family of the model that labelled. Its own names, and a panel's judges, count as well.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the intervals.")] = 0,
    fail_if: Annotated[
        list[AuditFailure] | None,
        typer.Option(
            help="End with status 3 if the labels are at chance, or are not usable for the order of runs, mean scores"
            " or single labels; may be repeated."
        ),
    ] = None,
    choice: ScopeOptions,
    printer: Printer,
    reading: Reading,
) -> None:
    """Compare a model's labels with people's on what both labelled, and say what they can be used for.

    A judge whose agreement with people is no better than chance is called that first, and `evaluate` and others refuse
    its labels beside people's. Then the verdict: whether they will do for the order of the runs, for mean scores, and
    as single labels. Then
    agreement, beside that of people with each other; how far grades are too high, by grade, of documents also by length
    and by rank; which runs the model favours; and last what happens to the system ranking, because tau hardly changes
    when one run is favoured.

    A run is favoured if its scores by the model are too high by more than a judge would make them who errs as often
    whatever the run, and by more than those of all runs are on average; p is corrected by Holm's method. --declare
    marks runs of the model's own family as circular.

    Of nuggets, support of citations, claims and correctness, 2 is support, 1 partial support, 0 none; of
    preferences between documents, 2 is the first in the order of their ids, 1 a tie.

    Example: cranfield model audit report track.db --model qwen --declare run7=qwen

    Example: cranfield model audit report track.db --model qwen --format json
    """
    from cranfield.features.models.analysis.audit import as_document, audit, bias_row

    with reading.store(path) as store:
        result = audit(
            store,
            model,
            human=human,
            policy=policy,
            measures=measure,
            families=_families(declare),
            family=family,
            labels=of,
            seed=seed,
        )
    rows = [bias_row(one) for one in result.runs]
    if printer.for_people:
        _say_verdict(result)
        say(result.people_line)
        say()
        _tables(result, rows, printer)
    else:
        note(result.people_line)
        printer.emit(rows, document=as_document(result))
    if failures := [one for one in fail_if or () if is_failed(result.at_chance, result.uses, one)]:
        for one in failures:
            note(f"failed: {one}: {result.verdict}")
        raise typer.Exit(3)


def _families(pairs: Sequence[str] | None) -> dict[str, str]:
    for one in pairs or ():
        if "=" not in one:
            raise typer.BadParameter(f"{one!r}; expected RUN=FAMILY, such as run7=qwen", param_hint="--declare")
    return dict(one.rsplit("=", 1) for one in pairs or ())


def _say_verdict(result: ModelAudit) -> None:
    from cranfield.cli.tables import BAD, GOOD, UNSURE, in_colour
    from cranfield.text import counted

    say(result.verdict)
    signs = {True: ("✓", GOOD), False: ("✗", BAD), None: ("?", UNSURE)}
    for one in result.uses:
        sign, colour = signs[one.usable]
        say(f"{in_colour(sign, colour, sys.stdout)} {one.use}: {one.why}")
    documents, changes = result.repeated
    if documents:
        share = f"{changes / documents:.0%}"
        say(f"Asked again about {counted(documents, 'document')}: {changes} got another grade ({share}).")


def _tables(result: ModelAudit, rows: Sequence[dict[str, Any]], printer: Printer) -> None:
    from cranfield.text import counted

    both = counted(result.items, "document" if result.labels == "documents" else "label")
    people = {one.coefficient: one.interval for one in result.ceiling}
    printer.emit(
        [
            {"coefficient": one.coefficient, "value": one.interval.value, "low": one.interval.low,
             "high": one.interval.high, "between people": people[one.coefficient].value if people else None}
            for one in result.agreement
        ],
        title=f"agreement on {both} of {counted(result.topics, 'topic')} that both labelled",
    )  # fmt: skip
    say()
    grades = sorted({grade for pair in result.grades for grade in pair})
    printer.emit(
        [{"people": str(a)} | {f"-> {b}": result.grades.get((a, b), 0) for b in grades} for a in grades],
        title=f"grades of people, and of {result.model}",
    )  # fmt: skip
    if result.failed:
        say(f"\n{counted(result.failed, 'label')} that people gave, and {result.model} failed to give, left out.")
    say()
    over = [{"by": one.by or "all", "group": one.group if one.by else "", **one._asdict()} for one in result.over]
    columns = [{name: row[name] for name in ("by", "group", "items", "over", "low", "high")} for row in over]
    digits = {name: with_sign(2) for name in ("over", "low", "high")}
    if columns:
        title = "how far the model's grades are above people's"
        printer.emit(columns, title=title, display=Display(digits=digits))
    if rows:
        say()
        _runs(result, rows, printer)


def _runs(result: ModelAudit, rows: Sequence[dict[str, Any]], printer: Printer) -> None:
    number = sum(one.favoured for one in result.runs)
    first = rows[: max(number, SHOWN)]
    printer.emit(
        first, title="scores by the model less those by people; own: beyond an honest judge's",
        display=Display(digits={name: with_sign(4) for name in ("bias", "own", "low", "high")}),
    )  # fmt: skip
    if len(first) < len(rows):
        say(f"{len(rows) - len(first)} more were favoured less; --format csv lists all.")
    say()
    systems = result.systems
    if systems is None:
        return
    from cranfield.judging.labels.diff import top_left

    printer.emit(
        [
            {"measure": name, "top 5 lost": top_left(systems.of(name)), "top 10 lost": top_left(systems.of(name), 10),
             **systems.claims[name]._asdict(), "tau_AP": systems.tau_ap[name], "tau": systems.tau[name]}
            for name in systems.tau
        ],
        title="the system ranking by the model's labels, compared with that by people's",
    )  # fmt: skip


CAUTION = (
    "Intervals are about the {} that the model labelled, and take the person to be right. Worth: how many times"
    " as many labels of people would be as exact without the model."
)
WITHIN_GRADES = (
    " The sample was drawn within the model's grades, which helps every estimate; worth is what the labels add to it."
)


@in_python("models.estimate_human_labels")
def estimate(
    path: ReadStore,
    *,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model whose sample to use. [default: of the newest sample]")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The number of the sample. [default: the newest]")
    ] = None,
    measure: Measures = None,
    relevant: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="How many documents of each topic are relevant, lines of qid and number: R needs that.",
        ),
    ] = None,
    judged_topics_only: Annotated[
        bool,
        typer.Option(
            "--judged-topics-only", help="Estimate for the topics whose part of the sample is judged whole, no others."
        ),
    ] = False,
    choice: ScopeOptions,
    printer: Printer,
    reading: Reading,
) -> None:
    """Estimate what people would have said of everything that a model labelled, from a judged sample.

    The estimate takes the mean of the model's labels and corrects it by how much people differ on the sample; tuning
    says how much weight the model gets, chosen so that the interval is narrowest. Where it would be wider than without
    the model, people's labels alone are printed (tuning 0). Full weight (tuning 1) is shown beside it. Fewer than five
    labels give neither a value nor an interval.

    From a sample of documents it estimates the share of relevant documents and measures that are sums over labels (P,
    CG, DCG, RBP, and R with --relevant); AP, nDCG and others need a sample of topics. A sample that is judged in part
    says nothing of topics that are not judged yet: --judged-topics-only estimates for the others. What was withdrawn
    since it was drawn, or is not in --topics, is left out on both sides, and the rest is as random as before.

    Example: cranfield model audit estimate track.db --model qwen -m P@10

    Example: cranfield model audit estimate track.db -m AP --format csv
    """
    from cranfield.features.models.analysis.estimate import as_document, without_interval
    from cranfield.features.models.analysis.topics import estimate_sample
    from cranfield.formats.qrels import read_relevant_counts
    from cranfield.text import counted

    with reading.store(path) as store:
        counts = None if relevant is None else read_relevant_counts(relevant)
        result = estimate_sample(
            store,
            model=model,
            number=sample,
            measures=measure or (),
            relevant=counts,
            judged_topics_only=judged_topics_only,
        )
    for line in without_interval(result):
        note(line)
    rows = [_row(one) for one in result.scores]
    if not printer.for_people:
        printer.emit(_full_rows(result.scores), document=as_document(result))
        return
    unit = "document" if result.sample.unit == "pair" else "topic"
    of = counted(sum(result.sample.strata.values()), unit)
    judged = counted(result.judged, "topic" if result.sample.topics else "document")
    whose = f"sample {result.sample.number} of the labels of {result.sample.model}, judged by {result.sample.assessor}"
    only = "" if result.topics is None else f", of {counted(result.topics, 'topic')} judged whole"
    printer.emit(rows, title=f"{whose}: {judged}; of {of}{only}")
    if result.left_out:
        say(f"{counted(result.left_out, 'document')} of the sample cannot be judged and count as not drawn.")
    say(f"\n{CAUTION.format(f'{unit}s')}{WITHIN_GRADES if result.sample.by == 'grade' else ''}")


def _row(one: EstimatedScore) -> dict[str, Any]:
    estimate, alone, trusting = one.estimate, one.alone, one.trusting
    worth = "-" if isnan(estimate.worth) else f"{estimate.worth:.2f}"
    return {
        "run": one.run, "measure": one.measure, "model": one.model, "estimate": estimate.value, "low": estimate.low,
        "high": estimate.high, "tuning": f"{estimate.tuning:.2f}", "worth": worth,
        "people alone": alone.value, "± alone": (alone.high - alone.low) / 2,
        "± tuning 1": (trusting.high - trusting.low) / 2,
    }  # fmt: skip


def _full_rows(scores: Sequence[EstimatedScore]) -> list[dict[str, Any]]:
    rows = []
    for one in scores:
        row = {"run": one.run, "measure": one.measure, "model": one.model, **one.estimate._asdict()}
        for name, estimate in (("people_alone", one.alone), ("tuning_1", one.trusting)):
            row |= {f"{name}_value": estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
        rows.append(row)
    return rows
