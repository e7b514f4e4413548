"""The commands by panel, of the core and of the features; each is the function of its name in the module of its name.

`cranfield pool show` is `show` in cranfield/cli/commands/pool.py. Each command is imported only when it is needed.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cache, wraps
from importlib import import_module
from inspect import getdoc
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args, get_origin

import typer
from typer.core import TyperGroup

from cranfield import hooks
from cranfield.cli.build import BuiltCommand
from cranfield.cli.common_options import expand_option_records
from cranfield.cli.completion import Completer
from cranfield.cli.pages import NUMBER, WHOLE, Command, HelpPage, MissingParameter, UsageError, examples_in
from cranfield.cli.tables import UNSURE, one_line, print_note, print_remark, wrap
from cranfield.errors import CranfieldError
from cranfield.hooks import OptionError

Rows = Sequence[tuple[str, str, str]]
COMMANDS: Mapping[str, Rows] = {  # by panel: a module, the group of its commands, and their last words
    "Measure": (
        ("evaluate", "", "evaluate"),
        ("compare", "", "compare"),
        ("curves", "", "correlate curve"),
        ("measures", "", "measures trec-eval"),
    ),
    "Trust": (("reusability", "", "reusability depths stability diagnose report"), ("rounds", "", "lag")),
    "Build": (
        ("demo", "", "demo"),
        ("collections", "", "init info"),
        ("collections", "collection", "list show build"),
        ("imports", "import", "corpus topics collection runs qrels votes bundle"),
        ("pool", "", "search"),
        ("pool", "pool", "build extend show export diff methods"),
        ("pool_checks", "pool", "verify simulate forecast estimate tune"),
        ("pool", "", "fuse"),
        ("topics", "topics", "set split list hardness next"),
        ("rounds", "round", "start close list same"),
        ("exports", "export", "qrels runs pool judgments topics corpus beir bundle page datasette-metadata"),
        ("store", "store", "remove withdraw restore erase history verify backup release releases upgrade adopt"),
    ),
    "Judge": (
        ("judge", "", "assign judge"),
        ("store", "store", "labels"),
        ("serve", "", "serve"),
        ("assessor", "assessor", "invite list revoke"),
        ("progress", "", "progress"),
        ("agreement", "", "agreement"),
        ("adjudicate", "", "adjudicate"),
        ("agreement", "", "diff"),
        ("progress", "", "why rehearse"),
    ),
    "Help": (("help", "", "help"),),
}
GROUPS = {  # what they are for
    "collection": "Build classic test collections from recipes.",
    "import": "Load documents, topics, runs, judgments and other data into a store.",
    "pool": "Select the documents to judge, and check the selection.",
    "export": "Write a store's contents to files in standard formats.",
    "store": "Maintain a store: undo mistakes, verify its logs, make a backup.",
    "topics": "Name topic sets, find hard topics, and choose topics to judge next.",
    "round": "Open, close and list the rounds of a growing collection.",
    "assessor": "Invite assessors and adjudicators to work in the browser.",
}
METAVARS = {int: "N", float: "X", str: "TEXT", Path: "FILE"}
PACKAGES = "Packages"  # the panel of commands that installed packages bring
RENAMED = {"dial": "depths", "clinic": "diagnose"}  # former names still work, with a note
UNKNOWN = r"No such command '([^']*)'\.?( Did you mean.*)?"
ENDS, MANY = (".db", ".txt", ".gz", ".run", ".qrels"), 12  # of files; commands that are too many to name


class CommandName(NamedTuple):
    """The words of a command and the module of its function; a group has none."""

    panel: str
    words: tuple[str, ...]
    module: str = ""

    @property
    def members(self) -> "dict[str, CommandName]":
        """The commands and groups of a group; none of a command."""
        if self.module:
            return {}
        depth, commands = (
            len(self.words),
            all_commands() if self.words[0] in commands_by_first_word() else _commands_of(self.words[0]),
        )
        return {
            one.words[depth]: one if len(one.words) == depth + 1 else CommandName(self.panel, one.words[: depth + 1])
            for one in commands
            if one.words[:depth] == self.words
        }

    @property
    def places(self) -> "list[CommandName]":
        """This, and all that stands below it, in the order of the table."""
        return [self, *(place for below in self.members.values() for place in below.places)]

    @property
    def help(self) -> str:
        """What it is for."""
        return paragraphs(getdoc(self.load()) if self.module else _purpose(" ".join(self.words)))

    def load(self) -> Any:
        """The function: of its last word, or of its last two where a module imports and exports.

        >>> groups = commands_by_first_word()
        >>> groups["import"].members["qrels"].load().__name__, groups["export"].members["topics"].load().__name__
        ('import_qrels', 'export_topics')
        """
        try:
            module = import_module(self.module)
        except ImportError as error:
            if self.panel != PACKAGES:
                raise
            raise CranfieldError(hooks.describe_unusable(self.words[0], error)) from error
        last = self.words[-1].replace("-", "_")
        names = ("_".join(self.words[-2:]), last, f"{last}_")  # one that would shadow a builtin ends in _
        found = [getattr(module, name, None) for name in names]
        built = [one for one in found if isinstance(one, BuiltCommand)]  # before a function of which it is made
        return next(one for one in (*built, *found) if one in built or inspect.isfunction(one))


@cache
def core_commands() -> tuple[CommandName, ...]:
    """The commands of the core."""
    names = (
        _command_names(panel, f"cranfield.cli.commands.{module}", group, words)
        for panel, rows in COMMANDS.items()
        for module, group, words in rows
    )
    return tuple(chain.from_iterable(names))


@cache
def all_commands() -> tuple[CommandName, ...]:
    """The commands of the core, and those of the features."""
    feature_commands = (
        _command_names(one.panel, f"{feature.package}.{one.module}", one.group, one.names)
        for feature in hooks.built_in_extensions().values()
        for one in feature.commands
    )
    return (*core_commands(), *chain.from_iterable(feature_commands))


@cache
def commands_by_first_word() -> dict[str, CommandName]:
    """The commands and groups by their first word."""
    return {
        one.words[0]: one if len(one.words) == 1 else CommandName(one.panel, one.words[:1]) for one in all_commands()
    }


def _commands_of(name: str) -> list[CommandName]:
    """The commands of the feature of an installed package; its name is that of their group."""
    feature = hooks.features().get(name)
    if feature is None:
        raise CranfieldError(f"the feature {name} cannot be loaded")
    return [
        one
        for some in feature.commands
        for one in _command_names(PACKAGES, f"{feature.package}.{some.module}", f"{name} {some.group}", some.names)
    ]


def _command_names(panel: str, module: str, group: str, words: str) -> list[CommandName]:
    return [CommandName(panel, (*group.split(), word), module) for word in words.split()]


def _purpose(group: str) -> str:
    """What a group of commands is for; of an installed package, what that says of itself."""
    if group in hooks.entry_points_of_features():
        return str(hooks.entry_points_of_features()[group].dist.metadata["Summary"] or f"Commands of {group}.")
    features = (
        hooks.built_in_extensions() if group.split(maxsplit=1)[0] in commands_by_first_word() else hooks.features()
    )
    return GROUPS.get(group) or next((one.groups[group] for one in features.values() if group in one.groups), "")


class LazyCommands(Mapping[str, Any]):
    """The commands of a group by name; each is imported and built when it is looked up."""

    def __init__(self, group: "CommandGroup", make: Callable[[CommandName], Any]) -> None:
        self.group, self.make = group, make

    def __iter__(self) -> Iterator[str]:
        return iter([*self.group.members, *self._package_groups()])

    def __len__(self) -> int:
        return len(self.group.members) + len(self._package_groups())

    def __getitem__(self, name: str) -> Any:
        return self.make(self.group.members.get(name) or self._package_groups()[name])

    def _package_groups(self) -> dict[str, CommandName]:
        """The groups of installed packages, beside those of the program."""
        names = hooks.entry_points_of_features() if self.group.at is None else ()
        return {name: CommandName(PACKAGES, (name,)) for name in names if name not in self.group.members}


class CommandGroup(HelpPage, TyperGroup):
    """A group of Commands: the program itself or, at a place, what stands below it."""

    def __init__(self, at: CommandName | None = None, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": {}, "rich_markup_mode": None})
        self.at = at
        self.commands = cast("Any", LazyCommands(self, load_command))

    @property
    def members(self) -> Mapping[str, CommandName]:
        """What stands below it, without the groups of installed packages."""
        return commands_by_first_word() if self.at is None else self.at.members

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The commands, each with its description, and the options."""
        whole, self.commands = self.commands, cast("Any", LazyCommands(self, summary_command))
        super().format_options(ctx, formatter)
        self.commands = whole

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names, by its present or its former name."""
        first, *others = args
        if self.at is None and first in RENAMED:
            print_note(f'"{first}" is now called "{RENAMED[first]}"')
            first = RENAMED[first]
        if self.at is None and not ctx.resilient_parsing and (command := _core_command(first, others)):
            return first, command, others
        return super().resolve_command(ctx, [first, *others])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options; without a command, print the help page and exit with the status of wrong usage."""
        if "" in args and not ctx.resilient_parsing:  # as a path it would be the current folder
            raise UsageError("'' is an empty argument, perhaps from an unset variable; expected a value.", ctx)
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), color=ctx.color)
            ctx.exit(2)
        return super().parse_args(ctx, args)

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
    """Make control characters in usage errors visible; pydantic's first words, which newer typers show, say nothing."""
    try:
        yield
    except UsageError as error:
        _say_what_to_do(error)
        error.message = wrap(one_line(error.message.removeprefix("Value error, ")), sys.stderr, len("Error: "))
        raise


