"""Options that several commands share, as one record.

A parameter of a command whose type is a named tuple stands for the options that are its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, get_type_hints


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the fields of its records as options of its own.

    >>> from typing import NamedTuple
    >>> class Paper(NamedTuple):
    ...     size: str = "A4"
    >>> def print_it(path: str, paper: Paper) -> None:
    ...     print(path, paper)
    >>> str(signature(spread(print_it)))
    "(path: str, *, size: str = 'A4') -> None"
    >>> spread(print_it)(path="a.txt", size="A5")
    a.txt Paper(size='A5')
    """
    written = signature(command, eval_str=True)
    records = {name: one.annotation for name, one in written.parameters.items() if hasattr(one.annotation, "_fields")}

    @wraps(command)
    def run(**given: Any) -> None:
        made = {name: record(*(given.pop(field) for field in record._fields)) for name, record in records.items()}
        command(**given, **made)

    parameters = [
        option
        for name, one in written.parameters.items()
        for option in (_options(records[name]) if name in records else [one])
    ]
    run.__dict__["__signature__"] = written.replace(parameters=parameters)
    return run


def _options(record: Any) -> list[Parameter]:
    return [
        Parameter(
            name, Parameter.KEYWORD_ONLY, default=record._field_defaults.get(name, Parameter.empty), annotation=kind
        )
        for name, kind in get_type_hints(record, include_extras=True).items()
    ]
