"""Asking a model for labels of answers, as `model assess run` asks for labels of documents."""

from __future__ import annotations

from cranfield.api.arguments import checked
from cranfield.features.answers.asking import Questions
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.features.answers.options import ComparedRun, EachCitation, StoreOfAnswers, WhoseNuggets
from cranfield.features.models.asked import Asked
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
)


@checked
def assign_nuggets(
    store: StoreOfAnswers,
    model: ModelName,
    url: UrlUnlessBatch,
    *,
    nuggets: WhoseNuggets = None,
    assessor: LabelsName = None,
    topics: OnlyTopics = (),
    prompt: PromptName = "",
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
    """Ask a model which nuggets the answers say.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    model : str
        The model, as its server names it.
    url : str or None
        The base URL of the server; None with batch.
    nuggets : {"people", "models", "all"}, optional
        Whose nuggets count; by default people's where there are any, otherwise models'.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    topics : sequence of str
        Only these topics.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own; the prompt of the task by default.
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
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
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
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    asking = Asking(
        limit, budget, parallel, price, attempts, timeout, dry_run, again, max_chars, parameters, json_answer
    )
    about = Questions(
        answered_kind("assignment", nuggets=nuggets_by(nuggets)).questions, asking, prompt, assessor, topics, batch
    )
    return about.ask(store, model, url, "answers.assign_nuggets")


@checked
def label_support(
    store: StoreOfAnswers,
    model: ModelName,
    url: UrlUnlessBatch,
    *,
    each: EachCitation = False,
    assessor: LabelsName = None,
    topics: OnlyTopics = (),
    prompt: PromptName = "",
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
    """Ask a model whether cited documents support sentences.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    model : str
        The model, as its server names it.
    url : str or None
        The base URL of the server; None with batch.
    each : bool
        Also ask about the first three citations together, and about each of them where that matters.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    topics : sequence of str
        Only these topics.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own; the prompt of the task by default.
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
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
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
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    asking = Asking(
        limit, budget, parallel, price, attempts, timeout, dry_run, again, max_chars, parameters, json_answer
    )
    about = Questions(answered_kind("support", each=each).questions, asking, prompt, assessor, topics, batch)
    return about.ask(store, model, url, "answers.label_support")


@checked
def label_claims(
    store: StoreOfAnswers,
    model: ModelName,
    url: UrlUnlessBatch,
    *,
    assessor: LabelsName = None,
    topics: OnlyTopics = (),
    prompt: PromptName = "",
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
    """Ask a model whether the documents of answers say claims.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    model : str
        The model, as its server names it.
    url : str or None
        The base URL of the server; None with batch.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    topics : sequence of str
        Only these topics.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own; the prompt of the task by default.
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
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
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
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    asking = Asking(
        limit, budget, parallel, price, attempts, timeout, dry_run, again, max_chars, parameters, json_answer
    )
    about = Questions(answered_kind("attribution").questions, asking, prompt, assessor, topics, batch)
    return about.ask(store, model, url, "answers.label_claims")


@checked
def label_rubrics(
    store: StoreOfAnswers,
    model: ModelName,
    url: UrlUnlessBatch,
    *,
    assessor: LabelsName = None,
    topics: OnlyTopics = (),
    prompt: PromptName = "",
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
    """Ask a model whether answers meet the questions of rubrics.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    model : str
        The model, as its server names it.
    url : str or None
        The base URL of the server; None with batch.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    topics : sequence of str
        Only these topics.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own; the prompt of the task by default.
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
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
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
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    asking = Asking(
        limit, budget, parallel, price, attempts, timeout, dry_run, again, max_chars, parameters, json_answer
    )
    about = Questions(answered_kind("rubric").questions, asking, prompt, assessor, topics, batch)
    return about.ask(store, model, url, "answers.label_rubrics")


@checked
def label_correctness(
    store: StoreOfAnswers,
    model: ModelName,
    url: UrlUnlessBatch,
    *,
    assessor: LabelsName = None,
    topics: OnlyTopics = (),
    prompt: PromptName = "",
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
    """Ask a model whether answers say what reference answers say, and nothing else.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    model : str
        The model, as its server names it.
    url : str or None
        The base URL of the server; None with batch.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    topics : sequence of str
        Only these topics.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own; the prompt of the task by default.
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
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
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
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    asking = Asking(
        limit, budget, parallel, price, attempts, timeout, dry_run, again, max_chars, parameters, json_answer
    )
    about = Questions(answered_kind("correctness").questions, asking, prompt, assessor, topics, batch)
    return about.ask(store, model, url, "answers.label_correctness")


@checked
def label_preferences(
    store: StoreOfAnswers,
    model: ModelName,
    url: UrlUnlessBatch,
    *,
    baseline: ComparedRun = None,
    assessor: LabelsName = None,
    topics: OnlyTopics = (),
    prompt: PromptName = "",
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
    """Ask a model which of two answers is better, in both orders.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    model : str
        The model, as its server names it.
    url : str or None
        The base URL of the server; None with batch.
    baseline : str, optional
        Compare each answer only with the answer of this run.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    topics : sequence of str
        Only these topics.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own; the prompt of the task by default.
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
        Also ask again where an answer was of no use, or about everything. Errors are always asked again.
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
        Columns outcome and questions; "ok" gave a preference.

    Raises
    ------
    ModelError
        If every reply of the server was an error.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    asking = Asking(
        limit, budget, parallel, price, attempts, timeout, dry_run, again, max_chars, parameters, json_answer
    )
    about = Questions(answered_kind("answers", baseline=baseline).questions, asking, prompt, assessor, topics, batch)
    return about.ask(store, model, url, "answers.label_preferences")
