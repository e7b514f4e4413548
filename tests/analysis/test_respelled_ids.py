"""Ids that differ only in Unicode normalisation: one note with their number, an example and the remedy."""

import shutil
from pathlib import Path
from unicodedata import normalize

import pytest

import cranfield as package
from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.stores import new_store

DOCNOS = [*(f"caf\u00e9-{number}" for number in range(3)), *(f"plain-{number}" for number in range(3))]
NOTE = (
    "3 ids of documents in the runs differ from judged ones only in Unicode normalisation and do not match them:"
    ' "cafe\u0301-0" is NFD in the runs and NFC in the judgments; write both in one form, in Python with'
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
        assert package.evaluate(qrels(), run(), "R@100")["value"].tolist() == [0.5]
    with pytest.warns(UserWarning, match="3 ids of documents in the runs differ"):
        assert package.Evaluator(qrels(), "R@100").evaluate(run()) == {"R@100": 0.5}
    assert package.evaluate(qrels(), run("NFC"), "R@100")["value"].tolist() == [1.0]


def test_a_document_of_another_topic_is_only_unjudged() -> None:
    """Of topic 2 no such document was judged, and where both forms were judged, both match."""
    other = {"1": {"d": 1}, "2": {"caf\u00e9": 1, "d": 1}}
    assert package.evaluate(other, {"1": {"cafe\u0301": 2.0, "d": 1.0}, "2": {"d": 1.0}}, "RR")["value"].tolist() == [
        0.75
    ]
    both = {"1": {"caf\u00e9": 0, "cafe\u0301": 1}}
    assert package.evaluate(both, {"1": {"cafe\u0301": 2.0}}, "RR")["value"].tolist() == [1.0]


def test_topics_that_differ_only_so(folder: Path) -> None:
    runs = {"e\u03011": run()["1"], "2": run("NFC")["2"]}
    with (
        pytest.warns(UserWarning, match="1 topic that runs answered was not judged"),
        pytest.warns(UserWarning, match="run answered 1 of 2 judged topics"),
        pytest.warns(UserWarning, match='1 id of a topic in the runs differs .* "e\u03011" is NFD in the runs and NFC'),
    ):
        package.evaluate(qrels("2") | {"\u00e91": qrels()["1"]}, runs, "RR")
    with pytest.raises(InputError, match=r"no topic of the runs was judged: 1 id of a topic .* only in Unicode"):
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
