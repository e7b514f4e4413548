"""Named columns in every format that has such, and whatever else people hold: other names, pipes, encodings."""

import bz2
import io
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cranfield import evaluate
from cranfield.errors import InputError
from cranfield.formats import read_corpus, read_qrels, read_runs, read_topics
from cranfield.formats.table import format_of
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.arrow import pa, parquet
from tests.conftest import Cranfield

RUN = [("1", "d2", 0.5), ("1", "d1", 1.25), ("2", "d1", -3.0)]
QRELS = [("1", "d2", 0), ("1", "d1", 2), ("2", "d1", 1)]


def write_table(path: Path, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Path:
    """The rows in the format that the name of the file asks for."""
    records = [dict(zip(header, row, strict=True)) for row in rows]
    texts = {
        ".csv": "\n".join(",".join(map(str, row)) for row in (header, *rows)),
        ".tsv": "\n".join("\t".join(map(str, row)) for row in (header, *rows)),
        ".jsonl": "\n".join(map(json.dumps, records)),
        ".json": json.dumps({q: {d: n for qid, d, n, *_ in rows if qid == q} for q in {row[0]: 0 for row in rows}}),
    }
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(records), path)
    else:
        path.write_text(texts[path.suffix] + "\n", encoding="utf-8")
    return path


