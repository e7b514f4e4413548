"""What of runs and judgments counts: the rows selected, the topics that each run answered; and what did not meet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays import WhichTopics
from cranfield.arrays.judged import Judged, JudgedBlocks, Unmet, as_judged_blocks, respelled_among, respelled_line
from cranfield.arrays.rankings import MINUS_ONE_RULE, Ints, Mask, Qrels, Runs, is_judged, is_own_id_systematic
from cranfield.errors import CorpusWarning, InputError, MissingTopicWarning, Note, UnjudgedWarning
from cranfield.selection import LeftOut
from cranfield.text import counted

PAIR = 1 << 32  # above every document: a pair is topic * PAIR + document


@dataclass(frozen=True, eq=False)
class RowSelection:
    """What counts, over the numbers of topics and documents of some runs and judgments.

    `topics` is a mask of the topics that count. `document` is the number by which each document goes now, -1 for one
    that is left out. `earlier` are the pairs judged before, as `pair_keys` gives them. A ranking
    ends at `most`. What is None changes nothing.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs, qrels = as_runs({"q": {"old": 3.0, "gone": 2.0, "new": 1.0}}), as_qrels({"q": {"old": 1}})
    >>> number = {name: at for at, name in enumerate(runs.docnos.names)}
    >>> document = np.array([number["new"] if name == "old" else number[name] for name in number])
    >>> document[number["gone"]] = -1
    >>> kept = RowSelection(document=document).select_runs(runs, LeftOut())
    >>> kept.docnos.names[kept.document].tolist(), kept.score
    (['new'], array([3.]))
    """

    topics: Mask | None = None
    document: Ints | None = None
    earlier: Ints | None = None
    most: int | None = None

    @property
    def changes_nothing(self) -> bool:
        """Whether all counts as it is."""
        return self.topics is None and self.document is None and self.earlier is None and self.most is None

    def select_runs(self, runs: Runs, left_out: LeftOut) -> Runs:
        """The rows that count; `left_out` receives how many were judged earlier, for each run."""
        if self.changes_nothing:
            return runs
        if self.topics is not None:
            runs = runs.rows(self.topics[runs.topic])
        if self.document is not None:
            runs = replace(runs, document=self.document[runs.document])
            runs = runs.rows(runs.document >= 0)  # without documents that are left out
            order = np.lexsort((runs.rank, runs.document, runs.groups))
            # without the second of two that go by one name now
            runs = runs.rows(np.sort(order[_is_first_of_pair(runs.groups[order], runs.document[order])]))
        if self.earlier is not None:
            earlier = self._is_earlier(runs.topic, runs.document)
            number = np.bincount(runs.run[earlier], minlength=len(runs.tags))
            left_out.rows.update(zip(runs.tags, number.tolist(), strict=True))
            runs = runs.rows(~earlier)
        return runs if self.most is None else runs.rows(runs.rank <= self.most)

    def rows_of(self, qrels: Qrels) -> Ints:
        """Which judgments count, by topic and document; of two of one document now, the one by its present name."""
        now = qrels.document if self.document is None else self.document[qrels.document]
        counts = now >= 0
        if self.topics is not None:
            counts &= self.topics[qrels.topic]
        if self.earlier is not None:
            counts &= ~self._is_earlier(qrels.topic, now)
        rows = np.flatnonzero(counts)
        order = rows[np.lexsort((now[rows] != qrels.document[rows], now[rows], qrels.topic[rows]))]
        return order[_is_first_of_pair(qrels.topic[order], now[order])]

    def select_qrels(self, qrels: Qrels) -> Qrels:
        """These judgments, by the present names of their documents."""
        fewer = qrels.rows(self.rows_of(qrels))
        return fewer if self.document is None else replace(fewer, document=self.document[fewer.document])

    def _is_earlier(self, topic: Ints, document: Ints) -> Mask:
        keys = np.zeros(0, np.int64) if self.earlier is None else self.earlier
        mask: Mask = np.isin(topic * PAIR + document, keys)
        return mask


def pair_keys(topic: Ints, document: Ints) -> Ints:
    """Pairs as RowSelection has them.

    >>> pair_keys(np.array([1, 0]), np.array([0, 5])).tolist()
    [5, 4294967296]
    """
    return np.unique(topic * PAIR + document)


def _is_first_of_pair(topic: Ints, document: Ints) -> Mask:
    """Of sorted pairs, the first of each."""
    first: Mask = (np.diff(topic, prepend=-1) != 0) | (np.diff(document, prepend=-1) != 0)
    return first


NAMED = 5  # runs or topics that a line names


class AnsweredTopics(NamedTuple):
    """Which run answered which judged topic, a mask (runs, topics), and which runs retrieved any judged document.

    `unmet` is what else the runs have.
    """

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    mask: Mask
    any_judged: Mask
    unmet: Unmet = Unmet()

    @property
    def common(self) -> Ints:
        """The topics that all runs answered; an error where there is none."""
        topics = np.flatnonzero(self.mask.all(axis=0))
        if not len(topics):
            names = join_first_names(self._runs_with_fewest_topics())
            raise InputError(
                f"none of the {len(self.qids)} judged topics was answered by all runs (fewest topics: {names})"
            )
        return topics

    def lines(
        self, which: WhichTopics = WhichTopics.all, own: bool = False, common: str = "--topics common"
    ) -> list[str]:
        """What a reader of means over topics must know, a line each; with `own` each mean is over a run's own topics.

        `common` is what takes the topics that all runs answered.

        >>> mask = np.array([[True, True, True], [True, False, True]])
        >>> found = AnsweredTopics(("a", "b"), ("1", "2", "3"), mask, np.array([True, True]), Unmet(("4",)))
        >>> for line in [*found.lines(), *found.lines(WhichTopics.common)[1:]]:
        ...     print(line)
        1 topic that runs answered has no judgments and does not count: 4 1 of 2 runs did not answer all 3 judged topics
        and scores 0 there: b 2; --topics common uses only the 2 topics that all runs answered 1 of 3 judged topics are
        excluded, because 1 of 2 runs did not answer it: b 2
        """
        if self.mask.all() and self.any_judged.all() and not self.unmet.qids and not any(self.unmet[3:]):
            return []
        return [
            *self.respelled_lines(),
            *self._own_id_notes(),
            *(Note(line, MissingTopicWarning) for line in self._unjudged_topic_notes()),
            *(Note(line, UnjudgedWarning) for line in self._strange()),
            *(Note(line, MissingTopicWarning) for line in self._partial(which, own, common)),
        ]

    def respelled_lines(self) -> list[str]:
        """Ids that do not match because of their Unicode normal forms."""
        found = {"topic": respelled_among(self.unmet.qids, self.qids), "document": self.unmet.respelled}
        return [Note(respelled_line(what, pairs), CorpusWarning) for what, pairs in found.items() if pairs]

    def _own_id_notes(self) -> list[str]:
        retrieved, judged = self.unmet.own_ids, self.unmet.judged_own_ids
        if not is_own_id_systematic(self.unmet.first_own_ids, int(self.mask.sum())):
            return []
        found = f"{retrieved:,} retrieved and {judged:,} judged documents have the id of their topic"
        return [f"{found}; remove them from runs and judgments with --ignore-own-id"]

    def _unjudged_topic_notes(self) -> list[str]:
        if not (qids := self.unmet.qids):
            return []
        were = "has no judgments and does not count" if len(qids) == 1 else "have no judgments and do not count"
        return [f"{counted(len(qids), 'topic')} that runs answered {were}: {join_first_names(qids)}"]

    def _strange(self) -> list[str]:
        """The runs none of whose documents was judged."""
        pairs = zip(self.tags, self.mask.any(axis=1) & ~self.any_judged, strict=True)
        if not (strange := [tag for tag, is_strange in pairs if is_strange]):
            return []
        some = f"{len(strange)} of {counted(len(self.tags), 'run')} retrieved no judged document and"
        score = f"{'counts' if len(strange) == 1 else 'count'} as 0: {join_first_names(strange)}"
        none = "none of the runs' documents is judged, so every score is 0"
        about = none if len(strange) == len(self.tags) else f"{some} {score}"
        docnos = f"; {strange[0]} has {self.unmet.docno!r}, the qrels have {self.unmet.judged!r}"
        is_example = self.unmet.docno != self.unmet.judged and not self.unmet.respelled
        return [about + docnos * is_example]

    def _partial(self, which: WhichTopics, own: bool, by: str) -> list[str]:
        """The runs that did not answer all topics, if there are any."""
        topics, common = len(self.qids), int(self.mask.all(axis=0).sum())
        if self.mask.all():
            return []
        fewest = self._runs_with_fewest_topics()
        who = f"{len(fewest)} of {len(self.tags)} runs did not answer"
        if which is WhichTopics.common:
            them = "it" if topics - common == 1 else "them all"
            return [
                f"{topics - common} of {topics} judged topics are excluded, because {who} {them}:"
                f" {join_first_names(fewest)}"
            ]
        if len(self.tags) == 1:
            zero = "" if own else f" and scores 0 on the others; to exclude the others, use {by}"
            return [f"{self.tags[0]} answered {common} of {topics} judged topics{zero}"]
        zero = "and scores 0 there" if len(fewest) == 1 else "and score 0 there"
        effect = ", so means are over different topics" if own else f" {zero}"
        whole = (
            f"uses only the {counted(common, 'topic')} that all runs answered"
            if common
            else "cannot be used, because no topic was answered by all runs"
        )
        return [f"{who} all {topics} judged topics{effect}: {join_first_names(fewest)}; {by} {whole}"]

    def _runs_with_fewest_topics(self) -> list[str]:
        """The runs that did not answer all topics, each with how many it did, the fewest first."""
        pairs = sorted(zip(self.mask.sum(axis=1).tolist(), self.tags, strict=True))
        return [f"{tag} {number}" for number, tag in pairs if number < len(self.qids)]


def topics_answered_by_run(judged: Judged | JudgedBlocks) -> AnsweredTopics:
    """Which run answered which judged topic.

    >>> from cranfield.metrics.inputs import join_judged
    >>> judged = join_judged({"1": {"d": 1}, "2": {"d": 0}}, {"1": {"x:d": 1.0}, "3": {"x:e": 1.0}})
    >>> found = topics_answered_by_run(judged)
    >>> found.mask, found.any_judged, found.unmet
    (array([[ True, False]]), array([False]), Unmet(qids=('3',), docno='x:d', judged='d', own_ids=0, judged_own_ids=0,
    first_own_ids=0, respelled=()))
    """
    blocks = as_judged_blocks(judged)
    here = vars(blocks).get("joined")
    both = blocks.map_topics(_retrieved_and_judged) if here is None else _retrieved_and_judged(here)
    return AnsweredTopics(blocks.tags, blocks.qids, both[..., 0], np.any(both[..., 1], axis=1), blocks.bare.unmet)


def _retrieved_and_judged(judged: Judged) -> Mask:
    """Per ranking: did it retrieve anything, and anything that was judged?"""
    return np.stack([judged.retrieved > 0, judged.any_judged], axis=-1).reshape(*judged.shape, 2)


def unjudged_lines(grade: Ints, is_sample: bool = False) -> list[str]:
    """That some grades of qrels are no judgments, in a line; those of a sample say so themselves.

    >>> unjudged_lines(np.array([1, -1, -2]))
    ['1 of 3 grades in the qrels is -1, so its document counts as unjudged; in qrels files, grade -1 means unjudged']
    """
    count = 0 if is_sample else len(grade) - int(np.count_nonzero(is_judged(grade)))
    if not count:
        return []
    are, those = ("is", "its document counts") if count == 1 else ("are", "their documents count")
    some = f"{count:,} of {counted(len(grade), 'grade')} in the qrels {are} -1"
    return [f"{some}, so {those} as unjudged; {MINUS_ONE_RULE}"]


WHOLE_GRADES = (
    "`cranfield import qrels --times N` makes whole grades in a store, and the store's scale defines relevance"
)


def grade_lines(grade: Ints, is_sample: bool = False, has_measures: bool = True) -> list[str]:
    """Return the notes on grades that are no judgments or are below the default threshold of relevance.

    `has_measures` says whether the command takes measures, whose threshold can be lowered.

    >>> grade_lines(np.array([1.0, 0.5, 0.3, 0.0]))
    ['2 of 4 grades in the qrels are above 0 and below 1: measures that count relevant documents exclude them, unless
    you lower rel, for example "AP(rel=0.3)"; gains are the grades themselves']
    """
    lines = unjudged_lines(grade, is_sample)
    if grade.dtype.kind != "f":
        return lines
    small = grade[(grade > 0) & (grade < 1)]
    if not len(small):
        return lines
    are, them = ("is", "it") if len(small) == 1 else ("are", "them")
    some = f"{len(small):,} of {counted(len(grade), 'grade')} in the qrels {are} above 0 and below 1"
    if not has_measures:
        return [*lines, f"{some}, and this command counts {them} as not relevant; {WHOLE_GRADES}"]
    remedy = (
        f"measures that count relevant documents exclude {them}, unless you lower rel, for example"
        f' "AP(rel={small.min():g})"'
    )
    return [*lines, f"{some}: {remedy}; gains are the grades themselves"]


def join_first_names(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> join_first_names(["a", "b"]), join_first_names(["a", "b", "c", "d", "e", "f", "g"])
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + f" and {more} more" * (more > 0)
