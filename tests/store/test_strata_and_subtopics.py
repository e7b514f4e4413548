"""Qrels of stratified samples and of subtopics: read, refused, written back, stored and scored."""

import json
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

from cranfield.arrays.rankings import Qrels, Subtopics
from cranfield.errors import InputError
from cranfield.formats import formats_of, read_qrels, write_qrels
from cranfield.metrics.inputs import as_qrels
from cranfield.options.exports import QRELS_FORMATS
from cranfield.store.pools import newest_stratified_pool, stored_pool
from cranfield.store.qrels import import_qrels, qrels_of
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually
from tests.files import track_files

SAMPLE = "# a sample\n2 0 d9 2 -1\n1 0 d10 1 2\n1 0 d9 2 0\n"
GRADE_FIRST = "# a sample\n2 0 d9 -1 2\n1 0 d10 2 1\n1 0 d9 0 2\n"
DIVERSITY = "1 1 d9 1\n1 2 d10 0\n1 2 d9 -2\n2 10 d10 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "qrels"


def triples(qrels: Qrels) -> list[tuple[str, str, int]]:
    qids, docnos = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
    return list(zip(qids, docnos, qrels.grade.tolist(), strict=True))


def subtopics(qrels: Qrels) -> list[tuple[str, str, str, int]]:
    about = qrels.subtopics
    assert isinstance(about, Subtopics)
    rows = triples(qrels)
    named = zip(about.judgment.tolist(), about.names[about.subtopic].tolist(), about.grade.tolist(), strict=True)
    return [(rows[judgment][0], name, rows[judgment][1], grade) for judgment, name, grade in named]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (SAMPLE, "sample-eval"),
        (GRADE_FIRST, "grade-stratum"),
        (SAMPLE.replace(" ", "\t"), "sample-eval"),
        (SAMPLE.rstrip("\n"), "sample-eval"),
    ],
)
def test_a_sample_is_read_with_its_strata(file: Path, text: str, format: str) -> None:
    """Where its format is named; otherwise five columns are refused, as trec_eval refuses them."""
    file.write_text(text)
    with pytest.raises(InputError, match=r":\d: 5 columns; qrels have 4: .*name the format"):
        read_qrels(file)
    qrels = read_qrels(file, format=format)
    assert triples(qrels) == [("1", "d10", 2), ("1", "d9", 0), ("2", "d9", -1)]
    assert qrels.stratum is not None
    assert qrels.stratum.tolist() == ["1", "2", "2"]
    assert qrels.iteration is None


