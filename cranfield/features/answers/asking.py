"""Asking a model about answers, until nothing is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield.commands.calls import open_store_call
from cranfield.features.models.asked import Asked, outcome_of, prospect_of, write_questions
from cranfield.features.models.options import Asking, ask_limits, check_server, check_topics, make_asker
from cranfield.options.arguments import StoreLike
from cranfield.parallel import progress_bar
from cranfield.results import CallContext

if TYPE_CHECKING:
    from cranfield.features.answers.by_model.shared import QuestionKind
    from cranfield.store.store import Store


def ask_in(store: Store, kind: QuestionKind, asking: Asking, topics: Sequence[str], context: CallContext) -> Asked:
    """Ask a model; or show what it would be asked, or write that as a batch file."""
    from cranfield.features.answers.by_model.shared import ask_in_rounds

    check_topics(topics)
    check_server(asking)
    limits, again, plan = ask_limits(asking), asking.again, kind.plan
    asker = make_asker(store, asking, kind.about, kind.prompt)
    first = plan(store, asker, topics, again, ())
    if asking.dry_run:
        return prospect_of(first, limits, context)
    if asking.batch is not None:
        return write_questions(first, asking.batch, asking.limit, context)
    with progress_bar("asking") as advance:
        tally = ask_in_rounds(lambda again, done: plan(store, asker, topics, again, done), again, limits, advance)
    return outcome_of(first, tally, context, about=kind.noun)


def ask_about(store: StoreLike, kind: QuestionKind, asking: Asking, topics: Sequence[str], function: str) -> Asked:
    """Ask a model about the answers of a store. Raise ModelError if no answer can be used."""
    with open_store_call(store) as call:
        result = ask_in(call.store, kind, asking, topics, call.context(function))
    result.refuse_failures_alone()
    return result
