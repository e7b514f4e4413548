"""The scores of runs as table rows and as the JSON document of `cranfield evaluate`."""

from collections.abc import Iterable, Iterator
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from cranfield.arrays.join import JudgedRuns
from cranfield.arrays.judged import Judged, JudgedBlocks, Unmet
from cranfield.arrays.rankings import Floats, Mask
from cranfield.call_view import CallView, notes_on_judgments
from cranfield.errors import InputError, Note, UnjudgedWarning
from cranfield.formats.files import fail_on_notes
from cranfield.metrics.evaluate import RunScores, concatenate_scores, score_runs
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.counts import JUDGED
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.options import MEASURES
from cranfield.parallel import map_blocks
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.store.store import Store

Cells = tuple[dict[str, str], Floats]  # what the scores are of, and one score a measure

JUDGED_DEPTH = 10  # to which the judged share is shown for a measure without a cutoff, where no pool has a depth
RELEVANT_ONLY = "the qrels list only relevant documents and do not show which documents were judged"
ALL = "all"  # the query_id of a mean, as in trec_eval


def undefined_shares(scores: RunScores) -> str:
    """Return the note on qrels that list relevant documents only, or an empty string."""
    shares = scores.judged_shares
    if shares is None or shares.are_known:
        return ""
    names = [f"{JUDGED.name}@{cutoff}" for cutoff in shares.cutoffs]
    return f"{RELEVANT_ONLY}; {join_words(names)} {'is' if len(names) == 1 else 'are'} undefined"


class Evaluation(NamedTuple):
    """Scores by these measures, a mask (runs, topics) of the topics that count, and what is to be said of them."""

    scores: RunScores
    measures: tuple[Measure, ...]
    topic_mask: Mask
    notes: list[str]


class ScoreSetting(NamedTuple):
    """By which measures runs are scored, to which depth judged shares are shown, and whether on their own topics."""

    measures: "MeasureLike | Iterable[MeasureLike]" = MEASURES
    depth: int | None = None
    retrieved_topics_only: bool = False

    @property
    def chosen_measures(self) -> "MeasureLike | Iterable[MeasureLike] | None":
        """The measures; None where nobody chose any."""
        return None if self.measures is MEASURES else self.measures


ScoredRuns: TypeAlias = tuple[RunScores, tuple[Measure, ...], Unmet]


def evaluation_with_notes(view: CallView, setting: ScoreSetting, scored: ScoredRuns) -> Evaluation:
    """The scores of a view, with the topics that count and the notes that a reader needs."""
    scores, measures, unmet = scored
    own, which = setting.retrieved_topics_only, view.which
    answered = scores.topics_answered(unmet)
    fail_on_notes(answered.respelled_lines())
    return Evaluation(scores, measures, scores.topic_mask(own, which), answered.lines(which, own))


def _unjudged_topics(store: "Store") -> str:
    from cranfield.analysis.unjudged_topics import unjudged_topics_line  # imports SQLite, which files do not need

    return unjudged_topics_line(store)


def score_rankings(
    view: CallView,
    setting: ScoreSetting,
    rankings: JudgedBlocks | None = None,
    *,
    scale_top: int | None = None,
) -> ScoredRuns:
    """The scores of a view's rankings, a few runs at a time, the measures, and what else the runs have.

    `rankings` takes the place of the view's own, and `scale_top` is the highest grade of their scale, by default the
    view's.
    """
    judged = view.parts() if rankings is None else rankings
    top = view.top_of_scale if scale_top is None else scale_top
    depth = setting.depth or (view.newest_pool_depth if rankings is None else view.pool_depth) or JUDGED_DEPTH
    measures = parse_measures(setting.measures, view.min_relevant)
    unmet, notes = Unmet(), dict[str, None]()

    def parts(runs: JudgedRuns) -> Iterator[tuple[Judged]]:
        nonlocal unmet
        for part in runs:
            unmet = unmet.join(part.unmet)
            notes.update(dict.fromkeys(notes_on_judgments(part, measures, view.min_relevant, top)))
            yield (part,)

    if isinstance(judged, JudgedBlocks):
        for line in notes_on_judgments(judged.bare, measures, view.min_relevant, top):
            view.tell(line)
        scores, unmet = score_runs(judged, measures, depth), judged.bare.unmet
    else:
        scores = concatenate_scores(list(map_blocks(score_runs, parts(judged), (measures, depth))), judged.tags)
        for line in notes:
            view.tell(line)
    if rankings is None and (line := view.read_from_judgment_store(_unjudged_topics, "")):
        view.tell(Note(line, UnjudgedWarning))
    return scores, measures, unmet


