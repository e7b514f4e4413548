"""`assessor`: who may work in the browser, and for how long."""

from typing import Annotated

import typer

from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.commands.serve import BASE
from cranfield.cli.tables import print_note, print_notes, say
from cranfield.commands import assessors
from cranfield.results import Result


def _check_address(base: str) -> str:
    if not base.startswith(("http://", "https://")):
        raise typer.BadParameter(f"{base!r}; expected an address such as https://judge.example", param_hint="--base")
    return base


BaseAddress = Annotated[
    str,
    typer.Option(
        metavar="URL",
        callback=_check_address,
        help="Address at which the store is served, as printed by `cranfield serve`.",
    ),
]


def print_link(result: Result, base: str, folder: str) -> None:
    """Print the link with the token of a result below a folder of the pages, and the notes."""
    say(f"{base.rstrip('/')}/{folder}/{result.records[0]['token']}")
    if base == BASE:
        print_note(
            f"the link leads to {BASE}, the default address of `cranfield serve`; if the store is served elsewhere,"
            " give --base ADDRESS"
        )
    print_notes(result.context.notes)


def show_link(result: Result, base: BaseAddress = BASE) -> None:
    """Print the link of an assessor."""
    print_link(result, base, "enter")


invite = command(assessors.invite_assessor, show_link, "judging")
list_ = command(assessors.list_invitations, show_table, "judging")
revoke = command(assessors.revoke_invitations, show_lines, "judging")
