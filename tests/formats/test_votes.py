"""Votes from other tools: nothing becomes a grade that was none, and nothing is lost without being told."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.errors import CranfieldWarning, InputError
from cranfield.formats import formats_of, read_votes
from cranfield.store.log import assessors, current_decisions, read_events
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from cranfield.store.votes import VoteImport, import_votes
from tests.conftest import Cranfield
from tests.stores import new_file, new_store

SCALE = {0: "Poor", 1: "Fair", 2: "Perfect"}

CSV = """assessor,qid,docno,grade,note,seconds,at,state,mood
ada,q1,d1,2,"short, but right",12.5,2024-05-01T10:00:00Z,,happy
ada,q1,d2,,"garbled",,,cannot-judge,
bob,q1,d1,0,,3,2024-05-01T11:00:00+02:00,,
bob,q2,d9,,,,,later,
bob,q2,d8,,,,,,
"""
JSONL = """{"assessor": "ada", "query_id": "q1", "doc_id": "d1", "relevance": 2, "model": {"name": "x"}}
{"assessor": "ada", "query_id": "q1", "doc_id": "d2", "relevance": "unrateable"}
{"assessor": "ada", "query_id": "q2", "doc_id": "d1", "relevance": null}
"""
RELEVATION = "q1\tkim\td1\t2\nq1\tkim\td2\t-1\nq2\tlee\td1\t0\n"
QUEPID_CSV = 'query,docid,Ada Lovelace,bob@example.org\nred shoes,d1,2.0,\n"Blue  Suede",d1,,1\n'
NEITHER = {"unrateable": False, "judge_later": False}
QUEPID_JSON = {
    "name": "Book of shoes",
    "query_doc_pairs": [
        {
            "query_text": "red shoes", "doc_id": "d1", "position": 1, "document_fields": {"title": "A"},
            "judgements": [
                {"rating": 2.0, "user_email": "a@x.org", "explanation": "ok"} | NEITHER,
                {"rating": None, "user_email": "b@x.org", "explanation": None} | NEITHER | {"unrateable": True},
                {"rating": None, "user_email": "c@x.org"} | NEITHER | {"judge_later": True},
            ],
        },
        {"query_text": "blue suede", "doc_id": "d2", "judgements": [{"rating": 0.0, "user_id": 9}]},
    ],
}  # fmt: skip


def choice(value: str, name: str = "relevance") -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [value]}}


def annotation(user: object, *result: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"id": 7, "completed_by": user, "result": list(result), "was_cancelled": False, "lead_time": 4.25} | more


UNNAMED = ({"type": "choices", "value": {"choices": ["1"]}}, {"type": "number", "value": {"number": 2}})
COMMENT = {"from_name": "why", "to_name": "text", "type": "textarea", "value": {"text": ["cites a source"]}}
LABEL_STUDIO = [
    {
        "id": 1, "data": {"qid": "q1", "docno": "d1", "text": "...", "label": "2"},
        "annotations": [
            annotation({"id": 1, "email": "a@x.org"}, choice("Perfect"), COMMENT, created_at="2024-05-01T10:00:00Z"),
            annotation(3, was_cancelled=True, ground_truth=False),
            annotation(4),
        ],
        "predictions": [{"model_version": "m", "result": [choice("Poor")]}],
    },
    {
        "id": 2, "data": {"qid": "q1", "docno": "d2"}, "predictions": [],
        "annotations": [
            annotation(3, {"from_name": "stars", "to_name": "text", "type": "rating", "value": {"rating": 1}})
        ],
    },
]  # fmt: skip
ABOUT = {"fields": {"text": "..."}, "metadata": {"qid": "q1", "docno": "d1"}, "vectors": {}, "_server_id": "5"}
ARGILLA_NESTED = [
    {
        "id": "r1", **ABOUT,
        "suggestions": {"label": {"value": "Poor", "score": None, "agent": "m"}},
        "responses": {
            "label": [{"value": "Perfect", "user_id": "u1"}, {"value": "Fair", "user_id": "u2"}],
            "comment": [{"value": "cites a source", "user_id": "u1"}],
        },
    }
]  # fmt: skip
ARGILLA_FLAT = [
    {
        "id": "r1", "text": "...", "qid": "q1", "docno": "d1", "_server_id": "5",
        "label.responses": ["Perfect", "Fair", None, "Poor"], "label.responses.users": ["u1", "u2", "u3", "u4"],
        "label.responses.status": ["submitted", "draft", "discarded", "submitted"],
        "label.suggestion": "Poor", "label.suggestion.score": None,
    }
]  # fmt: skip
ARGILLA_1 = [
    {
        "fields": {"text": "..."}, "metadata": {"qid": "q1", "docno": "d1"},
        "responses": [
            {"user_id": "u1", "status": "submitted", "values": {"rating": {"value": 2}}},
            {"user_id": "u2", "status": "discarded", "values": {}},
        ],
    }
]  # fmt: skip


def umbrela(docno: str, prediction: str | None, **more: object) -> str:
    """A record as UMBRELA writes it, with a docno; its own reading is 0 where it understood nothing."""
    own = {"model": "gpt", "query": "red shoes", "passage": "...", "prompt": "Given a query", "docno": docno}
    return json.dumps(own | {"prediction": prediction, "judgment": 0, "result_status": 0} | more) + "\n"


def prodigy(annotator: str, docno: str, answer: str | None, **more: object) -> str:
    """A task as `db-out` writes it."""
    hashes = {"_input_hash": -12, "_task_hash": 34, "_view_id": "choice", "_timestamp": 1714557600}
    task = {"text": "...", "meta": {"qid": "q1", "docno": docno}, "_annotator_id": annotator, "answer": answer}
    return json.dumps(task | hashes | more) + "\n"


OPTIONS = [{"id": 0, "text": "Poor"}, {"id": 2, "text": "Perfect"}]
UMBRELA = umbrela("d1", "##final score: 2", judgment=2) + umbrela("d2", "") + umbrela("d3", "I cannot say.")
PRODIGY = "".join([
    prodigy("p-ada", "d1", "accept", options=OPTIONS, accept=[2]), prodigy("p-bob", "d1", "ignore", accept=[]),
    prodigy("p-ada", "d2", "accept", options=OPTIONS, accept=[]), prodigy("p-ada", "d3", "reject", options=OPTIONS),
    prodigy("p-bob", "d2", "accept", options=OPTIONS, accept=["Poor"]),
])  # fmt: skip


DOCCANO = "".join(json.dumps({"id": n, "text": "...", "qid": "q1", "docno": f"d{n}", **more}) + "\n" for n, more in (
    (1, {"label": ["2"], "Comments": ["cites a source"]}), (2, {"label": [], "Comments": []}), (3, {"label": ["0"]}),
))  # fmt: skip
DOCCANO_GUESS = "read as doccano (columns: qid, docno, label as grade, note)"


def json_min(docno: str, user: object, **answers: object) -> dict[str, Any]:
    """An annotation as JSON-MIN has it: the task's data, its id, the answers, and what belongs to the annotation."""
    data = {"qid": "q1", "docno": docno, "text": "...", "label": "1", "id": 4}
    about = {"annotation_id": 7, "created_at": "2024-05-01T10:00:00Z", "updated_at": "", "lead_time": 4.25}
    return data | answers | {"annotator": user} | about


