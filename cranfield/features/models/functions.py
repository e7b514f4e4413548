"""Labels by models: asking for them, with a server or by batch files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cranfield.commands.calls import open_store_call
from cranfield.errors import InputError, ModelError
from cranfield.features.models.asked import (
    AGAIN,
    NO_ANSWER,
    Asked,
    missing_text_remarks,
    outcome_of,
    prospect_of,
    write_questions,
)
from cranfield.features.models.options import (
    AnsweredBatch,
    AskingByFile,
    AskingServer,
    NewBatch,
    OnlyTopics,
    PriceGiven,
    Repeat,
    ask_limits,
    check_topics,
)
from cranfield.options import PoolNumber
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.parallel import progress_bar
from cranfield.results import ResultInLines
from cranfield.text import counted


@check_arguments
def assess(
    store: PresentStore,
    asking: AskingServer,
    *,
    pool: PoolNumber = None,
    topics: OnlyTopics = (),
    repeat: Repeat = None,
) -> Asked:
    """Ask a language model to label the documents of a pool.

    People's labels always take precedence over a model's. Any server with an OpenAI-compatible API works, such as vLLM,
    Ollama, llama.cpp or a provider. The key is read from CRANFIELD_API_KEY or OPENAI_API_KEY, and is never stored. The
    model sees the topic, the text and the scale, but no run, rank, docno or other label.

    A reply counts if it gives exactly one grade in the requested form. Any other reply (a refusal, a cut-off,
    unreadable or off-scale reply, an error) is recorded as "cannot judge" with the reason, never as a grade. The store
    records every call with its request and its reply. Press Ctrl-C to stop; run the same command again to continue.

    An adaptive pool grows while the model labels it, except in topics that are assigned to people.

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --limit 20

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    asking : Asking
        The model, its server, the prompt ("basic" by default), and the limits.
    pool : int, optional
        Number of the stored pool; the newest by default.
    topics : sequence of str
        Use only these topics.
    repeat : int, optional
        Ask again about this many graded documents, drawn at random.

    Returns
    -------
    Asked
        Columns outcome and documents. `tally` contains the calls, tokens and cost.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If the prompt does not fit the scale of the store, the pool or a topic is unknown, or `asking` has no URL.

    Examples
    --------
    >>> import cranfield
    >>> asking = cranfield.models.Asking("qwen3", "http://127.0.0.1:8000/v1", prompt="umbrela")
    >>> with cranfield.Store.memory("binary") as store:
    ...     assess(store, asking)
    Traceback (most recent call last):
    cranfield.errors.InputError: the prompt gives the grades 0, 1, 2, 3, but the scale of the store is 0, 1. Use the
    prompt basic, or map numbers to grades under [scale] in a prompt of your own
    """
    from cranfield.features.models.asking.assess import as_document, assessment
    from cranfield.store.assignments import has_assignments
    from cranfield.store.open_pools import continuation_notes

    check_topics(topics)
    if asking.url is None or asking.batch is not None:
        raise InputError(
            "expected an Asking with url and without batch, because assess asks a server; to write a"
            " file, call export_batch"
        )
    limits = ask_limits(asking)
    with open_store_call(store) as call:
        plan = assessment(
            call.store, asking.model, url=asking.url, prompt=asking.prompt or "basic", assessor=asking.assessor,
            pool=pool, topics=topics, again=asking.again, repeat=repeat, max_chars=asking.max_chars,
            json_answer=asking.json_answer, parameters=asking.parameters,
        )  # fmt: skip
        context, bare = call.context("models.assess"), missing_text_remarks(plan.work.without_text)
        if asking.dry_run:
            content = {"pool": plan.work.pool, "without_text": plan.work.without_text}
            prospect = prospect_of(plan, limits, context, noun="document", **content)
            return replace(prospect, remarks=(*prospect.remarks, *bare))
        most, before = len(plan.subjects) + plan.room(), plan.work
        with progress_bar("asking", min(most, asking.limit or most)) as advance:
            tally = plan.run(limits, advance)
        plan, room = plan.now(), plan.room() if has_assignments(call.store) else 0
        remarks = [
            *(continuation_notes(call.store, pool) if pool else []),
            *missing_text_remarks(plan.work.without_text),
        ]
    asked = outcome_of(plan, tally, context, noun="document", document=as_document(plan, tally))
    remarks += asked.remarks
    if new := plan.work.documents - before.documents:
        remarks.append(f"pool {before.pool} is adaptive and grew by {counted(new, 'document')}")
    if room and not tally.stopped:
        remarks.append(
            f"pool {before.pool} may still grow by {counted(room, 'document')} in topics that are assigned to people"
        )
    asked = replace(asked, remarks=tuple(remarks))
    asked.refuse_failures_alone()
    return asked


@check_arguments
def export_batch(
    store: PresentStore,
    out: NewBatch,
    asking: AskingByFile,
    *,
    pool: PoolNumber = None,
    topics: OnlyTopics = (),
) -> Asked:
    """Write a batch file of questions for a model.

    The file is in the format of OpenAI's batch API; send it to a provider for answers. The written questions count as
    sent: `model assess run` does not ask them, and later exports omit them. Read the answers with `model assess
    import`. An adaptive pool then grows with the next export.

    Example: cranfield model assess export track.db batch.jsonl --model gpt-oss --assessor gpt-oss-batch

    Example: cranfield model assess export track.db batch.jsonl --model qwen3 --limit 100

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write: JSON lines.
    asking : Asking
        The model, as the provider names it, and the prompt ("basic" by default). The limit applies to requests.
    pool : int, optional
        Number of the stored pool; the newest by default.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        One row: file, requests, and doubtful (the number of earlier questions without a recorded answer).

    Raises
    ------
    InputError
        If the file has requests that wait for answers, or the prompt does not fit the scale of the store.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> _ = cranfield.pooling.build_pool(store, depth=2)
    >>> asking = cranfield.models.Asking("qwen")
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_batch(store, f"{folder}/batch.jsonl", asking).frame[["requests", "doubtful"]].values.tolist()
    [[3, 0]]
    >>> store.close()
    """
    from cranfield.features.models.asking.assess import assessment

    check_topics(topics)
    if asking.dry_run or asking.batch is not None:
        raise InputError("the Asking sets dry_run or batch; expected neither, because export_batch writes the file out")
    with open_store_call(store) as call:
        plan = assessment(
            call.store, asking.model, prompt=asking.prompt or "basic", assessor=asking.assessor, pool=pool,
            topics=topics, again=asking.again, max_chars=asking.max_chars, json_answer=asking.json_answer,
            parameters=asking.parameters,
        ).grow()  # fmt: skip
        written = write_questions(plan, out, asking.limit, call.context("models.export_batch"), noun="document")
    return replace(written, remarks=(*missing_text_remarks(plan.work.without_text), *written.remarks))


class BatchOutcomes(ResultInLines):
    """The number of answers of a batch file by outcome."""

    columns = ("outcome", "answers")

    @property
    def outcomes(self) -> Mapping[str, int]:
        """The number of answers by outcome."""
        return {row["outcome"]: row["answers"] for row in self.records}


@check_arguments
def import_batch(store: PresentStore, path: AnsweredBatch, *, price: PriceGiven = None) -> BatchOutcomes:
    """Read the answers to a batch file written by `model assess export`.

    The rules of `model assess run` apply. It also reads the answers to the batch files of all other commands that ask
    models.

    Answers that were read before are skipped; an answer without a question is an error.

    Example: cranfield model assess import track.db answers.jsonl

    Example: cranfield model assess import track.db answers.jsonl --price 0.5,1.5

    Parameters
    ----------
    store : path or Store
        The store.
    path : path
        The answers: JSON lines.
    price : pair of float, optional
        The price per million input and output tokens, if the answers do not report the cost.

    Returns
    -------
    BatchOutcomes
        Columns outcome and answers; "ok" means that the answer contained a label.

    Raises
    ------
    ModelError
        If no answer can be used.
    InputError
        If a line answers an unknown question.
    """
    from cranfield.features.models.asking.assess import take_batch
    from cranfield.features.models.asking.limits import Price, useless_words

    with open_store_call(store) as call:
        batch = take_batch(call.store, Path(path), Price(*price) if price is not None else None)
        if failures := batch.outcomes.total() - batch.outcomes["ok"]:
            call.note(f"{counted(failures, 'question')} {NO_ANSWER}; {AGAIN}")
        if batch.earlier:
            call.note(
                f"skipped {counted(batch.earlier, 'answer')} that {'was' if batch.earlier == 1 else 'were'}"
                " recorded before"
            )
        outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in batch.outcomes.most_common())
        line = f"{counted(batch.outcomes.total(), 'answer')}{f': {outcomes}' if outcomes else ''}"
        rows = [{"outcome": outcome, "answers": number} for outcome, number in batch.outcomes.most_common()]
        result = BatchOutcomes(rows, lines=(line,), context=call.context("models.import_batch"))
    if failures and not batch.outcomes["ok"]:
        raise ModelError(f"{path}: {useless_words(batch.outcomes, 'question')}", result)
    return result
