"""`import cranfield`: each function works on stores, files, frames and dicts, and says what its command says."""

import json
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from inspect import signature, unwrap
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.analysis.outcomes import OUTCOME_COLUMNS
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import InputError
from cranfield.formats import Topic
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.options import describe_expected, split_annotation
from cranfield.options.arguments import type_named
from cranfield.store.pools import stored_pool
from tests.conftest import ROOT, Cranfield, usually
from tests.files import track_files
from tests.namespaces import NAMESPACES, interface_functions
from tests.needed_features import EVERY_FEATURE
from tests.stores import new_file, new_store

GRADES = {
    "1": {"a": 2, "b": 0, "c": 1, "d": 0, "e": 1},
    "2": {"a": 1, "d": 0, "f": 2, "c": 0},
    "3": {"c": 1, "e": 0, "g": 1, "b": 0},
    "10": {"g": 2, "a": 0, "h": 0, "d": 1},
}
RANKINGS = {
    "x": {"1": "abcde", "2": "afdc", "3": "cgeb", "10": "gahd"},
    "y": {"1": "bacd", "2": "dcaf", "3": "ebc", "10": "hdga"},
    "z": {"1": "edca", "2": "fdac", "3": "gcbe", "10": "ga"},
    "w": {"1": "xdce", "2": "cdxa", "3": "bxec", "10": "dagh"},
}
RUNS = {
    tag: {q: {d: 10.0 - rank for rank, d in enumerate(ranking)} for q, ranking in of.items()}
    for tag, of in RANKINGS.items()
}
TEAMS = {"x": "one", "y": "one", "z": "z", "w": "w"}
MEASURES = ["AP", "nDCG@3", "P@2", "RR", "Judged@3"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same collection as files and as a store, with teams; the store has a pool to depth 2."""
    folder = tmp_path_factory.mktemp("api")
    track_files(folder, GRADES, RUNS)
    teams = [f"{tag}\t{team}\tautomatic\tyes\n" for tag, team in TEAMS.items()]
    (folder / "teams.tsv").write_text("run\tteam\tkind\tpooled\n" + "".join(teams))
    return folder


@pytest.fixture(autouse=True)
def _here(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)


@pytest.fixture
def store(home: Path, cranfield: Cranfield) -> Path:
    """The store, made once."""
    path = home / "track.db"
    if not path.exists():
        for words in (
            "init track.db --name t --scale 0=no,1=yes,2=very",
            "import runs track.db x y z w --teams teams.tsv",
            "import qrels track.db qrels",
            "pool build track.db --depth 2",
        ):
            cranfield.run(words)
    return path


def frame_of_runs() -> pd.DataFrame:
    rows = [(tag, q, d, s) for tag, run in RUNS.items() for q, of in run.items() for d, s in of.items()]
    return pd.DataFrame(rows, columns=["run", "query_id", "doc_id", "score"])


def frame_of_qrels() -> pd.DataFrame:
    rows = [(q, d, grade) for q, of in GRADES.items() for d, grade in of.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


SHAPES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "paths": lambda: ("qrels", [*RUNS]),
    "Path objects": lambda: (Path("qrels"), [Path(tag) for tag in RUNS]),
    "dicts": lambda: (GRADES, RUNS),
    "frames": lambda: (frame_of_qrels(), frame_of_runs()),
    "path of a store": lambda: ("track.db", None),
    "Path of a store": lambda: (Path("track.db"), None),
    "a store and a file": lambda: ("qrels", "track.db"),
    "files and a store": lambda: ("track.db", [*RUNS]),
    "dicts and a store": lambda: (Path("track.db"), RUNS),
    "tables": lambda: (cranfield.read_qrels("track.db"), cranfield.read_runs("track.db")),
}


EVERY_SHAPE = [*SHAPES, "open store", "open store and open store"]
some_shapes = pytest.mark.parametrize(  # of those that evaluate, pool and what reads are tried with
    "shape", usually(["paths", "frames", "path of a store", "open store"], EVERY_SHAPE), indirect=True
)


@pytest.fixture(params=EVERY_SHAPE)
def shape(request: pytest.FixtureRequest, store: Path) -> Iterator[tuple[Any, Any]]:
    """The collection in one of its shapes."""
    if request.param in SHAPES:
        yield SHAPES[request.param]()
        return
    with cranfield.Store.open(store) as there:
        yield (there, None) if request.param == "open store" else (there, there)
        assert there.counts()["run"] == len(RUNS)


def runs_of(shape: tuple[Any, Any]) -> Any:
    """The runs of a shape: a store alone has both."""
    return shape[0] if shape[1] is None else shape[1]


def by_key(rows: list[dict[str, Any]], *keys: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Rows by what they are of, with None for what is undefined."""
    plain = [{name: None if pd.isna(value) else value for name, value in row.items()} for row in rows]
    return {tuple(row[key] for key in keys): row for row in plain}


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows; None for what is not a number, as that equals itself."""
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


OUTPUTS: dict[tuple[str, ...], Any] = {}


@pytest.fixture
def answer(store: Path, cranfield: Cranfield) -> Callable[..., Any]:
    """What a command says of the store, as JSON; asked once."""

    def run(*words: str) -> Any:
        if words not in OUTPUTS:
            OUTPUTS[words] = json.loads(cranfield.out(*words, "--format", "json"))
        return OUTPUTS[words]

    return run


@pytest.mark.filterwarnings("ignore:2 topics are judged in part")
def test_evaluate_is_the_command(shape: tuple[Any, Any], answer: Callable[..., Any]) -> None:
    """Means and topics, whatever runs and judgments come as."""
    options = [word for name in MEASURES for word in ("-m", name)]
    rows = answer("evaluate", "track.db", *options, "--per-topic", "--depth", "3")["scores"]
    means = [{k: v for k, v in row.items() if k != "query_id"} for row in rows if row["query_id"] == "all"]
    table = cranfield.evaluate(*shape, measures=MEASURES, depth=3).frame
    assert by_key(records(table), "run", "measure") == by_key(means, "run", "measure")
    topics = cranfield.evaluate(*shape, measures=MEASURES, per_topic=True, depth=3).frame
    of_topics = [row for row in rows if row["query_id"] != "all"]
    assert by_key(records(topics), "run", "query_id", "measure") == by_key(of_topics, "run", "query_id", "measure")


@pytest.mark.filterwarnings("ignore:.* not decided. without a model of the pool")
def test_scores_have_the_judged_share_and_still_pivot() -> None:
    """`judged` is a column beside `value`; pivoting by hand, by option, and comparing a table of scores still work."""
    qrels = {str(topic): {"d": 1, "e": 0} for topic in range(3)}
    runs = {
        "a": {str(topic): {"d": 2.0, "x": 1.0} for topic in range(3)},
        "b": {str(topic): {"x": 2.0, "y": 1.5, "d": 1.0 + topic} for topic in range(3)},
    }
    table = cranfield.evaluate(qrels, runs, measures=["AP", "P@1"]).frame
    assert table.columns.tolist() == ["run", "measure", "value", "judged"]
    assert table["judged"].round(3).tolist() == [0.5, 1.0, 0.333, 0.333]
    by_hand = table.pivot(index="run", columns="measure", values="value")
    wide = cranfield.evaluate(qrels, runs, measures=["AP", "P@1"], pivot=True).frame
    assert wide.columns.tolist() == ["AP", "P@1"]
    assert wide.to_dict() == by_hand.to_dict()
    topics = cranfield.evaluate(qrels, runs, measures="AP", per_topic=True).frame
    assert topics.columns.tolist() == ["run", "query_id", "measure", "value", "judged"]
    by_topic, by_run = cranfield.compare(topics).frame, cranfield.compare(qrels, runs).frame
    assert by_topic["difference"].tolist() == by_run["difference"].tolist()
    positives = {topic: {"d": 1} for topic in qrels}
    assert cranfield.evaluate(positives, runs, measures="AP").frame["judged"].isna().all()


def test_the_pool_of_a_store_gives_the_depth_of_the_judged_share(store: Path, cranfield: Cranfield) -> None:
    from cranfield.call_view import newest_pool_depth
    from cranfield.store.store import Store

    with Store.open(store) as there:
        depth = newest_pool_depth(there)
    assert depth
    head = cranfield.out("evaluate", str(store), "-m", "AP", "--format", "csv").splitlines()[0]
    assert head == f"run,AP,Judged@{depth}"


@some_shapes
@pytest.mark.filterwarnings("ignore:.* not decided. without a model of the pool")
def test_compare_is_the_command(shape: tuple[Any, Any], answer: Callable[..., Any]) -> None:
    rows = answer("compare", "track.db", "-m", "AP", "--test", "permutation", "--samples", "500")["pairs"]
    table = cranfield.compare(*shape, measures="AP", test="permutation", samples=500).frame
    if len(shape) > 1:  # files and frames have no pool, so that bounds decide within another depth
        by_pool = ("significant", *OUTCOME_COLUMNS)
        table, rows = table.drop(columns=[*by_pool]), [{k: row[k] for k in row if k not in by_pool} for row in rows]
    assert by_key(records(table), "run_a", "run_b") == by_key(rows, "run_a", "run_b")
    assert set(cranfield.compare(*shape, baseline="y").frame["run_b"]) == {"y"}


@some_shapes
def test_curve_is_the_command(shape: tuple[Any, Any], answer: Callable[..., Any]) -> None:
    choices: list[dict[str, Any]] = [{}, {"rule": "exact"}, {"points": "raw"}]
    for options in choices:
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        keys = ("run", "query_id", "rank") if "raw" in words else ("run", "recall")
        rows = answer("curve", "track.db", *words)
        table = cranfield.curve(*shape, **options).frame
        assert by_key(records(table), *keys) == by_key(rows, *keys)


@some_shapes
@pytest.mark.filterwarnings("ignore:3 of 4 pooled runs and 2 of 4 topics have no unjudged document")
@pytest.mark.parametrize("by", usually(["team"], ["run", "team"]))
def test_leave_one_out_is_the_command(shape: tuple[Any, Any], answer: Callable[..., Any], by: str) -> None:
    output = answer("reusability", "track.db", "--depth", "2", "--by", by, "-m", "AP", "-m", "P@2")
    rows = [
        {"unit": unit["unit"], "unique": unit["unique"], "unique_relevant": unit["unique_relevant"],
         "tau": unit["tau"][row["measure"]], **{k: v for k, v in row.items() if k != "rank_alone"}}
        for unit in output["units"] for row in unit["scores"]
    ]  # fmt: skip
    options: dict[str, Any] = {"depth": 2, "by": by, "measures": ["AP", "P@2"], "teams": "teams.tsv"}
    table = cranfield.trust.leave_one_out(*shape, **options).frame
    assert by_key(records(table), "unit", "run", "measure") == by_key(rows, "unit", "run", "measure")


def test_pool_is_the_command(shape: tuple[Any, Any], cranfield: Cranfield) -> None:
    """To a depth, as pool build makes it, and the pool that a store has; nothing is stored."""
    import cranfield as api

    cranfield("pool", "export", "track.db", "pool.tsv")
    lines = [line.split("\t") for line in Path("pool.tsv").read_text().splitlines()[1:]]
    entries = [[q, d, int(depth), sorted(runs.split(","))] for q, d, depth, runs in lines]

    def rows(table: pd.DataFrame) -> list[list[Any]]:
        return sorted([*row[:3], sorted(row[3])] for row in table.values.tolist())

    assert rows(api.pooling.pool_runs(runs_of(shape), depth=2).frame) == sorted(entries)
    assert [len(api.pooling.pool_runs(runs_of(shape), depth=depth).rows()) for depth in (1, 5)] == [15, 20]
    if isinstance(runs_of(shape), str | Path | api.Store):
        assert rows(api.pooling.pool_runs(runs_of(shape)).frame) == sorted(entries)
        assert rows(api.pooling.pool_runs(runs_of(shape), number=1).frame) == sorted(entries)


def test_reading_is_what_is_there(shape: tuple[Any, Any]) -> None:
    """Runs in trec_eval's order with their ranks, judgments by topic; what is read can be given back."""
    runs, qrels = cranfield.read_runs(runs_of(shape)), cranfield.read_qrels(shape[0])
    assert list(runs) == ["run", "query_id", "doc_id", "rank", "score"]
    first = runs[(runs["run"] == "y") & (runs["query_id"] == "1")]
    assert first[["doc_id", "rank", "score"]].values.tolist()[:2] == [["b", 1, 10.0], ["a", 2, 9.0]]
    assert qrels["query_id"].drop_duplicates().tolist() == ["1", "10", "2", "3"]
    assert dict(zip(qrels["doc_id"][:5], qrels["relevance"][:5], strict=True)) == GRADES["1"]
    for again in (cranfield.read_runs(runs), cranfield.read_runs(runs_of(shape))):
        pd.testing.assert_frame_equal(again, runs)


@pytest.mark.filterwarnings("ignore:not tested. the pool of these runs does not explain the judgments")
@pytest.mark.filterwarnings("ignore:1 of 4 judged topics")
def test_the_scale_of_the_store_says_what_is_relevant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line; a measure that says it itself is left alone, and other judgments have no scale."""
    path = tmp_path / "two.db"
    labels = {(q, d): grade for q, of in GRADES.items() for d, grade in of.items()}
    scale = {0: "no", 1: "hardly", 2: "yes"}
    new_file(path, grades=scale, min_relevant=2, runs=RUNS, labels={"ada": labels})
    table = cranfield.evaluate(path, measures=["P@1", "P(rel=1)@1", "nDCG@2"]).frame
    assert table["measure"].unique().tolist() == ["P(rel=2)@1", "P@1", "nDCG@2"]
    assert cranfield.evaluate(path, RUNS, measures="P@1").frame["measure"].unique().tolist() == ["P(rel=2)@1"]
    assert cranfield.evaluate(GRADES, path, measures="P@1").frame["measure"].unique().tolist() == ["P@1"]
    assert cranfield.compare(path).frame["measure"].unique().tolist() == ["AP(rel=2)"]
    assert cranfield.curve(path).frame["precision"].max() <= 1
    with pytest.warns(UserWarning, match="as pooled|not tested"):
        table = cranfield.trust.leave_one_out(path, by="run", depth=1, measures="AP").frame
    assert table["measure"].unique().tolist() == ["AP(rel=2)"]


def test_whose_labels_count(tmp_path: Path) -> None:
    """assessor and labels choose, as --assessor and --labels do; that a model's were used is a warning."""
    runs = {"x": {"1": {"a": 2.0, "b": 1.0}}, "y": {"1": {"b": 2.0, "a": 1.0}}}
    labels = {"ada": {("1", "a"): 0}, "llm": {("1", "b"): 1}}
    path = new_file(tmp_path / "labels.db", models=["llm"], runs=runs, labels=labels)
    reads: list[Callable[[Path], object]] = [cranfield.read_qrels, cranfield.evaluate, cranfield.curve]
    for read in reads:
        with pytest.warns(UserWarning, match="1 of 2 labels is by models"):
            read(path)
    with pytest.warns(UserWarning, match="all by people"):
        assert cranfield.read_qrels(path, labels="people")["doc_id"].tolist() == ["a"]
    with pytest.warns(UserWarning, match="^1 label by ada$"):
        assert cranfield.read_qrels(path, assessor="ada")["doc_id"].tolist() == ["a"]
    with pytest.warns(UserWarning, match="llm, a model"):
        assert cranfield.evaluate(path, measures="RR", assessor="llm").frame["value"].tolist() == [0.5, 1.0]


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "a run alone": (
        lambda: cranfield.evaluate("x"),
        "x: not a store, and no runs were given; expected a store, or",
    ),
    "dicts alone": (
        lambda: cranfield.evaluate(RUNS),
        "not a store, and no runs were given; expected a store, or",
    ),
    "no such file": (lambda: cranfield.evaluate("nofile.db"), "nofile.db: no such file"),
    "no such qrels": (lambda: cranfield.evaluate("nofile", "x"), "nofile"),
    "labels of files": (
        lambda: cranfield.evaluate("qrels", "x", labels="people"),
        "labels applies only to a store's judgments",
    ),
    "assessor of files": (
        lambda: cranfield.read_qrels("qrels", assessor="ada"),
        "assessor applies only to a store's judgments",
    ),
    "labels unknown": (
        lambda: cranfield.evaluate("track.db", labels="mine").frame,  # type: ignore[arg-type]
        "labels is 'mine'; expected people, models or all",
    ),
    "by unknown": (lambda: cranfield.trust.leave_one_out("track.db", by="group"), "by is 'group'; expected run, team"),  # type: ignore[arg-type]
    "points unknown": (
        lambda: cranfield.curve("track.db", points="ten"),  # type: ignore[arg-type]
        "points is 'ten'; expected eleven or raw",
    ),
    "rule unknown": (lambda: cranfield.curve("track.db", rule="up"), "rule is 'up'; expected trec_eval or exact"),  # type: ignore[arg-type]
    "units without depth": (
        lambda: cranfield.trust.leave_one_out("track.db", units={"u": ["x"]}),
        "units needs the depth of the pool; pass depth=K",
    ),
    "protect unknown": (
        lambda: cranfield.trust.leave_one_out("track.db", protect="7"),
        "'7' does not occur in the second",
    ),
    "teams lacking": (
        lambda: cranfield.trust.leave_one_out("track.db", teams={"x": "t"}),
        "teams lacks an entry for run 'y'",
    ),
    "pool of files": (
        lambda: cranfield.trust.leave_one_out(GRADES, RUNS, depth=2, pool=1),
        "pool is the number of a stored pool",
    ),
    "pool without depth": (
        lambda: cranfield.pooling.pool_runs(RUNS),
        "runs without a store have no pool depth; pass depth=N",
    ),
    "pool unknown": (lambda: cranfield.pooling.pool_runs("track.db", number=9), "no pool 9 in this store"),
    "a measure as depth": (
        lambda: cranfield.trust.reusability(GRADES, RUNS, depth="AP"),  # type: ignore[arg-type]
        "depth is 'AP'; expected a whole number of at least 1",
    ),
    "half a depth": (
        lambda: cranfield.pooling.forecast_completeness(GRADES, RUNS, depth=2.5),  # type: ignore[arg-type]
        "depth is 2.5; expected a whole number of at least 1",
    ),
    "no depth": (
        lambda: cranfield.trust.depths(GRADES, RUNS, depth=0),
        "depth is 0; expected a whole number of at least 1",
    ),
    "a number as measures": (
        lambda: cranfield.evaluate(GRADES, RUNS, measures=3).frame,  # type: ignore[arg-type]
        "measures is 3; expected their names",
    ),
    "no measure": (lambda: cranfield.evaluate("track.db", measures=[]).frame, "no measure was given"),
    "no measure to compare by": (lambda: cranfield.compare("track.db", measures=[]).frame, "no measure was given"),
    "a word for no": (lambda: cranfield.evaluate("track.db", per_topic="no"), "expected True or False"),  # type: ignore[arg-type]
    "labels of nobody": (lambda: cranfield.evaluate("track.db", labels=None), "expected people, models or all"),  # type: ignore[arg-type]
    "a number of teams": (
        lambda: cranfield.trust.reusability(GRADES, RUNS, teams=3),  # type: ignore[arg-type]
        "teams is 3; expected a path or a dict",
    ),
    "a number as scores": (lambda: cranfield.correlate(3, [1.0]), "expected scores: a list, a dict or Series"),  # type: ignore[call-overload]
    "a number as labels": (lambda: cranfield.judging.measure_agreement(3), "expected a store, two or more qrels files"),  # type: ignore[arg-type]
    "a number as logs": (lambda: cranfield.store.import_log("track.db", [3]), "expected a list of paths"),  # type: ignore[list-item]
    "a parameter of no JSON": (
        lambda: cranfield.models.assess(
            "track.db", cranfield.models.Asking("m", "http://127.0.0.1:9/v1", parameters={"stop": {"x"}})
        ),
        "expected values that JSON can hold (Object of type set",
    ),
}


