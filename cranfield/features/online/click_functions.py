"""Click models of a log, and what another ranking would get of users' clicks."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from cranfield.commands.calls import open_store_call
from cranfield.errors import ArgumentError
from cranfield.features.online.options import (
    Arms,
    AssessorOfVotes,
    ClickModelNames,
    ConfidenceLevel,
    Estimators,
    Experiment,
    HeldOut,
    MinEffectiveSize,
    MinImpressions,
    MinUsers,
    NewRun,
    NumberOfTopics,
    PolicyOfRun,
    Propensity,
    QuerySample,
    SeedOfGroups,
    SeedOfQueries,
    SeedOfSessions,
    SinceOption,
    Steps,
    StoresVotes,
    Temperature,
    Thresholds,
    UntilOption,
    log_choice,
    names_in,
)
from cranfield.lazy import lazy_type
from cranfield.options import seed_of
from cranfield.options.arguments import OnlyTopics, PresentStore, check_arguments, selection_of
from cranfield.options.exports import ExportedFormat
from cranfield.options.transfers import NewFile
from cranfield.results import Display, Result, WrittenFile
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.clicks import ClickFits
    from cranfield.features.online.analysis.counterfactual import Counterfactual
else:
    Counterfactual = lazy_type("cranfield.features.online.analysis.counterfactual", "Counterfactual")
    ClickFits = lazy_type("cranfield.features.online.analysis.clicks", "ClickFits")


@check_arguments
def write_query_topics(
    store: PresentStore,
    out: NewFile,
    *,
    top: NumberOfTopics = 50,
    min_users: MinUsers = 5,
    sample: QuerySample = "top",
    rng: SeedOfQueries = None,
    format: ExportedFormat = None,
) -> WrittenFile:
    """Make topics from the log's frequent queries, for `import topics`.

    Use it to pool and judge queries that users really ask. A query is skipped if its text is already the title of a
    topic, regardless of case and spaces. A rare query may reveal who asked it, so queries from fewer than `min_users`
    users are left out.

    Example: cranfield online clicks topics track.db frequent.jsonl --top 50

    Example: cranfield online clicks topics track.db frequent.jsonl --min-users 5

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The topic file to write; "-" is the standard output.
    top : int
        Number of topics to make.
    min_users : int
        Leave out queries that fewer users typed; 0 keeps all queries.
    sample : {"top", "random", "proportional"}
        Sampling: the queries with the most users, a uniform sample, or a sample in proportion to frequency.
    rng : int, Generator or None
        Random seed of the sample; by default 0.
    format : str, optional
        File format; by default the format of the file extension, otherwise jsonl.

    Returns
    -------
    WrittenFile
        One row: topics (number written) and rare (number of queries with fewer users).

    Raises
    ------
    StoreError
        If the store has no log, or no new query has enough users.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("no log") as store:
    ...     write_query_topics(store, "frequent.jsonl")
    Traceback (most recent call last):
    cranfield.errors.StoreError: this store has no interaction log; import one with `cranfield import log`
    """
    from cranfield.features.online.analysis.log import new_topics
    from cranfield.formats import write_topics
    from cranfield.formats.output_names import TOPICS, NamedFormat, format_by_name

    path = Path(out)
    named = NamedFormat(format) if format else format_by_name(path, TOPICS, "jsonl")
    with open_store_call(store, function="write_query_topics") as call:
        new = new_topics(call.store, top, min_users, sample, seed_of(rng, min_seed=0))
        write_topics(path, new.topics, named.name)
        call.note(named.note)
        rare = f"; omitted {counted(new.rare, 'query', 'queries')} with fewer than {counted(min_users, 'user')}"
        line = counted(len(new.topics), "topic") + (rare if new.rare else "")
        row, context = {"topics": len(new.topics), "rare": new.rare}, call.context("online.write_query_topics")
        return WrittenFile([row], lines=[line], context=context, path=path)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class FittedClickModels(Result):
    """Click models fitted to a log, with their predictions or their parameters.

    Parameters
    ----------
    found : ClickFits
        The models, their parameters and predictions.
    """

    found: ClickFits


@check_arguments
def fit_click_model(
    store: PresentStore,
    *,
    model: ClickModelNames = "pbm",
    votes: StoresVotes = False,
    thresholds: Thresholds = None,
    min_impressions: MinImpressions = 10,
    assessor: AssessorOfVotes = None,
    test: HeldOut = 0,
    steps: Steps = 50,
    rng: SeedOfSessions = None,
    experiment: Experiment = None,
    arms: Arms = None,
    since: SinceOption = None,
    until: UntilOption = None,
    topics: OnlyTopics = None,
) -> FittedClickModels:
    """Fit click models to separate examination from attraction.

    Use it to separate the effect of a document's rank from the effect of the document itself. With `test`, the models
    predict held-out sessions, which is the only way to compare several models. The page "Fit a click model" explains
    the output.

    The log-likelihood is per list, and higher is better. A perplexity of 1 is perfect, and 2 equals a coin toss. The
    conditional perplexity uses the clicks above in the list for each prediction. A click that a model rules out is
    scored with a probability of 0.000001.

    `votes` stores labels of kind model, which never replace people's labels. A document's relevance is its
    attractiveness, times its satisfaction if the model has one. Each document gets the highest grade whose threshold
    its relevance reaches. By default, the thresholds are equal steps. With `test`, the labels come only from the
    sessions that were not held out.

    Example: cranfield online clicks fit track.db --model pbm --model dbn --test 0.25

    Example: cranfield online clicks fit track.db --model dbn

    Parameters
    ----------
    store : path or Store
        The store.
    model : str or sequence of str
        Click models from `list_click_models`. Several models need `test`.
    votes : bool
        Store the model's relevance as labels of a model assessor.
    thresholds : sequence of float, optional
        Smallest relevance of each grade above the lowest, with `votes`; by default equal steps.
    min_impressions : int
        Label only documents shown at least this often for a topic, with `votes`.
    assessor : str, optional
        Name of the assessor, with `votes`; by default clicks-MODEL.
    test : float
        Share of sessions to hold out and predict.
    steps : int
        Number of steps of expectation maximisation.
    rng : int or numpy.random.Generator, optional
        Random seed of the held-out sessions, or a generator that draws the seed; 0 by default.
    experiment : str, optional
        Use only the lists of this experiment.
    arms : sequence of str, optional
        Use only the lists of these arms.
    since, until : float, optional
        Use only the lists at or after `since` and before `until`, in seconds since 1970.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.

    Returns
    -------
    FittedClickModels
        With `test`, a row for each model: log_likelihood, perplexity, conditional_perplexity and excluded_clicks.
        Without it, a row for each parameter that all documents share. `found` contains all parameters.

    Raises
    ------
    InputError
        If several models are given without `test`, or the log has no clicks.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> store.add_topics([Topic("q", "flutter")])
    1
    >>> import json, tempfile
    >>> lines = [
    ...     {"id": str(n), "at": "2026-01-31T10:00:00Z", "user": f"u{n}", "query": "flutter", "arm": "ab"[n % 2],
    ...      "docs": ["d1", "d2"], "actions": [{"kind": "click", "doc": "d1"}] * (n % 2)}
    ...     for n in range(8)
    ... ]
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     print(*map(json.dumps, lines), sep="\\n", file=file, flush=True)
    ...     _ = cranfield.store.import_log(store, file.name)
    >>> fit_click_model(store).frame[["model", "parameter", "of"]].values.tolist()
    [['pbm', 'examination', 'rank 1'], ['pbm', 'examination', 'rank 2']]
    >>> store.close()
    """
    from cranfield.features.online.analysis.clicks import (
        as_document,
        click_fits,
        parameter_rows,
        prediction_rows,
        store_labels,
        thresholds_of,
    )
    from cranfield.features.online.analysis.log import chosen_log

    names = names_in(model)
    if votes and len(names) > 1:
        raise ArgumentError("only one model can give labels or relevance; name one model", "model")
    if thresholds and not votes:
        raise ArgumentError("applies only to stored labels; requires --votes", "thresholds")
    if assessor and not votes:
        raise ArgumentError("names the assessor of stored labels; requires --votes", "assessor")
    with open_store_call(store, selection_of(topics)) as call:
        log = chosen_log(call.store, log_choice(experiment, arms, since, until))
        fits = click_fits(log, names, test, seed_of(rng), steps)
        call.keep(*fits.notes)
        if votes:
            least = thresholds_of(list(call.store.collection.grades), thresholds or ())
            name, labels = store_labels(
                call.store, fits, fits.models[0], least, enough=min_impressions, assessor=assessor
            )
            grades = ", ".join(f"{relevance:g} for grade {grade}" for grade, relevance in least.items())
            call.keep(f"stored {counted(labels, 'label')} by the model assessor {name} (smallest relevance: {grades})")
        rows = prediction_rows(fits) or parameter_rows(fits)
        return FittedClickModels(
            rows, document=as_document(fits), found=fits, context=call.context("online.fit_click_model")
        )


class ClickModels(Result):
    """The click models."""

    display: ClassVar[Display] = Display(heads={"fitted_by": "fitted by"})


@check_arguments
def list_click_models() -> ClickModels:
    """List the click models.

    Choose a model fitted by EM unless you need to reproduce published results of a model fitted by counting. EM fits
    are exact, except `dbn-pyclick` and `ccm-pyclick`. Models fitted by counting are the simplest. `dcm` and `sdbn`
    assume that users stop reading at the last click; `dcm-em` and `sdbn-em` do not.

    Example: cranfield online clicks models

    Example: cranfield online clicks models --format json

    Returns
    -------
    ClickModels
        Columns `model`, `what`, `fitted_by` (EM or counts) and `source`.

    Examples
    --------
    >>> "pbm" in list_click_models().frame["model"].tolist()
    True
    """
    from cranfield.features.online.click_models import CLICK_MODELS

    return ClickModels(
        [
            {"model": one.name, "what": one.summary, "fitted_by": one.fitted_by, "source": one.source}
            for one in CLICK_MODELS.values()
        ]
    )


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class CounterfactualEstimates(Result):
    """Estimated clicks per list of a run, by estimator.

    Parameters
    ----------
    run : str
        The run's tag or file.
    confidence : float
        Confidence level of the intervals.
    found : Counterfactual
        The estimates, and the clicks per list as logged.
    """

    display: ClassVar[Display] = Display(
        heads={
            "effective_sample_size": "effective size", "max_weight": "max weight", "mean_weight": "mean weight",
            "clicks_per_list": "clicks per list",
        },
        digits={"effective_sample_size": "{:,.1f}".format},
    )  # fmt: skip

    run: str = ""
    confidence: float = 0.95
    found: Counterfactual


@check_arguments
def estimate_counterfactual(
    store: PresentStore,
    run: NewRun,
    *,
    estimators: Estimators = (),
    propensity: Propensity = "logged",
    policy: PolicyOfRun = "ranking",
    temperature: Temperature = 1.0,
    min_ess: MinEffectiveSize = 100,
    rng: SeedOfGroups = None,
    experiment: Experiment = None,
    arms: Arms = None,
    since: SinceOption = None,
    until: UntilOption = None,
    topics: OnlyTopics = None,
    confidence: ConfidenceLevel = 0.95,
) -> CounterfactualEstimates:
    """Estimate how many clicks a run that users never saw would get.

    Use it to screen a run before you show it to users. The estimate reweights the logged lists: a list counts more if
    it is more likely under the new run than under the logged system. The page "Estimate from logs" explains the
    estimators.

    Read the effective sample size first. It is the number of equally weighted lists that would give the same precision.
    Below 100 the estimate is withheld, because one list may then have more than a tenth of the weight. For whole lists,
    the mean weight should be about 1.

    Some estimators need logged propensities: `ips`, `snips`, `clipped` and `dr` for whole lists, and `item-position`
    for documents at positions. For whole lists, the propensity of a document is its probability at its position, given
    the documents above it. For item-position, it is the probability regardless of the other documents. Without
    propensities, use position-based, pseudo-inverse or dm. Position-based needs the examination probability of each
    rank, from `propensity` pbm, swap or a FILE of ranks and probabilities. Pseudo-inverse needs topics whose lists
    vary. dm uses only a click model.

    Intervals come from a jackknife over users, which also re-estimates the examination probabilities. If no valid
    interval exists, a note gives the reason. Possible reasons are clipped weights, fewer than 10 users, and dm without
    logged propensities. Another reason is a run with lists that the logging system could not have shown. With
    propensities, the interval for dm contains the interval for dr.

    The new system can also draw its lists at random. With `policy` plackett-luce, the next document is drawn in
    proportion to exp(score / temperature) among the remaining documents. A CSV file has the columns qid, docno,
    position and probability, for item-position, dm and lists of one document.

    Example: cranfield online counterfactual track.db bm25 --propensity pbm

    Example: cranfield online counterfactual track.db bm25 --estimator ips,snips,dr

    Parameters
    ----------
    store : path or Store
        The store.
    run : str or path
        The tag of a stored run, a run file, or a CSV file of probabilities.
    estimators : str or sequence of str
        Estimators: ips, snips, clipped, dm, dr, item-position, position-based or pseudo-inverse. By default, snips with
        logged propensities, otherwise position-based.
    propensity : str or path
        Source of the propensities: logged, pbm, swap, or a file with the examination probability of each rank.
    policy : {"ranking", "plackett-luce"}
        Policy: the run's ranking, or random rankings drawn by the run's scores.
    temperature : float
        Temperature of plackett-luce, which draws documents by exp(score / temperature).
    min_ess : float
        Smallest effective sample size. An estimate with a smaller size is NaN.
    rng : int or numpy.random.Generator, optional
        Random seed of the user groups, or a generator that draws the seed; 0 by default.
    experiment : str, optional
        Use only the lists of this experiment.
    arms : sequence of str, optional
        Use only the lists of these arms.
    since, until : float, optional
        Use only the lists at or after `since` and before `until`, in seconds since 1970.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    confidence : float
        Confidence level of the intervals.

    Returns
    -------
    CounterfactualEstimates
        A row for each estimator: clicks_per_list, low, high, effective_sample_size and weights.

    Warns
    -----
    CranfieldWarning
        If lists are left out, the log never showed some documents, or an estimate has no interval.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> store.add_topics([Topic("q", "flutter")])
    1
    >>> import json, tempfile
    >>> lines = [
    ...     {"id": str(n), "at": "2026-01-31T10:00:00Z", "user": f"u{n}", "query": "flutter", "arm": "ab"[n % 2],
    ...      "docs": ["d1", "d2"], "actions": [{"kind": "click", "doc": "d1"}] * (n % 2)}
    ...     for n in range(8)
    ... ]
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     print(*map(json.dumps, lines), sep="\\n", file=file, flush=True)
    ...     _ = cranfield.store.import_log(store, file.name)
    >>> _ = cranfield.store.import_runs(store, {"a": {"q": {"d1": 2.0, "d2": 1.0}}})
    >>> estimate_counterfactual(store, "a", propensity="pbm").frame[["estimator", "concluded"]].values.tolist()
    [['position-based', False]]
    >>> store.close()
    """
    from cranfield.features.online.analysis import counterfactual as analysis
    from cranfield.features.online.analysis.log import chosen_log

    name = fspath(run)
    with open_store_call(store, selection_of(topics)) as call:
        log = chosen_log(call.store, log_choice(experiment, arms, since, until))
        new = analysis.policy_of(call.store, name, log, policy=policy, temperature=temperature)
        found = analysis.counterfactual(
            log, new, name, names=names_in(estimators), propensity=propensity, enough=min_ess, confidence=confidence,
            seed=seed_of(rng),
        )  # fmt: skip
        lines = analysis.counterfactual_notes(found, name, propensity)
        if call.is_in_python:
            call.note(*lines)
        else:
            call.keep(*lines)
        logged = found.logged
        interval = "" if isnan(logged.low) else f" ({logged.low:.4f} to {logged.high:.4f})"
        title = (
            f"The logged system received {logged.value:.4f}{interval} clicks per list,"
            f" from {counted(found.lists, 'list')} of {counted(logged.users, 'user')}"
        )
        return CounterfactualEstimates(
            analysis.estimate_rows(found), title=title, document=analysis.as_document(found), run=name,
            confidence=confidence, found=found, context=call.context("online.estimate_counterfactual"),
        )  # fmt: skip
