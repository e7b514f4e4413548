"""Asking a model about answers, until nothing is left."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from cranfield.commands.opened import opened
from cranfield.features.models.asked import Asked, outcome_of, prospect_of, write_questions
from cranfield.features.models.options import Asking, check_server, check_topics
from cranfield.options.given import StoreLike
from cranfield.parallel import progress_bar
from cranfield.results import CallContext

if TYPE_CHECKING:
    from cranfield.features.answers.by_model.shared import QuestionKind
    from cranfield.store.store import Store


def ask_about(
    store: Store,
    kind: QuestionKind,
    model: str,
    url: str | None,
    asking: Asking,
    *,
    prompt: str = "",
    assessor: str | None = None,
    topics: Sequence[str] | None = None,
    batch: str | PathLike[str] | None = None,
    context: CallContext | None = None,
) -> Asked:
    """Ask a model; or show what it would be asked, or write that as a batch file."""
    from cranfield.features.answers.by_model.shared import ask_in_rounds

    check_topics(topics or ())
    check_server(url, batch)
    limits, again, plan = asking.limits, asking.again, kind.plan
    asker = asking.asker(store, kind.about, model, url=url, prompt=prompt or kind.prompt, assessor=assessor)
    first, context = plan(store, asker, topics, again, ()), context or CallContext()
    if asking.dry_run:
        return prospect_of(first, limits, context)
    if batch is not None:
        return write_questions(first, batch, asking.limit, context)
    with progress_bar("asking") as advance:
        tally = ask_in_rounds(lambda again, done: plan(store, asker, topics, again, done), again, limits, advance)
    return outcome_of(first, tally, context, about=kind.noun)


class Questions(NamedTuple):
    """What is asked about answers, how, and about which topics."""

    kind: QuestionKind
    asking: Asking
    prompt: str
    assessor: str | None
    topics: Sequence[str]
    batch: str | PathLike[str] | None

    def ask(self, store: StoreLike, model: str, url: str | None, function: str) -> Asked:
        """Ask a model. Raise ModelError if every reply was an error."""
        with opened(store) as call:
            result = ask_about(
                call.store,
                self.kind,
                model,
                url,
                self.asking,
                prompt=self.prompt,
                assessor=self.assessor,
                topics=self.topics,
                batch=self.batch,
                context=call.context(function),
            )
        result.refuse_errors_alone()
        return result
