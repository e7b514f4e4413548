"""Small sound files of every format, and what is written for every option that has a notation of its own."""

import io
import json
import struct
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

Samples = tuple[bytes, ...]

CORPUS_JSONL = (
    '{"_id": "d1", "title": "Wings", "text": "The lift of a wing — naïve", "metadata": {"year": 1958}}\n'
    '{"_id": "d2", "title": "", "text": "drag", "url": "https://a.example"}\n{"docno": 3, "contents": "a \\u00e9 b"}\n'
)
TOPICS_JSONL = (
    '{"qid": "q1", "title": "lift", "description": "What lifts?", "narrative": "n"}\n{"_id": 2, "text": "x"}\n'
)
QRELS_TSV = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n"
CORPUS_TREC = (
    "<DOC>\n<DOCNO> FT-1 </DOCNO>\n<HEADLINE>A &amp; B</HEADLINE>\n<TEXT>\n<p>one</p> <!-- two -->\nthree\n</TEXT>\n"
    "</DOC>\n<DOC><DOCNO>FT-2</DOCNO><DATE>1994</DATE><TEXT>&lt;four&#233;</TEXT></DOC>\n"
)
CORPUS_SMART = ".I 1\n.T\na title\n.A\nBrown, J.\n.B\nj. ae. 1958\n.W\nthe text\nof it\n.I 2\n.W\nmore\n.X\n1 5 2\n"
TOPICS_TREC = (
    "<top>\n<num> Number: 301\n<title> lift of wings\n<desc> Description:\nWhat lifts?\n<narr> All.\n</top>\n"
    "<top><num>302</num><title>drag</title></top>\n"
)
TOPICS_XML = (
    '<?xml version="1.0"?>\n<topics task="a"><topic number="1" type="faceted"><query>lift &amp; drag</query>'
    '<narrative>n</narrative><subtopic number="1" type="inf">s</subtopic></topic>\n<topic number="2"><query>x</query>'
    "</topic></topics>\n"
)
RUNS = "".join(f"q{1 + row // 8} Q0 d{row % 8} {row} {9 - row // 3}.50 é\n" for row in range(16))
RUN = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1e-3 bm25\nq2 Q0 d1 1 -7 bm25\n"
METADATA = (
    "# ir_metadata.start\n# actor:\n#   team: delta\n#   started: 2024-05-01\n# method:\n#   description: BM25\n"
    "#   parts: [1, 2.5, .nan, null, true]\n# ir_metadata.end\n"
)
LOG_JSONL = (
    '{"id": "i1", "at": 1700000000, "user": "u", "session": "s", "query": "lift", "arm": "A", "docs": ["d1", "d2"],'
    ' "teams": "ab", "propensity": [0.5, 1], "actions": [{"kind": "click", "doc": "d2", "at": 1700000002}]}\n'
    '{"id": 2, "at": "2024-05-01T10:00:00Z", "qid": "q1", "docs": [], "actions": [{"kind": "reformulate"}]}\n'
)
UBI_QUERIES = (
    '{"query_id": "a", "client_id": "c1", "user_query": "lift", "timestamp": "2024-05-01T10:00:00Z",'
    ' "query_response_hit_ids": ["d1", "d2"], "query_attributes": {"arm": "A"}}\n'
)
UBI_EVENTS = (
    '{"action_name": "impression", "query_id": "b", "timestamp": "2024-05-01T10:00:00Z", "user_query": "drag",'
    ' "event_attributes": {"object": {"object_id": "d1"}, "position": {"ordinal": 0}}}\n'
    '{"action_name": "click", "query_id": "b", "timestamp": 1714557601000,'
    ' "event_attributes": {"object": {"object_id": "d1"}, "position": {"ordinal": 0}}}\n'
)
GA4 = [
    {
        "event_name": name, "event_timestamp": at, "user_pseudo_id": "u1",
        "event_params": [
            {"key": "ga_session_id", "value": {"int_value": 7}},
            {"key": "search_term", "value": {"string_value": "lift"}},
        ],
        "items": [{"item_id": "d1", "item_list_id": "results", "index": 0, "price": 7.5}],
    }
    for name, at in (("view_search_results", 10**15), ("select_item", 10**15 + 5), ("purchase", 10**15 + 9))
]  # fmt: skip
OBD = (
    ",timestamp,item_id,position,click,propensity_score,user_feature_0\n"
    "0,2019-11-24 00:00:12.340821+00:00,79,2,0,0.0125,x\n1,2019-11-24 00:00:20+00:00,3,1,1,0.0125,y\n"
)
LABEL_STUDIO = [
    {
        "id": 1,
        "data": {"qid": "q1", "docno": "d1"},
        "annotations": [
            {
                "id": 3,
                "completed_by": {"id": 1, "email": "a@b.example"},
                "lead_time": 2.5,
                "created_at": "2024-05-01T10:00:00Z",
                "result": [
                    {"type": "choices", "from_name": "grade", "value": {"choices": ["2"]}},
                    {"type": "textarea", "from_name": "why", "value": {"text": ["so"]}},
                ],
            },
            {"completed_by": 2, "was_cancelled": True, "result": []},
        ],
        "predictions": [],
    }
]
ARGILLA = [
    {
        "fields": {"text": "x"},
        "metadata": {"qid": "q1", "docno": "d1"},
        "responses": {"grade": [{"value": 2, "user_id": "ada"}]},
        "status": "completed",
    },
    {
        "qid": "q1",
        "docno": "d2",
        "grade.responses": [1],
        "grade.responses.users": ["ada"],
        "grade.responses.status": [],
    },
    {
        "metadata": {"qid": "q2", "docno": "d1"},
        "responses": [{"user_id": "bob", "status": "discarded", "values": {"grade": {"value": "0"}}}],
    },
]
JSON_MIN = [
    {"qid": "q1", "docno": docno, "id": 1, "grade": grade, "annotator": user, "annotation_id": 3, "lead_time": 2.5}
    for docno, grade, user in (("d1", "2", "ada"), ("d2", [{"rating": 1}], 7))
]
INCEPTION = {
    "%TYPES": {},
    "%FEATURE_STRUCTURES": [
        {"%ID": 2, "%TYPE": "a.CASMetadata", "username": "ada", "sourceDocumentName": "d1.txt"},
        {"%ID": 3, "%TYPE": "custom.Relevance", "qid": "q1", "grade": "2"},
    ],
}
DOCCANO = (
    '{"id": 1, "text": "x", "qid": "q1", "docno": "d1", "user": "ada", "label": ["2"], "Comments": ["so"]}\n'
    '{"id": 2, "text": "y", "qid": "q1", "docno": "d2", "user": "ada", "label": []}\n'
)
QUEPID = {
    "name": "book",
    "query_doc_pairs": [
        {
            "query_text": "lift",
            "doc_id": "d1",
            "judgements": [
                {"rating": 1.0, "user_email": "a@b.example", "unrateable": False},
                {"rating": None, "user_id": 2, "judge_later": True},
            ],
        }
    ],
}
UMBRELA = (
    '{"model": "m", "query": "lift", "qid": "q1", "docno": "d1", "passage": "p", "prediction": "##final score: 2"}\n'
    '{"model": "m", "query": "lift", "docno": "d2", "prediction": "{\\"M\\": 1, \\"O\\": 3}", "judgment": 3}\n'
)
PRODIGY = (
    '{"qid": "q1", "docno": "d1", "_task_hash": 7, "_view_id": "choice", "accept": ["2"], "answer": "accept",'
    ' "options": [], "_annotator_id": "ada", "_timestamp": 1714557600}\n'
    '{"meta": {"qid": "q1", "docno": "d2"}, "_task_hash": 8, "answer": "ignore", "_session_id": "s"}\n'
)
VOTES_CSV = (
    'assessor,qid,docno,grade,note,seconds,at,state\nada,q1,d1,2,"short, but",12.5,2024-05-01T10:00:00Z,\n'
    "bob,q1,d2,,,3,,cannot-judge\nbob,q2,d1,,,,,later\n"
)
VOTES_JSONL = '{"assessor": "ada", "qid": "q1", "docno": "d1", "grade": 2}\n{"user": 1, "topic": "q1", "docid": "d"}\n'
SENTENCES = [{"text": "Wings lift na\u00efvely.", "citations": [1, 0]}, {"text": "Drag."}]
RAG24 = {"run_id": "r", "topic_id": "q1", "topic": "t", "references": ["d1", "d2"], "answer": SENTENCES}
RAG25 = {
    "metadata": {"team_id": "t", "run_id": "r", "narrative_id": 1, "type": "manual"},
    "references": ["d1", "d2"],
    "answer": [*SENTENCES, {"text": "x", "citations": ["d2"]}],
}
RAGTIME = {
    "metadata": {"team_id": "t", "run_id": "r", "topic_id": "q1"},
    "responses": [{"text": "a", "citations": {"d1": 0.5, "d2": 1}}, {"text": "b", "citations": ["d3"]}],
}
RANK_LLM = {
    "query": {"text": "t", "qid": "q1"},
    "candidates": [{"docid": "d1", "score": 0.5, "doc": {"contents": "x"}}],
}
VITAL = {"text": "Lift grows.", "importance": "vital"}
NUGGET = {"qid": "q1", **VITAL, "contributors": ["r"], "labels": [{"run": "r", "assessor": "a", "label": "failed"}]}
CLAIMS = """{"qid": "q1", "claims": ["Wings lift.", "Drag slows."]}
{"qid": 2, "claims": ["Speed counts."]}
{"qid": "q1", "run": "r", "claims": ["Wings lift."]}
{"qid": "2", "run": "r", "claims": []}
"""
NUGGETS = {"qid": "q1", "run_id": "r", "query": "t", "nuggets": [{**VITAL, "assignment": "partial_support"}]}
PUBLISHED: dict[str, Any] = {
    "layout": 1, "program": "cranfield 0.1.0", "guidelines": "Read.", "description": {"title": "Tiny"},
    "collection": {"name": "tiny", "description": "", "licence": "MIT", "created": "2026-03-31",
                   "grades": {"0": "no", "1": "yes"}, "min_relevant": 1},
    "options": {"targets": ["hf"], "policy": "primary", "text": True, "runs": True, "log": "no", "split": ["q1"]},
    "topics": ["q1"], "first_assessors": [["q1", "a01"]], "files": {"runs/r.gz": "00" * 32},
    "pools": [{"number": 1, "method": "depth", "parameters": {"depth": 10}, "seed": 0, "version": "0.1.0",
               "created": "2026-03-31", "steps": [[1, "q1", 3]], "heard": [[1, "q1", "d1", None]]}],
    "runs": [{"tag": "r", "file": "r.gz", "team": "r", "kind": "automatic", "description": "", "pooled": True}],
}  # fmt: skip
PUBLISHED_LOG = {"log": {"events": 2, "head": "00" * 32, "chains": ["00" * 32]}, "earlier": []}
ZENODO = {"title": "Tiny", "upload_type": "dataset", "description": "<p>small</p>", "creators": [{"name": "Ada"}]}
DESCRIPTION = """title = "A \\"tiny\\" one"
version = "1.0"
date = 2026-03-31
licence = "CC-BY-4.0"
language = ["en", "pt-BR"]
creators = [{ name = "Ada", orcid = "0000-0002-1825-0097" }, "Bob; University"]
derived_from = ["10.1234/a", "https://example.org"]
purpose = '''
To test.'''
"""
RECIPE = """name = "Tiny"
min_relevant = 1
quirks = ["a", "b"]
[grades]
0 = "no"
1 = "yes"
[[corpus]]
path = "corpus"
format = "jsonl"
sha256 = "0123456789012345678901234567890123456789012345678901234567890123"
[corpus.field]
text = "story"
[[topics]]
path = "topics"
ids = "ordinal"
[[qrels]]
path = "qrels"
grades = { 1 = 1, -1 = 0 }
times = 10
off_scale = "cannot-judge"
[[runs]]
path = "run"
"""
SCORES = {
    "topics": 2,
    "scores": [{"run": "a", "measure": "AP", "value": 0.5}, {"run": "b", "measure": "AP", "value": 1}],
}


