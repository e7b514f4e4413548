"""The compiled scanner of run files: what it gives is what the reading of tables gives, or it gives None."""

import gzip
import locale
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.arrays.join import Judgments
from cranfield.errors import InputError
from cranfield.formats import each_run, read_qrels, read_runs
from cranfield.formats.arrow import text_array, unite_texts
from cranfield.formats.files import open_file
from cranfield.formats.runs import SCANNER_SWITCH, RankCounts, scanned, scanner_in_c
from cranfield.formats.runs.blocks import places, read_rankings
from cranfield.formats.runs.files import read_trec
from cranfield.formats.runs.scanned import names_for_scanner
from cranfield.formats.runs.united import KEYS, unite_distinct_texts
from cranfield.formats.runs_and_qrels import _as_run
from cranfield.formats.text_arrays import uses_arrow
from cranfield.metrics.dicts import number_documents, packed_judged_ranks
from tests.conftest import usually
from tests.formats.test_files import same
from tests.texts import CHARACTER

pytestmark = pytest.mark.skipif(
    scanner_in_c() is None, reason="needs the scanner, which was not compiled or is switched off"
)
QRELS = "1 0 d1 1\n1 0 d2 2\n1 0 d10 0\n1 0 é 1\n2 0 d1 1\n2 0 日本 1\nlong-topic-10 0 d1 1\n"


TEXTS = st.text(CHARACTER, max_size=9) | st.sampled_from(["", "d1", "d10", "d" * 256])


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judgments:
    path = tmp_path_factory.mktemp("scanner") / "qrels"
    path.write_text(QRELS, encoding="utf-8")
    return Judgments(read_qrels(path))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scanner") / "run"


def ranks_of_table(run: Path) -> RankCounts:
    """What the reading of tables counts of the ranks."""
    with open_file(run) as source:
        return _as_run(read_trec(source))[1]


def is_read(judged: Judgments, run: Path) -> bool:
    """Whether the scanner reads a file, which then has to be right."""
    table = names_for_scanner(judged)
    assert table is not None
    both = [scanned.scan_file(table, alone, run) for alone in (True, False)]
    for found in both:
        if found is not None:
            plain, ranks = read_rankings(run, places(judged.docnos)) or found
            same(judged.meet(found[0]), judged.meet(read_runs([run])))
            same(judged.meet(found[0]), judged.meet(plain))
            assert found[1] == ranks == ranks_of_table(run)
    assert (both[0] is None) == (both[1] is None)
    return both[0] is not None


