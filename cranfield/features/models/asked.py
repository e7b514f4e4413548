"""What came of asking a model; what it would be asked; and the batch file of its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.lazy import lazy_type
from cranfield.results import CallContext, Result
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.asking.limits import AskingTally, AskLimits
    from cranfield.features.models.asking.planned import PlannedAsking, Prospect
    from cranfield.features.models.asking.task import Asker
else:
    Prospect = lazy_type("cranfield.features.models.asking.planned", "Prospect")
    AskingTally = lazy_type("cranfield.features.models.asking.limits", "AskingTally")
    Asker = lazy_type("cranfield.features.models.asking.task", "Asker")

AGAIN = "ask again with --again failed"
LOST = {"document": 'received no label, only "cannot judge"'}  # what is said of failures
NO_ANSWER = "received no usable answer"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Asked(Result):
    """The number of questions to a model by outcome; "ok" means a usable answer.

    Parameters
    ----------
    asker : Asker
        The model with its prompt and parameters.
    tally : AskingTally, optional
        Outcomes, calls, tokens and cost. None if nothing was sent.
    prospect : Prospect, optional
        The first prompt, and the calls, tokens and cost of all questions (with dry_run). None if no question is left.
    batch : path, optional
        The batch file that was written.
    requests : int
        The number of requests in the batch file.
    about : str
        The subject of the questions.
    remarks : tuple of str
        Notes on questions that were not asked, or asked in another form.
    """

    asker: Asker
    tally: AskingTally | None = None
    prospect: Prospect | None = None
    batch: Path | None = None
    requests: int = 0
    about: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def outcomes(self) -> Mapping[str, int]:
        """The number of questions by outcome; for a batch file, the number of questions "written"."""
        if self.tally is None:
            return {} if self.batch is None else {"written": self.requests}
        return dict(self.tally.outcomes)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on questions that were not asked, or asked in another form."""
        return (*super().notes, *self.remarks)

    def refuse_failures_alone(self) -> None:
        """Raise ModelError if the model gave no usable answer to any question."""
        if self.tally is not None:
            self.tally.refuse_failures_alone(self.asker.url, self)


def title_of(asker: Asker) -> str:
    """Whose labels they are."""
    return f"Labels of {asker.assessor}: {asker.model}, prompt {asker.prompt.name} ({asker.prompt.sha256[:8]})"


def outcome_of(
    plan: PlannedAsking,
    tally: AskingTally,
    context: CallContext,
    *,
    about: str = "",
    noun: str = "question",
    document: Mapping[str, object] | None = None,
) -> Asked:
    """Return what came of asking; its JSON is about the asking unless there is a document."""
    from cranfield.features.models.asking.planned import asked_document

    return Asked(
        [{"outcome": outcome, f"{noun}s": number} for outcome, number in tally.outcomes.most_common()],
        title=title_of(plan.asker),
        document=document or asked_document(plan, tally),
        context=context,
        asker=plan.asker,
        tally=tally,
        about=about,
        remarks=tuple(_remarks(plan, tally, noun)),
    )


def _remarks(plan: PlannedAsking, tally: AskingTally, noun: str) -> Iterator[str]:
    def describe_texts(number: int) -> str:
        return counted(number, noun)

    unusable = tally.answered - tally.outcomes["ok"] - tally.outcomes["error"]
    lines: list[tuple[int, Callable[[int], str]]] = [
        (
            tally.outcomes["error"],
            lambda n: f"{describe_texts(n)} received an error from the server; run the same command again to retry",
        ),
        (unusable, lambda n: f"{describe_texts(n)} {LOST.get(noun, NO_ANSWER)}; {AGAIN}"),
        (tally.outcomes["error"], lambda n: f"the last error: {tally.last_error}"),
        (tally.reused, lambda n: f"{describe_texts(n)} already had a recorded answer"),
        (
            tally.cut,
            lambda n: (
                f"{describe_texts(n)} {'was' if n == 1 else 'were'} truncated to {plan.asker.max_chars:,} characters"
            ),
        ),
        (
            tally.addressing,
            lambda n: (
                f"{describe_texts(n)} {'contains' if n == 1 else 'contain'} words addressed to a judge; see"
                " addresses_judge in table model_call"
            ),
        ),
        (
            tally.estimated,
            lambda n: (
                f"the token counts of {counted(n, 'call')} are estimates, because the server does not report them"
            ),
        ),
        (
            tally.doubtful,
            lambda n: (
                f"{describe_texts(n)} {'was' if n == 1 else 'were'} sent before, and perhaps paid for, but no"
                f" answer was recorded; {AGAIN}"
            ),
        ),
        (
            tally.remaining,
            lambda n: (
                f"stopped by {tally.stopped}; {describe_texts(n)} {'remains' if n == 1 else 'remain'}. Run the same"
                " command again to continue"
            ),
        ),
    ]
    if not (tally.answered or tally.remaining or tally.doubtful):
        yield f"nothing was left to ask; to replace unusable answers, {AGAIN}"
    for number, line in lines:
        if number:
            yield line(number)


def missing_text_remarks(number: int) -> tuple[str, ...]:
    """A line on documents that have nothing to label, if there are any."""
    what = f"omitted {counted(number, 'document')}, because the document or its topic has no text"
    return (what,) if number else ()


def prospect_of(
    plan: PlannedAsking, limits: AskLimits, context: CallContext, *, noun: str = "question", **more: object
) -> Asked:
    """Return what would be asked; `more` is in its JSON."""
    from cranfield.features.models.asking.planned import NOTHING, prospect_document

    prospect = plan.prospect(limits)
    names = ("calls", "tokens_in", "tokens_out", "cost")
    return Asked(
        [{name: getattr(prospect or NOTHING, name) for name in names}],
        title=title_of(plan.asker),
        document=prospect_document(plan, prospect, **more),
        context=context,
        asker=plan.asker,
        prospect=prospect,
        remarks=tuple(_first_remarks(prospect, noun)) if prospect else (),
    )


def _first_remarks(prospect: Prospect, noun: str) -> Iterator[str]:
    for number, what in (
        (prospect.known, ("already has a recorded answer, at no cost", "already have a recorded answer, at no cost")),
        (prospect.cut, ("is cut", "are cut")),
        (prospect.addressing, ("contains words addressed to a judge", "contain words addressed to a judge")),
    ):
        if number:
            yield f"{number} of the first {counted(prospect.sample, noun)} {what[number != 1]}"
    if prospect.more:
        yield "the answers will lead to further questions, which are not counted here"


def write_questions(
    plan: PlannedAsking,
    out: str | PathLike[str],
    limit: int | None,
    context: CallContext,
    *,
    noun: str = "question",
) -> Asked:
    """Write what would be asked as a batch file."""
    from cranfield.features.models.asking.planned import asker_document

    doubtful, number = plan.doubtful, plan.write(Path(out), limit)
    unwritten = len(plan.subjects) - number
    row: dict[str, Any] = {"file": str(out), "requests": number, "doubtful": doubtful}
    remarks = []
    if doubtful:
        remarks.append(f"omitted {counted(doubtful, noun)} sent before without a recorded answer")
    if unwritten > doubtful:
        remarks.append(
            f"--limit {limit} was reached;"
            f" {counted(unwritten - doubtful, f'{noun} remains', f'{noun}s remain')} for another file"
        )
    return Asked(
        [row],
        title=title_of(plan.asker),
        document=asker_document(plan.asker) | row,
        context=context,
        asker=plan.asker,
        batch=Path(out),
        requests=number,
        remarks=tuple(remarks),
    )