@pytest.mark.needs_extra("plot")
def test_options_are_given_by_name() -> None:
    """Inputs are positional: qrels, runs, measures, the new run, a file or a name; all options are keywords."""
    for function in interface_functions():
        name = function.__name__
        parameters = [one for one in signature(function).parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
        third = {
            "evaluate": ["measures"],
            "compare": ["measures"],
            "correlate": ["estimate", "measures"],
            "diagnose": ["new"],
            "search_corpus": ["store"],
            "describe": ["file"],
            "list_measures": ["name"],
            "list_methods": ["method"],
        }.get(name, [])
        inputs = ("runs", "b", *third)
        names = [one.name for one in parameters if one.default is one.empty or one.name in inputs]
        assert names == [one.name for one in parameters], name
        assert names[:1] != ["qrels"] or names == ["qrels", "runs", *third], name
    call: Any = cranfield.trust.reusability
    with pytest.raises(TypeError, match=r"reusability\(\) too many positional arguments; expected qrels and runs,"):
        call("qrels", "x", "AP")
    pool: Any = cranfield.pooling.pool_runs
    with pytest.raises(TypeError, match=r"^pool\w*\(\) too many positional arguments; expected runs, and"):
        pool(GRADES, RUNS)


@pytest.mark.parametrize(
    ("function", "given", "keywords", "near"),
    [
        (cranfield.evaluate, (GRADES, RUNS), {"measure": "AP"}, "measures"),
        (cranfield.evaluate, (GRADES, RUNS), {"per_query": True}, "per_topic"),
        (cranfield.compare, (GRADES, RUNS), {"basline": "x"}, "baseline"),
        (cranfield.pooling.build_pool, ("track.db",), {"dept": 3}, "depth"),
        (cranfield.fuse, (RUNS,), {"methd": "rrf"}, "method"),
        (cranfield.Evaluator, (GRADES,), {"measure": "AP"}, "measures"),
        (cranfield.store.import_runs, ("track.db",), {"rums": RUNS}, "runs"),
        (cranfield.read_qrels, ("x.qrels",), {"formt": "trec"}, "format"),
    ],
)
def test_a_mistyped_keyword_names_the_nearest(
    function: Any, given: tuple[Any, ...], keywords: dict[str, Any], near: str
) -> None:
    with pytest.raises(TypeError, match=rf"\(\) got an unexpected keyword argument '\w+'; did you mean {near}\?$"):
        function(*given, **keywords)
    with pytest.raises(TypeError, match=r"\(\) got an unexpected keyword argument 'zzz'$"):
        function(*given, zzz=1)


def test_the_third_argument_is_the_measures_or_the_new_run() -> None:
    by_place = cranfield.evaluate(GRADES, RUNS, ["AP", "P@1"]).frame
    pd.testing.assert_frame_equal(by_place, cranfield.evaluate(GRADES, RUNS, measures=["AP", "P@1"]).frame)
    several = r"\['AP', 'P@5'\] are measures, given as runs; expected measures=\['AP', 'P@5'\]"
    with pytest.raises(InputError, match=several):
        cranfield.evaluate({"1": {"d": 1}}, ["AP", "P@5"])
    with pytest.raises(InputError, match=r"'AP' is a measure, given as runs; expected measures='AP'"):
        cranfield.evaluate("track.db", "AP")
    call: Any = cranfield.evaluate
    with pytest.raises(TypeError):
        call(GRADES, RUNS, "AP", measures="AP")
    with pytest.raises(TypeError, match="; expected qrels, runs and measures, and every other argument by name"):
        call(GRADES, RUNS, "AP", True)


@pytest.mark.needs_extra("plot")
@EVERY_FEATURE
def test_what_is_of_another_type_is_refused() -> None:
    """Of each argument and option whose type says what it takes, before anything is done or asked for."""
    count = 0
    askings = [cranfield.models.Asking] if "models" in NAMESPACES else []
    for function in [*interface_functions(), *askings]:
        name = function.__name__
        if name == "limited":  # whose sizes are read when they hold
            continue
        assert pickle.loads(pickle.dumps(function)) is function  # as other processes take it
        names = vars(sys.modules[unwrap(function).__module__])
        parameters = signature(function).parameters.values()
        kinds = {one.name: split_annotation(type_named(one.annotation, names))[0] for one in parameters}
        needed = [one.name for one in parameters if one.default is one.empty or (name, one.name) == ("diagnose", "new")]
        values: list[Any] = [
            "x",
            2,
            True,
            ["x"],
            [["x"]],
            {},
            "run",
            "assessor",
            Topic("1", "one"),
            *(kind("m") for kind in askings),
        ]
        right = {one: next(value for value in values if not describe_expected(kinds[one], {}, value)) for one in needed}
        for one in [one for one, kind in kinds.items() if describe_expected(kind, {}, object())]:
            with pytest.raises(InputError, match=rf"^{one} is <object object at .*; expected "):
                function(**{**right, one: object()})
            count += 1
    assert count > 600


OF_FEATURES = {"a number as logs": "online", "a parameter of no JSON": "models"}


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.needs(*filter(None, [OF_FEATURES.get(case)]))) for case in WRONG],
)
def test_what_is_wrong_is_said(store: Path, case: str) -> None:
    call, message = WRONG[case]
    with pytest.raises((cranfield.CranfieldError, OSError), match=re.escape(message)):
        call()


