"""A format that is guessed by the shape of lines holds on every line, is reported, and can be named by the user."""

import json
import re
from pathlib import Path
from typing import Literal

import pandas as pd
import pytest

import cranfield as library
from cranfield.errors import InputError
from cranfield.formats import read_qrels, read_runs
from cranfield.formats.files import NAMED_FORMAT
from tests.arrow import require_arrow
from tests.conftest import Cranfield

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n"
REMEDY = "--input-format qid-docno-score"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "1 a 1\n1 b 2.0\n": ":2: rank '2.0'; expected a whole number of at least 0",
        "1 a 1\n1 b -2\n": ":2: rank '-2'; expected a whole number of at least 0",
        "1 a 1\n1 b second\n": ":2: rank 'second'; expected a whole number of at least 0",
        "1 a 97\n1 b 40\n": ":2: rank 40, but no rank 39 in its topic; expected ranks from 0 or 1 without gaps",
        "1 a 1\n1 b 3\n": ":2: rank 3, but no rank 2 in its topic",
        "1 a 1\n1 b 1\n": ":2: rank 1 is also on line 1 for the same topic; expected each rank once",
        "1 a 0.97\n1 b 0.4\n": ":1: rank '0.97'; expected a whole number of at least 0",
    }.items(),
)
def test_ranks_that_alone_order_a_run_count_without_gaps(tmp_path: Path, text: str, message: str) -> None:
    """Whole scores would be read in reverse order; the message names the format for scores."""
    (tmp_path / "run.tsv").write_text(text)
    with pytest.raises(InputError) as error:
        read_runs(tmp_path / "run.tsv")
    assert message in str(error.value)
    assert REMEDY in str(error.value)


@pytest.mark.parametrize("text", ["1 a\n1 b\n", "1 a 1\n1 b\n", "1 a 1\n1 Q0 b 2 0.5 r\n"])
def test_other_shapes_are_refused_with_their_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "run").write_text(text)
    with pytest.raises(InputError, match=r"run:[12]: \d columns"):
        read_runs(tmp_path / "run")


@pytest.mark.parametrize("text", ["2 a 1\n1 b 2\n1 a 1\n", "1 b 1\n1 a 0\n2 a 0\n"])
def test_ranks_may_come_in_any_order_from_0_or_1(tmp_path: Path, text: str) -> None:
    (tmp_path / "run").write_text(text)
    run = read_runs(tmp_path / "run")
    names = run.docnos.names[run.document].tolist()
    assert names == ["a", "b", "a"]


def test_ranks_with_names_count_without_gaps_unless_the_field_is_named(tmp_path: Path) -> None:
    """Also in CSV, JSONL and the like."""
    path = tmp_path / "run.csv"
    path.write_text("qid,docno,position\n1,a,1\n1,b,7\n")
    with pytest.raises(InputError, match=r"run.csv:3: rank 7, but no rank 6 in its topic.*--field rank=NAME"):
        read_runs(path)
    assert len(read_runs(path, format="csv").document) == 2


def test_scores_in_three_columns_are_read_where_their_format_is_named(folder: Path, cranfield: Cranfield) -> None:
    Path("run").write_text("1 a 97\n1 b 40\n2 a 3\n")
    output = cranfield("evaluate", "qrels", "run", "-m", "RR", "--input-format", "qid-docno-score", "--format", "csv")
    assert (output.code, output.err) == (0, "")
    assert output.out.splitlines()[1].endswith(",1.0")


@pytest.mark.parametrize("qrels", ["1 0 a 1 7\n1 0 b 0 7\n", "1 0 a 1 7\n"])
def test_five_columns_of_qrels_are_refused_as_by_trec_eval(tmp_path: Path, qrels: str) -> None:
    """The fifth column may be the number of an assessor."""
    (tmp_path / "qrels").write_text(qrels)
    with pytest.raises(InputError, match=r"qrels:1: 5 columns; qrels have 4: .*sample-eval"):
        read_qrels(tmp_path / "qrels")


