"""Documents in Python: passages of a store, and texts that are brought to it."""

from __future__ import annotations

from pathlib import Path

from cranfield.commands.calls import open_store_call
from cranfield.features.documents.options import (
    AgreesToDownloads,
    CutsBy,
    LanguageOfSentences,
    NewPassages,
    Separator,
    Stride,
    TextSources,
    WantedTexts,
    Window,
    WordsOfPassage,
)
from cranfield.options.arguments import PresentStore, ReadStore, check_arguments
from cranfield.results import ResultInLines
from cranfield.text import counted


@check_arguments
def build_passages(
    store: ReadStore,
    out: NewPassages,
    *,
    by: CutsBy = "sentences",
    window: Window = 10,
    stride: Stride = 5,
    words: WordsOfPassage = 100,
    language: LanguageOfSentences = "en",
    separator: Separator = "#",
) -> ResultInLines:
    """Make a new store of the topics and of passages from the documents.

    You then search, pool and judge passages. A passage is a part of its document. Its docno is the document's docno, a
    # and a number from 0. Its text is unchanged; its metadata contain document, start, end and the headings above it.
    `cranfield evaluate NEW --of documents` scores documents by their best passages. `cranfield export qrels NEW OUT
    --of documents` writes their judgments.

    Example: cranfield passages build track.db passages.db --by sentences --window 10 --stride 5

    Example: cranfield passages build track.db passages.db --by words --words 200

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The new store.
    by : {"sentences", "words", "headings"}
        Passages: windows of sentences, disjoint stretches of words, or sections (long sections are split between
        sentences).
    window : int
        The number of sentences in a passage.
    stride : int
        The number of sentences between the starts of two passages.
    words : int
        The number of words in a passage, or of characters in Chinese and Japanese, with by="words".
    language : str
        The language whose rules determine where sentences end.
    separator : str
        The separator between a docno and the number of its passage.

    Returns
    -------
    ResultInLines
        One row: the numbers of passages, of documents that were split, and of documents without text.

    Raises
    ------
    InputError
        If options conflict, or no document has any text.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     build_passages(store, f"{folder}/passages.db", by="words", words=1).frame.values.tolist()
    [[6, 3, 0]]
    >>> store.close()
    """
    from cranfield.features.documents.passages import build_passages, check
    from cranfield.features.documents.store.documents import PassageRequest

    request = PassageRequest(by, window, stride, words, language, separator)
    check(request)
    with open_store_call(store) as call:
        built = build_passages(call.store, out, request)
        context = call.context("store.build_passages")
    row = {"passages": built.passages, "documents": built.documents, "without_text": built.without}
    return ResultInLines([row], lines=(f"{Path(out)}: {built}",), context=context)


@check_arguments
def fetch_texts(
    store: PresentStore, *, sources: TextSources = (), only: WantedTexts = None, yes: AgreesToDownloads = False
) -> ResultInLines:
    """Add the missing texts of pooled, judged or retrieved documents.

    The texts come from the files that `import corpus --only` read before, if these files have not changed, or from the
    files and ir_datasets corpora in `sources`. The function reads each source once, and stores only the wanted texts.

    Example: cranfield store fetch track.db --from ir_datasets:msmarco-passage

    Example: cranfield store fetch track.db --from corpus.jsonl.gz

    Parameters
    ----------
    store : path or Store
        The store.
    sources : sequence of str
        Files, or "ir_datasets:ID"; by default the files that were read before.
    only : str, optional
        "pooled", "judged", "retrieved", or a file of docnos; by default the same as before, or pooled.
    yes : bool
        Allow ir_datasets to download and unpack files before the first document.

    Returns
    -------
    ResultInLines
        One row: the number of documents with added texts.

    Raises
    ------
    InputError
        If no source is known, or a file has changed.

    Warns
    -----
    CranfieldWarning
        If the sources lack some of the documents; the warning also states how many documents the sources contain.
    """
    from cranfield.features.documents.reference import fetch_texts

    with open_store_call(store) as call:
        number, message = fetch_texts(call.store, sources, only, agrees_to_downloads=yes)
        call.note(message)
        line = counted(number, "document")
        return ResultInLines([{"documents": number}], lines=(line,), context=call.context("store.fetch_texts"))
