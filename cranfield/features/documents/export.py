"""Write the judgments of documents that judgments of passages imply."""

from collections.abc import Callable
from pathlib import Path

from cranfield.arrays.rankings import Qrels
from cranfield.cli.tables import print_notes, summary
from cranfield.errors import InputError
from cranfield.features.documents.options import JudgedDocuments
from cranfield.features.documents.relation import JudgedOfPassages, Relation, highest_grades
from cranfield.formats import read_qrels, write_qrels
from cranfield.formats.whole_files import files_created, is_file
from cranfield.hooks import OptionError
from cranfield.judging.labels.export import write_manifest
from cranfield.judging.labels.policies import Decisions
from cranfield.store.reading import Place, name_of, open_place
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.view import store_in


def export(own: JudgedDocuments, place: Place, out: Path, derive: Callable[[Store], Decisions], format: str) -> None:
    """Write the judgments of documents: of a store, with a manifest, or of a qrels file of passages."""
    if format not in ("trec", "beir"):
        raise OptionError("format", f"{format} is of what was judged, passages; documents are written as trec or beir")
    if store_in(place) is None:
        judgments = _check(read_qrels(name_of(place)), Relation())
        write_qrels(out, judgments.qrels, format)
    else:
        with open_place(place) as store:
            labels, relation = derive(store), Relation.from_store(store)
            judgments = _check(labels.qrels({}), relation)
            _write(store, labels, out, judgments, format)
    summary(out, counted(len(judgments.qrels), "document label"))
    print_notes(judgments.notes())


def _check(qrels: Qrels, relation: Relation) -> JudgedOfPassages:
    """The judgments of documents; an error where none is of a passage."""
    if not len(qrels):
        raise InputError("there are no labels to write")
    relation.check(qrels)
    return highest_grades(qrels, relation)


def _write(store: Store, labels: Decisions, out: Path, judgments: JudgedOfPassages, format: str) -> None:
    """Write qrels and, beside a file, their manifest."""
    if not is_file(out):
        write_qrels(out, judgments.qrels, format)
        return
    counts = {"labels": len(judgments.qrels), "partial": judgments.partial}
    with files_created(out) as file:
        write_qrels(file, judgments.qrels, format)
        layout, asked = {"format": format, "of": "documents"}, {"of": "documents"}
        write_manifest(store, labels, file, counts=counts, pool=None, missing={}, layout=layout, asked=asked)
