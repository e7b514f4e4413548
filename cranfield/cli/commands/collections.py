"""Begin a collection: `init` and `info`, and `collection`, which builds classic ones from recipes."""

from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer
from cranfield.commands.recipes import RecipeText, build_collection, describe_recipe, list_collections
from cranfield.commands.stores import StoreContents, create_store
from cranfield.commands.stores import info as store_info
from cranfield.formats.whole_files import print_unformatted


def show_info(result: StoreContents, printer: Printer) -> None:
    """Print what a store contains, in words for people."""
    printer.emit(result.records, document=result.document)


def show_recipe(result: RecipeText) -> None:
    """Print the text of a recipe."""
    print_unformatted(result.text)


init = command(create_store, show_lines, "store")
info = command(store_info, show_info, "store")
build = command(build_collection, show_lines, "recipes")
list_ = command(list_collections, show_table, "recipes")
show = command(describe_recipe, show_recipe, "recipes")
