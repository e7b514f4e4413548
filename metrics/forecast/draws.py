"""Simulated labels of unjudged documents, and the scores of runs under each simulated labelling."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels, Runs, Vocabulary, as_grades
from cranfield.metrics.forecast.forecaster import Forecaster, UnjudgedPairs, unjudged_pairs
from cranfield.metrics.forecast.model import MIN_SHIFT_SD, UNTESTED_SHIFT_SD
from cranfield.metrics.forecast.pairs import joint_vocabulary, recode_codes
from cranfield.metrics.measure import Measure

N_DRAWS = 500
TOPIC_SD = 0.8  # standard deviation of a topic's own shift, used where labels were drawn
GRID = np.linspace(-4, 4, 161)  # of the shift
WIDE_GRID = np.linspace(-12, 12, 481)  # of a shift with the spread of a run that is nearly unjudged
GRADE_PRIOR = 2.0  # relevant documents by which a topic's shares of grades are shrunk towards the overall shares
MAX_CELLS = 4_000_000  # labels and rows that are scored in one batch
MEASURES_OF_COVERAGE = ("Judged", "Unjudged", "RBPresid")  # which measure what is unjudged
Labels = Mapping[str, Mapping[tuple[str, str], float]]
"""Per run, the grades of randomly drawn unjudged documents of that run, by (topic, document)."""

NO_LABELS: Labels = {}
Grades = NDArray[np.int16] | NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreDraws:
    """Scores of runs as judged and under each simulated labelling.

    Parameters
    ----------
    tags, qids : tuple of str
        The runs and the judged topics.
    measures : tuple of Measure
        The measures.
    judged : array (runs, topics, measures)
        The scores as judged.
    draws : array (draws, runs, topics, measures)
        The scores under each labelling; no draws where no model was fitted.
    pairs : UnjudgedPairs
        What was labelled.
    n_labels : array (runs,)
        The drawn labels of each run that were used.
    reasons : tuple of str
        Why there are no draws.
    """

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    measures: tuple[Measure, ...]
    judged: Floats
    draws: Floats
    pairs: UnjudgedPairs
    n_labels: Ints
    reasons: tuple[str, ...] = ()


def draw_relevance(
    pairs: UnjudgedPairs, n_draws: int = N_DRAWS, seed: int = 0, labels: Labels = NO_LABELS, rel: float = 1
) -> Mask:
    """Draw which unjudged documents are relevant.

    Each run has one shift of its log odds in each draw. Where runs share a document, their log odds are averaged and
    the document gets one label. Drawn labels of a run give a posterior of its shift on a grid, and stay fixed. The
    order of runs, topics and documents makes no difference: random numbers go by their names.

    Parameters
    ----------
    pairs : UnjudgedPairs
        The unjudged documents, with probabilities.
    n_draws : int, default 500
        The number of labellings.
    seed : int, default 0
        The seed.
    labels : mapping, optional
        Per run, the grades of randomly drawn documents by (topic, document).
    rel : float, default 1
        The lowest grade that counts as relevant.

    Returns
    -------
    array of bool (draws, pairs)
        The labellings.
    """
    probability = np.clip(pairs.probability, 1e-4, 1 - 1e-4)
    log_odds = np.log(probability / (1 - probability))
    total, qids = np.zeros((n_draws, pairs.n_pairs)), np.array(pairs.qids, object)
    unjudged_runs = sorted(np.unique(pairs.run).tolist(), key=pairs.tags.__getitem__)
    for number, run in enumerate(unjudged_runs):
        rows, tag = np.flatnonzero(pairs.run == run), pairs.tags[run]
        place, relevant = _labelled_places(pairs, rows, labels.get(tag, {}), rel)
        shifted = _shift_log_odds(
            log_odds[rows],
            np.unique(qids[pairs.topic[rows]], return_inverse=True)[1],
            float(pairs.spread[run]),
            place=place,
            relevant=relevant,
            n_draws=n_draws,
            generator=np.random.default_rng([seed, 0, number]),
        )
        total[:, pairs.pair[rows]] += shifted
    mean = total / np.bincount(pairs.pair, minlength=pairs.n_pairs)
    random = np.random.default_rng([seed, 1]).random(mean.shape)[:, pairs.place_by_name]
    drawn = np.asarray(random < 1 / (1 + np.exp(-mean)))
    for pair, grade in _fixed_grades(pairs, labels).items():
        drawn[:, pair] = grade >= rel
    return drawn


def _shift_log_odds(
    log_odds: Floats,
    topic: Ints,
    spread: float,
    *,
    place: Ints,
    relevant: Mask,
    n_draws: int,
    generator: np.random.Generator,
) -> Floats:
    grid = WIDE_GRID if spread >= UNTESTED_SHIFT_SD else GRID
    if not len(place):
        prior = np.exp(-0.5 * (grid / spread) ** 2)
        shift = generator.choice(grid, n_draws, p=prior / prior.sum())
        return np.asarray(log_odds + shift[:, None])
    attenuation = np.sqrt(1 + 0.346 * TOPIC_SD**2)  # of log odds, when a normal topic effect is averaged out
    prior = np.exp(-0.5 * (grid / max(spread, MIN_SHIFT_SD)) ** 2)
    chance = 1 / (1 + np.exp(-(log_odds[place] + grid[:, None] / attenuation)))
    likelihood = np.where(relevant, np.log(chance), np.log(1 - chance)).sum(axis=1)
    posterior = prior * np.exp(likelihood - likelihood.max())
    shift = generator.choice(grid, n_draws, p=posterior / posterior.sum())
    effect = generator.normal(0, TOPIC_SD, (n_draws, int(topic.max(initial=-1)) + 1))
    return np.asarray(log_odds * attenuation + shift[:, None] + effect[:, topic])


def _labelled_places(
    pairs: UnjudgedPairs, rows: Ints, labels: Mapping[tuple[str, str], float], rel: float
) -> tuple[Ints, Mask]:
    """The places among a run's rows that have a drawn label, and whether each is relevant."""
    if not labels:
        return np.zeros(0, np.int64), np.zeros(0, bool)
    names = [(pairs.qids[topic], docno) for topic, docno in zip(pairs.topic[rows], pairs.docno[rows], strict=True)]
    place = [number for number, name in enumerate(names) if name in labels]
    return np.array(place, np.int64), np.array([labels[names[number]] >= rel for number in place], bool)