def test_an_empty_store_says_what_it_lacks(tmp_path: Path) -> None:
    with cranfield.Store.memory("empty") as store:
        for call in (cranfield.evaluate, cranfield.compare, cranfield.trust.leave_one_out, cranfield.read_runs):
            with pytest.raises(InputError, match="no runs in this store"):
                call(store)
        with pytest.raises(InputError, match="there are no judgments in this store yet"):
            cranfield.read_qrels(store)


def test_a_warning_is_of_the_callers_line(store: Path) -> None:
    """And not of a line inside the library."""
    with new_store(models=["llm"], runs={"x": {"1": {"a": 2.0}}}, labels={"llm": {("1", "a"): 1}}) as there:
        for call in (partial(cranfield.evaluate, measures="AP"), cranfield.read_qrels, cranfield.curve):
            with pytest.warns(UserWarning, match="all by models") as warnings:
                call(there)
            assert [Path(one.filename).name for one in warnings] == ["test_api.py"]


def test_teams_as_a_dict(store: Path) -> None:
    """They name the units, and do not say who was pooled: of a store its pool does, of others the judgments."""
    options: dict[str, Any] = {"depth": 2, "by": "team", "measures": "AP"}
    of_file = cranfield.trust.leave_one_out(store, teams="teams.tsv", **options).frame
    assert records(cranfield.trust.leave_one_out(store, teams=TEAMS, **options).frame) == records(of_file)
    with pytest.warns(UserWarning, match="treated 3 of 4 runs as pooled to depth 2: x, y, z"):
        table = cranfield.trust.leave_one_out(GRADES, RUNS, teams=TEAMS, **options).frame
    assert table["unit"].tolist() == ["one", "one", "z"]


