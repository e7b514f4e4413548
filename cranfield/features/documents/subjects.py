"""Documents of passages, which evaluate scores; documents of folders and wanted documents, which are imported."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path

from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting, score_rankings
from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.judged import as_judged_blocks
from cranfield.call_view import CallView
from cranfield.commands.calls import open_store_call
from cranfield.commands.corpus_import import add_corpus
from cranfield.commands.subject import Subject
from cranfield.errors import InputError
from cranfield.features.documents.conversion.process import Converter
from cranfield.features.documents.conversion.texts import charset_name
from cranfield.features.documents.export import export_document_qrels
from cranfield.features.documents.folder import Folder, FolderSettings, write_skipped
from cranfield.features.documents.pictures import Pictures, illustrate
from cranfield.features.documents.reference import import_part
from cranfield.features.documents.relation import Relation, best_passages, highest_grades, said_of_short
from cranfield.formats.records import Names
from cranfield.hooks import OptionError
from cranfield.judging.labels.export import QrelsRequest
from cranfield.metrics.notation import parse_measures
from cranfield.options.arguments import StoreLike
from cranfield.results import ResultInLines, WrittenFile
from cranfield.text import counted

FEWEST = 100  # documents that a ranking should have for a measure without a cutoff


@dataclass(frozen=True)
class PassageDocuments(Subject):
    """Score and judge documents by their best passages, for `evaluate` and `export_qrels`."""

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        relation = view.read_from_store(Relation.from_store, Relation())
        relation.check(view.runs.loaded, view.qrels)
        runs, judgments = best_passages(view.runs, relation), highest_grades(view.qrels, relation)
        cutoffs = [measure.options.get("cutoff") for measure in parse_measures(setting.measures, view.min_relevant)]
        depth = max(cutoff if isinstance(cutoff, int) else FEWEST for cutoff in cutoffs)
        for line in (*judgments.notes(), *said_of_short(runs, depth)):
            view.tell(line)
        judged = as_judged_blocks(join_runs_with_common_topics(runs, judgments.qrels))
        return score_rankings(view, setting, judged, scale_top=max(view.grade_scale, default=None))

    def export_qrels(self, store: StoreLike, request: QrelsRequest) -> WrittenFile:
        return export_document_qrels(store, request)


@dataclass(frozen=True)
class WantedDocuments(Subject):
    """Import only some documents from the files, for `import_corpus`.

    Parameters
    ----------
    which : str or path
        Documents that are pooled, judged or retrieved in the store, or listed in a file of docnos.
    """

    which: str | PathLike[str]

    def import_documents(self, store: StoreLike, files: Sequence[Path], format: str, names: Names) -> ResultInLines:
        with open_store_call(store) as call:
            number, message = import_part(call.store, str(self.which), files, format, names)
            call.note(message)
            rows, lines = [{"documents": number}], [counted(number, "document")]
            return ResultInLines(rows, lines=lines, context=call.context("store.import_corpus"))


@dataclass(frozen=True)
class FolderDocuments(FolderSettings, Subject):
    """Import the files of folders as documents, or the pictures of other files, for `import_corpus`.

    Parameters
    ----------
    files : sequence of str
        Import only files with these names, such as "*.html".
    skip : sequence of str
        Skip files with these names, such as "drafts/*".
    encoding : str
        The encoding of files that are not UTF-8 and do not declare one.
    url_base : str
        The base URL to which each file's path is appended.
    images : {"yes", "no"} or path
        Whether to keep the pictures of a folder. For other files, the folder with their pictures.
    dates : {"yes", "no"}
        Whether to keep each file's modification time.
    dry_run : bool
        Count the documents that would be added, without writing anything.
    allow_skipped : bool
        Import the other documents if a file is too slow. By default, a slow file makes the import fail.
    output : path, optional
        A CSV file for the skipped files, with the reasons.
    """

    def import_documents(self, store: StoreLike, files: Sequence[Path], format: str, names: Names) -> ResultInLines:
        if self.images not in ("yes", "no"):
            if self != FolderDocuments(images=self.images) or not Path(self.images).is_dir():
                raise OptionError(
                    "images",
                    f"is {self.images!r}; expected yes or no, or a folder with the pictures of other files, "
                    "without other options",
                )
            with Converter() as converter:
                prepare = partial(illustrate, pictures=Pictures(str(self.images), converter))
                return add_corpus(store, files, format, names, prepare=prepare, added={FolderSettings: self})
        if other := [file for file in files if not file.is_dir()]:
            option = next(name for name, value in vars(self).items() if value != vars(FolderDocuments())[name])
            raise OptionError(option, f"works only with folders; {other[0]} is a file")
        if self.encoding and not charset_name(self.encoding):
            raise OptionError("encoding", f"{self.encoding!r} is not an encoding; expected one such as cp1251")
        return _count_documents(self, store, files) if self.dry_run else (
            add_corpus(store, files, format, names, added={FolderSettings: self})
        )  # fmt: skip


class SlowFilesError(InputError):
    """Files that took too long; `result` is what was found of the others."""

    def __init__(self, message: str, result: ResultInLines) -> None:
        super().__init__(message)
        self.result = result


def _count_documents(settings: FolderSettings, store: StoreLike, files: Sequence[Path]) -> ResultInLines:
    rows, lines = list[dict[str, object]](), list[str]()
    with open_store_call(store) as call:
        for file in files:
            folder = Folder(file, settings)
            number = sum(1 for _ in folder.documents())
            types = ", ".join(f"{many:,} {kind}" for kind, many in sorted(folder.types.items()))
            lines.append(f"{file}: {counted(number, 'document')} would be added" + (f" ({types})" if types else ""))
            rows.append({"folder": str(file), "documents": number})
            call.note(*folder.notes())
            write_skipped(folder)
            found = ResultInLines(rows, lines=lines, context=call.context("store.import_corpus"))
            try:
                folder.check_slow()
            except InputError as error:
                raise SlowFilesError(str(error), found) from error
    return found
