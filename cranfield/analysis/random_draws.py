"""Random draws of unjudged documents from those that the runs of a view retrieved: drawn, kept, and read with labels.

The frame of a draw is each unjudged document in the first `depth` of any run, on the topics with judgments. A store
keeps a draw as a pool, so that it is judged as every pool is; for files, a table has the draw and its labels.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Pair, Qrels
from cranfield.call_view import CallView
from cranfield.errors import ArgumentError, InputError
from cranfield.formats.whole_files import check_output, write_text
from cranfield.metrics.forecast.missing import MissingRelevant, estimate_missing
from cranfield.metrics.forecast.random_draw import (
    ALL_RUNS,
    TITLE,
    RandomDraw,
    check_draw,
    check_draw_grades,
    draw_from_frame,
    format_draw,
    parse_draw,
)
from cranfield.options.draws import DrawSetting
from cranfield.pooling.build import depth_pool
from cranfield.store.pools import (
    RANDOM_DRAW,
    Pool,
    PooledDocument,
    add_pool,
    newest_random_draw,
    pool_with_present_names,
)
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.view import View

DRAW_SIZE = 100  # documents, where a message proposes a draw
NOTHING_MORE: Mapping[str, Any] = {}
FRAME_LIMIT_NOTE = (
    "Relevant documents outside the frame are not counted: in tests on complete judgments, the frame contained 24% to"
    " 53% of the missing relevant documents."
)


class StoredDraw(NamedTuple):
    """A random draw that a store keeps: the number of its pool, and the draw with the labels that count."""

    pool: int
    draw: RandomDraw


def judged_grades(view: View) -> dict[Pair, int]:
    """The grade of each judged document, with those that were drawn for a single run."""
    parts = [view.qrels] if view.drawn_qrels is None else [view.qrels, view.drawn_qrels]
    return {pair: grade for qrels in parts for pair, grade in grades_of(qrels)}


def grades_of(qrels: Qrels) -> Iterator[tuple[Pair, int]]:
    """Yield each pair of topic and document with its grade."""
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    yield from zip(names, qrels.grade.tolist(), strict=True)


def unjudged_sampling_frame(view: View, depth: int, drawn: Collection[Pair] = ()) -> list[Pair]:
    """The unjudged documents in the first `depth` of any run, on judged topics; `drawn` ones count as unjudged."""
    runs, grades = view.runs.loaded, judged_grades(view)
    qids, again = {qid for qid, _ in grades}, {*drawn}
    pairs = ((one.qid, one.docno) for one in depth_pool(runs, depth))
    return [pair for pair in pairs if pair in again or (pair[0] in qids and pair not in grades)]


def draw_unjudged(view: View, n: int, depth: int, *, seed: int = 0, earlier: RandomDraw | None = None) -> RandomDraw:
    """Draw unjudged documents; the draw goes on with an earlier one of its seed and frame, whose labels it keeps."""
    if earlier and (earlier.seed, earlier.depth, earlier.run) == (seed, depth, ALL_RUNS):
        longer = draw_from_frame(unjudged_sampling_frame(view, depth, earlier.documents), n, depth, seed=seed)
        if longer.frame == earlier.frame:
            grades = dict(zip(earlier.documents, earlier.grades, strict=True))
            return replace(longer, grades=tuple(grades.get(pair) for pair in longer.documents))
    frame = unjudged_sampling_frame(view, depth)
    if not frame:
        raise InputError(f"all documents in the first {depth} of the runs are judged, so there is nothing to draw")
    return draw_from_frame(frame, n, depth, seed=seed)


def draw_for_forecast(
    view: View, drawing: DrawSetting, frame_depth: int, drawn: str | PathLike[str] | None = None
) -> RandomDraw:
    """Draw from a frame; it goes on with the draw of a file, otherwise of the store, whose labels it keeps."""
    if drawn:
        earlier: RandomDraw | None = read_draw(Path(drawn), view)
    else:
        stored = view.read_from_store(lambda store: stored_draw(store, view), None)
        earlier = stored and stored.draw
    n_documents = drawing.draw[0] if drawing.draw else DRAW_SIZE
    return draw_unjudged(view, n_documents, frame_depth, seed=drawing.seed, earlier=earlier)


def store_draw(store: Store, draw: RandomDraw, more: Mapping[str, Any] = NOTHING_MORE) -> int:
    """Add a draw to a store as a pool, with these parameters as well; its number.

    A document that the store does not know yet becomes one without text.
    """
    parameters = {
        **more,
        "runs": [],
        "run": draw.run,
        "frame_depth": draw.depth,
        "frame_size": draw.frame_size,
        "frame": draw.frame,
    }
    documents = [PooledDocument(qid, docno, number, ()) for number, (qid, docno) in enumerate(draw.documents, 1)]
    pool = Pool(RANDOM_DRAW, parameters, documents, seed=draw.seed)
    with store.writing():
        store.ensure_docnos(sorted({docno for _, docno in draw.documents}))
    return add_pool(store, pool)


def stored_draw(store: Store, view: View, run: str = ALL_RUNS) -> StoredDraw | None:
    """The newest draw of a store from a run, or from all, with the labels that count."""
    number = newest_random_draw(store, run)
    if number is None:
        return None
    pool, grades = pool_with_present_names(store, number), judged_grades(view)
    documents = tuple((one.qid, one.docno) for one in sorted(pool.documents, key=lambda one: one.depth))
    about = pool.parameters
    draw = RandomDraw(
        run, about["frame_depth"], pool.seed or 0, about["frame_size"], about["frame"], documents,
        tuple(grades.get(pair) for pair in documents),
    )  # fmt: skip
    return StoredDraw(number, draw)


def draws_in_store(view: View) -> list[RandomDraw]:
    """The random draws of single runs that the store's pool holds, with the labels that were given since."""
    if not view.random_draws:
        return []
    parts = [view.qrels] if view.drawn_qrels is None else [view.qrels, view.drawn_qrels]
    grades = {pair: grade for qrels in parts for pair, grade in grades_of(qrels.rows(qrels.judged))}
    found = list[RandomDraw]()
    for record in view.random_draws:
        documents = tuple((str(qid), str(docno)) for qid, docno in record["documents"])
        found.append(
            RandomDraw(
                record["run"], record["depth"], record["seed"], record["frame_size"], record["frame"], documents,
                tuple(grades.get(document) for document in documents),
            )
        )  # fmt: skip
    return found


