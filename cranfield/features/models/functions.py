"""Labels by models: asking for them, with a server or by batch files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cranfield.api.arguments import checked
from cranfield.commands.opened import opened
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
    Again,
    AnsweredBatch,
    Asking,
    Attempts,
    BudgetOfAsking,
    DryRun,
    JsonAnswer,
    LabelsName,
    MaxChars,
    ModelName,
    MostQuestions,
    MostWritten,
    NewBatch,
    OnlyTopics,
    Parallel,
    Parameters,
    PriceGiven,
    PromptName,
    Repeat,
    Timeout,
    Url,
    check_topics,
)
from cranfield.options import PoolNumber
from cranfield.options.given import PresentStore
from cranfield.parallel import progress_bar
from cranfield.results import ResultInLines
from cranfield.text import counted


@checked
def assess(
    store: PresentStore,
    model: ModelName,
    url: Url,
    *,
    prompt: PromptName = "basic",
    assessor: LabelsName = None,
    pool: PoolNumber = None,
    topics: OnlyTopics = (),
    limit: MostQuestions = None,
    budget: BudgetOfAsking = None,
    parallel: Parallel = 8,
    price: PriceGiven = None,
    attempts: Attempts = 3,
    timeout: Timeout = 120,
    repeat: Repeat = None,
    dry_run: DryRun = False,
    again: Again = "",
    max_chars: MaxChars = None,
    parameters: Parameters = None,
    json_answer: JsonAnswer = False,
) -> Asked:
    """Ask a language model to label the documents of a pool. Its labels never count where a person's stands.

    Any server with OpenAI's interface will do: vLLM, Ollama, llama.cpp, a provider. The key is read from
    CRANFIELD_API_KEY or OPENAI_API_KEY, and kept nowhere. The model sees the topic, the text and the scale: no run,
    rank, docno or other label.

    An answer counts if it gives exactly one grade in the form asked for. Whatever else comes (a refusal, an answer cut
    off, unreadable or off the scale, an error) is recorded as "cannot judge" with the reason, never as a grade. Every
    call is recorded with what was asked and answered. Press Ctrl-C to stop; run the same command again to continue.

    An adaptive pool grows as it is labelled, in topics that are not assigned to people.

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --limit 20

    Example: cranfield model assess run track.db --model qwen3 --url http://127.0.0.1:8000/v1 --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    model : str
        The model, as its server names it.
    url : str
        The base URL of the server.
    prompt : str
        A prompt that `list_prompts` lists, or the path of your own.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    pool : int, optional
        The number of the pool; the newest by default.
    topics : sequence of str
        Only these topics.
    limit : int, optional
        Maximum number of questions.
    budget : str, optional
        Tokens in and out, or money, after which asking stops: "200000tokens" or "2.50usd".
    parallel : int
        Number of requests under way at a time.
    price : pair of float, optional
        The price of a million tokens, in and out, where the server does not report the cost.
    attempts : int
        Number of attempts at a request that fails.
    timeout : float
        Seconds until an answer must be complete.
    repeat : int, optional
        Ask again about this many graded documents, drawn at random.
    dry_run : bool
        Send nothing; return the first prompt, the calls, tokens and cost.
    again : {"", "failed", "all"}
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
    max_chars : int, optional
        Cut longer texts to this many characters.
    parameters : mapping, optional
        Parameters of requests by name; None leaves one out. Temperature and seed are 0.
    json_answer : bool
        Ask the server to allow only JSON answers.

    Returns
    -------
    Asked
        Columns outcome and documents. `tally` has calls, tokens and cost.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If the prompt does not fit the scale of the store, or the pool or a topic is unknown.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("binary") as store:
    ...     assess(store, "qwen3", "http://127.0.0.1:8000/v1", prompt="umbrela")
    Traceback (most recent call last):
    cranfield.errors.InputError: the prompt gives the grades 0, 1, 2, 3, the scale of the store is 0, 1; use the prompt
    basic, or map numbers to grades under [scale] in a prompt of your own
    """
    from cranfield.features.models.asking.assess import as_document, assessment
    from cranfield.store.assignments import is_organised
    from cranfield.store.open_pools import continuations

    asking = Asking(limit, budget, parallel, price, attempts, timeout)
    check_topics(topics)
    limits = asking.limits
    with opened(store) as call:
        plan = assessment(
            call.store,
            model,
            url=url,
            prompt=prompt,
            assessor=assessor,
            pool=pool,
            topics=topics,
            again=again,
            repeat=repeat,
            max_chars=max_chars,
            json_answer=json_answer,
            parameters=parameters,
        )
        context, bare = call.context("models.assess"), missing_text_remarks(plan.work.without_text)
        if dry_run:
            content = {"pool": plan.work.pool, "without_text": plan.work.without_text}
            prospect = prospect_of(plan, limits, context, noun="document", **content)
            return replace(prospect, remarks=(*prospect.remarks, *bare))
        most, before = len(plan.subjects) + plan.room(), plan.work
        with progress_bar("asking", min(most, limit or most)) as advance:
            tally = plan.run(limits, advance)
        plan, room = plan.now(), plan.room() if is_organised(call.store) else 0
        remarks = [*(continuations(call.store, pool) if pool else []), *missing_text_remarks(plan.work.without_text)]
    asked = outcome_of(plan, tally, context, noun="document", document=as_document(plan, tally))
    remarks += asked.remarks
    if new := plan.work.documents - before.documents:
        remarks.append(f"pool {before.pool} is adaptive, and grew by {counted(new, 'document')}")
    if room and not tally.stopped:
        remarks.append(
            f"pool {before.pool} may get {counted(room, 'more document')} of topics that are assigned to people"
        )
    asked = replace(asked, remarks=tuple(remarks))
    asked.refuse_errors_alone()
    return asked


@checked
def export_batch(
    store: PresentStore,
    out: NewBatch,
    model: ModelName,
    *,
    prompt: PromptName = "basic",
    assessor: LabelsName = None,
    pool: PoolNumber = None,
    topics: OnlyTopics = (),
    limit: MostWritten = None,
    again: Again = "",
    max_chars: MaxChars = None,
    parameters: Parameters = None,
    json_answer: JsonAnswer = False,
) -> Asked:
    """Write what a model would be asked as a batch file of OpenAI's interface, for a provider to answer in its time.

    What is written counts as sent: `model assess run` does not ask for it as well, and another export leaves it out.
    Read the answers with `model assess import`. An adaptive pool then grows with the next export.

    Example: cranfield model assess export track.db batch.jsonl --model gpt-oss --assessor gpt-oss-batch

    Example: cranfield model assess export track.db batch.jsonl --model qwen3 --limit 100

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write: JSON lines.
    model : str
        The model, as the provider names it.
    prompt : str
        A prompt that `list_prompts` lists, or the path of your own.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    pool : int, optional
        The number of the pool; the newest by default.
    topics : sequence of str
        Only these topics.
    limit : int, optional
        Maximum number of questions.
    again : {"", "failed", "all"}
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
    max_chars : int, optional
        Cut longer texts to this many characters.
    parameters : mapping, optional
        Parameters of requests by name; None leaves one out. Temperature and seed are 0.
    json_answer : bool
        Ask the server to allow only JSON answers.

    Returns
    -------
    Asked
        One row: file, requests, and doubtful: questions that were sent before and have no answer on record.

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
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_batch(store, f"{folder}/batch.jsonl", "qwen").frame[["requests", "doubtful"]].values.tolist()
    [[3, 0]]
    >>> store.close()
    """
    from cranfield.features.models.asking.assess import assessment

    check_topics(topics)
    with opened(store) as call:
        plan = assessment(
            call.store,
            model,
            prompt=prompt,
            assessor=assessor,
            pool=pool,
            topics=topics,
            again=again,
            max_chars=max_chars,
            json_answer=json_answer,
            parameters=parameters,
        ).grow()
        written = write_questions(plan, out, limit, call.context("models.export_batch"), noun="document")
    return replace(written, remarks=(*missing_text_remarks(plan.work.without_text), *written.remarks))


class BatchOutcomes(ResultInLines):
    """How many answers of a batch file had which outcome."""

    columns = ("outcome", "answers")

    @property
    def outcomes(self) -> Mapping[str, int]:
        """The number of answers by outcome."""
        return {row["outcome"]: row["answers"] for row in self.records}


@checked
def import_batch(store: PresentStore, path: AnsweredBatch, *, price: PriceGiven = None) -> BatchOutcomes:
    """Read the answers to a batch file that `model assess export` wrote, by the rules of `model assess run`.

    It also reads the answers to files that the other commands that ask models write with --batch.

    Answers that were read before are left out; an answer to something that was never asked is refused.

    Example: cranfield model assess import track.db answers.jsonl

    Example: cranfield model assess import track.db answers.jsonl --price 0.5,1.5

    Parameters
    ----------
    store : path or Store
        The store.
    path : path
        The answers: JSON lines.
    price : pair of float, optional
        The price of a million tokens, in and out, where the answers do not have the cost.

    Returns
    -------
    BatchOutcomes
        Columns outcome and answers; "ok" gave a label.

    Raises
    ------
    InputError
        If a line answers nothing that was asked.
    """
    from cranfield.features.models.asking.assess import take_batch
    from cranfield.features.models.asking.limits import Price

    with opened(store) as call:
        batch = take_batch(call.store, Path(path), Price(*price) if price is not None else None)
        if failures := batch.outcomes.total() - batch.outcomes["ok"]:
            call.note(f"{counted(failures, 'question')} {NO_ANSWER}; {AGAIN}")
        if batch.earlier:
            call.note(f"{counted(batch.earlier, 'answer')} recorded before, left out")
        outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in batch.outcomes.most_common())
        line = f"{counted(batch.outcomes.total(), 'answer')}{f': {outcomes}' if outcomes else ''}"
        rows = [{"outcome": outcome, "answers": number} for outcome, number in batch.outcomes.most_common()]
        return BatchOutcomes(rows, lines=(line,), context=call.context("models.import_batch"))