def _fixed_grades(pairs: UnjudgedPairs, labels: Labels) -> dict[int, float]:
    """The grade of each pair that a drawn label decides."""
    if not any(labels.values()):
        return {}
    rows = zip(pairs.run.tolist(), pairs.topic.tolist(), pairs.docno, pairs.pair.tolist(), strict=True)
    return {
        pair: labels[pairs.tags[run]][pairs.qids[topic], docno]
        for run, topic, docno, pair in rows
        if (pairs.qids[topic], docno) in labels.get(pairs.tags[run], {})
    }


def draw_grades(
    relevance: Mask, pairs: UnjudgedPairs, qrels: Qrels, *, seed: int = 0, labels: Labels = NO_LABELS, rel: float = 1
) -> Grades:
    """Draw the grade of each document drawn as relevant.

    The probabilities are the shares of grades among the topic's judged relevant documents, shrunk towards the overall
    shares: (n_tg + 2 s_g) / (n_t + 2). A document drawn as not relevant has grade 0.

    Parameters
    ----------
    relevance : array of bool (draws, pairs)
        The labellings of `draw_relevance`.
    pairs : UnjudgedPairs
        The unjudged documents.
    qrels : Qrels
        The judgments.
    seed : int, default 0
        The seed.
    labels : mapping, optional
        Drawn labels, whose grades are kept.
    rel : float, default 1
        The lowest grade that counts as relevant.

    Returns
    -------
    array (draws, pairs)
        The grades: int16, or float64 where a judged or a drawn grade is a fraction.
    """
    judged = qrels.grade[qrels.grade >= rel]
    levels, count = np.unique(judged, return_counts=True)
    if len(levels) < 2:
        grades = np.where(relevance, levels[0] if len(levels) else rel, 0)
    else:
        topic = qrels.topics.translate(qrels.topic, Vocabulary(pairs.qids))[qrels.grade >= rel]
        counts = np.zeros((len(pairs.qids), len(levels)))
        np.add.at(counts, (topic, np.searchsorted(levels, judged)), 1)
        shares = counts + GRADE_PRIOR * count / count.sum()
        upper = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)[pairs.topic[pairs.first_row]]
        drawn = np.random.default_rng([seed, 2]).random(relevance.shape)[:, pairs.place_by_name]
        level = sum((drawn > upper[:, number]).astype(np.int16) for number in range(len(levels) - 1))
        grades = np.where(relevance, levels[np.asarray(level)], 0)
    fixed = _fixed_grades(pairs, labels)
    grades = grades.astype(grade_type([*levels.tolist(), rel, *fixed.values()]))
    for pair, grade in fixed.items():
        grades[:, pair] = grade
    return grades


