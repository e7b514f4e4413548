"""The command agreement: stores and files, everybody, pairs and topics; and real labels as assessors of a store."""

import json
from pathlib import Path

import pytest

import cranfield as package
from cranfield.errors import CranfieldWarning
from cranfield.formats import Topic, read_qrels
from cranfield.judging.agreement import AGREEMENTS
from cranfield.judging.agreement.agreement import agreement_by_pair, matrix_of_qrels
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.cases import at, session_of, store_of
from tests.stores import filled

A = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\n"
B = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d1 7\n"


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two qrels files; the second has a label that is not on the scale 0, 1, 2."""
    (tmp_path / "a.qrels").write_text(A)
    (tmp_path / "b.qrels").write_text(B)
    return tmp_path / "a.qrels", tmp_path / "b.qrels"


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """Ada and Bob on two topics; Cy calls everything relevant; Eve adjudicates."""
    path = tmp_path / "track.db"
    with store_of({"q1": ["d1", "d2", "d3"], "q2": ["d4"]}, path) as store:
        for name, grades in {"ada": [0, 1, 2, 0], "bob": [0, 0, 2, 1], "cy": [1, 1, 1, 1]}.items():
            session = session_of(store, name)
            for grade in grades:
                at(session).grade(grade)
        add_assessor(store, "eve")
        append(store, Event("adjudicate", "q1", "d2", "eve", grade=1))
    return path


def test_everybody(track: Path, cranfield: Cranfield) -> None:
    """A row a coefficient, with interval and reading, and the words on overlap and on who is constant."""
    result = cranfield("agreement", track)
    assert result.code == 0, result.err
    assert result.out.startswith("ada, bob, cy: 4 documents with at least two labels, on 2 topics\n")
    assert "Overlap is not kappa" in result.out
    assert "Kappa and alpha are not informative for assessors who gave every document the same grade: cy." in result.out
    assert "Cohen" not in result.out  # it is of two
    assert "eve" not in result.out.split(":")[0]  # who adjudicates has seen the labels


def test_single_labels_in_chance_agreement_are_noted(tmp_path: Path, cranfield: Cranfield) -> None:
    """Documents with one label count for the shares of grades in some coefficients, whose other value is noted."""
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\nq1 0 d2 1\nq1 0 d3 1\nq1 0 d4 1\n")
    (tmp_path / "b.qrels").write_text("q1 0 d1 0\n")
    files = [tmp_path / "a.qrels", tmp_path / "b.qrels"]
    noted = " ".join(cranfield("agreement", *files, "--format", "json").err.split())
    assert "3 of the 4 labelled documents have one label and count in the chance agreement of Fleiss kappa," in noted
    assert "Gwet AC1 and Gwet AC2 quadratic. Without these documents, the values are -1.00, -1.00 and -1.00" in noted
    assert "Krippendorff alpha does not depend on these documents" in noted
    by_pair = " ".join(cranfield("agreement", *files, "--by", "pair").err.split())
    assert "3 of the 4 labelled documents of a.qrels and b.qrels have one label" in by_pair
    unaffected = cranfield("agreement", *files, "--coefficient", "Krippendorff alpha nominal")
    assert "one label" not in unaffected.err
    labels = {path.stem: package.read_qrels(path) for path in files}
    with pytest.warns(CranfieldWarning, match="3 of the 4 labelled documents"):
        result = package.judging.measure_agreement(labels)
    assert any("3 of the 4 labelled documents" in line for line in result.notes)


def test_one_qrels_file_is_refused(two: tuple[Path, Path], cranfield: Cranfield) -> None:
    """It is no damaged store."""
    refused = cranfield("agreement", two[0])
    assert (
        refused.err
        == f"error: {two[0]}: there is only one qrels file; agreement needs two or more qrels files, or a store\n"
    )


def test_two_of_them(track: Path, cranfield: Cranfield) -> None:
    """Named assessors alone; then Cohen's kappa is there."""
    result = cranfield("agreement", track, "--assessor", "ada", "--assessor", "bob", "--format", "json")
    rows = {row["coefficient"]: row for row in json.loads(result.out)}
    assert list(rows) == list(AGREEMENTS)
    assert rows["raw agreement"]["value"] == 0.5
    assert rows["overlap"]["value"] == pytest.approx(1 / 3)
    assert rows["overlap"]["assessors"] == ["ada", "bob"]
    assert (rows["overlap"]["low"], rows["overlap"]["no_interval"]) == (None, "2 topics are too few")


def test_two_topics_have_no_interval(track: Path, cranfield: Cranfield) -> None:
    """Which is said once, with the reason; with --resamples 0 nobody asked, and there are no columns for it."""
    output = cranfield("agreement", track)
    assert "No interval: 2 topics are too few.\n" in output.out
    assert output.out.splitlines()[2].split()[-1] != "undefined"
    plain = cranfield("agreement", track, "--resamples", 0)
    assert plain.out.splitlines()[1].split()[:3] == ["coefficient", "value", "reading"]
    assert "No interval" not in plain.out
    assert "undefined" not in plain.out.split("\n\n")[0]
    csv = cranfield("agreement", track, "--format", "csv").out
    assert csv.splitlines()[1].startswith(f"raw agreement,{1 / 3},,,2 topics are too few,")
    assert cranfield("agreement", track, "--resamples", 7).code == 2