def test_units_of_ones_own() -> None:
    """Given as a dict, they are left out together."""
    units = {"both": ["x", "y"], "z": ["z"]}
    table = cranfield.trust.leave_one_out(GRADES, RUNS, depth=2, units=units, measures="AP").frame
    assert table[["unit", "run"]].values.tolist() == [["both", "x"], ["both", "y"], ["z", "z"]]


def test_no_verdict_is_a_warning() -> None:
    """Where the runs are not the pool, as the command's note."""
    qrels = {"1": {f"d{n}": 1 for n in range(30)}, "2": {"a": 1}}
    runs = {"x": {"1": {"d1": 1.0}, "2": {"a": 1.0}}, "y": {"1": {"d2": 1.0}, "2": {"a": 1.0}}}
    with pytest.warns(UserWarning, match="not tested: "):
        cranfield.trust.leave_one_out(qrels, runs, depth=1)


ids = st.sampled_from([f"d{n}" for n in range(5)])
names = st.sampled_from(["1", "2", "10"])
grades = st.dictionaries(names, st.dictionaries(ids, st.integers(-2, 3), min_size=1), min_size=1)
scores = st.dictionaries(names, st.dictionaries(ids, st.floats(-5, 5), min_size=1), min_size=1)
parts = st.dictionaries(st.tuples(names, ids, st.sampled_from("123")), st.integers(0, 2), min_size=1)