def without_pairs(qrels: Qrels, pairs: set[tuple[str, str]]) -> Qrels:
    """Return the judgments of other pairs of topic and document.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> len(without_pairs(as_qrels({"q": {"d": 1, "e": 0}}), {("q", "d")}))
    1
    """
    if not pairs:
        return qrels
    names = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True)
    return qrels.rows(np.array([pair not in pairs for pair in names], bool))


def check_destinations(drawing: DrawSetting, view: CallView) -> None:
    """Raise InputError if a draw cannot be written where it should be."""
    if drawing.draw is None:
        if drawing.pool_out is not None or drawing.store_pool:
            raise ArgumentError("--pool-out and --store-pool require --draw N OUT", "draw")
        return
    if drawing.store_pool:
        needs_store = "--store-pool needs a store; without it, --draw N OUT writes the draw to OUT"
        view.require_store(InputError(needs_store, view.path))
    for output in (drawing.draw[1], drawing.pool_out):
        if output is not None and not Path(output).absolute().parent.is_dir():
            raise InputError("no such folder", Path(output).parent)
        if output is not None:
            check_output(Path(output))


def write_draw(draw: RandomDraw, drawing: DrawSetting) -> list[str]:
    """Write a draw to its file, and its documents to another one if one is named; a line for each."""
    files = drawing.draw and drawing.draw[1], drawing.pool_out
    # the documents in the order in which they have to be judged
    pool_text = "qid\tdocno\n" + "".join(f"{qid}\t{docno}\n" for qid, docno in draw.documents)
    written = [(Path(path), text) for path, text in zip(files, (format_draw(draw), pool_text), strict=True) if path]
    for path, _ in written:
        check_no_labels_are_lost(path, draw)
    for path, text in written:
        write_text(path, text)
    size = f"{counted(len(draw.documents), 'document')} of {draw.frame_size}"
    return [f"{size} drawn into {path}; seed {draw.seed}" for path, _ in written]


def carry_grades(draw: RandomDraw, earlier: Iterable[RandomDraw]) -> RandomDraw:
    """The draw with the grades that earlier draws have for its documents.

    >>> old = RandomDraw("r", 10, 0, 3, "", (("q", "d"), ("q", "e")), (1, None))
    >>> carry_grades(RandomDraw("r", 10, 1, 3, "", (("q", "e"), ("q", "d")), (None, None)), [old]).grades
    (None, 1)
    """
    grades = {
        pair: grade for one in earlier for pair, grade in zip(one.documents, one.grades, strict=True)
        if grade is not None
    }  # fmt: skip
    known = zip(draw.documents, draw.grades, strict=True)
    return replace(draw, grades=tuple(grades.get(pair, grade) for pair, grade in known))


