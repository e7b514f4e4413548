"""Begin a collection: `init` and `info`, and `collection`, which builds classic ones from recipes."""

from pathlib import Path
from typing import Annotated

import typer

from cranfield import hooks
from cranfield.cli import in_python, not_in_python
from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer, RecipeName
from cranfield.cli.tables import say
from cranfield.commands.recipes import build_collection, list_collections
from cranfield.commands.stores import StoreContents
from cranfield.commands.stores import info as store_info
from cranfield.errors import InputError
from cranfield.formats.whole_files import as_written
from cranfield.options.imports import is_grade
from cranfield.store.reading import Reading
from cranfield.text import name_hint


@in_python("Store.create")
def init(
    path: Annotated[Path, typer.Argument(metavar="STORE", help="The new store, such as track.db.")],
    name: Annotated[str, typer.Option(help="The collection's name.")],
    *,
    description: Annotated[str, typer.Option(help="A description of the collection.")] = "",
    licence: Annotated[str, typer.Option(help="The licence of the collection.")] = "",
    scale: Annotated[str, typer.Option(help="The grades and their meanings.")] = "0=not relevant,1=relevant",
    min_relevant: Annotated[int, typer.Option(help="The lowest relevant grade.")] = 1,
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Guidelines that assessors can read while judging.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Only you can read the store.")] = False,
    reading: Reading,
) -> None:
    """Create an empty store.

    Example: cranfield init track.db --name "My track" --scale "0=no,1=partly,2=fully"

    Example: cranfield init news.db --name News --private
    """
    from cranfield.formats.files import read_text
    from cranfield.store.connection import atomic_path
    from cranfield.store.log import set_guidelines
    from cranfield.store.store import Store, new_collection

    other = hooks.instead("init", reading.added)
    grades, text = parse_scale(scale), read_text(guidelines) if guidelines else ""
    with atomic_path(path, private) as part:
        about = new_collection(name, description, licence, grades, min_relevant)
        with Store.begin(part, about) as store:
            set_guidelines(store, text)
            if other:
                other(store)
    say(f"created {path}, an empty collection. Next: cranfield import corpus {path} FILE")


def parse_scale(scale: str) -> dict[int, str]:
    """Grades and their meanings, as given on the command line.

    >>> parse_scale("-1=spam,0=not relevant,1=relevant")
    {-1: 'spam', 0: 'not relevant', 1: 'relevant'}
    """
    grades: dict[int, str] = {}
    for part in scale.split(","):
        grade, sign, meaning = part.partition("=")
        if not sign or not is_grade(grade):
            raise InputError(f"--scale: {part!r:.60}; expected a list such as 0=not relevant,1=relevant")
        number = int(grade.strip())
        if number in grades:
            raise InputError(f"--scale: grade {number} occurs twice")
        grades[number] = meaning.strip()
    return grades


def show_info(result: StoreContents, printer: Printer) -> None:
    """Print what a store contains, in words for people."""
    printer.emit(result.records, document=result.document)


info = command(store_info, show_info, "store")
build = command(build_collection, show_lines, "recipes")
list_ = command(list_collections, show_table, "recipes")


@not_in_python("it prints a recipe; recipes.list_collections lists them")
def show(name: RecipeName) -> None:
    """Show a recipe: its parts, grades, citation, checksums and quirks.

    Example: cranfield collection show cranfield1400

    Example: cranfield collection show my-recipe.toml
    """
    from cranfield.analysis.recipes import bundled_recipes

    path = bundled_recipes().get(name, Path(name))
    if not path.is_file():
        raise InputError(f"unknown recipe {name!r}{name_hint(name, bundled_recipes())}")
    as_written(path.read_text(encoding="utf-8", errors="backslashreplace"))
