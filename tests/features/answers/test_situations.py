"""Situations of public reports about models' labels and answers: what is right of each, on small files of our own."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from cranfield.store.log import current_decisions
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.models.stand_in import Post, Response, reply, stand_in
from tests.stores import new_file

GRADES = {0: "a", 1: "b", 2: "c", 3: "d"}


def json_lines(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def answer_line(qid: str, text: str, references: Sequence[str] = (), citations: Sequence[object] = ()) -> object:
    return {
        "metadata": {"team_id": "t", "run_id": "r", "narrative_id": qid},
        "references": list(references),
        "answer": [{"text": text, "citations": list(citations)}],
    }


@pytest.mark.full
def test_a_grade_in_prose_is_no_label(tmp_path: Path, cranfield: Cranfield) -> None:
    """Prose, two scores, off the scale and 1.5 are no label, and never grade 0."""
    predictions = {
        "json": '{"M": 2, "T": 1, "O": 2}', "line": "##final score: 3", "prose": "The score is [[2]], that is 2/3.",
        "two": "##final score: 1\n...\n##final score: 2", "none": "I cannot rate this.", "off": "##final score: 7",
        "half": "##final score: 1.5", "empty": "",
    }  # fmt: skip
    rows = [
        {"model": "m", "query": "q", "passage": "p", "prompt": "...", "prediction": text, "judgment": 0,
         "result_status": 1, "qid": "1", "docno": docno}
        for docno, text in predictions.items()
    ]  # fmt: skip
    path = new_file(tmp_path / "s.db", grades=GRADES)
    file = json_lines(tmp_path / "umbrela.jsonl", rows)
    cranfield.out("import", "votes", path, file, "--format", "umbrela", "--assessor", "m", "--kind", "model")
    with Store.open(path) as store:
        said = {docno: event.grade for (_, docno), event in current_decisions(store, "m").items()}
        assert said == dict.fromkeys(predictions) | {"json": 2, "line": 3}
        assert sorted(qrels_of(store).grade.tolist()) == [2, 3]


def test_faithfulness_of_an_answer_that_states_nothing_is_undefined(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    path = new_file(tmp_path / "s.db", topics=["1", "2"], documents={"d1": "Drag slows a wing."})
    answers = [answer_line("1", "Sorry, no document says it.", ["d1"]), answer_line("2", "Drag slows.", ["d1"], [0])]
    cranfield.out("import", "answers", path, json_lines(tmp_path / "a.jsonl", answers))
    claims = [{"qid": "1", "run": "r", "claims": []}, {"qid": "2", "run": "r", "claims": ["Drag slows."]}]
    file = json_lines(tmp_path / "claims.jsonl", claims)
    cranfield.out("answers", "claims", "import", path, file, "--assessor", "ada")
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    cranfield.out("answers", "claims", "label", path, "--assessor", "ada", "--plain")
    scored = cranfield("evaluate", path, "--answers", "-m", "Faithful", "--per-topic", "--format", "json")
    values = {row["query_id"]: row["value"] for row in json.loads(scored.out)["scores"]}
    assert values == {"1": None, "2": 1.0, "all": 1.0}
    assert "the means of Faithful exclude 1 topic" in scored.err


@pytest.mark.full
@pytest.mark.parametrize("citations", [[0, 2], ["x"], [-1], [0.5]])
def test_a_citation_that_points_nowhere_is_refused(
    tmp_path: Path, cranfield: Cranfield, citations: list[object]
) -> None:
    path = new_file(tmp_path / "s.db", topics=["1"])
    row = {"run_id": "r", "topic_id": "1", "topic": "lift", "references": ["d1", "d2"], "response_length": 2,
           "answer": [{"text": "Wings lift.", "citations": citations}]}  # fmt: skip
    error = cranfield.error("import", "answers", path, json_lines(tmp_path / "a.jsonl", [row]))
    assert error.startswith(f"{tmp_path / 'a.jsonl'}:1: ")
    assert "sentence 1" in error


@pytest.mark.full
def test_a_topic_without_a_vital_nugget_is_undefined_for_v_alone(tmp_path: Path, cranfield: Cranfield) -> None:
    path = new_file(tmp_path / "s.db", topics=["1", "2"])
    answers = [answer_line("1", "Wings lift."), answer_line("2", "Drag slows.")]
    cranfield.out("import", "answers", path, json_lines(tmp_path / "a.jsonl", answers))
    nuggets = [
        {"qid": "1", "query": "lift", "run_id": "r", "nuggets": [
            {"text": "Wings lift", "importance": "vital", "assignment": "support"},
            {"text": "Air is curved", "importance": "vital", "assignment": "not_support"}]},
        {"qid": "2", "query": "drag", "run_id": "r", "nuggets": [
            {"text": "Drag slows", "importance": "okay", "assignment": "partial_support"}]},
    ]  # fmt: skip
    file = json_lines(tmp_path / "n.jsonl", nuggets)
    cranfield.out("answers", "nuggets", "import", path, file, "--assessor", "m", "--kind", "model")
    words = [word for name in ("V_strict", "V", "A", "A_strict") for word in ("-m", name)]
    scored = cranfield("evaluate", path, "--answers", *words, "--format", "json")
    values = {row["measure"]: row["value"] for row in json.loads(scored.out)["scores"]}
    assert values == {"V_strict": 0.5, "V": 0.5, "A": 0.5, "A_strict": 0.25}
    for name in ("V_strict", "V"):
        assert f"the means of {name} exclude 1 topic" in scored.err


def test_a_model_that_rambles_gives_one_label(tmp_path: Path, cranfield: Cranfield) -> None:
    """Prose, two grades, 7, 1.5 and nothing are no label, with reasons; `Grade: 2` is one."""
    replies = ["Grade: 2", "Grade: 1 ... no\nGrade: 2", "I would say 2 out of 3.", "Grade: 7", "Grade: 1.5", ""]
    runs = {"r": {"1": {f"d{at}": float(-at) for at in range(6)}}}
    documents = {f"d{at}": f"body number {at}" for at in range(6)}
    path = new_file(tmp_path / "s.db", grades=GRADES, topics=["1"], documents=documents, runs=runs)
    cranfield.out("pool", "build", path, "--depth", "10")

    def answering(post: Post, before: int) -> Response:
        return reply(next(text for at, text in enumerate(replies) if f"body number {at}" in post.body.decode()))

    with stand_in(answering) as server:
        cranfield("model", "assess", "run", path, "--model", "m", "--url", server.url)
    with Store.open(path) as store:
        events = {docno: event for (_, docno), event in current_decisions(store, "m").items()}
        assert {docno: event.grade for docno, event in events.items()} == dict.fromkeys(documents) | {"d0": 2}
        reasons = [events[f"d{at}"].reason.partition(":")[0] for at in range(1, 6)]
        assert reasons == ["unparsable", "unparsable", "off-scale", "unparsable", "unparsable"]
