"""Preferences between documents: those in a store, and asking models for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from cranfield.api.arguments import checked
from cranfield.commands.opened import opened
from cranfield.features.models.asked import Asked, outcome_of, prospect_of, write_questions
from cranfield.features.models.options import (
    Again,
    Asking,
    Attempts,
    Batch,
    BudgetOfAsking,
    DryRun,
    JsonAnswer,
    LabelsName,
    MaxChars,
    ModelName,
    MostQuestions,
    OnlyTopics,
    Parallel,
    Parameters,
    PriceGiven,
    PromptName,
    Timeout,
    UrlUnlessBatch,
    check_server,
    check_topics,
)
from cranfield.options import Option
from cranfield.options.given import PresentStore, StoreLike
from cranfield.parallel import progress_bar
from cranfield.results import Result
from cranfield.text import counted

PairSource = Annotated[str, Option("adjacent, disputed, or a file of lines qid docno docno.", metavar="SOURCE")]


@checked
def list_preferences(
    store: StoreLike, *, assessors: Sequence[str] = (), policy: Literal["all", "majority"] | None = None,
    by: Literal["pair", "document"] = "pair",
) -> Result:  # fmt: skip
    """List preferences between documents with answers in both orders, or the levels of documents that they give.

    A warning names whose preferences were chosen.

    Parameters
    ----------
    store : path or Store
        The store.
    assessors : sequence of str, optional
        The assessors whose preferences count; by default all people, otherwise models.
    policy : {"all", "majority"}, optional
        What counts where assessors contradict each other on a pair: every vote, or one vote for each pair. By
        document, contradictions are an error unless `assessors` or `policy` says what counts.
    by : {"pair", "document"}
        What each row stands for.

    Returns
    -------
    Result
        By pair a row for each pair and assessor: `better` is missing for a tie, and `consistent` is False where the
        answers in the two orders differ, which is a tie. By document Copeland's levels, from 0, which order the
        documents of a topic by wins and half of the ties.

    Raises
    ------
    InputError
        If no pair has answers in both orders, or assessors contradict each other.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("pairs") as store:
    ...     list_preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: no pair has answers in both orders yet; `cranfield judge --pairs` compares pairs
    """
    from cranfield.features.preferences.choice import choose_preferences
    from cranfield.features.preferences.files import as_rows, preferences_of
    from cranfield.features.preferences.pairs import copeland

    with opened(store) as call:
        if by == "pair" and policy is None:
            answers = preferences_of(call.store, assessors).preferences
        else:
            chosen = choose_preferences(call.store, assessors, policy)
            answers = chosen.answers.preferences
            if chosen.was_chosen:
                call.note(chosen.line)
        if by == "pair":
            return Result(as_rows(answers), context=call.context("judging.list_preferences"))
        names = {"qid": "query_id", "docno": "doc_id"}
        levels = [{names.get(name, name): value for name, value in one._asdict().items()} for one in copeland(answers)]
        return Result(levels, context=call.context("judging.list_preferences"))


@checked
def label_preferences(
    store: PresentStore,
    model: ModelName,
    url: UrlUnlessBatch,
    pairs: PairSource,
    *,
    prompt: PromptName = "preference",
    assessor: LabelsName = None,
    topics: OnlyTopics = (),
    limit: MostQuestions = None,
    budget: BudgetOfAsking = None,
    parallel: Parallel = 8,
    price: PriceGiven = None,
    attempts: Attempts = 3,
    timeout: Timeout = 120,
    dry_run: DryRun = False,
    again: Again = "",
    max_chars: MaxChars = None,
    parameters: Parameters = None,
    json_answer: JsonAnswer = False,
    batch: Batch = None,
) -> Asked:
    """Ask a language model which of two documents is better, for the pairs of `judge --pairs`, in both orders.

    Different answers in the two orders are a tie; how often that happens is printed, and how often the model then took
    the document shown first. The rules are those of `model assess run`: what cannot be read is no preference, every
    call is recorded, known answers cost nothing. People's preferences go before a model's.

    Example: cranfield model prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1 --pairs disputed

    Example: cranfield model prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1 --pairs adjacent --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    model : str
        The model, as its server names it.
    url : str or None
        The base URL of the server; None with batch.
    pairs : str
        "adjacent", "disputed", or a file of lines qid docno docno.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
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
    dry_run : bool
        Send nothing; return the first prompt, the calls, tokens and cost.
    again : {"", "failed", "all"}
        Also ask again about what failed, or about all.
    max_chars : int, optional
        Cut longer texts to this many characters.
    parameters : mapping, optional
        Parameters of requests by name; None leaves one out. Temperature and seed are 0.
    json_answer : bool
        Ask the server to allow only JSON answers.
    batch : path, optional
        Write the questions to this batch file instead; `models.import_batch` reads the answers.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" gave an answer. `judging.list_preferences` returns what follows from them.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If there are no such pairs, or not exactly one of url and batch.
    """
    from cranfield.features.models.asking.planned import asked_document
    from cranfield.features.preferences.by_model import PREFERENCE, plan_preferences
    from cranfield.features.preferences.pairs import resolve
    from cranfield.features.preferences.store import current_preferences

    asking = Asking(
        limit, budget, parallel, price, attempts, timeout, dry_run, again, max_chars, parameters, json_answer
    )
    check_topics(topics)
    check_server(url, batch)
    limits = asking.limits
    with opened(store) as call:
        asker = asking.asker(call.store, PREFERENCE, model, url=url, prompt=prompt, assessor=assessor)
        plan, bare = plan_preferences(call.store, asker, pairs, topics, again)
        if bare:
            call.note(f"{counted(bare, 'pair')} left out: the store has no text for a document")
        context = call.context("models.label_preferences")
        if dry_run:
            return prospect_of(plan, limits, context)
        if batch is not None:
            return write_questions(plan, batch, limit, context)
        with progress_bar("asking", len(plan.subjects)) as advance:
            tally = plan.run(limits, advance)
        answers = resolve(current_preferences(call.store, asker.assessor))
    counts = {"pairs": len(answers.preferences), "different": answers.different, "shown_first": answers.shown_first}
    first = f"; {answers.shown_first} of their {2 * answers.different} answers took the first"
    about = f"{answers}{first if answers.different else ''}"
    asked = outcome_of(plan, tally, context, about=about, document=asked_document(plan, tally) | counts)
    asked.refuse_errors_alone()
    return asked
