"""The checks of a run: each rule with its line, files that hold no run, and the files of three rounds of TREC-COVID."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.features.tasks.checking import MOST_ERRORS, RunRules, check_run
from cranfield.features.tasks.functions import submit_check
from cranfield.features.tasks.sent_files import RATIO, check_file
from tests.conftest import Cranfield, usually

GOOD = b"1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n2 Q0 d1 1 1 a\n"
RULES = RunRules(["1", "2"], lambda docnos: [docno for docno in docnos if docno not in ("d1", "d2", "d3")], most=2)


def errors_of(run: bytes, rules: RunRules = RULES) -> list[str]:
    return [str(error) for error in check_run(run.splitlines(keepends=True), rules).errors]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"2 Q0 d2 2 a", "line 4: 5 fields; expected six: qid Q0 docno rank score tag"),
        (b"2 Q0 d2 2 0 b", "line 4: tag 'b'; expected 'a', the tag on the first line"),
        (b"7 Q0 d2 2 0 a", "line 4: topic '7'; expected one of the 2 topics"),
        (b"2 q0 d2 2 0 a", "line 4: second field 'q0'; expected Q0"),
        (b"2 Q0 d2 -1 0 a", "line 4: rank '-1'; expected a whole number"),
        (b"2 Q0 d2 2 inf a", "line 4: score 'inf'; expected a finite number"),
        (b"2 Q0 d2 2 1_0 a", "line 4: score '1_0'; expected a finite number"),
        (b"2 Q0 d9 2 0 a", "line 4: document 'd9'; expected a docno of the collection"),
        (
            b"2 Q0 d1 2 0 a",
            "line 4: document 'd1' occurs again for topic '2' (first on line 3); expected each document once",
        ),
        (b"1 Q0 d3 3 0 a", "line 4: more than 2 documents for topic '1'; expected at most 2"),
        (b"2 Q0 d2 2 0 a\x1b[2J", "line 4: tag 'a\u241b[2J'; expected 'a', the tag on the first line"),
        (
            b"2 Q0 d2 2 " + b"9" * 2000 + b" a",
            "line 4: a line of more than 1000 bytes; expected six: qid Q0 docno rank score tag",
        ),
    ],
)
def test_a_wrong_line(line: bytes, error: str) -> None:
    """It is named with what was found and what is right; without it the run is good."""
    assert errors_of(GOOD) == []
    assert errors_of(GOOD + line) == [error]


@pytest.mark.parametrize(
    ("row", "error"),
    [
        (b"2 Q0 d\xe9 1 1 a\n", "line 1: document 'd<U+DCE9>'; expected UTF-8"),
        (b"2 Q0 d1\r1 1 a\n", "line 1: a CR without LF; expected lines that end in LF or CRLF"),
        (b"# a\r2 Q0 d1 1 1 a\n", "line 1: a CR without LF; expected lines that end in LF or CRLF"),
    ],
)
def test_what_is_accepted_can_be_read(row: bytes, error: str) -> None:
    """A name that is not UTF-8, and a line end that only the reader of runs takes for one: errors, not runs."""
    assert str(check_run([row], RunRules(["2"])).errors[0]) == error
    assert check_run([b"1 Q0 d1 1 2 a\r\n"], RunRules(["1"])).errors == ()


def test_a_duplicate_is_known_whatever_is_between() -> None:
    """NIST's checker forgets it once the document occurs under another topic."""
    assert errors_of(b"1 Q0 d1 1 2 a\n2 Q0 d1 1 1 a\n1 Q0 d1 2 1 a\n") == [
        "line 3: document 'd1' occurs again for topic '1' (first on line 1); expected each document once"
    ]


def test_a_topic_without_documents() -> None:
    """An error or a warning, as the task says."""
    run = [b"1 Q0 d1 1 2 a"]
    assert errors_of(run[0]) == ["no document for topic '2'; expected a document for each of the 2 topics"]
    report = check_run(run, RULES._replace(missing="warn"))
    assert (report.errors, report.warnings) == ((), ("no document for 1 topic: 2",))
    assert errors_of(b"\n\n") == [
        "no lines with documents; expected lines with six fields: qid Q0 docno rank score tag"
    ]


