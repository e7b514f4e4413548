"""Views: each analysis gives by a view what it gives alone, however several views are used side by side."""

import copy
import pickle
import random
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pytest

import cranfield
from cranfield import view as view_module
from cranfield.collection import open_collection
from cranfield.commands.topic_plan import plan_topics
from cranfield.errors import InputError, StoreError
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.selection import Labellers, Selection
from cranfield.store import reading as reading_module
from cranfield.store.log import add_assessor
from cranfield.store.qrels import import_qrels
from cranfield.store.reading import Place
from cranfield.store.round_changes import close_round, start_round
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.store.topic_sets import store_topic_set
from cranfield.store.withdrawals import withdraw
from cranfield.view import View
from tests.conftest import Cranfield
from tests.stores import new_file

QIDS, DOCNOS, TAGS = (
    [f"q{number}" for number in range(12)],
    [f"d{number}" for number in range(16)],
    ["a", "b", "c", "e"],
)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SELECTIONS: Sequence[Mapping[str, Any]] = (
    {},
    {"topics": "dev"},
    {"topics": "test", "labels": "people"},
    {"release": "1.0", "assessor": "ada"},
    {"round": "1", "topics": "dev"},
    {"round": "2"},
)


def _card(view: View) -> str:
    """The page of a reusability card."""
    with TemporaryDirectory() as folder:
        cranfield.trust.write_report(view, out=Path(folder, "card.html"), measures="AP", by="run", card_only=True)
        return Path(folder, "card.html").read_text("utf-8")


ANALYSES: Mapping[str, Callable[[View], Any]] = {
    "evaluate": lambda view: cranfield.evaluate(view, measures=["AP", "nDCG@10"], per_topic=True).frame,
    "compare": lambda view: cranfield.compare(view, measures=["AP"], test="permutation", samples=99).frame,
    "reusability": lambda view: cranfield.trust.reusability(view, measures="AP", by="run").to_json(),
    "leave_one_out": lambda view: cranfield.trust.leave_one_out(view, measures="AP", by="run").frame,
    "depths": lambda view: cranfield.trust.depths(view, measures="AP").frame,
    "stability": lambda view: cranfield.trust.stability(view, measures="AP").frame,
    "diagnose": lambda view: cranfield.trust.diagnose(view, new="e", measures="P@5").frame,
    "curve": lambda view: cranfield.curve(view).frame,
    "measure_hardness": lambda view: cranfield.topics.measure_hardness(view, measure="AP").frame,
    "choose_next": lambda view: cranfield.topics.choose_next(view, pair=["a", "b"]).frame,
    "simulate_methods": lambda view: cranfield.pooling.simulate_methods(view, methods=["depth"], budgets=[3]).frame,
    "tune_fusion": lambda view: cranfield.pooling.tune_fusion(view, methods=["rrf", "combsum"], folds=2).frame,
    "forecast_completeness": lambda view: cranfield.pooling.forecast_completeness(view).frame,
    "verify_pool": lambda view: cranfield.pooling.verify_pool(view).frame,
    "fuse": lambda view: cranfield.fuse(view, method="rrf").frame,
    "plan_topics": lambda view: plan_topics(view, measures=["AP"], difference=0.1).frame,
    "rehearse": lambda view: cranfield.judging.rehearse(view, measures="AP", repeats=1, rng=3).to_json(),
    "write_report": _card,
}
TAKES = {  # the others take all selections
    "fuse": {"topics", "round", "judged"},
    "rehearse": {"topics", "round", "judged", "labels"},
}
FUNCTION = re.compile(r"^def (\w+)\(\s*qrels: (?:QrelsOrStore|QrelsBeforeNewRun)", re.MULTILINE)
OTHERS = {"measure_instruction_following"}  # of three files, of which no view has two


def test_each_analysis_is_tested() -> None:
    modules = [path.read_text("utf-8") for path in Path(cranfield.__file__).parent.glob("commands/*.py")]
    assert {name for text in modules for name in FUNCTION.findall(text)} - OTHERS == {*ANALYSES} - {"fuse"}


def _grades(rng: random.Random, share: float) -> dict[tuple[str, str], int | None]:
    pairs = [pair for pair in product(QIDS, DOCNOS) if rng.random() < share]
    return {pair: int(rng.random() < 0.4) for pair in pairs}


