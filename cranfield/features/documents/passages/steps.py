"""What evaluate and export qrels do where passages are to be documents."""

from collections.abc import Callable, Sequence
from pathlib import Path

from cranfield.analysis.evaluation import of_rankings
from cranfield.arrays.blocks import blocks_of
from cranfield.arrays.join import meet
from cranfield.arrays.judged import Unmet
from cranfield.arrays.rankings import Qrels
from cranfield.cli.tables import notes, summary
from cranfield.errors import InputError
from cranfield.features.documents.options import DocumentsOfPassages, JudgedDocuments
from cranfield.features.documents.passages.relation import (
    JudgedOfPassages,
    Relation,
    best_passages,
    highest_grades,
    said_of_short,
)
from cranfield.formats import read_qrels, write_qrels
from cranfield.formats.whole_files import folder_created, is_file
from cranfield.hooks import OptionError
from cranfield.judging.labels.export import write_manifest
from cranfield.judging.labels.policies import Derived
from cranfield.metrics.evaluate import RunScores
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_all
from cranfield.options.measuring import EvaluateOptions
from cranfield.source import Place, Source, Tell, is_store, open_source, opened
from cranfield.store.store import Store
from cranfield.text import counted

FEWEST = 100  # documents that a ranking should have for a measure without a cutoff


def scores(
    own: DocumentsOfPassages, given: Sequence[Place] | Source, options: EvaluateOptions, *, tell: Tell
) -> tuple[RunScores, tuple[Measure, ...], Unmet]:
    """The scores of documents: of a store, of files, or of runs and judgments that were read."""
    relation = Relation()
    if not isinstance(given, Source):
        if is_store(given[0]):
            with opened(given[0]) as store:
                relation = Relation.of_store(store)
        given = open_source(given, assessor=options.assessor, labels=options.whose, tell=tell)
    relation.check(given.runs.whole, given.qrels)
    runs, found = best_passages(given.runs, relation), highest_grades(given.qrels, relation)
    cutoffs = [measure.options.get("cutoff") for measure in parse_all(options.measures, given.min_relevant)]
    depth = max(cutoff if isinstance(cutoff, int) else FEWEST for cutoff in cutoffs)
    for line in (*found.said(), *said_of_short(runs, depth)):
        tell(line)
    return of_rankings(blocks_of(meet(runs, found.qrels)), options, given.min_relevant, tell)


def export(own: JudgedDocuments, path: Path, out: Path, derive: Callable[[Store], Derived], format: str) -> None:
    """Write the judgments of documents: of a store, with a manifest, or of a qrels file of passages."""
    if format not in ("trec", "beir"):
        raise OptionError("format", f"{format} is of what was judged, passages; documents are written as trec or beir")
    if not is_store(path):
        found = _checked(read_qrels(path), Relation())
        write_qrels(out, found.qrels, format)
    else:
        with Store.open(path) as store:
            derived, relation = derive(store), Relation.of_store(store)
            found = _checked(derived.qrels({}), relation)
            _write(store, derived, out, found, format)
    summary(out, counted(len(found.qrels), "document label"))
    notes(found.said())


def _checked(qrels: Qrels, relation: Relation) -> JudgedOfPassages:
    """The judgments of documents; an error where none is of a passage."""
    if not len(qrels):
        raise InputError("there are no labels to write")
    relation.check(qrels)
    return highest_grades(qrels, relation)


def _write(store: Store, derived: Derived, out: Path, found: JudgedOfPassages, format: str) -> None:
    """Write qrels and, beside a file, their manifest."""
    if not is_file(out):
        write_qrels(out, found.qrels, format)
        return
    counts = {"labels": len(found.qrels), "partial": found.partial}
    with folder_created(out.parent) as part:
        file = part / out.name
        write_qrels(file, found.qrels, format)
        layout = {"format": format, "of": "documents"}
        write_manifest(store, derived, file, counts=counts, pool=None, missing={}, layout=layout)
