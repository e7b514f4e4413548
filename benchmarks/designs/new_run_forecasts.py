"""Scores of runs that did not help to build the pool: forecast intervals, and the bound for the next system.

Each draw takes some topics and some pooled runs of a real collection, a depth, and a run that is not pooled. The truth
is the run's score with its first documents pooled as well. Of the classic collections the pool is lexical and the new
run is of another kind. Of TREC collections the new run is from a team without pooled runs, labels are graded, and runs
are cut to their judged documents, so that each label is known.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from benchmarks.designs.rebuilt_pools import COLLECTIONS as TREC_FILES
from benchmarks.forecasts import (
    BUILT_IN,
    COLLECTIONS,
    FAMILY,
    MEASURES,
    NEURAL,
    POOL,
    Collection,
    load_collection,
    pooled_keys,
)
from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.rankings import Ints, Mask, Qrels, Runs
from cranfield.formats import read_qrels, read_runs
from cranfield.metrics.evaluate import aggregate_scores, score_block
from cranfield.metrics.forecast.forecaster import Forecaster, fit_forecaster, infer_forecast_depth, unjudged_pairs
from cranfield.metrics.forecast.forecasts import forecast_scores
from cranfield.metrics.forecast.next_system import left_out_losses, loss_bounds
from cranfield.metrics.forecast.pairs import joint_vocabulary, recode_codes
from cranfield.metrics.forecast.random_draw import draw_documents
from cranfield.metrics.forecast.track_record import BOUND_TESTS, CLASSIC, HELD_OUT, MIN_HELD
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse
from tests.conftest import SHARED

N_TOPICS, N_POOLED, DEPTHS = 30, 6, (5, 10, 20)
N_TEAMS = 6
N_CLASSIC_BOUNDS, N_OTHER_BOUNDS, N_FILES, N_LABELLED = 100, 40, 60, 100  # draws of a row
N_RANKS = 100  # that a pool of another method than depth is made from


@dataclass(frozen=True, eq=False)
class Source:
    """Runs with full judgments over the same vocabularies."""

    runs: Runs
    qrels: Qrels

    @property
    def n_docnos(self) -> int:
        return len(self.qrels.docnos.names)


@dataclass(frozen=True, eq=False)
class Setting:
    """A new run, the pool's judgments, the judgments with the new run pooled, and the model."""

    new: Runs
    full: Qrels
    forecaster: Forecaster


@cache
def classic_source(name: str) -> Source:
    collection: Collection = load_collection(name)
    return aligned(collection.runs, collection.qrels)


@cache
def trec_source(name: str) -> Source:
    folder, file = TREC_FILES[name]
    source = aligned(read_runs(sorted((SHARED / folder / "runs").iterdir())), read_qrels(SHARED / folder / file))
    runs, qrels = source.runs, source.qrels
    is_judged = np.isin(keys_of(runs, source.n_docnos), keys_of(qrels, source.n_docnos))
    return Source(runs.rows(is_judged), qrels)


def aligned(runs: Runs, qrels: Qrels) -> Source:
    docnos, (places,) = joint_vocabulary(qrels.docnos, runs.docnos)
    topics, (numbers,) = joint_vocabulary(qrels.topics, runs.topics)
    document, topic = recode_codes(runs.document, places), recode_codes(runs.topic, numbers)
    runs = Runs(runs.tags, topics, docnos, runs.run, topic, document, runs.score)
    return Source(runs, Qrels(topics, docnos, qrels.topic, qrels.document, np.maximum(qrels.grade, 0)))


def keys_of(rows: Runs | Qrels, size: int) -> Ints:
    return np.asarray(rows.topic * size + rows.document)


