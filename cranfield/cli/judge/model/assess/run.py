"""model assess run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.model_options import (
    AskAgain,
    JsonAnswer,
    MaxChars,
    Model,
    ModelAssessor,
    Parameters,
    PriceGiven,
    PromptName,
    parameters,
    price,
)
from cranfield.cli.options import Format, OnlyTopics, Output, PoolNumber, StorePath
from cranfield.cli.tables import TableFormat, emit, note, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.judging.models.asking.asking import Tally
    from cranfield.judging.models.asking.assess import Assessment, Prospect


def run(
    path: StorePath,
    model: Model,
    url: Annotated[str, typer.Option(metavar="URL", help="The server's base URL, such as http://127.0.0.1:8000/v1.")],
    prompt: PromptName = "basic",
    assessor: ModelAssessor = None,
    pool: PoolNumber = None,
    topic: OnlyTopics = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask about at most so many documents.")] = None,
    max_tokens_total: Annotated[
        int | None, typer.Option(min=1, help="Stop before so many tokens are used, in and out.")
    ] = None,
    parallel: Annotated[int, typer.Option(min=1, max=256, help="Requests under way at a time.")] = 8,
    attempts: Annotated[
        int, typer.Option(min=1, max=20, help="Attempts at a request that fails (429, 5xx, no answer).")
    ] = 3,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds to wait for an answer.")] = 120,
    again: AskAgain = None,
    max_chars: MaxChars = None,
    json_answer: JsonAnswer = False,
    parameter: Parameters = None,
    price_given: PriceGiven = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show one prompt in full, the calls, tokens and cost; send nothing.")
    ] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Ask a language model to label the documents of a pool. Its labels never count where a person's stands.

    Any server with OpenAI's interface will do: vLLM, Ollama, llama.cpp, a provider. The key is read from
    CRANFIELD_API_KEY or OPENAI_API_KEY, and kept nowhere. The model sees the topic, the text and the scale: no run,
    rank, docno or other label.

    An answer counts if it gives exactly one grade in the form asked for. Whatever else comes (a refusal, an answer cut
    off, unreadable or off the scale, an error) is recorded as "cannot judge" with the reason, never as a grade. Every
    call is recorded with what was asked and answered. Press Ctrl-C to stop; the same command goes on.

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --limit 20
    """
    from cranfield.judging.models.asking.asking import AskLimits
    from cranfield.judging.models.asking.assess import as_document, assessment
    from cranfield.progress_bar import progress_bar
    from cranfield.store.store import Store

    limits = AskLimits(limit, max_tokens_total, parallel, attempts, timeout, price(price_given))
    with Store.open(path) as store:
        found = assessment(
            store, model, url, prompt, assessor, pool, topic or (), again.value if again else "", max_chars,
            json_answer, parameters(parameter),
        )  # fmt: skip
        if dry_run:
            _show_prospect(found, found.prospect(limits))
            return
        with progress_bar("asking", min(len(found.work.pairs), limit or len(found.work.pairs))) as advance:
            tally = found.run(limits, advance)
    rows = [{"outcome": outcome, "documents": number} for outcome, number in tally.outcomes.most_common()]
    emit(rows, format, output, title=_title(found), document=as_document(found, tally))
    if format is TableFormat.table and output is None:
        say(_cost(tally))
    for remark in _remarks(found, tally):
        note(remark)
    if tally.stopped == "Ctrl-C":
        raise typer.Exit(130)


def _title(found: Assessment) -> str:
    asker = found.asker
    return f"Labels of {asker.assessor}: {asker.model}, prompt {asker.prompt.name} ({asker.prompt.sha256[:8]})"


def _cost(tally: Tally) -> str:
    from cranfield.text import counted

    calls = counted(tally.calls, "call")
    extra = [f"{number} {what}" for number, what in
             ((tally.retried, "repeated after a failure"), (tally.reminded, "with a reminder")) if number]  # fmt: skip
    tokens = f"{counted(tally.tokens_in, 'token')} in, {tally.tokens_out:,} out"
    cost = "" if tally.cost is None else f", cost {tally.cost:.4f}"
    more = f" ({', '.join(extra)})" if extra else ""
    return f"{calls}{more}, {tokens}{cost}, {tally.seconds:.1f} seconds"


def _remarks(found: Assessment, tally: Tally) -> list[str]:
    """What was not asked, or not as it is."""
    from cranfield.text import counted

    def of(number: int) -> str:
        return counted(number, "document")

    again = "--again failed asks again"
    said: list[tuple[int, Callable[[int], str]]] = [
        (tally.answered - tally.outcomes["ok"], lambda n: f"{of(n)} got no grade and cannot be judged; {again}"),
        (tally.reused, lambda n: f"{of(n)} got an answer that was recorded before"),
        (found.work.without_text, lambda n: f"{of(n)} without a text, or of a topic without one, left out"),
        (tally.cut, lambda n: f"{of(n)} cut to {found.asker.max_chars:,} characters"),
        (tally.addressing, lambda n: f"{of(n)} with words that address a judge: see addresses_judge in model_call"),
        (tally.estimated, lambda n: f"tokens of {counted(n, 'call')} are estimated: the server does not count them"),
        (tally.doubtful, lambda n: f"{of(n)} sent before, without an answer on record (it may be paid); {again}"),
    ]
    lines = [line(number) for number, line in said if number]
    if tally.remaining:
        lines.append(f"stopped by {tally.stopped}: {of(tally.remaining)} remaining; the same command goes on")
    return lines


def _show_prospect(found: Assessment, prospect: Prospect | None) -> None:
    from cranfield.text import counted

    if prospect is None:
        say("Nothing is left to ask.")
        return
    for message in prospect.messages:
        say(f"[{message['role']}]\n{message['content']}\n")
    say(f"{_title(found)}")
    out = "answers unknown" if prospect.tokens_out is None else f"about {prospect.tokens_out:,} out"
    cost = "" if prospect.cost is None else f", cost about {prospect.cost:.4f}"
    cost += " without answers" * (prospect.cost is not None and prospect.tokens_out is None)
    say(f"{counted(prospect.calls, 'call')}, about {counted(prospect.tokens_in, 'token')} in, {out}{cost}")
    details: list[tuple[int, Any]] = [
        (prospect.known, "answered before: they cost nothing"),
        (prospect.cut, "cut"),
        (prospect.addressing, "with words that address a judge"),
    ]
    for number, what in details:
        if number:
            note(f"{number} of the first {counted(prospect.sample, 'document')} {what}")
    if found.work.without_text:
        note(f"{counted(found.work.without_text, 'document')} without a text, or of a topic without one, left out")