def encode(*texts: str) -> Samples:
    """Texts as they stand in files."""
    return tuple(text.encode() for text in texts)


def as_json(document: object) -> str:
    return json.dumps(document)


def lz4(data: bytes) -> bytes:
    """Data as an LZ4 frame."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(data)
    return bytes(sink.getvalue().to_pybytes())


def cbor(value: object) -> bytes:
    """Maps by text, lists, texts and numbers in CBOR."""
    if isinstance(value, dict):
        return _cbor_head(5, len(value)) + b"".join(cbor(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return _cbor_head(4, len(value)) + b"".join(map(cbor, value))
    if isinstance(value, str):
        return _cbor_head(3, len(value.encode())) + value.encode()
    if isinstance(value, int):
        return _cbor_head(0, value) if value >= 0 else _cbor_head(1, -1 - value)
    return b"\xfb" + struct.pack(">d", value)


def _cbor_head(kind: int, number: int) -> bytes:
    size = next(size for size in (0, 1, 2, 4, 8) if number < (24 if size == 0 else 1 << 8 * size))
    if not size:
        return bytes([kind << 5 | number])
    return bytes([kind << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[size]]) + number.to_bytes(size)


@cache
def parquet(**columns: tuple[object, ...]) -> bytes:
    """A corpus in Parquet, or other columns."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    corpus = {"docno": ["d1", "d2"], "title": ["a", None], "text": ["lift of wings", "drag"], "year": [1958, 7]}
    table = pa.table(columns or corpus)
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