def test_trec_qrels_of_a_document_0_are_not_smart_pairs(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 0 0\n2 0 0 0\n")
    qrels = read_qrels(tmp_path / "qrels")
    assert (qrels.docnos.names.tolist(), qrels.grade.tolist()) == (["0"], [0, 0])


def test_every_line_of_smart_pairs_is_checked(tmp_path: Path) -> None:
    """Also far behind the first lines, by which the format is detected."""
    (tmp_path / "pairs").write_text("".join(f"1 {number} 0 0.000000\n" for number in range(1, 9000)) + "1 5 1 0\n")
    with pytest.raises(InputError, match=r"pairs:9000: '1 5 1 0'; expected qid docno 0 0\.000000"):
        read_qrels(tmp_path / "pairs")


@pytest.mark.parametrize("docno", ["my file.txt", "report 2", "a 1 2", "a 1 2 x"])
@pytest.mark.parametrize("mark", [" ", "\t"])
def test_a_blank_in_a_docno_is_refused(folder: Path, cranfield: Cranfield, docno: str, mark: str) -> None:
    """A number after the blank must not become the rank or the score."""
    Path("run").write_text(f"1 Q0 a 1 9.0 r\n1{mark}Q0{mark}{docno}{mark}2{mark}8.5{mark}r\n")
    error = cranfield.error("evaluate qrels run -m RR")
    assert error.startswith(f"run:2: {5 + len(docno.split())} columns; a run has 6")
    assert "contains a blank" in error


def test_words_after_the_tag_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 9.0 my run\n1 Q0 b 2 8.0 my run\n")
    assert read_runs(tmp_path / "run").tags == ("my",)


def test_a_note_says_what_a_file_was_taken_for(folder: Path, cranfield: Cranfield) -> None:
    """Not of plain TREC, and not of a format that is named."""
    Path("run.tsv").write_text("1 a 1\n1 b 2\n2 a 1\n")
    Path("q.csv").write_text("query-id,corpus-id,label\n1,a,1\n1,b,0\n2,a,1\n")
    output = cranfield("evaluate q.csv run.tsv -m RR")
    assert "note: q.csv: read as csv (columns: query-id as qid, corpus-id as docno, label as grade)\n" in output.err
    assert "note: run.tsv: read as msmarco (qid docno rank, the format of MS MARCO runs)\n" in output.err
    named = cranfield("evaluate q.csv run.tsv -m RR --input-format msmarco --input-format qrels=csv")
    assert (named.code, named.err) == (0, "")
    with pytest.warns(UserWarning, match="run.tsv: read as msmarco"):
        library.evaluate({"1": {"a": 1}, "2": {"a": 1}}, "run.tsv", measures="RR")


GUESSES = {
    "corpus": ('{"_id": "d1", "body": "oil"}\n', "read as jsonl (columns: _id as docno, body as text)", "jsonl"),
    "topics": ("number\tquery\n1\toil\n", "read as tsv (columns: number as qid, query as title)", "tsv"),
    "votes": (
        "rater,topic,docid,rating\nann,1,d1,1\n",
        "read as csv (columns: rater as assessor, topic as qid, docid as docno, rating as grade)",
        "csv",
    ),
    "preferences": (
        "1 0 d1 2\n1 0 d2 1\n",
        "read as qrels_prefs (qid group docno level: trec_eval -R qrels_prefs)",
        "qrels_prefs",
    ),
    "answers": (
        '{"metadata": {"team_id": "t", "run_id": "r", "topic_id": "1"}, "references": ["d1"],'
        ' "responses": [{"text": "Oil it.", "citations": ["d1"]}]}\n',
        "read as ragtime (TREC RAGTIME, reports of AutoJudge: metadata, responses)",
        "ragtime",
    ),
    "nuggets": (
        '{"qid": "1", "text": "Oil it.", "importance": "vital"}\n',
        "read as jsonl (JSON objects, one a line: qid, text, importance, author, contributors, labels)",
        "jsonl",
    ),
}


OF_FEATURES = {"answers": "answers", "nuggets": "answers", "preferences": "preferences"}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.needs(*filter(None, [OF_FEATURES.get(kind)]))) for kind in GUESSES],
)
def test_a_note_says_what_an_imported_file_was_taken_for(kind: str, tmp_path: Path, cranfield: Cranfield) -> None:
    """Not if its format is named; with --fail-on-note the note is an error."""
    content, guess, name = GUESSES[kind]
    store, file, others = tmp_path / "t.db", tmp_path / "input", tmp_path / "others"
    file.write_text(content)
    command = ["answers", "nuggets", "import"] if kind == "nuggets" else ["import", kind]
    more = ["--assessor", "ann"] if kind == "nuggets" else []
    assert cranfield("init", store, "--name", "x").code == 0
    if kind not in ("topics", "corpus"):
        others.write_text("1\tanother topic\n")
        assert cranfield("import", "topics", store, others, "--format", "tsv").code == 0
        others.write_text("docno\ttext\nd1\ta document\nd2\ta document\n")
        assert cranfield("import", "corpus", store, others, "--format", "tsv").code == 0
    failed = cranfield(*command, store, file, *more, "--fail-on-note")
    assert (failed.code, failed.err) == (1, f"error: {file}: {guess} (--fail-on-note{NAMED_FORMAT})\n")
    found = cranfield(*command, store, file, *more)
    assert (found.code, found.err.count(f"note: {file}: {guess}\n")) == (0, 1), found
    assert " read as " not in cranfield(*command, store, file, *more, "--format", name, "--fail-on-note").err


