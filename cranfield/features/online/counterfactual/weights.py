"""How the lists of a log are weighed for another ranking, the examination of ranks, and what a click model predicts."""

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.features.online.click_models.model import (
    STEPS,
    ClickedLists,
    QueryDocuments,
    clicked_lists,
    connected_ranks,
    pairs_of,
)
from cranfield.features.online.click_models.rates import PBM
from cranfield.features.online.counterfactual.estimators import WeightedLists
from cranfield.features.online.interactions import Interactions

MAX_ARRAY_NUMBERS = 2_000_000  # numbers in memory


class DocumentWorth(NamedTuple):
    """What Plackett and Luce's model draws by: the next document by its worth among those that are left."""

    topic: Ints
    document: Ints
    log_worth: Floats


class NewRanking(NamedTuple):
    """A ranking for each topic, as columns sorted by topic and rank; or each document at each rank that it may have."""

    topic: Ints
    document: Ints
    rank: Ints  # from 0
    probability: Floats | None = None  # of the document at the rank, of a policy that draws
    worth: DocumentWorth | None = None  # of Plackett and Luce's model, which draws whole lists

    @property
    def chance(self) -> Floats:
        """The probability of each document at each rank."""
        return np.ones(len(self.rank)) if self.probability is None else self.probability


def new_ranks(log: Interactions, new: NewRanking) -> Ints:
    """The rank that the new ranking gives each document shown, from 0; -1 for none."""
    width = int(max(new.document.max(initial=0), log.document.max(initial=0))) + 1
    key = new.topic * width + new.document
    row, matches = match_keys(key, log.topic[log.impression] * width + log.document)
    return np.where(matches, new.rank[row], -1)


def match_keys(keys: Ints, targets: Ints) -> tuple[Ints, Mask]:
    """The row of each wanted key among all, and whether it is there; else the row is that of any.

    >>> rows, known = match_keys(np.array([30, 10, 20]), np.array([20, 15]))
    >>> rows[known].tolist(), known.tolist()
    ([2], [True, False])
    """
    order = np.argsort(keys)
    rows = order[np.minimum(np.searchsorted(keys[order], targets), len(keys) - 1)]
    return rows, keys[rows] == targets


def logged_ranks(log: Interactions) -> Ints:
    """The rank at which each document was shown, from 0."""
    return log.first[log.impression] + log.position


def weigh_by_list(log: Interactions, new: NewRanking) -> WeightedLists:
    """Whole lists: 1 over the product of the propensities where the new ranking shows the same list, else 0.

    Of a policy that draws, its probability of the list over that product.
    """
    chance = np.zeros(len(log))
    np.add.at(chance, log.impression, np.log(log.propensity))
    if new.probability is not None:
        return _lists(log, np.exp(chances_of_lists(log, new) - chance))
    same = np.ones(len(log), bool)
    np.logical_and.at(same, log.impression, new_ranks(log, new) == logged_ranks(log))
    return _lists(log, np.where(same, np.exp(-chance), 0))


def weigh_by_position(log: Interactions, new: NewRanking) -> WeightedLists:
    """Documents at their positions: 1 over the propensity where the new ranking shows the same there, else 0.

    Far larger samples than whole lists give, under the assumption that a click depends on the document and its position
    alone. The propensity of a document is that of being shown at its position, whatever else is shown.

    Source: Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay and Wen, Offline evaluation of ranking policies with click
    models, KDD 2018.
    """
    return _documents(log, _chances(log, new) / log.propensity)