def judgments_of(source: Source, keys: Ints, topics: Ints) -> Qrels:
    """Return the grades of these pairs; documents that the full judgments lack are not relevant."""
    keys, size = keys[np.isin(keys // source.n_docnos, topics)], source.n_docnos
    known = keys_of(source.qrels, size)
    order = np.argsort(known)
    place = np.minimum(np.searchsorted(known[order], keys), len(known) - 1)
    grade = np.where(known[order][place] == keys, source.qrels.grade[order][place], 0)
    return Qrels(source.qrels.topics, source.qrels.docnos, keys // size, keys % size, grade)


@cache
def teams_of(name: str) -> dict[str, str]:
    """Return the team of each run; without a list of teams, each run is a team."""
    path = SHARED / TREC_FILES[name][0] / "teams.tsv"
    if not path.is_file():
        return {tag: tag for tag in trec_source(name).runs.tags}
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {tag: team for tag, team, *_ in lines if tag in trec_source(name).runs.tags}


def prepare(
    random: Random,
    source: Source,
    pool: Sequence[str],
    new: str,
    *,
    families: dict[str, str],
    method: str,
    to_depth: int | None = None,
    is_stored: bool = True,
) -> Setting:
    size, depth = source.n_docnos, int(random.choice(DEPTHS)) if to_depth is None else to_depth
    with_relevant = np.unique(source.qrels.topic[source.qrels.grade > 0])
    topics = np.sort(random.permutation(with_relevant)[:N_TOPICS])
    runs = source.runs.select([*pool, new])
    runs = runs.rows(np.isin(runs.topic, topics))
    if method != "depth":
        runs = runs.rows(runs.rank <= N_RANKS)
    pooled, unpooled = runs.select(pool), runs.select([new])
    keys = pooled_keys(pooled, depth, method, size)
    judged = judgments_of(source, keys, topics)
    d = depth if method == "depth" else infer_forecast_depth(pooled, judged)
    full = judgments_of(source, np.union1d(keys, pooled_keys(unpooled, d, "depth", size)), topics)
    rows = keys_of(judged, size)

    def rebuild(kept: Sequence[str]) -> Mask:
        return np.isin(rows, pooled_keys(pooled.select(kept), depth, method, size))

    forecaster = fit_forecaster(
        pooled, judged, d, kinds=families, seed=int(random.integers(1000)),
        rebuild=None if method == "depth" or not is_stored else rebuild,
    )  # fmt: skip
    return Setting(unpooled, full, forecaster)


def classic_setting(
    random: Random, kinds: Sequence[str], method: str, *, to_depth: int | None = None, is_stored: bool = True
) -> Setting:
    source = classic_source(str(random.choice(list(COLLECTIONS))))
    pool = random.permutation(POOL)[:N_POOLED].tolist()
    new = str(random.choice(list(kinds)))
    return prepare(random, source, pool, new, families=FAMILY, method=method, to_depth=to_depth, is_stored=is_stored)


def trec_setting(random: Random, name: str, method: str, to_depth: int | None = None) -> Setting:
    source = trec_source(name)
    teams = teams_of(name)
    chosen = random.permutation(sorted(set(teams.values())))[: N_TEAMS + 1].tolist()
    pool = [tag for tag, team in teams.items() if team in chosen[1:]]
    new = random.choice([tag for tag, team in teams.items() if team == chosen[0]])
    families = {tag: teams[tag] for tag in pool}
    return prepare(random, source, pool, str(new), families=families, method=method, to_depth=to_depth)


def true_scores(setting: Setting, measure: Measure) -> tuple[float, float]:
    """Return the score as judged, and with the run's first documents pooled."""
    before, after = (
        aggregate_scores(score_block(join_runs_with_common_topics(setting.new, qrels), [measure]), [measure])[0, 0]
        for qrels in (setting.forecaster.qrels, setting.full)
    )
    return float(before), float(after)


def drawn_labels(setting: Setting, n: int, random: Random) -> dict[str, dict[tuple[str, str], float]]:
    (new,) = setting.new.tags
    pairs = unjudged_pairs(setting.forecaster, setting.new)
    draw = draw_documents(pairs, new, n, setting.forecaster.depth, seed=int(random.integers(1000)))
    full = setting.full
    topics, docnos = full.topics.names[full.topic].tolist(), full.docnos.names[full.document].tolist()
    grades = dict(zip(zip(topics, docnos, strict=True), full.grade.tolist(), strict=True))
    return {new: {pair: float(grades[pair]) for pair in draw.documents}}


def forecast_holds(random: Random, setting: Setting, notation: str, n_labels: int) -> bool | None:
    if setting.forecaster.reasons:
        return None
    measure = parse(notation)
    labels = drawn_labels(setting, n_labels, random) if n_labels else {}
    (found,) = forecast_scores(
        setting.forecaster, setting.new, [measure], seed=int(random.integers(1000)), labels=labels
    )
    return holds(found.low, found.high, true_scores(setting, measure)[1])


def bound_holds(setting: Setting, notation: str) -> bool | None:
    """Return whether the new run loses no more than `reusability` says for its unjudged share."""
    measure = parse(notation)
    (share,) = unjudged_pairs(setting.forecaster, setting.new).share
    forecaster = setting.forecaster
    pooled = join_runs_with_common_topics(forecaster.runs, forecaster.qrels)
    bounds = loss_bounds(left_out_losses(pooled, forecaster.depth, forecaster.pool.splits, [measure]))
    bound = next(one.bound for one in bounds if share <= one.up_to + 1e-12)
    judged, true = true_scores(setting, measure)
    return None if bound is None or true <= 0 else (true - judged) / true <= bound + 1e-9


def classic_forecast(random: Random, kinds: Sequence[str], method: str, notation: str, n_labels: int) -> bool | None:
    return forecast_holds(random, classic_setting(random, kinds, method), notation, n_labels)


def file_forecast(random: Random, method: str, n_labels: int) -> bool | None:
    """Return whether the interval of P@10 holds where the pool is not stored, so that nobody knows its method."""
    return forecast_holds(random, classic_setting(random, NEURAL, method, is_stored=False), "P@10", n_labels)


def trec_forecast(random: Random, name: str, method: str, notation: str, n_labels: int) -> bool | None:
    return forecast_holds(random, trec_setting(random, name, method), notation, n_labels)


def classic_bound(random: Random, notation: str, depth: int) -> bool | None:
    return bound_holds(classic_setting(random, (*NEURAL, *BUILT_IN), "depth", to_depth=depth), notation)


def held_out_bound(random: Random, notation: str, depth: int) -> bool | None:
    """Return whether a bound holds on a collection that its rule was not chosen on."""
    pool = random.permutation(POOL)[: int(random.integers(4, len(POOL) + 1))].tolist()
    source, new = classic_source("cranfield1400"), str(random.choice((*NEURAL, *BUILT_IN)))
    return bound_holds(prepare(random, source, pool, new, families=FAMILY, method="depth", to_depth=depth), notation)


def trec_bound(random: Random, name: str, notation: str, depth: int) -> bool | None:
    return bound_holds(trec_setting(random, name, "depth", depth), notation)


def bound_row(test: str, notation: str, depth: int) -> Design:
    """Return the row of the bound by a measure on pools to a depth."""
    draws: Mapping[str, Callable[..., bool | None]] = {CLASSIC: classic_bound, HELD_OUT: held_out_bound}
    draw = partial(draws.get(test, partial(trec_bound, name=test)), notation=notation, depth=depth)
    n_draws = N_CLASSIC_BOUNDS if test == CLASSIC else N_OTHER_BOUNDS
    return Design("reusability", bound_name(test, notation, depth), draw, n_draws, MIN_HELD, needs=SHARED)


def bound_name(test: str, notation: str, depth: int) -> str:
    return f"bound of {notation} for the next system, pool depth {depth}, {test}"


def classic_row(
    kinds: Sequence[str],
    notation: str,
    *,
    method: str = "depth",
    n_labels: int = 0,
    text: str = "neural",
    n_draws: int = 300,
) -> Design:
    of = f"forecast of {notation}, {text} run and {N_POOLED} lexical runs, {method} pool{labelled(n_labels)}"
    draw = partial(classic_forecast, kinds=kinds, method=method, notation=notation, n_labels=n_labels)
    return Design("diagnose", of, draw, n_draws, needs=SHARED)


def file_row(method: str, n_labels: int = 0) -> Design:
    of = f"forecast of P@10, neural run and {N_POOLED} lexical runs, files of a pool by {method}{labelled(n_labels)}"
    return Design("diagnose", of, partial(file_forecast, method=method, n_labels=n_labels), N_FILES, needs=SHARED)


def trec_row(name: str, notation: str, *, method: str = "depth", n_labels: int = 0) -> Design:
    of = f"forecast of {notation}, {name}, graded, run of another team, {method} pool{labelled(n_labels)}"
    draw = partial(trec_forecast, name=name, method=method, notation=notation, n_labels=n_labels)
    return Design("diagnose", of, draw, 300, needs=SHARED)


def labelled(n_labels: int) -> str:
    return f", {n_labels} drawn labels" if n_labels else ""


OTHER_MEASURES = (  # whose intervals are printed for pools to a depth
    "AP11", "BPM@10", "Bpref", "CG@10", "Compat", "DCG@10", "ERR@10", "F@10", "Hits@10", "INSQ", "INST", "IPrec@0.1",
    "NumRelRet", "Q", "R@50", "RBP", "RR", "R_cap@10", "Rprec", "SetAP", "Success@5", "gBpref", "gMAP", "infAP",
    "nERR@10",
)  # fmt: skip
ROWS = [
    *(classic_row(NEURAL, notation) for notation in ("AP", "nDCG@10", "P@10")),
    *(classic_row(BUILT_IN, notation, text="latent, character or feedback") for notation in ("AP", "P@10")),
    *(classic_row(NEURAL, notation) for notation in OTHER_MEASURES),
    *(
        classic_row(NEURAL, notation, n_labels=20, n_draws=N_LABELLED)
        for notation in ("nDCG@10", "P@10", *OTHER_MEASURES)
    ),
    classic_row(NEURAL, "AP", method="rrf"),  # nDCG without labels is not printed
    *(classic_row(NEURAL, "P@10", method="rrf", n_labels=n_labels) for n_labels in (0, 20)),
    *(file_row(method, n_labels) for method, n_labels in (("rrf", 0), ("take", 0), ("take", 20))),
    *(classic_row(NEURAL, "AP", n_labels=n_labels) for n_labels in (20, 50)),
    *(trec_row("Robust 2003", notation) for notation in ("AP", "nDCG@10")),
    *(trec_row("TREC-COVID 1", notation) for notation in ("nDCG@10", "P@10")),
    trec_row("Robust 2003", "P@10", method="rrf"),
    trec_row("TREC-COVID 1", "nDCG@10", n_labels=20),
    *(bound_row(test, notation, depth) for test in BOUND_TESTS for notation in MEASURES for depth in DEPTHS),
]  # fmt: skip
