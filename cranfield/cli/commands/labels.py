"""`store labels`: whose labels count where several differ."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.common_options import StorePath
from cranfield.cli.tables import note, say
from cranfield.options import LABELS_DIFFER


@not_in_python("cranfield.judging.labels.recorded.record_label_choice does it")
def labels(
    path: StorePath,
    *,
    assessor: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this assessor's labels count."), completion.ASSESSORS
    ] = None,
    policy: Annotated[str | None, typer.Option(metavar="NAME", help=LABELS_DIFFER), completion.POLICY] = None,
    none: Annotated[bool, typer.Option("--none", help="Take the recorded choice back.")] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why, for those who read the log.")] = "",
) -> None:
    """Record whose labels count where several assessors differ, or show it.

    Commands that score runs refuse labels that differ as long as nothing was chosen. The options --assessor and
    --policy of a command go before the recorded choice.

    Example: cranfield store labels track.db --policy median-low

    Example: cranfield store labels track.db --assessor panel
    """
    from cranfield.judging.labels.recorded import record_label_choice
    from cranfield.store.label_choice import recorded_choice
    from cranfield.store.store import Store

    if none and (assessor or policy):
        raise typer.BadParameter("takes a choice back; give no other with it", param_hint="--none")
    with Store.open(path, tell=note) as store:
        if none or assessor or policy:
            record_label_choice(store, assessor=assessor, policy=policy, reason=reason)
        choice = recorded_choice(store)
    if choice.assessor:
        say(f"the labels of {choice.assessor} count")
    else:
        say(f"policy {choice.policy} decides where labels differ" if choice.policy else "nothing is chosen")