@pytest.fixture(scope="module")
def track(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = random.Random(5)
    rankings = {tag: {qid: rng.sample(DOCNOS, 10) for qid in QIDS} for tag in TAGS}
    runs = {
        tag: {qid: {docno: 20.0 - rank for rank, docno in enumerate(docnos)} for qid, docnos in own.items()}
        for tag, own in rankings.items()
    }
    path = new_file(
        tmp_path_factory.mktemp("views") / "track.db", documents=DOCNOS, topics=QIDS, people=["ada", "bob"],
        models=["gpt"], runs=runs, pool=6, labels={"ada": _grades(rng, 0.6), "gpt": _grades(rng, 0.9)},
    )  # fmt: skip
    with Store.open(path) as store:
        store_topic_set(store, "dev", QIDS[:7])
        store_topic_set(store, "test", QIDS[5:])
        cranfield.store.create_release(store, "1.0")
        withdraw(store, "run", ["c"], "wrong index")
        withdraw(store, "topic", ["q3"], "not a topic")
        add_assessor(store, "eve", "human")
        close_round(store, "1")
        start_round(store, "2")
        docnos = [f"d{number}" for number in range(8, 24)]  # the last eight are new
        later = {tag: {qid: dict.fromkeys(rng.sample(docnos, 10), 1.0) for qid in QIDS} for tag in ("a", "b", "e")}
        add_runs(store, as_runs(later))
        new = {qid: {docno: int(rng.random() < 0.4) for docno in rng.sample(docnos[8:], 4)} for qid in QIDS}
        import_qrels(store, as_qrels(new), "bob", "human")
    return path


def _outcome(act: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """What a call gives, as text with all digits, or its error."""
    try:
        result = act(*arguments, **options)
    except cranfield.CranfieldError as error:
        return f"{type(error).__name__}: {error}"
    return result.to_csv(float_format="%.17g") if isinstance(result, pd.DataFrame) else repr(result)


def _cases() -> Iterator[tuple[int, str]]:
    for number, name in product(range(len(SELECTIONS)), ANALYSES):
        if SELECTIONS[number].keys() <= TAKES.get(name, SELECTIONS[number].keys()):
            yield number, name


@pytest.fixture(scope="module")
def alone(track: Path) -> Mapping[tuple[int, str], Any]:
    """What each analysis gives of a view that nothing else uses."""
    with warnings.catch_warnings(action="ignore"):
        return {
            (number, name): _outcome(ANALYSES[name], open_collection(track).select(**SELECTIONS[number]))
            for number, name in _cases()
        }


def test_the_selections_differ(alone: Mapping[tuple[int, str], Any]) -> None:
    for name in ("evaluate", "compare", "curve", "stability"):
        outcomes = [alone[number, name] for number in range(len(SELECTIONS))]
        assert len({*outcomes}) == len(outcomes), name
        assert not any(one.startswith("InputError") for one in outcomes), name
    assert sum(str(one).startswith(("InputError", "StoreError")) for one in alone.values()) < len(alone) / 4


@pytest.mark.parametrize("seed", range(2))
def test_interleaved_views_give_what_each_gives_alone(
    track: Path, alone: Mapping[tuple[int, str], Any], seed: int
) -> None:
    """In one thread, each view with all analyses, in any order."""
    cases = [*_cases()]
    random.Random(seed).shuffle(cases)
    with Store.open(track) as store:
        collection = open_collection(store if seed else track)
        views = [collection.select(**fields) for fields in SELECTIONS]
        for number, name in cases:
            assert _outcome(ANALYSES[name], views[number]) == alone[number, name], (SELECTIONS[number], name)


@pytest.mark.parametrize("n_threads", [2])
def test_views_in_threads_give_what_each_gives_alone(
    track: Path, alone: Mapping[tuple[int, str], Any], n_threads: int
) -> None:
    """Each view is used by several threads; an open store is opened again by them."""
    cases = [*_cases()]
    random.Random(n_threads).shuffle(cases)
    with Store.open(track) as store:
        views = [open_collection(store).select(**fields) for fields in SELECTIONS]
        with ThreadPoolExecutor(n_threads) as threads:
            outcomes = threads.map(lambda case: _outcome(ANALYSES[case[1]], views[case[0]]), cases)
            for case, outcome in zip(cases, outcomes, strict=True):
                assert outcome == alone[case], case


def test_steps_of_two_readings_side_by_side(track: Path) -> None:
    """Runs that are read in parts, one part of each view after the other."""
    some = open_collection(track).select(topics="dev"), open_collection(track).select(topics="test")
    parts = [list(view.runs.parts()) for view in some]
    both = [view.runs.parts() for view in (open_collection(track).select(**SELECTIONS[n]) for n in (1, 2))]
    for steps, own in zip(zip(*both, strict=True), zip(*parts, strict=True), strict=True):
        for one, other in zip(steps, own, strict=True):
            assert (one.tags, one.topic.tolist(), one.document.tolist()) == (
                other.tags, other.topic.tolist(), other.document.tolist()
            )  # fmt: skip


@pytest.mark.parametrize("fields", SELECTIONS)
def test_a_view_is_its_options(track: Path, fields: Mapping[str, Any]) -> None:
    view = open_collection(track).select(**fields)
    for function, options in ((cranfield.evaluate, {"measures": "AP", "per_topic": True}), (cranfield.curve, {})):
        if function is cranfield.evaluate or "release" not in fields:
            assert _outcome(function, view, **options) == _outcome(function, track, **options, **fields)


def test_a_view_of_files_and_of_objects(track: Path, tmp_path: Path) -> None:
    qrels, runs, dev = tmp_path / "qrels.txt", tmp_path / "runs", tmp_path / "dev.txt"
    with Store.open(track) as store:
        table = cranfield.read_qrels(store)
        rows = cranfield.read_runs(store)
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in table[["query_id", "doc_id", "relevance"]].values))
    runs.mkdir()
    for tag, own in rows.groupby("run"):
        lines = own[["query_id", "doc_id", "score"]].values
        (runs / f"{tag}.run".replace("/", "-")).write_text("".join(f"{q} Q0 {d} 1 {s} {tag}\n" for q, d, s in lines))
    dev.write_text("\n".join(QIDS[:7]))
    expected = cranfield.evaluate(qrels, runs, measures="AP", topics=str(dev), per_topic=True).frame
    for collection in (open_collection(qrels, runs), open_collection(table, rows)):
        view = collection.select(topics=str(dev))
        found = cranfield.evaluate(view, measures="AP", per_topic=True).frame
        assert found.sort_values(["run", "query_id"]).values.tolist() == (
            expected.sort_values(["run", "query_id"]).values.tolist()
        )
        assert view.left_out.others == {"topics not in dev.txt": 5, "topics of dev.txt that nobody judged": 1}
        assert cranfield.curve(view).frame.equals(cranfield.curve(collection.select(topics=str(dev))).frame)


