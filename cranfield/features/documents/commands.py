"""Commands of passages and of stores that keep a part of a corpus: `passages build`, `store fetch`."""

from cranfield.cli.build import command, show_lines
from cranfield.cli.tables import print_notes
from cranfield.features.documents.functions import build_passages, fetch_texts
from cranfield.results import ResultInLines


def show_passages(result: ResultInLines) -> None:
    """Print how many passages there are, and what was left out."""
    show_lines(result)
    print_notes(filter(None, [result.context.left_out.line]))


fetch = command(fetch_texts, show_lines, "store")
build = command(build_passages, show_passages, "store")