@cache
def workshop(name: str) -> bytes:
    """A file of the bundled collection."""
    return (files("cranfield") / "collections" / "workshop" / name).read_bytes()


def of_arrow_formats() -> Mapping[tuple[str, str], Samples]:
    """Sound files of the formats that pyarrow writes; none without it."""
    if find_spec("pyarrow") is None:
        return {}
    return {
        ("corpus", "parquet"): (parquet(),),
        ("topics", "parquet"): (parquet(qid=("q1", "q2"), title=("lift", "drag")),),
        ("run", "ranx"): (
            lz4(lz4(cbor({"q1": {"d1": 0.5, "d2": 2}, "q2": {"d1": -1e3}}))),
            lz4(lz4(cbor({"metadata": {"a": ["b", 1]}, "run": {"q1": {"d1": 0.5}}}))),
        ),
        ("run", "parquet"): (parquet(qid=("q1", "q1"), docno=("d1", "d2"), score=(0.5, 2.0)),),
        ("qrels", "parquet"): (parquet(qid=("q1", "q1"), docno=("d1", "d2"), grade=(1, 0)),),
        ("log", "parquet"): (
            parquet(id=("i1", "i1"), at=(100.0, 100.0), query=("lift", "lift"), doc=("d1", "d2"), click=(0, 1)),
        ),
    }


