"""adjudicate."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield import hooks
from cranfield.cli import completion, in_python
from cranfield.cli.commands.judge import can_show_full_screen, require_terminal_extra, run_terminal
from cranfield.cli.common_options import KeyFile, PlainMode, Printer, StorePath
from cranfield.cli.tables import escaping_streams, max_line_width, say
from cranfield.errors import InputError
from cranfield.options import PoolNumber
from cranfield.options.judging import DisagreeingAssessorsOption, PolicyOfOpenCases, RankingMeasure, TopSystems
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.analysis.labels import DrawnSample, SampleEstimate
    from cranfield.judging.adjudication.adjudication import Adjudication
    from cranfield.judging.adjudication.cases import Dispute
    from cranfield.judging.adjudication.sample import CorrectedShares, DoubleSampleEstimate
    from cranfield.judging.labels.policies import Decisions
    from cranfield.store.store import Store


NO_RUNS = "Without runs, disagreements are ordered by the difference between their grades."
CAUTION = (
    "The shares exclude documents that cannot be judged. The adjudicator's labels are assumed to be right. The"
    " intervals cover only the sampling error, and assume that no document was skipped because it is hard."
)


class ScreenOptions(NamedTuple):
    """How an adjudication is shown: the full screen or lines, with which keys, and how many answers."""

    plain: bool
    limit: int | None
    keys: Path | None

    def run(self, session: Adjudication, store: Store) -> None:
        """Adjudicate."""
        from cranfield.judging.frontends.keys import DEFAULT, read_keys
        from cranfield.store.log import guidelines

        keys, text = read_keys(self.keys) if self.keys else DEFAULT, guidelines(store)
        if self.plain or not can_show_full_screen(session.grades):
            from cranfield.judging.frontends.plain import PlainAdjudication

            PlainAdjudication(
                session, *escaping_streams(), width=max_line_width(), keys=keys, guidelines=text, limit=self.limit
            ).run()
        else:
            from cranfield.judging.frontends.terminal.terminal import AdjudicationTerminal

            run_terminal(AdjudicationTerminal(session, keys, text, limit=self.limit))


class AdjudicationWork(NamedTuple):
    """What is done: disagreements are settled or listed, a sample is adjudicated or estimated from."""

    seed: Annotated[
        int, typer.Option(help="Random seed for the sample, or for the order in which labels are shown.")
    ] = 0
    list_only: Annotated[bool, typer.Option("--list", help="List the disagreements and their effects.")] = False
    sample: Annotated[
        int | None,
        typer.Option(
            min=6, metavar="N", help="Number of documents to draw at random and adjudicate without seeing their labels."
        ),
    ] = None
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Estimate from the adjudicated sample how many documents are relevant and how many labels are right.",
        ),
    ] = False


@in_python("judging.list_disagreements")
def adjudicate(
    path: StorePath,
    *,
    assessor: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the adjudicator (not needed with --list)."),
        completion.ASSESSORS,
    ] = None,
    plain: PlainMode = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of disagreements to settle or list.")] = None,
    between: DisagreeingAssessorsOption = None,
    pool: PoolNumber = None,
    measure: RankingMeasure = "AP",
    policy: PolicyOfOpenCases = None,
    top: TopSystems = 5,
    what: AdjudicationWork,
    keys: KeyFile = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Settle disagreements between assessors.

    Disagreements that can change the ranking of the stored runs are shown first. The command shows the document and its
    labels, with the assessors' notes and evidence but without their names. The digit that you type becomes the grade,
    even if nobody gave that grade before. The keys are the same as in `judge`. On a terminal, the command uses the
    whole screen. In a pipe, with --plain, or with two-digit grades, it works line by line, and you may type a reason
    after the grade.

    To compute the effect of a disagreement, the command tries each of its labels and leaves all other labels unchanged.
    A disagreement that has no effect on its own may have an effect in combination with others. To use the
    adjudications, run `export qrels --policy adjudicated-else-primary`.

    Disagreements chosen for their effect are not representative of all documents. The option --sample draws from all
    documents with two labels, including documents with equal labels. Afterwards, --estimate shows how many of these
    documents are relevant, and how often the assessors are right.

    With --of, you settle disagreements about answer labels. Other people's labels are not shown.

    Example: cranfield adjudicate track.db --assessor eve --limit 20

    Example: cranfield adjudicate track.db --list
    """
    uses_sample = what.sample or what.estimate
    if what.list_only and uses_sample:
        raise typer.BadParameter("cannot be combined with --sample or --estimate", param_hint="--list")
    if pool and uses_sample:
        raise typer.BadParameter(
            "cannot be combined with --sample or --estimate, which use all documents with two labels",
            param_hint="--pool",
        )
    require_terminal_extra(plain or what.list_only or what.estimate or assessor is None)
    from cranfield.analysis.labels import dispute_rows, weighed_disputes
    from cranfield.judging.adjudication.cases import rank_disputes, summary

    if other := hooks.replacement_function("adjudicate", reading.added):
        if uses_sample or limit is not None:
            raise typer.BadParameter("labels of answers cannot be settled with --sample, --estimate or --limit")
        other(path, assessor, between, plain=plain, keys=keys, list_only=what.list_only, printer=printer)
        return
    screen = ScreenOptions(plain, limit, keys)
    with reading.store(path) as store:
        if uses_sample:
            _sample(store, assessor, between, policy, what=what, screen=screen, printer=printer)
            return
        several, decisions, runs = weighed_disputes(store, between, pool=pool, measure=measure, policy=policy, top=top)
        head = summary(several, top) if runs else NO_RUNS
        if what.list_only:
            if printer.is_for_terminal:
                say(f"{head}\n")
            printer.emit(dispute_rows(rank_disputes(several)[:limit], decisions))
        elif assessor is None:
            raise InputError(
                "the adjudicator is missing; give --assessor NAME, or list the disagreements with --list", path
            )
        else:
            say(head)
            _adjudicate(store, decisions, rank_disputes(several), name=assessor, seed=what.seed, screen=screen)