@pytest.mark.needs("preferences")
def test_the_ordinary_forms_need_no_note(tmp_path: Path, cranfield: Cranfield) -> None:
    store, topics, prefs, corpus = (tmp_path / name for name in ("t.db", "topics", "prefs", "corpus"))
    corpus.write_text("".join(f"<DOC>\n<DOCNO>{name}</DOCNO>\n<TEXT>a</TEXT>\n</DOC>\n" for name in ("d1", "d2")))
    topics.write_text("<top>\n<num> Number: 1\n<title> oil\n</top>\n")
    prefs.write_text("1 0 0 d1 2\n1 0 0 d2 1\n")
    assert cranfield("init", store, "--name", "x").code == 0
    assert cranfield("import", "corpus", store, corpus, "--fail-on-note").code == 0
    assert cranfield("import", "topics", store, topics, "--fail-on-note").code == 0
    assert cranfield("import", "preferences", store, prefs, "--fail-on-note").code == 0


def test_fields_can_be_named_where_files_are_read(folder: Path, cranfield: Cranfield) -> None:
    Path("q.csv").write_text("qid,docno,verdict\n1,a,1\n2,a,1\n")
    Path("run.csv").write_text("qid,docno,closeness\n1,a,0.5\n1,b,0.1\n2,a,0.5\n")
    output = cranfield("evaluate q.csv run.csv -m RR --field grade=verdict --field run.score=closeness")
    assert output.code == 0
    for option in ("--input-format nothing", "--field body=x", "--field grade", "--input-format run=cranqrel"):
        assert cranfield(f"evaluate q.csv run.csv -m RR {option}").code == 2


NOTED = {
    "1 Q0 a 1 0.1 r\n1 Q0 b 2 0.5 r\n2 Q0 a 1 1 r\n": "ranks contradict scores in 1 of 1 topic; documents",
    "1 Q0 a 1 7 r\n1 Q0 b 2 7 r\n2 Q0 a 1 1 r\n": "all documents of a topic have the same score",
    "1 Q0 a 0.98 1 r\n1 Q0 b 0.57 2 r\n2 Q0 a 1 1 r\n": "the rank column has fractions, so the columns rank and score",
    "1 Q0 a 98 1 r\n1 Q0 b 57 2 r\n2 Q0 a 1 1 r\n": "scores count up from the first line, so the columns rank",
}


