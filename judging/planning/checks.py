"""What looks unusual in the labels: a function for each check, and the table of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf, prod, sqrt
from statistics import fmean, median, variance
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.judging.planning.progress import Progress
from cranfield.judging.planning.sections import labels_by_thirds
from cranfield.judging.session.pace import FAST, is_very_fast
from cranfield.store.log import REPEAT
from cranfield.text import counted

FAR = 3.0  # standard errors beyond which a difference is listed: chance alone does that in 3 of 1,000 cases


class Finding(NamedTuple):
    """Something unusual: whose labels, of which topic ("" for all), in words, the value, and of how many labels."""

    assessor: str
    topic: str
    found: str
    value: float
    labels: int


class Check(NamedTuple):
    """A row of the table; `rule` says when something is found, `reasons` what may explain it."""

    name: str
    title: str
    rule: str
    reasons: str
    find: Callable[[Progress], Iterable[Finding]]


def standard_errors(differences: list[float]) -> float:
    """How many standard errors the mean of some differences is away from zero.

    >>> standard_errors([1.0, -1.0, 1.0, -1.0]), standard_errors([1.0, 1.0]), standard_errors([0.0, 0.0])
    (0.0, inf, 0.0)
    """
    mean, spread = fmean(differences), variance(differences)
    return abs(mean) / sqrt(spread / len(differences)) if spread else inf if mean else 0.0


LEAST, SHARE = 5, 0.2


def _unsure(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        labels = progress.labels(name)
        unsure = sum(event.unsure for event in labels.values())
        if unsure >= LEAST and unsure > SHARE * len(labels):
            text = f"{unsure} of {counted(len(labels), 'label')} marked unsure"
            yield Finding(name, "", text, unsure / len(labels), len(labels))


def _cannot_judge(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        kinds = [event.kind for event in progress.standing.get(name, {}).values() if event.kind != "later"]
        without = kinds.count("cannot-judge")
        if without >= LEAST and without > SHARE * len(kinds):
            text = f"{without} of {counted(len(kinds), 'document')} could not be judged"
            yield Finding(name, "", text, without / len(kinds), len(kinds))


UNSURE = Check(
    "unsure",
    "Many unsure labels",
    f"more than {SHARE:.0%} of an assessor's labels (at least {LEAST}) are marked unsure",
    "Topics or guidelines are open to interpretation, or the assessor is careful.",
    _unsure,
)
CANNOT_JUDGE = Check(
    "cannot-judge",
    "Many documents that cannot be judged",
    f"more than {SHARE:.0%} of an assessor's decisions (at least {LEAST}) have no grade",
    "Documents are unreadable, in another language, or outside the assessor's field.",
    _cannot_judge,
)


DRIFT_LEAST = 30
NOT_BLIND = ("priority", "adaptive", "search", "development")  # orders in which what came early was likelier relevant


def _drift(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        events = progress.labels(name).values()
        first, _, last = labels_by_thirds(event for event in events if event.order_policy not in NOT_BLIND)
        if min(len(first), len(last)) < DRIFT_LEAST:
            continue
        before, after = (sum((event.grade or 0) >= progress.min_relevant for event in part) for part in (first, last))
        if _shares_differ(before, len(first), after, len(last)):
            text = (
                f"share of relevant labels: {before / len(first):.0%} in the first thirds of topics, "
                f"{after / len(last):.0%} in the last thirds"
            )
            yield Finding(name, "", text, after / len(last) - before / len(first), len(first) + len(last))


def _shares_differ(before: int, first: int, after: int, last: int) -> bool:
    """Whether two shares differ by more than chance explains (z-test of two proportions)."""
    share = (before + after) / (first + last)
    error = sqrt(share * (1 - share) * (1 / first + 1 / last))
    return abs(before / first - after / last) > FAR * error


DRIFT = Check(
    "drift",
    "Share of relevant labels that changes during judging",
    f"the shares of relevant documents in the first and last thirds of the topics differ by more than {FAR:g} "
    f"standard errors (at least {DRIFT_LEAST} labels in each third, in a blind order)",
    "The criteria became clearer or less strict; talk with the assessor about the criteria.",
    _drift,
)


FAST_LEAST, FAST_SHARE = 3, 0.02


def _fast(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        timed_labels = [event for event in progress.labels(name).values() if event.seconds is not None]
        fast = [event for event in timed_labels if is_very_fast(event.seconds, event.fast)]
        if len(fast) >= FAST_LEAST and len(fast) > FAST_SHARE * len(timed_labels):
            text = f"{len(fast)} of {counted(len(timed_labels), 'label')} in under {FAST} seconds"
            yield Finding(name, "", text, len(fast) / len(timed_labels), len(timed_labels))


FAST_LABELS = Check(
    "fast",
    "Very fast labels",
    f"more than {FAST_SHARE:.0%} of an assessor's labels (at least {FAST_LEAST}) took less than {FAST} seconds",
    "A key was held down, a button was clicked twice, or the assessor had seen the documents before.",
    _fast,
)


REPEATS_LEAST, REPEATS_SHARE = 5, 0.8


def _own_repeats(progress: Progress) -> Iterator[Finding]:
    for name in progress.repeats:
        first, second = progress.labels(name), progress.labels(name + REPEAT)
        both, least = first.keys() & second.keys(), progress.min_relevant
        same = sum(((first[pair].grade or 0) >= least) == ((second[pair].grade or 0) >= least) for pair in both)
        if len(both) >= REPEATS_LEAST and same < REPEATS_SHARE * len(both):
            text = f"the same relevance for {same} of {len(both)} documents shown twice"
            yield Finding(name, "", text, same / len(both), len(both))


OWN_REPEATS = Check(
    "repeats",
    "Second labels that differ from the first",
    f"fewer than {REPEATS_SHARE:.0%} of the documents shown twice received the same relevance "
    f"(at least {REPEATS_LEAST} documents)",
    "Documents are borderline, a topic has unclear criteria, or the criteria changed.",
    _own_repeats,
)


PACE_LEAST, TIMES = 20, 3.0


def _pace(progress: Progress) -> Iterator[Finding]:
    seconds = {name: [event.seconds or 0.0 for event in progress.paced_decisions(name)] for name in progress.people}
    usual = {name: median(times) for name, times in seconds.items() if len(times) >= PACE_LEAST}
    for name, own in usual.items():
        others = [each for other, each in usual.items() if other != name]
        if others and not median(others) / TIMES <= own <= median(others) * TIMES:
            finding = f"median {own:.0f} s, compared with {median(others):.0f} s for the others"
            yield Finding(name, "", finding, own, len(seconds[name]))


PACE = Check(
    "pace",
    "A pace that differs from the other assessors' pace",
    f"the median time per document is less than a third of the other assessors' median, or more than {TIMES:g} "
    f"times as long (at least {PACE_LEAST} decisions each)",
    "Documents are shorter or easier, or the assessor is experienced or was interrupted.",
    _pace,
)


RARE = 0.001
SHUFFLED = "hash"  # the order in which neighbours have nothing to do with each other


def _same_grade(progress: Progress) -> Iterator[Finding]:
    for name in progress.people:
        by_topic: dict[str, list[tuple[int, int]]] = {}
        for event in progress.labels(name).values():
            if event.order_policy == SHUFFLED and event.position is not None:
                by_topic.setdefault(event.qid, []).append((event.position, event.grade or 0))
        for qid, places in by_topic.items():
            yield from _longest_grade_runs(name, qid, [grade for _, grade in sorted(places)])


def _longest_grade_runs(name: str, qid: str, grades: Sequence[int]) -> Iterator[Finding]:
    """The longest run of each grade, where it is rare."""
    longest: Counter[int] = Counter()
    for grade, same in groupby(grades):
        longest[grade] = max(longest[grade], len(list(same)))
    times = Counter(grades)
    for grade, length in longest.items():
        if expected_runs(length, times[grade], len(grades)) < RARE:
            text = f"{length} documents in a row with grade {grade}"
            yield Finding(name, qid, text, length, len(grades))


def expected_runs(length: int, n_grade: int, labels: int) -> float:
    """How many runs at least so long to expect of a grade given so often, in a random order of the labels.

    >>> expected_runs(2, 2, 4), expected_runs(4, 4, 4), expected_runs(1, 1, 9)
    (0.5, 1.0, 1.0)
    """
    first = prod((n_grade - at) / (labels - at) for at in range(length))
    if labels == n_grade:
        return first
    later = prod((n_grade - at) / (labels - 1 - at) for at in range(length))
    return first + (labels - length) * (labels - n_grade) / labels * later


SAME_GRADE = Check(
    "same-grade",
    "The same grade many times in a row",
    f"fewer than {RARE * 1000:g} in 1,000 random orders of the topic's labels have so long a run of equal grades; "
    "checked only for documents in shuffled order",
    "The assessor's view of relevance changed, the assessor was tired, or a key was held down.",
    _same_grade,
)


SEVERITY_LEAST = 20


def _severity(progress: Progress) -> Iterator[Finding]:
    for name in progress.people if len(progress.people) > 1 else ():
        own = progress.labels(name)
        others = [progress.labels(other) for other in progress.people if other != name]
        differences = [
            float((own[pair].grade or 0) - (labels[pair].grade or 0))
            for labels in others
            for pair in own.keys() & labels.keys()
        ]
        if len(differences) >= SEVERITY_LEAST and standard_errors(differences) > FAR:
            mean = fmean(differences)
            text = f"{abs(mean):.2f} grades {'higher' if mean > 0 else 'lower'} on average"
            yield Finding(name, "", text, mean, len(differences))


SEVERITY = Check(
    "severity",
    "Grades above or below other assessors' grades for the same documents",
    f"the mean difference is more than {FAR:g} standard errors from zero (at least {SEVERITY_LEAST} shared labels)",
    "The assessor and the others do not interpret the topic or the guidelines equally strictly.",
    _severity,
)


TOPICS_LEAST, MOST = 10, 0.9


def _full_topics(progress: Progress) -> Iterator[tuple[str, str, int, int]]:
    """Each finished topic, by whom it was judged, how many of its documents are relevant, and how many have a label."""
    graded: dict[str, dict[str, int]] = {}
    judges: dict[str, dict[str, None]] = {}
    for name in progress.people:
        for (qid, docno), event in progress.labels(name).items():
            grades = graded.setdefault(qid, {})
            grades[docno] = max(grades.get(docno, 0), event.grade or 0)
            judges.setdefault(qid, {})[name] = None
    work = [(qid, docnos) for own in progress.work.values() for qid, docnos in own.items()]
    open_qids = {qid for qid, docnos in work if not graded.get(qid, {}).keys() >= set(docnos)}
    for qid in sorted(graded.keys() & dict(work).keys() - open_qids):
        grades = graded[qid]
        relevant = sum(grade >= progress.min_relevant for grade in grades.values())
        yield qid, ", ".join(judges[qid]), relevant, len(grades)


def _topic_check(unusual: Callable[[int, int], bool]) -> Callable[[Progress], Iterator[Finding]]:
    def find(progress: Progress) -> Iterator[Finding]:
        for topic, who, relevant, labels in _full_topics(progress):
            if labels >= TOPICS_LEAST and unusual(relevant, labels):
                text = f"{relevant} of {counted(labels, 'document')} relevant"
                yield Finding(who, topic, text, relevant / labels, labels)

    return find


NONE_RELEVANT = Check(
    "none-relevant",
    "Topics without relevant documents",
    f"a finished topic with at least {TOPICS_LEAST} documents has no relevant document",
    "The collection may not contain an answer. A topic without relevant documents cannot be used to compare systems.",
    _topic_check(lambda relevant, labels: relevant == 0),
)
MOST_RELEVANT = Check(
    "most-relevant",
    "Topics with almost only relevant documents",
    f"more than {MOST:.0%} of a finished topic's documents are relevant (at least {TOPICS_LEAST} documents)",
    "The topic is broad, and the pool probably misses many relevant documents.",
    _topic_check(lambda relevant, labels: relevant > MOST * labels),
)


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.name: check
        for check in (
            FAST_LABELS,
            PACE,
            SAME_GRADE,
            OWN_REPEATS,
            SEVERITY,
            DRIFT,
            UNSURE,
            CANNOT_JUDGE,
            NONE_RELEVANT,
            MOST_RELEVANT,
        )
    }
)


def findings(progress: Progress) -> list[dict[str, Any]]:
    """What all checks find: one row each."""
    return [
        {"check": check.title, **finding._asdict()} for check in CHECKS.values() for finding in check.find(progress)
    ]
