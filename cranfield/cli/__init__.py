"""The command line: a command is a file called as it, in the folder of its panel.

A command says which function of cranfield does what it does: that of its words, another, or none, with the reason.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., None])


def in_python(name: str) -> Callable[[Command], Command]:
    """The function of a command has this name, not the words of the command."""
    return _set_command_attribute("in_python", name)


def not_in_python(why: str) -> Callable[[Command], Command]:
    """A command has no function."""
    return _set_command_attribute("not_in_python", why)


def _set_command_attribute(mark: str, text: str) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        command.__dict__[mark] = text
        return command

    return decorate


def function_of(command: Callable[..., Any], words: Sequence[str]) -> str:
    """The name of the function of a command with these words, in cranfield; empty if it has none.

    >>> from cranfield.cli.commands.pool import build, search
    >>> function_of(build, ["pool", "build"]), function_of(search, ["search"])
    ('pooling.build_pool', 'store.search_corpus')
    """
    if why_no_function(command):
        return ""
    return str(vars(command).get("in_python", "_".join(words).replace("-", "_")))


def why_no_function(command: Callable[..., Any]) -> str:
    """Why a command has no function; empty if it has one."""
    return str(vars(command).get("not_in_python", ""))


CONTAINERS_BETWEEN_COLLECTIONS = 100_000  # of garbage; arrays leave hardly any
