"""Generated answers and nuggets: the formats of the tracks, as they are specified; no file of a track is at hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cranfield as package
from cranfield.errors import InputError
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.labels import NUGGET_LABELS
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.formats import format_of, formats_of, read_answers
from cranfield.store.log import assessors
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.answers.stores import SAID, answered_store, label_nuggets
from tests.files import json_file
from tests.stores import new_file

RAG24: dict[str, Any] = {
    "run_id": "r", "topic_id": "q1", "topic": "lift", "references": ["d1", "d2", "d3"], "response_length": 4,
    "answer": [{"text": "Wings lift.", "citations": [2, 0, 2]}, {"text": "Drag slows.", "citations": []}],
}  # fmt: skip
RAG25: dict[str, Any] = {
    "metadata": {"team_id": "t", "run_id": "r", "narrative_id": 1, "narrative": "lift", "type": "automatic"},
    "references": ["d1", "d2"],
    "answer": [{"text": "Wings lift.", "citations": ["d2", 0]}, {"text": "Drag slows."}],
}
RAGTIME: dict[str, Any] = {
    "metadata": {"team_id": "t", "run_id": "r", "topic_id": "1", "collection_ids": ["c"]},
    "responses": [
        {"text": "Wings lift.", "citations": {"d1": 0.25, "d2": 0.5}},
        {"text": "Drag.", "citations": ["d3"]},
    ],
}
CITED = [
    ("rag24", RAG24, [["d3", "d1"], []], ["d1", "d2", "d3"]),
    ("rag25", RAG25, [["d2", "d1"], []], ["d1", "d2"]),
    ("ragtime", RAGTIME, [["d2", "d1"], ["d3"]], ["d2", "d1", "d3"]),
]


@pytest.mark.parametrize(("format", "record", "citations", "documents"), CITED, ids=[case[0] for case in CITED])
def test_a_format_is_detected_and_read(
    tmp_path: Path, format: str, record: object, citations: list[list[str]], documents: list[str]
) -> None:
    """Its sentences with their citations by docno, the surest first, and what the answer refers to."""
    path = json_file(tmp_path / "answers.jsonl", record)
    assert format_of("answers", path) == format
    [answer] = read_answers([path]).answers
    assert (answer.run, answer.qid) == ("r", "q1" if format == "rag24" else "1")
    assert [list(sentence.citations) for sentence in answer.sentences] == citations
    assert list(answer.documents) == documents


@pytest.mark.parametrize("row", formats_of("answers"), ids=lambda row: row.name)
def test_what_is_written_is_read_again(tmp_path: Path, row: Any) -> None:
    """With its confidences, where a format has those."""
    sure = 0.5 if row.name == "ragtime" else None
    team, kind = ("", "") if row.name == "rag24" else ("T", "manual")
    sentences = [
        Sentence("Wings lift.", {"d2": sure, "d1": sure}),
        Sentence("Drag: no.", {}),
        Sentence("x", {"d3": None}),
    ]
    answers = [
        Answer("a", "1", sentences, documents=["d1", "d2", "d3"], team=team, kind=kind),
        Answer("b", "1", [], documents=[], team=team, kind=kind),
    ]
    row.write(tmp_path / "out", answers)
    back = read_answers([tmp_path / "out"], row.name)
    assert [answer._replace(metadata={}) for answer in back.answers] == answers
    assert format_of("answers", tmp_path / "out") == row.name
    row.write(tmp_path / "again", back.answers)
    assert (tmp_path / "again").read_text() == (tmp_path / "out").read_text()


def but(record: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**record, **fields}


WRONG = {
    "out of range": (
        but(RAG24, references=["d1", "d2"]),
        "sentence 1 cites position 2; references contains positions 0 to 1",
    ),
    "negative": (but(RAG25, answer=[{"text": "a", "citations": [-1]}]), "sentence 1 cites position -1"),
    "no references": (but(RAG24, references=[]), "sentence 1 cites position 2; references contains no documents"),
    "not among them": (
        but(RAG25, answer=[{"text": "a", "citations": ["x"]}]),
        "'x', which is not among the references",
    ),
    "empty sentence": (but(RAG25, answer=[{"text": "a"}, {"text": " "}]), "sentence 2 is empty"),
    "true": (
        but(RAG25, answer=[{"text": "a", "citations": [True]}]),
        "sentence 1 cites true; expected a docno or a position",
    ),
    "no confidence": (
        but(RAGTIME, responses=[{"text": "a", "citations": {"d": "x"}}]),
        "confidence 'x'; expected a number",
    ),
    "too much confidence": (
        but(RAGTIME, responses=[{"text": "a", "citations": {"d": 10**400}}]),
        "expected a number",
    ),
    "no sentence": (but(RAG25, answer=["a"]), "sentence 1 is 'a'; expected an object with text and citations"),
    "no run": (but(RAG24, run_id=""), "run_id is ''; expected a name"),
    "no topic": (but(RAGTIME, metadata={"run_id": "r"}), "no topic_id or narrative_id or request_id"),
    "references": (but(RAG24, references=[1]), "references has 1; expected docnos"),
    "again": (but(RAG24, response_length=9), "second answer of run 'r' to topic 'q1'; the first is on line 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, case: str) -> None:
    """The file, the line, what was found."""
    record, message = WRONG[case]
    first = next(sound for sound in (RAG24, RAG25, RAGTIME) if set(sound) == set(record))
    other = (
        {**first, "topic_id": "q0"}
        if "topic_id" in first
        else but(first, metadata={**first["metadata"], "run_id": "s"})
    )
    path = json_file(tmp_path / "answers.jsonl", first if case == "again" else other, record)
    with pytest.raises(InputError) as error:
        read_answers([path])
    assert (str(error.value.path), error.value.line) == (str(path), 2)
    assert message in str(error.value)


def test_answers_go_through_a_store(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imported, listed, exported as they were, removed again; what has an error leaves nothing."""
    monkeypatch.chdir(tmp_path)
    json_file(tmp_path / "topics.jsonl", {"qid": "q1", "title": "lift"}, {"qid": "q2", "title": "drag"})
    json_file(tmp_path / "corpus.jsonl", {"docno": "d1", "text": "wing"})
    for words in (["init", "t.db", "--name", "t"], ["import", "topics", "t.db", "topics.jsonl"],
                  ["import", "corpus", "t.db", "corpus.jsonl"]):  # fmt: skip
        cranfield(*words)
    path = json_file(tmp_path / "answers.jsonl", RAG24, but(RAG24, topic_id="q2"))
    output = cranfield("import", "answers", "t.db", path.name)
    assert output.out.startswith("2 answers of 1 run to 2 topics, 4 sentences")
    assert "2 of 3 documents in answers.jsonl are not in the corpus" in output.out + output.err
    wrong = json_file(tmp_path / "wrong.jsonl", but(RAG24, run_id="s"), but(RAG24, run_id="s", topic_id="q9"))
    wrong_topic = cranfield("import", "answers", "t.db", wrong.name)
    assert "wrong.jsonl:2: topic 'q9' is not in the store" in wrong_topic.err
    again = cranfield("import", "answers", "t.db", path.name)
    assert "answers.jsonl:1: run 'r' already answers topic 'q1' in this store" in again.err
    assert "answers" in cranfield("store", "history", "t.db").out
    cranfield("export", "answers", "t.db", "out.jsonl", "--format", "rag24")
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    first = but(RAG24, answer=[{"text": "Wings lift.", "citations": [2, 0]}, RAG24["answer"][1]])
    assert records == [first, but(first, topic_id="q2")]
    assert cranfield("store", "verify", "t.db").out
    removal = cranfield("store", "remove", "t.db", "import", "3")
    assert "2 answers removed, with 2 documents that nothing else refers to" in removal.out
    assert "no answers in this store" in cranfield("export", "answers", "t.db", "none.jsonl").err
    cranfield("import", "answers", "t.db", path.name, "--format", "rag24")
    assert "run r: removed, with 2 answers" in cranfield("store", "remove", "t.db", "run", "r").out


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two runs with labels of all nuggets."""
    with answered_store(tmp_path / "t.db", {"1 0": ["a"], "1 1": ["a", "b"]}, {"ada": SAID}) as store:
        yield store


@pytest.mark.full
def test_what_is_exported_is_imported_again(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """With contributors and labels; importing the same again adds nothing."""
    output = cranfield("answers", "nuggets", "export", store.path, tmp_path / "out", "--labels")
    assert output.out == "7 nuggets with 14 labels\n"
    again = cranfield("answers", "nuggets", "import", store.path, tmp_path / "out", "--assessor", "ada")
    assert again.out == "0 new nuggets, 0 new labels\n"
    path = new_file(tmp_path / "other.db")
    cranfield("export", "answers", store.path, tmp_path / "answers")
    cranfield("import", "answers", path, tmp_path / "answers")
    cranfield("answers", "nuggets", "import", path, tmp_path / "out", "--assessor", "ada")
    with Store.open(path) as other:
        assert [n[1:6] for n in current_nuggets(other)] == [n[1:6] for n in current_nuggets(store)]
        assert sorted(map(str, NUGGET_LABELS.labels(other).values())) == sorted(
            map(str, NUGGET_LABELS.labels(store).values())
        )


def test_whose_nuggets_and_labels_are_goes_with_them(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """A model's stay a model's, whoever imports them; one that a person took over stays people's."""
    edits = [NuggetEdit("vital", "1", "llm", "its own"), NuggetEdit("okay", "2", "llm", "taken over")]
    _, takeover = edit_nuggets(store, edits)
    edit_nuggets(store, [NuggetEdit("okay", "2", "ada", nugget=takeover)])
    label_nuggets(store, "llm", {("a", "2"): "sns"})
    output = cranfield("answers", "nuggets", "export", store.path, tmp_path / "out", "--labels", "--nuggets", "all")
    assert output.err == "note: 9 nuggets, of which 1 by models\n"
    lines = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert [(one["author"], one["kind"], one["by"]) for one in lines if one["author"] == "llm"] == [
        ("llm", "model", "models"), ("llm", "model", "people"),
    ]  # fmt: skip
    cranfield("export", "answers", store.path, tmp_path / "answers")
    path = new_file(tmp_path / "other.db")
    cranfield("import", "answers", path, tmp_path / "answers")
    cranfield("answers", "nuggets", "import", path, tmp_path / "out", "--assessor", "eve")
    with Store.open(path) as other:
        for field in ("text", "author", "by_model"):
            assert [getattr(n, field) for n in current_nuggets(other)] == [
                getattr(n, field) for n in current_nuggets(store)
            ]
        assert assessors(other)["llm"] == "model"
    few = cranfield("answers", "nuggets", "export", store.path, tmp_path / "people")
    assert (few.out, few.err) == (
        "8 nuggets\n", "note: 8 nuggets by people; 1 by models is left out (use --nuggets all to count it)\n"
    )  # fmt: skip


