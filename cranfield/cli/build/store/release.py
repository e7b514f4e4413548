"""store release."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def release(
    path: StorePath,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the release, such as 1.0.")],
    date: Annotated[str, typer.Option(metavar="DATE", help="Its date, YYYY-MM-DD. [default: today, in UTC]")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What is new in it.")] = "",
) -> None:
    """Give the labels, runs, documents, topics and pools of a store, as they are now, a name and a date.

    A release never changes: judging and imports go on in the same store, and what a release has can no longer be
    removed. Read it with --release NAME, or as STORE@NAME wherever a store is read. `cranfield store releases` lists
    the releases, `cranfield diff` compares two, and `cranfield store verify` verifies that they are unchanged.

    Example: cranfield store release track.db 1.0 --note "the labels of the first round"
    """
    from cranfield.store.releases.releases import make_release
    from cranfield.store.store import Store

    with Store.open(path) as store:
        made = make_release(store, name, date, note)
    held = ", ".join(counted(number, name.removesuffix("s")) for name, number in made.counts.items())
    say(f"release {made.name} of {made.date}: {held}; SHA-256 {made.sha256}")
