"""Whether a run follows changed instructions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.commands.subject import subject_in
from cranfield.errors import ArgumentError, InputError, file_named_in_errors
from cranfield.options import Topics
from cranfield.options.arguments import check_arguments
from cranfield.options.comparison import ChangedQrels
from cranfield.results import Result
from cranfield.text import counted


@dataclass(frozen=True, repr=False, eq=False)
class InstructionFollowing(Result):
    """p-MRR per topic, and the mean as "all".

    Parameters
    ----------
    n_documents : int
        Number of documents that are no longer relevant under the changed instructions.
    """

    n_documents: int = 0


@check_arguments
def measure_instruction_following(
    qrels: QrelsOrStore, runs: KnownRuns = None, *, changed_qrels: ChangedQrels, topics: Topics = "all"
) -> InstructionFollowing:
    """Measure by p-MRR whether a run follows changed instructions.

    Parameters
    ----------
    qrels : path
        Judgments under the original instructions.
    runs : list of paths
        Run before the change, and run after it.
    changed_qrels : path
        Judgments under the changed instructions.
    topics : str
        "all", or a file of topic ids.

    Returns
    -------
    InstructionFollowing
        One row per topic, with the columns topic, documents and p-MRR. The column documents is the number of documents
        that are no longer relevant after the change.

    Raises
    ------
    InputError
        If the files are not one qrels file and two run files.
    """
    from cranfield.formats import read_qrels, read_runs
    from cranfield.metrics.instructions import instruction_change, p_mrr
    from cranfield.store.reading import selection_for_files

    if topics == "common":
        raise ArgumentError("cannot be used with --changed-qrels", "topics")
    with open_view(qrels, runs, ViewOptions(topics), function="measure_instruction_following") as call:
        if subject_in(call.reading.added) is not None:
            raise ArgumentError("works only for runs; remove the options for answers", "changed_qrels")
        paths = call.view.paths
        if len(paths) != 3:
            right = "expected three files: the original qrels, the original run and the new run"
            raise InputError(f"{counted(len(paths), 'source')} for --changed-qrels; {right}", next(iter(paths), None))
        run_files, changed = call.view.run_files, Path(changed_qrels)
        original, new = (read_qrels(path, fractions=True) for path in (paths[0], changed))
        before, after = (read_runs([path]) for path in run_files)
        if selection := selection_for_files(call.reading):
            original, new = selection.select_qrels(original), selection.select_qrels(new)
            before, after = selection.select_runs(before), selection.select_runs(after)
        with file_named_in_errors(changed):
            change = instruction_change(original, new)
        if change.unjudged:
            call.note(f"omitted {counted(change.unjudged, 'relevant document')} without a grade in {changed}")
        scores = p_mrr(before, after, change.documents)
        rows = [
            {"topic": qid, "documents": len(change.documents[qid]), "p-MRR": value}
            for qid, value in scores.by_topic.items()
        ]
        n_documents = sum(map(len, change.documents.values()))
        [first], [second] = before.tags, after.tags
        return InstructionFollowing(
            [*rows, {"topic": "all", "documents": n_documents, "p-MRR": scores.mean}],
            f"{second} after the change of instructions, {first} before it",
            {"measure": "p-MRR", "original": first, "new": second, "mean": scores.mean, "topics": rows},
            call.context("measure_instruction_following"), n_documents=n_documents,
        )  # fmt: skip
