"""Click models of a log, and what another ranking would get of users' clicks."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call
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
from cranfield.lazy import type_in
from cranfield.options.exports import ExportedFormat
from cranfield.options.given import OnlyTopics, PresentStore, selection_of
from cranfield.options.transfers import NewFile
from cranfield.results import Display, Result, WrittenFile
from cranfield.rng import seed_of
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.clicks import ClickFits
    from cranfield.features.online.analysis.counterfactual import Counterfactual
else:
    Counterfactual = type_in("cranfield.features.online.analysis.counterfactual", "Counterfactual")
    ClickFits = type_in("cranfield.features.online.analysis.clicks", "ClickFits")


@check_arguments
def write_query_topics(
    store: PresentStore,
    out: NewFile,
    *,
    top: NumberOfTopics = 50,
    min_users: MinUsers = 5,
    sample: QuerySample = "top",
    rng: SeedOfQueries = None,
    format: ExportedFormat = "jsonl",
) -> WrittenFile:
    """Make topics of a log's queries that are not topics yet, for `cranfield import topics`: frequent or sampled ones.

    A query is a topic if its text is the title of one, whatever its case and blanks. Rare queries may tell who asked
    them: those of fewer than `min_users` users are left out.

    Example: cranfield online clicks topics track.db frequent.jsonl --top 50

    Example: cranfield online clicks topics track.db frequent.jsonl --min-users 5

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file of topics to write; "-" is the standard output.
    top : int
        How many topics to make.
    min_users : int
        Leave out queries of fewer users; 0 takes all.
    sample : {"top", "random", "proportional"}
        Which queries: of the most users; at random, all alike; or in proportion to how often they came.
    rng : int, Generator or None
        The seed of a sample; 0 by default.
    format : str
        The format of the file.

    Returns
    -------
    WrittenFile
        One row: the numbers of topics and of queries with fewer users.

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
    cranfield.errors.StoreError: there is no interaction log in this store; `cranfield import log` adds one
    """
    from cranfield.features.online.analysis.log import new_topics
    from cranfield.formats import write_topics

    path = Path(out)
    with open_store_call(store, function="write_query_topics") as call:
        new = new_topics(call.store, top, min_users, sample, seed_of(rng, min_seed=0))
        write_topics(path, new.topics, format)
        rare = f"; {counted(new.rare, 'query', 'queries')} of fewer than {counted(min_users, 'user')} left out"
        line = counted(len(new.topics), "topic") + (rare if new.rare else "")
        row, context = {"topics": len(new.topics), "rare": new.rare}, call.context("online.write_query_topics")
        return WrittenFile([row], lines=[line], context=context, path=path)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class FittedClickModels(Result):
    """Click models that were fitted to a log: how well they predict held-out sessions, or else their parameters.

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
    """Fit click models to the log: what users examine, and what attracts and satisfies them.

    With `test`, models predict held-out sessions: log-likelihood per list (higher is better) and perplexity (1 is
    perfect, 2 a coin), without and with the clicks above known. Several models need it: none is judged by the
    sessions that it was fitted to. A click that a model excludes counts with a probability of .000001.

    `votes` stores labels, never mixed with people's: relevance (attractiveness, times satisfaction where the model has
    it) becomes the highest grade whose threshold it reaches; by default thresholds are equal steps. With `test`, labels
    come from the sessions that were not held out.

    Example: cranfield online clicks fit track.db --model pbm --model dbn --test 0.25

    Example: cranfield online clicks fit track.db --model dbn

    Parameters
    ----------
    store : path or Store
        The store.
    model : str or sequence of str
        Click models; `list_click_models` lists them. Several models need `test`.
    votes : bool
        Store the model's relevance as labels of an assessor of kind model.
    thresholds : sequence of float, optional
        With `votes`: the least relevance of each grade above the lowest; equal steps by default.
    min_impressions : int
        With `votes`: label only documents shown this often for a topic.
    assessor : str, optional
        With `votes`: the assessor; clicks-MODEL by default.
    test : float
        Share of the sessions to hold out and predict.
    steps : int
        Steps of expectation maximisation.
    rng : int or numpy.random.Generator, optional
        Random seed of the held-out sessions, or a generator that draws it; 0 by default.
    experiment : str, optional
        Only lists of this experiment.
    arms : sequence of str, optional
        Only lists of these arms.
    since, until : float, optional
        Only lists from this time on, or before this time, in seconds since 1970.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.

    Returns
    -------
    FittedClickModels
        With `test`, a row for each model: log_likelihood, perplexity, conditional_perplexity and excluded_clicks;
        otherwise a row for each parameter that all documents share. `found` has all parameters.

    Raises
    ------
    InputError
        If several models come without `test`, or the log has no clicks.

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
        raise ArgumentError("one model can give labels or relevance; name one", "model")
    if thresholds and not votes:
        raise ArgumentError("is of labels; requires --votes", "thresholds")
    if assessor and not votes:
        raise ArgumentError("is whose labels they are; requires --votes", "assessor")
    with open_store_call(store, selection_of(topics)) as call:
        log = chosen_log(call.store, log_choice(experiment, arms, since, until))
        fits = click_fits(log, names, test, seed_of(rng), steps)
        call.keep(*fits.notes)
        if votes:
            least = thresholds_of(list(call.store.collection.grades), thresholds or ())
            name, labels = store_labels(
                call.store, fits, fits.models[0], least, enough=min_impressions, assessor=assessor
            )
            grades = ", ".join(f"{grade} from {relevance:g}" for grade, relevance in least.items())
            call.keep(f"{counted(labels, 'label')} stored by {name}, of kind model; grade {grades}")
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

    Those fitted by EM are fitted exactly, but for dbn-pyclick and ccm-pyclick. Those fitted by counts are the simplest;
    dcm and sdbn take the last click for the end of reading, dcm-em and sdbn-em do not.

    Example: cranfield online clicks models

    Example: cranfield online clicks models --format json

    Returns
    -------
    ClickModels
        Columns model, what, fitted_by (EM or counts) and source.

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
    """The clicks per list that a run would get, by estimator.

    Parameters
    ----------
    run : str
        The run, as it was given.
    confidence : float
        Confidence level of the intervals.
    found : Counterfactual
        The estimates, next to the clicks per list as logged.
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
    """Estimate the clicks that users would give a run they were not shown, from the log of others.

    A list counts as often as the new run makes it likelier than the log did. Read the effective sample size first: as
    many lists of equal weight would be as exact. Below 100 the estimate is withheld, because a single list can have
    more than a tenth of the weight then. The mean weight of whole lists should be about 1.

    Whole lists (ips, snips, clipped, dr) and documents at positions (item-position) need logged propensities: of each
    document at its position, given those above it, or whatever else is shown. Without them: position-based, by how
    likely each rank is examined (`propensity` pbm, swap or FILE, lines of rank and probability); pseudo-inverse, where
    lists of a topic vary; dm, a click model alone. Intervals are from a jackknife over users, for which examinations
    are estimated again. Where one could not hold there is none, and a note says why: where weights were cut, where the
    log could not show what the run would, with fewer than 10 users, and for dm without logged propensities; with them,
    its interval contains that of dr.

    A policy may draw: `policy` plackett-luce takes the next document by exp(score / temperature) among those left. A
    CSV file has qid, docno, position and probability, for item-position, dm, and lists of one document.

    Example: cranfield online counterfactual track.db bm25 --propensity pbm

    Example: cranfield online counterfactual track.db bm25 --estimator position-based

    Parameters
    ----------
    store : path or Store
        The store.
    run : str or path
        The tag of a stored run, a run file, or a CSV file of probabilities.
    estimators : str or sequence of str
        ips, snips, clipped, dm, dr, item-position, position-based or pseudo-inverse; by default snips with logged
        propensities, and otherwise position-based.
    propensity : str or path
        logged, pbm, swap, or a file of the examination of ranks.
    policy : {"ranking", "plackett-luce"}
        The ranking itself, or rankings drawn by the run's scores.
    temperature : float
        With plackett-luce: documents are drawn by exp(score / temperature).
    min_ess : float
        The least effective sample size; an estimate below it is NaN.
    rng : int or numpy.random.Generator, optional
        Random seed of the groups of users, or a generator that draws it; 0 by default.
    experiment : str, optional
        Only lists of this experiment.
    arms : sequence of str, optional
        Only lists of these arms.
    since, until : float, optional
        Only lists from this time on, or before this time, in seconds since 1970.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    confidence : float
        Confidence level of the intervals.

    Returns
    -------
    CounterfactualEstimates
        A row for each estimator: clicks_per_list with low and high, effective_sample_size and weights.

    Warns
    -----
    CranfieldWarning
        If lists are left out, documents were never shown, or an estimate has no interval.

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
            f"{counted(found.lists, 'list')} of {counted(logged.users, 'user')}; clicks per list as logged:"
            f" {logged.value:.4f}{interval}"
        )
        return CounterfactualEstimates(
            analysis.estimate_rows(found), title=title, document=analysis.as_document(found), run=name,
            confidence=confidence, found=found, context=call.context("online.estimate_counterfactual"),
        )  # fmt: skip
