"""model assess run."""

from __future__ import annotations

from cranfield.cli.models.options import (
    Asking,
    Model,
    ModelAssessor,
    PromptName,
    Repeat,
    Reported,
    Url,
)
from cranfield.cli.models.said import end, note_left_out, say_cost, show_prospect, title_of
from cranfield.cli.options import OnlyTopics, PoolNumber, StorePath
from cranfield.cli.tables import emit, note, notes


def run(
    path: StorePath,
    model: Model,
    url: Url,
    prompt: PromptName = "basic",
    assessor: ModelAssessor = None,
    pool: PoolNumber = None,
    topic: OnlyTopics = None,
    *,
    asking: Asking,
    repeat: Repeat = None,
    reported: Reported,
) -> None:
    """Ask a language model to label the documents of a pool. Its labels never count where a person's stands.

    Any server with OpenAI's interface will do: vLLM, Ollama, llama.cpp, a provider. The key is read from
    CRANFIELD_API_KEY or OPENAI_API_KEY, and kept nowhere. The model sees the topic, the text and the scale: no run,
    rank, docno or other label.

    An answer counts if it gives exactly one grade in the form asked for. Whatever else comes (a refusal, an answer cut
    off, unreadable or off the scale, an error) is recorded as "cannot judge" with the reason, never as a grade. Every
    call is recorded with what was asked and answered. Press Ctrl-C to stop; run the same command again to continue.

    An adaptive pool grows as it is labelled, in topics that are not assigned to people.

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --limit 20
    """
    from cranfield.judging.models.asking.assess import as_document, assessment
    from cranfield.progress_bar import progress_bar
    from cranfield.store.assignments import organised
    from cranfield.store.pools.open_pool import continued
    from cranfield.store.store import Store
    from cranfield.text import counted

    limits, limit = asking.limits, asking.limit
    with Store.open(path) as store:
        found = assessment(
            store, model, url, prompt, assessor, pool, topic or (), asking.anew, repeat,
            asking.max_chars, asking.json_answer, asking.parameters,
        )  # fmt: skip
        if asking.dry_run:
            bare = found.work.without_text
            show_prospect(found, found.prospect(limits), "document", reported, pool=found.work.pool, without_text=bare)
            note_left_out(bare)
            return
        most, before = len(found.subjects) + found.room(), found.work
        with progress_bar("asking", min(most, limit or most)) as advance:
            tally = found.run(limits, advance)
        found, left = found.now(), found.room() if organised(store) else 0
        notes(continued(store, pool) if pool else [])
    rows = [{"outcome": outcome, "documents": number} for outcome, number in tally.outcomes.most_common()]
    emit(rows, reported.format, reported.output, title=title_of(found), document=as_document(found, tally))
    if not reported.as_data:
        say_cost(tally)
    end(found, tally, "document", found.work.without_text)
    if came := found.work.documents - before.documents:
        note(f"pool {before.pool} is adaptive, and grew by {counted(came, 'document')}")
    if left and not tally.stopped:
        note(f"pool {before.pool} may get {counted(left, 'more document')} of topics that are assigned to people")
