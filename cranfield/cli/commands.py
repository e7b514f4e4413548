"""The commands by panel; each is the function of its name in the module of its name.

`cranfield pool show` is `show` in cranfield/cli/build/pool/show.py; a group's help is what its package says of itself.
Each command is imported only when it is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from inspect import getdoc
from keyword import iskeyword
from typing import Any, NamedTuple, cast

import typer
from typer.core import TyperGroup

from cranfield.cli.choices import add_choices
from cranfield.cli.completion import add_completers
from cranfield.cli.help_page import Command, Page
from cranfield.cli.limit_options import add_limits
from cranfield.cli.option_records import spread
from cranfield.cli.releases.option import add_release
from cranfield.cli.table_options import add_table_options
from cranfield.cli.tables import note, one_line, wrapped

COMMANDS: Mapping[str, Mapping[str, Sequence[str]]] = {  # a group lists its commands, and those of groups in it
    "Build": {
        "demo": (),
        "init": (),
        "info": (),
        "collection": ("list", "show", "build"),
        "import": (
            "corpus", "topics", "collection", "runs", "qrels", "votes", "preferences", "answers", "log", "bundle",
        ),
        "search": (),
        "pool": (
            "build", "extend", "show", "export", "diff", "methods", "verify", "simulate", "forecast", "estimate",
        ),
        "fuse": (),
        "export": (
            "qrels", "runs", "pool", "judgments", "preferences", "answers", "topics", "corpus", "beir", "bundle",
            "page", "datasette-metadata",
        ),
        "store": ("remove", "erase", "history", "verify", "backup", "release", "releases"),
        "publish": ("describe", "build", "check"),
    },
    "Judge": {
        "assign": (),
        "judge": (),
        "serve": (),
        "assessor": ("invite", "list", "revoke"),
        "progress": (),
        "agreement": (),
        "adjudicate": (),
        "diff": (),
        "model": (
            "assess run", "assess export", "assess import", "prompts", "prefer",
            "audit draw", "audit report", "audit estimate", "audit answers",
        ),
        "answers": (
            "nuggets make", "nuggets edit", "nuggets import", "nuggets export", "nuggets show", "nuggets assign",
            "claims import", "claims make", "claims label", "questions make", "support",
        ),
        "why": (),
        "rehearse": (),
    },
    "Measure": {"evaluate": (), "compare": (), "correlate": (), "curve": (), "measures": (), "trec-eval": ()},
    "Online": {
        "online": (
            "show", "ab", "interleave lists", "interleave methods", "preference",
            "clicks topics", "clicks fit", "clicks models", "counterfactual", "divergence",
        ),
    },
    "Trust": {"reusability": (), "depths": (), "stability": (), "diagnose": (), "report": ()},
}  # fmt: skip
METAVARS = {
    "int": "N",
    "int range": "N",
    "float": "X",
    "float range": "X",
    "str": "TEXT",
    "text": "TEXT",
    "path": "FILE",
}
RENAMED = {"dial": "depths", "clinic": "diagnose"}  # former names still work, with a note
FOLDERS: Mapping[str, Sequence[str]] = {  # `import` is a keyword, `exports` matches it; `online` is all of its panel
    "import": ["imports"],
    "export": ["exports"],
    "online": [],
}
UsageError: Any = typer.BadParameter.__base__


class CommandName(NamedTuple):
    """The words of a command or group, and its panel."""

    panel: str
    words: tuple[str, ...]

    @property
    def module(self) -> str:
        """The module of a command, the package of a group.

        >>> CommandName("Build", ("import", "runs")).module, CommandName("Measure", ("trec-eval",)).module
        ('cranfield.cli.build.imports.runs', 'cranfield.cli.measure.trec_eval')
        >>> CommandName("Online", ("online", "show")).module
        'cranfield.cli.online.show'
        >>> CommandName("Judge", ("model", "assess", "import")).module
        'cranfield.cli.judge.model.assess.import_'
        """
        first, *rest = self.words
        names = [*FOLDERS.get(first, [first]), *rest]
        return ".".join(["cranfield.cli", self.panel.lower(), *map(_module, names)])

    @property
    def below(self) -> dict[str, CommandName]:
        """The commands and groups of a group; none of a command."""
        first, *rest = self.words
        paths = [path.split() for path in COMMANDS[self.panel][first]]
        names = dict.fromkeys(path[len(rest)] for path in paths if path[: len(rest)] == rest and path != rest)
        return {name: CommandName(self.panel, (*self.words, name)) for name in names}

    @property
    def places(self) -> list[CommandName]:
        """This, and all that stands below it, in the order of the table."""
        return [self, *(place for below in self.below.values() for place in below.places)]

    def load(self) -> Any:
        """The function of a command or the package of a group; a function that would shadow a builtin ends in _."""
        found, name = import_module(self.module), self.module.rpartition(".")[2]
        return found if self.below else getattr(found, name, None) or getattr(found, f"{name}_")


def _module(word: str) -> str:
    """The name of the module of a word; one that Python reserves ends in _."""
    return f"{word}_" if iskeyword(word) else word.replace("-", "_")


TOP = {name: CommandName(panel, (name,)) for panel, names in COMMANDS.items() for name in names}


class Commands(Mapping[str, Any]):
    """Commands by name; each is imported and built when it is looked up."""

    def __init__(self, names: Mapping[str, CommandName], make: Callable[[CommandName], Any]) -> None:
        self.names, self.make = names, make

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> Any:
        return self.make(self.names[name])


class Group(Page, TyperGroup):
    """A group of Commands: the program itself or, at a place, what stands below it."""

    def __init__(self, at: CommandName | None = None, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": {}, "rich_markup_mode": None})
        self.names = TOP if at is None else at.below
        self.commands = cast("Any", Commands(self.names, ready))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The commands, each with its description, and the options."""
        whole, self.commands = self.commands, cast("Any", Commands(self.names, summary))
        super().format_options(ctx, formatter)
        self.commands = whole

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names, by its present or its former name."""
        first = args[0] if self.names is TOP else ""
        if first in RENAMED:
            note(f'"{first}" is now called "{RENAMED[first]}"')
            args = [RENAMED[first], *args[1:]]
        return super().resolve_command(ctx, args)

    def make_context(self, *words: Any, **settings: Any) -> Any:
        """Parse the command line."""
        with _readable_errors():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _readable_errors():
            return super().invoke(ctx)


@contextmanager
def _readable_errors() -> Iterator[None]:
    """Make control characters in usage errors visible."""
    try:
        yield
    except UsageError as error:
        error.message = wrapped(one_line(error.message), sys.stderr, len("Error: "))
        raise


@cache
def ready(place: CommandName) -> Any:
    """A command or group, ready to run."""
    name, panel = place.words[-1], place.panel if len(place.words) == 1 else None
    if place.below:
        text = paragraphs(getdoc(place.load()))
        return Group(place, name=name, help=text, no_args_is_help=True, rich_help_panel=panel)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(name, cls=Command, rich_help_panel=panel)(spread(place.load()))
    command = typer.main.get_command(single)
    add_table_options(command)
    add_limits(command)
    add_release(place.words, command)
    add_choices(command)
    add_completers(place.words, command)
    _fill(command)
    return command


def _fill(command: Any) -> None:
    """Let the texts of a command and its options fill the width of the page."""
    command.help = paragraphs(command.help)
    for parameter in command.params:
        parameter.metavar = parameter.metavar or METAVARS.get(parameter.type.name.removeprefix("integer") or "int")
        parameter.help = paragraphs(getattr(parameter, "help", None))


def summary(place: CommandName) -> Command:
    """A command as the help page needs it: its description without its options."""
    panel = place.panel if len(place.words) == 1 else None
    return Command(place.words[-1], help=paragraphs(getdoc(place.load())), rich_help_panel=panel)


def paragraphs(text: str | None) -> str:
    r"""A text whose paragraphs fill the page's width, not the source's.

    >>> paragraphs("How many\nlines."), paragraphs("One paragraph.\n\nAnother.")
    ('How many lines.', 'One paragraph.\n\nAnother.')
    """
    return "\n\n".join(" ".join(lines.split("\n")) for lines in (text or "").split("\n\n"))