@pytest.fixture(params=["csv", "tsv", "jsonl", "json", "parquet"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A path for a file of each format."""
    return tmp_path / f"mine.{request.param}"


def test_a_run_with_named_columns_is_that_run(file: Path) -> None:
    """Its name is that of the file, its scores those of the rows; the format is detected."""
    run = read_runs(write_table(file, ("query-id", "corpus-id", "score"), RUN))
    rows = zip(run.topics.names[run.topic], run.docnos.names[run.document], run.score.tolist(), strict=True)
    assert sorted(rows) == sorted(RUN)
    assert run.tags == ("mine",)
    assert format_of("run", file) == file.suffix[1:]


def test_qrels_with_named_columns_are_those_qrels(file: Path) -> None:
    """Whole grades may be written as 1.0."""
    grades = [(qid, docno, float(grade)) for qid, docno, grade in QRELS]
    qrels = read_qrels(write_table(file, ("query_id", "doc_id", "relevance"), grades))
    rows = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True)
    assert sorted(rows) == sorted(QRELS)


def test_a_csv_file_of_a_spreadsheet(tmp_path: Path) -> None:
    """Its cells end with semicolons where numbers have commas, its lines as on Windows, and it begins with a mark."""
    write = {"newline": "", "encoding": "utf-8-sig"}
    (tmp_path / "mine.csv").write_text("qid;docno;score;tag\r\n1;d1, d2;0.5;a\r\n", **write)
    (tmp_path / "qrels.csv").write_text("qid;docno;grade\r\n1;d1, d2;2\r\n", **write)
    run, qrels = read_runs(tmp_path / "mine.csv"), read_qrels(tmp_path / "qrels.csv")
    assert (run.tags, run.docnos.names.tolist(), run.score.tolist()) == (("a",), ["d1, d2"], [0.5])
    assert (qrels.docnos.names.tolist(), qrels.grade.tolist()) == (["d1, d2"], [2])


def test_a_run_by_ranks_has_them(tmp_path: Path) -> None:
    """Without scores, the first rank comes first."""
    path = write_table(tmp_path / "r.csv", ("qid", "docno", "rank"), [("1", "a", 2), ("1", "b", 1), ("1", "c", 3)])
    run = read_runs(path)
    assert run.docnos.names[run.document].tolist() == ["b", "a", "c"]


def test_runs_of_ms_marco_are_ordered_by_rank(tmp_path: Path) -> None:
    """Whatever the order of their lines; what is no rank is refused with its line."""
    path = tmp_path / "run.dev.small.tsv"
    path.write_text("7\ta\t2\r\n7\tb\t1\r\n8\tb\t1\r\n")
    run = read_runs(path)
    assert run.docnos.names[run.document].tolist() == ["b", "a", "b"]
    assert (run.tags, run.rank.tolist()) == (("run.dev.small",), [1, 2, 1])
    path.write_text("7\ta\t2\n" * 1 + "7\tb\tx\n")
    with pytest.raises(InputError, match=":2: rank 'x'; expected a whole number of at least 0"):
        read_runs(path)


def test_fields_may_have_any_name(tmp_path: Path) -> None:
    """Given ours=theirs; one that the file does not have is refused with those that it has."""
    path = write_table(tmp_path / "q.csv", ("qid", "docno", "verdict"), QRELS)
    assert read_qrels(path, names={"grade": "verdict"}).grade.tolist() == [2, 0, 1]
    with pytest.raises(InputError, match="no grade; expected it in one of the fields grade, relevance"):
        read_qrels(path)
    with pytest.raises(InputError, match="no field 'opinion'; the fields in the file are qid, docno, verdict"):
        read_qrels(path, names={"docno": "docno", "grade": "verdict", "qid": "opinion"})
    (tmp_path / "plain").write_text("1 0 d 1\n")
    with pytest.raises(InputError, match="no field 'a'; its format has no named fields"):
        read_qrels(tmp_path / "plain", names={"grade": "a"})


SEVERAL = [("1", "a", 1.0, "x"), ("1", "b", 2.0, "x"), ("1", "a", 3.0, "y"), ("2", "b", 0.5, "y"), ("2", "c", 0.5, "x")]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_a_table_may_hold_several_runs(tmp_path: Path, form: str, cranfield: Cranfield) -> None:
    """Each is a run of its own: in arrays, in a store, and scored beside those of other files."""
    path = write_table(tmp_path / f"all.{form}", ("query_id", "doc_id", "score", "system"), SEVERAL)
    runs = read_runs(path)
    assert runs.tags == ("x", "y")
    rows = zip(runs.run, runs.topics.names[runs.topic], runs.docnos.names[runs.document], runs.score, strict=True)
    assert sorted((qid, docno, score, runs.tags[run]) for run, qid, docno, score in rows) == sorted(SEVERAL)
    other = write_table(tmp_path / f"other.{form}", ("query_id", "doc_id", "score"), [("1", "b", 1.0)])
    qrels = write_table(tmp_path / "qrels.csv", ("qid", "docno", "grade"), [("1", "b", 1), ("2", "c", 1)])
    assert read_runs([path, other]).tags == ("x", "y", "other")
    scores = cranfield("evaluate", qrels, path, other, "-m", "RR", "--format", "csv").out.splitlines()
    assert scores == ["run,RR,Judged@10", "x,1.0,", "other,0.5,", "y,0.0,"]
    with warnings.catch_warnings(action="ignore"):  # other did not answer topic 2, and nothing of y was judged
        assert sorted(evaluate(qrels, [path, other], measures=["RR"]).frame["value"]) == [0, 0.5, 1]
    assert cranfield("init", tmp_path / "t.db", "--name", "n").code == 0
    outcome = cranfield("import", "runs", tmp_path / "t.db", path, other)
    assert outcome.out == "3 runs, 6 retrieved documents\n"
    with Store.open(tmp_path / "t.db") as store:
        assert {tag: info.file for tag, info in run_info(store).items()} == {
            "x": path.name, "y": path.name, "other": other.name,
        }  # fmt: skip


@pytest.mark.parametrize("option", [["--tag", "z"], ["--tag-from-name"]])
def test_one_name_is_not_for_several_runs(tmp_path: Path, cranfield: Cranfield, option: list[str]) -> None:
    """The file is named, and nothing is imported."""
    path = write_table(tmp_path / "all.csv", ("query_id", "doc_id", "score", "system"), SEVERAL)
    assert cranfield("init", tmp_path / "t.db", "--name", "n").code == 0
    outcome = cranfield("import", "runs", tmp_path / "t.db", path, *option)
    assert outcome.err.endswith(f"error: {path}: 2 runs; {option[0]} requires files with one run each\n")


def test_a_new_system_is_one_run(tmp_path: Path, cranfield: Cranfield) -> None:
    """Where a single run is asked for, a table of several is refused."""
    path = write_table(tmp_path / "all.csv", ("query_id", "doc_id", "score", "system"), SEVERAL)
    qrels = write_table(tmp_path / "qrels.csv", ("qid", "docno", "grade"), [("1", "b", 1), ("2", "c", 1)])
    old = write_table(tmp_path / "old.csv", ("query_id", "doc_id", "score"), [("1", "b", 1.0)])
    outcome = cranfield("diagnose", qrels, old, path)
    assert outcome.err.endswith("all.csv: 2 runs; expected one\n")


WRONG = {
    "twice in a run": (
        "qid,docno,score,run\n1,a,2,x\n1,a,1,y\n1,a,1,x\n",
        "run",
        ":4: duplicate document a of topic 1, run x, first on line 2",
    ),
    "no tag": (
        '{"qid": "1", "docno": "a", "score": 1, "run": "x"}\n{"qid": "1", "docno": "b", "score": 1}\n',
        "run",
        ":2: the tag is missing; expected a tag, as in earlier rows",
    ),
    "a tag later": (
        '{"qid": "1", "docno": "a", "score": 1}\n{"qid": "1", "docno": "b", "score": 1, "run": "x"}\n',
        "run",
        ":2: found a tag; expected no tag, as in earlier rows",
    ),
    "an empty tag": ("qid,docno,score,run\n1,a,2,x\n1,b,1,\n", "run", ":3: no run"),
    "no score": ("qid,docno,score\n1,a,2\n1,b,high\n", "run", ":3: score 'high' is not a number"),
    "no rank": ("qid,docno,rank\n1,a,first\n", "run", ":2: rank 'first' is not a number"),
    "twice": ("qid,docno,score\n1,a,2\n\n1,a,1\n", "run", ":4: duplicate document a of topic 1, first on line 2"),
    "a fraction": ("qid\tdocno\tgrade\n1\ta\t0.5\n", "qrels", ":2: grade '0.5' is not a whole number"),
    "twice in an object": ('{"1": {"a": 1, "a": 1}}', "qrels", ", entry 2: duplicate document a of topic 1"),
    "no object": ('{"1": {"a": 1}, "2": 3}', "qrels", ": 3; expected an object of documents of topic 2"),
    "a tab": ('{"qid": "1", "docno": "a\\tb", "grade": 1}\n', "qrels", ":1: docno 'a\\\\tb' contains a tab"),
    "half a character": (
        '{"1": {"\\ud800": 1}}',
        "qrels",
        ", entry 1: docno '\\\\ud800' contains an incomplete character",
    ),
    "half a character in qid": (
        '{"\\udfff": {"a": 1}}',
        "run",
        ", entry 1: qid '\\\\udfff' contains an incomplete character",
    ),
    "nothing": ('{"qid": "1", "docno": null, "grade": 1}\n', "qrels", ":1: docno is null; expected text or a number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, case: str) -> None:
    """In one line that says what was found."""
    text, kind, message = WRONG[case]
    (tmp_path / "file").write_text(text)
    with pytest.raises(InputError, match=f"^{tmp_path / 'file'}{message}"):
        (read_runs if kind == "run" else read_qrels)(tmp_path / "file")


def test_parquet_rows_are_looked_at_where_they_must_be(tmp_path: Path) -> None:
    """Nothing, white space, numbers as ids, scores of 32 bits."""
    table = pa.table({"qid": pa.array([7, 7]), "docno": [" a", "b"], "score": pa.array([0.1, 0.2], pa.float32())})
    parquet.write_table(table, tmp_path / "r.parquet")
    run = read_runs(tmp_path / "r.parquet")
    assert run.docnos.names[run.document].tolist() == ["b", "a"]
    assert run.score.tolist() == [0.20000000298023224, 0.10000000149011612]
    parquet.write_table(pa.table({"qid": ["1"], "docno": ["a"], "grade": [None]}), tmp_path / "q.parquet")
    with pytest.raises(InputError, match=":1: grade is null"):
        read_qrels(tmp_path / "q.parquet")


def test_parquet_of_bytes_that_are_no_text_is_refused(tmp_path: Path) -> None:
    """Arrow itself looks at them only when they are asked for."""
    ids = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"d\xfe"))
    parquet.write_table(pa.table({"qid": ["1"], "docno": ids, "grade": [1]}), tmp_path / "q.parquet")
    with pytest.raises(InputError, match="docno has bytes that are not UTF-8"):
        read_qrels(tmp_path / "q.parquet")


def test_topics_with_named_columns(tmp_path: Path) -> None:
    """In CSV and Parquet as in TSV."""
    rows = [("1", "lift of wings", "What lifts, and why?"), ("2", "drag", "")]
    for name in ("topics.tsv", "topics.parquet"):
        topics = read_topics(write_table(tmp_path / name, ("qid", "title", "description"), rows))
        assert [topic[:3] for topic in topics] == rows
    (tmp_path / "topics.csv").write_text('qid,title,description\n1,lift of wings,"What lifts, and why?"\n2,drag,\n')
    assert [topic[:3] for topic in read_topics(tmp_path / "topics.csv")] == rows


def test_files_without_a_header_have_the_columns_given(tmp_path: Path, cranfield: Cranfield) -> None:
    """MS MARCO's collection.tsv and the like, of every kind; a format without such columns refuses them."""
    store = str(tmp_path / "t.db")
    texts = {
        "corpus": "7\tlift of wings\n8\tdrag\n",
        "topics": "1\twings\tWhat lifts?\n",
        "runs": "1\t7\t0.5\n",
        "qrels": "1,7,1\n",
    }
    columns = {
        "corpus": "docno,text",
        "topics": "qid,title,narrative",
        "runs": "qid,docno,score",
        "qrels": "qid,docno,grade",
    }
    assert cranfield("init", store, "--name", "T").code == 0
    for kind, text in texts.items():
        (tmp_path / kind).write_text(text)
        form = "csv" if kind == "qrels" else "tsv"
        options = ("--format", form, "--no-header", "--columns", columns[kind])
        result = cranfield("import", kind, store, str(tmp_path / kind), *options)
        assert result.code == 0, result.err
    with Store.open(store) as collection:
        assert [(document.docno, document.text) for document in collection.documents()] == [
            ("7", "lift of wings"),
            ("8", "drag"),
        ]
    (tmp_path / "plain").write_text("1 Q0 8 1 0.5 plain\n")
    wrong = cranfield("import", "runs", store, str(tmp_path / "plain"), "--columns", "qid,docno")
    assert (wrong.code, "no field 'qid'; its format has no named fields" in wrong.err) == (1, True)
    assert cranfield("import", "runs", store, str(tmp_path / "plain"), "--no-header").code == 2


def test_a_folder_of_runs_is_its_files(tmp_path: Path, cranfield: Cranfield) -> None:
    """By name, compressed or not; hidden files and what is in its folders are not."""
    store, folder = str(tmp_path / "t.db"), tmp_path / "runs"
    (folder / "old").mkdir(parents=True)
    (folder / ".hidden").write_text("no run")
    (folder / "b.bz2").write_bytes(bz2.compress(b"1 Q0 d1 1 0.5 b\n"))
    (folder / "a.json").write_text('{"1": {"d1": 3}}')
    assert cranfield("init", store, "--name", "T").code == 0
    result = cranfield("import", "runs", store, str(folder))
    assert result.code == 0, result.err
    with Store.open(store) as collection:
        assert list(run_info(collection)) == ["a", "b"]
    (tmp_path / "empty").mkdir()
    assert "a folder without files" in cranfield("import", "runs", store, str(tmp_path / "empty")).err


def test_qrels_with_the_names_of_beir_may_be_separated_by_commas(tmp_path: Path) -> None:
    """And their columns may come in another order."""
    for text in ("query-id,corpus-id,score\n1,d,2\n", "query-id\tscore\tcorpus-id\n1\t2\td\n"):
        (tmp_path / "qrels").write_text(text)
        qrels = read_qrels(tmp_path / "qrels")
        assert (qrels.qids, qrels.docnos.names.tolist(), qrels.grade.tolist()) == (["1"], ["d"], [2])


def test_a_whole_collection_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="no such file; import its documents, topics and judgments with `cranfield import collection`"
    ):
        read_qrels("ir_datasets:vaswani")


CORPORA: Mapping[str, str] = {
    "c.jsonl": '{"_id": "d1", "story": "wings"}\n',
    "c.tsv": "id\tstory\nd1\twings\n",
    "c.csv": "id,story\nd1,wings\n",
    "c.sgml": "<DOC>\n<DOCNO> d1 </DOCNO>\n<STORY>wings</STORY>\n</DOC>\n",
    "c.smart": ".I d1\n.K\nwings\n",
    "c.parquet": "id",
    "folder": "corpus.jsonl",
}
TOPICS: Mapping[str, str] = {
    "t.jsonl": '{"_id": "q1", "prompt": "wings"}\n',
    "t.tsv": "qid\tprompt\nq1\twings\n",
    "t.csv": "qid,prompt\nq1,wings\n",
    "t.trec": "<top>\n<num> q1\n<prompt> wings\n</top>\n",
    "t.xml": '<topics><topic number="q1"><prompt>wings</prompt></topic></topics>',
    "t.smart": ".I q1\n.K\nwings\n",
    "t.parquet": "qid",
    "folder": "queries.jsonl",
}


@pytest.fixture
def store(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store in the working folder."""
    monkeypatch.chdir(tmp_path)
    assert cranfield("init t.db --name n").code == 0
    return tmp_path / "t.db"


def make_file(name: str, content: str) -> Path:
    """A file, or a folder of BEIR, whose text has a name that nobody knows."""
    path, theirs = Path(name), "prompt" if content in ("qid", "queries.jsonl") else "story"
    if name.endswith(".parquet"):
        parquet.write_table(pa.table({content: ["1"], theirs: ["wings"]}), path)
    elif name == "folder":
        path.mkdir()
        (path / content).write_text(json.dumps({"_id": "1", theirs: "wings"}))
    else:
        path.write_text(content)
    return path


@pytest.mark.parametrize(
    ("kind", "name"), [*(("corpus", one) for one in CORPORA), *(("topics", one) for one in TOPICS)]
)
def test_a_text_that_nothing_matched_is_not_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, name: str
) -> None:
    """The error names the fields of the file and the option that says which of them has the text."""
    monkeypatch.chdir(tmp_path)
    path = make_file(name, {"corpus": CORPORA, "topics": TOPICS}[kind][name])
    ours, theirs = ("text", "story") if kind == "corpus" else ("title", "prompt")
    theirs = "keywords" if "smart" in name else theirs
    with pytest.raises(InputError, match=f"{theirs}; name the {ours} with --field {ours}=NAME"):
        read_texts(kind, path)
    assert read_texts(kind, path, {ours: theirs}) == ["wings"]


def read_texts(kind: str, path: Path, names: Mapping[str, str] | None = None) -> list[str]:
    """Read the texts of a corpus or the titles of topics."""
    if kind == "corpus":
        return [document.text.strip() for document in read_corpus(path, names=names)]
    return [topic.title.strip() for topic in read_topics(path, names=names)]


def test_an_import_reads_the_text_from_the_field_that_an_option_names(store: Path, cranfield: Cranfield) -> None:
    path = make_file("c.csv", CORPORA["c.csv"])
    assert "story; name the text with --field text=NAME" in cranfield.error("import", "corpus", "t.db", path)
    assert cranfield("import", "corpus", "t.db", path, "--field", "text=story").code == 0
    with Store.open(store) as there:
        assert [document.text for document in there.documents()] == ["wings"]


@pytest.mark.full
def test_everything_comes_through_a_pipe(store: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus, topics, runs, qrels; in a store and beside it. Parquet is not read in order, and says so."""
    Path("a.run").write_text("1 Q0 d1 1 1.0 a\n")
    Path("qrels").write_text("1 0 d1 1\n")
    for words, text in (
        ("import corpus t.db -", '{"_id": "d1", "text": "wings"}\n'),
        ("import topics t.db -", "1\tlift\n"),
        ("import runs t.db -", "1 Q0 d1 1 1.0 a\n"),
        ("import qrels t.db -", "1 0 d1 1\n"),
        ("evaluate - a.run", "1 0 d1 1\n"),
        ("evaluate qrels -", "1 Q0 d1 1 1.0 a\n"),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert cranfield(words).code == 0, words
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"PAR1 and more")))
    assert "-: Parquet from a pipe; expected a file" in cranfield("import runs t.db -").err


