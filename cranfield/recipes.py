"""Build known collections from their files."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.commands.recipes import build_collection as build_collection
    from cranfield.commands.recipes import list_collections as list_collections
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