LABEL_STUDIO_MIN = [
    json_min("d1", "a@x.org", relevance="Perfect", why=[{"text": ["cites a source"]}]),
    json_min("d2", 3, relevance=[{"rating": 1}]), json_min("d3", None),
]  # fmt: skip
CAS_METADATA = {"%ID": 2, "%TYPE": "de.tudarmstadt.ukp.clarin.webanno.api.type.CASMetadata", "@sofa": 1, "begin": 0,
                "end": 5, "username": "ada", "sourceDocumentName": "d1.txt"}  # fmt: skip
RELEVANCE = {"%TYPE": "custom.Relevance", "@sofa": 1}
INCEPTION = {
    "%TYPES": {"custom.Relevance": {"%NAME": "custom.Relevance", "%SUPER_TYPE": "uima.cas.AnnotationBase"}},
    "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": "Wings lift."},
        CAS_METADATA, RELEVANCE | {"%ID": 3, "qid": "q1", "grade": "2"},
        RELEVANCE | {"%ID": 4, "qid": "q2", "mood": "x"},
        {"%ID": 5, "%TYPE": "custom.Span", "@sofa": 1, "begin": 0, "end": 5, "label": "Wing"},
    ],
    "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3, 4, 5]}},
}  # fmt: skip


@pytest.fixture
def store() -> Store:
    """Two topics and a scale in words."""
    return new_store(grades=SCALE, topics={"q1": "red shoes", "q2": "Blue suede"})