def test_encodings_are_reported(store: Path, cranfield: Cranfield) -> None:
    """Latin-1 in texts is read and said; in ids it is refused, as UTF-16 is, with what to do."""
    Path("c.jsonl").write_bytes('{"_id": "d1", "text": "un café, deux cafés"}\n'.encode("latin-1"))
    outcome = cranfield("import corpus t.db c.jsonl")
    line = '2 bytes that are not UTF-8 were read as Latin-1, for example in \'"text": "un café, deux cafés"}\'\n'
    assert f"note: c.jsonl: {line}" in outcome.err
    Path("r").write_bytes("1 Q0 é 1 1.0 a\n".encode("latin-1"))
    line = "error: r:1: docno '\\\\xe9' is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8\n"
    assert cranfield("import runs t.db r").err == line
    Path("u").write_bytes("1 Q0 d 1 1.0 a\n".encode("utf-16"))
    for kind in ("corpus", "topics", "runs", "qrels"):
        assert (
            cranfield("import", kind, "t.db", "u").err
            == "error: u:1: UTF-16 text; expected UTF-8; convert the file, for example with iconv -f utf16 -t utf8\n"
        )


def test_padded_ids_are_found(store: Path, cranfield: Cranfield) -> None:
    """Where that is asked for; else the option is named."""
    Path("c").write_text('{"_id": "46", "text": "x"}\n')
    Path("t").write_text("1\tlift\n")
    Path("r").write_text("01 Q0 0046 1 1.0 a\n")
    assert cranfield("import corpus t.db c").code == cranfield("import topics t.db t").code == 0
    assert "--normalize-ids finds it: '01' is '1' in this store" in cranfield("import runs t.db r").err
    outcome = cranfield("import runs t.db r --normalize-ids")
    assert "note: 1 of 1 documents in r is spelled differently: '0046' is '46' in this store\n" in outcome.err


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_field_option_names_the_columns_of_ids(tmp_path: Path, cranfield: Cranfield, suffix: str) -> None:
    """Whatever qid and docno are called, of runs and of qrels, for `evaluate` and for imports."""
    run = write_table(tmp_path / f"run{suffix}", ("question", "paper", "score"), RUN)
    qrels = write_table(tmp_path / f"qrels{suffix}", ("frage", "werk", "grade"), QRELS)
    (tmp_path / "plain").mkdir()
    plain_run = write_table(tmp_path / "plain" / "run.csv", ("qid", "docno", "score"), RUN)
    plain_qrels = write_table(tmp_path / "plain" / "qrels.csv", ("qid", "docno", "grade"), QRELS)
    of_run = ("--field", "run.qid=question", "--field", "run.docno=paper")
    of_qrels = ("--field", "qrels.qid=frage", "--field", "qrels.docno=werk")
    columns = "evaluate", "-m", "AP", "-m", "nDCG@1", "--format", "csv"
    expected = cranfield.out(*columns, plain_qrels, plain_run)
    assert cranfield.out(*columns, qrels, run, *of_run, *of_qrels) == expected
    store = tmp_path / "a.db"
    cranfield.out("init", store, "--name", "x", "--scale", "0=no,1=yes,2=very")
    cranfield.out("import", "qrels", store, qrels, *of_qrels)
    cranfield.out("import", "runs", store, run, "--field", "qid=question", "--field", "run.docno=paper")
    assert cranfield.out(*columns, store) == expected


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(("kind", "column"), [("run", "qid"), ("run", "docno"), ("qrels", "qid")])
def test_an_unknown_column_has_its_option(
    tmp_path: Path, cranfield: Cranfield, suffix: str, kind: str, column: str
) -> None:
    """The error lists the columns of the file and the option that names one, for its kind of file."""
    files = {"qrels": tmp_path / "q.qrels", "run": tmp_path / "r.run"}
    files["qrels"].write_text("1 0 d1 1\n2 0 d1 1\n")
    files["run"].write_text("1 Q0 d1 1 2.0 r\n")
    number = "score" if kind == "run" else "grade"
    header = tuple("strange" if name == column else name for name in ("qid", "docno", number))
    files[kind] = write_table(tmp_path / f"strange{suffix}", header, RUN if kind == "run" else QRELS)
    error = cranfield("evaluate", files["qrels"], files["run"]).err
    assert f"no {column}; expected it in one of the fields {column}" in error
    assert f"the file has {', '.join(header)}; name the field with --field {kind}.{column}=NAME" in error
    assert cranfield("evaluate", files["qrels"], files["run"], "--field", f"{kind}.{column}=Strange").code == 0
