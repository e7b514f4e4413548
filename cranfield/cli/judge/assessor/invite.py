"""assessor invite."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import notes, say

if TYPE_CHECKING:
    from cranfield.store.invitations import Role


class LinkRole(StrEnum):
    """What a link can be for."""

    judge = "judge"
    adjudicate = "adjudicate"
    prefer = "prefer"
    nuggets = "nuggets"
    assign = "assign"
    support = "support"
    support_each = "support-each"
    claims = "claims"


def invite(
    path: StorePath,
    assessor: Annotated[str, typer.Argument(help="Name of the assessor; labels are stored under it.")],
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="Valid for so long: 14d, 12h or 2w. [default: until revoked]")
    ] = None,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="The link is for settling disagreements, not for judging.")
    ] = False,
    role: Annotated[
        LinkRole | None,
        typer.Option(
            help="What the link is for; nuggets, assign, support, claims: answers; prefer: pairs of documents."
        ),
    ] = None,
    base: Annotated[
        str, typer.Option(metavar="URL", help="Where the store is served, as `cranfield serve` prints it.")
    ] = "http://127.0.0.1:8765",
) -> None:
    """Print a link with which an assessor judges in the browser while the store is served.

    The link is shown once: the store keeps only a hash of it. Earlier links of the assessor stay valid. With
    --adjudicate the link leads to the disagreements between assessors, and to nothing else; --role names other work:
    making and editing nuggets, assigning nuggets to answers, labelling the first or (support-each) all citations,
    labelling claims, and comparing pairs of documents (prefer), to which a link for judging leads as well.

    Example: cranfield assessor invite track.db ada --expires 14d
    """
    from cranfield.store.connection import readable_by_others
    from cranfield.store.invitations import invite as new
    from cranfield.store.invitations import time_span
    from cranfield.store.store import Store

    if adjudicate and role not in (None, LinkRole.adjudicate):
        raise typer.BadParameter("a link has one role", param_hint="--role")
    valid = time_span(expires) if expires else None
    asked: Role = "adjudicate" if adjudicate else (role or LinkRole.judge).value
    with Store.open(path) as store:
        say(f"{base.rstrip('/')}/enter/{new(store, assessor, valid, asked)}")
    notes(readable_by_others(path))