@pytest.mark.needs_extra("files")
def test_the_tag_and_the_header_agree_with_the_form() -> None:
    """A conflict is an error; the header can prefill what the form leaves open."""
    header = b"# ir_metadata.start\n# tag: b\n# actor:\n#   team: x\n# ir_metadata.end\n"
    assert errors_of(GOOD, RULES._replace(tag="b")) == [
        "line 1 and 2 others: tag 'a'; expected 'b', the tag in the form"
    ]
    assert errors_of(header + GOOD, RULES._replace(team="cuni")) == [
        "line 1: tag 'b' in the header; expected 'a', or no tag in the header",
        "line 1: team 'x' in the header; expected 'cuni', or no team in the header",
    ]
    assert errors_of(b"# ir_metadata.start\n# a: &x 1\n# b: *x\n# ir_metadata.end\n" + GOOD)[0].startswith(
        "line 2: an ir_metadata header with aliases"
    )


def test_the_first_errors_are_shown_and_all_are_counted() -> None:
    """25, in the order of the lines; a run that is far too long is not read to its end."""
    report = check_run([f"{qid} Q0 d9 1 1 a\n".encode() for qid in range(2, 56)], RunRules(["1"], most=40))
    assert (len(report.errors), report.errors[0].line, report.errors[-1].line) == (MOST_ERRORS, 1, 25)
    assert report.more == 40 + 1 + 1 - MOST_ERRORS  # of lines, one line too many, a topic without documents
    assert report.as_json()["more"] == report.more


def test_what_decides_nothing_is_a_warning() -> None:
    """Ranks against scores, ties, documents judged before."""
    run = [b"1 Q0 d1 1 1 a", b"1 Q0 d2 2 3 a", b"1 Q0 d3 3 3 a", b"2 Q0 d1 1 1 a"]
    report = check_run(run, RULES._replace(most=3, judged=frozenset({(b"1", b"d1"), (b"3", b"d1")})))
    assert report.errors == ()
    assert report.warnings == (
        "ranks contradict scores in 1 topic (1 row); the scores decide the order",
        "1 row has a tied score; ties are broken by descending docno",
        "1 document was judged in an earlier round; the pool and the scores ignore such documents",
    )


def zip_file() -> bytes:
    """A zip archive with a run."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.run", GOOD)
    return target.getvalue()


def tar_file() -> bytes:
    """A tar archive with a run."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        member = tarfile.TarInfo("a.run")
        member.size = len(GOOD)
        archive.addfile(member, io.BytesIO(GOOD))
    return target.getvalue()


LARGE = f"unpacks to more than {RATIO} times its size; expected a run"
NO_RUNS = (
    (zip_file(), "a zip archive; expected one run as text, plain or compressed with gzip"),
    (tar_file(), "a tar archive; expected one run as text, plain or compressed with gzip"),
    (gzip.compress(tar_file()), "a tar archive; expected one run as text, plain or compressed with gzip"),
    (gzip.compress(gzip.compress(GOOD)), "compressed twice, with gzip inside; expected one run"),
    (gzip.compress(lzma.compress(GOOD)), "compressed twice, with xz inside; expected one run"),
    (gzip.compress((b" " * 999 + b"\n") * (RATIO << 6)), LARGE),
    (bz2.compress(b"1" * (1 << 22)), LARGE),
    (gzip.compress(GOOD)[:-12], "the compressed data is truncated or damaged"),
    (b"1 Q0 d1 1 1 \0\n", "binary data; expected one run as text, plain or compressed with gzip"),
)


@pytest.mark.parametrize(("content", "error"), NO_RUNS, ids=map(str, range(len(NO_RUNS))))
def test_what_holds_no_run(content: bytes, error: str) -> None:
    """One line says so, whether it is an archive, packed twice, a bomb, or cut."""
    with pytest.raises(InputError) as refusal:
        check_file("a.run", RULES, content=content)
    assert error in str(refusal.value)
    with pytest.raises(InputError, match="unpacks to more than 16 bytes"):
        check_file("a.run", RULES, 16, gzip.compress(GOOD))


