"""Build known collections from their files."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.commands.recipes import collection_build as collection_build
    from cranfield.commands.recipes import collection_list as collection_list
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
