"""Judgments and runs whose topics list documents: relevant documents, ranked ids, and what retrievers return.

The objects of LangChain, LlamaIndex and sentence-transformers are recognized by their public attributes; none of these
libraries is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, Literal, NamedTuple, TypeGuard, get_args

import numpy as np

from cranfield.errors import InputError
from cranfield.text import counted

RepeatedDocument = Literal["refuse", "first"]
RELEVANT = "expected a set or list of relevant ids, or {docno: grade}"
RANKED = "expected a list of ids by rank, pairs (id, score), or {docno: score}"
RANK_SCORES = "no scores are given; the order of the lists makes them: n for the first of n documents, 1 for the last"
UNSORTED = "the order of the pairs contradicts their scores in {}; scores decide, as in trec_eval"


class ListedRun(NamedTuple):
    """A run as {qid: {docno: score}}, with the notes on its lists."""

    scores: dict[str, Any]
    notes: list[str]


class _Listed(NamedTuple):
    """A topic's documents in the order of the list, and their scores or grades, if it has any."""

    docnos: list[str]
    values: list[Any] | None
    are_results: bool = False  # objects of a retriever


def is_listing(documents: object) -> TypeGuard[Sequence[Any]]:
    """Whether these are a topic's documents as a list: ids, pairs of an id and a number, or results of a retriever.

    >>> is_listing(["d1"]), is_listing([("d1", 0.5)]), is_listing("d1"), is_listing([0.5]), is_listing({"d1": 1})
    (True, True, False, False, False)
    >>> is_listing([("q1", "d1", 0.5)]), is_listing([{"qid": "q1"}])
    (False, False)
    """
    if isinstance(documents, np.ndarray):
        return documents.ndim == 1 and documents.dtype.kind in "iuUO"
    if not isinstance(documents, list | tuple):
        return False
    return not documents or _is_id(documents[0]) or _is_pair(documents[0]) or _is_result(documents[0])