def _sample(
    store: Store,
    assessor: str | None,
    between: Sequence[str] | None,
    policy: str | None,
    *,
    what: AdjudicationWork,
    screen: ScreenOptions,
    printer: Printer,
) -> None:
    from cranfield.analysis.labels import estimates_of, sample_document, sample_of
    from cranfield.judging.labels.choice import given_or_recorded_policy

    path = Path(store.path)
    sample = sample_of(store, path, between, what.sample, what.seed)
    if what.estimate:
        estimate = estimates_of(store, sample, given_or_recorded_policy(store, policy))
        if printer.is_for_terminal:
            _show(sample, estimate, printer)
        else:
            printer.emit([_interval_columns(row) for row in estimate.rows], document=sample_document(sample, estimate))
    elif assessor is None:
        raise InputError("the adjudicator is missing; give --assessor NAME, or use --estimate", path)
    else:
        _adjudicate_sample(store, sample, assessor, screen)


def _adjudicate(
    store: Store, decisions: Decisions, several: list[Dispute], *, name: str, seed: int, screen: ScreenOptions
) -> None:
    from cranfield.judging.adjudication.adjudication import Adjudication
    from cranfield.judging.adjudication.cases import adjudicated_share_sentence

    session = Adjudication(store, name, several, seed=seed)
    if session.left_out:
        say(f"{session.left_out} of these documents are skipped, because {name} has already labelled them.")
    if settled_count := session.progress()[0]:
        say(f"{settled_count} of the disagreements are already settled.")
    screen.run(session, store)
    say(adjudicated_share_sentence(*session.progress(), decisions))


def _adjudicate_sample(store: Store, sample: DrawnSample, name: str, screen: ScreenOptions) -> None:
    """Adjudicate the sample without showing labels."""
    from cranfield.judging.adjudication.adjudication import Adjudication
    from cranfield.judging.adjudication.sample import sample_policy_name

    policy = sample_policy_name(sample.number)
    session = Adjudication(store, name, sample.disputes, seed=sample.seed, order_policy=policy, hides_labels=True)
    say(
        f"{counted(len(sample.disputes), 'document')}, drawn at random from the {len(sample.several)} with at least"
        " two labels. Their labels are not shown."
    )
    if session.left_out:
        say(
            f"{session.left_out} of these documents are left to other adjudicators, because {name} has already labelled"
            " them."
        )
    screen.run(session, store)
    settled_count, of = session.progress()
    say(
        f"{settled_count} of {of} sampled documents are adjudicated. Run the command with --estimate to see the"
        " estimates."
    )


def _interval_columns(row: CorrectedShares) -> dict[str, Any]:
    cells: dict[str, Any] = {"assessor": row.assessor, "documents": row.documents, "labelled_relevant": row.labelled}
    for name, estimate in (("relevant", row.relevant), ("agreement", row.agreement)):
        cells |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
    return cells


def _corrected_row(row: CorrectedShares) -> dict[str, Any]:
    return {
        "labels of": row.assessor,
        "documents": row.documents,
        "called relevant": f"{row.labelled / row.documents:.2f}",
        "relevant": _interval_text(row.relevant),
        "right": _interval_text(row.agreement),
    }


def _interval_text(estimate: DoubleSampleEstimate) -> str:
    """An estimate and its interval for people to read.

    >>> from cranfield.judging.adjudication.sample import DoubleSampleEstimate
    >>> _interval_text(DoubleSampleEstimate(0.25, 0.2, 0.31)), _interval_text(DoubleSampleEstimate(float("nan"), 0, 1))
    ('0.25 (0.20-0.31)', 'unknown')
    """
    if isnan(estimate.value):
        return "unknown"
    return f"{estimate.value:.2f} ({estimate.low:.2f}-{estimate.high:.2f})"


def _show(sample: DrawnSample, estimates: SampleEstimate, printer: Printer) -> None:
    """Print the strata, the estimates, and how to read them."""
    from cranfield.judging.adjudication.sample import DoubleSampleEstimate

    both, pool = estimates.both, estimates.pool
    several = counted(len(both.documents), "document")
    title = f"{several} with at least two labels, of which {sample.number} were sampled (seed {sample.seed})"
    strata = [{name.replace("_", " "): value for name, value in row.items()} for row in both.strata_rows()]
    printer.emit(strata, title=title)
    say()
    printer.emit(
        [_corrected_row(row) for row in estimates.rows],
        title="estimates for all of these documents, with 95% intervals",
    )
    say()
    if pool:
        say(
            f"Estimated share of relevant documents in the pool of {pool['documents']} documents, from which the"
            f" overlap was drawn at random: {_interval_text(DoubleSampleEstimate(**pool['relevant']))}."
        )
    say(CAUTION)