def test_a_view_is_read_once_and_repeats_its_notes(track: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = open_collection(track).select()
    heard = []
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cranfield.curve(view)
        heard.append([str(one.message) for one in caught])
    assert heard[0] == heard[1] == [*view.notes]
    assert view.left_out.line == "left out: 1 run (c: wrong index), 1 topic (not a topic)"
    assert view.runs is view.runs
    monkeypatch.setattr("cranfield.view.read_source", None)  # is not called again
    assert cranfield.curve(view).frame.equals(cranfield.curve(view).frame)


def test_a_view_can_be_pickled_and_copied(track: Path) -> None:
    with Store.open(track) as store:
        view = open_collection(store).select(topics="dev")
        again = pickle.loads(pickle.dumps(view))
    assert again.selection == view.selection == Selection(topics="dev")
    assert cranfield.curve(again).frame.equals(cranfield.curve(copy.copy(again)).frame)
    with Store.memory("gone") as store, pytest.raises(cranfield.CranfieldError, match="cannot be pickled"):
        pickle.dumps(open_collection(store).select())


@pytest.mark.parametrize("fields", [{"assessor": "ada"}, {"labels": "models"}, {"policy": "max", "topics": "dev"}])
def test_judgments_of_a_view_are_those_that_count(track: Path, fields: Mapping[str, str]) -> None:
    view = open_collection(track).select(**fields)  # type: ignore[arg-type]
    table = cranfield.read_qrels(view)
    labels = {name: value for name, value in fields.items() if name != "topics"}
    expected = cranfield.read_qrels(track, **labels)  # type: ignore[arg-type]
    topics = QIDS[:7] if "topics" in fields else QIDS
    assert table.values.tolist() == expected[expected["query_id"].isin(topics)].values.tolist()
    assert table.values.tolist() != cranfield.read_qrels(track).values.tolist()
    scores = cranfield.evaluate(view, measures="AP").frame.set_index("run")["value"]
    one = cranfield.read_runs(view).query("run == 'a'")
    assert cranfield.Evaluator(view, "AP").evaluate(one)["AP"] == pytest.approx(scores["a"])
    with pytest.raises(InputError, match="the view decides whose labels count; select assessor with the"):
        cranfield.read_qrels(view, assessor="bob")


def test_a_view_without_documents_of_the_topics_id() -> None:
    """Its runs and its judgments lack them, each by itself."""
    runs, qrels = {"a": {"q1": {"q1": 2.0, "d1": 1.0}}}, {"q1": {"q1": 1, "d1": 1}}
    with Store.memory("own ids") as store:
        cranfield.store.import_runs(store, runs)
        cranfield.store.import_qrels(store, qrels)
        for collection in (open_collection(store), open_collection(qrels, runs)):
            view = collection.select(ignore_own_id=True)
            assert cranfield.read_runs(view)["doc_id"].tolist() == ["d1"]
            assert cranfield.read_qrels(view)["doc_id"].tolist() == ["d1"]


def test_functions_of_stores_refuse_what_they_do_not_read_of_a_view(track: Path) -> None:
    collection = open_collection(track)
    for act, fields in (
        (cranfield.judging.progress, {"assessor": "ada"}),
        (cranfield.pooling.summarize_pool, {"pool": 1}),
        (cranfield.pooling.pool_runs, {"labels": "people"}),
        (cranfield.pooling.list_unjudged, {"policy": "max"}),
        (lambda view: cranfield.judging.compare_judgments(view, "primary", "min"), {"assessor": "ada"}),
    ):
        with pytest.raises(InputError, match=f"does not support {next(iter(fields))}; select a view without it"):
            act(collection.select(**fields))  # type: ignore[arg-type]
    assert len(cranfield.judging.progress(collection.select(topics="dev")).frame)  # type: ignore[arg-type]


def test_the_pool_of_a_view() -> None:
    ranking = {"q1": {"d1": 2.0, "d2": 1.0}}
    with Store.memory("pools") as store:
        cranfield.store.import_runs(store, {"a": ranking})
        for depth in (1, 2):
            cranfield.pooling.build_pool(store, depth=depth)
        views = [open_collection(store).select(pool=number) for number in (1, 2)]
        assert [len(cranfield.pooling.pool_runs(view).rows()) for view in views] == [1, 2]
        with pytest.raises(InputError, match="does not take pool; select it with the view"):
            cranfield.pooling.pool_runs(views[0], number=2)
    view = open_collection({"q1": {"d1": 1}}, {"a": ranking}).select()
    assert len(cranfield.pooling.pool_runs(view, depth=1).rows()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"assessor": "adda"}, "no assessor 'adda' in this store; did you mean ada?"),
        ({"assessor": "ada", "labels": "models"}, "'ada' is not a model; labels excludes them"),
        ({"release": "1.1"}, "no release '1.1' in this store; did you mean 1.0?"),
        ({"topics": "dex"}, "no topic set and no file 'dex'; did you mean dev?"),
        ({"round": "9"}, "no round '9' in this store; available: 1, 2"),
        ({"pool": 99}, "no pool 99 in this store; its pools are"),
        ({"policy": "mim"}, "'mim' is not a policy"),
    ],
)
def test_names_are_checked_where_they_are_selected(track: Path, options: dict[str, Any], message: str) -> None:
    """Of a store, open or by its path; without reading its runs or judgments."""
    with pytest.raises((InputError, StoreError), match=re.escape(message)):
        open_collection(track).select(**options)
    with Store.open(track) as store, pytest.raises((InputError, StoreError), match=re.escape(message)):
        open_collection(store).select(**options)
    assert "not read yet" in repr(open_collection(track).select(topics="dev", assessor="ada"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"assessor": "ada"}, "assessor applies only to a store's judgments"),
        ({"release": "1.0"}, "a dict has no release '1.0'; only a store has releases"),
        ({"topics": "dev"}, "dev: no such file; only a store contains named topic sets"),
        ({"round": "2"}, "round and judged need a store; with files, remove earlier"),
        ({"pool": 1}, "pool is 1, but only a store contains pools"),
        ({"remove_judged": "nowhere"}, "nowhere: no such file"),
    ],
)
def test_only_a_store_has_names(options: dict[str, Any], message: str) -> None:
    collection = open_collection({"q": {"d1": 1}}, {"a": {"q": {"d1": 2.0}}})
    with pytest.raises(InputError, match=re.escape(message)):
        collection.select(**options)