def same_qrels(a: Qrels, b: Qrels) -> bool:
    return cranfield.read_qrels(a).equals(cranfield.read_qrels(b)) and (a.subtopics is None) == (b.subtopics is None)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(grades, st.dictionaries(st.sampled_from("ab"), scores, min_size=1), parts)
def test_what_is_read_is_what_was_given(qrels: Any, runs: Any, about: Any) -> None:
    """A table of runs, judgments or judgments of subtopics, read and given back, is the same."""
    there: Runs = as_runs(runs)
    pd.testing.assert_frame_equal(cranfield.read_runs(cranfield.read_runs(there)), cranfield.read_runs(there))
    assert same_qrels(as_qrels(cranfield.read_qrels(qrels)), as_qrels(qrels))
    rows = [(q, d, grade, name) for (q, d, name), grade in about.items()]
    table = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "subtopic"])
    assert same_qrels(as_qrels(cranfield.read_qrels(table)), as_qrels(table))
    assert len(cranfield.read_qrels(table)) == len(rows)


def test_strata_and_second_columns_are_read(tmp_path: Path) -> None:
    (tmp_path / "rounds").write_text("1 0.5 a 1\n1 1 b 0\n")
    assert cranfield.read_qrels(tmp_path / "rounds")["iteration"].tolist() == ["0.5", "1"]
    (tmp_path / "sample").write_text("1 0 a 1 1\n1 0 b 2 -1\n1 0 c 2 0\n")
    with pytest.raises(InputError, match="5 columns; qrels have 4"):
        cranfield.read_qrels(tmp_path / "sample")
    table = cranfield.read_qrels(tmp_path / "sample", format="sample-eval")
    assert table[["relevance", "stratum"]].values.tolist() == [[1, "1"], [-1, "2"], [0, "2"]]
    run = {"1": {"c": 3.0, "a": 2.0, "b": 1.0}}
    assert cranfield.evaluate(table, run, measures="xinfAP").frame["value"][0] > 0