def weigh_by_examination(log: Interactions, new: NewRanking, examination: Floats) -> WeightedLists:
    """Documents: the examination of their new rank over that of the logged one; 0 below the lists' depth.

        mean over lists of the sum over clicks of  examination(new rank) / examination(logged rank)

    Needs no randomised lists, only the examination of ranks: from a position-based model, from documents that moved, or
    from a file. It takes clicks to depend on examination of the rank and on the document alone. A document that only
    some lists of a topic showed counts in these for all that would show it; one that none showed counts nothing, so a
    ranking that finds new ones gets too little.

    Source: Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, WSDM 2017.

    >>> from cranfield.features.online.interactions import example
    >>> new = NewRanking(np.zeros(2, int), np.arange(2), np.arange(2))
    >>> weigh_by_examination(example("ab:", "ac:"), new, np.array([1.0, 0.5])).weight
    array([1., 2., 1., 0.])
    """
    if new.probability is not None:
        raise InputError("position-based needs one ranking per topic, not a policy that draws lists")
    ranks, log_ranks = new_ranks(log, new), logged_ranks(log)
    if log_ranks.max(initial=-1) >= len(examination):
        raise InputError(
            f"a document was shown at rank {int(log_ranks.max()) + 1}, but the file lacks the examination probability"
            " of this rank; add it"
        )
    topics, row = np.unique(log.topic, return_inverse=True)
    begins = np.zeros((len(topics), int((log.first + log.length).max(initial=0)) + 1))  # lists at each rank, less ends
    np.add.at(begins, (row, log.first), 1)
    np.add.at(begins, (row, log.first + log.length), -1)
    within = (ranks >= 0) & (ranks < begins.shape[1] - 1)
    rank, number = np.where(within, ranks, 0), pairs_of(log)[1]
    would_show = np.cumsum(begins, axis=1)[row[log.impression], rank]
    share = would_show / np.bincount(number)[number]
    return _documents(log, np.where(within, examination[rank] / examination[log_ranks] * share, 0))


def _chances(log: Interactions, new: NewRanking) -> Floats:
    """The probability that the new ranking shows each document at the rank at which it was shown."""
    if new.probability is None:
        same: Floats = (new_ranks(log, new) == logged_ranks(log)).astype(float)
        return same
    width = int(max(new.document.max(initial=0), log.document.max(initial=0))) + 1
    depth = int(max(new.rank.max(initial=0), logged_ranks(log).max(initial=0))) + 1
    key = (new.topic * width + new.document) * depth + new.rank
    targets = (log.topic[log.impression] * width + log.document) * depth + logged_ranks(log)
    order = np.argsort(key)
    place = order[np.minimum(np.searchsorted(key[order], targets), len(key) - 1)]
    return np.where(key[place] == targets, new.probability[place], 0.0)


def chances_of_lists(log: Interactions, new: NewRanking) -> Floats:
    """The logarithm of the probability of each whole list by a policy that draws.

    Of Plackett and Luce's model it is the product, from the first document on, of the worth of each over that of all
    that are left. Probabilities of documents at ranks alone tell that of a list only where it is of one document.

    Source: Plackett, The analysis of permutations, Applied Statistics 24, 1975; Luce, Individual Choice Behavior, 1959.
    """
    if new.worth is None:
        if (log.length != 1).any():
            raise InputError(
                "probabilities of documents at positions do not determine the probabilities of whole lists; use"
                " item-position, or --policy plackett-luce with a run"
            )
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(_chances(log, new)))
    if log.first.any():
        raise InputError(
            "some lists are later result pages; plackett-luce needs lists that start at the first document"
        )
    worth, rest = _worth(log, new.worth)
    chances, depth = np.zeros(len(log)), int(log.length.max(initial=0))
    for rank in reversed(range(depth)):
        lists = np.flatnonzero(log.length > rank)
        of = worth[log.bounds[:-1][lists] + rank]
        rest[lists] = np.logaddexp(rest[lists], of)
        chances[lists] += np.where(of > -np.inf, of - np.where(of > -np.inf, rest[lists], 0), -np.inf)
    return chances