NUMBERS = (  # what typer says, and what is right
    (r".*(valid integer|not a valid int).*", WHOLE),
    (r".*(valid number|not a valid float).*", NUMBER),
    (r".*not in the range x>=(-?[\d.]*\d)\.?", r"expected at least \1"),
    (r".*not in the range x<=(-?[\d.]*\d)\.?", r"expected at most \1"),
    (r".*not in the range ([\d.]+)<=x<=([\d.]*\d)\.?", r"expected \1 to \2"),
)
MEANT = {  # by a word that is no command
    **dict.fromkeys(("eval", "score", "scores", "measure"), "evaluate"),
    **dict.fromkeys(("significance", "test"), "compare"),
    **dict.fromkeys(("label", "annotate", "assess"), "judge"),
    **dict.fromkeys(("create", "new"), "init"),
    **dict.fromkeys(("load", "add"), "import"),
    **dict.fromkeys(("show", "status", "stats"), "info"),
    "commands": "-h",
}


def _say_what_to_do(error: Any) -> None:
    """End the message of a usage error with the remedy: the command that is meant, the example, what a number is."""
    command = error.ctx.command if error.ctx else None
    for pattern, right in NUMBERS:
        error.message = re.sub(pattern, right, error.message)
    if possible := getattr(error, "possibilities", None):
        error.message += f" (Possible options: {', '.join(sorted(possible))})"
        error.possibilities = None
    if unknown := re.fullmatch(UNKNOWN, error.message):
        if isinstance(command, CommandGroup) and (unknown[1].endswith(ENDS) or Path(unknown[1]).exists()):
            names = ", ".join(command.members) if len(command.members) < MANY else f"see {error.ctx.command_path} -h"
            error.message += f" Put a {error.ctx.command_path} command before the file: {names}."
        elif isinstance(command, CommandGroup) and command.at is None and unknown[1] in MEANT:
            error.message = f"No such command {unknown[1]!r}. Did you mean {MEANT[unknown[1]]!r}?"
        elif isinstance(command, CommandGroup) and command.at is not None and not unknown[2]:
            error.message += f" Its commands: {', '.join(command.members)}."
    elif isinstance(error, MissingParameter) and command is not None:
        param = error.param
        after = command.params[command.params.index(param) + 1 :] if param in command.params else []
        following = [one for one in after if one.param_type_name == "argument" and one.required]
        error.param = following[-1] if getattr(param, "nargs", 1) == -1 and following else param
        error.message = _example(command)
    elif "requires an argument" in error.message and command is not None:
        error.message += f" {_example(command)}".rstrip()


