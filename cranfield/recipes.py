"""Build well-known test collections from their original files."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.commands.recipes import build_collection as build_collection
    from cranfield.commands.recipes import describe_recipe as describe_recipe
    from cranfield.commands.recipes import list_collections as list_collections
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
