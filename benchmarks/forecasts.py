"""`python -m benchmarks.forecasts`: what the forecast says of runs outside a pool, and whether it comes true.

Each design takes a classic collection, a pool of eight lexical baselines to a depth, and a run of another kind. The
truth is the run's score with its first documents pooled as well. Results are kept in benchmarks/forecasts.json after
each design; docs/explanation/forecasts.md is written from them. The exit code is 1 if an acceptance limit is missed.
Needs the collections of ../shared/data; baseline runs are kept in the temporary folder.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.recipes import build, read_recipe
from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.rankings import Ints, Mask, Qrels, Runs, Vocabulary
from cranfield.formats.text_tables import as_markdown
from cranfield.metrics.evaluate import aggregate_scores, score_block
from cranfield.metrics.forecast.draws import ScoreDraws, score_draws
from cranfield.metrics.forecast.forecaster import Forecaster, fit_forecaster, infer_forecast_depth
from cranfield.metrics.forecast.forecasts import interval_of_draws, mean_draws
from cranfield.metrics.forecast.outcomes import Outcome, decide_outcomes, make_test
from cranfield.metrics.forecast.pairs import joint_vocabulary, recode_codes
from cranfield.metrics.forecast.track_record import (
    CLAIMS,
    INTERVAL,
    LARGE_LOSS,
    LARGE_LOSS_SENTENCE,
    SMALL_LOSS_SENTENCE,
)
from cranfield.metrics.inputs import as_runs
from cranfield.metrics.notation import parse
from cranfield.metrics.significance.pairs import CORRECTIONS
from cranfield.metrics.significance.tests import TESTS
from cranfield.search.systems import search_with_systems
from cranfield.store.qrels import labels_that_count
from cranfield.store.runs import unread_runs
from cranfield.store.store import Store

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
CACHE = Path(tempfile.gettempdir()) / "cranfield-forecasts"
RECORD = ROOT / "metrics" / "forecast" / "track_record.py"
PAGE, KEPT = ROOT / "docs" / "explanation" / "forecasts.md", ROOT / "benchmarks" / "forecasts.json"
START, END = "<!-- forecasts -->\n", "<!-- /forecasts -->"
COLLECTIONS = {"cacm": "cacm", "cisi": "cisi", "cranfield1400": "cranfield"}  # recipe, and the prefix of neural runs
POOL = ("fts5", "bm25", "bm25-words", "bm25l", "bm25plus", "ql-dirichlet", "ql-jelinek-mercer", "tfidf")
FAMILY = dict(zip(POOL, ("bm25",) * 5 + ("likelihood",) * 2 + ("vectors",), strict=True))
KIND = {
    "lsa": "latent", "chargrams": "character", "rm3": "feedback", "rocchio": "feedback",
    "wordllama": "neural", "minilm": "neural", "rrf-wl": "hybrid",
}  # fmt: skip
BUILT_IN, NEURAL = ("lsa", "chargrams", "rm3", "rocchio"), ("wordllama", "minilm", "rrf-wl")
DEPTHS, MEASURES, LABELS, SEEDS = (5, 10, 20), ("AP", "nDCG@10", "P@10"), (0, 20, 50, 100), (0, 1)
METHODS = ("depth", "rrf")
POOLS = {"depth": ("depth",), "budget": ("rrf",)}  # methods by the kinds of pools that the program tells apart
MAX_ERROR = {"built in": (1.8, 2.0, 2.5), "neural and hybrid": (5.5, 5.5, 7.5)}
MIN_HOLDING = 0.93
MAX_FALSE, MIN_RIGHT = 0.05, 0.97
MAX_UNDECIDED = {0: 0.79 + 0.06, 20: 0.48 + 0.06, 50: 0.38 + 0.06, 100: 0.27 + 0.06}
WORDLLAMA = {"cacm": (0.331, 0.301, 0.392), "cisi": (0.288, 0.244, 0.391), "cranfield1400": (0.352, 0.342, 0.396)}
WITHIN = 0.04  # of the score
Row = dict[str, Any]


class Collection(NamedTuple):
    """The runs of a collection over one vocabulary, and its full judgments."""

    name: str
    runs: Runs
    qrels: Qrels


class Design(NamedTuple):
    """A collection, a pooling method and its depth, and the run that is left out."""

    collection: str
    method: str
    depth: int
    new: str
    seed: int

    @property
    def key(self) -> str:
        """The name of the design in the file of results."""
        return "/".join(map(str, self))


def load_collection(name: str) -> Collection:
    """Build a collection and its baseline runs, or read them from the temporary folder."""
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"{name}.db"
    if not path.is_file():
        folder = DATA / name / "smart" if (DATA / name / "smart").is_dir() and name != "cranfield1400" else DATA / name
        build(read_recipe(name), folder, path).close()
        search_with_systems(path, [*POOL, *BUILT_IN])
    with Store.open(path) as store:
        runs, qrels = unread_runs(store).loaded, labels_that_count(store).qrels
    tables = [as_runs({tag: DATA / "neural-runs" / f"{COLLECTIONS[name]}.{tag}.run.gz"}) for tag in NEURAL]
    return Collection(name, join_runs([runs, *tables]), qrels)


def join_runs(parts: Sequence[Runs]) -> Runs:
    """Return runs of several tables over the vocabularies of the first."""
    docnos, places = joint_vocabulary(parts[0].docnos, *(part.docnos for part in parts[1:]))
    topics, numbers = joint_vocabulary(parts[0].topics, *(part.topics for part in parts[1:]))
    offsets = np.cumsum([0, *(len(part.tags) for part in parts)])
    documents = [recode_codes(part.document, place) for part, place in zip(parts, [None, *places], strict=True)]
    topic = [recode_codes(part.topic, place) for part, place in zip(parts, [None, *numbers], strict=True)]
    run = [part.run + offset for part, offset in zip(parts, offsets, strict=False)]
    tags = tuple(tag for part in parts for tag in part.tags)
    score = np.concatenate([part.score for part in parts])
    return Runs(tags, topics, docnos, np.concatenate(run), np.concatenate(topic), np.concatenate(documents), score)


def relevant_keys(collection: Collection) -> tuple[Ints, Vocabulary, int]:
    """Return the relevant pairs as topic * size + document by the runs' numbers, and the size."""
    qrels, runs = collection.qrels, collection.runs
    docnos, (places,) = joint_vocabulary(runs.docnos, qrels.docnos)
    topic = qrels.topics.translate(qrels.topic, runs.topics)
    keep, size = (qrels.grade > 0) & (topic >= 0), len(docnos.names)
    return np.unique(topic[keep] * size + recode_codes(qrels.document, places)[keep]), docnos, size