def check_no_labels_are_lost(path: Path, draw: RandomDraw) -> None:
    """Refuse to write a draw over a file of labels that the draw does not have, or over a draw with mistakes."""
    if not path.is_file():
        return
    try:
        text = path.read_text("utf-8-sig")
    except (UnicodeDecodeError, OSError):
        return
    if not text.startswith(TITLE):
        return
    try:
        old = parse_draw(text, str(path))
    except InputError as error:
        raise InputError(f"{error}; the file may contain labels, so name another file") from None
    labels = dict(zip(draw.documents, draw.grades, strict=True))
    lost = sum(grade is not None and labels.get(document) != grade
               for document, grade in zip(old.documents, old.grades, strict=True))  # fmt: skip
    if lost:
        raise InputError(
            f"the file contains {counted(lost, 'label')} that the new draw would lose; name another file", path
        )


def read_draw(path: Path, view: View) -> RandomDraw:
    """Read a draw with its labels, and check that it is from the unjudged documents of this view."""
    draw = read_draw_with_grade_check(path, view)
    return check_draw(draw, unjudged_sampling_frame(view, draw.depth, draw.documents), str(path))


def read_draw_with_grade_check(path: Path, view: View) -> RandomDraw:
    """Read a draw with its labels from a file, and check that these are grades of the view's scale."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise InputError("no such file", path) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text; expected a file written by --draw N OUT", path) from None
    return check_grades_of(parse_draw(text, str(path)), view, str(path))


def check_grades_of(draw: RandomDraw, view: View, name: str) -> RandomDraw:
    """Return a draw whose grades are of the view's scale; others are an error."""
    return check_draw_grades(draw, view.qrels.given_grades, view.grade_scale, name)


def missing_relevant(view: View, draw: RandomDraw) -> MissingRelevant:
    """The interval of the relevant documents that are missing in the frame of a draw."""
    drawn, least = {*draw.documents}, view.min_relevant
    found = sum(grade >= least for pair, grade in judged_grades(view).items() if pair not in drawn)
    return estimate_missing(draw, found, least)


def missing_row(missing: MissingRelevant) -> dict[str, Any]:
    """The estimate as a row of a table."""
    return {
        "frame": missing.frame_size,
        "depth": missing.depth,
        "drawn": missing.drawn,
        "labelled": missing.labelled,
        "relevant": missing.relevant,
        "missing from": missing.low,
        "missing to": missing.high,
        "found": missing.found,
    }


def missing_title(missing: MissingRelevant) -> str:
    """The title of the table."""
    return f"estimate from a random draw: unjudged relevant documents in the top {missing.depth} of the runs"


def missing_document(missing: MissingRelevant, pool: int | None = None) -> dict[str, Any]:
    """The estimate as JSON."""
    return {**missing._asdict(), "found_share": list(missing.found_share), "pool": pool}


def missing_lines(missing: MissingRelevant, command: str, destination: str) -> list[str]:
    """The estimate in sentences; `command` and `destination` stand around the size of a larger draw."""
    low, high = missing.found_share
    are = "is" if missing.relevant == 1 else "are"
    lines = [
        f"Of {counted(missing.frame_size, 'unjudged document')} in the top {missing.depth} of the runs,"
        f" {missing.low:,} to {missing.high:,} are relevant (exact {missing.confidence:.0%} interval): in the draw,"
        f" {missing.relevant} of {counted(missing.labelled, 'labelled document')} {are} relevant.",
        f"The judgments contain {low:.0%} to {high:.0%} of the relevant documents in the judgments and this frame.",
        FRAME_LIMIT_NOTE,
    ]
    if missing.labelled < missing.drawn:
        left = missing.drawn - missing.labelled
        later = f" ({counted(missing.set_aside, 'later label')} not counted)" if missing.set_aside else ""
        lines.append(
            f"The draw is unfinished: only labels before the first unlabelled document are counted{later}."
            f" Labels are still missing for {counted(left - missing.set_aside, 'document')} of the draw."
        )
    if missing.is_wide and missing.drawn < missing.frame_size:
        more = min(4 * missing.drawn, missing.frame_size)
        larger = f"{command} --draw {more} {destination}"
        lines.append(
            f"The interval is wide. A draw four times as large halves the interval's width: {larger}"
            if more == 4 * missing.drawn
            else f"The interval is wide. Draw the whole frame: {larger}"
        )
    return lines


def frame_note(view: View, draw: RandomDraw) -> str:
    """What became of the frame of a stored draw since, in a line; empty where it is as it was."""
    frame = unjudged_sampling_frame(view, draw.depth, draw.documents)
    same = draw_from_frame(frame, 1, draw.depth, seed=draw.seed) if frame else None
    if same is not None and same.frame == draw.frame:
        return ""
    return (
        f"runs or judgments changed after the draw: the interval refers to the {draw.frame_size} documents that were"
        f" unjudged then; {len(frame)} are unjudged now"
    )