def grade_type(grades: Sequence[float] | Ints) -> type[np.int16 | np.int64 | np.float64]:
    """Return the smallest type of number that holds these grades.

    Examples
    --------
    >>> [grade_type(grades).__name__ for grades in ([0, 2], [0, 0.5], [0, 100_000])]
    ['int16', 'float64', 'int64']
    """
    values = as_grades(np.asarray(grades, float))
    if values.dtype.kind == "f":
        return np.float64
    return np.int16 if np.abs(values).max(initial=0) <= np.iinfo(np.int16).max else np.int64


def score_draws(
    forecaster: Forecaster,
    runs: Runs,
    measures: Sequence[Measure],
    *,
    n_draws: int = N_DRAWS,
    seed: int = 0,
    labels: Labels = NO_LABELS,
) -> ScoreDraws:
    """Score runs as judged and under simulated labels of their unjudged documents within the depth.

    All runs are scored under the same labels, which change the number of relevant documents and the ideal rankings of
    each run. Unjudged documents below the depth of every run stay not relevant.

    Parameters
    ----------
    forecaster : Forecaster
        The fitted model.
    runs : Runs
        The runs in question, pooled or new.
    measures : sequence of Measure
        The measures.
    n_draws : int, default 500
        The number of labellings.
    seed : int, default 0
        The seed.
    labels : mapping, optional
        Per run, the grades of randomly drawn unjudged documents by (topic, document).

    Returns
    -------
    ScoreDraws
        The scores; without draws, and with reasons, where no model was fitted.
    """
    runs, pairs, chosen = runs.loaded, unjudged_pairs(forecaster, runs), tuple(measures)
    extended = add_unjudged_pairs(forecaster.qrels, pairs, runs)
    base = join_runs_with_common_topics(runs, extended.qrels)
    n_labels = np.array([len(_labelled_places(pairs, np.flatnonzero(pairs.run == run), labels.get(tag, {}), 1)[0])
                         for run, tag in enumerate(runs.tags)], np.int64)  # fmt: skip
    unlabelled = np.full((1, pairs.n_pairs), -1, np.int16)
    judged = _score_drawn_labellings(base, extended.pair_of_row, unlabelled, chosen)[0]
    if forecaster.model is None:
        empty = np.zeros((0, *judged.shape))
        return ScoreDraws(runs.tags, base.qids, chosen, judged, empty, pairs, n_labels, forecaster.reasons)
    relevance = draw_relevance(pairs, n_draws, seed, labels, forecaster.rel)
    grades = draw_grades(relevance, pairs, forecaster.qrels, seed=seed, labels=labels, rel=forecaster.rel)
    draws = np.broadcast_to(judged, (n_draws, *judged.shape)).copy()
    topics = np.unique(pairs.topic)
    if len(topics):
        draws[:, :, topics] = _score_drawn_labellings(base.select_topics(topics), extended.pair_of_row, grades, chosen)
    return ScoreDraws(runs.tags, base.qids, chosen, judged, draws, pairs, n_labels)


def _score_drawn_labellings(judged: Judged, pair_of_row: Ints, grades: Grades, measures: Sequence[Measure]) -> Floats:
    """Scores under drawn grades; judgments that most measures do not look at are left out for these."""
    decisive = judged.select_judgments((judged.qrels_grade > 0) | (pair_of_row[judged.qrels_row] >= 0))
    columns = [
        score_labellings(batch, grades_by_labelling(batch, pair_of_row, grades), [measure])
        if measure.sees_nonrelevant
        else None
        for measure in measures
        for batch in [judged]
    ]
    others = [measure for measure in measures if not measure.sees_nonrelevant]
    quick = iter(
        np.moveaxis(score_labellings(decisive, grades_by_labelling(decisive, pair_of_row, grades), others), -1, 0)
    )
    return np.stack([next(quick) if column is None else column[..., 0] for column in columns], axis=-1)


@dataclass(frozen=True, eq=False)
class ExtendedQrels:
    """Judgments with a row of grade 0 for each unjudged pair; `pair_of_row` is -1 for what was judged."""

    qrels: Qrels
    pair_of_row: Ints


def add_unjudged_pairs(qrels: Qrels, pairs: UnjudgedPairs, runs: Runs) -> ExtendedQrels:
    """Return judgments with one more row for each unjudged pair, by the runs' document numbers."""
    docnos, (places,) = joint_vocabulary(runs.docnos, qrels.docnos)
    kept, first = np.flatnonzero(qrels.judged), pairs.first_row
    topics = Vocabulary(pairs.qids)
    topic = np.append(qrels.topics.translate(qrels.topic[kept], topics), pairs.topic[first])
    document = np.append(recode_codes(qrels.document[kept], places), runs.docnos.codes(pairs.docno[first]))
    grade = np.append(qrels.grade_or_unjudged[kept], np.zeros(len(first), np.int64))
    pair = np.append(np.full(len(kept), -1), np.arange(len(first)))
    order = np.lexsort((document, topic))
    return ExtendedQrels(Qrels(topics, docnos, topic[order], document[order], grade[order]), pair[order])


