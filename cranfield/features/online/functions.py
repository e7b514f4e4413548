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

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call
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
from cranfield.lazy import type_in
from cranfield.options import Assessor, Labels, Measures, PolicyName
from cranfield.options.given import IgnoresOwnId, OnlyTopics, PresentStore, selection_of
from cranfield.options.values import expectation
from cranfield.results import Display, Result, ResultInLines, TypesetTable
from cranfield.rng import seed_of
from cranfield.selection import LabelledBy, Labellers
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.ab import AbTest
    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.features.online.analysis.interleaving import ExperimentPreference
    from cranfield.features.online.analysis.log import LogImport
else:
    LogImport = type_in("cranfield.features.online.analysis.log", "LogImport")
    ExperimentPreference = type_in("cranfield.features.online.analysis.interleaving", "ExperimentPreference")
    Divergence = type_in("cranfield.features.online.analysis.divergence", "Divergence")
    AbTest = type_in("cranfield.features.online.analysis.ab", "AbTest")


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ImportedLog(ResultInLines):
    """What an import added to the log, in one row: lists, actions, repeated, left_out, bots, dropped, unmatched.

    Parameters
    ----------
    outcome : LogImport
        The same with the lines that were left out, the users who may be programs, and the queries of no topic.
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
    """Import an interaction log: the lists that users were shown, and what they did with them.

    Detected are Cranfield's JSONL, OpenSearch UBI (queries and events given together), Yandex's RelPred, the Open
    Bandit Dataset, Google Analytics 4 as BigQuery exports it, and tables (CSV, TSV, Parquet) with a row for each
    document shown or each event: id, at, user, session, qid or query, experiment, arm, doc, position, and click,
    seconds, value, or kind. Cranfield's has one object per line, with docs, teams, propensity and actions. `attributes`
    keeps a further field, for `online show --by`. Users and sessions are stored as salted hashes. A list that is in the
    log already is left as it is, but for new `attributes`, so the same file can be imported again; another list under
    its id is refused.

    Example: cranfield import log track.db clicks.jsonl.gz --experiment "first page" --arms bm25,dense

    Example: cranfield import log track.db ubi.jsonl

    Parameters
    ----------
    store : path or Store
        The store.
    files : path, sequence of paths or DataFrame
        The files; or a frame with a row for each document shown, or for each event.
    format : str
        The files' format; detected from the content by default.
    experiment : str
        The experiment of lines that do not name one.
    arms : sequence of str, optional
        The arms of the experiment; in interleaved lists, team a is the first.
    fields : mapping, optional
        Names of fields in the files, such as {"user": "visitor"}.
    attributes : sequence of str
        Further fields to keep.
    skip : bool
        Leave out lines that cannot be used.
    max_searches : int
        Users with more searches on a day are listed in the notes.
    drop_bots : bool
        Leave out the lists of these users.
    salt : path, optional
        A file outside the store for the salt with which users are hashed.

    Returns
    -------
    ImportedLog
        One row: lists, actions, repeated, left_out, bots, dropped and unmatched.

    Raises
    ------
    InputError
        If a line cannot be used, unless `skip` is True. Nothing is imported then.

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
        raise InputError(f"a log is given as files or a DataFrame, not as {type(files).__name__}")
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
    repeats = f"; {counted(outcome.repeated, 'list')} already in the log" if outcome.repeated else ""
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
        if right := expectation(Sequence[str | PathLike[str]], {}, paths):
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
    """The measures of a log by group: experiment, the group, measure, value, low, high, lists, users.

    Parameters
    ----------
    by : str
        What the groups are.
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
    """Show the measures of an interaction log: clicks, time, reformulations, conversions.

    Users are independent of each other, their lists are not: intervals are over users (delta method). Clicks per search
    and seconds have one from 200 users, a median from five. By run and by position each document shown counts; the run
    of an interleaved list's document is that of its team. Measures: CTR, CTR@k, Abandonment, ClicksPerSearch, MaxRR,
    MeanRR, TimeToClick, Dwell, Satisfied, Reformulation, Conversion, ZeroHits; `cranfield measures CTR` describes one.

    Example: cranfield online show track.db --by arm -m CTR@10 -m Abandonment

    Example: cranfield online show track.db --by day --since 2026-01-01

    Parameters
    ----------
    store : path or Store
        The store.
    by : str
        arm, run, position, query, or an attribute of the log.
    measures : str or sequence of str
        Online measures, or TOML files of measures; several common ones by default.
    min_users : int
        Queries of fewer users are left out.
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
    LogMeasures
        A row for each group and measure: the value, its interval, and the numbers of lists and users.

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
    >>> import json, tempfile
    >>> lines = [
    ...     {"id": str(n), "at": "2026-01-31T10:00:00Z", "user": f"u{n}", "query": "flutter", "arm": "ab"[n % 2],
    ...      "docs": ["d1", "d2"], "actions": [{"kind": "click", "doc": "d1"}] * (n % 2)}
    ...     for n in range(8)
    ... ]
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     print(*map(json.dumps, lines), sep="\\n", file=file, flush=True)
    ...     _ = cranfield.store.import_log(store, file.name)
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # too few users for intervals
    ...     table = summarize_log(store).frame
    >>> table[["arm", "measure", "value"]].values.tolist()[:2]
    [['a', 'CTR', 0.0], ['b', 'CTR', 1.0]]
    >>> store.close()
    """
    from cranfield.features.online.analysis.log import (
        chosen_log,
        first_groups,
        interval_notes,
        kept_by,
        online_rows,
        remarks,
    )

    names = names_in(measures)
    choice = log_choice(experiment, arms, since, until, kept_by(by, names))
    with open_store_call(store, selection_of(topics)) as call:
        log = chosen_log(call.store, choice)
        rows = online_rows(log, by, names, confidence, min_users)
        _, groups = first_groups(rows, by, 0)
        others = remarks(log, by, groups, min_users)
        if call.is_in_python:
            call.note(*interval_notes(rows), *others)
        else:
            call.keep(*others)  # the renderer adds those on the intervals that it shows
        title = f"{counted(len(log), 'list')}, {counted(log.users, 'user')}"
        return LogMeasures(
            rows, title=title, by=by, confidence=confidence, context=call.context("online.summarize_log")
        )


class InterleavingMethods(Result):
    """The interleaving methods."""

    display: ClassVar[Display] = Display(spare=("source", "outcome"))


@check_arguments
def list_interleaving_methods() -> InterleavingMethods:
    """List the interleaving methods, and whom each favours.

    Balanced interleaving is biased: of the rankings 1 2 3 and 2 3 1, a user who clicks at random prefers the second in
    2 of 3 cases. Team draft is fair and needs nothing but the teams of the log; optimized is fair and more sensitive;
    probabilistic and pairwise show users poorer lists. Take team-draft unless you have a reason.

    Example: cranfield online interleave methods

    Example: cranfield online interleave methods --format json

    Returns
    -------
    InterleavingMethods
        Columns method, systems, outcome, what, bias and source.

    Examples
    --------
    >>> list_interleaving_methods().frame["method"].tolist()
    ['team-draft', 'balanced', 'probabilistic', 'optimized', 'pairwise']
    """
    from cranfield.features.online.interleaving import METHODS

    return InterleavingMethods([method.row for method in METHODS.values()])


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class InterleavingPreferences(Result):
    """Which of every two interleaved systems users prefer, by experiment.

    Parameters
    ----------
    experiments : sequence of ExperimentPreference
        The experiments.
    has_period : bool
        Whether only lists of a period count.
    """

    experiments: Sequence[ExperimentPreference] = ()
    has_period: bool = False

    def to_latex(self) -> str:
        """Return the tables that the command prints with `--format latex`, one for each experiment.

        Returns
        -------
        str
            Tabulars of LaTeX, with their notes as comments.
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
    """Report which of two interleaved systems users prefer, with interval and p.

    Delta is (wins + ties / 2) / n - 1/2 over impressions: above 0 users prefer a, and .5 means always. Where the method
    weighs clicks (probabilistic, optimized, pairwise) it is half the mean difference of credit, which is what is fair
    there. A click counts once per document. An impression that shows only documents with which the rankings begin alike
    says nothing and is not in n. The interval is over users; p is that of sign flips over users, which is the sign test
    where each has one impression, corrected by Holm for more than two systems.

    Balanced interleaving is biased: see cranfield online interleave methods.

    Example: cranfield online preference track.db

    Example: cranfield online preference track.db --experiment home --format json

    Parameters
    ----------
    store : path or Store
        The store.
    experiment : str, optional
        The experiment; every experiment with interleaved lists by default.
    since, until : float, optional
        Only lists from this time on, or before this time, in seconds since 1970.
    method : str, optional
        The interleaving method, where the store does not have it.
    alpha : float
        Significance level.
    samples : int
        Number of random sign flips.
    rng : int or numpy.random.Generator, optional
        Random seed of the sign flips, or a generator that draws it; 0 by default.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.

    Returns
    -------
    InterleavingPreferences
        A row for each pair of systems of each experiment: wins, losses, ties, delta, low, high, p and prefers.

    Raises
    ------
    InputError
        If the store has no interleaved lists, or the lists have no credit by the method.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("clicks") as store:
    ...     infer_preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: this store has no interleaved lists; `cranfield import log` brings them
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
    """Each arm of an A/B test against the control; or how many users a test takes.

    Parameters
    ----------
    test : AbTest
        The test; None where users are planned.
    """

    test: AbTest | None = None

    @property
    def typeset(self) -> TypesetTable:
        """The differences as people read them, or the plan."""
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
    """Compare the arms of an A/B test with the control: differences with intervals over users, and p.

    First the sample ratio: if users are not divided among the arms as planned (chi-square, p below .0005), the arms are
    not alike and the result is withheld. On the command line the exit status is then 1.

    Each user has one value per measure; for a ratio such as CTR, that of the delta method. Differences are tested by
    Welch's t test and corrected over arms and measures; each arm counts with two more users, one at 0 and one at 1 for
    a share (Agresti and Caffo), or at the least and the most of any user. Measures that are no shares have an interval
    from 200 users in each arm, and with fewer the p of a permutation test. `before` takes out what the same users did
    before, which narrows intervals at no cost. Users in several arms are left out and counted.

    `margins` makes a measure a guardrail: it holds where the whole interval is within the margin (non-inferiority, by
    one side at alpha / 2), and is broken where all of it is beyond. All have to hold, so none is corrected. `by` tests
    within each device, say, with one correction for all. `measures` takes a TOML file of measures of your own, too.

    p holds for one look at a planned size: looking daily and stopping at the first p below .05 finds a difference in
    every fifth test without one. `sequential` holds at every look; its intervals are wider, and tightest at
    `planned_users`.

    Example: cranfield online ab track.db --control bm25 -m CTR -m Abandonment --before 28

    Example: cranfield online ab track.db --control bm25 --experiment home

    Parameters
    ----------
    store : path or Store
        The store.
    control : str
        The arm with which the others are compared.
    measures : str or sequence of str
        Online measures, or TOML files of measures.
    experiment : str, optional
        The experiment; by default the only one that has this arm.
    since, until : float, optional
        Only lists from this time on, or before this time, in seconds since 1970.
    unit : {"user", "session", "list"}
        The unit whose values are independent of each other.
    before : int, optional
        Adjust for what the same users did in this many days before the experiment (CUPED).
    sequential : bool
        Intervals and p that hold at every look.
    planned_users : int, optional
        Number of users planned, over all arms.
    plan : float, optional
        Estimate instead how many users of each arm it takes to find this difference.
    alpha : float
        Significance level.
    correction : str
        For several arms and measures: holm, bh, bonferroni or none.
    shares : mapping, optional
        Planned shares of users by arm; equal by default.
    leave_out_arms : sequence of str
        Leave out these arms and their users.
    despite_srm : bool
        Return results even if the sample ratio fails.
    by : str, optional
        Test for each value of this attribute of lists.
    cap : float, optional
        A share of users, such as 0.995, whose totals are not cut.
    margins : mapping, optional
        Margins of guardrails by measure, such as {"CTR": "2%"} or {"CTR": 0.01}.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.

    Returns
    -------
    ArmComparison
        A row for each measure and arm: difference with low and high, relative, p and guardrail; with `plan`, a row for
        each measure: users, deviation, difference, users_needed and detectable.

    Raises
    ------
    InputError
        If the sample ratio fails, unless `despite_srm` is True.

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
                "Users each arm needs to find the difference in 4 of 5 tests;"
                " detectable: the difference that the present users show in 4 of 5 tests"
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
    """Offline and online differences of pairs of arms, and whether they agree.

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
    """Compare offline and online differences of the arms, to see if judgments predict what users prefer.

    An arm is the run of its name. Two arms of an experiment agree (same) or not (opposite) where both intervals are on
    one side of 0, else they are undecided; an interval needs eight topics that differ, and of clicks per search or
    seconds 200 users in each arm. From 4 pairs on: the share with the same sign, Kendall's tau, Pearson's r,
    and the slope, which is the online difference for .01 of the offline one.

    Then the topics that differ most by the first measure, with judged documents among the first 10 of each run, and
    how many days before the last list the newest judgment was: missing and old labels are the first suspects.

    Example: cranfield online divergence track.db -m nDCG@10 -m AP --online CTR

    Example: cranfield online divergence track.db --format csv

    Parameters
    ----------
    store : path or Store
        The store.
    measures : measure or iterable of measures
        Offline measures, as text or as objects.
    online : str
        The online measure.
    experiment : str, optional
        Only lists of this experiment.
    arms : sequence of str, optional
        Only lists of these arms.
    since, until : float, optional
        Only lists from this time on, or before this time, in seconds since 1970.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's, from runs and judgments.
    assessor, policy : str, optional
        Count only the labels of this assessor, or count by this policy where labels differ.
    labels : {"people", "models", "all"}
        Whose labels count.
    confidence : float
        Confidence level of the intervals.

    Returns
    -------
    ArmDivergence
        A row for each pair of arms and measure: offline and online difference with intervals, and verdict.

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
    >>> import json, tempfile
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
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # too few topics for an interval
    ...     table = measure_divergence(store).frame
    >>> table[["arm_a", "arm_b", "online", "verdict"]].values.tolist()
    [['a', 'b', -1.0, 'undecided']]
    >>> store.close()
    """
    from cranfield.features.online.analysis.divergence import as_document, divergence, pair_rows
    from cranfield.features.online.analysis.log import chosen_log

    labellers = Labellers(assessor, LabelledBy(labels), policy, ignore_own_id)
    with open_store_call(store, selection_of(topics)) as call:
        log = chosen_log(call.store, log_choice(experiment, arms, since, until))
        found = divergence(call.store, log, measures, online, labellers=labellers, confidence=confidence)
        if found.without_run:
            call.keep(f"arms of no run: {', '.join(found.without_run)}")
        context = call.context("online.measure_divergence")
        return ArmDivergence(pair_rows(found), document=as_document(found), found=found, context=context)
