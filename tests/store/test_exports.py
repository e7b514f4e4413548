"""The functions that write a store's contents, next to their commands."""

import warnings
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield.commands.exports import ExportedQrels
from cranfield.errors import ArgumentError, CorpusWarning, CranfieldWarning, InputError, ProvenanceWarning
from cranfield.subjects import Subject
from tests.conftest import Cranfield
from tests.stores import new_file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two assessors who differ on one document, a model, a run, documents and topics."""
    return new_file(
        tmp_path / "t.db", documents={"d1": "wing", "d2": "tail"}, topics={"q1": "flutter"}, people=["ada", "bob"],
        models=["llm"], runs={"a/b": {"q1": {"d1": 2.0, "d2": 1.0}}}, pool=2,
        labels={"ada": {("q1", "d1"): 1}, "bob": {("q1", "d1"): 0}, "llm": {("q1", "d2"): 1}},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("qrels --assessor bob", {"assessors": ["bob"]}),
        ("qrels --policy max --labels people --unlabelled -2", {"policy": "max", "labels": "people", "unlabelled": -2}),
        ("judgments", {}),
        ("topics --format tsv", {"format": "tsv"}),
        ("corpus --format csv --safe-csv", {"format": "csv", "safe_csv": True}),
    ],
)  # fmt: skip
def test_a_function_writes_what_its_command_writes(
    store: Path, tmp_path: Path, cranfield: Cranfield, words: str, options: dict[str, Any]
) -> None:
    import cranfield as api

    kind, *typed = words.split()
    result = cranfield("export", kind, store, tmp_path / "command", *typed)
    assert result.code == 0
    with warnings.catch_warnings(record=True, action="always") as caught:
        written = getattr(api.store, f"export_{kind}")(store, tmp_path / "function", **options)
    assert written.path.read_bytes() == (tmp_path / "command").read_bytes()
    assert result.out == "".join(f"{line}\n" for line in written.lines)
    assert len(caught) == len(written.notes) == result.err.count("note: ")


def test_folders_are_written_by_functions(store: Path, tmp_path: Path) -> None:
    with pytest.warns(CranfieldWarning, match="1 of 1 runs is in a file not named after its tag"):
        runs = cranfield.store.export_runs(store, tmp_path / "runs")
    assert runs.rows() == [{"run": "a/b", "file": "a_b.run"}]
    assert [path.name for path in runs.path.iterdir()] == ["a_b.run"]
    with pytest.warns(ProvenanceWarning, match="all by people"):
        beir = cranfield.store.export_beir(store, tmp_path / "beir", labels="people", policy="min")
    assert beir.rows() == [{"documents": 2, "topics": 1, "labels": 1}]
    assert (tmp_path / "beir/qrels/test.tsv").read_text().splitlines()[1:] == ["q1\td1\t0"]


def test_qrels_state_what_was_left_out(store: Path, tmp_path: Path) -> None:
    """Labels that differ are refused; the counts of what was written are numbers."""
    with pytest.raises(InputError, match="choose which labels count with assessors=NAME or policy=NAME"):
        cranfield.store.export_qrels(store, tmp_path / "qrels")
    with (
        pytest.warns(ProvenanceWarning, match="1 document has different labels by ada and bob; policy: max"),
        pytest.warns(ProvenanceWarning, match="1 of 2 labels is by models"),
    ):
        written = cranfield.store.export_qrels(store, tmp_path / "qrels", policy="max")
    assert isinstance(written, ExportedQrels)
    assert (written.counts.labels, written.counts.models, written.frame["pooled"].tolist()) == (2, 1, [2])
    assert written.provenance["function"] == "store.export_qrels"
    with pytest.raises(InputError, match="later is 0; expected a whole number"):
        cranfield.store.export_qrels(store, tmp_path / "qrels", policy="max", later=0)
    with pytest.raises(InputError, match="assessors is 'ada'; expected a list of names"):
        cranfield.store.export_qrels(store, tmp_path / "qrels", assessors="ada")
    with pytest.raises(InputError, match="export_qrels does not support the subject"):
        cranfield.store.export_qrels(store, tmp_path / "qrels", subject=Subject())


def test_unknown_documents_are_a_warning_about_the_corpus(tmp_path: Path) -> None:
    new = new_file(tmp_path / "n.db", topics=["q"], documents=["d"], qrels={"ada": {"q": {"d": 1}}})
    with pytest.warns(CorpusWarning, match="1 of 1 documents"):
        cranfield.store.import_qrels(new, {"q": {"e": 1}})
    with pytest.warns(CorpusWarning, match="1 of 2 documents"):
        cranfield.store.export_judgments(new, tmp_path / "log.jsonl")


@pytest.mark.parametrize("drop", ["url", ["text"], ["title", "x"]])
def test_fields_that_cannot_be_dropped_are_refused(store: Path, tmp_path: Path, drop: Any) -> None:
    with pytest.raises(InputError, match="expected a list of title, url or metadata"):
        cranfield.store.export_corpus(store, tmp_path / "corpus", drop=drop)
    assert not (tmp_path / "corpus").exists()


def test_options_that_do_not_go_together_are_named_by_keyword(store: Path, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match='layout="trec"'):
        cranfield.store.export_runs(store, tmp_path / "runs", metadata=True, layout="parquet")
    with pytest.raises(ArgumentError, match="safe_csv"):
        cranfield.store.export_corpus(store, tmp_path / "corpus", safe_csv=True)


def test_a_view_is_exported_as_it_selects(tmp_path: Path) -> None:
    """Its topics; whose labels count is an option of the function."""
    path = new_file(
        tmp_path / "t.db", documents=["d"], topics=["q1", "q2"], qrels={"ada": {"q1": {"d": 1}, "q2": {"d": 0}}}
    )
    (tmp_path / "ids").write_text("q2\n")
    view = cranfield.open_collection(path).select(topics=str(tmp_path / "ids"))
    with warnings.catch_warnings(action="ignore"):
        written = cranfield.store.export_qrels(view, tmp_path / "qrels")  # type: ignore[arg-type]
    assert written.path.read_text() == "q2 0 d 0\n"
    with pytest.raises(InputError, match="round cannot be combined with a view; choose it when you make the view"):
        cranfield.store.export_qrels(view, tmp_path / "no", round="1")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="export_qrels"):
        cranfield.store.export_qrels(cranfield.open_collection(path).select(labels="people"), tmp_path / "no")  # type: ignore[arg-type]