def test_a_word_as_rank_is_refused_with_its_line(
    folder: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A blank in a docno without a tag leaves six columns; a named format takes words, as trec_eval does."""
    Path("run").write_text("1 Q0 b 1 9 8\n1 Q0 my a.txt 1 8\n2 Q0 a 1 3 9\n")
    cranfield("init track.db --name x")
    for off in ("", "1"):
        monkeypatch.setenv("CRANFIELD_NO_SCANNER", off)
        for command in ("evaluate qrels run", "compare qrels run run", "import runs track.db run"):
            output = cranfield(command)
            assert (output.code, output.out) == (1, "")
            assert "error: run:2: the rank of docno 'my' is not a number, so the docno or qid" in output.err
        named = cranfield("evaluate qrels run -m RR --input-format trec")
        assert (named.code, "note: run: 1 rank is not a number" in named.err) == (0, True)
        assert cranfield("trec-eval -m map qrels run").code == 0


@pytest.mark.parametrize(("text", "line"), NOTED.items())
def test_what_ranks_say_next_to_scores_is_noted_once(
    folder: Path, cranfield: Cranfield, text: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By every reader, with and without the compiled scanner, by import and in Python."""
    Path("run").write_text(text)
    Path("other").write_text("1 Q0 a 1 2 s\n1 Q0 b 2 1 s\n2 Q0 a 1 1 s\n")
    cranfield("init track.db --name x")
    cranfield("import qrels track.db qrels")
    for command in (
        "evaluate qrels run",
        "compare qrels run other",
        "fuse run other -o fused",
        "import runs track.db run",
    ):
        assert cranfield(command).err.count(f"note: run: {line}") == 1, command
        Path("fused").unlink(missing_ok=True)
    monkeypatch.setenv("CRANFIELD_NO_SCANNER", "1")
    assert cranfield("evaluate qrels run").err.count(f"note: run: {line}") == 1
    with pytest.warns(UserWarning, match=line):
        library.evaluate("qrels", "run", measures="RR")


def test_any_note_of_a_reader_can_be_an_error(folder: Path, cranfield: Cranfield) -> None:
    """Nothing is stored then."""
    Path("run").write_text("1 Q0 a 1 0.1 r\n1 Q0 b 2 0.5 r\n2 Q0 a 1 1 r\n")
    cranfield("init track.db --name x")
    for command in ("evaluate qrels run", "import runs track.db run", "fuse run run -o fused"):
        output = cranfield(f"{command} --fail-on-note")
        assert output.code == 1
        assert "ranks contradict scores" in output.err
    assert "run" not in cranfield("info track.db --format csv").err
    assert cranfield("import runs track.db run").code == 0
    Path("empty.tsv").write_text("1\tlift\n2\t\n")
    assert cranfield("import topics track.db empty.tsv --fail-on-note").code == 1


def test_duplicates_say_whether_their_numbers_agree(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    for grade, message in ((1, "with the same grade; remove one"), (2, "with grade 1, here 2; remove the wrong line")):
        path.write_text(f"1 0 a 1\n1 0 a {grade}\n")
        with pytest.raises(InputError, match=f"qrels:2: duplicate document a of topic 1, first on line 1 {message}"):
            read_qrels(path)


def test_imports_of_python_warn_of_a_guess(tmp_path: Path, cranfield: Cranfield) -> None:
    store = tmp_path / "t.db"
    assert cranfield("init", store, "--name", "x").code == 0
    for kind, read in (("corpus", library.store.import_corpus), ("topics", library.store.import_topics)):
        (tmp_path / kind).write_text(GUESSES[kind][0])
        with pytest.warns(UserWarning, match="(^|: )read as "):
            read(store, tmp_path / kind)


AGAINST = [("1", "a", 1, 0.1), ("1", "b", 2, 0.9), ("2", "a", 1, 3.0)]
COLUMNS_OF_BOTH = ("qid", "docno", "rank", "score")


def _write_table(path: Path, rows: list[tuple[str, str, int, float]]) -> Path:
    if path.suffix == ".parquet":
        require_arrow()
    frame = pd.DataFrame(rows, columns=COLUMNS_OF_BOTH)
    match path.suffix:
        case ".parquet":
            frame.to_parquet(path)
        case ".jsonl":
            path.write_text("".join(f"{json.dumps(row)}\n" for row in frame.to_dict("records")))
        case suffix:
            frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
    return path


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_ranks_against_scores_are_noted_of_tables(folder: Path, cranfield: Cranfield, form: str) -> None:
    """By each command that reads runs; ranks that agree with the scores need no note."""
    table, line = (
        _write_table(Path(f"run.{form}"), AGAINST),
        "ranks contradict scores in 1 of 1 topic; documents are ranked by score",
    )
    cranfield("init track.db --name x")
    named = f"--input-format run={form}"
    for command in (f"evaluate qrels {table} {named}", f"fuse {table} {table} -o fused --input-format {form}"):
        assert f"{line}, as in trec_eval (--fail-on-note" in cranfield.error(f"{command} --fail-on-note")
    assert cranfield(f"import runs track.db {table}").err.count(f"{table}: {line}") == 1
    agreeing = _write_table(Path(f"agreeing.{form}"), [("1", "a", 1, 0.9), ("1", "b", 2, 0.1), ("2", "a", 1, 3.0)])
    assert cranfield(f"evaluate qrels {agreeing} {named} --fail-on-note").code == 0


def test_ranks_against_scores_are_noted_of_frames_and_records() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    frame = pd.DataFrame(AGAINST, columns=COLUMNS_OF_BOTH)
    records = [(qid, "Q0", docno, rank, score, "r") for qid, docno, rank, score in AGAINST]
    for runs in (frame, frame.to_dict("records"), records, {"r": frame}):
        with pytest.warns(UserWarning, match="ranks contradict scores in 1 of 1 topic"):
            library.evaluate(qrels, runs, measures="RR")
    library.evaluate(qrels, frame.assign(score=[0.9, 0.1, 3.0], rank=["first", "", "2"]), measures="RR")


def test_constant_scores_are_noted_in_python() -> None:
    """If all topics with several documents have them, as in files."""
    qrels, line = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}, "all documents of a topic have the same score"
    constant: dict[str, dict[str, float]] = {"1": {"a": 2, "b": 2.0}, "2": {"a": 1}}
    frame = pd.DataFrame([("1", "a", 1), ("1", "b", 1), ("2", "a", 1)], columns=("qid", "docno", "score"))
    for runs in (constant, {"r": constant}, {"r": {1: {"a": 2, "b": 2}, 2: {"a": 1}}}, frame):
        with pytest.warns(UserWarning, match=line):
            library.evaluate(qrels, runs, measures="RR")
    with pytest.warns(UserWarning, match=f"^run 'r' and 1 other run: {line}"):
        library.evaluate(qrels, {"r": constant, "s": constant}, measures="RR")
    varying: dict[str, dict[str, float]] = {"1": {"a": 2, "b": 2.0}, "2": {"a": 2.0, "c": 1.0}}
    library.evaluate(qrels, varying, measures="RR")
    library.evaluate(qrels, {"1": {"a": 2.0}, "2": {"b": 1.0}}, measures="RR")


def test_a_rank_that_was_named_next_to_scores_is_noted(folder: Path, cranfield: Cranfield) -> None:
    """Once: with the contradiction, or else that it does not order the run."""
    command = "evaluate qrels run.csv -m RR --input-format run=csv --field run.rank=pos"
    for scores, line in (
        (("0.9", "0.1"), "the run is ordered by its scores, not by the field pos"),
        (("1", "2"), "contradict"),
    ):
        Path("run.csv").write_text(f"qid,docno,pos,score\n1,a,1,{scores[0]}\n1,b,2,{scores[1]}\n2,a,1,7\n2,b,2,6\n")
        assert [text for text in cranfield(command).err.splitlines() if line in text] == [
            cranfield(command).err.strip()
        ]


def test_rows_of_one_run_have_the_same_number(tmp_path: Path) -> None:
    """A rank among scores would be compared with them; a score that starts as a comment is not left out."""
    path = tmp_path / "run.jsonl"
    path.write_text('{"qid":"1","docno":"a","score":2}\n{"qid":"1","docno":"b","rank":1}\n')
    with pytest.raises(InputError, match=r"run.jsonl:2: the score is missing; expected it in every row"):
        read_runs(path)
    path.write_text("qid,docno,score\n1,a,2\n1,b,#N/A\n")
    with pytest.raises(InputError, match=r"run.jsonl:3: score '#N/A'; expected a number"):
        read_runs(path)


def test_numbers_that_fall_in_every_topic_are_noted(folder: Path, cranfield: Cranfield) -> None:
    """Such numbers may be scores; the note is an error with --fail-on-note, and no other order needs it."""
    line = "the numbers fall from line to line in 2 topics, but are read as ranks, so the last document is the best; if"
    Path("run").write_text("1 a 3\n1 c 2\n1 b 1\n2 a 2\n2 b 1\n3 a 1\n")
    output = cranfield("evaluate qrels run -m RR --format csv")
    assert output.err.count(f"note: run: {line} the last column is a score, use --input-format qid-docno-score") == 1
    assert ",0.41666" in output.out
    assert cranfield("evaluate qrels run -m RR --input-format run=msmarco --fail-on-note").code == 0
    for text in ("1 a 2\n1 b 1\n2 a 1\n2 b 2\n", "1 a 1\n2 a 1\n"):
        Path("run").write_text(text)
        assert "fall" not in cranfield("evaluate qrels run -m RR").err


SAME = {  # of each command the lines of file N
    "corpus": "id,text\nd{0},words {0}\n",
    "topics": "id,query\nq{0},words {0}\n",
    "votes": "assessor,qid,docno,grade\nann,q{0},d1,1\n",
    "log": "id,at,session,query,doc,position,click\ni{0},{0},s,q,d1,1,1\n",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.needs("online") if name == "log" else ()) for name in SAME]
)
def test_files_that_are_read_the_same_way_give_one_note(folder: Path, cranfield: Cranfield, name: str) -> None:
    if name == "log":
        require_arrow()
    cranfield.run("init t.db --name t")
    files = [f"{number}.csv" for number in (1, 2, 3)]
    for number, file in enumerate(files, 1):
        Path(file).write_text(SAME[name].format(number))
    result = cranfield("import", name, "t.db", *files)
    assert result.code == 0, result
    notes = [line for line in result.err.splitlines() if "read as csv" in line]
    assert [line.partition(": read as")[0] for line in notes] == ["note: 1.csv and 2 other files"]


