"""Qrels as lines of columns: TREC's, Cranfield's, SMART's, those of stratified samples and of subtopics."""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from cranfield.arrays.rankings import Ints, Qrels, Vocabulary, as_grades
from cranfield.errors import InputError, Path
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import Format, OpenFile, open_file
from cranfield.formats.layout import Layout, detect_scoring_program, excerpt, parse_whole_grade, split_first_lines

TREC_LAYOUT = Layout("qrels have", ("qid", "iteration", "docno", "grade"))


def read_trec(source: OpenFile) -> UnreadTable:
    """TREC qrels: `qid iteration docno grade`, whole grades, each pair once."""
    return UnreadTable(source.path, source.data(), TREC_LAYOUT)


def write_trec(path: Path, qrels: Qrels) -> None:
    """Write the judgments; the second column is 0 where nothing was kept for it."""
    qids, docnos = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    iterations = ["0"] * len(qrels) if qrels.iteration is None else qrels.iteration
    rows = zip(qids, iterations, docnos, qrels.grade.tolist(), strict=True)
    lines = (f"{qid} {iteration} {docno} {grade}" for qid, iteration, docno, grade in rows)
    _write_lines(path, lines, qid=qids, iteration=iterations, docno=docnos)


def _write_lines(path: Path, lines: Iterable[str], **words: Iterable[str]) -> None:
    from cranfield.formats.whole_files import check_words, write_lines

    check_words(path, **words)
    write_lines(path, lines)


TREC = Format(
    "qrels", "trec", "qid iteration docno grade", detect=lambda head, path: True, read=read_trec, write=write_trec
)


FEW = 1 << 21  # bytes of judgments, which are read before Arrow is loaded


def read_small_qrels(table: UnreadTable) -> Qrels | None:
    r"""TREC qrels of a small file, documents as they come; None where anything about them needs a closer look.

    >>> read_small_qrels(UnreadTable("qrels", b"2 0 d9 1\n1 0 d9 0\n", TREC_LAYOUT)).docnos.names.tolist()
    ['d9']
    >>> read_small_qrels(UnreadTable("qrels", b"2 0 d9 1\n2 0 d9 0\n", TREC_LAYOUT))
    """
    if table.layout is not TREC_LAYOUT or len(table.data) > FEW or b"#" in table.data:
        return None
    if {*map(len, map(bytes.split, table.data.splitlines()))} != {4}:
        return None
    words = table.data.split()
    qid, iteration, docno, number = (words[column::4] for column in range(4))
    grades = {text: table.read_grade(text) for text in {*number}}
    if None in grades.values() or len({*zip(qid, docno, strict=True)}) < len(qid):
        return None
    try:
        (topics, topic), (docnos, document) = _encode(sorted({*qid}), qid), _encode(dict.fromkeys(docno), docno)
        sources = {text: text.decode() for text in {*iteration}}
    except UnicodeDecodeError:
        return None
    grade = as_grades([*map(grades.__getitem__, number)])
    order = np.lexsort((document, topic))
    source = np.array([*map(sources.__getitem__, iteration)], object)
    return Qrels(topics, docnos, topic, document=document, grade=grade, iteration=source).rows(order)


def _encode(names: Collection[bytes], column: Sequence[bytes]) -> tuple[Vocabulary, Ints]:
    """A vocabulary of these names, and the integer of each in it."""
    code = {name: number for number, name in enumerate(names)}
    codes = np.fromiter(map(code.__getitem__, column), np.int64, len(column))
    return Vocabulary([name.decode() for name in names]), codes


CRANQREL_LAYOUT = Layout("cranqrel has", ("qid", "docno", "grade"))


def detect_cranqrel(head: bytes, path: str) -> bool:
    r"""Whether the first line that is neither blank nor a comment has three columns, and is not one of scores.

    >>> detect_cranqrel(b"1 d1 1\n", "qrels"), detect_cranqrel(b"map\tall\t0.5\n", "scores")
    (True, False)
    """
    lines = (line for line in head.splitlines() if line.strip() and not line.startswith(b"#"))
    first = next(lines, b"")
    return len(first.split()) == len(CRANQREL_LAYOUT.columns) and not detect_scoring_program(
        first.decode("utf-8", "replace")
    )


def read_cranqrel(source: OpenFile) -> UnreadTable:
    """Qrels of three columns, `qid docno code`, as the Cranfield collection's own cranqrel.

    The code is read as it is. In cranqrel itself 1 is the best and 4 the least: say so with `grades`.
    """
    return UnreadTable(source.path, source.data(), CRANQREL_LAYOUT)


CRANQREL = Format(
    "qrels", "cranqrel", "qid docno grade, the format of Cranfield's cranqrel", detect_cranqrel, read_cranqrel
)


