"""Whole collections, bundles and pages: into a store, and out of it."""

from __future__ import annotations

from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cranfield.commands.calls import open_store_call, provenance_of
from cranfield.errors import give_warning
from cranfield.extras import require_extra
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.options.exports import NewBundle, OnlyUnjudged
from cranfield.options.transfers import (
    AssessorOfQrels,
    AssessorOfWork,
    CatalogueFolder,
    CollectionSource,
    ExportedTopics,
    IdsNormalized,
    JudgedBundle,
    MostDocuments,
    NewPage,
    PageLanguage,
    PoolOfWork,
    SizeOfPictures,
    SplitOfFolder,
    StoreToFill,
)
from cranfield.parallel import Tell, progress_bar
from cranfield.results import CallContext, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.bundles.bundle import BundleCounts
    from cranfield.store.store import Store
    from cranfield.web.offline_page import PageContents

PUBLISHED = {"document": "document", "topic": "topic", "qrels": "judgment", "run": "run", "pool": "pool"}


@check_arguments
def import_collection(
    store: StoreToFill,
    source: CollectionSource,
    *,
    split: SplitOfFolder = None,
    assessor: AssessorOfQrels = "import",
    normalize_ids: IdsNormalized = False,
    tell: Tell = give_warning,
) -> ResultInLines:
    """Import a whole collection: documents, topics and judgments.

    If any part has an error, nothing is imported. A store that does not exist is created, with the collection's name
    and grade scale. ir_datasets:ID requires the package ir_datasets, which downloads missing data. A folder may follow
    the layout of BEIR (corpus.jsonl, queries.jsonl, qrels/test.tsv). It may also follow the layout of Hugging Face and
    MTEB, with a corpus, queries and judgments in Parquet or JSONL. These files are listed in the metadata of README.md,
    or have their usual names.

    A folder made by `cranfield publish build` is imported into a new store with all its contents, including pools, runs
    and the judgment log. With `split`, the store contains only the topics of that split, with their rankings and
    grades. The folder is checked as in `cranfield publish check`, and refused if it has an error.

    Example: cranfield import collection scifact.db hf:scifact

    Example: cranfield import collection track.db beir/scifact --split test

    Parameters
    ----------
    store : path or Store
        The store, which is created if it does not exist. An open store without data takes the grades of the collection
        and, from a folder made by `cranfield publish build`, all its contents.
    source : str or path
        "ir_datasets:ID", or a folder.
    split : str, optional
        Split of a folder's judgments. By default test, or everything from a published folder.
    assessor : str
        The assessor who made the judgments.
    normalize_ids : bool
        Match ids that differ only in leading zeros, case, blanks or Unicode normalisation.
    tell : function
        Function that receives each note as a line. By default, notes are warnings.

    Returns
    -------
    ResultInLines
        One row: the numbers of documents, topics and judgments.

    Examples
    --------
    >>> import tempfile, warnings
    >>> from pathlib import Path
    >>> files = {
    ...     "corpus.jsonl": '{"_id": "d1", "title": "", "text": "wing flutter"}',
    ...     "queries.jsonl": '{"_id": "q", "text": "flutter"}',
    ...     "qrels/test.tsv": "query-id\\tcorpus-id\\tscore\\nq\\td1\\t1",
    ... }
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(action="ignore"):
    ...     Path(folder, "qrels").mkdir()
    ...     for name, text in files.items():
    ...         _ = Path(folder, name).write_text(text)
    ...     import_collection(f"{folder}/new.db", folder).frame[["documents", "topics", "judgments"]].values.tolist()
    [[1, 1, 1]]
    """
    from cranfield.analysis.collections import import_collection as add_collection
    from cranfield.analysis.collections import notes_on_files_left_over, restore_folder
    from cranfield.formats.collections import CollectionRequest
    from cranfield.store.names import Demand

    notes = list[str]()
    place = Path(store) if isinstance(store, str | PathLike) else cast("Store", store)
    whole = restore_folder(str(source), place, split, notes.append)
    if whole is not None:
        if assessor != "import":
            notes.append(f"--assessor {assessor} is ignored, because a published folder has its own assessors")
        with whole if isinstance(place, Path) else nullcontext():
            numbers = {noun: whole.count(table) for table, noun in PUBLISHED.items()}
    else:
        demand, request = Demand(normalize=normalize_ids), CollectionRequest(str(source), split, notes.append)
        with progress_bar("importing documents") as advance:
            counts = add_collection(place, request, assessor, advance, demand, tell=tell)
        notes += notes_on_files_left_over(str(source))
        numbers = {"document": counts.documents, "topic": counts.topics, "judgment": counts.judgments}
    for line in notes:
        tell(line)
    row = {f"{noun}s": numbers[noun] for noun in ("document", "topic", "judgment")}
    line = ", ".join(counted(number, noun) for noun, number in numbers.items())
    context = CallContext(tuple(notes), provenance=provenance_of("store.import_collection", place))
    return ResultInLines([row], lines=(line,), context=context)


