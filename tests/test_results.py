"""A Result renders itself as the command of its function prints it."""

import pickle
import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

import cranfield
from cranfield.commands.topic_plan import plan_topics
from cranfield.errors import ArgumentError, InputError, MissingTopicWarning, Note
from cranfield.results import SHOWN_ROWS, CallContext, Result
from cranfield.selection import LeftOut
from tests.conftest import Cranfield
from tests.stores import new_file

RUNS = {"a": {"q1": {"d1": 2.0, "d2": 1.0}}, "b": {"q1": {"d2": 2.0, "d3": 1.0}}, "c": {"q1": {"d4": 1.0}}}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return new_file(tmp_path / "t.db", runs=RUNS, people=["ada"], qrels={"ada": {"q1": {"d1": 1, "d2": 0}}}, pool=2)


CALLS: dict[str, Callable[[Path], Result]] = {
    "pool show @ --by run": lambda store: cranfield.pooling.summarize_pool(store, by="run"),
    "pool show @ --topics @.txt": lambda store: cranfield.pooling.summarize_pool(store, topics=f"{store}.txt"),
    "pool methods": lambda store: cranfield.pooling.list_methods(),
    "pool methods rrf": lambda store: cranfield.pooling.list_methods(method="rrf"),
}


ON_WORKSHOP: dict[str, Callable[[Path], Result]] = {  # of the demo's store; @ stands for its path
    "evaluate @ -m AP": lambda s: cranfield.evaluate(s, measures="AP"),
    "evaluate @ -m AP --per-topic": lambda s: cranfield.evaluate(s, measures="AP", per_topic=True),
    "compare @ -m P@10": lambda s: cranfield.compare(s, measures="P@10"),
    "compare @ -m P@10 --baseline bm25": lambda s: cranfield.compare(s, measures="P@10", baseline="bm25"),
    "compare @ -m AP --plan 0.1": lambda s: plan_topics(s, measures="AP", difference=0.1),
    "curve @": cranfield.curve,
    "curve @ --points raw": lambda s: cranfield.curve(s, points="raw"),
    "measures": lambda s: cranfield.metrics.list_measures(),
    "measures AP": lambda s: cranfield.metrics.list_measures(name="AP"),
    "measures --for recall": lambda s: cranfield.metrics.list_measures(task="recall"),
    "reusability @ --by team -m AP": lambda s: cranfield.trust.reusability(s, by="team", measures="AP"),
    "depths @ --by team -m AP": lambda s: cranfield.trust.depths(s, by="team", measures="AP"),
    "stability @ -m AP -m P@10": lambda s: cranfield.trust.stability(s, measures=["AP", "P@10"]),
    "info @": cranfield.store.info,
    "collection list": lambda s: cranfield.recipes.list_collections(),
    "search --list": lambda s: cranfield.store.search_corpus(list_rankers=True),
    "pool show @": cranfield.pooling.summarize_pool,
    "pool diff @ 1 1": lambda s: cranfield.pooling.compare_pools(s, 1, 1),
    "pool verify @": cranfield.pooling.verify_pool,
    "pool simulate @ --method rrf --budgets 5,10": lambda s: cranfield.pooling.simulate_methods(
        s, methods=["rrf"], budgets=[5, 10]
    ),
    "pool tune @ --folds 2 -m P@1": lambda s: cranfield.pooling.tune_fusion(s, folds=2, measure="P@1"),
    "topics list @": cranfield.topics.list_sets,
    "topics hardness @": cranfield.topics.measure_hardness,
    "topics next @ --run bm25 --run rm3": lambda s: cranfield.topics.choose_next(s, pair=["bm25", "rm3"]),
    "round list @": cranfield.rounds.summarize,
    "store history @": cranfield.store.list_history,
    "store releases @": cranfield.store.list_releases,
    "progress @": cranfield.judging.progress,
    "progress @ --show pace": lambda s: cranfield.judging.progress(s, section="pace"),
    "agreement @ --resamples 100": lambda s: cranfield.judging.measure_agreement(s, resamples=100),
    "agreement @ --by pair": lambda s: cranfield.judging.measure_agreement(s, by="pair"),
    "agreement @ --by topic": lambda s: cranfield.judging.measure_agreement(s, by="topic"),
    "diff @ primary min": lambda s: cranfield.judging.compare_judgments(s, "primary", "min"),
    "diff @ primary min --list": lambda s: cranfield.judging.compare_judgments(s, "primary", "min", show="labels"),
    "diff @ primary min --flips": lambda s: cranfield.judging.compare_judgments(s, "primary", "min", show="flips"),
    "rehearse @ --repeats 1 -m AP": lambda s: cranfield.judging.rehearse(s, repeats=1, measures="AP"),
    "why @ {qid} {docno}": lambda s: cranfield.judging.explain_label(s, *first_label(s)),
}