SMART_LAYOUT = Layout("smart-rel has", ("qid", "docno", "0", "0.000000"), number=None)


def detect_smart(head: bytes, path: str) -> bool:
    """Whether the lines at the start list several documents by number, each followed by 0 0.000000, or by 0 0.

    TREC qrels whose docno and grade are 0 have one document a topic; two pairs of a topic cannot be such qrels.

    >>> detect_smart(b"1 28 0 0.000000\\n1 35 0 0.000000\\n", "CISI.REL"), detect_smart(b"1 0 0 0\\n1 0 d 0\\n", "")
    (True, False)
    >>> detect_smart(b"1 0 0 0\\n2 0 0 0\\n", "qrels"), detect_smart(b"1 28 0 0\\n1 35 0 0\\n", "CACM.REL")
    (False, True)
    """
    rows = split_first_lines(head, 4)
    if not (rows and all(map(is_smart, rows))):
        return False
    pairs = {(row[0], row[1]) for row in rows}
    return all(b"." in row[3] for row in rows) or len(pairs) > len({qid for qid, _ in pairs})


def is_smart(row: list[bytes]) -> bool:
    """Whether a line is a topic, a document numbered from 1, 0 and 0."""
    return (
        len(row) == 4
        and row[1].isdigit()
        and bool(row[1].strip(b"0"))
        and row[2] == b"0" == row[3][:1]
        and (parse_whole_grade(row[3]) == 0)
    )


def read_smart(source: OpenFile) -> UnreadTable:
    """SMART's relevant pairs, `qid docno 0 0.000000`, as in CISI and CACM: every pair that is listed is relevant.

    By their columns they are TREC qrels. They are recognised by the last two, which are 0, and every line is checked.
    """
    data = source.data()
    for line, text in enumerate(data.splitlines(), 1):
        row = text.split()
        if row and not text.startswith(b"#") and not is_smart(row):
            expected = "expected qid docno 0 0.000000, as in SMART's files"
            remedy = "; if these are TREC qrels, name the format trec" if source.is_guessed else ""
            raise InputError(f"{excerpt(text)}; {expected}{remedy}", source.path, line)
    return UnreadTable(source.path, data, SMART_LAYOUT)


SMART = Format("qrels", "smart-rel", "qid docno 0 0.000000, with every pair relevant", detect_smart, read_smart)


SAMPLE_EVAL_LAYOUT = Layout("stratified qrels have", ("qid", "iteration", "docno", "stratum", "grade"))
GRADE_FIRST_LAYOUT = Layout("stratified qrels have", ("qid", "iteration", "docno", "grade", "stratum"))


def is_never_detected(head: bytes, path: str) -> bool:
    """Return False: five columns may also end in the number of an assessor, as trec_eval refuses them."""
    return False


def read_sample_eval(source: OpenFile) -> UnreadTable:
    """Qrels of a stratified sample: `qid iteration docno stratum grade`, as NIST's sample_eval.pl takes them.

    Every document of the pool is listed, with the stratum it belongs to; grade -1 is in the pool, but not judged. Some
    write the last two columns the other way round, which is the format grade-stratum. Both formats have to be named.
    """
    return UnreadTable(source.path, source.data(), SAMPLE_EVAL_LAYOUT)


def read_grade_first(source: OpenFile) -> UnreadTable:
    return UnreadTable(source.path, source.data(), GRADE_FIRST_LAYOUT)


def write_sample_eval(path: Path, qrels: Qrels) -> None:
    """Write the judgments with their strata; others are refused, and strata that are no whole numbers."""
    rows = _stratified_rows(path, qrels, "sample-eval")
    _write_lines(path, (f"{qid} 0 {docno} {stratum} {grade}" for qid, docno, stratum, grade in rows))


def write_grade_first(path: Path, qrels: Qrels) -> None:
    """The same with the grade before the stratum."""
    rows = _stratified_rows(path, qrels, "grade-stratum")
    _write_lines(path, (f"{qid} 0 {docno} {grade} {stratum}" for qid, docno, stratum, grade in rows))


def _stratified_rows(path: Path, qrels: Qrels, format: str) -> Iterator[tuple[str, str, str, int]]:
    if qrels.stratum is None:
        raise InputError(f"judgments without strata cannot be written as {format}", path)
    qids, docnos = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    from cranfield.formats.whole_files import check_words

    check_words(path, qid=qids, docno=docnos, stratum=qrels.stratum)
    odd = next((name for name in qrels.stratum if parse_whole_grade(name.encode()) is None), None)
    if odd is not None:
        raise InputError(f"stratum {odd!r} cannot be written as {format}: it is not a whole number", path)
    return zip(qids, docnos, qrels.stratum, qrels.grade.tolist(), strict=True)


