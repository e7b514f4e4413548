"""Options whose values are the rows of a table, which is read only when the command is."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from typing import Any, cast

import typer.main
from typer.models import OptionInfo

CHOICES: Mapping[str, tuple[str, str]] = {  # by metavar: a module and its table
    "TEST": ("cranfield.metrics.significance", "TESTS"),
    "CORRECTION": ("cranfield.metrics.significance", "CORRECTIONS"),
}


def add_choices(command: Any) -> None:
    """Restrict each option that names a row of a table to the names in it."""
    for parameter in command.params:
        if parameter.metavar in CHOICES:
            module, table = CHOICES[parameter.metavar]
            names = cast("Any", StrEnum)("names", {name: name for name in getattr(import_module(module), table)})
            parameter.type = typer.main.get_click_type(annotation=names, parameter_info=OptionInfo())
            parameter.metavar = None
