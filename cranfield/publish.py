"""Publish a collection as a folder: describe, build and check it."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.features.publishing.functions import build_folder as build_folder
    from cranfield.features.publishing.functions import check_folder as check_folder
    from cranfield.features.publishing.functions import describe as describe
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
