"""`compare --changed-qrels`: p-MRR, whether a run follows changed instructions.

JSON: {"measure": "p-MRR", "original", "new", "mean", "topics": [{"topic", "documents", "p-MRR"}]}; `documents` is the
number of documents that the changed instruction makes not relevant. CSV and TSV: the topics, then their mean as "all".
"""

from collections.abc import Sequence
from pathlib import Path

from cranfield.cli.common_options import Printer
from cranfield.cli.tables import note, say
from cranfield.errors import InputError, blaming
from cranfield.store.reading import Reading
from cranfield.text import counted


def print_p_mrr(paths: Sequence[Path], changed: Path, printer: Printer, reading: Reading) -> None:
    """Print p-MRR by topic, and its mean: of qrels, a run and a new run, and the changed qrels."""
    from cranfield.formats import read_qrels, read_runs
    from cranfield.metrics.instructions import instruction_change, p_mrr
    from cranfield.source import is_store
    from cranfield.store.reading import choice_of_files

    if len(paths) != 3 or is_store(paths[0]):
        right = "expected three files: the original qrels, the original run and the new run"
        raise InputError(f"{counted(len(paths), 'source')} for --changed-qrels; {right}", paths[0])
    qrels, new_qrels = (read_qrels(path, fractions=True) for path in (paths[0], changed))
    before, after = (read_runs([path]) for path in paths[1:])
    if selection := choice_of_files(reading):
        qrels, new_qrels = selection.of_qrels(qrels), selection.of_qrels(new_qrels)
        before, after = selection.of_runs(before), selection.of_runs(after)
    with blaming(changed):
        change = instruction_change(qrels, new_qrels)
    if change.unjudged:
        note(f"{counted(change.unjudged, 'relevant document')} without a grade in {changed}, left out")
    scores = p_mrr(before, after, change.documents)
    topics = [
        {"topic": qid, "documents": len(change.documents[qid]), "p-MRR": value}
        for qid, value in scores.by_topic.items()
    ]
    n_documents = sum(map(len, change.documents.values()))
    [original], [new] = before.tags, after.tags
    printer.emit(
        [*topics, {"topic": "all", "documents": n_documents, "p-MRR": scores.mean}],
        title=f"{new} after the change of the instructions, {original} before it",
        document={"measure": "p-MRR", "original": original, "new": new, "mean": scores.mean, "topics": topics},
    )
    if printer.for_people:
        lost = counted(
            n_documents, "document that is not relevant any more", "documents that are not relevant any more"
        )
        say(f"\nAbove 0 the new run ranks the {lost} lower, as the change asks; below 0 higher; 0 is no effect.")