def add_drawn_labels(qrels: Qrels, pairs: UnjudgedPairs, runs: Runs, labels: Labels) -> Qrels:
    """Return judgments with the drawn labels of these runs."""
    fixed = _fixed_grades(pairs, labels)
    if not fixed:
        return qrels
    extended = add_unjudged_pairs(qrels, pairs, runs)
    pair_labels = np.full(pairs.n_pairs, np.nan)
    pair_labels[list(fixed)] = list(fixed.values())
    is_new = extended.pair_of_row >= 0
    grade = np.where(is_new, pair_labels[np.where(is_new, extended.pair_of_row, 0)], extended.qrels.grade)
    keep = ~np.isnan(grade)
    return replace(extended.qrels.rows(keep), grade=as_grades(grade[keep]))


def grades_by_labelling(judged: Judged, pair_of_row: Ints, grades: Grades) -> Grades:
    """Return the grade of each judgment in each world: the judged grade, or the one drawn for the pair."""
    pair = pair_of_row[judged.qrels_row]
    kind = np.result_type(grade_type(judged.qrels_grade), grades.dtype)
    worlds = np.broadcast_to(judged.qrels_grade.astype(kind), (len(grades), len(pair))).copy()
    drawn = np.flatnonzero(pair >= 0)
    worlds[:, drawn] = grades[:, pair[drawn]]
    return worlds


def score_labellings(judged: Judged, grades: Grades, measures: Sequence[Measure]) -> Floats:
    """Score runs under many labellings of the same documents.

    Parameters
    ----------
    judged : Judged
        The runs, joined with every document that has a label in some labelling.
    grades : array (worlds, judgments)
        The grade of each judgment in each labelling; -1 where it is unjudged.
    measures : sequence of Measure
        The measures.

    Returns
    -------
    array (worlds, runs, topics, measures)
        The scores.
    """
    n_runs, n_topics = judged.shape
    size = max(MAX_CELLS // max(len(judged.rank) + len(judged.qrels_topic), 1), 1)
    scores = np.empty((len(grades), n_runs, n_topics, len(measures)))
    for start in range(0, len(grades), size):
        block = grades[start : start + size]
        batches = dict[bool, Judged]()
        for number, measure in enumerate(measures):
            keeps_all = measure.sees_nonrelevant
            if keeps_all not in batches:
                batches[keeps_all] = _batch(judged, block, (block != -1) if keeps_all else (block > 0))
            values = measure.scores(batches[keeps_all]).reshape(n_runs, len(block), n_topics)
            scores[start : start + size, ..., number] = values.swapaxes(0, 1)
    return scores


def _batch(judged: Judged, grades: Grades, keep: Mask) -> Judged:
    """The same runs under each labelling, a topic for each (world, topic)."""
    (n_worlds, _), (n_runs, n_topics) = grades.shape, judged.shape
    kind = np.float64 if grades.dtype.kind == "f" else np.int64
    place = (np.cumsum(keep) - 1).reshape(keep.shape)
    world, judgment = np.nonzero(keep)
    run_of_row = judged.ranking // n_topics
    columns = list[tuple[Ints, ...]]()
    for run in range(n_runs):
        rows = np.flatnonzero(run_of_row == run)
        mine = judged.judgment[rows]
        at, hit = np.nonzero(keep[:, mine])
        topic = judged.ranking[rows] % n_topics
        ranking = (run * n_worlds + at) * n_topics + topic[hit]
        columns.append((ranking, judged.rank[rows][hit], grades[at, mine[hit]].astype(kind), place[at, mine[hit]]))
    ranking, rank, grade, rows = (np.concatenate(column) for column in zip(*columns, strict=True))
    retrieved = np.repeat(judged.retrieved.reshape(n_runs, 1, n_topics), n_worlds, axis=1).ravel()
    return replace(
        judged, qids=tuple(map(str, range(n_worlds * n_topics))), ranking=ranking, rank=rank, grade=grade,
        judgment=rows, retrieved=retrieved, qrels_topic=world * n_topics + judged.qrels_topic[judgment],
        qrels_grade=grades[world, judgment].astype(kind), qrels_row=judged.qrels_row[judgment],
        highest_grade=max(judged.highest_grade, grades.max(initial=0).item()), qrels_stratum=None, subtopics=None,
        is_condensed=False,
    )  # fmt: skip
