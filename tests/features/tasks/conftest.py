"""A track for the tests of pages, uploads and downloads."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.needed_extras import skip_without

if TYPE_CHECKING:
    from tests.features.tasks.track import Track


@pytest.fixture
def track() -> "Iterator[Track]":
    """A track that takes runs."""
    skip_without("serve")
    from tests.features.tasks.track import Track

    with closing(Track()) as track:
        yield track