def test_a_view_is_shown_in_a_line(track: Path) -> None:
    """The place, what is selected, and how much there is once it was read."""
    collection = open_collection(track)
    assert repr(collection) == f"<OpenCollection of {track}>"
    view = collection.select(topics="dev", assessor="ada")
    assert repr(view) == f"<View of {track}, topics='dev', assessor='ada': not read yet>"
    runs, topics = len(view.runs.tags), len(view.qrels.judged_topics)
    assert repr(view) == f"<View of {track}, topics='dev', assessor='ada': {runs} runs, {topics} judged topics>"
    objects = open_collection({"q": {"d1": 1}}, {"a": {"q": {"d1": 2.0}}}).select()
    cranfield.evaluate(objects, measures="AP")
    assert repr(objects) == "<View of a dict and a dict: 1 run, 1 judged topic>"


def test_wrong_use(track: Path) -> None:
    view = open_collection(track).select(topics="dev", assessor="ada", pool=1)
    with pytest.raises(
        InputError, match="a view already has its runs; expected no further runs, and measures as measures="
    ):
        cranfield.evaluate(view, "AP")
    with pytest.raises(InputError, match=r"evaluate\(\) does not support pool; select a view without it"):
        cranfield.evaluate(view, measures="AP")
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'topic'; did you mean topics\?"):
        open_collection(track).select(topic="dev")  # type: ignore[call-arg]
    with pytest.raises(InputError, match="labels is 'robots'; expected people, models or all"):
        open_collection(track).select(labels="robots")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="found a Selection and keywords; expected one of them"):
        open_collection(track).select(Selection(pool=1), topics="dev")
    with pytest.raises(InputError, match="does not take assessor; select it with the view"):
        cranfield.evaluate(open_collection(track).select(), measures="AP", assessor="ada")
    with pytest.raises(
        InputError, match="topics='test' cannot be combined with a view; choose it when you make the view"
    ):
        cranfield.evaluate(open_collection(track).select(topics="dev"), measures="AP", topics="test")
    with pytest.raises(InputError, match="no runs were given"):
        open_collection({"q": {"d": 1}})
    with pytest.raises(InputError, match="no such file"):
        open_collection("nowhere.db")
    with pytest.raises(InputError, match="selection is 'dev'; expected a Selection"):
        open_collection(track).select("dev")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="round is 1; expected a text"):
        open_collection(track).select(round=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="found a View; expected a store, files or objects"):
        open_collection(view)
    with pytest.raises(InputError, match=r"found an open collection; expected a View, which its \.select\(\)"):
        open_collection(open_collection(track))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"found an open collection; expected a View, which its \.select\(\)"):
        cranfield.evaluate(open_collection(track))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="judged='own' needs a round; name it with round=NAME"):
        open_collection(track).select(judged="own")
    with pytest.raises(InputError, match=r"topics is \['1'\]; expected the name of a topic set \(cranfield\.topics"):
        open_collection(track).select(topics=["1"])  # type: ignore[arg-type]
    objects = open_collection({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}})
    with pytest.raises(InputError, match=r"a dict has no release '1\.0'; only a store has releases"):
        cranfield.evaluate(objects.select(release="1.0"), measures="AP")
    with pytest.raises(cranfield.CranfieldError, match="no release '9'"):
        cranfield.evaluate(open_collection(track, {"a": {"q1": {"d": 1.0}}}).select(release="9"), measures="AP")
    selection = Selection(topics="dev", labellers=Labellers("ada"))
    assert open_collection(track).select(topics="dev", assessor="ada").selection == selection
    assert open_collection(track).select(selection).selection == selection


