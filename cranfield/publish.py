"""Publish a collection as a folder that others can load: describe it, build the folder, check one."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.features.publishing.functions import publish_build as publish_build
    from cranfield.features.publishing.functions import publish_check as publish_check
    from cranfield.features.publishing.functions import publish_describe as publish_describe
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
