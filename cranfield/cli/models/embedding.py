"""Asking for embeddings, after the questions they are of."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.cli.models.said import say_cost
from cranfield.cli.tables import say
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.judging.models.asking.limits import AskLimits
    from cranfield.judging.models.asking.planned import PlannedAsking
    from cranfield.judging.models.asking.tally import Tally


def check_embedder(path: Path, assessor: str, model: str, url: str) -> None:
    """An error where embeddings could not be asked for, before anything is paid for."""
    from cranfield.judging.answers.by_model.embedding import embedder_of
    from cranfield.store.store import Store

    with Store.open(path) as store:
        embedder_of(store, model, url, assessor)


def embedded(
    path: Path,
    assessor: str,
    model: str,
    url: str,
    again: str,
    topics: Collection[str] | None,
    limits: AskLimits,
) -> tuple[PlannedAsking, Tally] | None:
    """Ask for the embeddings that an assessor's questions still need; None where there are none."""
    from cranfield.judging.answers.by_model.embedding import embedder_of, embedding_asked
    from cranfield.progress_bar import progress_bar
    from cranfield.store.store import Store

    with Store.open(path) as store:
        planned = embedding_asked(store, embedder_of(store, model, url, assessor), topics, again)
        if not planned.subjects:
            return None
        with progress_bar("embedding") as advance:
            return planned, planned.run(limits, advance)


def say_embedded(planned: PlannedAsking, tally: Tally) -> None:
    """Say what came of it."""
    texts = counted(len(planned.subjects), "text")
    say(f"{counted(tally.outcomes['ok'], 'embedding')} by {planned.asker.model}, of {texts}")
    say_cost(tally)
