"""Whose labels score: one assessor's, those of a policy, or those on which nobody disagrees.

Where several people, or several models, gave a pair different labels, the order in which they came must not decide.
A pair is settled by an adjudication, by the labels of the assessor to whom its topic was assigned first, or by people
where models labelled it as well. Every other difference needs a choice, which `choose_labels` refuses to make.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError, Note, ProvenanceWarning, UndecidedError
from cranfield.judging.labels.pairs import (
    Pair,
    PairLabels,
    Standing,
    assessors_that_count,
    can_labels_differ,
    labels_by_pair,
    models_among,
)
from cranfield.judging.labels.uncounted import uncounted_labels_note
from cranfield.selection import EVERYBODY, MODELS, POLICY_NAMES, PRIMARY_LABELLERS, LabelledBy, Labellers
from cranfield.store.assignments import first_assessors
from cranfield.store.label_choice import recorded_labellers
from cranfield.store.labels import CountingLabels
from cranfield.store.log import assessors
from cranfield.store.qrels import labels_that_count, qrels_of_document, qrels_of_topic
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_name_by_docno
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.judging.agreement.agreement import Coefficient, Interval
    from cranfield.judging.labels.policies import Decisions, Policy

PRIMARY = "primary"
MAX_NAMES = 5  # of assessors in a message


class Undecided(NamedTuple):
    """What has labels that differ, and whose labels these are."""

    items: Sequence[Any]
    names: Sequence[str]

    def message(self, noun: str = "document", how: str = "", option: str = "--assessor") -> str:
        """What differs, and the choices; `option` is the one that names an assessor, empty without one.

        >>> print(Undecided([("q", "d")], ["m1", "m2"]).message())
        1 document has different labels by m1 and m2; choose which labels count with --assessor NAME or --policy NAME
        (primary, majority-tie-low, majority-tie-high, median-low, mean-rounded, min or max), or record a choice with
        `cranfield store labels`
        """
        few = [*self.names[:MAX_NAMES], *(["others"] if len(self.names) > MAX_NAMES else [])]
        has = "has" if len(self.items) == 1 else "have"
        choices = f"{option and f'{option} NAME or '}--policy NAME ({join_words(POLICY_NAMES, 'or')})"
        return (
            f"{counted(len(self.items), noun)} {has} different labels by {join_words(few)}; choose which labels "
            f"count with {choices}, or record a choice with `cranfield store labels`{how}"
        )


def undecided_pairs(
    store: Store,
    labellers: Labellers = EVERYBODY,
    qid: str | None = None,
    among: Collection[Pair] | None = None,
    *,
    count_unsure: bool = True,
) -> Undecided:
    """The pairs whose label would depend on which assessor was created first.

    Parameters
    ----------
    store : Store
        The open store.
    labellers : Labellers, optional
        Whose labels count; the choice of an assessor is ignored.
    qid : str, optional
        The only topic to look at.
    among : collection of (qid, docno), optional
        The only pairs to look at.
    count_unsure : bool, optional
        Whether labels that are marked as unsure count.

    Returns
    -------
    Undecided
        The pairs (topic, document) in order, and the assessors whose labels differ.
    """
    if not (store.count("renamed") or _has_different_labels(store, qid)):
        return Undecided([], [])
    kinds = assessors_that_count(store, None, labellers.kind)
    models = models_among(kinds)
    holders = first_assessors(store)
    pairs, names = list[Pair](), dict[str, None]()
    for pair, labels in labels_by_pair(store, kinds).items():
        if (qid is not None and pair[0] != qid) or (among is not None and pair not in among):
            continue
        if votes := _undecided_assessors(
            labels.drop_model_labels_beside_peoples(models), holders.get(pair[0], ()), count_unsure
        ):
            pairs.append(pair)
            names.update(dict.fromkeys(votes))
    return Undecided(pairs, [name for name in kinds if name in names])


def _has_different_labels(store: Store, qid: str | None = None) -> bool:
    """Whether any pair has two grades by different assessors of a kind; of documents that were not renamed."""
    topic_condition = " AND e.topic = (SELECT id FROM topic WHERE qid = ?)" if qid is not None else ""
    query = (
        "SELECT 1 FROM current_event c JOIN judgment_event e ON e.id = c.id JOIN assessor a ON a.id = e.assessor"
        f" WHERE e.kind IN ('label', 'import') AND a.repeats IS NULL{topic_condition}"
        " GROUP BY e.topic, e.document, a.kind IN ('model', 'panel') HAVING min(e.grade) < max(e.grade) LIMIT 1"
    )
    return can_labels_differ(store) and bool(store.rows(query, [] if qid is None else [qid]))


def _undecided_assessors(labels: PairLabels, holders: Collection[str], count_unsure: bool) -> list[str]:
    """The assessors between whose labels nothing decides."""
    if labels.adjudications:
        return []
    from cranfield.judging.labels.policies import voting_events

    counting = voting_events(labels, count_unsure)
    votes = [vote for vote in counting if vote.assessor in holders] or counting
    return [vote.assessor for vote in votes] if len({vote.grade for vote in votes}) > 1 else []


CHANCE = 0.2  # kappa below it is slight agreement, by Landis and Koch, Biometrics 33(1), 1977
KAPPA = "Cohen kappa quadratic"


def is_at_chance(kappa: Interval) -> bool:
    """Whether agreement is no better than chance: the interval of kappa holds 0 and ends below 0.2.

    Parameters
    ----------
    kappa : Interval
        Kappa with its 95% interval; without an interval nothing is known.

    Returns
    -------
    bool
        True for agreement at or below chance.

    Examples
    --------
    >>> from cranfield.judging.agreement.agreement import Interval
    >>> is_at_chance(Interval(-0.01, -0.13, 0.12)), is_at_chance(Interval(0.1, -0.3, 0.5)), is_at_chance(Interval(0.0))
    (True, False, False)
    """
    return bool(kappa.low <= 0 and kappa.high < CHANCE)


def kappa_in_words(kappa: Interval) -> str:
    """Kappa with its interval, in words.

    >>> from cranfield.judging.agreement.agreement import Interval
    >>> kappa_in_words(Interval(-0.01, -0.13, 0.12))
    'kappa -0.01 (-0.13 to 0.12)'
    """
    return f"kappa {kappa.value:.2f} ({kappa.low:.2f} to {kappa.high:.2f})"


def models_at_chance(store: Store, names: Sequence[str] | None = None) -> dict[str, Coefficient]:
    """The models whose labels agree with people's no better than chance, where both labelled enough documents.

    Parameters
    ----------
    store : Store
        The open store.
    names : sequence of str, optional
        The models to look at; all by default.

    Returns
    -------
    dict of str to Coefficient
        By model: quadratic kappa with the label of people that the policy primary takes.
    """
    from cranfield.judging.agreement.agreement import LabelMatrix, overall_agreement

    kinds = assessors_that_count(store, None)
    models = [name for name, kind in kinds.items() if kind in MODELS and (names is None or name in names)]
    by_pair = labels_by_pair(store, kinds) if models and len(models) < len(kinds) else {}
    rows = {pair: _people_and_models(labels, kinds) for pair, labels in by_pair.items()}
    found: dict[str, Coefficient] = {}
    for name in models:
        both = {
            pair: (grade, votes[name]) for pair, (grade, votes) in rows.items() if grade is not None and name in votes
        }
        if not both:
            continue
        scale, grades = tuple(store.collection.grades), np.array([*both.values()], float)
        matrix = LabelMatrix(("people", name), [*both], grades, scale, store.collection.min_relevant)
        [kappa] = overall_agreement(matrix, [KAPPA])
        if is_at_chance(kappa.interval):
            found[name] = kappa
    return found


def _people_and_models(labels: PairLabels, kinds: Mapping[str, str]) -> tuple[int | None, dict[str, int]]:
    by_models = {vote.assessor: vote.grade for vote in labels.votes if kinds[vote.assessor] in MODELS}
    people = [*labels.adjudications, *(vote for vote in labels.votes if kinds[vote.assessor] not in MODELS)]
    grade = people[0].grade if people else None
    return grade, {name: grade for name, grade in by_models.items() if grade is not None}


def _refuse_chance(store: Store, labels: CountingLabels, *, can_leave_out: bool = True) -> None:
    """Raise InputError if labels of a model count whose agreement with people is at chance."""
    if not labels.by_model.any() or labels.by_model.all():
        return
    people = "exclude models with --labels people, or " if can_leave_out else ""
    for name, kappa in models_at_chance(store, labelling_assessors(store, labels)).items():
        value, low, high = kappa.interval[:3]
        raise InputError(
            f"the labels of {name} agree with human labels no better than chance: kappa is {value:.2f} ({low:.2f} to "
            f"{high:.2f}) on {counted(kappa.units, 'document')}; {people}use its labels with --policy primary",
            store.path,
        )


def resolve_labellers(store: Store, labellers: Labellers) -> Labellers:
    """The choice of a command or, without one, the recorded choice; an assessor only of the kind that counts."""
    if labellers.assessor is not None or labellers.policy is not None:
        return labellers
    recorded = recorded_labellers(store)
    counts = recorded.assessor is not None and labellers.kind.counts(assessors(store)[recorded.assessor])
    return labellers._replace(assessor=recorded.assessor if counts else None, policy=recorded.policy)


def given_or_recorded_labellers(store: Store, labellers: Labellers = EVERYBODY) -> Labellers:
    """The choice of a command, otherwise the choice on record, otherwise the policy primary.

    Parameters
    ----------
    store : Store
        The open store.
    labellers : Labellers, optional
        The choice of the command.

    Returns
    -------
    Labellers
        A choice that settles every difference, so that `choose_labels` refuses none.
    """
    labellers = resolve_labellers(store, labellers)
    chosen = labellers.assessor is not None or labellers.policy is not None
    return labellers if chosen else labellers._replace(policy=PRIMARY)


def missing_judgments_message(store: Store, labellers: Labellers = EVERYBODY) -> str:
    """Error message if no judgment counts; it names the chosen assessor, who may be the choice on record.

    Parameters
    ----------
    store : Store
        The open store.
    labellers : Labellers, optional
        The choice of the command.

    Returns
    -------
    str
        A sentence without a full stop.
    """
    if name := resolve_labellers(store, labellers).assessor:
        remedy = "with --assessor NAME or --policy NAME, or record another choice with `cranfield store labels`"
        return f"there are no judgments by {name} in this store yet; choose other labels {remedy}"
    of_kind = "" if labellers.kind is LabelledBy.all else f" of {labellers.kind}"
    return f"there are no judgments{of_kind} in this store yet"


def labels_by_recorded_choice(store: Store, kind: LabelledBy = LabelledBy.all) -> CountingLabels:
    """The labels by the choice on record, otherwise by the policy primary.

    Parameters
    ----------
    store : Store
        The open store.
    kind : LabelledBy, optional
        Labels of people, of models or of all.

    Returns
    -------
    CountingLabels
        The labels, sorted by topic and document.
    """
    return choose_labels(store, given_or_recorded_labellers(store, Labellers(kind=kind)))


def require_decided_labellers(store: Store, labellers: Labellers = EVERYBODY) -> Labellers:
    """The choice of a command, otherwise the choice on record; for commands that have no option for the choice.

    Parameters
    ----------
    store : Store
        The open store.
    labellers : Labellers, optional
        The choice of the command.

    Returns
    -------
    Labellers
        A choice that settles every difference.

    Raises
    ------
    UndecidedError
        If labels differ and nothing was chosen.
    """
    chosen = resolve_labellers(store, labellers)
    if chosen.assessor is None and chosen.policy is None:
        _refuse_undecided(store, undecided_pairs(store, chosen))
    return given_or_recorded_labellers(store, labellers)


def decided_labels(store: Store, kind: LabelledBy = LabelledBy.all) -> CountingLabels:
    """The labels by the choice on record, or those on which nobody disagrees.

    Parameters
    ----------
    store : Store
        The open store.
    kind : LabelledBy, optional
        Labels of people, of models or of all.

    Returns
    -------
    CountingLabels
        The labels, sorted by topic and document.

    Raises
    ------
    UndecidedError
        If labels differ and no choice is on record.
    """
    return choose_labels(store, require_decided_labellers(store, Labellers(kind=kind)))


def decided_relevance(store: Store, qid: str) -> dict[str, bool]:
    """Whether each judged document of a topic is relevant, by the choice on record.

    Parameters
    ----------
    store : Store
        The open store.
    qid : str
        The topic.

    Returns
    -------
    dict of str to bool
        Of each judged document.

    Raises
    ------
    UndecidedError
        If labels of the topic differ and no choice is on record.
    """
    if resolve_labellers(store, EVERYBODY) == EVERYBODY:
        _refuse_undecided(store, undecided_pairs(store, qid=qid))
    least = store.collection.min_relevant
    return {docno: grade >= least for docno, grade in grades_of_topic(store, qid).items()}


def _refuse_undecided(store: Store, undecided: Undecided) -> None:
    if not undecided.items:
        return
    few = [*undecided.names[:MAX_NAMES], *(["others"] if len(undecided.names) > MAX_NAMES else [])]
    has = "has" if len(undecided.items) == 1 else "have"
    raise UndecidedError(
        f"{counted(len(undecided.items), 'document')} {has} different labels by {join_words(few)}; choose which "
        "labels count with `cranfield store labels STORE --assessor NAME` or `cranfield store labels STORE "
        f"--policy NAME` ({join_words(POLICY_NAMES, 'or')}), or settle differences with `cranfield adjudicate`",
        store.path,
        tuple(undecided.names),
    )


def decisions_by_given_or_recorded_policy(store: Store, rule: str | None = None) -> Decisions:
    """The decisions of a policy, by default of the choice on record, otherwise of the policy primary.

    Parameters
    ----------
    store : Store
        The open store.
    rule : str, optional
        The policy of the command.

    Returns
    -------
    Decisions
        The grade of each pair, and the events behind it.
    """
    return decisions_of(store, given_or_recorded_labellers(store, Labellers(policy=rule)))


def decisions_by_settled_choice(state: Store, store: Store, labellers: Labellers = EVERYBODY) -> tuple[Decisions, str]:
    """The decisions in a state of a store, by a choice that settles every difference.

    Parameters
    ----------
    state : Store
        The store, or one of its releases.
    store : Store
        The store as it is; its choice on record counts where the state has none.
    labellers : Labellers, optional
        The choice of the command, which comes first.

    Returns
    -------
    tuple of Decisions and str
        The grade of each pair, and whose labels were chosen; empty where nothing was.

    Raises
    ------
    UndecidedError
        If labels of the state differ and nothing was chosen.
    """
    chosen = resolve_labellers(state, labellers)
    chosen = resolve_labellers(store, chosen)
    whose = chosen.assessor or (f"policy {chosen.policy}" if chosen.policy else "")
    return decisions_of(state, require_decided_labellers(state, chosen)), whose


def decisions_of(store: Store, chosen: Labellers, then: Standing | None = None) -> Decisions:
    """The decisions of a choice that settles every difference.

    Parameters
    ----------
    store : Store
        The open store.
    chosen : Labellers
        The choice, as `given_or_recorded_labellers` returns it.
    then : Standing, optional
        The events that count; by default those of the store.

    Returns
    -------
    Decisions
        The grade of each pair, and the events behind it.
    """
    names = [chosen.assessor] if chosen.assessor else None
    from cranfield.judging.labels.policies import apply_policy

    return apply_policy(store, rule=chosen.policy or PRIMARY, names=names, then=then)


def given_or_recorded_policy(store: Store, rule: str | None = None) -> Policy:
    """The policy of a command, otherwise the policy on record, otherwise primary.

    Parameters
    ----------
    store : Store
        The open store.
    rule : str, optional
        The policy of the command.

    Returns
    -------
    Policy
        The policy.
    """
    from cranfield.judging.labels.policies import find_policy

    return find_policy(given_or_recorded_labellers(store, Labellers(policy=rule)).policy or PRIMARY)


def grades_of_topic(store: Store, qid: str, labellers: Labellers = EVERYBODY) -> dict[str, int]:
    """The grades of a topic by the choice on record, otherwise by the policy primary.

    Parameters
    ----------
    store : Store
        The open store.
    qid : str
        The topic.
    labellers : Labellers, optional
        The choice of the command.

    Returns
    -------
    dict of str to int
        The grade of each labelled document.
    """
    chosen = given_or_recorded_labellers(store, labellers)
    if chosen == PRIMARY_LABELLERS:
        return qrels_of_topic(store, qid)
    qrels = choose_labels(store, chosen).qrels
    rows = np.flatnonzero(qrels.topics.names[qrels.topic] == qid)
    return dict(zip(qrels.docnos.names_at(qrels.document[rows]).tolist(), qrels.grade[rows].tolist(), strict=True))


def grades_of_document(store: Store, docno: str, labellers: Labellers = EVERYBODY) -> dict[str, int]:
    """The grades of a document by the choice on record, otherwise by the policy primary.

    Parameters
    ----------
    store : Store
        The open store.
    docno : str
        The document, by its present name or an earlier one.
    labellers : Labellers, optional
        The choice of the command.

    Returns
    -------
    dict of str to int
        The grade in each topic that has one.
    """
    chosen = given_or_recorded_labellers(store, labellers)
    if chosen == PRIMARY_LABELLERS:
        return qrels_of_document(store, docno)
    qrels, name = choose_labels(store, chosen).qrels, present_name_by_docno(store).get(docno) or docno
    rows = np.flatnonzero(qrels.document == store.numbers("document", "docno", [name])[0] - 1)
    return dict(zip(qrels.topics.names[qrels.topic[rows]].tolist(), qrels.grade[rows].tolist(), strict=True))


class ChosenPolicy(NamedTuple):
    """The policy by which labels are written, the assessors whose labels count, and what to note of the choice."""

    rule: str
    names: Sequence[str] | None = None
    notes: tuple[str, ...] = ()
    is_recorded: bool = False  # by `cranfield store labels`
    is_given: bool = False  # by the command

    def notes_on(self, decided: Decisions) -> tuple[str, ...]:
        """The notes on the choice, the documents with different labels and the policy that decides them."""
        from cranfield.judging.labels.differences import differences_line, differences_of, policy_words

        if self.names:
            return self.notes
        policy = self.rule if self.is_given or self.is_recorded else None
        if (differences := differences_of(decided)).documents:
            line = differences_line(differences, policy, recorded=self.is_recorded)
            return (*self.notes, Note(line, ProvenanceWarning))
        return (*self.notes, policy_words(differences, policy, recorded=True)) if self.is_recorded else self.notes


def resolve_policy(
    store: Store,
    policy: str | None = None,
    names: Sequence[str] | None = None,
    whose: LabelledBy = LabelledBy.all,
    *,
    count_unsure: bool = True,
    option: str = "--assessor",
) -> ChosenPolicy:
    """The policy by which labels are written: the given one, otherwise the one on record, otherwise "primary".

    Parameters
    ----------
    store : Store
        The open store.
    policy : str, optional
        The policy of the command.
    names : sequence of str, optional
        The assessors whose labels count.
    whose : LabelledBy, optional
        Labels of people, of models or of all.
    count_unsure : bool, optional
        Whether labels that are marked as unsure count.
    option : str, optional
        The command's option that names an assessor; empty without one.

    Returns
    -------
    ChosenPolicy
        The policy, the assessors, and notes on a recorded choice.

    Raises
    ------
    UndecidedError
        Labels differ and nothing was chosen.
    InputError
        Nothing was chosen, and labels of a model count that agree with people's no better than chance.
    """
    if policy is not None or names:
        return ChosenPolicy(policy or PRIMARY, names, is_given=policy is not None)
    labellers = Labellers(kind=whose)
    recorded = resolve_labellers(store, labellers)
    if recorded.assessor is not None:
        counting, choice = labels_that_count(store, recorded), f"labels by {recorded.assessor}, the store's choice"
        line = "; ".join(filter(None, [choice, uncounted_labels_note(store, counting, recorded.assessor)]))
        return ChosenPolicy(PRIMARY, [recorded.assessor], (Note(line, ProvenanceWarning),))
    if recorded.policy is not None:
        return ChosenPolicy(recorded.policy, is_recorded=True)
    _refuse_open(store, undecided_pairs(store, labellers, count_unsure=count_unsure), option)
    if models_among(assessors(store)):
        _refuse_chance(store, labels_that_count(store, labellers), can_leave_out=bool(option))
    return ChosenPolicy(PRIMARY)


def chance_notes(store: Store, names: Sequence[str]) -> list[str]:
    """The models among these assessors that agree with people no better than chance, a line each.

    Parameters
    ----------
    store : Store
        The open store.
    names : sequence of str
        The assessors whose labels count.

    Returns
    -------
    list of str
        Model, kappa and its interval.
    """
    return [
        f"{name} agrees with people no better than chance: {kappa_in_words(kappa.interval)}"
        for name, kappa in models_at_chance(store, names).items()
    ]


def _refuse_open(store: Store, undecided: Undecided, option: str = "--assessor") -> None:
    """Raise UndecidedError if anything is undecided, with what settles it."""
    if not undecided.items:
        return
    how = "; to settle differences, use `cranfield adjudicate`; to see their effect, use `cranfield diff`"
    if any(kind in MODELS for kind in assessors_that_count(store, undecided.names).values()):
        how += (
            "; to combine models, use `cranfield model panel`; to correct a model, use `cranfield model audit estimate`"
        )
    raise UndecidedError(undecided.message(how=how, option=option), store.path, names=tuple(undecided.names))


def choose_labels(store: Store, labellers: Labellers = EVERYBODY) -> CountingLabels:
    """The labels that score, by the choice of an assessor or a policy.

    Parameters
    ----------
    store : Store
        The open store.
    labellers : Labellers, optional
        The choice: an assessor, a policy, people or models.

    Returns
    -------
    CountingLabels
        The labels, sorted by topic and document.

    Raises
    ------
    InputError
        If labels differ without a choice, if both an assessor and a policy are chosen, or if human labels and a model
        that agrees with people no better than chance count without a policy.
    """
    labellers = resolve_labellers(store, labellers)
    if labellers.assessor is not None:
        if labellers.policy is not None:
            raise InputError(
                "--assessor and --policy cannot be used together: one assessor has only one label for each document"
            )
        return labels_that_count(store, labellers)
    if labellers.policy is None:
        _refuse_open(store, undecided_pairs(store, labellers))
    if labellers.policy in (None, PRIMARY):
        labels = labels_that_count(store, labellers._replace(policy=None))
        if labellers.policy is None:
            _refuse_chance(store, labels)
        return labels
    from cranfield.judging.labels.policies import apply_policy, find_policy

    decisions = apply_policy(store, rule=find_policy(labellers.policy or PRIMARY), whose=labellers.kind)
    pairs = list(decisions.labels)
    events = [decisions.supporting_events(pair) for pair in pairs]
    topic, document = (
        np.array(store.numbers(table, column, [pair[place] for pair in pairs]), np.int64) - 1
        for place, (table, column) in enumerate((("topic", "qid"), ("document", "docno")))
    )
    sources = [{event.source for event in several} for several in events]
    qrels = Qrels(
        store.qids,
        store.docnos,
        topic,
        document=document,
        grade=np.array([decisions.labels[pair] for pair in pairs], np.int64),
        iteration=np.array([*((one.pop() or "0") if len(one) == 1 else "0" for one in sources), None], object)[:-1],
        minus_one_judged=True,
    )
    by_model = np.array([decisions.is_model_label(pair) for pair in pairs], bool)
    event = np.array([several[0].id if len(several) == 1 else -1 for several in events], np.int64)
    return CountingLabels(qrels, by_model, event).rows(np.lexsort((document, topic)))


def note_labellers(
    store: Store, labels: CountingLabels, labellers: Labellers = EVERYBODY, *, refused_chance: bool = True
) -> str:
    """Note whose labels score, for the document of the command that runs; their line, as `labellers_line` has it.

    Where the choice is the recorded one, the line also has the labels of people that it leaves out.
    """
    was_chosen, given, labellers = labellers.assessor is not None, labellers, resolve_labellers(store, labellers)
    line = labellers_line(store, labels, given, refused_chance=refused_chance)
    if labellers.assessor is not None and not was_chosen:
        uncounted = uncounted_labels_note(store, labels, labellers.assessor)
        line = Note("; ".join(filter(None, [line, uncounted])), ProvenanceWarning)
    names = [labellers.assessor] if labellers.assessor else labelling_assessors(store, labels)
    store.left_out.labelled_by |= labelled_by(
        names, len(labels.qrels), int(labels.by_model.sum()), labellers=labellers, line=line
    )
    return line


def labelled_by(
    names: Sequence[str], labels: int, by_models: int, *, labellers: Labellers, line: str
) -> dict[str, Any]:
    """Whose labels score, for JSON.

    >>> labelled_by(["ada"], 9, 0, labellers=EVERYBODY, line="")
    {'assessors': ['ada'], 'labels': 9, 'by_models': 0, 'policy': 'primary', 'kind': 'all'}
    """
    rule = None if labellers.assessor else labellers.policy or PRIMARY
    document = {
        "assessors": list(names),
        "labels": labels,
        "by_models": by_models,
        "policy": rule,
        "kind": str(labellers.kind),
    }
    return {**document, "line": line} if line else document


def labellers_line(
    store: Store, labels: CountingLabels, labellers: Labellers = EVERYBODY, *, refused_chance: bool = True
) -> str:
    """Whose labels score, in one line; empty where a single person labelled and nothing was chosen.

    Parameters
    ----------
    store : Store
        The open store.
    labels : CountingLabels
        The labels.
    labellers : Labellers, optional
        The choice of the command; the choice on record counts where the command has none.
    refused_chance : bool, optional
        Whether models at chance were refused where nothing was chosen, as `choose_labels` does.

    Returns
    -------
    str
        The number of labels, whose they are, the policy, and the models that agree with people at chance.
    """
    given, labellers = labellers, resolve_labellers(store, labellers)
    names = [labellers.assessor] if labellers.assessor else labelling_assessors(store, labels)
    line = _labellers_sentence(labels, labellers, names)
    if labellers.assessor is None:
        from cranfield.judging.labels.differences import count_differences, differences_line, policy_words

        differences = count_differences(store, labels, labellers)
        has_differences = differences.documents or (len(names) > 1 and labellers.policy is None)
        describe = differences_line if has_differences else policy_words
        decides = describe(differences, labellers.policy, recorded=given.policy is None)
        line = "; ".join(filter(None, [line, decides]))
    is_chosen = labellers.assessor or labellers.policy or labellers.kind is not LabelledBy.all
    if (refused_chance and not is_chosen) or not labels.by_model.any():
        return Note(line, ProvenanceWarning)
    return Note("; ".join(filter(None, [line, *chance_notes(store, names)])), ProvenanceWarning)


def _labellers_sentence(labels: CountingLabels, labellers: Labellers, names: Sequence[str]) -> str:
    line = labels.labels_sentence(labellers)
    if labellers.assessor is not None:
        return line or f"{counted(len(labels.qrels), 'label')} by {labellers.assessor}"
    if labellers.policy is None and len(names) < 2 and not labels.by_model.any():
        return line
    whose = ", ".join(names) if len(names) <= MAX_NAMES else f"{len(names)} assessors"
    return f"{line}; assessors: {whose}" if line else f"{counted(len(labels.qrels), 'label')} by {whose}"


def labelling_assessors(store: Store, labels: CountingLabels) -> list[str]:
    """The names of the assessors on whose labels these rest, in the order in which they came."""
    names = dict[int, str](store.rows("SELECT id, name FROM assessor WHERE repeats IS NULL ORDER BY id"))
    if len(names) < 2:
        return list(names.values())
    event_assessors = np.array(store.rows("SELECT id, assessor FROM judgment_event WHERE grade IS NOT NULL"), np.int64)
    event_assessors = event_assessors.reshape(-1, 2)
    if (labels.event < 0).any():
        pairs = store.rows(
            "SELECT DISTINCT e.assessor FROM current_event c JOIN judgment_event e ON e.id = c.id"
            " WHERE e.grade IS NOT NULL"
        )
        models = {number for number, name in names.items() if assessors(store)[name] in MODELS}
        by_model = {*labels.by_model.tolist()}  # a model's label counts only where no person gave one
        numbers = {number for (number,) in pairs if (number in models) in by_model}
    else:
        numbers = set(event_assessors[np.isin(event_assessors[:, 0], labels.event), 1].tolist())
    return [name for number, name in names.items() if number in numbers]
