"""assessor revoke."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def revoke(path: StorePath, assessor: Annotated[str, typer.Argument(help="Name of the assessor.")]) -> None:
    """Revoke all links of an assessor, at once; what was recorded stays.

    Example: cranfield assessor revoke track.db ada
    """
    from cranfield.store.invitations import revoke as end
    from cranfield.store.store import Store

    with Store.open(path) as store:
        say(f"{counted(end(store, assessor), 'link')} of {assessor} revoked")