def test_all_and_common_topics_are_no_sets(track: Path) -> None:
    """Which topics are common depends on the runs of a call."""
    everything = open_collection(track).select(topics="all")
    assert everything.selection == Selection()
    with pytest.raises(InputError, match=r"topics is 'common'; expected a topic set; pass topics='common'"):
        open_collection(track).select(topics="common")
    assert len(cranfield.evaluate(everything, measures="AP", topics="common").frame)


def test_judgments_of_a_store_with_other_runs_are_selected(track: Path, tmp_path: Path) -> None:
    """A view of both gives what the function gives, and has the scale of the store."""
    runs = {tag: {qid: {"d1": 2.0, "d2": 1.0} for qid in QIDS} for tag in ("x", "y")}
    (tmp_path / "dev.txt").write_text("\n".join(QIDS[:7]))
    for topics in ("", "dev", str(tmp_path / "dev.txt")):
        with warnings.catch_warnings(action="ignore"):
            expected = cranfield.evaluate(track, runs, measures="AP", per_topic=True, topics=topics or "all").frame
            view = open_collection(track, runs).select(topics=topics)
            found = cranfield.evaluate(view, measures="AP", per_topic=True).frame
        assert found.equals(expected)
        assert {*found["query_id"]} <= {*(QIDS[:7] if topics else QIDS)}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The places of which it was asked whether they are stores."""
    places, is_store = list[str](), reading_module.is_store

    def noted(place: Place) -> bool:
        places.append(str(place))
        return is_store(place)

    for module in (reading_module, view_module):
        monkeypatch.setattr(module, "is_store", noted)
    return places


@pytest.mark.parametrize("command", ["evaluate", "compare", "curve", "reusability", "depths", "stability"])
def test_a_command_asks_once_whether_it_has_a_store(
    command: str, track: Path, tmp_path: Path, asked: list[str], cranfield: Cranfield
) -> None:
    qrels, runs = tmp_path / "qrels", tmp_path / "runs"
    cranfield.out("export", "qrels", track, qrels)
    cranfield.out("export", "runs", track, runs)
    for files in ([track], [qrels, runs]):
        asked.clear()
        cranfield.out(command, *files)
        assert asked == [str(files[0])]


def test_what_a_view_shows_of_itself(track: Path) -> None:
    view = open_collection(track).select(round="1")
    assert repr(view.runs) == f"UnreadRuns({len(view.runs.tags)} runs)"


def test_a_closed_store_is_refused(track: Path) -> None:
    with Store.open(track) as store:
        view = open_collection(store).select()
    remedy = re.escape(f"{track}: this store is closed; open it again with Store.open('{track}')")
    for act in (
        lambda: view.runs,
        lambda: cranfield.evaluate(view, measures="AP").frame,
        lambda: cranfield.curve(store).frame,
    ):
        with pytest.raises(StoreError, match=remedy):
            act()


def test_a_release_is_named_once(track: Path) -> None:
    released = f"{track}@1.0"
    expected = _outcome(cranfield.curve, open_collection(track).select(release="1.0"))
    with Store.open(released) as store:
        again = pickle.loads(pickle.dumps(open_collection(store).select(release="1.0")))
    for view in (open_collection(released).select(release="1.0"), again):
        assert _outcome(cranfield.curve, view) == expected
    message = re.escape(f"{released}: a release contains no releases, such as '2.0'; expected the path of the store")
    with pytest.raises(StoreError, match=message):
        cranfield.evaluate(released, release="2.0")


def test_agreement_of_files_on_some_topics(tmp_path: Path) -> None:
    for name, grades in {"ada": (1, 0, 1, 1), "bob": (1, 1, 1, 0)}.items():
        (tmp_path / name).write_text("".join(f"q{n} 0 d 1\nq{n} 0 e {g}\n" for n, g in enumerate(grades)))
    (tmp_path / "dev").write_text("q0\nq2\n")
    files = [tmp_path / "ada", tmp_path / "bob"]
    names = ["raw agreement"]
    whole = cranfield.judging.measure_agreement(files, coefficients=names)
    some = cranfield.judging.measure_agreement(files, coefficients=names, topics=str(tmp_path / "dev"))
    assert (whole.rows()[0]["value"], some.rows()[0]["value"]) == (0.75, 1)


def test_rows_of_an_iterator_are_read_once() -> None:
    """Each selection has all rows."""
    collection = open_collection(
        iter([("q", "d1", 1)]), iter([{"run": "a", "query_id": "q", "doc_id": "d1", "score": 1.0}])
    )
    assert [collection.select().qrels.grade.tolist() for _ in range(2)] == [[1], [1]]
    assert [collection.select().runs.tags for _ in range(2)] == [("a",), ("a",)]
