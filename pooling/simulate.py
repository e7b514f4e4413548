"""Pooling methods replayed on judged data: what they would have found, and what left-out units would lose.

    for each method and budget:   judge what it asks for, as the known judgments say; what nobody judged is not relevant
        found     relevant documents in the pool, and tau of the ranking of runs against that by all judgments
        bias      for each unit: the method again without the unit's runs, the same budget; how far the unit's own runs
                  move in score and rank from the pool with everybody to the one without them

Read found and bias together: methods that chase relevant documents find most, and judge what the systems they follow
retrieve. It misleads where much of what a method asks for was never judged (`unjudged`): methods that dig below the
judged pool look worse than they are. Samples are taken for plain pools here, which makes them look worse; they are for
estimators. Old judgments favour the method that chose them. How deep runs are considered matters as much as the method:
on TREC-COVID round 1, 50 documents per topic, RRF moves left-out teams by 10.4 % at depth 7 and by 4.7 % at depth 50.

Sources: Losada, Parapar and Barreiro, IP&M 53(5), 2017 (replay); Buckley, Dimmick, Soboroff and Voorhees, Information
Retrieval 10, 2007 (left-out units); Lipani, Losada, Zuccon and Lupu, Fixed-cost pooling strategies, TKDE 2019.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan, nan
from statistics import fmean
from typing import Any, NamedTuple

from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import InputError
from cranfield.metrics.correlation.coefficients import kendall_tau
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.leave_one_out import score_changes_of_runs
from cranfield.metrics.reusability.results import ScoreChange
from cranfield.pooling.budget import topics_compete
from cranfield.pooling.candidates import Corpus
from cranfield.pooling.methods import METHODS, method_named
from cranfield.pooling.replay import NOBODY, ReplayBlocks, ReplayResult, Setting, Trial, replay_blocks
from cranfield.text import counted, join_words


class TopicPool(NamedTuple):
    """A topic's pool: how many documents, how many of them relevant, how many that nobody had judged."""

    query_id: str
    documents: int
    relevant: int
    unjudged: int


class LeftOutUnit(NamedTuple):
    """A unit without which the pool was rebuilt: what its runs lose, and how much of that pool is judged."""

    unit: str
    documents: int
    unjudged: int
    changes: tuple[ScoreChange, ...]


class Point(NamedTuple):
    """A method at a budget; `tau` is of the ranking of all runs against that by all judgments."""

    budget: int
    tau: float
    topics: tuple[TopicPool, ...]
    units: tuple[LeftOutUnit, ...]

    @property
    def documents(self) -> int:
        """In all topics."""
        return sum(topic.documents for topic in self.topics)

    @property
    def relevant(self) -> int:
        """In all topics."""
        return sum(topic.relevant for topic in self.topics)

    @property
    def unjudged(self) -> int:
        """In all topics: documents that were taken to be not relevant since nobody had judged them."""
        return sum(topic.unjudged for topic in self.topics)

    @property
    def changes(self) -> list[ScoreChange]:
        """The changes of all runs whose unit was left out."""
        return [change for unit in self.units for change in unit.changes]

    @property
    def bias(self) -> dict[str, float | int | None]:
        """The mean and the largest absolute change of own scores and ranks; NaN or None where nothing was left out."""
        percent = [x for change in self.changes if not isnan(x := change.absolute_percent)]
        drops = [change.rank_drop for change in self.changes]
        return {
            "mean_change_percent": fmean(percent) if percent else nan,
            "max_change_percent": max(percent, default=nan),
            "mean_rank_drop": fmean(drops) if drops else nan,
            "max_rank_drop": max([0, *drops]) if drops else None,
        }

    @property
    def worst(self) -> str | None:
        """The unit whose run changes most."""
        pairs = [(x, unit.unit) for unit in self.units for c in unit.changes if not isnan(x := c.absolute_percent)]
        return max(pairs, key=lambda pair: pair[0])[1] if pairs else None


class Replay(NamedTuple):
    """A method at every budget."""

    label: str
    method: str
    options: Mapping[str, Any]
    points: tuple[Point, ...]