def pooled_keys(runs: Runs, depth: int, method: str, size: int) -> Ints:
    """Return the pairs of a pool to a depth, or of 2 * depth documents a topic: by best rank or by rank fusion."""
    if method == "depth":
        first = runs.rank <= depth
        return np.unique(runs.topic[first] * size + runs.document[first])
    keys, place = np.unique(runs.topic * size + runs.document, return_inverse=True)
    topic, score = keys // size, np.bincount(place, 1 / (60 + runs.rank))
    if method == "take":
        score = np.full(len(keys), -np.inf)
        np.maximum.at(score, place, -runs.rank.astype(float))
    order = np.lexsort((keys, -score, topic))
    starts = np.searchsorted(topic[order], topic[order])
    return np.sort(keys[order[np.arange(len(order)) - starts < 2 * depth]])


def pool_qrels(keys: Ints, relevant: Ints, collection: Collection, docnos: Vocabulary, size: int) -> Qrels:
    """Return the judgments of a pool, on topics that have a relevant document in the collection."""
    keys = keys[np.isin(keys // size, np.unique(relevant // size))]
    return Qrels(collection.runs.topics, docnos, keys // size, keys % size, np.isin(keys, relevant).astype(np.int64))


class Setting(NamedTuple):
    """A design made ready: all runs in question, the pool's judgments, those with the new run, and the forecaster."""

    runs: Runs
    judged: Qrels
    full: Qrels
    forecaster: Forecaster


def prepare(collection: Collection, design: Design) -> Setting:
    """Pool the lexical runs, fit the forecaster, and pool the new run's first documents for the truth."""
    relevant, docnos, size = relevant_keys(collection)
    pool, new = collection.runs.select(POOL), collection.runs.select([design.new])
    with_topics = np.isin(pool.topic, np.unique(relevant // size))
    pool = pool.rows(with_topics)
    keys = pooled_keys(pool, design.depth, design.method, size)
    judged = pool_qrels(keys, relevant, collection, docnos, size)
    depth = design.depth if design.method == "depth" else infer_forecast_depth(pool, judged)
    more = np.union1d(keys, pooled_keys(new, depth, "depth", size))
    full = pool_qrels(more, relevant, collection, docnos, size)
    rows = judged.topic * size + judged.document

    def rebuild(kept: Sequence[str]) -> Mask:
        return np.isin(rows, pooled_keys(pool.select(kept), design.depth, design.method, size))

    fitted = fit_forecaster(
        pool,
        judged,
        depth,
        kinds=FAMILY,
        seed=design.seed,
        rebuild=None if design.method == "depth" else rebuild,
    )
    return Setting(collection.runs.select([*POOL, design.new]), judged, full, fitted)


def draw_of(scores: ScoreDraws, new: str, n: int, full: Qrels, seed: int) -> dict[str, dict[tuple[str, str], int]]:
    """Return the labels of a random draw of the new run's unjudged documents."""
    pairs = scores.pairs
    rows = np.flatnonzero(pairs.run == pairs.tags.index(new))
    chosen = np.random.default_rng([seed, 3]).permutation(rows)[:n]
    wanted = set(zip(full.topics.names[full.topic], full.docnos.names[full.document], full.grade.tolist(), strict=True))
    relevant = {(qid, docno) for qid, docno, grade in wanted if grade > 0}
    names = [(pairs.qids[pairs.topic[row]], str(pairs.docno[row])) for row in chosen]
    return {new: {name: int(name in relevant) for name in names}}


def run_design(collection: Collection, design: Design) -> list[Row]:
    """Return a row for each measure and number of labels, with the outcomes of the new run against each pooled run."""
    setting = prepare(collection, design)
    is_compared = design.method == "depth" and design.new in NEURAL
    if not is_compared:
        setting = setting._replace(runs=setting.runs.select([design.new]))
    label_counts: Sequence[int] = LABELS[:1]
    if design.seed == SEEDS[0] and (is_compared or design.method != "depth"):
        label_counts = LABELS if is_compared else LABELS[:3]
    measures = [parse(name) for name in MEASURES]
    true = score_block(join_runs_with_common_topics(setting.runs, setting.full), measures)
    number = setting.runs.tags.index(design.new)
    others = np.array([run for run in range(len(setting.runs.tags)) if run != number], np.int64)
    a, b = np.full(len(others), number, np.int64), others
    test = make_test(TESTS["t"], CORRECTIONS["none"], a, b)
    rows, first = list[Row](), score_draws(setting.forecaster, setting.runs, measures, n_draws=1)
    for n_labels in label_counts:
        labels = draw_of(first, design.new, n_labels, setting.full, design.seed) if n_labels else {}
        scores = score_draws(setting.forecaster, setting.runs, measures, seed=design.seed, labels=labels)
        low, median, high = interval_of_draws(mean_draws(scores))
        before, after = aggregate_scores(scores.judged, measures)[number], aggregate_scores(true, measures)[number]
        for at, measure in enumerate(MEASURES):
            row: Row = dict(design._asdict(), kind=KIND[design.new], measure=measure, labels=n_labels)
            row |= {
                "judged": float(before[at]), "true": float(after[at]), "median": float(median[number, at]),
                "low": float(low[number, at]), "high": float(high[number, at]),
                "unjudged": float(scores.pairs.share[number]), "reasons": list(scores.reasons),
            }  # fmt: skip
            found = decide_outcomes(scores.judged[..., at], scores.draws[..., at], a, b, test)
            lower = true[number, :, at].mean() < true[others, :, at].mean(axis=1)
            truth = test(true[..., at]) & lower
            worse = scores.judged[number, :, at].mean() < scores.judged[others, :, at].mean(axis=1)
            row["pairs"] = [
                [one.outcome.name, bool(holds)]
                for one, holds, is_worse in zip(found, truth, worse, strict=True)
                if one.significant_as_judged and is_worse
            ]
            rows.append(row)
    return rows


def designs(seeds: Sequence[int]) -> Iterator[Design]:
    """Yield the designs, collection by collection; other pools than to a depth have the first seed only."""
    for collection in COLLECTIONS:
        for seed, method in [(seeds[0], "depth"), *((seed, "depth") for seed in seeds[1:]), (seeds[0], "rrf")]:
            for new in (*NEURAL, *BUILT_IN):
                for depth in DEPTHS:
                    yield Design(collection, method, depth, new, seed)


def error(row: Row, field: str = "median") -> float:
    """Return the error of a score in % of the true one."""
    return float(100 * abs(row[field] - row["true"]) / row["true"])


def holds(row: Row) -> bool:
    """Return whether the interval holds the true score."""
    return bool(row["low"] - 1e-9 <= row["true"] <= row["high"] + 1e-9)


def sentence(row: Row) -> tuple[str, bool]:
    """Return the sentence that the program prints on the score, and whether it was right."""
    loss = {name: 1 - row["judged"] / row[name] for name in ("low", "high", "true")}
    if loss["low"] >= LARGE_LOSS:
        return TEXTS[LARGE_LOSS_SENTENCE], loss["true"] >= LARGE_LOSS
    if loss["high"] < LARGE_LOSS:
        return TEXTS[SMALL_LOSS_SENTENCE], loss["true"] < LARGE_LOSS
    return TEXTS[INTERVAL], holds(row)


TEXTS = {
    LARGE_LOSS_SENTENCE: "too low by at least 6%",
    SMALL_LOSS_SENTENCE: "too low by less than 6%",
    INTERVAL: "between x and y",
}


def track_record(rows: Sequence[Row]) -> dict[tuple[str, bool], dict[str, dict[str, tuple[int, int]]]]:
    """Return by pool, with and without labels, by sentence and measure, the tested cases and the right ones.

    The interval is counted wherever there is one; the other sentences wherever the program would print them.
    """
    found: dict[tuple[str, bool], dict[str, dict[str, tuple[int, int]]]] = {}
    for pool, methods in POOLS.items():
        for labelled in (False, True):
            some = [row for row in rows if row["method"] in methods and (row["labels"] > 0) == labelled]
            found[pool, labelled] = {name: {} for name in CLAIMS}
            for measure in MEASURES:
                cases = [row for row in some if row["measure"] == measure and not row["reasons"]]
                right = {
                    name: [is_right(row) for row in cases if sentence(row)[0] == TEXTS[name]]
                    for name in (LARGE_LOSS_SENTENCE, SMALL_LOSS_SENTENCE)
                }
                right[INTERVAL] = [holds(row) for row in cases]
                for name in CLAIMS:
                    found[pool, labelled][name][measure] = (len(right[name]), sum(right[name]))
    return found


def write_record(rows: Sequence[Row]) -> None:
    """Write the table of right sentences into the module that decides what is printed."""
    lines = ["RECORDS: Mapping[tuple[PoolKind, bool], PoolRecord] = {"]
    for (pool, labelled), by_sentence in track_record(rows).items():
        lines.append(f'    ("{pool}", {labelled}): {{')
        for name, by_measure in by_sentence.items():
            counts = ", ".join(f'"{measure}": {pair}' for measure, pair in by_measure.items())
            lines.append(f'        "{name}": {{{counts}}},')
        lines.append("    },")
    text = RECORD.read_text(encoding="utf-8")
    before, _, rest = text.partition("# <records>\n")
    after = rest.partition("# </records>")[2]
    table = "\n".join([*lines, "}"])
    RECORD.write_text(f"{before}# <records>\n{table}\n# </records>{after}", encoding="utf-8")


class Limit(NamedTuple):
    """A line of the acceptance table."""

    name: str
    found: float
    bound: float
    is_met: bool


def acceptance(rows: Sequence[Row]) -> list[Limit]:
    """Compare the results of depth pools with their limits."""
    depth = [row for row in rows if row["method"] == "depth"]
    plain = [row for row in depth if row["labels"] == 0]
    limits = list[Limit]()
    for group, names in (("built in", BUILT_IN), ("neural and hybrid", NEURAL)):
        for measure, most in zip(MEASURES, MAX_ERROR[group], strict=True):
            values = [error(row) for row in plain if row["new"] in names and row["measure"] == measure]
            limits.append(at_most(f"mean error, {group}, {measure} (%)", float(np.mean(values)), most))
    for measure in MEASURES:
        share = float(np.mean([holds(row) for row in plain if row["measure"] == measure]))
        limits.append(at_least(f"intervals hold, {measure}", share, MIN_HOLDING))
    for number in LABELS:
        pairs = pairs_of([row for row in depth if row["labels"] == number and row["new"] in NEURAL])
        limits.append(at_most(f"false among kept, {number} labels", pairs["false"], MAX_FALSE))
        limits.append(at_least(f"right among due to unjudged documents, {number} labels", pairs["right"], MIN_RIGHT))
        limits.append(at_most(f"not decided, {number} labels", pairs["undecided"], MAX_UNDECIDED[number]))
    for collection, expected in WORDLLAMA.items():
        for row in plain:
            if [row[key] for key in ("collection", "depth", "new", "measure", "seed")] == [
                collection,
                10,
                "wordllama",
                "AP",
                0,
            ]:
                pairs_of_values = zip(("median", "low", "high"), expected, strict=True)
                found = max(abs(row[key] - value) / row["true"] for key, value in pairs_of_values)
                limits.append(
                    at_most(f"wordllama on {collection} from the reference, share of the score", found, WITHIN)
                )
    return limits


def at_most(name: str, found: float, bound: float) -> Limit:
    """Return a line that is met up to its bound."""
    return Limit(name, float(found), bound, bool(found <= bound))


def at_least(name: str, found: float, bound: float) -> Limit:
    """Return a line that is met from its bound on."""
    return Limit(name, float(found), bound, bool(found >= bound))


def pairs_of(rows: Sequence[Row]) -> dict[str, float]:
    """Return the shares of stars against new runs by what the rule for pairs says of them."""
    pairs = [tuple(pair) for row in rows for pair in row["pairs"]]
    kept = [is_true for outcome, is_true in pairs if outcome == Outcome.SIGNIFICANT.name]
    due = [is_true for outcome, is_true in pairs if outcome == Outcome.UNJUDGED.name]
    undecided = [is_true for outcome, is_true in pairs if outcome == Outcome.UNDECIDED.name]
    return {
        "stars": len(pairs), "false as judged": 1 - share_of([is_true for _, is_true in pairs]), "kept": len(kept),
        "false": 1 - share_of(kept, 1.0), "due": len(due), "right": 1 - share_of(due, 0.0),
        "undecided": len(undecided) / max(len(pairs), 1),
    }  # fmt: skip


def share_of(values: Sequence[bool], default: float = 0.0) -> float:
    """Return the share that holds, and the default where there are none."""
    return float(np.mean(values)) if values else default


def is_right(row: Row) -> bool:
    """Return whether the sentence on a score was right."""
    return sentence(row)[1]


def bootstrap(rows: Sequence[Row], value: Callable[[Sequence[Row]], float], samples: int = 500) -> tuple[float, float]:
    """Return the 95% interval of a value over collections, and runs within each, drawn with replacement."""
    cells: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        cells.setdefault(row["collection"], {}).setdefault(row["new"], []).append(row)
    generator, found = np.random.default_rng(0), list[float]()
    names = sorted(cells)
    for _ in range(samples):
        drawn = list[Row]()
        for name in generator.choice(names, len(names)):
            runs = sorted(cells[name])
            drawn += [row for run in generator.choice(runs, len(runs)) for row in cells[name][run]]
        found.append(value(drawn))
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def with_width(rows: Sequence[Row], value: Callable[[Sequence[Row]], float]) -> str:
    """Return a value and its bootstrap interval."""
    low, high = bootstrap(rows, value)
    return f"{value(rows):.2f} [{low:.2f}, {high:.2f}]"


def mean_of(function: Callable[[Row], float], rows: Sequence[Row]) -> float:
    """Return the mean of a function over rows."""
    return float(np.mean([function(row) for row in rows]))


INTERVALS = (
    "- `error as judged, %`: difference between the true score and the score that counts unjudged documents as not",
    "  relevant, in percent of the true score.",
    "- `error, %`: difference between the true score and the forecast, in percent of the true score.",
    "- `interval holds`: share of the forecast intervals that contain the true score.",
)
SENTENCES = (
    "- `made in`: number of designs for which Cranfield prints the sentence.",
    "- `right`: share of these designs in which the sentence is true.",
    "- `claimed`: share of cases in which the sentence is claimed to be true.",
)
STARS = (
    "In this section, a star marks a pooled run that scores significantly higher than the new run under the current",
    "judgments. Cranfield keeps the star, attributes it to unjudged documents, or leaves it undecided. A star is",
    "false if the true scores show no significant advantage for the pooled run.",
    "",
    "- `labels`: number of labelled documents from a random draw of the new run's unjudged documents.",
    "- `false as judged`: share of false stars among all stars.",
    "- `right among these`: share of false stars among the stars that are attributed to unjudged documents.",
    "- `not decided`: share of undecided stars among all stars.",
)
LIMITS = (
    "The limits for errors, false stars and undecided stars are upper bounds. The limits for intervals and for right",
    "attributions are lower bounds.",
)


def tables(rows: Sequence[Row]) -> str:
    """Return the tables of the page."""
    plain = [row for row in rows if row["labels"] == 0]
    parts = [
        "## Intervals",
        "",
        *INTERVALS,
        "",
        _markdown(_interval_rows(plain)),
        "",
        "## Sentences",
        "",
        *SENTENCES,
        "",
        _markdown(_sentence_rows(plain)),
    ]
    parts += ["", "## Stars against a new run", "", *STARS, "", _markdown(_pair_rows(rows)), "", "## Limits", ""]
    parts += [*LIMITS, ""]
    parts.append(_markdown([
        {"what": name, "found": f"{found:.3f}", "limit": f"{bound:g}", "met": "yes" if is_met else "no"}
        for name, found, bound, is_met in acceptance(rows)
    ]))  # fmt: skip
    return "\n".join(parts)


def _markdown(rows: Sequence[Row]) -> str:
    return as_markdown(rows).rstrip("\n")


def _interval_rows(rows: Sequence[Row]) -> list[Row]:
    found = list[Row]()
    for method in METHODS:
        for kind in dict.fromkeys(KIND.values()):
            for measure in MEASURES:
                some = [row for row in rows if (row["method"], row["kind"], row["measure"]) == (method, kind, measure)]
                if some:
                    found.append({
                        "pool": method, "kind held out": kind, "measure": measure, "designs": len(some),
                        "error as judged, %": f"{mean_of(partial(error, field='judged'), some):.1f}",
                        "error, %": with_width(some, partial(mean_of, error)),
                        "interval holds": with_width(some, partial(mean_of, holds)),
                    })  # fmt: skip
    return found


def _sentence_rows(rows: Sequence[Row]) -> list[Row]:
    found = list[Row]()
    for name, claim in CLAIMS.items():
        text = TEXTS[name]
        for method in METHODS:
            for measure in MEASURES:
                some = [
                    row for row in rows
                    if (row["method"], row["measure"]) == (method, measure) and sentence(row)[0] == text
                ]  # fmt: skip
                right = with_width(some, partial(mean_of, is_right)) if some else ""
                found.append({
                    "sentence": text, "pool": method, "measure": measure, "made in": len(some), "right": right,
                    "claimed": f"{claim:.2f}",
                })  # fmt: skip
    return found


def _pair_rows(rows: Sequence[Row]) -> list[Row]:
    found = list[Row]()
    for number in LABELS:
        some = [row for row in rows if row["labels"] == number and row["method"] == "depth" and row["new"] in NEURAL]
        if some:
            pairs = pairs_of(some)
            found.append({
                "labels": number, "stars": int(pairs["stars"]), "false as judged": f"{pairs['false as judged']:.2f}",
                "kept": int(pairs["kept"]),
                "false among kept": with_width(some, lambda drawn: pairs_of(drawn)["false"]),
                "due to unjudged documents": int(pairs["due"]),
                "right among these": with_width(some, lambda drawn: pairs_of(drawn)["right"]),
                "not decided": with_width(some, lambda drawn: pairs_of(drawn)["undecided"]),
            })  # fmt: skip
    return found


def write_page(rows: Sequence[Row]) -> None:
    """Write the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, after = text.partition(START)
    PAGE.write_text(before + START + "\n" + tables(rows) + "\n\n" + END + after.partition(END)[2], encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the designs that have no results yet, print the acceptance table and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forecasts", description=__doc__)
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="designs whose key contains this, such as cacm/depth/10"
    )
    parser.add_argument("--again", action="store_true", help="run designs again that have results")
    parser.add_argument("--page", action="store_true", help="write the page from the kept results, and run nothing")
    parser.add_argument("--results", type=Path, default=KEPT, help="where the results are kept")
    args = parser.parse_args(arguments)
    kept: dict[str, list[Row]] = json.loads(args.results.read_text()) if args.results.is_file() else {}
    if not args.page:
        collections: dict[str, Collection] = {}
        for design in designs(SEEDS):
            if args.only not in design.key or (design.key in kept and not args.again):
                continue
            if design.collection not in collections:
                collections = {design.collection: load_collection(design.collection)}
            start = perf_counter()
            kept[design.key] = run_design(collections[design.collection], design)
            args.results.write_text(json.dumps(kept, indent=None, separators=(",", ":")) + "\n")
            print(f"{design.key}: {perf_counter() - start:.1f} s", flush=True)
    rows = [row for found in kept.values() for row in found]
    limits = acceptance(rows)
    for limit in limits:
        print(f"{'met    ' if limit.is_met else 'NOT MET'}  {limit.found:7.3f}  limit {limit.bound:<5g}  {limit.name}")
    if args.results == KEPT:
        write_page(rows)
        write_record(rows)
    return int(not all(limit.is_met for limit in limits))


if __name__ == "__main__":
    raise SystemExit(main())