def _example(command: Any) -> str:
    """How a command is typed, as its help has it."""
    examples = examples_in(command.help or "")
    return f"For example: {examples[0]}" if examples else ""


def _core_command(name: str, words: Sequence[str]) -> Any:
    """The command of the core of this name where it knows all options among these words: no feature is asked then."""
    if "--help" in words:
        return None
    place = next((one for one in core_commands() if one.words == (name,)), None)
    if place is None:
        return None
    command = load_command(place, alone=True)
    flags = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    options = (word for word in words if word.startswith("-"))
    return command if all(word.partition("=")[0] in flags or word[:2] in flags for word in options) else None


@cache
def load_command(place: CommandName, alone: bool = False) -> Any:
    """A command or group, ready to run; `alone`: without the options that features add."""
    name, panel = place.words[-1], place.panel if len(place.words) == 1 else None
    if place.members:
        return CommandGroup(place, name=name, help=place.help, rich_help_panel=panel)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    words = " ".join(place.words)
    function = expand_option_records(place.load(), "" if alone else words)
    if not alone and hooks.record_types(words):
        function = _name_option_in_errors(function)
    if place.words[0] == "import" and place in core_commands():
        function = report_interruption(function)
    single.command(name, cls=Command, rich_help_panel=panel)(function)
    command = typer.main.get_command(single)
    _fill(command, {name: one.annotation for name, one in inspect.signature(function).parameters.items()})
    return command


