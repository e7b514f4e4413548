"""Documents in Python: passages of a store, and texts that are brought to it."""

from __future__ import annotations

from pathlib import Path

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call
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
from cranfield.options.given import PresentStore, ReadStore
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
    """Make a new store of the passages of a store, with its topics: search, pool and judge that.

    A passage is a stretch of its document, called by its docno, a # and a number from 0; nothing is added to its text,
    and its metadata have document, start, end and the headings above it. `cranfield evaluate NEW --of documents` scores
    documents by their best passages; `cranfield export qrels NEW OUT --of documents` writes their judgments.

    Example: cranfield passages build track.db passages.db --by sentences --window 10 --stride 5

    Example: cranfield passages build track.db passages.db --by words --words 200

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The new store.
    by : {"sentences", "words", "headings"}
        Windows of sentences, disjoint stretches of words, or sections, of which long ones are cut by sentences.
    window : int
        Number of sentences of a passage.
    stride : int
        Number of sentences from the beginning of a passage to the beginning of the next.
    words : int
        With words: number of words of a passage; of Chinese and Japanese, characters.
    language : str
        The language whose rules end sentences.
    separator : str
        Between a docno and the number of its passage.

    Returns
    -------
    ResultInLines
        One row: the numbers of passages, of documents that were cut, and of documents without text.

    Raises
    ------
    InputError
        If the options do not go together, or no document has any text.

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
    """Bring the texts of documents that a store only names: those that are pooled, judged or retrieved.

    They come from the files that `import corpus --only` read before, as long as these have not changed, or from files
    and corpora of ir_datasets that `sources` names, in one pass over each. Only what is wanted is stored.

    Example: cranfield store fetch track.db --from ir_datasets:msmarco-passage

    Example: cranfield store fetch track.db --from corpus.jsonl.gz

    Parameters
    ----------
    store : path or Store
        The store.
    sources : sequence of str
        Files, or "ir_datasets:ID"; by default the files that were read before.
    only : str, optional
        "pooled", "judged", "retrieved", or a file of docnos; by default as before, or pooled.
    yes : bool
        Agree to what ir_datasets downloads and unpacks before the first document.

    Returns
    -------
    ResultInLines
        One row: the number of documents whose texts were brought.

    Raises
    ------
    InputError
        If no source is known, or a file has changed.

    Warns
    -----
    CranfieldWarning
        Of wanted documents that the sources do not have, and how many documents they have in all.
    """
    from cranfield.features.documents.reference import fetch_texts

    with open_store_call(store) as call:
        number, message = fetch_texts(call.store, sources, only, agrees_to_downloads=yes)
        call.note(message)
        line = counted(number, "document")
        return ResultInLines([{"documents": number}], lines=(line,), context=call.context("store.fetch_texts"))