def test_a_sample_without_negative_grades_is_read_as_sample_eval_does(file: Path) -> None:
    """The other order has its own name."""
    file.write_text("1 0 d1 2 0\n")
    assert triples(read_qrels(file, format="sample-eval")) == [("1", "d1", 0)]
    assert triples(read_qrels(file, format="grade-stratum")) == [("1", "d1", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "1 0 d1 1 1\n1 0 d2 1\n": "1: 5 columns; qrels have 4",
        "1 0 d1 1 1\n1 0 d2 1 x\n": "1: 5 columns; qrels have 4",
        "1 1 1 d1 1\n": "1: 5 columns; qrels have 4",
    }.items(),
)
def test_what_is_no_sample_is_refused(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_qrels(file)


def test_a_sample_asked_for_by_name_is_checked_line_by_line(file: Path) -> None:
    file.write_text("1 0 d1 a 1\n1 0 d2 b\n")
    with pytest.raises(InputError, match="2: 4 columns; stratified qrels have 5: qid iteration docno stratum grade"):
        read_qrels(file, format="sample-eval")


def test_a_sample_is_written_as_it_was(file: Path, tmp_path: Path) -> None:
    file.write_text(SAMPLE)
    write_qrels(tmp_path / "again", read_qrels(file, format="sample-eval"), "sample-eval")
    assert (tmp_path / "again").read_text() == "1 0 d10 1 2\n1 0 d9 2 0\n2 0 d9 2 -1\n"


def test_subtopics_are_told_by_a_document_that_has_two(file: Path) -> None:
    """The grade of a document is the best that any subtopic gave it."""
    file.write_text(DIVERSITY)
    qrels = read_qrels(file)
    assert triples(qrels) == [("1", "d10", 0), ("1", "d9", 1), ("2", "d10", 1)]
    assert subtopics(qrels) == [("1", "2", "d10", 0), ("1", "1", "d9", 1), ("1", "2", "d9", -2), ("2", "10", "d10", 1)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_too_long_for_one_look_is_read_to_its_end(file: Path, line_end: str) -> None:
    rows = [f"{qid} {name} doc{number:05} {number % 2}" for qid in (1, 2) for name in (1, 2) for number in range(3000)]
    file.write_text(line_end.join(rows))
    qrels = read_qrels(file, format="subtopics")
    assert len(qrels) == 6000
    assert qrels.subtopics is not None
    assert len(qrels.subtopics.grade) == 12000


@pytest.mark.parametrize("text", ["1 0 d1 1\n1 1 d2 1\n", "1 1 d1 1\n1 2 d2 1\n", "1 0.5 d1 1\n1 1 d2 1\n"])
def test_qrels_with_any_second_column_stay_trec_qrels(file: Path, text: str) -> None:
    """As long as no document is there twice: TREC-COVID has rounds there."""
    file.write_text(text)
    qrels = read_qrels(file)
    assert qrels.subtopics is None
    assert qrels.iteration is not None


@pytest.mark.parametrize("text", ["1 0 d1 1\n1 0 d1 0\n", "1 0.5 d1 1\n1 1 d1 1\n", "1 1 d1 1\n1 1 d1 1\n"])
def test_a_document_twice_is_refused_where_the_second_column_tells_of_no_subtopics(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match="2: duplicate document d1 of topic 1"):
        read_qrels(file)


def test_a_document_twice_in_a_subtopic_is_refused(file: Path) -> None:
    file.write_text("1 1 d1 1\n1 2 d1 1\n\n1 1 d1 0\n")
    with pytest.raises(InputError, match="4: duplicate document d1 of topic 1, subtopic 1, first on line 1"):
        read_qrels(file)


def test_subtopics_are_written_as_they_were(file: Path, tmp_path: Path) -> None:
    file.write_text(DIVERSITY)
    write_qrels(tmp_path / "again", read_qrels(file), "subtopics")
    assert sorted((tmp_path / "again").read_text().splitlines()) == sorted(DIVERSITY.splitlines())


@pytest.mark.parametrize("format", ["sample-eval", "subtopics"])
def test_what_judgments_do_not_have_cannot_be_written(file: Path, format: str) -> None:
    with pytest.raises(InputError, match=f"cannot be written as {format}"):
        write_qrels(file, as_qrels({"1": {"d1": 1}}), format)
    assert not file.exists()


def test_frames_carry_strata_and_subtopics_too(file: Path) -> None:
    """A column of that name gives the same judgments as the file."""
    columns = ["query_id", "doc_id", "relevance", "stratum"]
    frame = pd.DataFrame([("2", "d9", -1, 2), ("1", "d10", 2, 1), ("1", "d9", 0, 2)], columns=columns)
    sample = as_qrels(frame)
    assert sample.stratum is not None
    assert (triples(sample), sample.stratum.tolist()) == (
        [("1", "d10", 2), ("1", "d9", 0), ("2", "d9", -1)],
        ["1", "2", "2"],
    )
    file.write_text(DIVERSITY)
    rows = [line.split() for line in DIVERSITY.splitlines()]
    diverse = as_qrels(pd.DataFrame(rows, columns=["query_id", "subtopic", "doc_id", "relevance"]))
    assert subtopics(diverse) == subtopics(read_qrels(file))


SAMPLED = ["-m", "xinfAP", "-m", "infNDCG", "-m", 'xinfAP(smoothing="nist")']
PLAIN = ["-m", "AP", "-m", "nDCG@10", "-m", "Bpref", "-m", "Judged@5", "-m", "P@5", "-m", "NumRel", "-m", "RBP"]
DIVERSE = ["-m", "alpha_nDCG@10", "-m", "ERR_IA@10", "-m", "NRBP", "-m", "StRecall@5", "-m", "AP"]
STORED_SAMPLE = "1 0 d0 1 1\n1 0 d1 1 0\n1 0 d2 2 1\n1 0 d3 2 -1\n1 0 d9 2 -1\n2 0 d1 1 1\n2 0 d4 2 0\n2 0 d7 2 -1\n"
SUBTOPICS = "1 1 d0 1\n1 2 d0 1\n1 1 d1 0\n1 2 d1 1\n1 1 d4 1\n1 2 d4 0\n2 2 d1 1\n2 1 d2 1\n2 2 d2 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """Three runs of two topics, and a store of them, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    orders = {tag: [f"d{rank * number % 11}" for rank in range(10)] for number, tag in enumerate("abc", 1)}
    runs = {tag: dict.fromkeys("12", order) for tag, order in orders.items()}
    track_files(tmp_path / "runs", runs=runs, end=".run")
    assert fresh(cranfield, "track.db")
    return tmp_path


def fresh(cranfield: Cranfield, store: str) -> bool:
    """An empty store with the runs."""
    return (
        cranfield("init", store, "--name", "a").code == 0
        and cranfield("import", "runs", store, *sorted(Path("runs").iterdir())).code == 0
    )


def scores(cranfield: Cranfield, *arguments: object) -> object:
    """What evaluate finds, run by run."""
    output = cranfield("evaluate", *arguments, "--format", "json")
    assert output.code == 0, output.err
    return sorted((s["run"], s["measure"], s["value"]) for s in json.loads(output.out)["scores"])


def of_files(cranfield: Cranfield, qrels: str, measures: list[str], form: str = "sample-eval") -> object:
    return scores(cranfield, qrels, *sorted(Path("runs").iterdir()), *measures, "--input-format", f"qrels={form}")


def judge(store: str, docnos: set[str] | None = None) -> int:
    """Label what the newest pool drew, or documents; one with an odd number is relevant."""
    with Store.open(store) as track:
        pairs = {(d.qid, d.docno) for d in stored_pool(track).documents}
        choice = pairs if docnos is None else {("1", docno) for docno in docnos}
        grades: dict[str, dict[str, int]] = {}
        for qid, docno in sorted(choice):
            grades.setdefault(qid, {})[docno] = int(docno[1:]) % 2
        return import_qrels(track, as_qrels(grades), "ada" if docnos is None else "bob", "human")


def test_every_format_that_is_written_is_offered() -> None:
    """The README's table and the option say the same."""
    assert {row.name for row in formats_of("qrels") if row.write} == {*QRELS_FORMATS}


@pytest.mark.full
@pytest.mark.parametrize(
    ("form", "method"),
    [*product(("sample-eval", "grade-stratum"), ("stratified", "uniform", "tail"))][:: usually(2, 1)],
)
def test_a_stratified_pool_keeps_its_strata(folder: Path, cranfield: Cranfield, method: str, form: str) -> None:
    """The store, the file that it writes, and a second store of that file give the same scores, and the same file."""
    options = ["--option", "k=2", "--option", "rate=0.5"] if method == "tail" else ["--budget", 7]
    options += ["--option", "bounds=2,5"] if method == "stratified" else []
    assert cranfield("pool", "build", "track.db", "--method", method, "--depth", 9, *options).code == 0
    assert judge("track.db") >= 10
    output = cranfield("export", "qrels", "track.db", "sample", "--format", form)
    assert output.code == 0
    assert f"read it with --format {form}" in output.err
    content = Path("sample").read_text()
    assert " -1" in content
    expected = of_files(cranfield, "sample", SAMPLED, form)
    assert scores(cranfield, "track.db", *SAMPLED) == expected
    assert fresh(cranfield, "again.db")
    output = cranfield("import", "qrels", "again.db", "sample", "--format", form)
    assert "note: sample is a stratified sample; its strata are stored in pool 1\n" in output.err
    assert scores(cranfield, "again.db", *SAMPLED) == expected
    assert cranfield("export", "qrels", "again.db", "back", "--format", form).code == 0
    assert Path("back").read_text() == content


@pytest.mark.full
def test_the_names_of_strata_are_numbers_in_the_file(folder: Path, cranfield: Cranfield) -> None:
    """Which is said, and is in the manifest."""
    cranfield("pool build track.db --method stratified --option bounds=2,5 --budget 6")
    judge("track.db")
    output = cranfield("export qrels track.db sample --format sample-eval")
    assert "note: strata are written as numbers: 1 is 1-2, 2 is 3-5, 3 is 6-\n" in output.err
    manifest = json.loads(Path("sample.manifest.json").read_text())
    assert (manifest["format"], manifest["strata"]) == ("sample-eval", {"1": "1-2", "2": "3-5", "3": "6-"})
    output = cranfield("export qrels track.db plain")
    assert "note: this format omits the strata of the pool; write them with --format sample-eval\n" in output.err


@pytest.mark.full
def test_other_measures_do_not_see_the_sample(folder: Path, cranfield: Cranfield) -> None:
    """What was not judged is not judged; only infAP, which is of samples as well, takes it for pooled."""
    cranfield("pool build track.db --method uniform --budget 6")
    judge("track.db")
    cranfield("export qrels track.db plain")
    assert scores(cranfield, "track.db", *PLAIN) == of_files(cranfield, "plain", PLAIN, "trec")


def test_what_was_judged_otherwise_is_a_stratum_of_its_own(folder: Path, cranfield: Cranfield) -> None:
    """Of which all is known; that is said, and files and store agree."""
    cranfield("pool build track.db --method uniform --depth 3 --budget 2")
    judge("track.db")
    with Store.open("track.db") as store:
        sample = {d.docno for d in stored_pool(store).documents if d.qid == "1"}
    others = {f"d{number}" for number in range(11)} - sample
    judge("track.db", others)
    output = cranfield("evaluate", "track.db", *SAMPLED)
    what = f"{len(others)} of {len(others) + 4} judged documents were not drawn for pool 1"
    assert f"note: {what}; measures for samples treat them as a separate stratum\n" in output.err
    output = cranfield("export qrels track.db sample --format sample-eval")
    assert (
        f"note: {len(others)} labels of documents outside the sample are written to a separate stratum\n" in output.err
    )
    assert scores(cranfield, "track.db", *SAMPLED) == of_files(cranfield, "sample", SAMPLED)
    strata = read_qrels("sample", format="sample-eval").stratum
    assert strata is not None
    assert (strata == "2").sum() == len(others)


def test_a_sample_of_others_is_kept(folder: Path, cranfield: Cranfield) -> None:
    """The judged documents are labels and the pool, the others its frame; estimates know the sample, too."""
    Path("theirs").write_text(STORED_SAMPLE)
    output = cranfield("import qrels track.db theirs --format sample-eval")
    assert (output.out, "scale" in output.err) == ("5 judgments by import\n", False)
    with Store.open("track.db") as store:
        assert newest_stratified_pool(store) == 1
        assert [(d.qid, d.docno, d.stratum, d.probability) for d in stored_pool(store).documents] == [
            ("1", "d0", "1", 1.0), ("1", "d1", "1", 1.0), ("1", "d2", "2", 1 / 3), ("2", "d1", "1", 1.0),
            ("2", "d4", "2", 0.5),
        ]  # fmt: skip
        assert len(qrels_of(store)) == 5
    assert scores(cranfield, "track.db", *SAMPLED) == of_files(cranfield, "theirs", SAMPLED)
    cranfield("export qrels track.db ours --format sample-eval")
    assert Path("ours").read_text() == STORED_SAMPLE
    for command in ("pool show", "pool estimate", "info", "progress", "compare", "pool verify"):
        assert cranfield(*command.split(), "track.db").code == 0
    assert cranfield.error("reusability track.db").endswith(
        "the runs behind the sample are unknown, so no run can be left out"
    )
    cranfield.run("store remove track.db import 2", "store remove track.db pool 1")
    with Store.open("track.db") as store:
        assert newest_stratified_pool(store) is None


def test_subtopics_come_back(folder: Path, cranfield: Cranfield) -> None:
    """The file, the store of it, the file that it writes."""
    Path("diverse").write_text(SUBTOPICS)
    assert cranfield("import qrels track.db diverse").out == "5 judgments by import\n"
    assert scores(cranfield, "track.db", *DIVERSE) == of_files(cranfield, "diverse", DIVERSE, "subtopics")
    output = cranfield("export qrels track.db back --format subtopics")
    assert (output.code, Path("back").read_text()) == (0, SUBTOPICS)
    output = cranfield("export qrels track.db plain")
    assert "note: this format omits the subtopics of these labels; write them with --format subtopics" in output.err
    assert Path("plain").read_text() == "1 0 d0 1\n1 0 d1 1\n1 0 d4 1\n2 0 d1 1\n2 0 d2 1\n"


@pytest.mark.full
def test_a_label_given_anew_has_no_subtopics(folder: Path, cranfield: Cranfield) -> None:
    """They were another label's, and what is left out is said."""
    Path("diverse").write_text(SUBTOPICS)
    Path("anew").write_text("1 0 d0 0\n1 0 d1 1\n")
    cranfield.run("import qrels track.db anew --assessor first", "import qrels track.db diverse")
    output = cranfield("export qrels track.db back --format subtopics --policy primary")
    assert "note: 2 labels without subtopics omitted\n" in output.err
    assert not any(line.split()[:3:2] == ["1", "d0"] for line in Path("back").read_text().splitlines())
    with Store.open("track.db") as store:
        assert qrels_of(store).grade.tolist().count(0) == 1


@pytest.mark.parametrize(
    ("form", "options", "message"),
    [
        ("subtopics", [], "these labels have no subtopics"),
        ("sample-eval", [], "there is no stratified pool; build a pool with strata: `cranfield pool build` with"),
        ("grade-stratum", ["--pool", 1], "pool 1 has no strata for these labels"),
    ],
)
def test_what_the_labels_do_not_have_is_not_written(
    folder: Path, cranfield: Cranfield, form: str, options: list[object], message: str
) -> None:
    """Nothing is written then, and there is a way out."""
    cranfield("pool build track.db --depth 3")
    judge("track.db")
    assert cranfield.error("export", "qrels", "track.db", "out", "--format", form, *options).startswith(message)
    assert not Path("out").exists()


def test_beir_qrels_are_written(folder: Path, cranfield: Cranfield) -> None:
    """With what is lost; they are read as they are."""
    Path("theirs").write_text("1 X d0 1\n1 0 d1 0\n2 0 d1 1\n")
    cranfield("import qrels track.db theirs --format trec")
    output = cranfield("export qrels track.db out.tsv --format beir")
    assert "note: this format omits the second column of imported labels; write it with --format trec\n" in output.err
    assert Path("out.tsv").read_text() == "query-id\tcorpus-id\tscore\n1\td0\t1\n1\td1\t0\n2\td1\t1\n"
    assert read_qrels("out.tsv").grade.tolist() == [1, 0, 1]


@pytest.mark.full
def test_a_file_that_would_be_taken_for_another_is_said(folder: Path, cranfield: Cranfield) -> None:
    """Where everything was judged, nothing shows which column is the grade."""
    cranfield("pool build track.db --method uniform --depth 3 --budget 99")
    judge("track.db")
    output = cranfield("export qrels track.db out --format grade-stratum")
    line = "programs cannot detect the format of this file; read it with --format grade-stratum"
    assert f"note: {line}" in output.err