def is_listed_run(run: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether topics of this run list their documents."""
    return isinstance(run, Mapping) and any(is_listing(one) or isinstance(one, Set) for one in run.values())


def grades_of_lists(qrels: Mapping[str, Any]) -> Mapping[str, Any]:
    """Judgments as {qid: {docno: grade}}; listed documents have grade 1, or the grade of their pair.

    >>> grades_of_lists({"q1": {"d1"}, "q2": ["d2"], "q3": [("d3", 2)], "q4": {"d4": 0}})
    {'q1': {'d1': 1}, 'q2': {'d2': 1}, 'q3': {'d3': 2}, 'q4': {'d4': 0}}
    >>> grades_of_lists({"q1": "d1"})
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: topic 'q1' is 'd1'; expected a set or list of relevant ids, or {docno: grade}
    """
    if all(isinstance(documents, Mapping) for documents in qrels.values()):
        return qrels
    return {qid: _grades(qid, documents) for qid, documents in qrels.items()}


def _grades(qid: object, documents: Any) -> Mapping[str, Any]:
    if isinstance(documents, Mapping):
        return documents
    if isinstance(documents, Set):
        documents = sorted(documents, key=str)
    if not is_listing(documents):
        raise InputError(f"topic {qid!r} is {documents!r:.60}; {RELEVANT}")
    docnos, values, _ = _listed(qid, documents, RELEVANT)
    return dict(zip(docnos, [1] * len(docnos) if values is None else values, strict=True))


def scores_of_lists(run: Mapping[str, Any]) -> ListedRun:
    """A run as {qid: {docno: score}}; ids without scores get them from their ranks.

    >>> scores_of_lists({"q1": ["d3", "d1"], "q2": [("d1", 0.5)]}).scores
    {'q1': {'d3': 2.0, 'd1': 1.0}, 'q2': {'d1': 0.5}}
    """
    scores, notes, unsorted_topics = dict[str, Any](), list[str](), 0
    for qid, documents in run.items():
        if isinstance(documents, Mapping):
            scores[qid] = documents
            continue
        if isinstance(documents, Set):
            raise InputError(f"topic {qid!r} is a {type(documents).__name__}, which has no order; {RANKED}")
        if not is_listing(documents):
            raise InputError(f"topic {qid!r} is {documents!r:.60}; {RANKED}")
        listed = _listed(qid, documents, RANKED)
        if listed.values is None:
            notes = [RANK_SCORES] if listed.docnos else notes
            scores[qid] = _rank_scores(listed.docnos)
        else:
            unsorted_topics += _is_unsorted(qid, listed)
            scores[qid] = dict(zip(listed.docnos, listed.values, strict=True))
    if unsorted_topics:
        notes.append(UNSORTED.format(counted(unsorted_topics, "topic")))
    return ListedRun(scores, notes)


def _rank_scores(docnos: Sequence[str]) -> dict[str, float]:
    return {docno: float(len(docnos) - place) for place, docno in enumerate(docnos)}


def _is_unsorted(qid: object, listed: _Listed) -> bool:
    """Whether a document has a higher score than the one before it; results whose scores only rise are refused."""
    if listed.values is None:
        return False
    try:
        scores = np.array(listed.values, float)
    except (TypeError, ValueError):
        return False  # the wrong score is reported where scores are read
    steps = np.diff(scores)
    if listed.are_results and (steps > 0).any() and not (steps < 0).any():
        raise InputError(
            f"topic {qid!r}: the scores of the results rise from {scores[0]:g} to {scores[-1]:g}, as distances do; "
            "expected scores that fall with the rank: give the results without scores, or negative distances"
        )
    return bool((steps > 0).any())


def _listed(qid: object, documents: Sequence[Any], right: str) -> _Listed:
    items = list(documents)
    pairs = [item for item in items if _is_pair(item)]
    if pairs and len(pairs) < len(items):
        odd = next(item for item in items if not _is_pair(item))
        raise InputError(f"topic {qid!r} lists {odd!r:.60} next to pairs; {right}")
    ids = [item[0] for item in items] if pairs else items
    docnos = [_id_of(qid, rank, one, right) for rank, one in enumerate(ids, 1)]
    if len({*docnos}) < len(docnos):
        twice = next(docno for place, docno in enumerate(docnos) if docno in docnos[:place])
        ranks = [str(rank) for rank, docno in enumerate(docnos, 1) if docno == twice]
        raise InputError(
            f"topic {qid!r} lists document {twice!r} at places {' and '.join(ranks[:2])}; expected it once"
        )
    values = [item[1] for item in items] if pairs else _scores_of_results(qid, items)
    return _Listed(docnos, values, any(map(_is_result, ids)))


def _scores_of_results(qid: object, items: Sequence[Any]) -> list[Any] | None:
    """The scores that results have, as NodeWithScore does; None where none has any."""
    scores = [None if _is_id(item) else getattr(item, "score", None) for item in items]
    missing = [rank for rank, score in enumerate(scores, 1) if score is None]
    if len(missing) == len(scores):
        return None
    if missing:
        raise InputError(f"topic {qid!r}: the result at rank {missing[0]} has no score, others have one; expected all")
    return scores


def _is_id(value: object) -> bool:
    return isinstance(value, str | int | np.integer) and not isinstance(value, bool)


def _is_pair(value: object) -> TypeGuard[tuple[Any, Any]]:
    """Whether this is an id or a result with a number; two ids may be a row of a file, which lacks cells."""
    return isinstance(value, tuple | list) and len(value) == 2 and (_is_id(value[0]) or _is_result(value[0]))


def _is_result(value: object) -> bool:
    """Whether this has the attributes of LangChain's Document or LlamaIndex's nodes, or an id and a score."""
    if isinstance(value, str | Mapping | tuple | list):
        return False
    return hasattr(value, "node_id") or (
        hasattr(value, "id") and (hasattr(value, "metadata") or hasattr(value, "score"))
    )


def _id_of(qid: object, rank: int, value: Any, right: str) -> str:
    if _is_id(value):
        return str(value)
    if not _is_result(value):
        raise InputError(f"topic {qid!r} lists {value!r:.60} at place {rank}; {right}")
    name = value.node_id if hasattr(value, "node_id") else value.id
    if name is None:
        raise InputError(
            f"topic {qid!r}: the {type(value).__name__} at rank {rank} has no id; name the field of its metadata that "
            'has it: cranfield.metrics.retrieved_run(results, document_id="source")'
        )
    return str(name)


def relevant_docs_of(evaluator: Any) -> Any:
    """The judgments of an InformationRetrievalEvaluator of sentence-transformers; anything else as it is."""
    if isinstance(evaluator, Mapping) or not (
        hasattr(evaluator, "relevant_docs") and hasattr(evaluator, "queries_ids")
    ):
        return evaluator
    return {qid: evaluator.relevant_docs[qid] for qid in evaluator.queries_ids}


def retrieved_run(
    results: Mapping[str, Iterable[Any]],
    document_id: str | Callable[[Any], object] | None = None,
    *,
    repeated: RepeatedDocument = "refuse",
) -> dict[str, Any]:
    """Make a run of what a retriever returned for each topic.

    `evaluate` takes results whose own ids are those of the judgments. This function is for other results: passages of
    documents, and results with the document's id in their metadata.

    Parameters
    ----------
    results : mapping of str to iterable
        The results of each topic in order of rank: Document of LangChain, alone or in a pair with its score, or
        NodeWithScore of LlamaIndex.
    document_id : str or callable, optional
        The field of `metadata` with the document's id, or a function of a result; by default the result's own id.
    repeated : {"refuse", "first"}
        What to do with a further result for a document: raise an error, or keep the first, as for passages.

    Returns
    -------
    dict of str to list
        The run: for each topic its ids, or pairs of an id and a score where the results have scores.

    Raises
    ------
    InputError
        If a result has no id, or a document appears twice.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> passages = [SimpleNamespace(id=n, metadata={"source": source}) for n, source in enumerate(["d2", "d1", "d2"])]
    >>> retrieved_run({"q1": passages}, "source", repeated="first")
    {'q1': ['d2', 'd1']}
    >>> retrieved_run({"q1": [(passages[0], 0.9), (passages[1], 0.5)]}, "source")
    {'q1': [('d2', 0.9), ('d1', 0.5)]}
    """
    if repeated not in get_args(RepeatedDocument):
        raise InputError(f"repeated is {repeated!r}; expected {' or '.join(get_args(RepeatedDocument))}")
    run = dict[str, Any]()
    for qid, found in results.items():
        items = list(found)
        documents = [item[0] if _is_pair(item) else item for item in items]
        ids = [_chosen_id(qid, rank, one, document_id) for rank, one in enumerate(documents, 1)]
        scores = [item[1] for item in items] if any(map(_is_pair, items)) else _scores_of_results(qid, items)
        _is_unsorted(qid, _Listed(ids, scores, are_results=True))
        listed: list[Any] = ids if scores is None else list(zip(ids, scores, strict=True))
        if repeated == "first":
            first = dict[str, int]()
            for place, docno in enumerate(ids):
                first.setdefault(docno, place)
            listed = [listed[place] for place in first.values()]
        elif len({*ids}) < len(ids):
            twice = next(docno for place, docno in enumerate(ids) if docno in ids[:place])
            raise InputError(f'topic {qid!r} has document {twice!r} twice; repeated="first" keeps its first result')
        run[qid] = listed
    return run


def _chosen_id(qid: str, rank: int, document: Any, document_id: str | Callable[[Any], object] | None) -> str:
    if document_id is None:
        return _id_of(qid, rank, document, RANKED)
    if callable(document_id):
        return str(document_id(document))
    metadata = getattr(document, "metadata", None)
    if not isinstance(metadata, Mapping) or document_id not in metadata:
        names = ", ".join(map(str, metadata)) if metadata else "none"
        raise InputError(f"topic {qid!r}: the result at rank {rank} has no metadata {document_id!r}; it has {names}")
    return str(metadata[document_id])