def test_a_run_is_read_however_it_is_packed() -> None:
    """The hashes are those of the file, and of what it holds."""
    plain = check_file("a.run", RULES, content=GOOD)
    compact = check_file("a.run", RULES, content=gzip.compress(GOOD))
    assert plain[0] == compact[0] == check_file("a.run", RULES, content=b"\xef\xbb\xbf" + GOOD)[0]
    assert plain[1].sha256 == plain[1].unpacked_sha256 == compact[1].unpacked_sha256 != compact[1].sha256


def test_submit_checks_offline(tmp_path: Path, cranfield: Cranfield) -> None:
    """The same checks as the server's: warnings, errors with their lines, and exit 1."""
    (tmp_path / "topics.tsv").write_text("1\tone\n2\ttwo\n")
    (tmp_path / "ids").write_text("d1\nd2\n")
    (tmp_path / "a.run").write_bytes(GOOD)
    (tmp_path / "b.run").write_bytes(GOOD + b"2 Q0 d9 2 0 a\n")
    check = ("--check", tmp_path / "topics.tsv", "--documents", tmp_path / "ids")
    assert cranfield("submit", tmp_path / "a.run", *check).out == f"{tmp_path}/a.run: run a, 2 topics, 3 documents\n"
    wrong = cranfield("submit", tmp_path / "b.run", *check)
    assert (wrong.code, wrong.err.splitlines()) == (
        1,
        [
            f"note: {tmp_path}/topics.tsv: read as tsv (id TAB text)",
            f"note: {tmp_path}/b.run:4: document 'd9'; expected a docno of the collection",
            f"error: {tmp_path}/b.run: 1 error; correct the file",
        ],
    )
    assert cranfield("submit", tmp_path / "a.run").code == 2
    (tmp_path / "ids").write_text('{"_id": "d1"}\n')
    assert (
        f"{tmp_path}/ids:1: found JSON; expected one docno per line\n"
        in cranfield("submit", tmp_path / "a.run", *check).err
    )


ROUNDS = (("r1", 30, "r2/docids.round1.txt.xz", ""), ("r2", 35, "r2/docids.round2.txt.xz", "r2/qrels.covid-round1"),
          ("r4", 45, "r4/docids.round4.txt.xz", "r4/qrels.covid-round3-cumulative"))  # fmt: skip


@pytest.mark.parametrize("covid", ROUNDS, ids=[name for name, *_ in ROUNDS])
def test_trec_covid(covid: tuple[str, int, str, str], shared: Path, tmp_path: Path) -> None:
    """All files pass but uab.run1 of round 4, which has one unknown docno; 21 of that round have documents judged
    before."""
    name, topics, docids, judged = covid
    path = tmp_path / "topics.tsv"
    path.write_text("".join(f"{qid}\ttopic\n" for qid in range(1, topics + 1)))
    ids = tmp_path / "ids"
    ids.write_bytes(lzma.decompress((shared / f"treccovid-{docids}").read_bytes()))
    qrels = f"{shared}/treccovid-{judged}.txt.xz" if judged else None
    runs = sorted((shared / f"treccovid-{name}" / "runs").iterdir())
    wrong: dict[str, list[str]] = {}
    rows: dict[str, int] = {}
    for run in runs[:: usually(len(runs), 1)] + [run for run in runs if run.name == "uab.run1.xz"]:
        report = submit_check(run, path, documents=ids, judged=qrels)
        wrong |= {run.name: list(map(str, report.errors))} if report.errors else {}
        rows |= [(run.name, int(text.split()[0])) for text in report.warnings if "earlier round" in text]
    unknown = "line 11869: document '99999999'; expected a docno of the collection"
    assert wrong == ({"uab.run1.xz": [unknown]} if name == "r4" else {})
    assert (len(rows), sum(rows.values())) == (usually((2, 278), (21, 1748)) if name == "r4" else (0, 0))
