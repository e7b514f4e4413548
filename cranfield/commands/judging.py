"""Judging: who judges what, how the work goes, where labels differ, and what a label rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from cranfield import hooks
from cranfield.commands.calls import open_store_call
from cranfield.errors import ArgumentError, Note, ProvenanceWarning
from cranfield.formats.text_tables import Row
from cranfield.lazy import lazy_type
from cranfield.options import PoolNumber, seed_of
from cranfield.options.arguments import (
    JudgedBefore,
    OnlyTopics,
    PresentStore,
    ReadStore,
    Round,
    RoundJudgments,
    check_arguments,
    selection_of,
)
from cranfield.options.judging import (
    AssignedAssessors,
    AssignedTopics,
    CannotJudgeToo,
    DisagreeingAssessorsOption,
    ExplainedDocument,
    ExplainedTopic,
    HoursOfLease,
    PolicyOfOpenCases,
    PolicyOfQrels,
    ProgressSection,
    QueueOption,
    RankingMeasure,
    SecondPassedOn,
    SecondShare,
    SeedOfPlan,
    ShownTwice,
    TopicsPassedOn,
    TopSystems,
)
from cranfield.options.stores import ChosenAssessor, ChosenPolicy, IsTakenBack, ReasonToChoose
from cranfield.results import Display, Result, ResultInLines, TypesetTable
from cranfield.text import counted, format_moment

if TYPE_CHECKING:
    from cranfield.judging.labels.why import Why
    from cranfield.store.store import Store
else:
    Why = lazy_type("cranfield.judging.labels.why", "Why")

SECTION_TITLES = {
    "work": "Work, by assessor and topic",
    "pace": "Pace and time left (with a range)",
    "agreement": "Agreement so far: raw shares, not corrected for chance (see cranfield agreement)",
    "repeats": "Repeats: each assessor's agreement with their own labels",
    "drift": "Drift: first, middle and last third of each topic, in the order judged",
}


class AssignmentTable(Result):
    """Assignments of topics to assessors. A topic without an assessor is in the queue. An assignment without a lease
    does not expire.
    """

    columns: ClassVar[tuple[str, ...]] = (
        "qid", "role", "assessor", "lease", "documents", "unfinished", "repeats", "cannot_judge", "pool",
    )  # fmt: skip

    @property
    def typeset(self) -> TypesetTable:
        """The printed rows. The pool is included only if there are several pools."""
        work = self.rows()
        several = len({row["pool"] for row in work}) > 1
        rows = [
            {
                "topic": row["qid"],
                "role": row["role"],
                "assessor": row["assessor"] or "(queue)",
                **({"pool": row["pool"]} if several else {}),
                "documents": row["documents"],
                "unfinished": row["unfinished"],
                "repeats": row["repeats"],
                "held until": row["lease"] or "",
            }
            for row in work
        ]
        return TypesetTable(rows)


@check_arguments
def assign_topics(
    store: PresentStore,
    *,
    assessors: AssignedAssessors = (),
    queue: QueueOption = False,
    topics: AssignedTopics = (),
    overlap: SecondShare = 0.0,
    cannot_judge: CannotJudgeToo = False,
    repeats: ShownTwice = 0,
    rng: SeedOfPlan = None,
    lease: HoursOfLease = 24,
    pool: PoolNumber = None,
    give: TopicsPassedOn = None,
    give_second: SecondPassedOn = None,
) -> AssignmentTable:
    """Assign pooled topics to assessors or to a queue.

    Without options, the command shows the assignments. Each topic is judged by one assessor. With `overlap`, a random
    sample of all documents is drawn before judging begins, and a second assessor also judges it, to estimate agreement.
    With `cannot_judge`, documents that the first assessor cannot judge also go to the second, who does not see the
    reason. With `repeats`, a few documents of each topic are shown to the same assessor a second time without notice.
    Short topics have no repeats, because the assessor would remember the first label. Documents that are already judged
    stay with their assessor when a topic is reassigned.

    By default, the topics of the newest pool are assigned, and larger pools built later are included. With `pool` N,
    the topics of pool N are assigned, and later pools do not change that.

    Example: cranfield assign track.db --assessor ada --assessor bob --overlap 10% --repeat 2

    Example: cranfield assign track.db

    Parameters
    ----------
    store : path or Store
        The store.
    assessors : sequence of str, optional
        The assessors to assign topics to.
    queue : bool
        Put the topics in a queue, from which assessors claim them.
    topics : sequence of str, optional
        Assign only these topics.
    overlap : float
        Share of documents that a second assessor judges, from 0 to 1.
    cannot_judge : bool
        Pass documents that a topic's assessor cannot judge to a second assessor.
    repeats : int
        Number of documents per topic that the topic's assessor judges twice.
    rng : int or numpy.random.Generator, optional
        Random seed for the overlap and the repeats, or a generator that draws the seed; 0 by default.
    lease : float
        Hours after which an unused claim expires.
    pool : int, optional
        Number of the stored pool; the newest by default.
    give, give_second : mapping of str to str or None, optional
        New assessor by topic, for the first or the second assessment. None puts a topic in the queue.

    Returns
    -------
    AssignmentTable
        One row per topic and role. Columns: qid, role, assessor, lease, documents, unfinished, repeats, cannot_judge
        and pool.

    Raises
    ------
    InputError
        If both assessors and a queue are given, or a topic is already assigned. Nothing is assigned in that case.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("nothing pooled") as store:
    ...     assign_topics(store).frame.columns.tolist()[:3]
    ['qid', 'role', 'assessor']
    """
    from cranfield.judging.planning.assign import assign_topics_to_assessors
    from cranfield.judging.session.order import LEAST
    from cranfield.store.assignments import assignments, plans
    from cranfield.store.corpus import missing_pool_texts_note
    from cranfield.store.pools import pool_depth

    if assessors and queue:
        raise ArgumentError("give either --assessor or --queue", "queue")
    with open_store_call(store) as call:
        with call.store.writing():  # all or nothing
            _reassign(call.store, give or {}, give_second or {})
            if assessors or queue:
                before = {one.qid for one in assignments(call.store)}
                given = assign_topics_to_assessors(
                    call.store, assessors, topics, overlap=overlap, repeats=repeats, seed=seed_of(rng),
                    cannot_judge=cannot_judge, lease=round(lease * 3600), number=pool,
                )  # fmt: skip
                new = [one for one in given if one.role == "first" and one.qid not in before]
                if short := [one.qid for one in new if one.repeats < repeats]:
                    need = f"--repeat {repeats} needs more than {LEAST + repeats} documents per topic"
                    get = counted(len(short), "topic gets", "topics get")
                    call.note(f"{get} no repeated documents: {need}")
        pool_depth(call.store, pool)  # refuses an unknown pool
        work = [one for one in assignments(call.store) if pool in (None, one.pool)]
        rows = [one._asdict() for one in work]
        document = {"plans": [plan._asdict() for plan in plans(call.store)], "assignments": rows}
        title = "" if work else f"no topic{f' of pool {pool}' if pool else ''} is assigned yet"
        call.note(missing_pool_texts_note(call.store) if work else None)
        return AssignmentTable(rows, title=title, document=document, context=call.context("judging.assign_topics"))


def _reassign(store: Store, first: Mapping[str, str | None], second: Mapping[str, str | None]) -> None:
    from cranfield.store.assignments import give_assignment

    for qid, name in first.items():
        give_assignment(store, qid, "first", name)
    for qid, name in second.items():
        give_assignment(store, qid, "second", name)


@dataclass(frozen=True, repr=False, eq=False)
class JudgingProgress(Result):
    """Progress of judging, as several tables. The rows come from one of these tables.

    Parameters
    ----------
    tables : mapping of str to sequences of rows
        The tables by section.
    titles : mapping of str to str
        The titles by section.
    section : str, optional
        The requested section.
    head : str
        A sentence about the labelled share of the pool.
    summary : sequence of str
        The number of labels given, the hours left, and the finish date, in words; empty if there is nothing to judge.
    """

    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    section: str | None = None
    head: str = ""
    summary: Sequence[str] = ()


@check_arguments
def progress(
    store: ReadStore,
    *,
    pool: PoolNumber = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    section: ProgressSection = None,
) -> Result:
    """Show the progress of judging, the time left, and agreement so far.

    The first line shows how much of the pool was labelled by people, by models only, and by nobody. The next lines show
    how many labels remain, how many hours they take, and when judging will be finished. The date is based on the pace
    in the last week. The estimate leaves out people who gave no label in that week, and the output names them. The
    option `--show work` shows each topic. For models and imported judgments, the tables show only the number of labels.

    Times are seconds of active work. The estimate of the hours left takes document length into account and requires ten
    timed decisions. The estimate is shown with its basis, and with a range that contains the true value in 19 of 20
    cases. Documents that an adaptive pool can still add within its budget count as remaining. Labels given within 0.4
    seconds count as fast, and are excluded from the pace. If documents are shown in a blind order, the thirds of a
    topic should be similar. Differences may mean that the assessor's standards have drifted.

    Example: cranfield progress track.db

    Example: cranfield progress track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.
    pool : int, optional
        Number of the stored pool; the newest by default.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    section : {"work", "pace", "agreement", "repeats", "drift"}, optional
        Table to return as rows; "work" by default. `.tables` has all tables.

    Returns
    -------
    Result
        The rows of the table. Times are seconds or hours of active time.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("nothing pooled") as store:
    ...     progress(store, section="pace").rows()
    []
    """
    from cranfield.judging.labels.uncounted import recorded_choice_note
    from cranfield.judging.planning.forecast import forecast_work
    from cranfield.judging.planning.progress import (
        imported_labels_note,
        pool_progress_line,
        pool_progress_row,
        progress_of,
    )
    from cranfield.judging.planning.sections import SECTIONS

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        if other := hooks.replacement_function("progress", call.reading.added):
            rows, title = other(call.store, pool)
            return Result(rows, title=title, context=call.context("judging.progress"))
        row = pool_progress_row(call.store, pool) if pool or call.store.counts()["pool"] else None
        state = progress_of(call.store, pool)
        forecast = forecast_work(state, datetime.now(UTC))
        tables = {name: SECTIONS[name](state) for name in ([section] if section else SECTIONS)}
        titles = dict(SECTION_TITLES)
        if section is None:
            for added in hooks.ask(lambda extension: extension.progress(call.store)):
                tables |= {name: table.rows for name, table in added.items() if table.rows}
                titles |= {name: table.title for name, table in added.items()}
        rows = tables[section or "work"]
        if uncounted := recorded_choice_note(call.store):
            call.note(Note(uncounted, ProvenanceWarning))
        if row:
            call.note(imported_labels_note(row, is_assigned=call.store.has_rows("assignment")))
        return JudgingProgress(
            rows,
            title=SECTION_TITLES[section or "work"],
            document=rows if section else {"pool": row, "forecast": forecast.to_json(), **tables},
            tables=tables,
            titles=titles,
            section=section,
            head=pool_progress_line(row) if row else "",
            summary=forecast.lines_in_words,
            context=call.context("judging.progress"),
        )


@dataclass(frozen=True, repr=False, eq=False)
class LabelExplanation(Result):
    """Events of the judgment log behind one qrels line.

    Parameters
    ----------
    reasons : Why
        All data behind the qrels line: events, pools, runs and the text.
    cells : sequence of rows
        The printed events.
    """

    reasons: Why | None = None
    display: ClassVar[Display] = Display(
        digits={"at": format_moment}, spare=("text", "unsure", "kind of assessor", "seconds", "said", "at")
    )

    cells: Sequence[Row] = ()

    @property
    def typeset(self) -> TypesetTable:
        """The printed events."""
        return TypesetTable(self.cells, self.display)


@check_arguments
def explain_label(
    store: ReadStore, qid: ExplainedTopic, docno: ExplainedDocument, *, policy: PolicyOfQrels = None
) -> LabelExplanation:
    """Explain a qrels line by the events, pools and runs behind it.

    The command also shows whether the text has changed since it was judged. It is for organisers only, because it shows
    information that assessors must not see. The mark "counts" shows which labels determine the grade in the qrels, as
    written by `export qrels`. The policy primary uses one label per document. It prefers an adjudication, then a
    person's label to a model's, then the label of the topic's first assessor, then the earliest label. Below each event
    is its evidence: marked passages, and labels that an adjudicator saw.

    Example: cranfield why track.db 51 DOC-17

    Example: cranfield why track.db 51 DOC-17 --format json

    Parameters
    ----------
    store : path or Store
        The store.
    qid, docno : str
        The topic and the document.
    policy : str, optional
        Policy for documents with differing labels; by default the store's choice, otherwise primary.

    Returns
    -------
    LabelExplanation
        One row per event of the judgment log. The column fate is "counts" if the event determines the grade.

    Raises
    ------
    InputError
        If the store lacks this topic or document, or the policy is unknown.

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
    >>> for name, grade in {"ada": 1, "bob": 0}.items():
    ...     _ = cranfield.store.import_qrels(store, {"q": {"d1": grade}}, assessor=name, kind="human")
    >>> explain_label(store, "q", "d1").frame[["assessor", "grade"]].values.tolist()
    [['ada', 1], ['bob', 0]]
    >>> store.close()
    """
    from cranfield.judging.labels.why import as_document, event_rows, explain_grade

    with open_store_call(store) as call:
        reasons = explain_grade(call.store, qid, docno, policy)
        document, cells = as_document(reasons), event_rows(call.store, reasons)
        return LabelExplanation(
            document["events"],
            document=document,
            reasons=reasons,
            cells=cells,
            context=call.context("judging.explain_label"),
        )


@check_arguments
def list_disagreements(
    store: PresentStore,
    *,
    between: DisagreeingAssessorsOption = None,
    pool: PoolNumber = None,
    measure: RankingMeasure = "AP",
    policy: PolicyOfOpenCases = None,
    top: TopSystems = 5,
) -> Result:
    """List the documents that assessors label differently.

    Documents that can change the ranking of the runs come first. `cranfield adjudicate` settles the disagreements.

    Parameters
    ----------
    store : path or Store
        The store.
    between : sequence of str, optional
        Assessors whose disagreements are listed; by default all except models.
    pool : int, optional
        Use only documents in this pool (stores only).
    measure : measure
        Measure to rank systems by.
    policy : str, optional
        Policy for documents without an adjudication; by default the store's choice, otherwise primary.
    top : int
        Number of systems that count as the top.

    Returns
    -------
    Result
        One row per document: topic, document, labels, the effect of another label, and how it was settled. `spread` is
        the largest difference between the score changes of two runs if another label is chosen, in the unit of the
        measure.

    Raises
    ------
    InputError
        If no document has two different labels.

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
    >>> for name, grade in {"ada": 1, "bob": 0}.items():
    ...     _ = cranfield.store.import_qrels(store, {"q": {"d1": grade}}, assessor=name, kind="human")
    >>> list_disagreements(store).frame[["topic", "document", "labels"]].values.tolist()
    [['q', 'd1', '0 1']]
    >>> store.close()
    """
    from cranfield.analysis.labels import dispute_rows, weighed_disputes
    from cranfield.judging.adjudication.cases import rank_disputes

    with open_store_call(store) as call:
        several, decisions, _ = weighed_disputes(
            call.store, between, pool=pool, measure=measure, policy=policy, top=top
        )
        return Result(
            dispute_rows(rank_disputes(several), decisions), context=call.context("judging.list_disagreements")
        )


@check_arguments
def choose_labels(
    store: PresentStore,
    *,
    assessor: ChosenAssessor = None,
    policy: ChosenPolicy = None,
    none: IsTakenBack = False,
    reason: ReasonToChoose = "",
) -> ResultInLines:
    """Record or show whose labels count when assessors disagree.

    Until a choice is recorded, commands that score runs refuse differing labels. The exception is a topic that was
    assigned with `cranfield assign`: the label of the topic's assessor counts. The options `assessor` and `policy` of a
    command override the recorded choice. With `assessor`, only this assessor's labels count. The policy primary also
    counts other people's labels for documents that the first assessor did not label.

    Example: cranfield store labels track.db --policy median-low

    Example: cranfield store labels track.db --assessor panel

    Parameters
    ----------
    store : path or Store
        The store.
    assessor : str, optional
        Assessor whose labels count.
    policy : str, optional
        Policy for documents with differing labels.
    none : bool
        Whether to withdraw the recorded choice.
    reason : str
        Reason, recorded in the log.

    Returns
    -------
    ResultInLines
        One row: the assessor or policy in force. The column `chosen_by` is "choice", "assign" or "default". The column
        `different_labels` counts the documents with different labels.

    Raises
    ------
    InputError
        If both an assessor and a policy are given, or the policy is unknown.
    StoreError
        If the store has no such assessor.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     choose_labels(store, policy="median-low")
    policy median-low decides where labels differ (recorded choice)
    no document has different labels
    """
    from cranfield.judging.labels.recorded import choice_in_force, record_label_choice
    from cranfield.store.label_choice import recorded_labellers

    if none and (assessor or policy):
        raise ArgumentError("cannot be combined with --assessor or --policy", "none")
    with open_store_call(store) as call:
        if none or assessor or policy:
            record_label_choice(call.store, assessor=assessor, policy=policy, reason=reason)
        choice, in_force = recorded_labellers(call.store), choice_in_force(call.store)
        row = {
            "assessor": choice.assessor,
            "policy": "primary" if in_force.chosen_by == "assign" else choice.policy,
            "chosen_by": in_force.chosen_by,
            "different_labels": in_force.differences.documents,
        }
        return ResultInLines([row], lines=in_force.lines, context=call.context("judging.choose_labels"))