@pytest.mark.parametrize("orient", ["columns", "index"])
def test_a_table_of_pandas_in_json_is_not_a_dict_of_topics(folder: Path, orient: Literal["columns", "index"]) -> None:
    """Its columns, or the numbers of its rows, would be topics: RR 0.6667 and 1 where it is 0.75."""
    columns = {"qid": [1, 1, 2], "docno": [10, 11, 12]}
    pd.DataFrame({**columns, "score": [2.0, 1.0, 3.0]}).to_json("run.json", orient=orient)
    pd.DataFrame({**columns, "relevance": [0, 1, 1]}).to_json("qrels.json", orient=orient)
    table = "a table with the columns 'qid' and 'docno'; expected an object"
    with pytest.raises(
        InputError, match=rf"run.json: {table} {{qid: {{docno: score}}}}; write a data frame with to_json"
    ):
        read_runs("run.json")
    with pytest.raises(InputError, match=rf"qrels.json: {table} {{qid: {{docno: grade}}}}; write"):
        read_qrels("qrels.json")


def test_records_of_pandas_in_a_json_list_are_read(folder: Path, cranfield: Cranfield) -> None:
    """As the same in lines; an error names the record."""
    columns = {"qid": [1, 1, 2], "docno": [10, 11, 12]}
    pd.DataFrame({**columns, "score": [2.0, 1.0, 3.0]}).to_json("run.json", orient="records")
    pd.DataFrame({**columns, "relevance": [0, 1, 1]}).to_json("grades.json", orient="records", indent=1)
    assert "0.7500" in cranfield("evaluate", "grades.json", "run.json", "-m", "RR").out
    Path("run.json").write_text('[{"qid": 1, "docno": 10, "score": 1}, {"qid": 1, "docno": 11, "score": "x"}]')
    with pytest.raises(InputError, match=r"run.json, entry 2: score 'x' is not a number"):
        read_runs("run.json")


