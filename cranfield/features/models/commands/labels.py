"""`model assess`, `model prompts` and `model panel`: label documents with language models, and combine their labels."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import in_python
from cranfield.cli.build import command
from cranfield.cli.common_options import Printer, StorePath
from cranfield.cli.tables import TableFormat, note, notes, say, summary
from cranfield.features.models.auditing import form_panel, list_prompts
from cranfield.features.models.commands.asking import (
    AGAIN,
    NO_ANSWER,
    Asking,
    Model,
    Url,
    end,
    note_left_out,
    note_unwritten,
    say_cost,
    show_prospect,
    title_of,
)
from cranfield.features.models.options import AssessExportOptions, AssessRunOptions, PriceGiven
from cranfield.features.models.results import FormedPanel, PromptTable
from cranfield.options import Written
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.panel import Panel


class Assess(AssessRunOptions, Asking):
    """Labels that a server is asked for, or a look at what it would be asked."""


@in_python("models.export_batch")
def export(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write: JSON lines."), Written()],
    model: Model,
    *,
    options: AssessExportOptions,
) -> None:
    """Write what a model would be asked as a batch file of OpenAI's interface, for a provider to answer in its time.

    What is written counts as sent: `model assess run` does not ask for it as well, and another export leaves it out.
    Read the answers with `model assess import`. An adaptive pool then grows with the next export.

    Example: cranfield model assess export track.db batch.jsonl --model gpt-oss --assessor gpt-oss-batch

    Example: cranfield model assess export track.db batch.jsonl --model qwen3 --limit 100
    """
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path, tell=note) as store:
        plan = options.assessment(store, model, None).grow()
        doubtful, number = plan.doubtful, plan.write(out, options.limit)
    note_left_out(plan.work.without_text)
    summary(out, f"{counted(number, 'request')} written to {out}")
    note_unwritten(len(plan.subjects) - number, doubtful, "document", options.limit)


@in_python("models.import_batch")
def import_(
    path: StorePath,
    answers: Annotated[Path, typer.Argument(metavar="FILE", help="The answers to a batch file: JSON lines.")],
    price: PriceGiven = None,
) -> None:
    """Read the answers to a batch file that `model assess export` wrote, by the rules of `model assess run`.

    It also reads the answers to files that the other commands that ask models write with --batch.

    Answers that were read before are left out; an answer to something that was never asked is refused.

    Example: cranfield model assess import track.db answers.jsonl

    Example: cranfield model assess import track.db answers.jsonl --price 0.5,1.5
    """
    from cranfield.features.models.asking.assess import take_batch
    from cranfield.features.models.asking.limits import Price
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path, tell=note) as store:
        batch = take_batch(store, answers, Price(*price) if price else None)
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in batch.outcomes.most_common())
    say(f"{counted(batch.outcomes.total(), 'answer')}{f': {outcomes}' if outcomes else ''}")
    if failures := batch.outcomes.total() - batch.outcomes["ok"]:
        note(f"{counted(failures, 'question')} {NO_ANSWER}; {AGAIN}")
    if batch.earlier:
        note(f"{counted(batch.earlier, 'answer')} recorded before, left out")


@in_python("models.assess")
def run(
    path: StorePath,
    model: Model,
    url: Url,
    *,
    options: Assess,
    printer: Printer,
    reading: Reading,
) -> None:
    """Ask a language model to label the documents of a pool. Its labels never count where a person's stands.

    Any server with OpenAI's interface will do: vLLM, Ollama, llama.cpp, a provider. The key is read from
    CRANFIELD_API_KEY or OPENAI_API_KEY, and kept nowhere. The model sees the topic, the text and the scale: no run,
    rank, docno or other label.

    An answer counts if it gives exactly one grade in the form asked for. Whatever else comes (a refusal, an answer cut
    off, unreadable or off the scale, an error) is recorded as "cannot judge" with the reason, never as a grade. Every
    call is recorded with what was asked and answered. Press Ctrl-C to stop; run the same command again to continue.

    An adaptive pool grows as it is labelled, in topics that are not assigned to people.

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --limit 20

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --dry-run
    """
    from cranfield.features.models.asking.assess import as_document
    from cranfield.parallel import progress_bar
    from cranfield.store.assignments import is_organised
    from cranfield.store.open_pools import continuations
    from cranfield.text import counted

    limits = options.limits
    with reading.store(path) as store:
        plan = options.assessment(store, model, url, options.repeat)
        if options.dry_run:
            bare = plan.work.without_text
            show_prospect(plan, plan.prospect(limits), "document", printer, pool=plan.work.pool, without_text=bare)
            note_left_out(bare)
            return
        most, before = len(plan.subjects) + plan.room(), plan.work
        with progress_bar("asking", min(most, options.limit or most)) as advance:
            tally = plan.run(limits, advance)
        plan, room = plan.now(), plan.room() if is_organised(store) else 0
        notes(continuations(store, options.pool) if options.pool else [])
    rows = [{"outcome": outcome, "documents": number} for outcome, number in tally.outcomes.most_common()]
    printer.emit(rows, title=title_of(plan), document=as_document(plan, tally))
    if printer.for_people:
        say_cost(tally)
    end(plan, tally, "document", plan.work.without_text)
    if new := plan.work.documents - before.documents:
        note(f"pool {before.pool} is adaptive, and grew by {counted(new, 'document')}")
    if room and not tally.stopped:
        note(f"pool {before.pool} may get {counted(room, 'more document')} of topics that are assigned to people")


def show_prompts(result: PromptTable, printer: Printer) -> None:
    """Print the prompts; for people, one that is named in full."""
    from cranfield.features.models.asking.prompt import prompt_text, read_prompt

    rows, name = result.rows(), result.name
    if name is None or not printer.for_people:
        short = [{**row, "sha256": row["sha256"][:8]} for row in rows] if printer.format is TableFormat.table else rows
        printer.emit(short, document=rows, display=result.display)
        return
    prompt = read_prompt(name)
    digest = f"sha256: {prompt.sha256}"
    if prompt.as_it_is:
        note(f"{digest}; {prompt.source}")
    say(("" if prompt.as_it_is else f"# {digest}\n") + prompt_text(name).rstrip())


def show_panel(result: FormedPanel, printer: Printer) -> None:
    """Print the judges of a panel; for people, their agreement as well."""
    printer.emit(result.rows(), title=result.title, document=result.document)
    if printer.for_people:
        _agreement(result.panel, printer)


def _agreement(result: "Panel", printer: Printer) -> None:
    say()
    rows = [
        {"judges": ", ".join(one.judges), "coefficient": one.coefficient, "units": one.units, "value": one.value}
        for one in result.agreement
    ]
    printer.emit(rows, title="agreement of the judges")
    say(f"\n{counted(result.labelled, 'label')}; {result.new:,} recorded, new or changed, with what cannot be judged.")


prompts = command(list_prompts, show_prompts, "models")
panel = command(form_panel, show_panel, "models")