def evaluation(
    scores: RunScores, measures: tuple[Measure, ...], per_topic: bool = False, topic_mask: Mask | None = None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows with a column per measure, best run first, and the same as the JSON document.

    Where the judged shares are known, a column Judged@k follows for each cutoff of the measures, and each score of the
    document has its own.

    `topic_mask` is a mask (runs, topics) of the topics that count, by default all. By topic, the rows of a run are its
    topics followed by its mean, whose query_id is all. In the document, the mean of a run that did not answer all of
    them has its own as well, over those that it did.
    """
    names = [str(measure) for measure in measures]
    if topic_mask is None:
        topic_mask = scores.topic_mask(False)
    cells = [
        ({"run": tag}, mean) for tag, mean in zip(scores.tags, _run_means(scores, measures, topic_mask), strict=True)
    ]
    if per_topic:
        cells = _add_topic_scores(cells, scores, topic_mask)
    cutoffs = () if scores.judged_shares is None else scores.judged_shares.by_measure
    rows, singly = list[dict[str, Any]](), list[dict[str, Any]]()
    for key, numbers in cells:
        values, shares = numbers[: len(names)].tolist(), numbers[len(names) :].tolist()
        columns = {f"{JUDGED.name}@{cutoff}": share for cutoff, share in zip(cutoffs, shares, strict=True)}
        by_name = dict(zip(names, values, strict=True))
        rows.append({**key, **by_name, **{name: share for name, share in columns.items() if name not in by_name}})
        judged = [{"judged": share} for share in shares] or [{} for _ in names]
        each = zip(names, values, judged, strict=True)
        singly += [{**key, "measure": name, "value": value, **share} for name, value, share in each]
    answered = topic_mask & scores.answered
    # of each run that did not answer all topics that count: how many it did, and its means over these
    own = {
        tag: (int(mine.sum()), dict(zip(names, means.tolist(), strict=True)))
        for tag, mine, all_of_them, means in zip(
            scores.tags, answered, topic_mask, scores.means(measures, answered), strict=True
        )
        if mine.sum() < all_of_them.sum()
    }
    for one in singly:
        if one["run"] in own and one.get("query_id", ALL) == ALL:
            number, own_means = own[one["run"]]
            one |= {"topics": number, "own": own_means[one["measure"]]}
    if not per_topic:
        rows.sort(key=lambda row: (-np.nan_to_num(row[names[0]], nan=-np.inf), row["run"]))
    return rows, {"topics": int(topic_mask.any(axis=0).sum()), "scores": singly}


def _run_means(scores: RunScores, measures: tuple[Measure, ...], topic_mask: Mask) -> Floats:
    """The means of each run by each measure, followed by the judged share of each where they are known."""
    means, shares = scores.means(measures, topic_mask), scores.judged_shares
    return means if shares is None else np.concatenate([means, shares.means(topic_mask)], axis=1)


def with_own_means(rows: list[dict[str, Any]], document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The row of a run that did not answer all topics is followed by one of its means over those that it did.

    The judged share is of the documents that it retrieved, so both rows have the same.

    >>> score = {"run": "a", "measure": "AP", "value": 0.5, "topics": 1, "own": 1.0}
    >>> list(with_own_means([{"run": "a", "AP": 0.5}], {"scores": [score]}))
    [{'run': 'a', 'AP': 0.5}, {'run': '  its 1 topic', 'AP': 1.0}]
    """
    own: dict[str, dict[str, Any]] = {}
    for one in document["scores"]:
        if "own" in one:
            means = own.setdefault(one["run"], {"run": f"  its {counted(one['topics'], 'topic')}"})
            means[one["measure"]] = one["own"]
    for row in rows:
        yield row
        if row["run"] in own:
            yield row | own[row["run"]]


def refuse_topic_all(scores: RunScores) -> None:
    """Refuse a topic that has the name of the mean."""
    if ALL in scores.qids:
        raise InputError(f"a topic is called '{ALL}', the name of the mean; rename it to use --per-topic")


def _add_topic_scores(means: list[Cells], scores: RunScores, topic_mask: Mask) -> list[Cells]:
    """Each mean, preceded by the scores of its topics."""
    refuse_topic_all(scores)
    values, shares = scores.values, scores.judged_shares
    if shares is not None:
        values = np.concatenate([values, shares.spread_cutoffs(shares.values)], axis=2)
    return [
        ({**key, "query_id": qid}, values)
        for (key, mean), by_topic, mask in zip(means, values, topic_mask, strict=True)
        for qid, values in [*compress(zip(scores.qids, by_topic, strict=True), mask), (ALL, mean)]
    ]
