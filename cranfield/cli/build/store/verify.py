"""store verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def verify(
    path: StorePath,
    manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Also compare the logs with the manifest of exported qrels, and derive these anew.",
        ),
    ] = None,
) -> None:
    """Verify that the logs of labels were not altered: recompute every hash, and report the first event that fails.

    The logs are that of judgments, and those of nuggets, support, claims, preferences and calls of models. Each event
    carries a hash of its content, of the judged text and of the previous event. Whatever decides a label, a pool or who
    judges is in the logs as well, and compared with them: topics, runs, pools, assignments, guidelines, the scale. The
    heads, hashes over the last events, are part of the manifest of every export: publish it, and --manifest proves that
    all events of that time are still here and unchanged. The qrels are derived anew from these events, by the policy
    that it names and for whoever had each topic then, and compared with the file beside it.

    Of releases every row is verified as well, and the text of every document.

    Example: cranfield store verify track.db --manifest qrels.txt.manifest.json
    """
    from cranfield.judging.labels.anew import derived_anew
    from cranfield.store.store import Store
    from cranfield.store.verification import published, verify

    against = None if manifest is None else published(manifest)
    with Store.open(path) as store:
        found = verify(store, against)
        anew = "" if against is None else derived_anew(store, against)
    say(f"{counted(found.events, 'event')} in {counted(found.chains, 'chain')} verified; head {found.head or 'none'}")
    say(f"{counted(found.changes, 'change')} of topics, runs, pools, assignments and other tables verified")
    if found.other_events:
        others = counted(found.other_events, "event")
        say(f"{others} of nuggets, support, claims, preferences and calls of models verified; head {found.other_head}")
    if found.releases:
        but = " but what was erased" * bool(found.erased)
        say(f"{counted(found.releases, 'release')} verified, in which nothing has changed{but}")
    if found.erased:
        say(f"{counted(found.erased, 'row')} erased in part: links intact, what was erased can no longer be proved")
    if against is not None:
        say(f"the first {against.judgments.events} of them are those of {manifest}")
        if anew:
            say(anew)
