"""What the tests of the views share."""

from pathlib import Path

import pytest

from tests.web.look.hostile import hostile_store


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose every name is hostile."""
    path = tmp_path_factory.mktemp("look") / "s.db"
    hostile_store(path).close()
    return path
