"""Ids that differ only in Unicode normalisation: one note with their number, an example and the remedy."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unicodedata import normalize

import pytest

import cranfield as package
from cranfield.errors import CranfieldWarning, InputError
from cranfield.formats import Document, Topic
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.stores import new_store

DOCNOS = [*(f"caf\u00e9-{number}" for number in range(3)), *(f"plain-{number}" for number in range(3))]
NOTE = (
    "3 ids of documents in the runs differ from ids in the judgments only in Unicode normalisation and do not match"
    ' them: "cafe\u0301-0" is NFD in the runs and NFC in the judgments; normalise both, in Python with'
    ' unicodedata.normalize("NFC", text)'
)


def qrels(qids: str = "12") -> dict[str, dict[str, int]]:
    return {qid: dict.fromkeys(DOCNOS, 1) for qid in qids}


def run(form: str = "NFD") -> dict[str, dict[str, float]]:
    scores = {normalize(form, docno): -float(at) for at, docno in enumerate(DOCNOS)}  # type: ignore[arg-type]
    return {"1": scores, "2": scores}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [f"{qid} 0 {docno} 1\n" for qid, of in qrels().items() for docno in of]
    Path("qrels").write_text("".join(lines), "utf-8")
    for form in ("NFC", "NFD"):
        rows = [f"{q} Q0 {d} {n + 1} {-n} {form}\n" for q in "12" for n, d in enumerate(run(form)[q])]
        Path(form).write_text("".join(rows), "utf-8")
        Path(f"{form}.mixed").write_text("".join(rows[::2] + rows[1::2]), "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["NFD", "NFD.mixed", "NFD.gz"])
def test_every_reader_of_files_notes_them(folder: Path, cranfield: Cranfield, name: str) -> None:
    if name.endswith(".gz"):
        import gzip

        with open("NFD", "rb") as source, gzip.open(name, "wb") as target:
            shutil.copyfileobj(source, target)
    for command in ("evaluate", "pool verify"):
        result = cranfield(*command.split(), "qrels", name)
        assert " ".join(result.err.split()).count(NOTE) == 1, command
    assert "normalisation" not in cranfield("evaluate", "qrels", "NFC").err


@pytest.mark.parametrize("off", ["", "yes"])
def test_with_and_without_the_scanner_in_c(
    folder: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, off: str
) -> None:
    monkeypatch.setenv("CRANFIELD_NO_SCANNER", off)
    result = cranfield("compare", "qrels", "NFC", "NFD")
    assert " ".join(result.err.split()).count(NOTE) == 1


def test_dicts_and_an_evaluator_warn_of_them() -> None:
    with pytest.warns(UserWarning, match="3 ids of documents in the runs differ"):
        assert package.evaluate(qrels(), run(), "R@100").frame["value"].tolist() == [0.5]
    with pytest.warns(UserWarning, match="3 ids of documents in the runs differ"):
        assert package.Evaluator(qrels(), "R@100").evaluate(run()) == {"R@100": 0.5}
    assert package.evaluate(qrels(), run("NFC"), "R@100").frame["value"].tolist() == [1.0]


def test_a_document_of_another_topic_is_only_unjudged() -> None:
    """Of topic 2 no such document was judged, and where both forms were judged, both match."""
    other = {"1": {"d": 1}, "2": {"caf\u00e9": 1, "d": 1}}
    assert package.evaluate(other, {"1": {"cafe\u0301": 2.0, "d": 1.0}, "2": {"d": 1.0}}, "RR").frame[
        "value"
    ].tolist() == [0.75]
    both = {"1": {"caf\u00e9": 0, "cafe\u0301": 1}}
    assert package.evaluate(both, {"1": {"cafe\u0301": 2.0}}, "RR").frame["value"].tolist() == [1.0]


def test_topics_that_differ_only_so(folder: Path) -> None:
    runs = {"e\u03011": run()["1"], "2": run("NFC")["2"]}
    with (
        pytest.warns(UserWarning, match="1 topic that runs answered has no judgments"),
        pytest.warns(UserWarning, match="run answered 1 of 2 judged topics"),
        pytest.warns(UserWarning, match='1 id of a topic in the runs differs .* "e\u03011" is NFD in the runs and NFC'),
    ):
        package.evaluate(qrels("2") | {"\u00e91": qrels()["1"]}, runs, "RR")
    with pytest.raises(InputError, match=r"no topic of the runs has judgments: 1 id of a topic .* only in Unicode"):
        package.evaluate({"\u00e91": qrels()["1"]}, {"e\u03011": run()["1"]}, "RR")


def test_an_import_offers_to_match_them(folder: Path, cranfield: Cranfield) -> None:
    with new_store(folder / "s.db") as store:
        store.add_topics([Topic("1", "one"), Topic("2", "two")])
        store.add_documents([Document(docno, text="words") for docno in DOCNOS])
    result = cranfield("import", "runs", "s.db", "NFD")
    assert "3 of 6 documents" in result.err
    assert "--normalize-ids finds" in result.err
    assert cranfield("import", "runs", "s.db", "NFD.mixed", "--normalize-ids", "--tag", "matched").code == 0
    with Store.open("s.db") as store:
        assert {*stored_runs(store, ["matched"]).docnos.names[:6]} == {*DOCNOS}


def test_fail_on_note_counts_them(folder: Path, cranfield: Cranfield) -> None:
    for command in ("evaluate", "compare", "pool verify", "reusability"):
        result = cranfield(*command.split(), "qrels", "NFC", "NFD", "--fail-on-note")
        assert (result.code, "only in Unicode normalisation" in result.err) == (1, True), command
        assert "(--fail-on-note)" in result.err
    assert cranfield("evaluate", "qrels", "NFC", "--fail-on-note").code == 0


def test_an_import_notes_ids_that_a_store_without_documents_has_in_another_form(
    folder: Path, cranfield: Cranfield
) -> None:
    new_store(folder / "s.db", qrels={"ada": qrels()}, topics=["1", "2"]).close()
    refused = cranfield("import", "runs", "s.db", "NFD", "--fail-on-note", "--tag", "one")
    assert (refused.code, "3 ids of documents in NFD differ from ids in the store only" in refused.err) == (1, True)
    noted = cranfield("import", "runs", "s.db", "NFD")
    assert (noted.code, noted.err.count("3 ids of documents in NFD differ from ids in the store only")) == (0, 1)
    assert "normalisation" not in cranfield("import", "runs", "s.db", "NFC").err


def test_topics_of_a_store_in_another_form_are_named(folder: Path, cranfield: Cranfield) -> None:
    with new_store(folder / "s.db") as store:
        store.add_topics([Topic("\u00e91", "one")])
    Path("topic.run").write_text("e\u03011 Q0 d 1 1 r\n", "utf-8")
    refused = cranfield("import", "runs", "s.db", "topic.run")
    assert (refused.code, "in another Unicode normal form" in refused.err) == (1, True)
    assert cranfield("import", "runs", "s.db", "topic.run", "--normalize-ids").code == 0


@pytest.mark.parametrize("command", ["diff --all", "agreement"])
def test_two_files_of_judgments(folder: Path, cranfield: Cranfield, command: str) -> None:
    lines = Path("qrels").read_text("utf-8")
    Path("other").write_text(normalize("NFD", lines), "utf-8")
    words = [*command.split()[:1], "qrels", "other", *command.split()[1:]]
    assert "3 ids of documents in other differ from ids in qrels only in Unicode" in cranfield(*words).err
    refused = cranfield(*words, "--fail-on-note")
    assert (refused.code, "(--fail-on-note)" in refused.err) == (1, True)
    functions: dict[str, Callable[[], object]] = {
        "agreement": partial(package.judging.measure_agreement, ["qrels", "other"]),
        "diff --all": partial(package.judging.compare_judgments, "qrels", "other", every=True, show="labels"),
    }
    with pytest.warns(CranfieldWarning) as warned:
        functions[command]()
    assert any("3 ids of documents in other differ from ids in qrels" in str(one.message) for one in warned)


def test_runs_to_fuse(folder: Path, cranfield: Cranfield) -> None:
    fused = cranfield("fuse", "NFC", "NFD", "-o", "fused.run")
    assert "3 ids of documents in run NFD differ from ids in run NFC only in Unicode" in fused.err
    refused = cranfield("fuse", "NFC", "NFD", "-o", "other.run", "--fail-on-note")
    assert (refused.code, Path("other.run").exists()) == (1, False)
    with pytest.warns(UserWarning, match="3 ids of documents in run NFD differ from ids in run NFC"):
        package.fuse(["NFC", "NFD"])


def test_topics_of_files_of_scores(folder: Path, cranfield: Cranfield) -> None:
    for form in ("NFC", "NFD"):
        rows = [f"{form},{normalize(form, q)},0.{n}\n" for n, q in enumerate(["\u00e91", "2", "3"], 1)]
        Path(f"{form}.csv").write_text("".join(["run,query_id,AP\n", *rows]), "utf-8")
    words = ["compare", "NFC.csv", "NFD.csv"]
    assert "1 id of a topic in the scores of NFD differs from an id in the scores of NFC only" in cranfield(*words).err
    assert cranfield(*words, "--fail-on-note").code == 1
