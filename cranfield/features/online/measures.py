"""The measures of an interaction log, and how their names are written: CTR, CTR@10."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import MeasureError
from cranfield.features.online.interactions import Interactions


class ListSums(NamedTuple):
    """What each list adds, `total`, and how many `times` it counts; a measure is their ratio, or the median."""

    total: Floats
    times: Floats


@dataclass(frozen=True, eq=False)
class OnlineMeasure:
    """A measure: a function from a log and a cutoff to what each list adds.

    `of_documents`: it can be measured by document, each as a list of its own. `bigger_is` says which way is better.
    """

    name: str
    function: Callable[[Interactions, int | None], ListSums]
    bigger_is: Literal["better", "worse", "neither"]
    unit: Literal["share", "number", "seconds"] = "share"  # a share is from 0 to 1
    has_cutoff: bool = False
    of_documents: bool = False
    median: bool = False
    cutoff: int | None = None
    explanation: str = ""  # what it is for, when it misleads, its source
    counts_users: bool = False  # each user counts once, not each list
    filter: Mapping[str, str] = field(default_factory=dict)  # attributes of the lists that count

    def __call__(self, log: Interactions) -> ListSums:
        """What each list of a log adds."""
        return self.function(log, self.cutoff)

    def __str__(self) -> str:
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"

    @property
    def description(self) -> str:
        """One sentence."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def about(self) -> str:
        """What it is for, when it misleads, its source."""
        return self.explanation.strip()


def share(of: Mask) -> ListSums:
    """The share of lists of which something holds.

    >>> share(np.array([True, False]))
    ListSums(total=array([1., 0.]), times=array([1., 1.]))
    """
    return ListSums(of.astype(float), np.ones(len(of)))


def lists_with(log: Interactions, actions: Mask) -> Mask:
    """The lists that have at least one of these actions."""
    lists = np.zeros(len(log), bool)
    lists[log.actions.impression[actions]] = True
    return lists


def clicked_ranks(log: Interactions) -> tuple[Ints, Ints]:
    """The list and the rank, from 1, of every clicked document; documents on earlier pages count."""
    places = np.flatnonzero(log.clicks)
    lists = log.impression[places]
    return lists, log.first[lists] + log.position[places] + 1


def click_through_rate(log: Interactions, cutoff: int | None) -> ListSums:
    """The share of lists with a click, at cutoff k on one of the first k documents.

    >>> from cranfield.features.online.interactions import example
    >>> log = example("abc:a", "bac:", "bca:ca")
    >>> click_through_rate(log, None).total, click_through_rate(log, 1).total
    (array([1., 0., 1.]), array([1., 0., 0.]))
    """
    lists, ranks = clicked_ranks(log)
    clicked = np.zeros(len(log), bool)
    clicked[lists if cutoff is None else lists[ranks <= cutoff]] = True
    return share(clicked)