def vote_file(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "votes"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def standing(store: Store) -> dict[str, list[tuple[str, str, str, int | None]]]:
    """By assessor: what stands."""
    return {
        name: sorted((e.qid, e.docno, e.kind, e.grade) for e in current_decisions(store, name).values())
        for name in assessors(store)
    }


CASES = {
    "csv": (CSV, {
        "ada": [("q1", "d1", "import", 2), ("q1", "d2", "cannot-judge", None)],
        "bob": [("q1", "d1", "import", 0), ("q2", "d9", "later", None)],
    }, 1, {"mood": 1}),
    "jsonl": (JSONL, {"ada": [("q1", "d1", "import", 2), ("q1", "d2", "cannot-judge", None)]}, 1, {"model": 1}),
    "relevation": (RELEVATION, {"kim": [("q1", "d1", "import", 2)], "lee": [("q2", "d1", "import", 0)]}, 1, {}),
    "quepid": (QUEPID_JSON, {
        "a@x.org": [("q1", "d1", "import", 2)], "b@x.org": [("q1", "d1", "cannot-judge", None)],
        "c@x.org": [("q1", "d1", "later", None)], "9": [("q2", "d2", "import", 0)],
    }, 0, {"position": 3, "document_fields": 3}),
    "label-studio": (LABEL_STUDIO, {
        "a@x.org": [("q1", "d1", "import", 2)],
        "user 3": [("q1", "d1", "cannot-judge", None), ("q1", "d2", "import", 1)],
    }, 1, {"text": 3, "label": 3, "predictions": 3}),
    "argilla": (ARGILLA_FLAT, {
        "u1": [("q1", "d1", "import", 2)], "u2": [("q1", "d1", "later", None)],
        "u3": [("q1", "d1", "cannot-judge", None)], "u4": [("q1", "d1", "import", 0)],
    }, 0, {"id": 4, "text": 4, "label.suggestion": 4}),
    "umbrela": (UMBRELA, {
        "gpt": [("q1", "d1", "import", 2), ("q1", "d2", "cannot-judge", None), ("q1", "d3", "cannot-judge", None)],
    }, 0, {"passage": 3, "prompt": 3}),
    "prodigy": (PRODIGY, {
        "p-ada": [("q1", "d1", "import", 2), ("q1", "d3", "cannot-judge", None)],
        "p-bob": [("q1", "d1", "cannot-judge", None), ("q1", "d2", "import", 0)],
    }, 1, {"text": 5}),
    "doccano": (DOCCANO, {"votes": [("q1", "d1", "import", 2), ("q1", "d3", "import", 0)]}, 1, {"text": 3}),
    "label-studio-min": (LABEL_STUDIO_MIN, {
        "a@x.org": [("q1", "d1", "import", 2)], "user 3": [("q1", "d2", "import", 1)],
    }, 1, {"text": 3, "label": 3, "why": 1}),
    "inception": (INCEPTION, {"ada": [("q1", "d1", "import", 2)]}, 1, {"mood": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_format(store: Store, tmp_path: Path, name: str) -> None:
    """Found by its content; grades, the other states, what was empty and what was lost are as in the file."""
    content, expected, empty, losses = CASES[name]
    votes = read_votes(vote_file(tmp_path, content))
    assert votes.format == name
    outcome = import_votes(store, votes)
    assert standing(store) == expected
    assert (outcome.empty, {field: outcome.lost[field] for field in losses}) == (empty, losses)
    assert {event.source for event in read_events(store)} == {name}
    assert set(assessors(store).values()) == {"import"}


def test_every_votes_format_is_tried() -> None:
    """No format of the table is without a case here."""
    assert {row.name for row in formats_of("votes")} == set(CASES)


def test_votes_by_the_name_of_the_file(tmp_path: Path) -> None:
    """Doccano does not say whose they are; that the file's name was taken is said, and another name goes before it."""
    (tmp_path / "ada.jsonl").write_text(DOCCANO)
    votes = read_votes(tmp_path / "ada.jsonl")
    assert {vote.assessor for vote in votes.votes} == {"ada"}
    assert votes.notes == [DOCCANO_GUESS, "2 votes are counted as votes of ada, because the file has this name"]
    assert votes.votes[0].note == "cites a source"
    file_votes = read_votes(tmp_path / "ada.jsonl", assessor="bob")
    assert ({vote.assessor for vote in file_votes.votes}, file_votes.notes) == ({"bob"}, [DOCCANO_GUESS])
    (tmp_path / "all.jsonl").write_text(DOCCANO)
    with pytest.raises(
        InputError, match=r"all.jsonl:1: no assessor; expected it in one of .*; or name an assessor with --assessor"
    ):
        read_votes(tmp_path / "all.jsonl")


def test_an_assessor_is_never_ignored(tmp_path: Path) -> None:
    """A file that names its assessors is refused with another's name; one that names some of them is not."""
    path = tmp_path / "votes.csv"
    path.write_text("assessor,qid,docno,grade\nzed,q1,d1,1\nzed,q1,d2,1\n")
    refusal = r"votes.csv: the file names its assessors \(zed\), so no vote is by 'ann'; .* --rename zed=ann"
    with pytest.raises(InputError, match=refusal):
        read_votes(path, assessor="ann")
    assert {vote.assessor for vote in read_votes(path, assessor="zed").votes} == {"zed"}
    path.write_text("assessor,qid,docno,grade\nzed,q1,d1,1\n,q1,d2,1\n")
    assert [vote.assessor for vote in read_votes(path, assessor="ann").votes] == ["zed", "ann"]


def test_a_column_called_rating_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("query,docid,Rating\nwing lift,d1,3\n")
    with pytest.raises(InputError, match=r"votes.csv:2: no assessor; .*--assessor"):
        read_votes(path)
    assert [vote.assessor for vote in read_votes(path, assessor="ann").votes] == ["ann"]
    path.write_text("query,docid,ben\nwing lift,d1,3\n")
    assert [vote.assessor for vote in read_votes(path).votes] == ["ben"]


@pytest.mark.parametrize("indent", [None, 2])
def test_doccano_as_json(tmp_path: Path, indent: int | None) -> None:
    """A list of the same; several labels are no grade, nor is a span."""
    records = [json.loads(line) for line in DOCCANO.splitlines()]
    path = tmp_path / "ada.json"
    path.write_text(json.dumps(records, indent=indent))
    assert read_votes(path).format == "doccano"
    assert len(read_votes(path).votes) == 2
    for label in (["1", "2"], [[0, 4, "ORG"]]):
        path.write_text(json.dumps([records[0] | {"label": label}], indent=indent))
        with pytest.raises(InputError, match=r"ada.json, entry 1: label is \[.*; expected one text or number"):
            read_votes(path)


def test_the_data_of_a_task_are_nobodys_answer(tmp_path: Path) -> None:
    """Only what stands between the task's id and the annotator; of several, one is named."""
    several = [json_min("d1", "a@x.org", quality="Poor", certain="yes")]
    with pytest.raises(
        InputError,
        match="found answers to quality, certain; name the question that asks for the grade with --field grade=NAME",
    ):
        read_votes(vote_file(tmp_path, several))
    (vote,) = read_votes(vote_file(tmp_path, several), names={"grade": "quality"}).votes
    assert (vote.grade, vote.seconds, vote.at) == ("Poor", 4.25, "2024-05-01T10:00:00Z")
    assert read_votes(vote_file(tmp_path, [json_min("d1", "a@x.org")])).empty == 1


def test_inception_needs_a_document_and_a_user(tmp_path: Path) -> None:
    """What has no metadata of its CAS is refused; a document without labels has no vote."""
    without = [one for one in INCEPTION["%FEATURE_STRUCTURES"] if one is not CAS_METADATA]
    with pytest.raises(InputError, match="no assessor"):
        read_votes(vote_file(tmp_path, INCEPTION | {"%FEATURE_STRUCTURES": without}))
    votes = read_votes(vote_file(tmp_path, INCEPTION | {"%FEATURE_STRUCTURES": [CAS_METADATA]}))
    assert (votes.votes, votes.empty) == ([], 1)


def test_what_a_cas_library_writes(tmp_path: Path) -> None:
    """The JSON CAS of dkpro-cassis, which INCEpTION's authors keep."""
    cassis = pytest.importorskip("cassis", reason="needs dkpro-cassis")
    types = cassis.TypeSystem()
    about = types.create_type(CAS_METADATA["%TYPE"], "uima.tcas.Annotation")
    label = types.create_type("webanno.custom.Relevance", "uima.cas.AnnotationBase")
    for kind, names in ((about, ("username", "sourceDocumentName")), (label, ("qid", "grade", "note"))):
        for name in names:
            types.create_feature(kind, name, "uima.cas.String")
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = "Wings lift.", "text/plain"
    cas.add(about(username="ada", sourceDocumentName="d1.txt", begin=0, end=5))
    cas.add(label(qid="q1", grade="2", note="so"))
    cas.to_json(str(tmp_path / "ada.json"))
    (vote,) = read_votes(tmp_path / "ada.json").votes
    assert (vote.assessor, vote.qid, vote.docno, vote.grade, vote.note) == ("ada", "q1", "d1", "2", "so")


def test_what_label_studio_converts(tmp_path: Path) -> None:
    """Its own JSON-MIN of its JSON gives the votes of that, but for what was skipped."""
    converter = pytest.importorskip("label_studio_sdk.converter", reason="needs label-studio-sdk")
    config = """<View><Text name="text" value="$text"/>
      <Choices name="relevance" toName="text"><Choice value="Poor"/><Choice value="Perfect"/></Choices>
      <TextArea name="why" toName="text"/><Rating name="stars" toName="text"/></View>"""
    tasks: Any = json.loads(json.dumps(LABEL_STUDIO))
    for one in (one for task in tasks for one in task["annotations"]):
        one["created_at"] = "2024-05-01T10:00:00Z"
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    studio = converter.Converter(config, str(tmp_path))
    studio.convert_to_json_min(str(tmp_path / "tasks.json"), str(tmp_path / "min"), is_dir=False)
    theirs, ours = read_votes(tmp_path / "tasks.json"), read_votes(tmp_path / "min" / "result.json")
    assert ours.format == "label-studio-min"
    labels = [[(v.assessor, v.qid, v.docno, v.grade) for v in of.votes if v.state == "label"] for of in (theirs, ours)]
    assert sorted(labels[0]) == sorted(labels[1])


NOBODY_KNOWS = {
    "something else": '{"title": "Wings", "body": "lift"}\n{"title": "Drag", "body": "slow"}\n',
    "ids alone": '{"qid": "q1", "docno": "d1", "annotator": "ada", "verdict": 2}\n',
}


@pytest.mark.parametrize("text", NOBODY_KNOWS.values(), ids=NOBODY_KNOWS)
def test_what_nothing_recognises_is_refused(tmp_path: Path, cranfield: Cranfield, text: str) -> None:
    """Not imported as no grades; the line names the fields that are there and what would be right."""
    path = tmp_path / "mine.db"
    assert cranfield("init", path, "--name", "mine").code == 0
    result = cranfield("import", "votes", path, vote_file(tmp_path, text))
    assert (result.code, result.out) == (1, "")
    names = ", ".join(json.loads(text.splitlines()[0]))
    assert (
        f"the file contains no votes; its fields are {names}; expected a grade in one of the fields grade, "
        in result.err
    )
    with pytest.raises(InputError, match="no field 'nothing'"):
        read_votes(vote_file(tmp_path, text), names={"grade": "nothing"})


def rows(*lines: str) -> str:
    """Votes as CSV."""
    return "".join(f"{line}\n" for line in ("assessor,qid,docno,grade", *lines))


def json_rows(*records: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, records))


BOTH = [{"data": {"number": "q1", "file": "d1"},
         "annotations": [annotation(1, choice("Poor", "style"), choice("Fair", "rel"))]}]  # fmt: skip
ADA_0_2 = {"ada": [("q1", "d1", "import", 0), ("q1", "d2", "import", 2)]}
ADA_2_0 = {"ada": [("q1", "d1", "import", 2), ("q1", "d2", "import", 0)]}
STANDING: dict[str, tuple[object, dict[str, Any], object]] = {
    "Quepid's CSV": (
        QUEPID_CSV, {}, {"Ada Lovelace": [("q1", "d1", "import", 2)], "bob@example.org": [("q2", "d1", "import", 1)]},
    ),
    "Relevation without users": ("q1 Q0 d1 2\n", {}, {"relevation": [("q1", "d1", "import", 2)]}),
    "Argilla, nested": (ARGILLA_NESTED, {}, {"u1": [("q1", "d1", "import", 2)], "u2": [("q1", "d1", "import", 1)]}),
    "Argilla 1": (ARGILLA_1, {}, {"u1": [("q1", "d1", "import", 2)], "u2": [("q1", "d1", "cannot-judge", None)]}),
    "two models in one file": (
        [json.loads(umbrela("d1", "##final score: 2")), json.loads(umbrela("d1", "##final score: 0", model="b"))],
        {"kind": "model"}, {"gpt": [("q1", "d1", "import", 2)], "b": [("q1", "d1", "import", 0)]},
    ),
    "a single record": (
        json.loads(umbrela("d2", "##final score: 2")), {"kind": "model"}, {"gpt": [("q1", "d2", "import", 2)]},
    ),
    "accept and reject": (
        prodigy("ada", "d1", "accept", label="RELEVANT") + prodigy("ada", "d2", "reject"),
        {"grades": {"accept": 2, "reject": 0}}, ADA_2_0,
    ),
    "a word is the grade of that meaning": (rows("ada,q1,d1,poor", "ada,q1,d2,perfect"), {}, ADA_0_2),
    "a map says it otherwise": (
        rows("ada,q1,d1,perfect", "ada,q1,d2,1.0"), {"grades": {"perfect": 0, "1.0": 2}}, ADA_0_2,
    ),
    "whole floats and booleans": (
        rows("ada,q1,d1,2.0", "ada,q1,d2,True"), {}, {"ada": [("q1", "d1", "import", 2), ("q1", "d2", "import", 1)]},
    ),
    "booleans in JSON": (
        json_rows(*({"assessor": "bob", "qid": "q1", "docno": f"d{n}", "grade": n == 1} for n in (1, 2))), {},
        {"bob": [("q1", "d1", "import", 1), ("q1", "d2", "import", 0)]},
    ),
    "a map of such": (rows("ada,q1,d1,1.0", "ada,q1,d2,TRUE"), {"grades": {"1": 0, "true": 2}}, ADA_0_2),
    "fractions times 2": (
        rows("ada,q1,d1,0.5", "ada,q1,d2,1"), {"times": 2},
        {"ada": [("q1", "d1", "import", 1), ("q1", "d2", "import", 2)]},
    ),
    "fields under other names, also among several answers": (
        BOTH, {"names": {"qid": "number", "docno": "file", "grade": "rel"}, "rename": {"user 1": "ada"}},
        {"ada": [("q1", "d1", "import", 1)]},
    ),
    "in another case": (
        BOTH, {"names": {"qid": "Number", "docno": "FILE", "grade": "Rel"}}, {"user 1": [("q1", "d1", "import", 1)]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STANDING)
def test_what_stands_after_an_import(store: Store, tmp_path: Path, name: str) -> None:
    """Other shapes of files; grades as words, floats and fractions; fields and assessors under other names."""
    content, options, expected = STANDING[name]
    import_file(store, vote_file(tmp_path, content), **options)
    assert standing(store) == expected


def import_file(store: Store, path: Path, names: Mapping[str, str] | None = None, **options: Any) -> VoteImport:
    return import_votes(store, read_votes(path, names=names), **options)


def argilla_nested(*statuses: str | None) -> list[dict[str, Any]]:
    """A record with an answer of u0, u1, ... each; those without a status have no such field."""
    answers = [
        {"value": "Fair", "user_id": f"u{number}"} | ({"status": status} if status else {})
        for number, status in enumerate(statuses)
    ]
    return [{"id": "r1", "status": "completed", **ABOUT, "suggestions": {}, "responses": {"label": answers}}]


def test_drafts_and_discarded_answers_of_a_nested_export_are_no_votes(store: Store, tmp_path: Path) -> None:
    """Where it has the status of an answer; that of the record is none."""
    votes = read_votes(vote_file(tmp_path, argilla_nested("submitted", "draft", "discarded")), "argilla")
    import_votes(store, votes)
    kinds = {name: kind for name, ((_, _, kind, _),) in standing(store).items()}
    assert (kinds, votes.notes) == ({"u0": "import", "u1": "later", "u2": "cannot-judge"}, [])


OLD_FLAT = [{name: value for name, value in ARGILLA_FLAT[0].items() if not name.endswith("status")}]
OLD_1 = [ARGILLA_1[0] | {"responses": [{"user_id": "u1", "values": {"rating": {"value": 2}}}]}]


@pytest.mark.parametrize(
    ("content", "votes"), [(argilla_nested(None, "submitted", None), 2), (OLD_FLAT, 3), (OLD_1, 1)]
)
def test_an_export_without_status_is_said_not_to_have_it(tmp_path: Path, content: object, votes: int) -> None:
    """Which votes are none cannot be told from it, and the line names the export that can."""
    (note,) = read_votes(vote_file(tmp_path, content), "argilla").notes
    assert (
        f"{votes} vote{'s' * (votes > 1)} may be drafts or discarded answers, because this export lacks the status"
        in note
    )
    assert "to_list(flatten=True)" in note


def test_notes_times_and_seconds_come_along(store: Store, tmp_path: Path) -> None:
    """With the moment in UTC; the text that was judged is not known."""
    import_file(store, vote_file(tmp_path, CSV))
    one, _, two, *_ = read_events(store)
    assert (one.note, one.seconds, one.at) == ("short, but right", 12.5, "2024-05-01T10:00:00.000+00:00")
    assert (two.at, two.document_sha256) == ("2024-05-01T09:00:00.000+00:00", None)


ANSWERS = {
    "##final score: 0": 0,
    "##final score: 3\nIt answers the query.": 3,
    "##final score: 0\nThe passage is unrelated to 3 of the 4 aspects.": 0,  # others have read a 3 here
    "##final score: 1\nOn a scale 0 to 3 it is low.": 1,  # and here
    "**Final Score:** 2": 2,
    '{"M": 2, "T": 1, "O": 1}': 1,
    " 3 ": 3,
    "final score: 10": None,  # not a 1
    "##final score: -1": None,
    "##final score: 1.5": None,
    "##final score: 1-2": None,
    "##final score: 1 or 2": None,
    "##final score: 1 \u2013 2": None,
    "##final score: 1\n##final score: 2": None,
    "##final score: 2\n##final score: 2": 2,
    "##final score: score": None,
    "It is about 3 shoes.": None,
    "": None,
    None: None,
}


@pytest.mark.parametrize(("answer", "grade"), ANSWERS.items(), ids=map(repr, ANSWERS))
def test_a_models_answer_gives_its_score_or_none(tmp_path: Path, answer: str | None, grade: int | None) -> None:
    """UMBRELA's reading wrote 0 for what it did not understand, and took digits of the reasoning for the score.

    Here it is one score that is on the scale, whatever stands after it; everything else is a failure with a reason.
    """
    store = new_store(grades={grade: str(grade) for grade in range(4)}, topics={"q1": "red shoes"})
    wrong = 0 if grade is None else 3 - grade
    outcome = import_file(store, vote_file(tmp_path, umbrela("d1", answer, judgment=wrong)), kind="model")
    (event,) = read_events(store)
    assert event.grade == grade
    assert event.note == (answer or "").strip()
    assert (outcome.grades, outcome.cannot_judge) == ((0, 1) if grade is None else (1, 0))
    assert bool(event.reason) == (grade is None)


def test_times_of_tasks_come_along(store: Store, tmp_path: Path) -> None:
    """A task that nobody has answered is no vote."""
    import_file(store, vote_file(tmp_path, prodigy("ada", "d1", "accept", label="RELEVANT")), grades={"accept": 2})
    assert {event.at for event in read_events(store)} == {"2024-05-01T10:00:00.000+00:00"}
    assert read_votes(vote_file(tmp_path, prodigy("a", "d1", None))).empty == 1


def test_a_text_area_is_a_note(store: Store, tmp_path: Path) -> None:
    """What was written beside the label goes with it."""
    import_file(store, vote_file(tmp_path, LABEL_STUDIO))
    assert next(event.note for event in read_events(store)) == "cites a source"


def test_a_models_prediction_is_nobodys_vote(store: Store, tmp_path: Path) -> None:
    """A record with predictions or suggestions only, and a gold label in its data, has no vote."""
    for content in (
        [{"data": {"qid": "q1", "docno": "d1", "label": 2}, "annotations": [annotation(1)],
          "predictions": [{"result": [choice("Poor")]}]}],
        [{"metadata": {"qid": "q1", "docno": "d1", "label": 2}, "responses": [{"user_id": "u", "values": {}}],
          "suggestions": {"label": {"value": "Poor"}}}],
    ):  # fmt: skip
        outcome = import_file(store, vote_file(tmp_path, content))
        assert (outcome.grades, outcome.empty) == (0, 1)
    assert len(qrels_of(store)) == 0


def test_true_is_no_grade_where_one_is_not_relevant(tmp_path: Path) -> None:
    """It would say the opposite."""
    path = vote_file(tmp_path, rows("ada,q1,d1,true"))
    with new_store(grades={0: "no", 1: "hardly", 2: "yes"}, min_relevant=2) as store:
        wrong = r"votes:2: 'true', but grades are relevant from 2; map it with --grades true=2,fal"
        with pytest.raises(InputError, match=wrong):
            import_file(store, path)
        assert import_file(store, path, grades={"true": 2, "false": 0}).grades == 1


def test_grades_off_the_scale_are_set_aside(store: Store, tmp_path: Path) -> None:
    """They cannot be judged, which says why, and are counted."""
    path = vote_file(tmp_path, "assessor,qid,docno,grade\nada,q1,d1,1\nada,q1,d2,7\nada,q1,d3,odd\n")
    outcome = import_file(store, path, set_aside=True)
    assert str(outcome).startswith(
        'imported 1 grade, 2 "cannot judge" (2 for a grade off the scale) and 0 "judge later" by ada'
    )
    assert [event.reason for event in read_events(store)] == [
        "",
        "grade 7 is off the scale",
        "grade odd is off the scale",
    ]
    assert len(qrels_of(store)) == 1


WRONG: dict[str, tuple[Any, ...]] = {
    "accept, without a map": (prodigy("ada", "d1", "accept"), "votes:1: grade 'accept' is not on this collection's sc"),
    "a map without a grade": (
        rows("ada,q1,d1,perfect", "ada,q1,d2,1.0"), r"votes:3: grade '1\.0'; expected one of perfect",
        {"grades": {"perfect": 0}},
    ),
    "several options": (prodigy("a", "d2", "accept", accept=[0, 2]), r"votes:1: grade is \[0, 2\]; expected one text"),
    "no such field": (BOTH, "a vote has no field 'colour'; available: assessor, qid", {"names": {"colour": "x"}}),
    "a grade off the scale": ("assessor,qid,docno,grade\nada,q1,d1,1\nada,q1,d2,7\n", "votes:3: grade '7' is not on"),
    "half a grade": (
        '{"assessor": "a", "qid": "q1", "docno": "d", "grade": 1.5}',
        r"votes:1: grade '1\.5' is not a whole number; .* import votes --times 10`",
    ),
    "a grade off the scale once multiplied": (
        '{"assessor": "a", "qid": "q1", "docno": "d", "grade": 3.5}', r"grade '3\.5', which becomes 7, is not on",
        {"times": 2},
    ),
    "no assessor": ("qid,docno,grade\nq1,d1,1\n", "votes:2: no assessor; expected it in one of the fields assessor"),
    "no document": ('{"assessor": "a", "qid": "q1", "grade": 1}', "votes:1: no docno"),
    "an unknown topic": ("assessor,qid,docno,grade\nada,q1,d1,1\nada,q7,d1,1\n", "votes:3: topic 'q7' is not in"),
    "an unknown query": ("query,docid,ada\nred shoes,d1,1\ngreen,d1,1\n", "votes:3: no topic has the title 'green'"),
    "an unknown state": ("assessor,qid,docno,grade,state\nada,q1,d1,1,odd\n", "votes:2: state 'odd'; expected one of"),
    "odd seconds": ("assessor,qid,docno,grade,seconds\nada,q1,d1,1,long\n", "votes:2: 'long' is not a number of s"),
    "a list for a grade": (
        [{"data": {"qid": "q1", "docno": "d"}, "annotations": [annotation(1, {
            "from_name": "r", "type": "choices", "value": {"choices": ["Poor", "Fair"]}})]}],
        "votes, entry 1: r is ",
    ),
    "two answers without names": (
        [{"data": {"qid": "q1", "docno": "d"}, "annotations": [annotation(1, *UNNAMED)]}],
        "votes, entry 1: found answers to choices, number; name the question that asks for the grade with --field"
        " grade=NAME",
    ),
    "two answers to a question": (
        [{"data": {"qid": "q1", "docno": "d"}, "annotations": [annotation(1, choice("Poor"), choice("Fair"))]}],
        "votes, entry 1: an annotation contains two answers to relevance; expected one",
    ),
    "two questions": (
        [{"data": {"qid": "q1", "docno": "d"}, "annotations": [annotation(1, choice("Poor", "a"), choice("x", "b"))]}],
        "votes, entry 1: found answers to a, b; name the question that asks for the grade with --field grade=NAME",
    ),
    "a short row": ("assessor,qid,docno,grade\nada,q1,d1\n", "votes:2: 3 cells; expected 4, as in the header"),
    "a broken book": ('{"query_doc_pairs": 3}', "votes:1: query_doc_pairs is 3; expected a list"),
    "cut JSON": ('[{"data": {}, "annotations": [{"result": [', "votes:1: not JSON"),
    "uneven lists": (
        '[{"qid": "q1", "docno": "d", "a.responses": [1], "a.responses.users": []}]',
        "votes, entry 1: the responses, users and statuses of a differ",
    ),
    "a name for repeats": ("assessor,qid,docno,grade\nx (repeat),q1,d1,1\n", "is not a valid assessor name"),
    "nothing": ("assessor,qid,docno,grade\n", "votes: no votes"),
    "an empty file": ("", "votes:1: an empty file; expected votes"),
}  # fmt: skip


def test_answers_of_label_studio_without_names_have_their_types(store: Store, tmp_path: Path) -> None:
    """A choice next to the grade is reported; the texts of two questions are one note."""
    why = [COMMENT, COMMENT | {"from_name": "more", "value": {"text": ["old"]}}]
    rating = {"type": "rating", "value": {"rating": 2}}
    task = {"data": {"qid": "q1", "docno": "d1"}, "annotations": [annotation(1, UNNAMED[0], rating, *why)]}
    (tmp_path / "votes").write_text(json.dumps([task]))
    votes = read_votes(tmp_path / "votes")
    assert [(vote.grade, vote.note) for vote in votes.votes] == [("2", "cites a source; old")]
    assert votes.unplaced == {"choices": 1}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_with_its_record(store: Store, tmp_path: Path, name: str) -> None:
    """One line with file and record, and not one vote of the file stays."""
    content, message, *options = WRONG[name]
    with pytest.raises(InputError, match=message) as error:
        import_file(store, vote_file(tmp_path, content), **dict(*options))
    assert "\n" not in str(error.value)
    assert (read_events(store), assessors(store)) == ([], {})


def test_twice_is_refused(store: Store, tmp_path: Path) -> None:
    """The same file again would count everybody twice."""
    votes = read_votes(vote_file(tmp_path, CSV))
    import_votes(store, votes)
    with pytest.raises(InputError, match="votes:2: ada has already judged topic 'q1', document 'd1'"):
        import_votes(store, votes)


def test_a_changed_mind_and_a_repetition(store: Store, tmp_path: Path) -> None:
    """The later vote of one person counts, by time where there are times; the same vote again is left out."""
    rows = "ada,q1,d1,2,2024-02-01\nada,q1,d1,0,2024-01-01\nada,q1,d1,2,2024-02-01\n"
    outcome = import_file(store, vote_file(tmp_path, f"assessor,qid,docno,grade,at\n{rows}"))
    assert (outcome.grades, outcome.changed, outcome.repeated) == (2, 1, 1)
    assert standing(store) == {"ada": [("q1", "d1", "import", 2)]}


@pytest.mark.parametrize("ours", ["grade", "note", "seconds", "state"])
@pytest.mark.parametrize("name", ["csv", "jsonl", "label-studio", "umbrela"])
def test_a_field_that_no_record_has_is_refused(tmp_path: Path, name: str, ours: str) -> None:
    """It would change nothing, or leave every record without a vote."""
    with pytest.raises(InputError, match="votes: no field 'nosuch'; the fields in the file are "):
        read_votes(vote_file(tmp_path, CASES[name][0]), names={ours: "nosuch"})


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["0", "1", "2", "", "later", "unrateable", "draft", "skipped", "error"]), min_size=1))
def test_nothing_without_a_grade_becomes_a_grade(tmp_path_factory: pytest.TempPathFactory, grades: list[str]) -> None:
    """Whatever is said instead of a grade: as many grades come in as there were, and no zero more."""
    rows = "".join(f"ada,q1,d{number},{grade}\n" for number, grade in enumerate(grades))
    store = new_store(grades=SCALE)
    path = vote_file(tmp_path_factory.mktemp("votes"), f"assessor,qid,docno,grade\n{rows}")
    import_file(store, path)
    assert sorted(qrels_of(store).grade.tolist()) == sorted(int(grade) for grade in grades if grade.isdigit())


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    """What came and what did not, in three lines; usage errors are 2, data errors 1 and leave nothing."""
    monkeypatch.chdir(tmp_path)
    cranfield("init t.db --name x --scale 0=Poor,1=Fair,2=Perfect")
    vote_file(tmp_path, LABEL_STUDIO)
    result = cranfield("import", "votes", "t.db", "votes", "--rename", "user 3=bob", "--kind", "human")
    assert result.out.splitlines() == [
        'imported 2 grades, 1 "cannot judge" and 0 "judge later" by a@x.org, bob (format label-studio).',
        "0 votes replaced an earlier vote. 0 repeated votes and 1 record without a vote were skipped.",
        "skipped fields that the store does not have: label (3 records), predictions (3 records), text (3 records)",
    ]
    vote_file(tmp_path, argilla_nested(None))
    result = cranfield("import", "votes", "t.db", "votes", "--rename", "user 3=bob", "--field", "docno=docno")
    assert result.err.splitlines() == [
        "note: votes: read as argilla (Argilla's records as JSON, nested or flattened)",
        "note: votes: 1 vote may be drafts or discarded answers, because this export lacks the status; export again"
        " with Argilla's records.to_list(flatten=True)",
        "note: --rename user 3: the files contain no votes by this assessor",
    ]
    vote_file(tmp_path, LABEL_STUDIO)
    assert cranfield("import votes t.db votes --kind alien").code == 2
    assert cranfield("import votes t.db votes --grades a=b").code == 2
    assert cranfield("import votes t.db votes").err.startswith("error: votes, entry 1: a@x.org has already judged")


def test_votes_are_imported_by_a_function(tmp_path: Path) -> None:
    """A row for each file; an assessor to rename whom no file has is a warning that names the keyword."""
    path = new_file(tmp_path / "t.db", topics=["q1"], documents=["d1", "d2"])
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("assessor,topic,docno,grade\nann,q1,d1,Good\nann,q1,d2,Bad\n")
    second.write_text("assessor,topic,docno,grade\nben,q1,d1,Bad\n")
    with pytest.raises(InputError, match="votes is 5; expected a path or a list of paths"):
        cranfield.store.import_votes(path, 5)  # type: ignore[arg-type]
    with pytest.warns(CranfieldWarning, match="rename zoe: the files contain no votes by this assessor"):
        result = cranfield.store.import_votes(
            path, [first, second], format="csv", field={"qid": "topic"}, grades={"Good": 1, "Bad": 0}, kind="human",
            rename={"ben": "Benjamin", "zoe": "Zoe"},
        )  # fmt: skip
    assert result.frame[["file", "grades", "later"]].values.tolist() == [[str(first), 2, 0], [str(second), 1, 0]]
    with Store.open(path) as store:
        assert store.rows("SELECT name, kind FROM assessor ORDER BY id") == [("ann", "human"), ("Benjamin", "human")]