@check_arguments
def import_bundle(store: PresentStore, path: JudgedBundle) -> ResultInLines:
    """Merge a judged bundle or page into the store.

    The command adds the events that are not yet in the store. Merging a bundle twice does no harm. A bundle is checked
    first, and refused if a check fails. It must belong to this collection and contain only its owner's work, on topics
    assigned to that assessor and documents pooled for these topics. Its texts must match the store, and its hash chain
    must be intact. A file downloaded from a page (`cranfield export page`) is checked in the same way, line by line. A
    later download of the same page adds only new events.

    Example: cranfield import bundle track.db ada.db

    Example: cranfield import bundle track.db bob.db

    Parameters
    ----------
    store : path or Store
        The store.
    path : path
        A judged bundle, or a file downloaded from a page.

    Returns
    -------
    ResultInLines
        One row: assessor, new, known, outdated and recorded.
    """
    from cranfield.store.bundles.bundle import merge_bundle

    with open_store_call(store) as call:
        merge = merge_bundle(call.store, path)
        if not merge.recorded:
            remedy = f"make sure that it comes from {merge.assessor}"
            call.note(f"{path}: this store did not record an export of this bundle; {remedy}")
        line = (
            f"{counted(merge.new, 'new event')} by {merge.assessor} ({merge.known} already known);"
            f" {counted(merge.outdated, 'decision is', 'decisions are')} replaced by newer decisions in this store"
        )
        return ResultInLines([merge._asdict()], lines=(line,), context=call.context("judging.import_bundle"))


@check_arguments
def export_bundle(
    store: PresentStore, path: NewBundle, assessor: AssessorOfWork, *, unjudged: OnlyUnjudged = False
) -> ResultInLines:
    """Write one assessor's work to a bundle for offline judging.

    Judge it with `cranfield judge OUT --assessor NAME`, and merge it afterwards with `cranfield import bundle`. A
    bundle contains the assessor's topics, documents and labels. It contains no runs, ranks or labels by other people.

    Example: cranfield export bundle track.db ada.db --assessor ada

    Example: cranfield export bundle track.db bob.db --assessor bob --unjudged

    Parameters
    ----------
    store : path or Store
        The store.
    path : path
        The new bundle.
    assessor : str
        The assessor whose work is exported.
    unjudged : bool
        Export only unjudged documents, such as those added for a late run.

    Returns
    -------
    ResultInLines
        One row: topics, documents, repeats (documents that the assessor judges a second time) and events.

    Raises
    ------
    StoreError
        If nothing is assigned to the assessor, or all assigned documents are judged.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("empty") as store:
    ...     export_bundle(store, "ada.db", "ada")
    Traceback (most recent call last):
    cranfield.errors.StoreError: no topic is assigned to 'ada'; assign one with `cranfield assign`
    """
    from cranfield.store.bundles.bundle import write_bundle

    with open_store_call(store, function="export_bundle") as call:
        made = write_bundle(call.store, path, assessor, unjudged)
        line = _work_line(path, made)
        return ResultInLines([made._asdict()], lines=(line,), context=call.context("judging.export_bundle"))


def _work_line(path: NewBundle | NewPage, made: BundleCounts | PageContents) -> str:
    again = f", {made.repeats:,} to judge again" if made.repeats else ""
    return (
        f"{path}: {counted(made.topics, 'topic')}, {counted(made.documents, 'document')} to judge{again},"
        f" {counted(made.events, 'event')} so far"
    )


@check_arguments
def export_page(
    store: PresentStore,
    path: NewPage,
    assessor: AssessorOfWork,
    *,
    topics: ExportedTopics = None,
    pool: PoolOfWork = None,
    limit: MostDocuments = None,
    images_limit: SizeOfPictures = "20M",
    language: PageLanguage = "en",
    catalogue: CatalogueFolder = None,
) -> ResultInLines:
    """Write one assessor's work to an HTML page for offline judging.

    The page is a single file that works in any browser. It contains the assessor's topics, documents and labels. It
    contains no document ids, runs, ranks or labels by other people. The browser saves the work continuously. The
    Download button of the page saves a file to merge with `cranfield import bundle`. The exported topics stay assigned
    to the assessor until you reassign them.

    Example: cranfield export page track.db ada.html --assessor ada

    Example: cranfield export page track.db bob.html --assessor bob --limit 100

    Parameters
    ----------
    store : path or Store
        The store.
    path : path
        The new page.
    assessor : str
        The assessor whose work is exported.
    topics : sequence of str, optional
        Use only these topics.
    pool : int, optional
        Number of the pool; by default the newest with work for the assessor.
    limit : int, optional
        Maximum number of documents to judge.
    images_limit : str or int
        Maximum total size of the pictures in the page, in bytes or as text such as "20M"; 0 for no pictures.
    language : str
        Language of the page, such as "de".
    catalogue : path, optional
        Folder with catalogues of other languages.

    Returns
    -------
    ResultInLines
        One row: topics, documents, repeats (documents that the assessor judges a second time), events, pictures left
        out, and earlier bundles and pages.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> _ = cranfield.pooling.build_pool(store, depth=2), cranfield.judging.assign_topics(store, assessors=["ada"])
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_page(store, f"{folder}/ada.html", "ada").frame[["topics", "documents"]].values.tolist()
    [[1, 3]]
    >>> store.close()
    """
    require_extra("serve", "a page for judging", "jinja2")
    from cranfield.formats.files import parse_byte_size
    from cranfield.web.language import find_language
    from cranfield.web.offline_page import write_page

    texts = find_language(language, None if catalogue is None else Path(catalogue))
    most = 0 if images_limit in (0, "0") else parse_byte_size(images_limit)
    with open_store_call(store) as call:
        made = write_page(
            call.store, path, assessor, topics=topics, pool=pool, limit=limit, images_limit=most, language=texts
        )
        if made.pictures:
            pictures = counted(made.pictures, "picture")
            call.note(f"omitted {pictures} because of --images-limit; the page contains their texts")
        if made.earlier:
            earlier = counted(made.earlier, "earlier bundle or page", "earlier bundles and pages")
            call.note(
                f"{assessor} already received {earlier}; import the judgments made there, because this page"
                " does not contain them"
            )
        line = _work_line(path, made)
        return ResultInLines([made._asdict()], lines=(line,), context=call.context("judging.export_page"))