def test_assignments_of_nuggetizer_are_labels_of_a_model(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """Words are in any case; a failed one is a failure, and no label; any other word is an error."""
    nuggets = [{"text": "1 0", "importance": "Vital", "assignment": "Partial_Support"},
               {"text": "new", "importance": "OKAY", "assignment": "failed"}]  # fmt: skip
    path = json_file(tmp_path / "nuggets.jsonl", {"qid": "1", "run_id": "a", "query": "x", "nuggets": nuggets})
    output = cranfield("answers", "nuggets", "import", store.path, path, "--assessor", "llm", "--kind", "model")
    assert output.out == "1 new nugget, 2 new labels\n", output
    assert sorted(NUGGET_LABELS.labels(store, "llm").values(), key=str) == [None, "partial_support"]
    with pytest.warns(UserWarning, match="7 nuggets by people; 1 by models is left out"):
        assert len(package.answers.list_nuggets(store, assessor="ada").rows()) == 7
    with pytest.warns(UserWarning, match="8 nuggets, of which 1 by models"):
        rows = package.answers.list_nuggets(store, assessor="ada", nuggets="all").frame
    assert rows[rows["query_id"] == "1"]["support"].tolist() == [1, 0, 0, 1, 0, 0]
    assert rows["contributors"].tolist()[:3] == ["a", "a, b", ""]
    path = json_file(tmp_path / "nuggets.jsonl", {"qid": "1", "text": "sound", "importance": "okay", "run": "a"})
    output = cranfield("answers", "nuggets", "import", store.path, path, "--assessor", "ada")
    assert (
        "note: ignored the fields run. To record the runs that led to a nugget, use the field contributors"
        in output.err
    )
    record = {"qid": "1", "text": "loud", "importance": "okay", "contributors": ["a", "typo"]}
    output = cranfield(
        "answers", "nuggets", "import", store.path, json_file(path, record), "--assessor", "ada", "--format", "jsonl"
    )
    assert output.err == (
        "note: this store contains no answers of these contributors: typo. `reusability --answers` needs them\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"qid": "1", "text": "1 0", "importance": "okay"}, "nugget '1 0' is okay; in this store it is vital"),
        ({"qid": "9", "text": "x", "importance": "okay"}, "topic '9' is not in the store"),
        ({"qid": "1", "text": "x", "importance": "high"}, "importance is 'high'; expected vital or okay"),
        ({"qid": "1", "text": "x", "importance": "okay", "labels": [{"run": "a", "label": "yes"}]},
         "label is 'yes'; expected one of support, partial_support, not_support, failed"),
        ({"qid": "1", "text": "x", "importance": "okay", "labels": [{"run": "z", "label": "support"}]},
         "run 'z' has no answer to topic '1' in this store"),
        ({"qid": "1", "text": "x", "importance": "okay", "author": "m", "kind": "robot"},
         "kind is 'robot'; expected one of human, model, panel, import"),
        ({"qid": "1", "nuggets": [{"text": "x", "importance": "okay", "assignment": "support"}]},
         "an assignment without a run_id"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_and_nothing_is_added(
    store: Store, tmp_path: Path, cranfield: Cranfield, record: object, message: str
) -> None:
    """The file, the line, what would be right."""
    sound = {"nuggets": [{"text": "sound", "importance": "okay"}]} if "nuggets" in str(record) else {}
    path = json_file(tmp_path / "nuggets.jsonl", {"qid": "1", "text": "sound", "importance": "okay", **sound}, record)
    output = cranfield("answers", "nuggets", "import", store.path, path, "--assessor", "ada")
    assert output.code == 1
    assert f"nuggets.jsonl:2: {message}" in output.err
    assert len(current_nuggets(store)) == 7


def test_a_label_that_contradicts_an_earlier_one_is_refused(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    def line(*labels: str, text: str = "new", importance: str = "vital") -> dict[str, Any]:
        each = [{"text": text, "importance": importance, "assignment": label} for label in labels]
        return {"qid": "1", "run_id": "a", "nuggets": each}

    words = ["answers", "nuggets", "import", store.path, tmp_path / "in", "--assessor", "m9"]
    earlier = "m9 gives nugget 'new' in run 'a' the label not_support, but support on line 1; expected one label"
    for lines, where in (([line("support", "not_support")], 1), ([line("support"), line("not_support")], 2)):
        json_file(tmp_path / "in", *lines)
        refused = cranfield(*words)
        assert (refused.code, f"in:{where}: {earlier}" in refused.err) == (1, True)
    json_file(tmp_path / "in", line("support", text="a  b"), line("support", text="a b", importance="okay"))
    assert "in:2: nugget 'a b' is okay, but vital on line 1" in cranfield(*words).err
    json_file(tmp_path / "in", line("support"), line("support"))
    assert cranfield(*words).out == "1 new nugget, 1 new label\n"
