"""Random draws of unjudged documents, of a run or of all runs: drawn, written as text, read back with labels."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield.errors import InputError
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.text import counted

TITLE = "# random draw of unjudged documents"
ALL_RUNS = "all runs"  # no run's tag has white space
COLUMNS = ("order", "topic", "document", "grade")
NO_GRADE = "-"  # each row has a grade column


@dataclass(frozen=True)
class RandomDraw:
    """A random draw of unjudged documents within the depth of a run, or of any run.

    Parameters
    ----------
    run : str
        The run; `ALL_RUNS` where the frame has the documents of all runs.
    depth : int
        The depth of the frame: the unjudged documents in the first `depth` of the run or the runs.
    seed : int
        The seed.
    frame_size : int
        The documents in the frame.
    frame : str
        A digest of the frame, by which a draw is recognised.
    documents : tuple of (topic, document)
        The documents in the order in which they were drawn, and have to be judged.
    grades : tuple of float or None
        The grade of each document; None where it has no label.
    lines : tuple of int
        The line of each document in the file that the draw was read from; empty without a file.
    """

    run: str
    depth: int
    seed: int
    frame_size: int
    frame: str
    documents: tuple[tuple[str, str], ...]
    grades: tuple[float | None, ...]
    lines: tuple[int, ...] = field(default=(), compare=False)

    @property
    def labels(self) -> dict[tuple[str, str], float]:
        """The labels that count: those before the first document without a label."""
        found = dict[tuple[str, str], float]()
        for document, grade in zip(self.documents, self.grades, strict=True):
            if grade is None:
                break
            found[document] = grade
        return found

    def place(self, source: str, number: int) -> str:
        """Return the file and line of a document of the draw, as error messages name them."""
        return f"{source}:{self.lines[number]}" if self.lines else source


def draw_documents(pairs: UnjudgedPairs, run: str, n: int, depth: int, *, seed: int = 0) -> RandomDraw:
    """Draw unjudged documents of a run at random, without replacement.

    Parameters
    ----------
    pairs : UnjudgedPairs
        The unjudged documents of runs, as `unjudged_pairs` gives them.
    run : str
        The run.
    n : int
        The number of documents; all of the frame where it is smaller.
    depth : int
        The depth of the frame.
    seed : int, default 0
        The seed.

    Returns
    -------
    RandomDraw
        The documents in order, without grades.

    Raises
    ------
    InputError
        If `n` is below 1 or the run is unknown.
    """
    return _draw(_sampling_frame(pairs, run), run, n, depth, seed)


def draw_from_frame(frame: Iterable[tuple[str, str]], n: int, depth: int, *, seed: int = 0) -> RandomDraw:
    """Draw documents at random, without replacement, from the unjudged documents in the first `depth` of all runs.

    A larger draw with the same seed from the same frame begins with the documents of the smaller draw.

    Parameters
    ----------
    frame : iterable of (topic, document)
        The frame.
    n : int
        The number of documents; all of the frame where it is smaller.
    depth : int
        The depth of the frame.
    seed : int, default 0
        The seed.

    Returns
    -------
    RandomDraw
        The documents in order, without grades; its run is `ALL_RUNS`.

    Raises
    ------
    InputError
        If `n` is below 1.

    Examples
    --------
    >>> draw = draw_from_frame([("1", "d2"), ("1", "d7"), ("2", "d2")], 2, 50)
    >>> draw.documents, draw.frame_size
    ((('2', 'd2'), ('1', 'd2')), 3)
    """
    return _draw(sorted(set(frame)), ALL_RUNS, n, depth, seed)


def _draw(frame: Sequence[tuple[str, str]], run: str, n: int, depth: int, seed: int) -> RandomDraw:
    if n < 1:
        raise InputError(f"the draw has {n} documents; expected at least 1")
    order = np.random.default_rng(seed).permutation(len(frame))[:n]
    documents = tuple(frame[number] for number in order)
    return RandomDraw(run, depth, seed, len(frame), _frame_hash(frame), documents, (None,) * len(documents))


def _sampling_frame(pairs: UnjudgedPairs, run: str) -> list[tuple[str, str]]:
    if run not in pairs.tags:
        raise InputError(f"unknown run '{run}'; expected one of {', '.join(pairs.tags)}")
    rows = np.flatnonzero(pairs.run == pairs.tags.index(run))
    return sorted((pairs.qids[pairs.topic[row]], str(pairs.docno[row])) for row in rows)


def _frame_hash(frame: Sequence[tuple[str, str]]) -> str:
    return hashlib.sha256("\n".join("\t".join(pair) for pair in frame).encode()).hexdigest()[:16]


def format_draw(draw: RandomDraw) -> str:
    """Return a draw as text: comments with run, depth, seed and frame, then a line for each document.

    Parameters
    ----------
    draw : RandomDraw
        The draw.

    Returns
    -------
    str
        Columns order, topic, document and grade, separated by tabs; the grade is - where there is no label.

    Examples
    --------
    >>> print(format_draw(RandomDraw("new", 10, 0, 3, "af", (("1", "d2"), ("1", "d7")), (1, None))).expandtabs(4))
    # random draw of unjudged documents
    # run   new
    # depth 10
    # seed  0
    # frame 3   af
    order   topic   document    grade
    1   1   d2  1
    2   1   d7  -
    <BLANKLINE>
    """
    lines = [TITLE, f"# run\t{draw.run}", f"# depth\t{draw.depth}", f"# seed\t{draw.seed}"]
    lines += [f"# frame\t{draw.frame_size}\t{draw.frame}", "\t".join(COLUMNS)]
    for number, ((qid, docno), grade) in enumerate(zip(draw.documents, draw.grades, strict=True), 1):
        lines.append(f"{number}\t{qid}\t{docno}\t{NO_GRADE if grade is None else grade}")
    return "\n".join(lines) + "\n"


def parse_draw(text: str, source: str = "draw") -> RandomDraw:
    """Read a draw back, with the labels that were filled in.

    Parameters
    ----------
    text : str
        The text, as `format_draw` writes it.
    source : str, default "draw"
        The file's name, for error messages.

    Returns
    -------
    RandomDraw
        The draw.

    Raises
    ------
    InputError
        If a line is not what `format_draw` writes, or the order of the documents has changed.

    Examples
    --------
    >>> draw = RandomDraw("new", 10, 0, 3, "af", (("1", "d2"), ("1", "d7")), (1, None))
    >>> parse_draw(format_draw(draw)) == draw, draw.labels
    (True, {('1', 'd2'): 1})
    """
    lines = text.splitlines()
    if not lines or lines[0].rstrip() != TITLE:
        raise InputError(f"{source}:1: found {lines[0] if lines else 'nothing'!r}; expected {TITLE!r}")
    values = [_header(lines, number, name, source) for number, name in enumerate(("run", "depth", "seed", "frame"), 1)]
    (run,), depth, seed, (size, digest) = values[0][:1], values[1][0], values[2][0], (*values[3], "")[:2]
    documents, grades, places = list[tuple[str, str]](), list[float | None](), list[int]()
    for number, line in enumerate(lines[6:], 7):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) not in (3, 4) or fields[0] != str(len(documents) + 1):
            expected = f"order {len(documents) + 1}, topic, document and grade, separated by tabs"
            raise InputError(f"{source}:{number}: found {line!r}; expected {expected}")
        documents.append((fields[1], fields[2]))
        places.append(number)
        label = fields[3] if len(fields) == 4 else ""
        grades.append(None if label in ("", NO_GRADE) else _grade(label, source, number))
    return RandomDraw(
        run, _parse_integer(depth, source, 3, "a depth"),
        _parse_integer(seed, source, 4, "a seed"),
        _parse_integer(size, source, 5, "the size of the frame"),
        digest, tuple(documents), tuple(grades), tuple(places),
    )  # fmt: skip


def _header(lines: Sequence[str], number: int, name: str, source: str) -> list[str]:
    line = lines[number] if number < len(lines) else ""
    start, *values = line.rstrip().split("\t")
    if start != f"# {name}" or not values:
        raise InputError(
            f"{source}:{number + 1}: found {line!r}; expected '# {name}' and its value, separated by a tab"
        )
    return values


def _parse_integer(text: str, source: str, line: int, noun: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{source}:{line}: found {text!r}; expected {noun}, a whole number") from None


def _grade(text: str, source: str, line: int) -> float:
    try:
        grade = float(text)
    except ValueError:
        grade = np.nan
    if not np.isfinite(grade) or grade < 0:
        raise InputError(f"{source}:{line}: found {text!r}; expected a grade, a number of at least 0")
    return int(grade) if grade.is_integer() else grade


def check_draw(draw: RandomDraw, frame: UnjudgedPairs | Iterable[tuple[str, str]], source: str = "draw") -> RandomDraw:
    """Check that a draw is from this frame, in the order that was drawn.

    Parameters
    ----------
    draw : RandomDraw
        The draw, as it was read.
    frame : UnjudgedPairs, or iterable of (topic, document)
        The unjudged documents of the run, or of all runs, under the same judgments as when the draw was made.
    source : str, default "draw"
        The file's name, for error messages.

    Returns
    -------
    RandomDraw
        The same draw.

    Raises
    ------
    InputError
        If the frame or the order differs: the labels would not be those of a random draw. If the frame has the
        documents of all runs, also if the draw is of one run.

    Examples
    --------
    >>> frame = [("1", "d2"), ("1", "d7"), ("2", "d2")]
    >>> check_draw(draw_from_frame(frame, 1, 50), frame).documents
    (('2', 'd2'),)
    """
    size = max(len(draw.documents), 1)
    if isinstance(frame, UnjudgedPairs):
        return _check_redrawn(draw, draw_documents(frame, draw.run, size, draw.depth, seed=draw.seed), source)
    if draw.run != ALL_RUNS:
        raise InputError(f"{source}:2: found a draw from the run {draw.run}; expected a draw from {ALL_RUNS}")
    return _check_redrawn(draw, draw_from_frame(frame, size, draw.depth, seed=draw.seed), source)


def _check_redrawn(draw: RandomDraw, again: RandomDraw, source: str) -> RandomDraw:
    if (again.frame_size, again.frame) != (draw.frame_size, draw.frame):
        raise InputError(
            f"{source}:5: found a frame of {draw.frame_size} documents; expected the {again.frame_size} unjudged"
            f" documents in the first {draw.depth} of {draw.run}; draw the sample again"
        )
    for number, (found, drawn) in enumerate(zip(draw.documents, again.documents, strict=False)):
        if found != drawn:
            expected = f"{drawn[1]} of topic {drawn[0]}, which was drawn at this position"
            raise InputError(
                f"{draw.place(source, number)}: found document {found[1]} of topic {found[0]}; expected {expected}"
            )
    if len(draw.documents) > len(again.documents):
        where = draw.place(source, len(again.documents))
        raise InputError(
            f"{where}: found an extra document; expected only the"
            f" {counted(len(again.documents), 'document')} of the draw"
        )
    return draw


def check_draw_grades(
    draw: RandomDraw, given: Iterable[float], scale: Iterable[float] = (), source: str = "draw"
) -> RandomDraw:
    """Check that the labels of a draw are grades of the judgments' scale.

    Parameters
    ----------
    draw : RandomDraw
        The draw, as it was read.
    given : iterable of float
        The grades in the judgments: labels may be 0 up to the highest, and fractions where a grade is one.
    scale : iterable of float, optional
        The grades of a store's scale, which decide where there are any.
    source : str, default "draw"
        The file's name, for error messages.

    Returns
    -------
    RandomDraw
        The same draw.

    Raises
    ------
    InputError
        If a label is not on the scale.

    Examples
    --------
    >>> check_draw_grades(RandomDraw("new", 10, 0, 1, "af", (("1", "d2"),), (5,)), [0, 1])
    Traceback (most recent call last):
    cranfield.errors.InputError: draw: found grade 5; expected a whole number from 0 to 1, as in the judgments
    """
    grades, allowed = np.unique(np.fromiter(given, float)), sorted(scale)
    highest, is_whole = max([1.0, *grades[-1:]]), not np.any(grades % 1)
    for number, grade in enumerate(draw.grades):
        if grade is None or (grade in allowed if allowed else grade <= highest and not (is_whole and grade % 1)):
            continue
        noun = "a whole number" if is_whole else "a number"
        expected = f"{noun} from 0 to {highest:g}, as in the judgments"
        if allowed:
            expected = f"a grade on the store's scale: {', '.join(f'{one:g}' for one in allowed)}"
        raise InputError(f"{draw.place(source, number)}: found grade {grade:g}; expected {expected}")
    return draw


def label_notes(draw: RandomDraw, source: str = "") -> list[str]:
    """Return what to know about a draw some of whose labels do not count, or that has no label.

    Parameters
    ----------
    draw : RandomDraw
        The draw.
    source : str, optional
        The file's name; a draw without a file and without labels still waits to be judged, and has no note.

    Returns
    -------
    list of str
        At most one note.

    Examples
    --------
    >>> label_notes(RandomDraw("new", 10, 0, 1, "af", (("1", "d2"),), (None,)), "draw.tsv")
    ['draw.tsv: the drawn document has no label, so the draw has no effect; write grades into its last column']
    """
    n_labelled = sum(grade is not None for grade in draw.grades)
    if not n_labelled:
        size = len(draw.documents)
        found = "the drawn document has no label" if size == 1 else f"none of the {size} drawn documents has a label"
        return [f"{source}: {found}, so the draw has no effect; write grades into its last column"] if source else []
    if len(draw.labels) < n_labelled:
        return [
            f"{len(draw.labels)} of the draw's {counted(n_labelled, 'label')} are used, because an earlier document"
            " has no label; label the documents in order"
        ]
    return []
