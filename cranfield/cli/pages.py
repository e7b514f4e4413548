"""Help pages: paragraphs that fill the width, whole names of options, and their texts beside or below them."""

import re
import sys
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperCommand

from cranfield.cli.tables import HEAD, painted
from cranfield.cli.values import read_simply

UsageError: Any = typer.BadParameter.__base__
WIDEST = 100  # columns: longer lines are hard to read
HYPHEN = "\N{NON-BREAKING HYPHEN}"  # in place of any other while lines are broken


class HelpPage:
    """The help page of a command or a group."""

    params: list[Any]
    help: str | None

    def get_help(self, ctx: Any) -> str:
        """The page, with no line broken at a hyphen: what an example or an option has can be copied."""
        return str(super().get_help(ctx)).replace(HYPHEN, "-")  # type: ignore[misc]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """What the command is for."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_unbroken(cleandoc(self.help or "")))

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options, `--help` too."""
        several: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for one in several:
            read_simply(one)
        return several

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name."""
        below = ["COMMAND [ARGS]..."] if hasattr(self, "commands") else []
        return ["[OPTIONS]", *(_metavar(one) for one in self.params if _is_argument(one)), *below]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then commands by panel, then options."""
        several = self.get_params(ctx)
        arguments = [(_metavar(one), one.help) for one in several if _is_argument(one)]
        records = [one.get_help_record(ctx) for one in several if not _is_argument(one)]
        _section(formatter, "Arguments", arguments)
        for panel, commands in _panels(self):
            _section(formatter, panel, commands)
        _section(formatter, "Options", [(names, _bounds(text)) for names, text in filter(None, records)])


class Command(HelpPage, TyperCommand):
    """A command, or what the page of its group shows of it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words after its name; each error knows the command."""
        try:
            return list(super().parse_args(ctx, args))
        except UsageError as error:
            error.ctx = error.ctx or ctx
            raise


def _section(formatter: Any, title: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(painted(title, HEAD, sys.stdout)):
            formatter.write_dl([(name, _unbroken(text)) for name, text in rows])


def _unbroken(text: str) -> str:
    return text.replace("-", HYPHEN)


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _metavar(argument: Any) -> str:
    """An argument as the usage line shows it."""
    name = argument.metavar or argument.name.upper()
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _bounds(text: str) -> str:
    """The text of an option with its bounds in words.

    >>> _bounds("How many.  [default: 1; x>=1]"), _bounds("Level.  [0.01<=x<=0.99]")
    ('How many.  [default: 1; at least 1]', 'Level.  [0.01 to 0.99]')
    """
    text = re.sub(r"\b([\d.]+)<=x<=([\d.]+)(?=[;\]])", r"\1 to \2", text)
    return re.sub(r"\bx>=([\d.]+)(?=[;\]])", r"at least \1", text)


def _panels(group: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """The commands of a group by panel, each with its first paragraph."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for name, command in getattr(group, "commands", {}).items():
        rows = panels.setdefault(command.rich_help_panel or "Commands", [])
        rows.append((name, (command.help or "").partition("\n\n")[0]))
    return [*panels.items()]