def of_formats() -> Mapping[tuple[str, str], Samples]:
    """Sound files of each kind and format."""
    return {
        ("corpus", "beir"): encode(CORPUS_JSONL),
        ("corpus", "folder"): encode("Brakes\n\nOil the chain.\n"),
        ("corpus", "jsonl"): encode(CORPUS_JSONL),
        ("corpus", "trec"): encode(CORPUS_TREC),
        ("corpus", "smart"): encode(CORPUS_SMART),
        ("corpus", "tsv"): encode('docno\ttitle\ttext\nd1\ta\tlift\nd2\t\tdrag "x\n'),
        ("corpus", "csv"): encode('id,title,text,url\nd1,a,"lift, of\n""wings""",u\nd2,,drag,\n'),
        ("topics", "beir"): encode(TOPICS_JSONL),
        ("topics", "jsonl"): encode(TOPICS_JSONL),
        ("topics", "json"): encode('{"q1": "lift of wings",\n "q2": {"title": "drag", "description": "why"}}'),
        ("topics", "trec"): encode(TOPICS_TREC),
        ("topics", "xml"): encode(TOPICS_XML),
        ("topics", "smart"): encode(CORPUS_SMART),
        ("topics", "csv"): encode('qid,title,description\nq1,"lift, of wings",why\nq2,drag,\n'),
        ("topics", "tsv"): encode("q1\tlift of wings\nq2\tdrag\n", "qid\ttitle\tdescription\nq1\ta\tb\n"),
        ("run", "rank-llm"): encode(as_json(RANK_LLM) + "\n", as_json([RANK_LLM, RANK_LLM | {"query": {"qid": 2}}])),
        ("run", "mteb"): encode(as_json({"mteb_model_meta": {"model_name": "m"}, "en": {"test": {"q1": {"d1": 0.5}}}})),
        ("run", "json"): encode('{"q1": {"d1": 0.5, "d2": 2}, "q2": {"d1": -1e3}}'),
        ("run", "jsonl"): encode(
            '{"qid": "q1", "docno": "d1", "score": 0.5}\n{"qid": 2, "docno": "d1", "score": 3, "rank": 1}\n',
            '{"qid": "q1", "docno": "d1", "rank": 1}\n{"qid": 2, "docno": "d1", "rank": 1}\n',
        ),
        ("run", "tsv"): encode("query_id\tdoc_id\tscore\trun\nq1\td1\t0.5\ta\nq1\td2\t-1\ta\n"),
        ("run", "csv"): encode('qid,docno,rank\nq1,"d,1",1\nq1,d2,2\n'),
        ("run", "msmarco"): encode("1048585\t7187158\t1\n1048585\t7187157\t2\n"),
        ("run", "qid-docno-score"): encode("1048585\t7187158\t9.5\n1048585\t7187157\t9.25\n"),
        ("run", "trec"): encode(RUN, METADATA + RUN),
        ("qrels", "beir"): encode(QRELS_TSV),
        ("qrels", "json"): encode('{"q1": {"d1": 1, "d2": 2.0}, "q2": {"d1": 0}}'),
        ("qrels", "jsonl"): encode(
            '{"qid": "q1", "docno": "d1", "label": 1}\n{"qid": 2, "docno": "d1", "label": "0"}\n'
        ),
        ("qrels", "tsv"): encode("topic\tdocid\trelevance\nq1\td1\t1\nq1\td2\t-1\n"),
        ("qrels", "csv"): encode("query-id,corpus-id,score\nq1,d1,1.0\nq1,d2,0.0\n"),
        ("qrels", "cranqrel"): encode("1 184 2\n1 29 -1\n2 12 3\n"),
        ("qrels", "smart-rel"): encode("1 28 0 0.000000\n1 35 0 0.000000\n"),
        ("qrels", "grade-stratum"): encode("1 0 d1 -1 2\n1 0 d2 2 1\n2 0 d1 0 0\n"),
        ("qrels", "sample-eval"): encode("1 0 d1 2 -1\n1 0 d2 1 2\n2 0 d1 0 0\n"),
        ("qrels", "subtopics"): encode("1 1 d1 1\n1 2 d1 0\n1 2 d2 -2\n2 10 d1 1\n"),
        ("qrels", "trec"): encode("q1 0 d1 2\nq1 0 d2 0\nq2 Q0 d1 -1\n# a comment\n"),
        ("log", "jsonl"): encode(LOG_JSONL),
        ("log", "ubi"): encode(UBI_QUERIES, UBI_EVENTS),
        ("log", "yandex"): encode("7\t0\tQ\t12\t1\td1\td2\n7\t9\tC\td2\n8\t0\tQ\t13\t1\td1\n"),
        ("log", "obd"): encode(OBD),
        ("log", "csv"): encode(
            "id,at,user,query,arm,doc,position,click\ni1,100,u,lift,A,d1,1,0\ni1,100,u,lift,A,d2,2,1\n",
            "id\tat\tquery\tkind\tdoc\ni1\t100\tlift\timpression\td1\ni1\t105\tlift\tclick\td1\n",
        ),
        ("log", "ga4"): encode("".join(f"{as_json(line)}\n" for line in GA4)),
        ("votes", "label-studio"): encode(as_json(LABEL_STUDIO)),
        ("votes", "label-studio-min"): encode(as_json(JSON_MIN)),
        ("votes", "inception"): encode(as_json(INCEPTION)),
        ("votes", "doccano"): encode(DOCCANO, as_json([json.loads(line) for line in DOCCANO.splitlines()])),
        ("votes", "argilla"): encode(as_json(ARGILLA)),
        ("votes", "quepid"): encode(as_json(QUEPID), "query,docid,Ada,Bob\nlift,d1,1.0,\ndrag,d2,0.0,2.0\n"),
        ("votes", "umbrela"): encode(UMBRELA),
        ("votes", "prodigy"): encode(PRODIGY),
        ("votes", "jsonl"): encode(VOTES_JSONL),
        ("votes", "csv"): encode(VOTES_CSV),
        ("votes", "relevation"): encode("q1 ada d1 2\nq1 bob d2 -1\nq2 0 d1 0\n"),
        ("preferences", "prefs"): encode(
            "q1 ada 1 d1 2\nq1 ada 1 d2 1\nq1 ada 2 d2 2\nq1 ada 2 d3 1.5\nq2 bob 1 d1 0\n"
        ),
        ("preferences", "qrels_prefs"): encode("q1 ada d1 2\nq1 ada d2 0\nq1 bob d2 1\n# a comment\nq2 0 d1 0\n"),
        ("nuggets", "jsonl"): encode(as_json(NUGGET) + "\n" + as_json({**NUGGET, "qid": 2, "labels": []}) + "\n"),
        ("nuggets", "nuggetizer"): encode(as_json(NUGGETS), as_json({"qid": "q1", "nuggets": [VITAL]})),
        ("answers", "rag24"): encode(as_json(RAG24) + "\n" + as_json({**RAG24, "topic_id": 2}) + "\n"),
        ("answers", "rag25"): encode(as_json(RAG25)),
        ("answers", "ragtime"): encode(as_json(RAGTIME)),
        **of_arrow_formats(),
    }