def first_label(store: Path) -> tuple[str, str]:
    with cranfield.Store.open(store) as opened:
        return opened.rows("SELECT qid, docno FROM qrels ORDER BY qid, docno LIMIT 1")[0]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("words", ON_WORKSHOP)
def test_a_result_renders_what_the_command_prints_of_a_collection(
    words: str, workshop: Path, cranfield: Cranfield
) -> None:
    qid, docno = first_label(workshop)
    typed = [str(workshop) if part == "@" else part.format(qid=qid, docno=docno) for part in words.split()]
    result = ON_WORKSHOP[words](workshop)
    assert cranfield.out(*typed, "--format", "json") == result.to_json()
    assert cranfield.out(*typed, "--format", "latex") == result.to_latex()


@pytest.mark.parametrize("words", CALLS)
def test_a_result_renders_what_the_command_prints(words: str, store: Path, cranfield: Cranfield) -> None:
    Path(f"{store}.txt").write_text("q1\n")
    result = CALLS[words](store)
    typed = words.replace("@", str(store)).split()
    assert cranfield.out(*typed, "--format", "json") == result.to_json()
    assert cranfield.out(*typed, "--format", "latex") == result.to_latex()
    pd.testing.assert_frame_equal(result.frame, pd.DataFrame(result.rows()))


ONLY_COMMANDS = {"plan_topics", "measure_instruction_following"}  # options of `compare`, which Python lacks


def test_the_provenance_names_a_public_function() -> None:
    """Of every result that has the context of its call."""
    folder = Path(cranfield.__file__).parent
    texts = [path.read_text("utf-8") for path in folder.rglob("*.py")]
    names = {name for text in texts for name in re.findall(r"(?:call\.context|provenance_of)\(\"([\w.]+)\"", text)}
    assert len(names) > 30
    for name in names - ONLY_COMMANDS:
        assert callable(reduce(getattr, name.split("."), cranfield)), name


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_agreement_and_differences_of_a_store_have_their_provenance(workshop: Path) -> None:
    about = {"cranfield": cranfield.__version__, "store": str(workshop)}
    agreement = cranfield.judging.measure_agreement(workshop, resamples=0)
    assert agreement.provenance == about | {"function": "judging.measure_agreement"}
    differences = cranfield.judging.compare_judgments(workshop, "primary", "min")
    assert differences.provenance == about | {"function": "judging.compare_judgments"}
    labels = {"ada": {"q": {"d1": 1, "d2": 0}}, "bob": {"q": {"d1": 1, "d2": 1}}}
    assert "store" not in cranfield.judging.measure_agreement(labels, coefficients=["overlap"]).provenance


def test_assignments_render_what_the_command_prints(store: Path, cranfield: Cranfield) -> None:
    import cranfield as api

    result = api.judging.assign_topics(store, assessors=["ada"])
    assert cranfield.out("assign", store, "--format", "latex") == result.to_latex()


def test_what_was_left_out_is_in_the_notes_and_in_json(store: Path) -> None:
    cranfield.store.withdraw(store, "run", "c", reason="wrong index")
    with pytest.warns(UserWarning, match="left out: 1 run") as warned:
        result = cranfield.pooling.summarize_pool(store)
    assert result.notes == ("left out: 1 run (c: wrong index)",) == tuple(str(one.message) for one in warned)
    assert result.to_latex().endswith("% left out: 1 run (c: wrong index)\n")
    document = Result(document={"rows": []}, context=result.context).to_json()
    assert '"wrong index"' in document


def test_a_result_is_pickled_with_its_context(store: Path) -> None:
    result = cranfield.pooling.summarize_pool(store, by="run")
    again = pickle.loads(pickle.dumps(result))
    assert (again.rows(), again.notes, repr(again)) == (result.rows(), result.notes, repr(result))
    provenance = {"cranfield": cranfield.__version__, "function": "pooling.summarize_pool", "store": str(store)}
    assert again.provenance == provenance
    assert cranfield.pooling.summarize_pool(store, topics=f"{store}.txt" if _write(store) else "").provenance["topics"]


@pytest.mark.parametrize("protocol", [0, 2, pickle.HIGHEST_PROTOCOL])
def test_a_result_is_pickled_with_the_classes_of_its_notes(protocol: int) -> None:
    """As a worker process returns it."""
    context = CallContext((Note("q2 was not answered", MissingTopicWarning), "two runs"))
    again = pickle.loads(pickle.dumps(Result(context=context), protocol))
    assert again.notes == ("q2 was not answered", "two runs")
    assert again.notes[0].category is MissingTopicWarning


