"""Baseline search: simple systems over a corpus, so that one builder's pool is still a varied one.

SYSTEMS is the table. Systems differ in ranker, in analysis (words, stems, character n-grams, titles alone) and in
the part of the topic they search for. They are ordinary textbook rankers and no match for a tuned system: a pool
from them alone favours documents that share words with the topic, and a system that finds others loses by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Runs, Vocabulary, sort_runs
from cranfield.errors import CranfieldError, InputError, row_named
from cranfield.formats import RunInfo
from cranfield.parallel import Tell, ignore_note, progress_bar
from cranfield.search.index import Index, Ranker, best_documents, ranker_of_model
from cranfield.search.rankers import bm25, dirichlet, full_text, jelinek_mercer, lsa, rm3, rocchio, tfidf
from cranfield.store.corpus import refuse_part
from cranfield.store.history import outdated_search_runs, runs_before_corpus
from cranfield.store.names import RunKey
from cranfield.store.runs import add_runs, extend_runs, runs_of_round, topics_answered_by
from cranfield.store.store import Store
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats import Document, Topic


@dataclass(frozen=True)
class System:
    """A named ranker and the part of the topic it searches for."""

    name: str
    family: str  # systems of a family find much the same documents
    field: str  # title, description, narrative or title+description
    description: str
    rank: Ranker
    needs_store: bool = False


# fmt: off
SYSTEMS: tuple[System, ...] = (
    System("fts5", "bm25", "title", "BM25 of the store's own full-text index.", full_text, needs_store=True),
    System("bm25", "bm25", "title", "BM25 over stems (Lucene's idf, k1 1.2, b 0.75).",
           ranker_of_model("stems", bm25("lucene", 1.2, 0.75))),
    System("bm25-words", "bm25", "description", "BM25 over unstemmed words (Lucene's idf, k1 0.9, b 0.4).",
           ranker_of_model("words", bm25("lucene", 0.9, 0.4))),
    System("bm25-titles", "bm25", "title", "BM25 over the stems in the documents' titles only.",
           ranker_of_model("titles", bm25("lucene", 1.2, 0.75))),
    System("bm25-weighted", "bm25", "title+description", "BM25 over stems, with a word in a title counted three times.",
           ranker_of_model("weighted", bm25("lucene", 1.2, 0.75))),
    System("bm25l", "bm25", "title+description", "BM25L over stems, which penalises long documents less.",
           ranker_of_model("stems", bm25("bm25l", 1.5, 0.75, 0.5))),
    System("bm25plus", "bm25", "narrative", "BM25+ over unstemmed words, for the narrative.",
           ranker_of_model("words", bm25("bm25+", 1.2, 0.75, 1.0))),
    System("ql-dirichlet", "likelihood", "title", "Query likelihood over stems with Dirichlet smoothing (mu 1000).",
           ranker_of_model("stems", dirichlet())),
    System("ql-jelinek-mercer", "likelihood", "title+description",
           "Query likelihood over stems with Jelinek-Mercer smoothing (lambda 0.7).",
           ranker_of_model("stems", jelinek_mercer())),
    System("rm3", "likelihood", "title", "Query likelihood with 50 feedback terms from its first 10 documents (RM3).",
           ranker_of_model("stems", rm3())),
    System("tfidf", "vectors", "description", "TF-IDF cosine over stems.", ranker_of_model("stems", tfidf())),
    System("rocchio", "vectors", "title+description", "TF-IDF cosine moved towards its first 10 documents (Rocchio).",
           ranker_of_model("stems", rocchio())),
    System("chargrams", "vectors", "title", "TF-IDF cosine over character 4-grams, tolerant of misspellings.",
           ranker_of_model("grams", tfidf())),
    System("lsa", "vectors", "title+description", "Latent semantic analysis: the cosine in 100 dimensions.",
           ranker_of_model("stems", lsa())),
)
# fmt: on


def find_systems(names: Sequence[str] | None, includes_store: bool = True) -> list[System]:
    """The systems of these names, in their order, each once; all by default, of which fts5 needs a store."""
    if names is None:
        return [system for system in SYSTEMS if includes_store or not system.needs_store]
    table = {system.name: system for system in SYSTEMS}
    return [row_named(table, name, "system") for name in dict.fromkeys(names)]


Search = Callable[[str, int], Iterable[tuple[str, float]]]  # the store's search(match, limit): (docno, score)


def search(
    documents: Iterable[Document],
    topics: Sequence[Topic],
    *,
    systems: Sequence[str] | None = None,
    depth: int = 1000,
    fts: Search | None = None,
    progress: Callable[[int], object] | None = None,
) -> Runs:
    """One run per system, tagged with its name: at most `depth` documents per topic, only those that match.

    `systems` None is all of them, without fts5 where there is no `fts` (the store's search). The corpus is analysed
    once for all; its documents are gone through, at most twice, and not kept, and their order does not matter.
    `progress` is called with 1 as each system is done. Scores of different systems are on different scales, and of
    query likelihood often negative.

    >>> from types import SimpleNamespace as Record
    >>> corpus = [Record(docno="d1", title="", text="shock waves"), Record(docno="d2", title="", text="")]
    >>> topics = [Record(qid="1", title="wave", description="", narrative=""),
    ...           Record(qid="2", title="the", description="", narrative="")]
    >>> runs = search(corpus, topics, systems=["bm25", "tfidf"])
    >>> runs.tags, runs.topic.tolist(), [runs.docnos.names[d] for d in runs.document]
    (('bm25', 'tfidf'), [0, 0], ['d1', 'd1'])
    """
    if depth < 1:
        raise CranfieldError(f"the depth is {depth}; expected at least 1")
    choice = find_systems(systems, fts is not None)
    index = Index(documents, None if fts is None else lambda match: fts(match, depth))
    rankings = list(_rankings(choice, index, topics, depth, progress))
    run, topic, document, score = (np.concatenate(column) for column in zip(_EMPTY, *rankings, strict=True))
    tags, qids = [system.name for system in choice], [each.qid for each in topics]
    return sort_runs(
        tags, Vocabulary(qids), Vocabulary(index.docnos), run=run, topic=topic, document=document, score=score
    )


Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
_EMPTY = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


def _rankings(
    systems: Sequence[System],
    index: Index,
    topics: Sequence[Topic],
    depth: int,
    progress: Callable[[int], object] | None,
) -> Iterator[Columns]:
    """The columns run, topic, document and score of each ranking."""
    for run, system in enumerate(systems):
        queries = [query_text(topic, system.field) for topic in topics]
        for topic, scores in enumerate(system.rank(index, queries)):
            documents = best_documents(scores, depth)
            size = len(documents)
            yield np.full(size, run), np.full(size, topic), documents, scores[documents]
        if progress is not None:
            progress(1)


def query_text(topic: Topic, field: str) -> str:
    """The text of the topic's field; where that is empty, of the first of title, description, narrative that is not.

    >>> from types import SimpleNamespace as Record
    >>> topic = Record(title="wing flutter", description="", narrative=" ")
    >>> query_text(topic, "narrative"), query_text(topic, "title+description")
    ('wing flutter', 'wing flutter')
    """
    parts = {"title": topic.title, "description": topic.description, "narrative": topic.narrative}
    query = " ".join(parts[name] for name in field.split("+")).strip()
    return query or next((text.strip() for text in parts.values() if text.strip()), "")


class AddedBaselines(NamedTuple):
    """The baselines that were added, and notes on the others."""

    tags: tuple[str, ...]
    notes: list[str]


def search_with_systems(
    path: Path | Store,
    systems: Sequence[str] | None,
    depth: int = 1000,
    *,
    extend: bool = False,
    tag: str | None = None,
    tell: Tell = ignore_note,
) -> AddedBaselines:
    """Run the baselines that are not in a store yet, and add those that retrieve anything.

    In a round of its own a baseline is run again, once. With `extend` baselines that are there are run for the topics
    that they have not answered, and become longer. With `tag` one baseline becomes another run, of this name.
    """
    about = {s.name: RunInfo(f"baseline {s.family}", description=s.description) for s in find_systems(systems)}
    if tag and (len(about) != 1 or extend):
        test_words = (
            "cannot be combined with --extend" if extend else f"names one run, not {len(about)}; give one --system"
        )
        raise InputError(f"--tag {test_words}")
    with nullcontext(path) if isinstance(path, Store) else Store.open(path, tell=tell) as store:
        topics, earlier = store.topics(), runs_of_round(store)
        for what, there in (("corpus", store.has("document")), ("topics", bool(topics))):
            if not there:
                them = "it" if what == "corpus" else "them"
                missing = f"no {what} in this store to search; `cranfield import {what}` adds {them}"
                raise InputError(missing, Path(store.path))
        refuse_part(store)
        names = [name for name in about if tag or name not in earlier]
        runs = _search(store, topics, names, depth)
        partial = [*_missing_text_notes(store)]
        if tag:
            runs, about = replace(runs, tags=(tag,) * len(runs.tags)), {tag: about[names[0]]}
            add_runs(store, runs, about)
            return AddedBaselines(runs.tags, [*partial, *_empty_run_notes(names if not runs.tags else ())])
        add_runs(store, runs, about)
        ours = [name for name in about if name in earlier and earlier[name].team == about[name].team]
        longer = _extend_runs(store, topics, ours, about, depth) if extend else {}
        stale = outdated_search_runs(store, [earlier[name].name for name in ours if name not in longer])
        rest = {name: earlier[name] for name in about if name in earlier and name not in longer}
    notes = [*partial, *_extension_lines(longer), *_stored_run_notes(about, rest, stale, extend)]
    return AddedBaselines(
        (*runs.tags, *longer), notes + _empty_run_notes([name for name in names if name not in runs.tags])
    )


def _search(store: Store, topics: Sequence[Topic], systems: Sequence[str], depth: int) -> Runs:
    with progress_bar("searching", len(systems)) as advance:
        corpus = _StoredCorpus(store)
        return search(corpus, topics, systems=systems, depth=depth, fts=store.search, progress=advance).answering()


def _extend_runs(
    store: Store, topics: Sequence[Topic], names: Sequence[str], about: Mapping[str, RunInfo], depth: int
) -> dict[str, int]:
    """Run baselines for the topics that they have not answered; of those that become longer, by how many topics."""
    earlier = runs_of_round(store)
    answers = {name: topics_answered_by(store, earlier[name].name) for name in names}
    lacking = {name: [one for one in topics if one.qid not in answers[name]] for name in names}
    names = [name for name in names if lacking[name]]
    if older := runs_before_corpus(store, [earlier[name].name for name in names]):
        raise InputError(
            f"run {older[0]!r} is older than the newest corpus, so its topics would be searched in two corpora; "
            "search all topics again with --tag NAME",
            Path(store.path),
        )
    longer = {}
    for name in names:
        runs = _search(store, lacking[name], [name], depth)
        if runs.tags:
            longer[name] = len(runs.starts)
            extend_runs(store, runs, about)
    return longer


def _extension_lines(longer: Mapping[str, int]) -> Iterator[str]:
    for number in sorted({*longer.values()}):
        yield f"extended by {counted(number, 'topic')}: {', '.join(name for name in longer if longer[name] == number)}"


def _empty_run_notes(names: Sequence[str]) -> list[str]:
    return [f"not stored, because they retrieved no documents: {', '.join(names)}"] if names else []


def _missing_text_notes(store: Store) -> Iterator[str]:
    """What is said of documents that have no text: they are not found, and the statistics of terms lack them."""
    texts, documents = store.count_added("document"), store.count("document")
    if texts < documents:
        are = f"the store has the texts of {texts:,} of {documents:,} documents"
        yield f"{are}; the search and its term statistics use only these texts"


class _StoredCorpus:
    """The documents of a store, read again at each iteration."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __iter__(self) -> Iterator[Document]:
        return self.store.documents()


def _stored_run_notes(
    about: Mapping[str, RunInfo], earlier: Mapping[str, RunKey], stale: Sequence[str], extend: bool
) -> Iterator[str]:
    """Notes on stored runs that already have the name of a baseline."""
    ours = [name for name in earlier if earlier[name].team == about[name].team]
    others = [name for name in earlier if name not in ours]
    if ours:
        why = "without new topics or new results" if extend else "unchanged"
        yield f"already in the store and {why}: {', '.join(ours)}"
    if not extend and (stale := [name for name in ours if earlier[name].name in stale]):
        again = "search new topics with --extend, or all topics again with --tag NAME"
        yield f"older than the newest corpus or topics: {', '.join(stale)}; {again}"
    if others:
        yield f"skipped, because runs of other teams have these names: {', '.join(others)}"