STAND_INS = {
    "<!DOCTYPE html>\n<html><title>404</title></html>\n": (
        "a web page",
        "download the file again, or check its address",
    ),
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n": (
        "a Git LFS pointer",
        "fetch the file with `git lfs pull`",
    ),
}


@pytest.mark.parametrize("file", ["qrels", "run", "topics"])
@pytest.mark.parametrize("text", STAND_INS)
def test_files_left_in_place_of_others_are_named(folder: Path, cranfield: Cranfield, file: str, text: str) -> None:
    Path("found").write_text(text)
    cranfield("init s.db --name x")
    command = {"qrels": "evaluate found found", "run": "evaluate qrels found", "topics": "import topics s.db found"}
    result, (found, remedy) = cranfield(command[file]), STAND_INS[text]
    expected = "a run" if file == "run" else file
    assert (result.code, result.err.startswith(f"error: found:1: {found}; expected {expected}; {remedy}")) == (1, True)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("1 a 1 2.5\n", "4 columns; a run has 6: .*; a table with 4 columns needs a header line"),
        ("1 a 2.5 tag\n", "4 columns; a run has 6: .*; a table with 4 columns needs a header line"),
        ("1 0 a 2\n", "4 columns; a run has 6: .*; this looks like qrels"),
    ],
)
def test_four_columns_look_like_qrels_only_with_a_grade(tmp_path: Path, run: str, message: str) -> None:
    (tmp_path / "run").write_text(run)
    with pytest.raises(InputError, match=message):
        read_runs(tmp_path / "run")