def _worth(log: Interactions, worth: DocumentWorth) -> tuple[Floats, Floats]:
    """The logarithms of each shown document's worth, and of the sum of those of each list that were not shown."""
    width = int(max(worth.document.max(initial=0), log.document.max(initial=0))) + 1
    key, targets = worth.topic * width + worth.document, log.topic[log.impression] * width + log.document
    place, matches = match_keys(key, targets)
    rest = np.full(len(log), -np.inf)
    for topic in np.unique(log.topic).tolist():
        of, lists = np.flatnonzero(worth.topic == topic), np.flatnonzero(log.topic == topic)
        column, row = np.full(len(key), -1), np.full(len(log), -1)
        column[of] = np.arange(len(of))
        step = max(1, MAX_ARRAY_NUMBERS // max(len(of), 1))
        for start in range(0, len(lists), step):
            chunk = lists[start : start + step]
            row[chunk] = np.arange(len(chunk))
            others = np.tile(worth.log_worth[of], (len(chunk), 1))
            cells = np.flatnonzero(matches & (row[log.impression] >= 0))
            others[row[log.impression[cells]], column[place[cells]]] = -np.inf
            rest[chunk] = np.logaddexp.reduce(others, axis=1)
            row[chunk] = -1
    return np.where(matches, worth.log_worth[place], -np.inf), rest


def weigh_by_inverse(log: Interactions, new: NewRanking) -> tuple[WeightedLists, Mask]:
    """Whole lists, by the pseudo-inverse of each topic's lists; and the lists whose topic never showed what is needed.

        weight of a logged list s = n' G+ s,  G = mean of s s' over the lists of its topic

    where s and n (of the new list) have a 1 for each document at its position. G comes from the logged lists of a
    topic, so no propensities are needed, but lists of a topic must vary. Weights can be negative.

    Source: Swaminathan, Krishnamurthy, Agarwal, Dudik, Langford, Jose and Zitouni, Off-policy evaluation for slate
    recommendation, NIPS 2017.

    A new list is out of reach where its documents at their positions are no combination of logged lists.
    """
    if new.probability is not None:
        raise InputError("pseudo-inverse needs one ranking per topic, not a policy that draws lists")
    weight, unreachable = np.zeros(len(log)), np.zeros(len(log), bool)
    same, place = new_ranks(log, new) == logged_ranks(log), logged_ranks(log)
    for topic in np.unique(log.topic):
        lists = np.flatnonzero(log.topic == topic)
        rows = np.flatnonzero(log.topic[log.impression] == topic)
        slots, slot = np.unique(log.document[rows] * (place.max() + 1) + place[rows], return_inverse=True)
        indicator = np.zeros((len(lists), len(slots)))
        indicator[np.searchsorted(lists, log.impression[rows]), slot] = 1
        target = np.zeros(len(slots))
        target[slot[same[rows]]] = 1
        inverse = np.linalg.pinv(indicator.T @ indicator / len(lists), hermitian=True)
        weight[lists] = indicator @ inverse @ target
        is_reachable = np.allclose(indicator.T @ indicator / len(lists) @ inverse @ target, target)
        unreachable[lists] = not is_reachable or target.sum() < log.length[lists].max()
    return _lists(log, weight), unreachable


def equal_weights(log: Interactions) -> WeightedLists:
    """Whole lists without weights."""
    return _lists(log, np.ones(len(log)))


def _lists(log: Interactions, weight: Floats) -> WeightedLists:
    zeros = np.zeros(len(log))
    reward = np.bincount(log.impression, log.clicks, len(log)).astype(float)
    return WeightedLists(weight, reward, zeros, expectation=zeros, impression=np.arange(len(log)), impressions=len(log))


def _documents(log: Interactions, weight: Floats) -> WeightedLists:
    zeros = np.zeros(len(log.document))
    return WeightedLists(
        weight, log.clicks.astype(float), zeros, expectation=zeros, impression=log.impression, impressions=len(log)
    )


def examination_by_swaps(lists: ClickedLists) -> Floats:
    """The examination of each rank, relative to the first.

    A document of a query attracts as much at any rank, so the ratio of its click-through rates at two ranks is that of
    their examinations. The first rank is 1; each next one follows from the documents shown at both it and the one
    above, weighted by how often. What is shown where must not depend on how good it looked that day; random swaps are
    best.

    Source: Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, WSDM 2017 (swaps at
    random); Agarwal, Zaitsev, Wang, Li, Najork and Joachims, Estimating position bias without intrusive interventions,
    WSDM 2019.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> examination_by_swaps(clicked_lists(example(*["ab:a"] * 8, *["ab:"] * 2, *["ba:a"] * 4, *["ba:"] * 6))).tolist()
    [1.0, 0.5]
    """
    cell = lists.pair * lists.depth + lists.ranks
    size = lists.pairs * lists.depth
    times, clicks = (
        np.bincount(cell.ravel(), (lists.times * of).ravel(), size).reshape(lists.pairs, lists.depth)
        for of in (True, lists.click)
    )
    examination = [1.0]
    for rank in range(1, lists.depth):
        above, below = times[:, rank - 1], times[:, rank]
        both = np.divide(above * below, above + below, out=np.zeros(len(below)), where=above + below > 0)
        rates = [(both * clicks[:, at] / np.maximum(times[:, at], 1)).sum() for at in (rank - 1, rank)]
        if not rates[0] or not rates[1]:
            raise InputError(
                f"no document was shown and clicked at both rank {rank} and rank {rank + 1}, so swap"
                " cannot compare them; use --propensity pbm"
            )
        examination.append(examination[-1] * float(rates[1] / rates[0]))
    return np.array(examination)


def check_identified(log: Interactions, new: NewRanking) -> None:
    """Refuse a ranking for which a position-based model of the log has to compare examinations that it cannot tell.

    These are the examinations of two ranks that no documents connect, if a clicked document moves from one to another.
    """
    lists, (pairs, number) = clicked_lists(log), pairs_of(log)
    group, shown_at = connected_ranks(lists), np.zeros(lists.pairs, np.int64)
    shown_at[number] = logged_ranks(log)
    counts, place, matches = _pair_of_each(pairs, new, lists.depth)
    rank, has_clicks = new.rank[counts], lists.sum_by_pair(lists.click) > 0
    moves = matches & has_clicks[place] & (new.chance[counts] > 0) & (group[rank] != group[shown_at[place]])
    if moves.any():
        row = np.flatnonzero(moves)[0]
        found = f"a clicked document moves from rank {shown_at[place[row]] + 1} to rank {rank[row] + 1}"
        raise InputError(
            f"{found}, but no clicked documents connect these ranks, so their examination cannot be compared (Agarwal"
            " et al., WSDM 2019). Log lists with varied rankings, or use --propensity FILE"
        )


class Predictions(NamedTuple):
    """Expected clicks per list."""

    prediction: Floats  # of the lists logged
    expectation: Floats  # of the new ranking at their ranks


def predictions(log: Interactions, new: NewRanking) -> Predictions:
    """The predictions for a log whose lists all have a topic; what was never shown gets the mean attractiveness."""
    pairs, number = pairs_of(log)
    fit = PBM.fit(clicked_lists(log), STEPS)
    attraction, examination = fit.documents["attractiveness"], fit.shared["examination"]
    prediction = np.zeros(len(log))
    np.add.at(prediction, log.impression, attraction[number] * examination[logged_ranks(log)])
    counts, place, matches = _pair_of_each(pairs, new, len(examination))
    attractive = np.where(matches, attraction[place], attraction[number].mean())
    clicks = attractive * examination[new.rank[counts]] * new.chance[counts]
    topics, row = np.unique(np.concatenate([log.topic, new.topic[counts]]), return_inverse=True)
    total = np.zeros((len(topics), len(examination) + 1))
    np.add.at(total, (row[len(log) :], new.rank[counts] + 1), clicks)
    total = np.cumsum(total, axis=1)
    of = row[: len(log)]
    return Predictions(prediction, total[of, log.first + log.length] - total[of, log.first])


def never_shown(log: Interactions, new: NewRanking) -> float:
    """The share of the new ranking's documents, at the log's depth, that no list showed for their topic.

    >>> from cranfield.features.online.interactions import example
    >>> new = NewRanking(np.zeros(2, int), np.array([1, 2]), np.arange(2))
    >>> never_shown(example("abc:a", "bac:b"), new), never_shown(example("ab:a", "ba:b"), new)
    (0.0, 0.5)
    """
    counts, _, matches = _pair_of_each(pairs_of(log)[0], new, int(logged_ranks(log).max()) + 1)
    return float(np.average(~matches, weights=new.chance[counts])) if len(matches) else 1.0


def _pair_of_each(pairs: QueryDocuments, new: NewRanking, depth: int) -> tuple[Mask, Ints, Mask]:
    """The documents of the new ranking that count; of each of them its pair, and whether there is one."""
    width = int(max(new.document.max(initial=0), pairs.document.max())) + 1
    keys, targets = pairs.topic * width + pairs.document, new.topic * width + new.document
    counts = (new.rank < depth) & np.isin(new.topic, pairs.topic)
    return counts, *match_keys(keys, targets[counts])