def test_dir_lists_the_public_names() -> None:
    """And the namespaces; each has a docstring."""
    assert {*dir(cranfield)} > {*cranfield.__all__}
    assert cranfield.__all__ == sorted(cranfield.__all__)
    for package in (cranfield.metrics, cranfield.formats, cranfield.pooling):
        assert dir(package) == package.__all__
    for name in dir(cranfield):
        assert getattr(cranfield, name).__doc__, name


@pytest.mark.filterwarnings("ignore:2 topics are judged in part")
def test_the_readmes_python_runs(store: Path, tmp_path: Path) -> None:
    """Its Python section runs as it stands there."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## From Python\n")[1].split("\n## ")[0]
    code = "\n".join(line[4:] for line in section.splitlines() if line.startswith("    ") or not line)
    for name in ("x", "y"):
        Path({"x": "a.run", "y": "b.run"}[name]).write_text(Path(name).read_text())
    Path("qrels.txt").write_text(Path("qrels").read_text())
    exec(
        code, {"run_a": RUNS["x"], "run_b": RUNS["y"], "qrels": GRADES}
    )  # a topic without judgments would be a warning


def test_objects_show_what_they_hold(store: Path) -> None:
    """In a line, and in a notebook as a table in which nothing is markup."""
    with cranfield.Store.open(store) as there:
        pool = stored_pool(there)
        verdict = cranfield.trust.reusability(there, by="run", depth=2, measures="AP")
        counts = "9 documents, 4 topics, 4 runs, 1 pool, 1 assessor, 17 events, 17 judgments"
        assert repr(there) == f"Store {store}: {counts}"
        assert there._repr_html_().count("<tr>") == 8
    assert there._repr_html_() == f"<p>{there!r}</p>" == f"<p>Store {store}, closed</p>"
    assert (repr(pool), pool._repr_html_().count("<tr>")) == ("Pool 1: depth, 18 documents of 4 topics", 5)
    assert repr(verdict).startswith(
        "Removing one of the 4 runs from the pool (4 runs, depth 2, 4 topics) changes its AP"
    )
    assert f"<p>{verdict!r}</p>" in verdict._repr_html_()
    measure = cranfield.metrics.parse("nDCG@10")
    assert '<td style="text-align: left">nDCG@10</td>' in measure._repr_html_()
    with cranfield.Store.create("<i>.db", "hostile") as hostile:
        assert "<i>" not in hostile._repr_html_()


def test_a_fused_run_is_scored_as_its_table() -> None:
    """The result of `fuse` is taken where runs are, alone and in a dict by tag."""
    qrels, runs = {"1": {"d1": 1}}, {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d1": 1.0}}}
    fused = cranfield.fuse(runs)
    alone = cranfield.evaluate(qrels, fused, "RR").frame
    assert alone["run"].tolist() == ["rrf"]
    several: dict[str, Any] = {**runs, "mine": fused}
    among = cranfield.evaluate(qrels, several, "RR").frame.set_index("run")["value"]
    assert among.index.tolist() == ["a", "b", "mine"]
    assert among["mine"] == alone["value"][0]
    assert cranfield.pooling.pool_runs(fused, depth=1).frame["doc_id"].tolist() == fused.frame["doc_id"][:1].tolist()


def test_what_one_lists_may_come_first() -> None:
    """A method or a measure, without its keyword."""
    assert cranfield.pooling.list_methods("rrf").rows() == cranfield.pooling.list_methods(method="rrf").rows()
    assert cranfield.metrics.list_measures("AP").rows() == cranfield.metrics.list_measures(name="AP").rows()


EMPTY = {"q": {"d": 1}}


@pytest.mark.parametrize(
    "call",
    [
        lambda: cranfield.evaluate(EMPTY, "", "AP"),
        lambda: cranfield.evaluate(EMPTY, [""], "AP"),
        lambda: cranfield.Evaluator(EMPTY, "AP").evaluate(""),
        lambda: cranfield.evaluate(EMPTY, {"a": EMPTY}, "AP", topics=""),
        lambda: cranfield.pooling.pool_runs("", depth=1),
        lambda: cranfield.store.import_runs(cranfield.Store.memory("small"), ""),
        lambda: cranfield.store.export_runs(cranfield.Store.memory("small"), ""),
    ],
)
def test_an_empty_text_is_no_path(call: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder, whose files it would be, is neither read nor written."""
    (tmp_path / "a.run").write_text("q Q0 d 1 2 secret\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"is ''; expected a value|is an empty path"):
        call()
    assert [one.name for one in tmp_path.iterdir()] == ["a.run"]


@pytest.mark.parametrize("runs", [{"a": EMPTY, "b": EMPTY}, ["a.run"]])
def test_fuse_refuses_the_name_of_no_run(runs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.run").write_text("q Q0 d 1 2 a\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="no run 'zz'"):
        cranfield.fuse(runs, tags=["a", "zz"])


@pytest.mark.parametrize("method", ["combsum", "combmnz"])
def test_fused_scores_are_finite(method: str) -> None:
    runs = {name: {"q": {"d": 1.7e308, "e": 1.0, "f": -1.7e308}} for name in ("a", "b")}
    with pytest.raises(InputError, match=f"topic q: a fused score of {method} is not finite"):
        cranfield.fuse(runs, method=method)


@pytest.mark.filterwarnings("ignore::cranfield.CorpusWarning")
@pytest.mark.parametrize("form", ["file", "dict"])
def test_an_import_tells_that_grade_minus_one_counts(form: str, tmp_path: Path) -> None:
    """On a scale that has it; of qrels files it means unjudged, and elsewhere it is refused or left out."""
    qrels: Any = {"q": {"a": 1, "b": -1}}
    if form == "file":
        qrels = tmp_path / "a.qrels"
        qrels.write_text("q 0 a 1\nq 0 b -1\n")
    path = tmp_path / "s.db"
    with cranfield.Store.create(path, "scaled", grades={-1: "pooled", 0: "no", 1: "yes"}):
        pass
    with pytest.warns(cranfield.CranfieldWarning, match="1 label has grade -1 and counts as judged in this store"):
        cranfield.store.import_qrels(path, qrels, assessor="ada", kind="human")
