"""Write the judgments of documents that judgments of passages imply."""

from functools import partial
from os import PathLike
from pathlib import Path
from typing import cast

from cranfield.arrays.rankings import Qrels
from cranfield.commands.calls import ViewOptions, open_view
from cranfield.errors import InputError
from cranfield.features.documents.relation import JudgedOfPassages, Relation, highest_grades
from cranfield.formats import read_qrels, write_qrels
from cranfield.formats.whole_files import is_file, write_files_atomically
from cranfield.hooks import OptionError
from cranfield.judging.labels.export import QrelsRequest, write_manifest
from cranfield.judging.labels.policies import Decisions
from cranfield.options.arguments import StoreLike
from cranfield.parallel import Tell
from cranfield.results import WrittenFile
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.view import QrelsGiven, load_given_qrels


def export_document_qrels(store: StoreLike, request: QrelsRequest) -> WrittenFile:
    """Write the judgments of documents: of a store, with a manifest, or of a qrels file of passages."""
    if request.format not in ("trec", "beir"):
        reason = f"{request.format} can store only judgments of passages; for documents, use trec or beir"
        raise OptionError("format", reason)
    chosen = request.selection
    options = ViewOptions(round=chosen.round, judged=chosen.judged, remove_judged=chosen.remove_judged)
    with open_view(cast("QrelsGiven", store), None, options, function="export_qrels", has_measures=False) as call:
        judgments = call.view.read_from_judgment_store(partial(_write_of_store, request, call.note), None)
        if judgments is None:
            given = (
                read_qrels(Path(store)) if isinstance(store, str | PathLike) else load_given_qrels(cast("Qrels", store))
            )
            judgments = _check(given, Relation())
            write_qrels(request.path, judgments.qrels, request.format)
        call.note(*judgments.notes())
        number = len(judgments.qrels)
        lines, context = [counted(number, "document label")], call.context("store.export_qrels")
        return WrittenFile([{"labels": number}], lines=lines, context=context, path=request.path)


def _write_of_store(request: QrelsRequest, tell: Tell, store: Store) -> JudgedOfPassages:
    labels = request.rule.decide(store, tell)
    judgments = _check(labels.qrels({}), Relation.from_store(store))
    _write(store, labels, request, judgments)
    return judgments


def _check(qrels: Qrels, relation: Relation) -> JudgedOfPassages:
    """The judgments of documents; an error where none is of a passage."""
    if not len(qrels):
        raise InputError("there are no labels to write")
    relation.check(qrels)
    return highest_grades(qrels, relation)


def _write(store: Store, labels: Decisions, request: QrelsRequest, judgments: JudgedOfPassages) -> None:
    """Write qrels and, beside a file, their manifest."""
    if not is_file(request.path):
        write_qrels(request.path, judgments.qrels, request.format)
        return
    counts = {"labels": len(judgments.qrels), "partial": judgments.partial}
    with write_files_atomically(request.path) as file:
        write_qrels(file, judgments.qrels, request.format)
        layout, asked = {"format": request.format, "of": "documents"}, {"of": "documents"}
        write_manifest(store, labels, file, counts=counts, pool=None, missing={}, layout=layout, asked=asked)
