"""What tests share: the real collections beside the checkout, where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real collections; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared/data, which is not here")
    return SHARED