def _name_option_in_errors(run: Callable[..., None]) -> Callable[..., None]:
    """A command that says of options of features which one does not go with the others: that is wrong usage."""

    @wraps(run)
    def call(**values: Any) -> None:
        try:
            run(**values)
        except OptionError as error:
            option = error.option.replace("_", "-")
            raise typer.BadParameter(error.message, param_hint=f"--{option}") from error

    return call


def _fill(command: Any, types: Mapping[str, Any]) -> None:
    """Let the texts of a command and its options fill the width of the page, and its parameters complete."""
    command.help = paragraphs(command.help)
    for parameter in command.params:
        kind = types[parameter.name]
        name = (
            parameter.name.upper() if parameter.param_type_name == "argument" and str in (kind, *get_args(kind)) else ""
        )
        parameter.metavar = parameter.metavar or name or _metavar(kind)
        parameter.help = paragraphs(getattr(parameter, "help", None))
        for mark in get_args(kind):
            if isinstance(mark, Completer):
                parameter.shell_complete = mark.offers


def _metavar(kind: Any) -> str | None:
    """What help shows for a value of this type, or of a list of it.

    >>> _metavar(int | None), _metavar(list[Path]), _metavar(Literal["t", "sign"]), _metavar(bool)
    ('N', 'FILE', '<t|sign>', None)
    """
    if get_origin(kind) is Literal:
        return f"<{'|'.join(get_args(kind))}>"
    if get_args(kind):
        return _metavar(get_args(kind)[0])
    return f"<{'|'.join(kind)}>" if issubclass(kind, Enum) else METAVARS.get(kind)


def summary_command(place: CommandName) -> Command:
    """A command as the help page needs it: its description without its options."""
    from cranfield.cli.summaries import SUMMARIES

    panel = place.panel if len(place.words) == 1 else None
    return Command(place.words[-1], help=SUMMARIES.get(" ".join(place.words)) or place.help, rich_help_panel=panel)


def paragraphs(text: str | None) -> str:
    r"""A text whose paragraphs fill the page's width, not the source's.

    >>> paragraphs("How many\nlines."), paragraphs("One paragraph.\n\nAnother.")
    ('How many lines.', 'One paragraph.\n\nAnother.')
    """
    return "\n\n".join(" ".join(lines.split("\n")) for lines in (text or "").split("\n\n"))


def report_interruption(run: Callable[..., None]) -> Callable[..., None]:
    """An import that says, where Ctrl-C stops it, that nothing was imported, if its store is as it was."""

    @wraps(run)
    def stoppable(**values: Any) -> None:
        from cranfield.store.quick_look import last_written_numbers

        path = values["store" if "store" in values else "path"]
        before = last_written_numbers(path)
        try:
            run(**values)
        except KeyboardInterrupt:
            is_unchanged = last_written_numbers(path) == before
            changed = f"the store was changed before the interruption; see `cranfield info {path}`"
            print_remark("stopped;", UNSURE, "nothing was imported" if is_unchanged else changed)
            raise

    return stoppable