class Simulation(NamedTuple):
    """A whole simulation. `reachable` are the relevant documents that pooled runs have within the depth."""

    by: str
    measure: str
    depth: int
    topics: int
    runs: int
    pooled: int
    relevant: int
    reachable: int
    budget_of: str  # each topic, or all
    seed: int
    batch: int
    replays: tuple[Replay, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain dicts and lists; `pool simulate` documents the fields."""
        head = {name: getattr(self, name) for name in self._fields if name != "replays"}
        return head | {
            "methods": [
                {
                    "label": replay.label,
                    "method": replay.method,
                    "options": dict(replay.options),
                    "budgets": [_as_json(point) for point in replay.points],
                }
                for replay in self.replays
            ]
        }


def rows(simulation: Simulation) -> list[dict[str, Any]]:
    """A row a method and budget; documents are means over topics."""
    each = max(simulation.topics, 1)
    return [
        {
            "method": replay.label,
            "budget": point.budget,
            "judged": round(point.documents / each, 1),
            "relevant": round(point.relevant / each, 2),
            "unjudged": round(point.unjudged / each, 2),
            "tau": point.tau,
            "mean change %": point.bias["mean_change_percent"],
            "max change %": point.bias["max_change_percent"],
            "mean rank drop": point.bias["mean_rank_drop"],
            "max rank drop": point.bias["max_rank_drop"],
        }
        for replay in simulation.replays
        for point in replay.points
    ]


def simulation_title(simulation: Simulation) -> str:
    """What was simulated, in a line."""
    return (
        f"{simulation.pooled} of {counted(simulation.runs, 'run')} pooled to depth {simulation.depth};"
        f" {counted(simulation.topics, 'topic')}, {simulation.reachable / max(simulation.topics, 1):.1f} relevant"
        f" documents per topic on average; runs scored by {simulation.measure}"
    )


def simulation_headline(simulation: Simulation) -> str:
    """At the largest budget: which method finds most, and with which left-out units change least."""
    last = [(replay.label, replay.points[-1]) for replay in simulation.replays]
    point = max((point for _, point in last), key=lambda one: one.relevant)
    most = [label for label, one in last if one.relevant == point.relevant]
    each = "per topic" if simulation.budget_of == "topic" else "in total"
    number, find = f"{point.relevant / max(simulation.topics, 1):.1f}", "finds" if len(most) == 1 else "find"
    ones = (
        f"{number} relevant documents per topic"
        if most == [*dict(last)]
        else f"the most relevant documents, {number} per topic"
    )
    text = f"At {counted(point.budget, 'document')} {each} {join_words(most)} {find} {ones}."
    rows = [(label, p.bias["mean_change_percent"]) for label, p in last]
    fair = [(label, x) for label, x in rows if x is not None and not isnan(x)]
    if fair:
        change = min(change for _, change in fair)
        least, own = [label for label, one in fair if one == change], f"own {simulation.measure}"
        by = f" changes least with {join_words(least)}: its {own} changes by"
        changes = f"'s {own} changes by" if least == [*dict(last)] else by
        text += f" A left-out {simulation.by}{changes} {change:.2f}% on average."
    return text


CHANGE = ("run", "full", "reduced", "change_percent", "full_rank", "reduced_rank")  # of a left-out run, in the JSON


def _as_json(point: Point) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "budget": point.budget,
        "documents": point.documents,
        "relevant": point.relevant,
        "unjudged": point.unjudged,
        "tau": point.tau,
        **point.bias,
        "worst": point.worst,
        "topics": [topic._asdict() for topic in point.topics],
        "units": [
            unit._asdict() | {"scores": [{name: getattr(change, name) for name in CHANGE} for change in unit.changes]}
            for unit in point.units
        ],
    }
    for unit in plain["units"]:
        del unit["changes"]
    return plain


DEFAULT = (
    "uniform", "take", "rbp-a", "borda", "rrf", "mtf", "hedge", "thompson", "maxmean:credit=arm", "maxmean",
)  # fmt: skip
BUDGETS = (50, 100, 200)


def simulate(
    runs: Runs,
    qrels: Qrels,
    units: Mapping[str, Sequence[str]],
    depth: int,
    *,
    methods: Iterable[str | Trial] = DEFAULT,
    budgets: Sequence[int] = BUDGETS,
    measure: str | Measure = "AP",
    depths: Mapping[str, int | None] | None = None,
    min_relevant: int = 1,
    by: str = "run",
    seed: int = 0,
    batch: int = 1,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    total: bool = False,
    corpus: Callable[[str], Corpus] | None = None,
) -> Simulation:
    """Replay methods on judged runs; `units` are the runs to pool by unit, all `runs` are ranked.

    Runs are considered to `depth`, or to their own in `depths`; budgets are documents per topic or, with `total`, of
    all topics together. `batch` is how many documents of a topic an adaptive method lets wait for judgment. Nothing
    depends on the number of `workers`; with more than one, a script that calls this has to guard its main part, as
    everywhere with processes.

    Two runs that share nothing but b: without a, nobody finds d1, its only relevant document.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"q": {"d1": 2.0, "b": 1.0}}, "c": {"q": {"b": 2.0, "d2": 1.0}}})
    >>> units, qrels = {"a": ["a"], "c": ["c"]}, as_qrels({"q": {"d1": 1, "b": 1}})
    >>> simulation = simulate(runs, qrels, units, 2, methods=["take"], budgets=[3])
    >>> point = simulation.replays[0].points[0]
    >>> point.documents, point.relevant, point.unjudged, point.tau
    (3, 2, 1, 1.0)
    >>> [(change.full, change.reduced, change.rank_drop) for change in point.changes]
    [(1.0, 0.5, 1), (0.5, 0.5, 0)]
    """
    trials, sizes = [parse_trial(one) for one in methods], sort_budgets(budgets)
    _check_trials(trials, units, depth, batch, total)
    (scored_by,) = parse_measures(measure)
    setting = Setting(
        units,
        depth,
        depths,
        measure=str(scored_by),
        min_relevant=min_relevant,
        budgets=sizes,
        total=total,
        seed=seed,
        batch=batch,
        corpora={one.method: _corpus(one.method, corpus) for one in trials if METHODS[one.method].corpus},
    )
    blocks = replay_blocks(runs, qrels, setting)
    left_out = list(range(len(units))) if len(units) > 1 else []
    tasks = [(one, unit) for one in trials for unit in (NOBODY, *left_out)]
    outcomes = blocks.replay_all(tasks, workers, progress or (lambda done: None))
    whole = blocks.pool_all()
    replays = []
    for one in trials:
        full, *without = [next(outcomes) for _ in (NOBODY, *left_out)]
        points = [_point(blocks, whole, full, without, at) for at in range(len(sizes))]
        replays.append(Replay(one.label, one.method, METHODS[one.method].fill_options(one.options), tuple(points)))
    judged = blocks.judged
    return Simulation(
        by,
        str(scored_by),
        depth,
        topics=len(judged.qids),
        runs=len(judged.tags),
        pooled=sum(map(len, units.values())),
        relevant=int((judged.qrels_grade >= min_relevant).sum()),
        reachable=int(whole.relevant.sum()),
        budget_of="all" if total else "topic",
        seed=seed,
        batch=batch,
        replays=tuple(replays),
    )


def _corpus(method: str, corpus: Callable[[str], Corpus] | None) -> Corpus:
    if corpus is None:
        raise InputError(f"{method} needs document texts; expected a store with texts instead of run files")
    return corpus(method)


def parse_trial(text: str | Trial) -> Trial:
    """A method and its options, from NAME:option=value,option=value; what has no = belongs to the value before it.

    >>> parse_trial("stratified:bounds=10,30,rates=4,2,1").options
    {'bounds': '10,30', 'rates': '4,2,1'}
    >>> parse_trial("maxmean:credit")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: 'maxmean:credit'; expected NAME:option=value,...
    """
    if isinstance(text, Trial):
        return text
    name, _, rest = text.partition(":")
    options: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        option, equals, value = part.partition("=")
        if equals:
            options[option.strip()] = value.strip()
        elif options:
            options[next(reversed(options))] += f",{part.strip()}"
        else:
            raise InputError(f"{text!r}; expected NAME:option=value,...")
    return Trial(name, options)


def sort_budgets(budgets: Sequence[int]) -> tuple[int, ...]:
    """Budgets from the smallest on, each once.

    >>> sort_budgets([100, 50, 50])
    (50, 100)
    """
    distinct = tuple(sorted(set(budgets)))
    if not distinct or distinct[0] < 1:
        raise InputError(f"budgets are {', '.join(map(str, distinct)) or 'none'}; expected numbers of at least 1")
    return distinct


def _check_trials(
    trials: Sequence[Trial], units: Mapping[str, Sequence[str]], depth: int, batch: int, total: bool
) -> None:
    for one in trials:
        if topics_compete(method_named(one.method), one.options) and not total:
            raise InputError(f"{one.label}: its topics share one budget, but these budgets are per topic; use --total")
    twice = [one.label for number, one in enumerate(trials) if one in trials[:number]]
    if twice or not trials:
        raise InputError(f"{twice[0]} is given twice" if twice else "no method given")
    if not any(units.values()):
        raise InputError("no run contributed to the pool; expected at least one")
    if depth < 1 or batch < 1:
        raise InputError(f"depth {depth} and batch {batch}; expected numbers of at least 1")


def _point(
    on: ReplayBlocks, whole: ReplayResult, full: ReplayResult, without: Sequence[ReplayResult], at: int
) -> Point:
    """A method at the budget number `at`."""
    counts = zip(on.judged.qids, full.documents[at], full.relevant[at], full.unjudged[at], strict=True)
    left_out = []
    for (unit, tags), outcome in zip(on.setting.units.items(), without, strict=False):
        changes = score_changes_of_runs(
            on.judged.tags, tags, {on.setting.measure: (full.scores[at], outcome.scores[at])}
        )
        left_out.append(LeftOutUnit(unit, int(outcome.documents[at].sum()), int(outcome.unjudged[at].sum()), changes))
    return Point(
        on.setting.budgets[at],
        kendall_tau(whole.scores[0], full.scores[at]),
        tuple(TopicPool(qid, int(d), int(r), int(u)) for qid, d, r, u in counts),
        tuple(left_out),
    )