# In this order in the table of formats: the first that knows a file reads it.
GRADE_FIRST = Format(
    "qrels",
    "grade-stratum",
    "qid iteration docno grade stratum",
    detect=is_never_detected,
    read=read_grade_first,
    write=write_grade_first,
)
SAMPLE_EVAL = Format(
    "qrels",
    "sample-eval",
    "qid iteration docno stratum grade, a stratified sample",
    detect=is_never_detected,
    read=read_sample_eval,
    write=write_sample_eval,
)


SUBTOPICS_LAYOUT = Layout("subtopic qrels have", ("qid", "subtopic", "docno", "grade"))


ROUND = re.compile(r"-\d+|-?\d*\.\d+")  # second columns that name a round of judging, as -1 and 0.5 in TREC-COVID


def detect_subtopics(head: bytes, path: str) -> bool:
    """Whether a document is judged for two subtopics, and no second column names a round of judging.

    >>> detect_subtopics(b"1 0 d1 1\\n1 b d1 0\\n", "qrels"), detect_subtopics(b"1 0.5 d1 1\\n1 1 d1 0\\n", "qrels")
    (True, False)
    """
    rows = split_first_lines(head, 4)
    if not all(len(row) == 4 for row in rows) or len({row[1] for row in rows}) < 2:
        return False
    return are_subtopics((row[0], row[2], row[1].decode("utf-8", "replace")) for row in rows)


def are_subtopics(judgments: Iterable[tuple[Hashable, Hashable, str]]) -> bool:
    """Whether the second columns of topics and documents are subtopics: a document has two, and none is a round.

    >>> are_subtopics([("1", "d1", "0"), ("1", "d1", "1")]), are_subtopics([("1", "d1", "1"), ("1", "d1", "1")])
    (True, False)
    """
    first, is_repeated = dict[tuple[Hashable, Hashable], str](), False
    for qid, docno, subtopic in judgments:
        if ROUND.fullmatch(subtopic):
            return False
        is_repeated = is_repeated or first.setdefault((qid, docno), subtopic) != subtopic
    return is_repeated


def reread_as_subtopics(table: UnreadTable) -> UnreadTable | None:
    """The same table as subtopic qrels, where it has TREC's layout and a document for two subtopics.

    A file that is sorted by subtopic shows that only far below its first lines.
    """
    rows = table.rows() if table.layout is TREC_LAYOUT else ()
    is_by_subtopic = are_subtopics((row.qid, row.docno, row.iteration) for row in rows)
    return replace(table, layout=SUBTOPICS_LAYOUT) if is_by_subtopic else None


def read_subtopics(source: OpenFile) -> UnreadTable:
    """Qrels of subtopics: `qid subtopic docno grade`, as of diversity tasks; a document once for each subtopic.

    By their columns they are TREC qrels. They are recognised by a document that is judged for two subtopics, whatever
    these are called; negative and fractional names are rounds of judging, not subtopics. Other measures take a
    document's best grade in any subtopic.
    """
    return UnreadTable(source.path, source.data(), SUBTOPICS_LAYOUT)


def write_subtopics(path: Path, qrels: Qrels) -> None:
    """Write the judgments of the subtopics; qrels without any are refused."""
    about = qrels.subtopics
    if about is None:
        raise InputError("judgments without subtopics cannot be written as subtopics", path)
    qids = qrels.topics.names[qrels.topic[about.judgment]]
    docnos = qrels.docnos.names[qrels.document[about.judgment]]
    names = about.names[about.subtopic]
    rows = zip(qids, names, docnos, about.grade.tolist(), strict=True)
    lines = (f"{qid} {subtopic} {docno} {grade}" for qid, subtopic, docno, grade in rows)
    _write_lines(path, lines, qid=qids, subtopic=names, docno=docnos)


SUBTOPICS = Format(
    "qrels",
    "subtopics",
    "qid subtopic docno grade, for diversity tasks",
    detect=detect_subtopics,
    read=read_subtopics,
    write=write_subtopics,
)


def read_relevant_counts(path: Path) -> dict[str, int]:
    """The number of relevant documents of each topic."""
    counts: dict[str, int] = {}
    with open_file(path) as source:
        for number, line in source.lines():
            if not (values := line.split()):
                continue
            if len(values) != 2 or not values[1].isdecimal() or len(values[1]) > 9:
                raise InputError(f"found {line!r:.60}; expected a qid and a number", source.path, number)
            if values[0] in counts:
                raise InputError(f"duplicate topic {values[0]!r}", source.path, number)
            counts[values[0]] = int(values[1])
    return counts