READ = {
    "one document": "1 Q0 d1 1 2.0 r\n",
    "no final line end": "1 Q0 d1 1 2.0 r\n1 Q0 d2 2 1.0 r",
    "ties": "1 Q0 d1 1 1 r\n1 Q0 d2 2 1.0 r\n1 Q0 d10 3 1e0 r\n1 Q0 d9 4 1 r\n2 Q0 d1 1 0.0 r\n2 Q0 d2 1 -0.0 r\n",
    "a prefix ties": "1 Q0 d1 1 1 r\n1 Q0 d10 2 1 r\n1 Q0 d 3 1 r\n",
    "scores that rise": "1 Q0 d1 1 1 r\n1 Q0 d2 2 3 r\n1 Q0 x 3 2 r\n1 Q0 d10 3 2 r\n",
    "several topics": "2 Q0 d1 1 1 r\n1 Q0 d2 1 1 r\nlong-topic-1 Q0 d1 1 1 r\nlong-topic-10 Q0 d1 1 1 r\n",
    "nothing judged": "1 Q0 x 1 1 r\n",
    "a topic that comes again": "1 Q0 d1 1 2 r\n2 Q0 d1 1 2 r\n1 Q0 d2 2 3 r\n2 Q0 x 2 2 r\n1 Q0 x 2 3 r\n",
    "tabs and other blanks": "\t1\tQ0  d1\v1\f2.0\tr \t\n1 Q0\td2 2 1 r\n",
    "CRLF": "1 Q0 d1 1 2.0 r\r\n1 Q0 d2 2 1 r\r\n",
    "blank lines": "\n \n1 Q0 d1 1 2.0 r\n\n\t\n1 Q0 d2 2 1 r\n\n",
    "comments": "# six words that are a comment\n1 Q0 d1 1 2.0 r\n#\n1 Q0 d2 2 1 r\n#",
    "a topic of a number sign": " # Q0 d1 1 2.0 r\n #2 Q0 d2 2 1 r\n",
    "names of several bytes": "1 Q0 é 1 2.0 ü\n2 Q0 日本 2 1 ü\n2 Q0 日 3 1 ü\n",
    "controls in names": "1 Q0 d1\x01 1 2.0 r\x1c\n1 Q0 d2\x1f 2 2 r\x1c\n1 Q0 d2 3 2 r\x1c\n",
    "a byte order mark": "\ufeff1 Q0 d1 1 2.0 r\n",
    "numbers of every make": "".join(
        f"1 Q0 {docno} 1 {score} r\n"
        for docno, score in zip(
            ["a", "b", "c", "d1", "d2", "d10", "e", "f", "g", "h", "i", "j", "k", "l"],
            ["1e3", "+2.5", ".5", "5.", "-.5", "1E-3", "12.345678901234567", "123456789012345678901234", "0.1e-400",
             "1e400", "-1e400", "9007199254740993", "0.30000000000000004", "000000000000000000000000.1"],
            strict=True,
        )
    ),
}  # fmt: skip
LEFT = {
    "more columns": "1 Q0 d1 1 2.0 r and more\n1 Q0 d2 2 1 s x\n",
    "a rank that is a word": "1 Q0 d1 Q0 2.0 r\n1 Q0 d2 2 1 r\n",
    "a rank with decimals": "1 Q0 d1 1.0 2.0 r\n1 Q0 d2 2 1 r\n",
    "nothing": "",
    "blanks alone": "\n \n",
    "a document twice": "1 Q0 d1 1 2.0 r\n1 Q0 x 2 1 r\n1 Q0 d1 3 0 r\n",
    "a document twice in a topic that nobody judged": "7 Q0 x 1 2.0 r\n7 Q0 x 2 1 r\n",
    "a document twice in a topic that comes again": "1 Q0 d1 1 2 r\n2 Q0 d1 1 2 r\n1 Q0 d1 2 1 r\n",
    "a topic that nobody judged comes again": "7 Q0 d1 1 2 r\n1 Q0 d1 1 2 r\n7 Q0 d2 2 1 r\n",
    "too few columns": "1 Q0 d1 1 2.0 r\n1 Q0 d2 2 1\n",
    "not a number": "1 Q0 d1 1 nan r\n",
    "infinite": "1 Q0 d1 1 inf r\n1 Q0 d2 1 -Infinity r\n",
    "hexadecimal": "1 Q0 d1 1 0x10 r\n",
    "two points": "1 Q0 d1 1 1.0.0 r\n",
    "a sign alone": "1 Q0 d1 1 - r\n",
    "an exponent alone": "1 Q0 d1 1 1e r\n",
    "underscores": "1 Q0 d1 1 1_0 r\n",
    "a comma": "1 Q0 d1 1 1,5 r\n",
    "other digits": "1 Q0 d1 1 \u0661 r\n",
    "a NUL": "1 Q0 d1\0 1 2.0 r\n",
    "a NUL at the end": "1 Q0 d1 1 2.0 r\n\0",
    "a NUL in a comment": "1 Q0 d1 1 2.0 r\n# a\0\n",
    "lines that end with CR": "1 Q0 d1 1 2.0 r\r1 Q0 d2 2 1 r\r",
    "a CR amid a line": "1 Q0 d1 1 2.0 r and\rmore\n1 Q0 d2 2 1 r\n",
    "a long docno": f"1 Q0 {'d' * 300} 1 2.0 r\n",
    "a long line": f"1 Q0 d1 1 2.0 r {'x' * 70_000}\n",
    "other columns": "1\td1\t1\n1\td2\t2\n",
    "names of columns": "qid docno score rank q0 tag\n1 Q0 d1 1 2.0 r\n",
    "UTF-16": "1 Q0 d1 1 2.0 r\n".encode("utf-16").decode("latin-1"),
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
@pytest.mark.parametrize("packed", [False, True])
def test_what_is_read_is_right(judged: Judgments, run: Path, text: str, packed: bool) -> None:
    """From files of every make, also compressed ones."""
    run.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert is_read(judged, run)


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_unusual_is_left_to_the_reading_of_tables(judged: Judgments, run: Path, text: str) -> None:
    """Which says what is wrong, if anything is."""
    run.write_bytes(text.encode("latin-1") if text.startswith("ÿþ") else text.encode())
    table = names_for_scanner(judged)
    assert table is not None
    assert scanned.scan_file(table, True, run) is None


def test_names_that_are_not_utf_8_are_left(judged: Judgments, run: Path) -> None:
    """In any place, as others say which."""
    for data in (b"1 Q0 d\xff 1 2.0 r\n", b"1 Q0 d1 1 2.0 r\xff\n", b"1 Q0 d1 1 2.0 r\n\xff Q0 d1 1 2.0 r\n"):
        run.write_bytes(data)
        assert not is_read(judged, run)


cells = st.sampled_from(
    ["1", "2", "7", "Q0", "d1", "d2", "d10", "é", "#", "#1", "0.5", "1.50", "-1", "+3", "1e3", "inf", "nan", "0x1", "r"]
)
gaps = st.sampled_from([" ", " ", " ", "\t", "  ", " \t", "\v"])
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\r", "\0\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Lines that are nearly right."""
    lines = []
    for number in range(draw(st.integers(1, 8))):
        score = draw(st.sampled_from(["1", "1.0", "2", "0.5", "-3", "1e0"]))
        columns = [
            draw(st.sampled_from("1127")),
            "Q0",
            draw(st.sampled_from(["d1", "d2", f"x{number}", "é"])),
            "1",
            score,
        ]
        columns += [draw(st.sampled_from("rs"))] * draw(st.sampled_from([1, 1, 1, 1, 2]))
        if draw(st.integers(0, 9)) == 0:
            columns[draw(st.integers(0, len(columns) - 1))] = draw(cells)
        lines.append(draw(gaps).join(columns) + draw(ends))
    return "".join(lines)


def outcome(judged: Judgments, run: Path) -> object:
    """What comes of a file: what was judged of it, or the message."""
    try:
        return judged.meet(*each_run(run, judged))
    except InputError as error:
        return str(error)


@given(texts(), st.integers(8, 100))
def test_both_ways_give_the_same(judged: Judgments, run: Path, text: str, size: int) -> None:
    """The same scores, or the same message, in pieces of every size."""
    run.write_text(text, encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanned, "PIECE", size)
        quickly = outcome(judged, run)
        patch.setenv(SCANNER_SWITCH, "1")
        slowly = outcome(judged, run)
    if isinstance(slowly, str) or isinstance(quickly, str):
        assert quickly == slowly
    else:
        same(quickly, slowly)  # type: ignore[arg-type]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=30), st.integers(0, 20))
def test_numbers_are_those_of_python(judged: Judgments, run: Path, values: list[float], digits: int) -> None:
    """Written at any length: they order and tie as Python's do."""
    texts = [repr(value) if digits == 20 else f"{value:.{digits}{'eg'[digits % 2]}}" for value in values]
    docnos = ["d1", "d2", "d10", "é", *map(str, range(len(texts)))][: len(texts)]
    run.write_text("".join(f"1 Q0 {docno} 1 {text} r\n" for docno, text in zip(docnos, texts, strict=True)))
    table = names_for_scanner(judged)
    assert table is not None
    rankings, _ = scanned.scan_file(table, False, run) or (None, None)
    rows = sorted(zip(map(float, texts), docnos, strict=True), key=lambda row: (row[0], row[1].encode()), reverse=True)
    known = ("d1", "d2", "d10", "é", "1")  # judged, and the document that has the topic's id
    expected = [place for place, (_, docno) in enumerate(rows) if docno in known]
    assert rankings is not None
    assert rankings.row.tolist() == expected


@pytest.mark.parametrize("order", ["sorted", "rising", "tied", "one topic", "shuffled"])
def test_large_files_are_cut_where_topics_change(tmp_path: Path, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain and compressed; a file in which topics are mixed is not cut."""
    monkeypatch.setattr(scanned, "PIECE", 1 << 14)
    draw, topics = Random(3), 1 if order == "one topic" else usually(20, 200)
    lines = [
        f"{topic} Q0 clueweb12-{draw.randrange(10**6)}-{place} {place} {score:.4f} r\n"
        for topic in range(topics)
        for place in range(2000 // topics)
        for score in [{"tied": 1.0, "rising": place}.get(order, -place)]
    ]
    qrels = tmp_path / "qrels"
    judged_lines = {*draw.sample(lines, 200), *lines[:: 2000 // topics]}  # of every topic: a mixed one has to be judged
    qrels.write_text("".join("{} 0 {} 1\n".format(*line.split()[::2]) for line in sorted(judged_lines)))
    if order == "shuffled":
        draw.shuffle(lines)
    judged, run, archive = Judgments(read_qrels(qrels)), tmp_path / "run", tmp_path / "run.gz"
    run.write_text("".join(lines))
    archive.write_bytes(gzip.compress(run.read_bytes()))
    with run.open("rb") as file:
        assert (len(list(scanned.read_whole_topics(file, 1 << 14))) > 3) == (order != "one topic")
    assert is_read(judged, run)
    assert is_read(judged, archive)
    monkeypatch.setattr(scanned, "WHOLE", 1 << 14)
    assert is_read(judged, run) == (order != "shuffled")


def test_many_names_are_found(tmp_path: Path) -> None:
    """Thousands of judgments of one topic and of thousands, of every length: in one part many, in others one."""
    draw = Random(1)
    names = sorted({"".join(draw.choices("ab1é", k=draw.randrange(1, 40))) for _ in range(usually(3000, 30_000))})
    pairs = [*(("1", name) for name in names), *((f"topic-{name}", name) for name in names)]
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("".join(f"{qid} 0 {docno} 1\n" for qid, docno in pairs if draw.random() < 0.5))
    run.write_text("".join(f"{qid} Q0 {docno} 1 {draw.randrange(5)} r\n" for qid, docno in pairs))
    assert is_read(Judgments(read_qrels(qrels)), run)


def test_real_runs_are_judged_both_ways(shared: Path) -> None:
    """Robust 2003 and TREC-COVID, with their ties."""
    for name, qrels in (("robust03", "qrels.robust03.txt.gz"), ("treccovid-r1", "qrels-rnd1.txt.gz")):
        judged = Judgments(read_qrels(shared / name / qrels))
        runs = sorted((shared / name / "runs").iterdir())[:: usually(20, 1)]
        assert np.mean([is_read(judged, run) for run in runs]) > 0.5


def test_numbers_do_not_depend_on_the_locale(judged: Judgments, run: Path) -> None:
    """Where they have a comma instead of a point, those of many digits are left."""
    before = locale.setlocale(locale.LC_NUMERIC)
    try:
        locale.setlocale(locale.LC_NUMERIC, "de_DE.UTF-8")
    except locale.Error:
        pytest.skip("needs the locale de_DE.UTF-8")
    try:
        for score, can_be in (("1.5", True), ("1.234567890123456789012", False)):
            run.write_text(f"1 Q0 d2 1 {score} r\n1 Q0 d1 2 1.2 r\n")
            assert is_read(judged, run) is can_be
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)


def test_it_can_be_switched_off(judged: Judgments, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SCANNER_SWITCH, "1")
    assert names_for_scanner(judged) is None


LOADED = """
import sys
from cranfield.cli.program import main
try:
    main()
except SystemExit:
    print(sorted({"pyarrow", "pandas", "scipy"} & {*sys.modules}))
"""


def test_evaluate_of_files_loads_neither_arrow_nor_pandas(tmp_path: Path) -> None:
    """They take longer than the scanner does."""
    (tmp_path / "qrels").write_text(QRELS, encoding="utf-8")
    (tmp_path / "run").write_text(READ["ties"])
    command = [sys.executable, "-c", LOADED, "evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "AP"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    assert outcome.stdout.splitlines()[-1] == "[]"


SCORES = st.one_of(
    st.floats(allow_nan=False), st.sampled_from([0.0, -0.0, 1.0]), st.integers(-5, 5), st.floats().map(np.float64)
)
DOCNOS = st.text(CHARACTER, max_size=3)
UNUSUAL = (True, 2**63, -(2**70), np.float32(1), "1", None, float("nan"), np.float64("nan"))


@given(
    st.dictionaries(DOCNOS, SCORES, max_size=12),
    st.sets(DOCNOS, max_size=8),
)
def test_dicts_are_met_as_python_meets_them(retrieved: dict[str, float], judged: set[str]) -> None:
    """Ties, infinities, zeros of both signs, whole numbers and NumPy's; what is no number, in no other way."""
    scanner, judgments = scanner_in_c(), {docno: number for number, docno in enumerate(sorted(judged))}
    assert scanner is not None
    places = scanner.meet(retrieved, judgments)
    if np.isnan([*retrieved.values()]).any():
        assert places is None
    else:
        assert places == packed_judged_ranks({docno: float(score) for docno, score in retrieved.items()}, judgments)


@pytest.mark.parametrize("score", UNUSUAL, ids=repr)
def test_scores_that_are_unusual_are_left_to_python(score: object) -> None:
    scanner = scanner_in_c()
    assert scanner is not None
    assert scanner.meet({"d1": 1.0, "d2": score}, {"d1": 0}) is None
    assert scanner.meet({1: 1.0}, {}) is scanner.meet([("d1", 1.0)], {}) is None


@given(
    st.dictionaries(DOCNOS, st.integers(-(10**18) + 1, 10**18 - 1), min_size=1, max_size=9),
    st.integers(0, 99),
)
def test_judgments_are_numbered_as_in_python(grades: dict[str, int], first: int) -> None:
    """In the order of the dict, which stays as it was."""
    scanner, before = scanner_in_c(), dict(grades)
    assert scanner is not None
    assert scanner.number(grades, first) == number_documents(grades, first)
    assert grades == before


@pytest.mark.parametrize("grade", [*UNUSUAL, 10**18, -(10**18), 1.0, np.int64(1)], ids=repr)
def test_grades_that_are_unusual_are_left_to_python(grade: object) -> None:
    scanner = scanner_in_c()
    assert scanner is not None
    assert scanner.number({"d1": 1, "d2": grade}, 0) is None
    assert scanner.number({1: 1}, 0) is scanner.number([("d1", 1)], 0) is None


@given(st.lists(st.lists(TEXTS, max_size=40), min_size=1, max_size=4), st.integers(0, 2))
def test_different_texts_are_those_of_arrow(several: list[list[str]], first: int) -> None:
    """In the order they come, with the same numbers; also of arrays that start within others."""
    arrays = [text_array(texts)[min(first, len(texts)) :] for texts in several]
    found, expected = unite_distinct_texts(arrays), unite_texts(arrays)
    if uses_arrow():
        found[0].texts.validate(full=True)
    assert found[0].texts.tolist() == expected[0].texts.tolist()
    assert [codes.tolist() for codes in found[1]] == [codes.tolist() for codes in expected[1]]


def test_many_different_texts_are_found() -> None:
    """The table of the scanner grows."""
    texts = [f"doc-{number % 30_011}" for number in range(100_000)]
    names, [codes] = unite_distinct_texts([text_array(texts)])
    assert names.names.tolist() == texts[:30_011]
    assert codes.tolist() == [number % 30_011 for number in range(100_000)]


@pytest.mark.parametrize("offsets", [[0, 2, 1], [-1, 2], [0, 5], [0, 1, 400]])
def test_texts_outside_their_bytes_are_left(offsets: list[int]) -> None:
    """Offsets that fall, that lead outside of the bytes, a name that is too long."""
    scanner = scanner_in_c()
    assert scanner
    data = b"abcd" if offsets[-1] < 100 else bytes(400)
    assert scanner.unite(bytes(KEYS), ((np.array(offsets, np.int32), data),)) is None
    assert scanner.hashes(bytes(KEYS), (np.array(offsets, np.int32), data)) is None
    assert scanner.hashes(bytes(KEYS), (b"", b"")) == b""
    assert scanner.unite(bytes(KEYS), ()) == (b"", b"", bytes(4))
    assert scanner.unite(bytes(KEYS), ((b"", b""),)) == (b"", b"", bytes(4))
    with pytest.raises(TypeError, match="bytes-like"):
        scanner.unite(bytes(KEYS), ((bytes(4), 1),))


def test_a_long_text_is_left_to_arrow() -> None:
    names, codes = unite_distinct_texts([text_array(["d" * 257, "d"]), text_array(["d"])])
    assert (names.names.tolist(), [several.tolist() for several in codes]) == (["d" * 257, "d"], [[0, 1], [1]])
