"""`help`: a command, or a group of options that many commands share."""

from typing import Annotated, Any

import typer

from cranfield.cli import not_in_python
from cranfield.cli.pages import page_of_group
from cranfield.options import GROUPS


@not_in_python("it prints pages of the command line; help(cranfield) describes the functions")
def help(  # noqa: A001
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD...]", help=f"Command, or group of options: {', '.join(GROUPS)}."),
    ] = None,
) -> None:
    """Explain a command or a group of shared options.

    Each group covers one subject: selection (the part of a store to read), output (tables), limits (input files),
    subject (what is measured) and asking (language models).

    Example: cranfield help selection

    Example: cranfield help pool build
    """
    program: Any = context.find_root().command
    root = context.find_root()
    words = words or []
    if len(words) == 1 and words[0] in GROUPS:
        group = GROUPS[words[0]]
        names = [name.split() for name in group.commands]
        pages = [_command_at(program, root, name) for name in names if _has_command(program, name)]
        typer.echo(page_of_group(words[0], group, pages, root), color=root.color)
        return
    command, inside = _command_at(program, root, words)
    typer.echo(command.get_help(inside), color=root.color)


def _has_command(command: Any, words: list[str]) -> bool:
    """Whether there is a command of this name, which a feature that is not installed would have."""
    for word in words:
        if word not in getattr(command, "commands", ()):
            return False
        command = command.commands[word]
    return True


def _command_at(command: Any, context: Any, words: list[str]) -> tuple[Any, Any]:
    """The command that these words name, and a context in which its page can be made."""
    for number, word in enumerate(words):
        if not hasattr(command, "commands") or word not in command.commands:
            groups = f" or a group of options ({', '.join(GROUPS)})" if number == 0 else ""
            raise typer.BadParameter(f"{word!r} is not a command of {context.command_path}{groups}")
        command = command.commands[word]
        context = type(context)(command, info_name=word, parent=context, help_option_names=context.help_option_names)
    return command, context
