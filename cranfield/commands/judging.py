"""Judging: who judges what, how the work goes, where labels differ, and what a label rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from cranfield import hooks
from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call
from cranfield.errors import ArgumentError, Note, ProvenanceWarning
from cranfield.formats.text_tables import Row
from cranfield.lazy import type_in
from cranfield.options import PoolNumber
from cranfield.options.given import (
    JudgedBefore,
    OnlyTopics,
    PresentStore,
    ReadStore,
    Round,
    RoundJudgments,
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
from cranfield.rng import seed_of
from cranfield.text import counted, format_moment

if TYPE_CHECKING:
    from cranfield.judging.labels.why import Why
    from cranfield.store.store import Store
else:
    Why = type_in("cranfield.judging.labels.why", "Why")

SECTION_TITLES = {
    "work": "Work, by assessor and topic",
    "pace": "Pace and time left (mind the range)",
    "agreement": "Agreement so far: raw shares, not corrected for chance (see cranfield agreement)",
    "repeats": "Repeats: how far assessors agree with themselves",
    "drift": "Drift: the first, second and last third of each topic, in the order judged",
}


class AssignmentTable(Result):
    """Who judges which topics; without an assessor a topic is in the queue, without a lease it is assigned for good."""

    columns: ClassVar[tuple[str, ...]] = (
        "qid", "role", "assessor", "lease", "documents", "unfinished", "repeats", "cannot_judge", "pool",
    )  # fmt: skip

    @property
    def typeset(self) -> TypesetTable:
        """The rows as the command prints them; the pool only where there are several."""
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
    """Assign the pooled topics to assessors or to a queue. Without options, show the assignments.

    Each topic is judged by one assessor. With `overlap`, a random sample of all documents is drawn now, before judging
    begins, for a second assessor; agreement is estimated from it. With `cannot_judge`, documents that the first
    assessor cannot judge also go to the second, unannounced. With `repeats`, a few documents of each topic that is long
    enough for the first label to be forgotten are shown again to the same assessor, unannounced. Documents that are
    already judged stay with their assessor when a topic is reassigned.

    The topics of the newest pool are assigned, and follow larger pools that are built later. With `pool` N they are
    those of that pool, and stay with it.

    Example: cranfield assign track.db --assessor ada --assessor bob --overlap 10% --repeat 2

    Example: cranfield assign track.db

    Parameters
    ----------
    store : path or Store
        The store.
    assessors : sequence of str, optional
        The assessors to assign topics to.
    queue : bool
        Put the topics in a queue instead, from which assessors claim them.
    topics : sequence of str, optional
        Assign only these topics.
    overlap : float
        Share of documents that a second assessor judges, from 0 to 1.
    cannot_judge : bool
        Pass what a topic's assessor cannot judge to a second one.
    repeats : int
        Number of documents per topic that its assessor is shown twice.
    rng : int or numpy.random.Generator, optional
        Random seed of the overlap and of the repeats, or a generator that draws it; 0 by default.
    lease : float
        Hours after which an idle claim lapses.
    pool : int, optional
        Number of the stored pool; the newest by default.
    give, give_second : mapping of str to str or None, optional
        New assessors by topic, of the first or the second assessment; None puts a topic in the queue.

    Returns
    -------
    AssignmentTable
        A row for each topic and role: qid, role, assessor, lease, documents, unfinished, repeats, cannot_judge, pool.

    Raises
    ------
    InputError
        If both assessors and a queue are given, or a topic is assigned already. Nothing is assigned then.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("nothing pooled") as store:
    ...     assign_topics(store).frame.columns.tolist()[:3]
    ['qid', 'role', 'assessor']
    """
    from cranfield.judging.planning.assign import organise
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
                given = organise(
                    call.store, assessors, topics, overlap=overlap, repeats=repeats, seed=seed_of(rng),
                    cannot_judge=cannot_judge, lease=round(lease * 3600), number=pool,
                )  # fmt: skip
                new = [one for one in given if one.role == "first" and one.qid not in before]
                if short := [one.qid for one in new if one.repeats < repeats]:
                    need = f"a topic needs more than {LEAST + repeats} documents for --repeat {repeats}"
                    call.note(f"nothing is shown twice in {counted(len(short), 'topic')}: {need}")
        pool_depth(call.store, pool)  # refuses an unknown pool
        work = [one for one in assignments(call.store) if pool in (None, one.pool)]
        rows = [one._asdict() for one in work]
        document = {"plans": [plan._asdict() for plan in plans(call.store)], "assignments": rows}
        title = "" if work else f"nothing{f' of pool {pool}' if pool else ''} is assigned yet"
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
    """How the work goes: several tables, of which the rows are one.

    Parameters
    ----------
    tables : mapping of str to sequences of rows
        The tables by the names of their sections.
    titles : mapping of str to str
        The titles of the tables.
    section : str, optional
        The section that was asked for.
    head : str
        How much of the pool was labelled.
    """

    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    section: str | None = None
    head: str = ""


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
    """Show the progress of judging, the time left, agreement so far, and anomalies.

    The first line shows how much of the pool was labelled by people, by models only, and by nobody; for models and
    imported judgments only the number of labels is shown.

    Times are active seconds. The estimate of the hours left allows for the length of documents, has a range (19 cases
    in 20) and a basis, and requires ten timed decisions. Documents that an adaptive pool may still add within its
    budget count as remaining. Labels given in less than 0.4 seconds are counted as fast. In a blind order the thirds of
    a topic should be similar; if they are not, standards may have drifted.

    Example: cranfield progress track.db

    Example: cranfield progress track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.
    pool : int, optional
        Number of the stored pool; the newest by default.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.
    section : {"work", "pace", "agreement", "repeats", "drift"}, optional
        The table of the rows; by default the rows are those of "work", and `.tables` has all tables.

    Returns
    -------
    Result
        The rows of the table; times are seconds or hours of active time.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("nothing pooled") as store:
    ...     progress(store, section="pace").rows()
    []
    """
    from cranfield.judging.labels.uncounted import recorded_choice_note
    from cranfield.judging.planning.progress import pool_line, pool_row, progress_of
    from cranfield.judging.planning.sections import SECTIONS

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        if other := hooks.instead("progress", call.reading.added):
            rows, title = other(call.store, pool)
            return Result(rows, title=title, context=call.context("judging.progress"))
        row = pool_row(call.store, pool) if pool or call.store.counts()["pool"] else None
        state = progress_of(call.store, pool)
        tables = {name: SECTIONS[name](state) for name in ([section] if section else SECTIONS)}
        titles = dict(SECTION_TITLES)
        if section is None:
            for added in hooks.ask(lambda extension: extension.progress(call.store)):
                tables |= {name: table.rows for name, table in added.items() if table.rows}
                titles |= {name: table.title for name, table in added.items()}
        rows = tables[section or "work"]
        if uncounted := recorded_choice_note(call.store):
            call.note(Note(uncounted, ProvenanceWarning))
        return JudgingProgress(
            rows,
            title=SECTION_TITLES[section or "work"],
            document=rows if section else {"pool": row, **tables},
            tables=tables,
            titles=titles,
            section=section,
            head=pool_line(row) if row else "",
            context=call.context("judging.progress"),
        )


@dataclass(frozen=True, repr=False, eq=False)
class LabelExplanation(Result):
    """The events of the judgment log behind a line of the qrels.

    Parameters
    ----------
    reasons : Why
        All that the line rests on: events, pools, runs and the text.
    cells : sequence of rows
        The events as the command prints them.
    """

    reasons: Why | None = None
    display: ClassVar[Display] = Display(
        digits={"at": format_moment}, spare=("text", "unsure", "kind of assessor", "seconds", "said", "at")
    )

    cells: Sequence[Row] = ()

    @property
    def typeset(self) -> TypesetTable:
        """The events as the command prints them."""
        return TypesetTable(self.cells, self.display)


@check_arguments
def explain_label(
    store: ReadStore, qid: ExplainedTopic, docno: ExplainedDocument, *, policy: PolicyOfQrels = None
) -> LabelExplanation:
    """Explain a line of the qrels: every event behind it, pools, runs, and whether the text has changed since.

    For organisers only, because it shows what assessors must not see. "counts" marks the labels on which the grade in
    the qrels rests, as `export qrels` writes them. The policy primary takes one label: an adjudication, otherwise a
    person's before a model's, otherwise the first assessor's of the topic, otherwise the earliest. The evidence of each
    event follows: marked passages, and labels that an adjudicator saw.

    Example: cranfield why track.db 51 DOC-17

    Example: cranfield why track.db 51 DOC-17 --format json

    Parameters
    ----------
    store : path or Store
        The store.
    qid, docno : str
        The topic and the document.
    policy : str, optional
        What counts where labels differ; by default the store's choice, otherwise primary.

    Returns
    -------
    LabelExplanation
        A row for each event of the judgment log, with its fate: "counts" where the grade rests on it.

    Raises
    ------
    InputError
        If the store does not have this topic or document, or there is no such policy.

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
    from cranfield.judging.labels.why import as_document, event_rows, why

    with open_store_call(store) as call:
        reasons = why(call.store, qid, docno, policy)
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
    """List the documents that assessors label differently, first those that can change the ranking of the runs.

    `cranfield adjudicate` settles them.

    Parameters
    ----------
    store : path or Store
        The store.
    between : sequence of str, optional
        The assessors whose disagreements are listed; by default all but models.
    pool : int, optional
        Only documents of this pool of a store.
    measure : measure
        The measure to rank systems by.
    policy : str, optional
        The policy for documents that are not adjudicated; by default the store's choice, otherwise primary.
    top : int
        The number of systems that count as the top.

    Returns
    -------
    Result
        A row for each document: topic, document, labels, what another label changes, and how it was settled. `spread`
        is in the unit of the measure: by how much more another label changes the score of one run than another's.

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
    """Record whose labels count where several assessors differ, or show it.

    Commands that score runs refuse labels that differ as long as nothing was chosen. The options `assessor` and
    `policy` of a command go before the recorded choice. With `assessor`, only the labels of this assessor count. The
    policy primary also counts the labels of others on documents that the first assessor did not label.

    Example: cranfield store labels track.db --policy median-low

    Example: cranfield store labels track.db --assessor panel

    Parameters
    ----------
    store : path or Store
        The store.
    assessor : str, optional
        The assessor whose labels alone count.
    policy : str, optional
        The policy that decides where labels differ.
    none : bool
        Whether to take the recorded choice back.
    reason : str
        The reason, for those who read the log.

    Returns
    -------
    ResultInLines
        One row: the assessor and the policy of the recorded choice.

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
    policy median-low decides where labels differ
    """
    from cranfield.judging.labels.recorded import record_label_choice
    from cranfield.store.label_choice import recorded_choice

    if none and (assessor or policy):
        raise ArgumentError("takes a choice back; give no other with it", "none")
    with open_store_call(store) as call:
        if none or assessor or policy:
            record_label_choice(call.store, assessor=assessor, policy=policy, reason=reason)
        choice = recorded_choice(call.store)
        line = f"policy {choice.policy} decides where labels differ" if choice.policy else "nothing is chosen"
        line = f"the labels of {choice.assessor} count" if choice.assessor else line
        row, context = {"assessor": choice.assessor, "policy": choice.policy}, call.context("judging.choose_labels")
        return ResultInLines([row], lines=[line], context=context)
