"""Interaction logs: what users saw and did, and which system they prefer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.commands.calls import open_store_call
from cranfield.errors import InputError
from cranfield.features.online.options import (
    Alpha,
    Arms,
    ArmsLeftOut,
    ArmsOfExperiment,
    Attributes,
    Cap,
    ConfidenceLevel,
    ControlArm,
    CorrectionOfArms,
    DaysBefore,
    DropsBots,
    Experiment,
    ExperimentOfLines,
    FieldNames,
    InterleavedExperiment,
    LogFiles,
    LogFormat,
    LogGroup,
    Margins,
    MaxSearches,
    MethodOfLists,
    MinUsers,
    OnlineMeasureName,
    PlannedDifference,
    PlannedUsers,
    RatioOption,
    SaltFile,
    SeedOfFlips,
    Segments,
    Sequential,
    SharesOfArms,
    ShownMeasures,
    SignFlips,
    SinceOption,
    SkipsLines,
    TestedMeasures,
    Unit,
    UntilOption,
    check_lists,
    log_choice,
    names_in,
)
from cranfield.lazy import lazy_type
from cranfield.options import Assessor, Labels, Measures, PolicyName, describe_expected, seed_of
from cranfield.options.arguments import IgnoresOwnId, OnlyTopics, PresentStore, check_arguments, selection_of
from cranfield.results import Display, Result, ResultInLines, TypesetTable
from cranfield.selection import LabelledBy, Labellers
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.ab import AbTest
    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.features.online.analysis.interleaving import ExperimentPreference
    from cranfield.features.online.analysis.log import LogImport
else:
    LogImport = lazy_type("cranfield.features.online.analysis.log", "LogImport")
    ExperimentPreference = lazy_type("cranfield.features.online.analysis.interleaving", "ExperimentPreference")
    Divergence = lazy_type("cranfield.features.online.analysis.divergence", "Divergence")
    AbTest = lazy_type("cranfield.features.online.analysis.ab", "AbTest")


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ImportedLog(ResultInLines):
    """Counts for an imported log: one row.

    Columns: lists, actions, repeated, left_out, bots, dropped and unmatched.

    Parameters
    ----------
    outcome : LogImport
        The counts with the skipped lines, the users who may be programs, and the queries that match no topic.
    """

    outcome: LogImport


@check_arguments
def import_log(
    store: PresentStore,
    files: LogFiles,
    *,
    format: LogFormat = "auto",
    experiment: ExperimentOfLines = "log",
    arms: ArmsOfExperiment = None,
    fields: FieldNames = None,
    attributes: Attributes = (),
    skip: SkipsLines = False,
    max_searches: MaxSearches = 500,
    drop_bots: DropsBots = False,
    salt: SaltFile = None,
) -> ImportedLog:
    """Import an interaction log: the lists users saw, and their actions.

    Import a log before you measure clicks, compare the arms of an A/B test or fit a click model. The page "Import a
    click log" describes the formats.

    The format is detected. It can be Cranfield's JSONL, OpenSearch UBI (give queries and events together) or Yandex's
    RelPred. The function also imports the Open Bandit Dataset and BigQuery exports of Google Analytics 4. Tables (CSV,
    TSV, Parquet) have a row for each document shown or for each event. Their columns are id, at, user, session, qid or
    query, experiment, arm, doc, position, and click, seconds, value or kind. Cranfield's JSONL has one object per line,
    with docs, teams, propensity and actions.

    Users and sessions are stored as salted hashes. You can import the same file again: lists that are already in the
    log stay as they are and only gain new `attributes`. The import fails if a stored list with the same id differs.

    Example: cranfield import log track.db clicks.jsonl.gz --experiment "first page" --arms bm25,dense

    Example: cranfield import log track.db ubi_queries.jsonl ubi_events.jsonl

    Parameters
    ----------
    store : path or Store
        The store.
    files : path, sequence of paths or DataFrame
        Files, or a frame with a row for each document shown or for each event.
    format : str
        The files' format; detected from the content by default.
    experiment : str
        Experiment for lines that name no experiment.
    arms : sequence of str, optional
        Arms of the experiment. In interleaved lists, the first arm is team a.
    fields : mapping, optional
        Field names in the files, such as {"user": "visitor"}.
    attributes : sequence of str
        Extra fields to keep, for `online show --by`.
    skip : bool
        Skip unusable lines instead of stopping.
    max_searches : int
        Searches per day above which a note lists the user as a possible program.
    drop_bots : bool
        Leave out the lists of users above `max_searches`.
    salt : path, optional
        A file outside the store for the salt that hashes users.

    Returns
    -------
    ImportedLog
        One row: lists, actions, repeated, left_out, bots, dropped and unmatched.

    Raises
    ------
    InputError
        If a line is unusable and `skip` is False. Nothing is then imported.

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
    ...     import_log(store, file.name)
    8 lists and 4 actions added
    >>> store.close()
    """
    from cranfield.features.online.analysis.log import LogImportRequest, import_notes
    from cranfield.features.online.analysis.log import import_log as append_log

    check_lists(arms=arms, attributes=attributes)
    if not isinstance(files, str | PathLike | Iterable):
        raise InputError(f"files is of type {type(files).__name__}; expected files or a DataFrame")
    with _paths_of(files) as paths, open_store_call(store) as call:
        read_as = "parquet" if _is_frame(files) else format
        request = LogImportRequest(read_as, experiment, arms, fields, attributes, skip, max_searches, drop_bots, salt)
        outcome = append_log(call.store, paths, request, beside=not call.is_in_python)
        if _is_frame(files):
            outcome.notes, outcome.first = (
                [_strip_folder(line, paths[0]) for line in lines] for lines in (outcome.notes, outcome.first)
            )
        call.keep(*import_notes(outcome))
        context = call.context("store.import_log")
    repeats = f"; {counted(outcome.repeated, 'list was', 'lists were')} already in the log" if outcome.repeated else ""
    left_out = sum(outcome.bad.values())
    bad = f"; {counted(left_out, 'line')} left out" if outcome.bad else ""
    added = f"{counted(outcome.impressions, 'list')} and {counted(outcome.actions, 'action')} added"
    row = {
        "lists": outcome.impressions, "actions": outcome.actions, "repeated": outcome.repeated, "left_out": left_out,
        "bots": len(outcome.bots), "dropped": outcome.dropped, "unmatched": len(outcome.unmatched),
    }  # fmt: skip
    return ImportedLog([row], lines=(f"{added}{repeats}{bad}",), outcome=outcome, context=context)


def _is_frame(files: Any) -> bool:
    return not isinstance(files, str | PathLike) and hasattr(files, "to_parquet")


@contextmanager
def _paths_of(files: Any) -> Iterator[list[Any]]:
    """The files, or a temporary file of a frame, whose folder errors do not name."""
    if not _is_frame(files):
        paths = [files] if isinstance(files, str | PathLike) else list(files)
        if right := describe_expected(Sequence[str | PathLike[str]], {}, paths):
            raise InputError(f"files is {paths!r:.60}; expected {right}")
        yield paths
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "DataFrame.parquet")
        files.to_parquet(path, index=False)
        try:
            yield [path]
        except InputError as error:
            raise InputError(_strip_folder(f"{error}", path)) from None


def _strip_folder(line: str, path: Path) -> str:
    return line.replace(f"{path.parent}{os.sep}", "")


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class LogMeasures(Result):
    """Measures of a log, by group.

    Columns: experiment, the group, measure, value, low, high, lists and users.

    Parameters
    ----------
    by : str
        The grouping: arm, run, position, query or an attribute.
    confidence : float
        Confidence level of the intervals.
    """

    display: ClassVar[Display] = Display(spare=("users", "lists"))

    by: str = "arm"
    confidence: float = 0.95


@check_arguments
def summarize_log(
    store: PresentStore,
    *,
    by: LogGroup = "arm",
    measures: ShownMeasures = (),
    min_users: MinUsers = 5,
    experiment: Experiment = None,
    arms: Arms = None,
    since: SinceOption = None,
    until: UntilOption = None,
    topics: OnlyTopics = None,
    confidence: ConfidenceLevel = 0.95,
) -> LogMeasures:
    """Show the measures of an interaction log: clicks, time, conversions.

    Use it to see what users do, by arm, run, position, query or an attribute of the log. `cranfield measures --online`
    lists the measures, and `cranfield measures CTR` describes one.

    Intervals are over users, because a user's lists depend on each other (delta method). An interval needs at least
    five users for a median, and at least 200 users for measures in clicks per search or in seconds. With `by` run or
    position, the measures count each document shown. In an interleaved list, each document is credited to the run whose
    team it belongs to.

    Example: cranfield online show track.db --by arm -m CTR@10 -m Abandonment

    Example: cranfield online show track.db --by position --since 2026-01-01

    Parameters
    ----------
    store : path or Store
        The store.
    by : str
        Grouping: arm, run, position, query or an attribute of the log.
    measures : str or sequence of str
        Online measures, or TOML files that define your own measures; by default several common measures.
    min_users : int
        Leave out queries that fewer users typed.
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
    LogMeasures
        A row for each group and measure: value, interval, number of lists, number of users.

    Warns
    -----
    CranfieldWarning
        If rows have too few users for an interval, or lists have no user.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> store.add_topics([Topic("q", "flutter")])
    1
    >>> import json, tempfile, warnings
    >>> lines = [
    ...     {"id": str(n), "at": "2026-01-31T10:00:00Z", "user": f"u{n}", "query": "flutter", "arm": "ab"[n % 2],
    ...      "docs": ["d1", "d2"], "actions": [{"kind": "click", "doc": "d1"}] * (n % 2)}
    ...     for n in range(8)
    ... ]
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     print(*map(json.dumps, lines), sep="\\n", file=file, flush=True)
    ...     _ = cranfield.store.import_log(store, file.name)
    >>> with warnings.catch_warnings(action="ignore"):  # too few users for intervals
    ...     table = summarize_log(store).frame
    >>> table[["arm", "measure", "value"]].values.tolist()[:2]
    [['a', 'CTR', 0.0], ['b', 'CTR', 1.0]]
    >>> store.close()
    """
    from cranfield.features.online.analysis.log import chosen_log, first_groups, interval_notes, kept_by, online_rows
    from cranfield.features.online.analysis.log import remarks as log_remarks

    names = names_in(measures)
    choice = log_choice(experiment, arms, since, until, kept_by(by, names))
    with open_store_call(store, selection_of(topics)) as call:
        log = chosen_log(call.store, choice)
        rows = online_rows(log, by, names, confidence, min_users)
        _, groups = first_groups(rows, by, 0)
        others = log_remarks(log, by, groups, min_users)
        if call.is_in_python:
            call.note(*interval_notes(rows), *others)
        else:
            call.keep(*others)  # the renderer adds those on the intervals that it shows
        title = f"{counted(len(log), 'list')}, {counted(log.users, 'user')}"
        context = call.context("online.summarize_log")
        return LogMeasures(rows, title=title, by=by, confidence=confidence, context=context)


class InterleavingMethods(Result):
    """The interleaving methods, one row each."""

    display: ClassVar[Display] = Display(spare=("source", "outcome"))


@check_arguments
def list_interleaving_methods() -> InterleavingMethods:
    """List the interleaving methods, and the bias of each.

    Use team-draft unless you have a reason not to. Team-draft is fair and needs only the teams in the log. Optimized is
    fair and more sensitive. Probabilistic and pairwise are fair, but they show users poorer lists.

    Balanced interleaving is biased. With the rankings 1 2 3 and 2 3 1, a user who clicks at random prefers the second
    ranking in 2 of 3 cases.

    Example: cranfield online interleave methods

    Example: cranfield online interleave methods --format json

    Returns
    -------
    InterleavingMethods
        Columns `method`, `systems`, `outcome`, `what`, `bias` and `source`.

    Examples
    --------
    >>> list_interleaving_methods().frame["method"].tolist()
    ['team-draft', 'balanced', 'probabilistic', 'optimized', 'pairwise']
    """
    from cranfield.features.online.interleaving import METHODS

    return InterleavingMethods([method.row for method in METHODS.values()])


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class InterleavingPreferences(Result):
    """Users' preferences between interleaved systems, by experiment.

    Parameters
    ----------
    experiments : sequence of ExperimentPreference
        The interleaving experiments.
    has_period : bool
        Whether only the lists of a period count.
    """

    experiments: Sequence[ExperimentPreference] = ()
    has_period: bool = False

    def to_latex(self) -> str:
        """Return the LaTeX tables that `--format latex` prints, one per experiment.

        Returns
        -------
        str
            LaTeX tabulars, with their notes as comments.
        """
        from cranfield.features.online.experiment_tables import preference_title, short_preference_rows

        tables = (
            Result(short_preference_rows(each), preference_title(each), context=self.context)
            for each in self.experiments
            if each.impressions
        )
        return "".join(table.to_latex() for table in tables)


@check_arguments
def infer_preferences(
    store: PresentStore,
    *,
    experiment: InterleavedExperiment = None,
    since: SinceOption = None,
    until: UntilOption = None,
    method: MethodOfLists = None,
    alpha: Alpha = 0.05,
    samples: SignFlips = 2000,
    rng: SeedOfFlips = None,
    topics: OnlyTopics = None,
) -> InterleavingPreferences:
    """Report which of two interleaved systems users prefer.

    Use it after you have imported a log of interleaved lists. Delta is (wins + ties / 2) / n - 1/2 over impressions.
    If Delta is above 0, users prefer system a. Delta is 0.5 if system a wins every impression.

    The methods probabilistic, optimized and pairwise weight clicks. For them, Delta is half the mean difference in
    credit. Several clicks on a document in one impression count once. If the rankings begin with the same documents in
    the same order, clicks on these documents credit neither system. An impression that shows only such documents is not
    counted in n.

    The interval is over users, and p comes from random sign flips over users. If each user has one impression, this is
    the sign test. With more than two systems, p is corrected by Holm's method. Balanced interleaving is biased: see
    `cranfield online interleave methods`.

    Example: cranfield online preference track.db

    Example: cranfield online preference track.db --experiment home --format json

    Parameters
    ----------
    store : path or Store
        The store.
    experiment : str, optional
        The experiment; by default every experiment with interleaved lists.
    since, until : float, optional
        Use only the lists at or after `since` and before `until`, in seconds since 1970.
    method : str, optional
        Interleaving method, if the store does not record it.
    alpha : float
        Significance level.
    samples : int
        Number of random sign flips.
    rng : int or numpy.random.Generator, optional
        Random seed of the sign flips, or a generator that draws the seed; 0 by default.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.

    Returns
    -------
    InterleavingPreferences
        A row for each pair of systems of each experiment: wins, losses, ties, delta, low, high, p and prefers.

    Raises
    ------
    InputError
        If the store has no interleaved lists, or the method cannot assign credit to them.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("clicks") as store:
    ...     infer_preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: this store contains no interleaved lists; import them with `cranfield import log`
    """
    from cranfield.features.online.analysis.interleaving import PreferenceRequest, preference_notes, preferences

    seed = seed_of(rng, min_seed=0)
    request = PreferenceRequest(experiment, since, until, method, alpha, samples, seed)
    has_period = not since is until is None
    with open_store_call(store, selection_of(topics)) as call:
        results = preferences(call.store, request)
        for each in results:
            call.keep(*preference_notes(each, has_period))
        settings = {"alpha": alpha, "samples": samples, "seed": seed, "since": since, "until": until}
        return InterleavingPreferences(
            [row for each in results for row in each.rows],
            document={**settings, "experiments": [each.document for each in results]},
            context=call.context("online.infer_preferences"), experiments=results, has_period=has_period,
        )  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ArmComparison(Result):
    """Differences between the arms of an A/B test and the control, or the sample size of a planned test.

    Parameters
    ----------
    test : AbTest
        The test; None with `plan`.
    """

    test: AbTest | None = None

    @property
    def typeset(self) -> TypesetTable:
        """The differences in short form, or the plan."""
        from cranfield.features.online.experiment_tables import PLAN_DISPLAY, arm_display, short_arm_rows

        if self.test is None:
            return TypesetTable(self.rows(), PLAN_DISPLAY)
        return TypesetTable(short_arm_rows(self.rows()), arm_display(self.test.request.unit))


@check_arguments
def compare_arms(
    store: PresentStore,
    control: ControlArm,
    *,
    measures: TestedMeasures = "CTR",
    experiment: Experiment = None,
    since: SinceOption = None,
    until: UntilOption = None,
    unit: Unit = "user",
    before: DaysBefore = None,
    sequential: Sequential = False,
    planned_users: PlannedUsers = None,
    plan: PlannedDifference = None,
    alpha: Alpha = 0.05,
    correction: CorrectionOfArms = "holm",
    shares: SharesOfArms = None,
    leave_out_arms: ArmsLeftOut = (),
    despite_srm: RatioOption = False,
    by: Segments = None,
    cap: Cap = None,
    margins: Margins = None,
    topics: OnlyTopics = None,
) -> ArmComparison:
    """Compare the arms of an A/B test with the control arm.

    Use it to decide an experiment: it reports each difference with its interval over users, and p. The page "Run an A/B
    test" explains the decision.

    The command checks the sample ratio first. If users are not divided among the arms as planned (chi-square test, p
    below 0.0005), the arms are not comparable. The result is then withheld, and on the command line the exit status is
    1.

    Each user has one value per measure; for a ratio such as CTR, it comes from the delta method. Welch's t test
    compares the arms, and p is corrected over arms and measures. Two hypothetical users are added to each arm (Agresti
    and Caffo). For a share, their values are 0 and 1; for other measures, they are the smallest and the largest value
    of any user. A measure that is not a share needs 200 users in each arm for an interval. With fewer users, it has
    only a p from a permutation test. `before` adjusts for the same users' earlier behaviour, which narrows the
    intervals. Users who appear in several arms are left out and counted.

    `margins` makes a measure a guardrail (a non-inferiority test). A guardrail holds if the whole interval is within
    the margin (one-sided, at alpha / 2). It is broken if the whole interval is outside the margin. All guardrails must
    hold, so they are not corrected for each other. `by` tests within each value of an attribute, such as each device,
    with one correction over all values. `measures` also accepts TOML files of your own measures.

    p is valid for a single look at the planned size. If you look daily and stop at the first p below 0.05, one in five
    tests reports a difference that does not exist. `sequential` gives intervals that stay valid at every look. These
    intervals are wider, and are tightest at `planned_users`.

    Example: cranfield online ab track.db --control bm25 -m CTR -m Abandonment --before 28

    Example: cranfield online ab track.db --control bm25 --experiment home

    Parameters
    ----------
    store : path or Store
        The store.
    control : str
        The control arm.
    measures : str or sequence of str
        Online measures, or TOML files that define your own measures.
    experiment : str, optional
        The experiment; by default the only experiment that has this arm.
    since, until : float, optional
        Use only the lists at or after `since` and before `until`, in seconds since 1970.
    unit : {"user", "session", "list"}
        The unit of analysis, whose values must be independent.
    before : int, optional
        Adjust for the same users' behaviour in this many days before the experiment (CUPED).
    sequential : bool
        Use intervals and p values that are valid at every look.
    planned_users : int, optional
        Planned total number of users, over all arms.
    plan : float, optional
        Estimate how many users each arm needs to find this difference, instead of testing.
    alpha : float
        Significance level.
    correction : str
        Correction for multiple tests, across arms and measures: holm, bh, bonferroni or none.
    shares : mapping, optional
        Planned share of users in each arm; by default equal shares.
    leave_out_arms : sequence of str
        Arms to leave out, with their users.
    despite_srm : bool
        Return the results even if the sample ratio check fails.
    by : str, optional
        Test within each value of this list attribute.
    cap : float, optional
        Cap users' totals at this quantile, such as 0.995. Measures that are proportions are not capped.
    margins : mapping, optional
        Margins of guardrails by measure, such as {"CTR": "2%"} or {"CTR": 0.01}.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.

    Returns
    -------
    ArmComparison
        A row for each measure and arm: difference with low and high, relative, p and guardrail. With `plan`, a row for
        each measure: users, deviation, difference, users_needed and detectable.

    Raises
    ------
    InputError
        If the sample ratio check fails, unless `despite_srm` is True.

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
    >>> compare_arms(store, "a").frame[["measure", "arm", "control", "value"]].values.tolist()[0]
    ['CTR', 'b', 0.0, 1.0]
    >>> store.close()
    """
    from cranfield.features.online.analysis.ab import ab_test
    from cranfield.features.online.analysis.ab import plan as plan_users
    from cranfield.features.online.analysis.subjects import AbRequest
    from cranfield.features.online.experiment_tables import arm_title

    request = AbRequest(
        control, measures, experiment, since, until, unit, before, sequential, planned_users, plan, alpha, correction,
        shares, leave_out_arms, despite_srm, by, cap, margins,
    )  # fmt: skip
    with open_store_call(store, selection_of(topics)) as call:
        if plan is not None:
            title = (
                "users needed: per arm, to find the difference in 4 of 5 tests; detectable: difference that the"
                " current users show in 4 of 5 tests"
            )
            return ArmComparison(
                plan_users(call.store, request), title=title, context=call.context("online.compare_arms")
            )
        test = ab_test(call.store, request)
        call.keep(*test.notes)
        return ArmComparison(
            test.rows, title=arm_title(test), document=test.document, test=test,
            context=call.context("online.compare_arms"),
        )  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ArmDivergence(Result):
    """Offline and online differences between pairs of arms, and their agreement.

    Parameters
    ----------
    found : Divergence
        The pairs, the agreement of each measure, and the topics that differ most.
    """

    found: Divergence


@check_arguments
def measure_divergence(
    store: PresentStore,
    *,
    measures: Measures = "nDCG@10",
    online: OnlineMeasureName = "CTR",
    experiment: Experiment = None,
    arms: Arms = None,
    since: SinceOption = None,
    until: UntilOption = None,
    topics: OnlyTopics = None,
    ignore_own_id: IgnoresOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    confidence: ConfidenceLevel = 0.95,
) -> ArmDivergence:
    """Compare offline and online differences between the arms.

    Use it to see whether judgments predict users' preferences. An arm is compared offline if a run in the store has the
    same name.

    Two arms of an experiment are `same` or `opposite` if neither the offline nor the online interval contains 0.
    Otherwise they are undecided. An offline interval needs at least eight topics with different scores. Measures in
    clicks per search or in seconds need at least 200 users per arm. With four pairs or more, a row for each measure
    gives the share of pairs with the same sign, Kendall's tau and Pearson's r. The slope is the online difference per
    0.01 of the offline difference.

    The last table lists the topics that differ most on the first measure. It shows how many of the first 10 documents
    of each run are judged. It also shows by how many days the newest judgment is older than the last list. Missing and
    old labels are the most likely causes of a disagreement.

    Example: cranfield online divergence track.db -m nDCG@10 -m AP --online CTR

    Example: cranfield online divergence track.db --format csv

    Parameters
    ----------
    store : path or Store
        The store.
    measures : measure or iterable of measures
        Offline measures, as text or as objects.
    online : str
        Online measure.
    experiment : str, optional
        Use only the lists of this experiment.
    arms : sequence of str, optional
        Use only the lists of these arms.
    since, until : float, optional
        Use only the lists at or after `since` and before `until`, in seconds since 1970.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    ignore_own_id : bool
        Remove documents with the topic's own id from runs and judgments.
    assessor, policy : str, optional
        Count only this assessor's labels, or use this policy where labels differ.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count.
    confidence : float
        Confidence level of the intervals.

    Returns
    -------
    ArmDivergence
        A row for each pair of arms and each measure: offline and online difference with intervals, and verdict.

    Raises
    ------
    InputError
        If fewer than two arms of the log are runs of the store.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> store.add_topics([Topic("q", "flutter")])
    1
    >>> import json, tempfile, warnings
    >>> lines = [
    ...     {"id": str(n), "at": "2026-01-31T10:00:00Z", "user": f"u{n}", "query": "flutter", "arm": "ab"[n % 2],
    ...      "docs": ["d1", "d2"], "actions": [{"kind": "click", "doc": "d1"}] * (n % 2)}
    ...     for n in range(8)
    ... ]
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     print(*map(json.dumps, lines), sep="\\n", file=file, flush=True)
    ...     _ = cranfield.store.import_log(store, file.name)
    >>> _ = cranfield.store.import_runs(store, {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}})
    >>> _ = cranfield.store.import_qrels(store, {"q": {"d1": 1, "d2": 0}}, assessor="ada", kind="human")
    >>> with warnings.catch_warnings(action="ignore"):  # too few topics for an interval
    ...     table = measure_divergence(store).frame
    >>> table[["arm_a", "arm_b", "online", "verdict"]].values.tolist()
    [['a', 'b', -1.0, 'undecided']]
    >>> store.close()
    """
    from cranfield.features.online.analysis.divergence import as_document, divergence, missing_interval_notes, pair_rows
    from cranfield.features.online.analysis.log import chosen_log

    labellers = Labellers(assessor, LabelledBy(labels), policy, ignore_own_id)
    with open_store_call(store, selection_of(topics)) as call:
        log = chosen_log(call.store, log_choice(experiment, arms, since, until))
        found = divergence(call.store, log, measures, online, labellers=labellers, confidence=confidence)
        if found.without_run:
            call.keep(f"these arms are not compared, because no run has their name: {', '.join(found.without_run)}")
        call.keep(*missing_interval_notes(found.pairs))
        context = call.context("online.measure_divergence")
        return ArmDivergence(pair_rows(found), document=as_document(found), found=found, context=context)
