"""What the organiser downloads, with the functions of the command line."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from cranfield import hooks
from cranfield.commands.exports import (
    export_beir,
    export_corpus,
    export_datasette_metadata,
    export_judgments,
    export_qrels,
    export_topics,
)
from cranfield.commands.pools import pool_runs
from cranfield.commands.reports import write_report
from cranfield.commands.run_export import export_runs
from cranfield.commands.store_copies import backup
from cranfield.commands.transfers import export_bundle, export_page
from cranfield.errors import CranfieldError
from cranfield.features.organising.further_uploads import all_uploads
from cranfield.features.organising.jobs import browser_text
from cranfield.formats.writing import write_pool
from cranfield.store.assignments import assignments, has_assignments
from cranfield.store.collection_settings import has_data
from cranfield.store.connection import DatabaseError
from cranfield.store.log import assessors
from cranfield.store.reading import OpenStores, Reading, SelectedPlace
from cranfield.store.store import Store
from cranfield.store.verification import copy_unverified
from cranfield.text import visible_line
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.page_text import without_folder
from cranfield.web.look.view import has_rows
from cranfield.web.organise.download import (
    COLLECTION_GROUP,
    GROUPS,
    JUDGMENT_GROUP,
    PERSON_GROUP,
    Choice,
    Download,
    Fields,
    stem,
    zip_folder,
)
from cranfield.web.organise.policies import POLICY_CHOICE
from cranfield.web.organise.section import OrganiserSection, SectionRequest
from cranfield.web.uploads import safe_file_name


def _place(place: Store | Path) -> SelectedPlace:
    return Reading(stores=OpenStores()).select_place(place)


def _write_qrels(store: Store, folder: Path, fields: Fields) -> Path:
    files = folder / "qrels"
    files.mkdir()
    export_qrels(_place(store), files / "qrels.txt", policy=fields.get("policy") or None)
    return zip_folder(files, folder / f"{stem(store)}-qrels.zip")


def _write_judgments(store: Store, folder: Path, fields: Fields) -> Path:
    export_judgments(_place(store), path := folder / f"{stem(store)}-judgments.jsonl")
    return path


def _write_runs(store: Store, folder: Path, fields: Fields) -> Path:
    export_runs(_place(store), folder / "runs", metadata=True)
    return zip_folder(folder / "runs", folder / f"{stem(store)}-runs.zip")


def _write_topics(store: Store, folder: Path, fields: Fields) -> Path:
    export_topics(_place(store), path := folder / f"{stem(store)}-topics.jsonl")
    return path


def _write_corpus(store: Store, folder: Path, fields: Fields) -> Path:
    export_corpus(_place(store), path := folder / f"{stem(store)}-corpus.jsonl.gz")
    return path


def _write_pool(store: Store, folder: Path, fields: Fields) -> Path:
    write_pool(path := folder / f"{stem(store)}-pool.tsv", pool_runs(_place(store)).documents)
    return path


def _write_beir(store: Store, folder: Path, fields: Fields) -> Path:
    export_beir(_place(store), folder / "beir", policy=fields.get("policy") or None)
    return zip_folder(folder / "beir", folder / f"{stem(store)}-beir.zip")


def _write_datasette(store: Store, folder: Path, fields: Fields) -> Path:
    files = folder / "datasette"
    files.mkdir()
    copy_unverified(store, copy := files / f"{stem(store)}.db")  # the metadata name the file
    export_datasette_metadata(_place(copy), files / "metadata.json")
    return zip_folder(files, folder / f"{stem(store)}-datasette.zip")


def _write_report(store: Store, folder: Path, fields: Fields) -> Path:
    copy = folder / Path(store.path).name  # the report reads the store again and again
    copy_unverified(store, copy)
    write_report(_place(copy), out=(path := folder / f"{stem(store)}-report.html"), policy=fields.get("policy") or None)
    return path


def _write_backup(store: Store, folder: Path, fields: Fields) -> Path:
    backup(_place(store), path := folder / f"{stem(store)}-backup.db")
    return path


def _people(store: Store, language: Language) -> Mapping[str, str]:
    given = {one.assessor for one in assignments(store) if one.assessor} if has_assignments(store) else set()
    return {name: visible_line(name) for name in assessors(store) if name in given}


def _write_page(store: Store, folder: Path, fields: Fields) -> Path:
    name = fields["assessor"]
    path, catalogue = folder / f"{safe_file_name(name)}.html", fields["catalogue"] or None
    export_page(_place(store), path, name, language=fields["language"], catalogue=catalogue)
    return path


def _write_bundle(store: Store, folder: Path, fields: Fields) -> Path:
    name = fields["assessor"]
    export_bundle(_place(store), path := folder / f"{safe_file_name(name)}.db", name)
    return path


@dataclass(frozen=True)
class MissingRows:
    """Says that a store has no row of a table."""

    table: str
    words: str

    def __call__(self, store: Store) -> str:
        """The words, if the table is empty."""
        return "" if store.counts()[self.table] else self.words


def _lacks_people(store: Store) -> str:
    return "" if _people(store, ENGLISH) else translatable("No topic is assigned to anybody yet.")


def _lacks_collection(store: Store) -> str:
    """What a folder with a whole collection cannot do without."""
    lacks = (DOWNLOADS[name].lack(store) for name in ("corpus", "topics", "qrels"))
    return next(filter(None, lacks), "")


PERSON = Choice("assessor", translatable("Assessor"), _people)
DOWNLOADS: Mapping[str, Download] = {
    "qrels": Download(
        translatable("Judgments as qrels"),
        translatable(
            "A zip file with qrels.txt and its manifest, which can later prove from which labels the qrels were made."
        ),
        _write_qrels,
        (POLICY_CHOICE,),
        MissingRows("qrels", translatable("There are no labels yet.")),
        group=JUDGMENT_GROUP,
    ),
    "judgments": Download(
        translatable("Every judgment"),
        translatable("All events of the judgment log, one JSON object per line, with the assessors' names."),
        _write_judgments,
        lack=MissingRows("judgment_event", translatable("Nobody has judged yet.")),
        group=JUDGMENT_GROUP,
    ),
    "runs": Download(
        translatable("Runs"),
        translatable("A zip with a TREC run file for each run."),
        _write_runs,
        lack=MissingRows("run", translatable("There are no runs yet.")),
    ),
    "topics": Download(
        translatable("Topics"),
        translatable("JSON lines."),
        _write_topics,
        lack=MissingRows("topic", translatable("There are no topics yet.")),
    ),
    "corpus": Download(
        translatable("Documents"),
        translatable("JSON lines, compressed with gzip."),
        _write_corpus,
        lack=MissingRows("document", translatable("There are no documents yet.")),
    ),
    "pool": Download(
        translatable("Pool"),
        translatable("The newest pool as a table: topic, document, best rank and contributing runs."),
        _write_pool,
        lack=MissingRows("pool", translatable("There is no pool yet.")),
    ),
    "beir": Download(
        translatable("BEIR folder"),
        translatable("A zip with documents, topics and judgments in the layout of BEIR."),
        _write_beir,
        (POLICY_CHOICE,),
        _lacks_collection,
        group=COLLECTION_GROUP,
    ),
    "report": Download(
        translatable("Report"),
        translatable(
            "One HTML page with the contents, the scores of the runs, and how far the collection can be reused."
        ),
        _write_report,
        (POLICY_CHOICE,),
        MissingRows("topic", translatable("There are no topics yet.")),
        group=JUDGMENT_GROUP,
    ),
    "backup": Download(
        translatable("Backup"),
        translatable("A complete copy of the store, which is verified before it is sent."),
        _write_backup,
        group=COLLECTION_GROUP,
    ),
    "datasette": Download(
        translatable("Store with metadata for Datasette"),
        translatable(
            "A zip with a copy of the store and the metadata that Datasette needs to show its tables in a browser."
        ),
        _write_datasette,
        group=COLLECTION_GROUP,
    ),
    "page": Download(
        translatable("Offline page of a person"),
        translatable(
            "One HTML file to judge without a network. The person saves a file there and sends it back to you."
        ),
        _write_page,
        (PERSON,),
        _lacks_people,
        writes=True,
        group=PERSON_GROUP,
    ),
    "bundle": Download(
        translatable("Bundle of a person"),
        translatable("A small store to judge in a terminal or with its own server. The person sends it back to you."),
        _write_bundle,
        (PERSON,),
        _lacks_people,
        writes=True,
        group=PERSON_GROUP,
    ),
}


def all_downloads() -> dict[str, Download]:
    """The downloads, with those of features, in the order of their groups."""
    added = dict(hooks.collect_from_extensions(lambda extension: extension.downloads().items()))
    return dict(sorted([*DOWNLOADS.items(), *added.items()], key=lambda item: GROUPS.index(item[1].group)))


class MadeFile(NamedTuple):
    """The path of a file to download, or why it was not made."""

    path: str
    wrong: str = ""


def make_download(store: Store, name: str, folder: str, fields: Fields, language: Language = ENGLISH) -> MadeFile:
    """Make a file in a folder, of the store as it is at this moment."""
    download = all_downloads()[name]
    try:
        chosen = {**fields, **{choice.name: choice.chosen(store, fields) for choice in download.choices}}
        chosen |= {"language": language.name, "catalogue": str(language.folder or "")}
        with catch_warnings():
            simplefilter("ignore")
            if download.writes or name in ("report", "backup", "datasette"):
                return MadeFile(str(download.write(store, Path(folder), chosen)))
            with store.unchanging():
                return MadeFile(str(download.write(store, Path(folder), chosen)))
    except (CranfieldError, DatabaseError, OSError) as error:
        text = without_folder(str(error).replace(f"{folder}/", ""), store.path)
        return MadeFile("", browser_text(text))


Question = Callable[[Store, Language], str]


class ShownChoice(NamedTuple):
    """A choice on the page; with a question nothing is preselected."""

    name: str
    label: str
    options: Mapping[str, str]
    hint: str
    question: str


def _shown_choices(
    store: Store, choices: Sequence[Choice], language: Language, questions: dict[Question, str]
) -> Iterator[ShownChoice]:
    """The choices of a download; `questions` keeps those that were computed for an earlier one."""
    for choice in choices:
        if choice.question not in questions:
            questions[choice.question] = choice.question(store, language)
        yield ShownChoice(
            choice.name,
            language.look_up(choice.label),
            choice.options(store, language),
            choice.hint(store, language),
            questions[choice.question],
        )


def _values(request: SectionRequest) -> Mapping[str, Any]:
    language, store = request.language, request.store
    questions = dict[Question, str]()
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for name, one in all_downloads().items():
        lack = one.lack(store)
        if not (one.optional and lack):
            groups.setdefault(one.group, {})[name] = {
                "title": language.look_up(one.title),
                "about": language.look_up(one.about),
                "lack": language.look_up(lack),
                "choices": [] if lack else [*_shown_choices(store, one.choices, language, questions)],
            }
    return {
        "groups": {language.look_up(group): files for group, files in groups.items()},
        "uploads": {name: one.translate_texts(language) for name, one in all_uploads().items()},
        "is_empty": not has_data(store),
    }


DELIVERING = OrganiserSection(
    translatable("Deliver"),
    "organising/deliver.html",
    _values,
    entry=translatable("Deliver"),
    group=translatable("Results"),
    has_data=has_rows("topic"),
)