def test_other_markup_and_addresses_are_named(folder: Path, cranfield: Cranfield) -> None:
    Path("topics.xml").write_text("<queries>\n<query><qid>0001</qid><content>halo</content></query>\n</queries>\n")
    cranfield("init s.db --name x")
    markup = "topics.xml:1: markup without topic elements; expected <top> or <topic>"
    assert markup in cranfield("import topics s.db topics.xml").err
    assert (
        "no such file; expected a file (this command does not download)"
        in cranfield("evaluate https://x.org/qrels.txt qrels").err
    )


def test_lists_of_documents_by_topic_are_named(folder: Path) -> None:
    """The hint was to name a field with the score, of fields that are topics."""
    Path("lists.json").write_text('{"1": ["a", "b"], "2": ["a"]}')
    found = "lists.json: a list of documents for topic '1'; expected an object {qid: {docno: %s}}"
    with pytest.raises(InputError, match=re.escape(found % "score")):
        read_runs("lists.json")
    with pytest.raises(InputError, match=re.escape(found % "grade")):
        read_qrels("lists.json")


@pytest.mark.parametrize("grade", ["label", "judgment"])
def test_a_label_is_the_grade_where_a_score_is_there_as_well(folder: Path, grade: str) -> None:
    """A score is the grade only in files, such as BEIR's, that have nothing else."""
    Path("qrels.csv").write_text(f"qid,docno,score,{grade}\n1,a,0.93,0\n1,b,0.2,1\n")
    assert read_qrels("qrels.csv").grade.tolist() == [0, 1]
    Path("beir.csv").write_text("qid,docno,score\n1,a,2\n1,b,1\n")
    assert read_qrels("beir.csv").grade.tolist() == [2, 1]


@pytest.mark.parametrize("name", ["relevance", "label", "grade", "rel"])
def test_frames_have_grades_under_the_names_that_files_use(name: str) -> None:
    """Fractions, too."""
    pandas = pytest.importorskip("pandas")
    qrels = pandas.DataFrame([("1", "a", 0.5), ("1", "b", 1.0)], columns=["qid", "docno", name])
    run = pandas.DataFrame([("1", "a", 2.0), ("1", "b", 1.0)], columns=["qid", "docno", "score"])
    with pytest.warns(UserWarning, match="above 0 and below 1"):
        table = library.evaluate(qrels, run, measures="DCG@1").frame
    assert table["value"].tolist() == [0.5]