def test_by_pair_and_undefined(track: Path, cranfield: Cranfield) -> None:
    """A row a pair; what is undefined is said in words for people, and null for programs."""
    result = cranfield("agreement", track, "--by", "pair", "--binary")
    lines = result.out.splitlines()
    assert [line.split()[:2] for line in lines[2:5]] == [["ada", "bob"], ["ada", "cy"], ["bob", "cy"]]
    alone = cranfield("agreement", track, "--by", "pair", "--assessor", "cy", "--assessor", "ada", "--format", "json")
    assert len(json.loads(alone.out)) == len(AGREEMENTS)


def test_a_table_of_pairs_fits_a_screen(track: Path, cranfield: Cranfield) -> None:
    """80 columns for names of eight letters; the headings are explained, and programs get the whole names."""
    result = cranfield("agreement", track, "--by", "pair")
    lines = result.out.splitlines()
    assert lines[1].split() == ["assessor", "and", "documents", "raw", "overlap", "relevant", "kappa", "alpha", "AC1"]
    assert max(map(len, lines[1:5])) <= 80 - (8 - len("bob"))
    assert (
        "raw: raw agreement; relevant: prevalence; kappa: Cohen kappa; alpha: Krippendorff alpha ordinal" in result.out
    )
    csv = cranfield("agreement", track, "--by", "pair", "--format", "csv").out
    assert csv.startswith("assessor,and,documents,raw agreement,overlap,prevalence,Cohen kappa,")
    assert "raw: " not in cranfield("agreement", track).out


def test_models_are_told_from_people(track: Path, cranfield: Cranfield) -> None:
    """A number over people and machines is not one of how far people agree."""
    assert "models" not in cranfield("agreement", track).out
    filled(Store.open(track), models=["gpt"], labels={"gpt": {("q1", "d1"): 1}}).close()
    assert (
        "Models among these assessors: gpt (to choose assessors, use --assessor NAME"
        in cranfield("agreement", track).out
    )


def test_by_topic(track: Path, cranfield: Cranfield) -> None:
    """A row a topic; on q2 nobody gave two grades alike but cy, so that much is undefined."""
    pair = ("--assessor", "ada", "--assessor", "bob", "--by", "topic")
    result = cranfield("agreement", track, *pair)
    assert [line.split()[0] for line in result.out.splitlines()[1:4]] == ["topic", "q1", "q2"]
    rows = json.loads(cranfield("agreement", track, *pair, "--format", "json").out)
    assert all(row["low"] is None for row in rows)
    csv = cranfield("agreement", track, *pair, "--format", "csv", "--coefficient", "Cohen kappa").out
    assert csv.splitlines()[0] == "topic,documents,Cohen kappa"


def test_constant_assessors_are_undefined(tmp_path: Path, cranfield: Cranfield) -> None:
    """The word, not a number, where two files have one grade and the same."""
    for name in ("x", "y"):
        (tmp_path / name).write_text("q1 0 d1 1\nq1 0 d2 1\n")
    result = cranfield("agreement", tmp_path / "x", tmp_path / "y", "--by", "pair")
    row = result.out.splitlines()[2].split()
    assert row[:6] == ["x", "y", "2", "1.0000", "1.0000", "1.0000"]
    assert row[6:] == ["undefined"] * 3