def _write(store: Path) -> int:
    return Path(f"{store}.txt").write_text("q1\n")


def test_a_result_shows_its_first_rows_in_python_and_in_notebooks() -> None:
    rows = [{"run": f"<r{number}>", "AP": number / 10} for number in range(SHOWN_ROWS + 2)]
    lines = repr(Result(rows, title="means")).splitlines()
    assert (lines[0], len(lines), lines[-1]) == ("means", SHOWN_ROWS + 3, "... and 2 more rows; .frame has all")
    assert Result(rows, title="means")._repr_html_().count("&lt;r") == SHOWN_ROWS
    wide = repr(Result([{f"column{number:02}": "x" * 8 for number in range(30)}])).splitlines()
    assert max(map(len, wide)) <= 120
    assert (wide[0].split()[-1], wide[-1]) == ("column11", "... and 18 more columns; .frame has all")
    assert repr(Result()) == "Result: no rows"
    assert (repr(Result(title="none yet")), list(Result().frame.columns)) == ("none yet", [])


def test_rows_and_frames_are_copies() -> None:
    result = Result([{"run": "a"}], context=CallContext(("a note",), LeftOut(topics={"7": ""})))
    result.rows()[0]["run"] = "b"
    frame = result.frame
    frame.loc[0, "run"] = "b"
    assert result.rows() == [{"run": "a"}]
    assert result.notes == ("a note", "left out: 1 topic")


def test_a_result_without_a_figure_refuses_to_plot() -> None:
    with pytest.raises(InputError, match="Result has no figure; draw columns of its table with"):
        Result().plot()


DRAWN: dict[str, tuple[int, Callable[[Path], Result]]] = {  # the number of panels
    "evaluate": (1, lambda store: cranfield.evaluate(store, measures="P@1")),
    "curve": (1, cranfield.curve),
    "raw curve": (2, lambda store: cranfield.curve(store, points="raw")),
    "compare": (1, lambda store: cranfield.compare(store, measures="P@1")),
    "compare with a baseline": (1, lambda store: cranfield.compare(store, measures="P@1", baseline="b")),
    "reusability": (1, lambda store: cranfield.trust.reusability(store, measures="P@1", by="run")),
    "depths": (2, lambda store: cranfield.trust.depths(store, measures="P@1", by="run")),
    "stability": (3, lambda store: cranfield.trust.stability(store, measures="P@1")),
    "pool simulate": (2, lambda store: cranfield.pooling.simulate_methods(store, methods=["depth"], budgets=[2])),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_is_drawn_on_given_axes(name: str, tmp_path: Path) -> None:
    """A list of another length and other objects are refused; the figure keeps its title."""
    labels = {(f"q{n}", f"d{k}"): int(k == n) for n in (1, 2, 3) for k in range(1, 4)}
    runs = {
        tag: {f"q{n}": {f"d{k}": float((k * step) % 5) for k in range(1, 4)} for n in (1, 2, 3)}
        for tag, step in (("a", 1), ("b", 2))
    }
    number, call = DRAWN[name]
    result = call(new_file(tmp_path / "t.db", runs=runs, people=["ada"], qrels={"ada": _by_topic(labels)}, pool=2))
    figure = Figure()
    axes = figure.subplots(1, number, squeeze=False)[0].tolist()
    figure.suptitle("mine")
    assert result.plot(axes[0] if number == 1 else axes) is figure
    assert all(one.has_data() for one in axes)
    assert figure.get_suptitle() == "mine"
    with pytest.raises(InputError, match=rf"ax contains {number + 1} axes; expected {number}, one for each panel"):
        result.plot([*axes, axes[0]])
    with pytest.raises(InputError, match=r"^ax contains 'x'; expected matplotlib axes$"):
        result.plot("x")
    grid = Figure().subplots(1, number, squeeze=False)  # as plt.subplots gives panels
    assert result.plot(grid) is grid[0, 0].figure


def _by_topic(labels: dict[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for (qid, docno), grade in labels.items():
        grades.setdefault(qid, {})[docno] = grade
    return grades


def test_a_stored_pool_has_its_documents_and_says_what_was_done(store: Path) -> None:
    pool = cranfield.pooling.build_pool(store, method="uniform", budget=2, rng=1)
    assert pool.lines[0].startswith("pool 2: 2 documents for 1 topic")
    assert [*pool.frame] == ["query_id", "doc_id", "depth", "runs", "stratum", "probability"]
    assert len(pool.rows()) == 2
    with pytest.raises(ArgumentError, match=r"available: .*rrf"):
        cranfield.pooling.build_pool(store, method="nonsense")