CTR = OnlineMeasure("CTR", click_through_rate, "better", has_cutoff=True, of_documents=True, explanation=""" CTR, the
click-through rate: the share of lists with a click. For CTR@k, the click is on one of the first k documents.

By position or by run, CTR is the share of the documents shown there that were clicked. It misleads if a snippet already
answers the query, or if attractive titles draw the clicks. Read it together with Satisfied and Reformulation.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip


def abandonment(log: Interactions, cutoff: int | None) -> ListSums:
    """The share of lists without a click.

    >>> from cranfield.features.online.interactions import example
    >>> abandonment(example("abc:a", "bac:"), None).total
    array([0., 1.])
    """
    return share(~lists_with(log, log.actions.is_kind("click")))


ABANDONMENT = OnlineMeasure("Abandonment", abandonment, "worse", explanation="""
Abandonment: the share of lists without a click.

Lists without documents are included. Abandonment misleads if the list itself answers the question (good abandonment).

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip


def clicks_per_search(log: Interactions, cutoff: int | None) -> ListSums:
    """The number of clicks per list.

    >>> from cranfield.features.online.interactions import example
    >>> clicks_per_search(example("abc:ab", "bac:"), None).total
    array([2., 0.])
    """
    lists = log.actions.impression[log.actions.is_kind("click")]
    return ListSums(np.bincount(lists, minlength=len(log)).astype(float), np.ones(len(log)))


CLICKS_PER_SEARCH = OnlineMeasure(
    "ClicksPerSearch", clicks_per_search, "neither", "number", of_documents=True, explanation="""
ClicksPerSearch: the mean number of clicks per list. Repeated clicks on the same document are counted.

More clicks are not always better: users who find nothing in the first document click on the next one.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip


def highest_reciprocal_rank(log: Interactions, cutoff: int | None) -> ListSums:
    """The reciprocal rank of the highest click of a list, 0 without a click.

    >>> from cranfield.features.online.interactions import example
    >>> highest_reciprocal_rank(example("abc:bc", "bac:"), None).total
    array([0.5, 0. ])
    """
    lists, ranks = clicked_ranks(log)
    best = np.zeros(len(log))
    np.maximum.at(best, lists, 1 / ranks)
    return ListSums(best, np.ones(len(log)))


def mean_reciprocal_rank(log: Interactions, cutoff: int | None) -> ListSums:
    """The mean reciprocal rank of the clicked documents of a list, 0 without a click.

    >>> from cranfield.features.online.interactions import example
    >>> mean_reciprocal_rank(example("abc:ab", "bac:"), None).total
    array([0.75, 0.  ])
    """
    lists, ranks = clicked_ranks(log)
    total = np.bincount(lists, 1 / ranks, minlength=len(log))
    return ListSums(
        ratio(total, np.bincount(lists, minlength=len(log)).astype(float), undefined=0.0), np.ones(len(log))
    )


RECIPROCAL_RANKS_DESCRIPTION = """ MaxRR, the reciprocal rank of the highest click, and MeanRR, the mean reciprocal rank
over clicks.

Lists without a click score 0. Both correspond to MRR, with clicks in place of relevant documents. They mislead as all
click measures do: users look most at the first ranks, regardless of the documents there. The rank includes the
documents on earlier pages.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008, who leave out
lists without a click.
"""
MAX_RR = OnlineMeasure("MaxRR", highest_reciprocal_rank, "better", explanation=RECIPROCAL_RANKS_DESCRIPTION)
MEAN_RR = OnlineMeasure("MeanRR", mean_reciprocal_rank, "better", explanation=RECIPROCAL_RANKS_DESCRIPTION)


def time_to_click(log: Interactions, cutoff: int | None) -> ListSums:
    """The median of the seconds to the first click, of lists with a click.

    >>> from cranfield.features.online.interactions import example
    >>> time_to_click(example("abc:ab", "bac:"), None)
    ListSums(total=array([0.01, 0.  ]), times=array([1., 0.]))
    """
    clicks = log.actions.is_kind("click") & ~np.isnan(log.actions.at)
    first = np.full(len(log), np.inf)
    np.minimum.at(first, log.actions.impression[clicks], log.actions.at[clicks])
    finite = np.isfinite(first)
    return ListSums(np.where(finite, first - log.at, 0.0), finite.astype(float))


TIME_TO_CLICK = OnlineMeasure("TimeToClick", time_to_click, "worse", "seconds", median=True, explanation="""
TimeToClick: the median time from a list to its first click, in seconds.

Lists without a click do not count, so the measure can improve because impatient users leave. It is a median, because a
few users who leave for hours would dominate a mean. Its interval is a bootstrap over users.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip


def dwell(log: Interactions, cutoff: int | None) -> ListSums:
    """The mean of the seconds on a document.

    >>> from cranfield.features.online.interactions import example
    >>> dwell(example("abc:ab"), None)
    ListSums(total=array([0.]), times=array([0.]))
    """
    dwells = (log.actions.is_kind("dwell") | log.actions.is_kind("click")) & ~np.isnan(log.actions.seconds)
    lists = log.actions.impression[dwells]
    seconds = np.bincount(lists, log.actions.seconds[dwells], minlength=len(log)).astype(float)
    return ListSums(seconds, np.bincount(lists, minlength=len(log)).astype(float))


DWELL = OnlineMeasure("Dwell", dwell, "better", "seconds", of_documents=True, explanation=""" Dwell: the mean time on a
document in seconds, over the actions that have a time.

A long dwell is usually good. It misleads if a document is long or hard to read. Satisfied uses a threshold of 30
seconds.

Source: Fox et al., Evaluating implicit measures to improve web search, ACM TOIS 23(2), 2005.
""")  # fmt: skip


LONG = 30.0  # seconds


def satisfaction(log: Interactions, cutoff: int | None) -> ListSums:
    """The share of lists with a click of 30 seconds or more.

    >>> from cranfield.features.online.interactions import example
    >>> satisfaction(example("abc:ab"), None)
    ListSums(total=array([0.]), times=array([0.]))
    """
    dwells = (log.actions.is_kind("dwell") | log.actions.is_kind("click")) & ~np.isnan(log.actions.seconds)
    if not dwells.any():
        return ListSums(np.zeros(len(log)), np.zeros(len(log)))
    return share(lists_with(log, dwells & (log.actions.seconds >= LONG)))


SATISFIED = OnlineMeasure("Satisfied", satisfaction, "better", of_documents=True, explanation="""
Satisfied: the share of lists with a document on which the user stayed for 30 seconds or more.

Satisfied is the usual estimate of which clicks were good. It is undefined if the log does not
contain dwell times (`seconds`).

Source: Fox et al., Evaluating implicit measures to improve web search, ACM TOIS 23(2), 2005.
""")  # fmt: skip


SOON = 1800.0  # seconds


def reformulation(log: Interactions, cutoff: int | None) -> ListSums:
    """The share of lists after which the user tried another query.

    >>> from cranfield.features.online.interactions import example
    >>> reformulation(example("abc:", "bac:a"), None).total
    array([0., 0.])
    """
    again = lists_with(log, log.actions.is_kind("reformulate"))
    order = np.lexsort((log.at, log.session))
    earlier, later = order[:-1], order[1:]
    same = (log.session[earlier] == log.session[later]) & (log.session[earlier] >= 0)
    other = (log.query[earlier] != log.query[later]) & (log.at[later] - log.at[earlier] <= SOON)
    again[earlier[same & other]] = True
    return share(again)


REFORMULATION = OnlineMeasure("Reformulation", reformulation, "worse", explanation="""
Reformulation: the share of lists after which the user tried another query.

A list counts if it has the action reformulate, or if the session's next list, within half an hour, is for another
query. The next page of the same list does not count. Reformulation misleads if users explore: a new question looks like
a reformulation.

Source: Hassan, Shi, Craswell and Ramsey, Beyond clicks: query reformulation as a predictor of search satisfaction,
CIKM 2013.
""")  # fmt: skip


def conversion(log: Interactions, cutoff: int | None) -> ListSums:
    """The share of lists with a conversion.

    >>> from cranfield.features.online.interactions import example
    >>> conversion(example("abc:a"), None).total
    array([0.])
    """
    return share(lists_with(log, log.actions.is_kind("convert")))


CONVERSION = OnlineMeasure("Conversion", conversion, "better", of_documents=True, explanation=""" Conversion: the share
of lists that led to the system's goal, such as a purchase, a download or a loan.

Conversion is close to the owner's goal, but conversions are rare, so an experiment needs many users.

Source: Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, Cambridge University Press 2020.
""")  # fmt: skip


def zero_hits(log: Interactions, cutoff: int | None) -> ListSums:
    """The share of lists without a document.

    >>> from cranfield.features.online.interactions import example
    >>> zero_hits(example("abc:a", ":"), None).total
    array([0., 1.])
    """
    return share(np.logical_and(log.length == 0, log.first == 0))


ZERO_HITS = OnlineMeasure("ZeroHits", zero_hits, "worse", explanation="""
ZeroHits: the share of lists without a document.

These queries are the first to fix; `--by query` lists them. An empty later page does not count.

Source: Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, Cambridge University Press 2020.
""")  # fmt: skip


def value(log: Interactions, cutoff: int | None) -> ListSums:
    """The value of what users did, per list.

    >>> from cranfield.features.online.interactions import example
    >>> value(example("abc:a", "ab:"), None)
    ListSums(total=array([0., 0.]), times=array([1., 1.]))
    """
    total = np.bincount(log.actions.impression, np.nan_to_num(log.actions.value), len(log)).astype(float)
    return ListSums(total, np.ones(len(log)))


VALUE_DESCRIPTION = """
Value: the sum of the values of a list's actions, as revenue, over the lists; ValuePerUser: over the users.

What the owner of a system is paid, so few users decide it: `--cap 99.5%` keeps the largest from deciding alone. Value
changes with the number of lists too, so take ValuePerUser where a system may make people search more, or less.

Source: Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018.
"""
VALUE = OnlineMeasure("Value", value, "better", "number", of_documents=True, explanation=VALUE_DESCRIPTION)
VALUE_PER_USER = OnlineMeasure(
    "ValuePerUser", value, "better", "number", explanation=VALUE_DESCRIPTION, counts_users=True
)


ONLINE_MEASURES: Mapping[str, OnlineMeasure] = {
    measure.name: measure
    for measure in (
        CTR, ABANDONMENT, CLICKS_PER_SEARCH, MAX_RR, MEAN_RR, TIME_TO_CLICK, DWELL, SATISFIED, REFORMULATION,
        CONVERSION, ZERO_HITS, VALUE, VALUE_PER_USER,
    )
}  # fmt: skip
NOTATION = re.compile(r"(\w+)(?:@([1-9]\d{0,8}))?")


def online_measure(name: str) -> OnlineMeasure:
    """The measure of this name, whatever its case; CTR@10 has a cutoff.

    >>> str(online_measure("ctr@10")), online_measure("Dwell").unit
    ('CTR@10', 'seconds')
    >>> online_measure("nDCG")
    Traceback (most recent call last):
    cranfield.errors.MeasureError: unknown online measure 'nDCG'; available: CTR, Abandonment, ClicksPerSearch, MaxRR,
    MeanRR, TimeToClick, Dwell, Satisfied, Reformulation, Conversion, ZeroHits, Value, ValuePerUser
    """
    match = NOTATION.fullmatch(name.strip())
    measures = {each.name.lower(): each for each in ONLINE_MEASURES.values()}
    if match is None or match[1].lower() not in measures:
        raise MeasureError(f"unknown online measure {name!r}; available: {', '.join(ONLINE_MEASURES)}")
    measure = measures[match[1].lower()]
    if match[2] and not measure.has_cutoff:
        raise MeasureError(f"{measure.name} has no cutoff; expected {measure.name}")
    return replace(measure, cutoff=int(match[2])) if match[2] else measure
