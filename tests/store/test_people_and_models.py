"""People's labels and models', apart: in the store's views, and in every command that uses labels."""

import json
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.judging.labels.pairs import ADJUDICATION
from cranfield.judging.labels.policies import apply_policy
from cranfield.metrics.inputs import as_qrels
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import add_pool
from cranfield.store.qrels import import_qrels, labels_that_count, qrels_of
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.cases import pool_of, store_of
from tests.stores import filled

pytestmark = pytest.mark.full

POOLED = {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d2", "d3"]}
RUNS = {
    "x": {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d1": 3.0, "d2": 2.0, "d3": 1.0}},
    "y": {"q1": {"d3": 3.0, "d2": 2.0, "d1": 1.0}, "q2": {"d3": 3.0, "d1": 2.0, "d2": 1.0}},
}
ADA = {("q1", "d1"): 1, ("q1", "d2"): 0, ("q2", "d1"): 1, ("q2", "d2"): 0}
LLM = {(qid, docno): int(docno == "d3") for qid, docnos in POOLED.items() for docno in docnos}


def labelled(path: Path) -> Path:
    """A store of which a person labelled four pairs, and a model all six, otherwise."""
    filled(store_of(POOLED, path), people=["ada"], models=["llm"], runs=RUNS, labels={"ada": ADA, "llm": LLM}).close()
    return path


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """The store as a file."""
    return labelled(tmp_path / "track.db")


def grades(store: Store, whose: LabelledBy) -> dict[tuple[str, str], int]:
    qrels = qrels_of(store, Labellers(kind=whose))
    names = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
    return dict(zip(zip(*names, strict=True), qrels.grade.tolist(), strict=True))


def test_labels_of_people_of_models_and_of_both(track: Path) -> None:
    """Asked for apart each side has its own; together a model's counts where nobody else labelled. So do policies."""
    with Store.open(track) as store:
        assert grades(store, LabelledBy.people) == ADA
        assert grades(store, LabelledBy.models) == LLM
        assert grades(store, LabelledBy.all) == LLM | ADA
        assert labels_that_count(store).by_model.tolist() == [False, False, True] * 2
        for whose in LabelledBy:
            for policy in ("primary", "median-low", "max"):
                assert apply_policy(store, rule=policy, whose=whose).labels == grades(store, whose)
        with pytest.raises(StoreError, match="'ada' is not a model"):
            qrels_of(store, Labellers("ada", LabelledBy.models))
        with pytest.raises(StoreError, match="'llm' is not a person"):
            apply_policy(store, names=["ada", "llm"], whose=LabelledBy.people)


def test_an_adjudication_that_nothing_can_be_judged_is_whose_it_is(track: Path) -> None:
    """A person's settles the pair for people and for all, not for the models alone."""
    with Store.open(track) as store:
        append(store, Event("cannot-judge", "q1", "d1", "ada", reason="torn", source=ADJUDICATION))
        pair = ("q1", "d1")
        assert [pair in grades(store, whose) for whose in LabelledBy] == [False, True, False]


MEASURED = [
    ("evaluate", "-m", "AP"),
    ("compare", "-m", "AP"),
    ("curve",),
    ("stability",),
    ("correlate", "-m", "AP", "-m", "P@1"),
    ("reusability", "-m", "AP"),
    ("depths", "-m", "AP"),
    ("rehearse", "--repeats", "1", "--overlap", "1"),
]


@pytest.mark.parametrize("command", MEASURED, ids=lambda command: command[0])
def test_every_analysis_of_a_store_asks_whose_labels_and_says_whose(
    cranfield: Cranfield, track: Path, command: tuple[str, ...]
) -> None:
    """What it tells of people's labels is another thing than what it tells of a model's."""
    outputs = {}
    for option, line in (
        (
            (),
            "note: 2 of 6 labels are by models, for documents that no person has labelled; to leave them out, use"
            " --labels people",
        ),
        (("--labels", "people"), "note: 4 labels, all by people"),
        (("--labels", "models"), "note: 6 labels, all by models"),
    ):
        output = cranfield(command[0], track, *command[1:], *option)
        assert output.code == 0, output.err
        assert line in output.err
        outputs[option] = output.out
    assert outputs["--labels", "people"] != outputs["--labels", "models"]


def test_clinic_and_report_say_whose_labels_they_used(cranfield: Cranfield, track: Path, tmp_path: Path) -> None:
    """The report's page says so, too, and names the option in its command."""
    assert "note: 4 labels, all by people" in cranfield("diagnose", track, "x", "--labels", "people").err
    page = tmp_path / "page.html"
    assert "note: 6 labels, all by models" in cranfield("report", track, page, "--labels", "models").err
    assert "6 labels, all by models" in page.read_text()
    assert "--labels models" in page.read_text()


def test_people_alone_are_not_remarked_on(cranfield: Cranfield, tmp_path: Path) -> None:
    """Where no model labelled there is nothing to say, unless somebody asks; and no labels of models are an error."""
    path = tmp_path / "people.db"
    filled(store_of(POOLED, path), runs=RUNS, labels={"ada": ADA}).close()
    partly = "note: 2 topics are judged in part: q1, q2; `cranfield topics hardness` lists them\n"
    assert cranfield("evaluate", path).err == partly
    assert cranfield("evaluate", path, "--labels", "people").err == f"note: 4 labels, all by people\n{partly}"
    none = f"{path}: there are no judgments of models in this store yet"
    assert cranfield.error("evaluate", path, "--labels", "models") == none


def test_files_do_not_tell_whose_labels_they_have(cranfield: Cranfield, tmp_path: Path) -> None:
    """So asking is refused, not ignored."""
    qrels, run = tmp_path / "qrels", tmp_path / "a.run"
    qrels.write_text("q1 0 d1 1\n")
    run.write_text("q1 Q0 d1 1 1.0 a\n")
    for option, value in (("--labels", "people"), ("--assessor", "ada")):
        output = cranfield("evaluate", qrels, run, option, value)
        message = f"error: {qrels}: {option} needs a store; files do not record who assigned the labels\n"
        assert (output.code, output.err) == (1, message)


def test_exports_say_whose_labels_they_wrote(cranfield: Cranfield, track: Path, tmp_path: Path) -> None:
    """Qrels and BEIR folders alike; the manifest keeps it."""
    out = tmp_path / "out.qrels"
    for labels, grades, models in (("people", ADA, "left out"), ("models", LLM, "alone")):
        output = cranfield("export", "qrels", track, out, "--labels", labels)
        assert output.err == f"note: {len(grades)} labels, all by {labels}\n"
        lines = [f"{qid} 0 {docno} {grade}" for (qid, docno), grade in sorted(grades.items())]
        assert out.read_text().splitlines() == lines
        assert json.loads((tmp_path / "out.qrels.manifest.json").read_text())["models"] == models
    assert "2 of 6 labels are by models" in cranfield("export", "qrels", track, out).err
    output = cranfield("export", "beir", track, tmp_path / "beir", "--labels", "people")
    assert output.err == "note: 4 labels, all by people\n"
    tables = [path.read_text().splitlines() for path in (tmp_path / "beir").rglob("*.tsv")]
    assert [len(lines) - 1 for lines in tables] == [4]


def test_info_and_pool_show_say_how_many_are_a_models(cranfield: Cranfield, track: Path) -> None:
    """By topic as well; where there are none, no column says so."""
    assert json.loads(cranfield("info", track, "--format", "json").out)["qrels_by_models"] == 2
    output = cranfield("pool", "show", track)
    assert "6 documents, 2 judged only by models, 0 to judge" in output.out
    rows = json.loads(cranfield("pool", "show", track, "--format", "json").out)
    assert [(row["topic"], row["judged"], row["by models"]) for row in rows] == [
        ("q1", 3, 1), ("q2", 3, 1), ("all", 6, 2)
    ]  # fmt: skip


def test_the_pool_that_is_meant_can_be_told(cranfield: Cranfield, track: Path, tmp_path: Path) -> None:
    """Wherever a store's pool is meant; one that is not there is named beside those that are."""
    of_stores: tuple[tuple[object, ...], ...] = (
        ("reusability", track), ("depths", track), ("export", "qrels", track, tmp_path / "q"), ("diagnose", track, "x"),
        ("report", track, tmp_path / "page.html"), ("pool", "verify", track), ("pool", "forecast", track),
        ("pool", "simulate", track, "--method", "rrf", "--budgets", "2", "--workers", "1"),
    )  # fmt: skip
    for command in of_stores:
        assert cranfield(*command, "--pool", 1).code == 0
        output = cranfield(*command, "--pool", 7)
        assert (output.code, output.err.splitlines()[-1]) == (1, "error: no pool 7 in this store; its pools are 1")


def test_two_pools_are_compared_by_the_labels_asked_for(cranfield: Cranfield, track: Path) -> None:
    """What a pool of its own would have found, by people's labels or by a model's."""
    with Store.open(track) as store:
        add_pool(store, pool_of({"q1": ["d1"]}))
    output = cranfield("pool", "diff", track, 1, 2, "--format", "json")
    assert "note: 2 of 6 labels are by models" in output.err
    assert json.loads(output.out)[-1]["judged only in 1"] == 5
    people = cranfield("pool", "diff", track, 1, 2, "--labels", "people", "--format", "json")
    assert json.loads(people.out)[-1]["judged only in 1"] == 3


def test_the_report_is_of_the_pool_asked_for(cranfield: Cranfield, track: Path, tmp_path: Path) -> None:
    """What it says of the pool, and the command that makes it again."""
    with Store.open(track) as store:
        add_pool(store, pool_of({"q1": ["d1"]}))
    page = tmp_path / "page.html"
    for number, documents in ((1, "6 for 2 topics"), (2, "1 for 1 topic")):
        assert cranfield("report", track, page, "--pool", number).code == 0
        assert documents in page.read_text()
        assert f"--pool {number}" in page.read_text()


@pytest.mark.parametrize("name", ["", " ", "ada "])
@pytest.mark.parametrize("kind", ["human", "model", "import"])
def test_a_name_that_is_none_is_refused(name: str, kind: str) -> None:
    """As of judgments that are imported: nobody could name whose they are."""
    with Store.memory("names") as store, pytest.raises(StoreError, match="not a valid assessor name: "):
        import_qrels(store, as_qrels({"q1": {"d1": 1}}), name, kind)