def test_files(two: tuple[Path, Path], cranfield: Cranfield) -> None:
    """Qrels files are assessors too; labels off the scale are left out, and that is said."""
    result = cranfield("agreement", *two, "--scale", "0,1,2")
    assert "a.qrels, b.qrels: 3 documents with at least two labels, on 1 topic" in result.out
    assert "The labels by b.qrels outside the scale are left out: 7 (1x)" in result.out
    assert "4 documents" in cranfield("agreement", *two).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.qrels"], "only one qrels file"),
        (["a.qrels", "b.qrels", "--assessor", "eve"], "unknown assessor 'eve'; available: "),
        (["a.qrels", "b.qrels", "--assessor", "a.qrels"], "there is only one assessor (a.qrels"),
        (["a.qrels", "b.qrels", "--coefficient", "kapa"], "unknown coefficient 'kapa'; available: "),
        (["a.qrels", "other"], "no document was labelled by two of these assessors"),
        (["track.db", "a.qrels"], "found a file after the store; expected only the store"),
        (["track.db", "--assessor", "eve"], "there is only one assessor (eve"),
        (["track.db", "--assessor", "zoe"], "no assessor 'zoe'"),
        (
            ["track.db", "--coefficient", "Cohen kappa"],
            "Cohen kappa is defined for two assessors, not 3; compute it by pair",
        ),
    ],
)
def test_what_is_wrong(
    two: tuple[Path, Path], track: Path, arguments: list[str], *, message: str, cranfield: Cranfield,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """One line each."""
    monkeypatch.chdir(track.parent)
    (track.parent / "other").write_text("q9 0 d9 1\n")
    assert message in cranfield.error("agreement", *arguments)


def test_a_wrong_scale_is_wrong_usage(two: tuple[Path, Path], cranfield: Cranfield) -> None:
    """As a wrong option is."""
    assert cranfield("agreement", *two, "--scale", "low,high").code == 2


def test_somebody_with_herself() -> None:
    """Documents shown twice are kept under a name that counts only where it is asked for."""
    store = store_of({"q1": ["d1", "d2"]})
    store.db.execute("INSERT INTO assessor (name, kind) VALUES ('ada', 'human')")
    store.db.execute("INSERT INTO assessor (name, kind, repeats) VALUES ('ada (repeat)', 'human', 1)")
    for name, grades in {"ada": (0, 1), "ada (repeat)": (0, 2)}.items():
        for docno, grade in zip(("d1", "d2"), grades, strict=True):
            append(store, Event("label", "q1", docno, name, grade=grade))
    assert matrix_of_store(store).assessors == ("ada",)
    assert matrix_of_store(store, ["ada", "ada (repeat)"]).grades.tolist() == [[0, 0], [1, 2]]


def test_a_panel_is_nobody_of_its_own(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its labels are made of those of its judges, so it counts only where it is named; that is said."""
    path = tmp_path / "t.db"
    with Store.create(path, "three") as store, store.writing():
        store.add_topics([Topic("q1", "lift")])
        store.ensure_docnos(["d1", "d2"])
        for name, kind in {"m": "model", "n": "model", "both": "panel"}.items():
            add_assessor(store, name, kind)
            append(store, *(Event("label", "q1", docno, name, grade=1) for docno in ("d1", "d2")))
    left_out = (
        "note: panels are left out, because they combine other assessors' labels: both; --assessor NAME compares them\n"
    )
    output = cranfield("agreement", path, "--format", "json")
    assert (json.loads(output.out)[0]["assessors"], output.err) == (["m", "n"], left_out)
    output = cranfield("agreement", path, "--assessor", "m", "--assessor", "both", "--format", "json")
    assert (json.loads(output.out)[0]["assessors"], output.err) == (["m", "both"], "")


@pytest.mark.daily
def test_real_labels_as_assessors_of_a_store(shared: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Human and model labels come in through import qrels; a set with a grade off the scale is refused or mapped."""
    folder, path = shared / "llmjudge", tmp_path / "judge.db"
    human, labels = folder / "human.test.qrels.txt.gz", folder / "labels"
    scale = ("--scale", "0=no,1=near,2=high,3=full", "--min-relevant", "2")
    assert cranfield("init", path, "--name", "j", *scale).code == 0

    def import_labels(file: Path, name: str, kind: str, *more: str) -> str:
        result = cranfield("import", "qrels", path, file, "--assessor", name, "--kind", kind, *more)
        return result.err if result.code else ""

    assert import_labels(human, "nist", "human") == ""
    assert import_labels(labels / "willia-umbrela1.txt.gz", "umbrela", "model") == ""
    llama = labels / "RMITIR-llama70B.txt.gz"
    assert "grade 5 is not on the scale" in import_labels(llama, "llama", "model")
    assert import_labels(llama, "llama", "model", "--grades", "0=0,1=1,2=2,3=3,5=3") == ""
    with Store.open(path) as store:
        intervals = {
            (it.assessors, it.coefficient): it.interval
            for it in agreement_by_pair(matrix_of_store(store), resamples=200)
        }
    several = {"nist": read_qrels(human), "umbrela": read_qrels(labels / "willia-umbrela1.txt.gz")}
    direct = agreement_by_pair(matrix_of_qrels(several, [0, 1, 2, 3], 2), resamples=200)
    for it in direct:
        assert intervals[it.assessors, it.coefficient] == it.interval
    assert 0.28 < intervals[("nist", "umbrela"), "Cohen kappa"].value < 0.29
    result = cranfield("export", "qrels", path, tmp_path / "out", "--policy", "median-low")
    assert result.out.startswith("wrote 4,423 labels ")  # of nist alone: models have no vote unless named


def test_the_guessed_scale_of_files_is_noted(tmp_path: Path, cranfield: Cranfield) -> None:
    """Nobody used grade 2: whether it is a grade changes the weighted coefficients."""
    (tmp_path / "ann").write_text("1 0 a 0\n1 0 b 1\n1 0 c 3\n1 0 d 1\n")
    (tmp_path / "ben").write_text("1 0 a 0\n1 0 b 1\n1 0 c 1\n1 0 d 0\n")
    words = ["agreement", tmp_path / "ann", tmp_path / "ben", "--coefficient", "Cohen kappa quadratic"]
    words += ["--resamples", "0", "--format", "csv"]
    guessed, given = cranfield(*words), cranfield(*words, "--scale", "0,1,2,3")
    assert "the scale is assumed to be the grades in the labels: 0, 1, 3" in guessed.err
    assert "--scale" in guessed.err
    assert not given.err
    assert [float(result.out.splitlines()[1].split(",")[1]) for result in (guessed, given)] == [0.5, 0.375]
