"""The types of public functions: at run time, and as mypy and pyright check calls."""

from typing import get_type_hints

import pytest

from tests.namespaces import public_callables

PUBLIC = public_callables()


@pytest.mark.parametrize("name", PUBLIC)
def test_hints_are_known_at_run_time(name: str) -> None:
    get_type_hints(PUBLIC[name], include_extras=True)
