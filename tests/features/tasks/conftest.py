"""A track for the tests of pages, uploads and downloads."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.features.tasks.track import Track


@pytest.fixture
def track() -> Iterator[Track]:
    """A track that takes runs."""
    with closing(Track()) as track:
        yield track
