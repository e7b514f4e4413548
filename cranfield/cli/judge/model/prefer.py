"""model prefer."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.models.about_answers import check_url
from cranfield.cli.models.options import Asking, Batch, Model, ModelAssessor, PromptName, Reported
from cranfield.cli.models.said import emitted, end, say_cost, show_prospect, title_of, write_batch
from cranfield.cli.options import OnlyTopics, StorePath
from cranfield.cli.tables import note, say


def prefer(
    path: StorePath,
    model: Model,
    pairs: Annotated[
        str, typer.Option(metavar="SOURCE", help="adjacent, disputed, or a file of lines qid docno docno.")
    ],
    prompt: PromptName = "preference",
    assessor: ModelAssessor = None,
    topic: OnlyTopics = None,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="The base URL of the model's server, needed without --batch.")
    ] = None,
    *,
    asking: Asking,
    batch: Batch = None,
    reported: Reported,
) -> None:
    """Ask a language model which of two documents is better, for the pairs of `judge --pairs`, in both orders.

    Different answers in the two orders are a tie; how often that happens is printed, and how often the model then took
    the document shown first. The rules are those of `model assess run`: what cannot be read is no preference, every
    call is recorded, known answers cost nothing. People's preferences go before a model's.

    Example: cranfield model prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1 --pairs disputed
    """
    from cranfield.judging.models.asking.planned import asker_of
    from cranfield.judging.preferences.by_model import PREFERENCE, preferences_asked
    from cranfield.judging.preferences.resolve import resolve
    from cranfield.progress_bar import progress_bar
    from cranfield.store.preferences.events import current_preferences
    from cranfield.store.store import Store
    from cranfield.text import counted

    check_url(model, url, batch)
    limits, sent = asking.limits, asking.parameters
    with Store.open(path) as store:
        asker = asker_of(
            store, PREFERENCE, model, url, prompt, assessor, asking.max_chars, sent, json_answer=asking.json_answer
        )
        planned, bare = preferences_asked(store, asker, pairs, topic or (), asking.anew)
        if bare:
            note(f"{counted(bare, 'pair')} left out: the store has no text for a document")
        if asking.dry_run:
            show_prospect(planned, planned.prospect(limits), "question", reported)
            return
        if batch is not None:
            write_batch(planned, batch, reported)
            return
        with progress_bar("asking", len(planned.subjects)) as advance:
            tally = planned.run(limits, advance)
        found = resolve(current_preferences(store, asker.assessor))
    pairs_said = {"pairs": len(found.preferences), "different": found.different, "shown_first": found.shown_first}
    if not emitted(planned, tally, reported, **pairs_said):
        say(title_of(planned))
        first = f"; {found.shown_first} of their {2 * found.different} answers took the first"
        say(f"{found}{first if found.different else ''}")
        say_cost(tally)
    end(planned, tally, "question")
