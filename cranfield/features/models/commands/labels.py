"""`model assess`, `model prompts` and `model panel`: label documents with language models, and combine their labels."""

from typing import TYPE_CHECKING

from cranfield.cli.build import command, show_lines
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import TableFormat, print_note, say
from cranfield.features.models.auditing import form_panel, list_prompts
from cranfield.features.models.commands.asking import show_assessed, show_written
from cranfield.features.models.functions import assess, export_batch, import_batch
from cranfield.features.models.results import FormedPanel, PromptTable
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.panel import Panel

run = command(assess, show_assessed, "models")
export = command(export_batch, show_written, "models")
import_ = command(import_batch, show_lines, "models")


def show_prompts(result: PromptTable, printer: Printer) -> None:
    """Print the prompts; for people, one that is named in full."""
    from cranfield.features.models.asking.prompt import prompt_text, read_prompt

    rows, name = result.rows(), result.name
    if name is None or not printer.is_for_terminal:
        short = [{**row, "sha256": row["sha256"][:8]} for row in rows] if printer.format is TableFormat.table else rows
        printer.emit(short, document=rows, display=result.display)
        return
    prompt = read_prompt(name)
    digest = f"sha256: {prompt.sha256}"
    if prompt.as_it_is:
        print_note(f"{digest}; {prompt.source}")
    say(("" if prompt.as_it_is else f"# {digest}\n") + prompt_text(name).rstrip())


def show_panel(result: FormedPanel, printer: Printer) -> None:
    """Print the judges of a panel; for people, their agreement as well."""
    printer.emit(result.rows(), title=result.title, document=result.document)
    if printer.is_for_terminal:
        _agreement(result.panel, printer)


def _agreement(result: "Panel", printer: Printer) -> None:
    say()
    rows = [
        {"judges": ", ".join(one.judges), "coefficient": one.coefficient, "units": one.units, "value": one.value}
        for one in result.agreement
    ]
    printer.emit(rows, title="agreement between the judges")
    say(f'\n{counted(result.labelled, "label")}; {result.new:,} new or changed records, including "cannot judge".')


prompts = command(list_prompts, show_prompts, "models")
panel = command(form_panel, show_panel, "models")
