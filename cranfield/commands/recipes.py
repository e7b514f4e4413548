"""Recipes of known collections: list them, and build a collection by one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cranfield.commands.calls import provenance_of
from cranfield.errors import InputError, give_warning
from cranfield.options.arguments import check_arguments
from cranfield.options.stores import NewStore, RecipeFolder, RecipeName
from cranfield.parallel import Tell
from cranfield.results import CallContext, Result, ResultInLines
from cranfield.text import counted, name_hint


@check_arguments
def list_collections() -> Result:
    """List the bundled recipes.

    Example: cranfield collection list

    Example: cranfield collection list --format json

    Returns
    -------
    Result
        Columns name, bundled and what.

    Examples
    --------
    >>> "cacm" in list_collections().frame["name"].tolist()
    True
    """
    from cranfield.analysis.recipes import recipe_rows

    return Result(recipe_rows(), context=CallContext(provenance=provenance_of("recipes.list_collections")))


@dataclass(frozen=True, repr=False, eq=False)
class RecipeText(Result):
    """Text of a recipe file.

    Parameters
    ----------
    text : str
        The text, in TOML.
    """

    text: str = field(kw_only=True)

    def __repr__(self) -> str:
        return self.text


@check_arguments
def describe_recipe(name: RecipeName) -> RecipeText:
    """Show a recipe's parts, grades, citation, checksums and quirks.

    Example: cranfield collection show cranfield1400

    Example: cranfield collection show my-recipe.toml

    Parameters
    ----------
    name : str
        A bundled recipe, or the path of your own recipe.

    Returns
    -------
    RecipeText
        One row: the name and the file of the recipe.

    Raises
    ------
    InputError
        If the recipe is unknown.

    Examples
    --------
    >>> describe_recipe("cranfield1400").text.splitlines()[0]
    '# The collection that gave its name to the method. Build it with'
    """
    from cranfield.analysis.recipes import bundled_recipes

    path = bundled_recipes().get(str(name), Path(name))
    if not path.is_file():
        raise InputError(f"unknown recipe {name!r}{name_hint(str(name), bundled_recipes())}")
    text, context = path.read_text("utf-8", "backslashreplace"), provenance_of("recipes.describe_recipe")
    return RecipeText([{"name": str(name), "file": str(path)}], context=CallContext(provenance=context), text=text)


@check_arguments
def build_collection(
    name: RecipeName, folder: RecipeFolder, out: NewStore, *, tell: Tell = give_warning
) -> ResultInLines:
    """Build a collection into a new store.

    Example: cranfield collection build cranfield1400 downloads/cran cranfield.db

    Example: cranfield collection build my-recipe.toml downloads track.db

    Parameters
    ----------
    name : str
        A bundled recipe, or the path of your own recipe.
    folder : path
        The folder with the collection's files.
    out : path
        The new store.
    tell : function
        Function that receives each note as a line. By default, notes are warnings.

    Returns
    -------
    ResultInLines
        Columns what and value, as in `info`.

    Raises
    ------
    InputError
        If the recipe or folder does not exist, or the folder lacks a file of the collection.
    """
    from cranfield.analysis import recipes
    from cranfield.analysis.collections import overview
    from cranfield.store.names import find_missing_names

    if not Path(folder).is_dir():
        raise InputError("no such folder", Path(folder))
    notes: list[str] = []
    with recipes.build(recipes.read_recipe(name), Path(folder), Path(out), notes.append) as store:
        counts, unknown, document = store.counts(), find_missing_names(store), overview(store).document
    notes += [lack.sentence(f"{lack.table}s here") for lack in unknown]
    for line in notes:
        tell(line)
    parts = {"document": "document", "topic": "topic", "qrels": "judgment"}
    line = f"{out}: {', '.join(counted(counts[table], noun) for table, noun in parts.items())}"
    rows = [{"what": what, "value": value} for what, value in document.items()]
    context = CallContext(tuple(notes), provenance=provenance_of("recipes.build_collection", out))
    return ResultInLines(rows, lines=(line,), context=context)
