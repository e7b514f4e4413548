"""Judgments and runs whose topics list documents: relevant documents, ranked ids, and what retrievers return.

The objects of LangChain, LlamaIndex and sentence-transformers are recognized by their public attributes; none of these
libraries is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from math import isfinite, isnan
from typing import Any, Literal, NamedTuple, TypeGuard, get_args

import numpy as np

from cranfield.errors import InputError
from cranfield.text import counted

RepeatedDocument = Literal["refuse", "first"]
RELEVANT = "expected a set or list of relevant ids, or {docno: grade}"
RANKED = "expected a list of ids by rank, pairs (id, score), or {docno: score}"
RANK_SCORES = "the lists have no scores; the first of n documents scores n, and the last scores 1"
UNSORTED = "the order of the pairs contradicts their scores in {}; documents are ranked by score, as in trec_eval"


class ListedRun(NamedTuple):
    """A run as {qid: {docno: score}}, with the notes on its lists."""

    scores: dict[str, Any]
    notes: list[str]


class _Listed(NamedTuple):
    """A topic's documents in the order of the list, and their scores or grades, if it has any."""

    docnos: list[str]
    values: list[Any] | None
    are_results: bool = False  # objects of a retriever


def is_document_list(documents: object) -> TypeGuard[Sequence[Any]]:
    """Whether these are a topic's documents as a list: ids, pairs of an id and a number, or results of a retriever.

    >>> [is_document_list(documents) for documents in (["d1"], [("d1", 0.5)], "d1", [0.5], {"d1": 1})]
    [True, True, False, False, False]
    >>> is_document_list([("q1", "d1", 0.5)]), is_document_list([{"qid": "q1"}])
    (False, False)
    """
    if isinstance(documents, np.ndarray):
        return documents.ndim == 1 and documents.dtype.kind in "iuUO"
    if not isinstance(documents, list | tuple):
        return False
    return not documents or _is_id(documents[0]) or _is_pair(documents[0]) or _is_result(documents[0])


def is_listed_run(run: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether topics of this run list their documents."""
    return isinstance(run, Mapping) and any(is_document_list(one) or isinstance(one, Set) for one in run.values())


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
    if not is_document_list(documents):
        raise InputError(f"topic {qid!r} is {documents!r:.60}; {RELEVANT}")
    docnos, values, _ = _parse_ranked_items(qid, documents, RELEVANT)
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
        if not is_document_list(documents):
            raise InputError(f"topic {qid!r} is {documents!r:.60}; {RANKED}")
        listed = _parse_ranked_items(qid, documents, RANKED)
        if listed.values is None:
            notes = [RANK_SCORES] if listed.docnos else notes
            scores[qid] = {docno: float(len(listed.docnos) - place) for place, docno in enumerate(listed.docnos)}
        else:
            unsorted_topics += _is_unsorted(qid, listed)
            scores[qid] = dict(zip(listed.docnos, listed.values, strict=True))
    if unsorted_topics:
        notes.append(UNSORTED.format(counted(unsorted_topics, "topic")))
    return ListedRun(scores, notes)


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
            f"topic {qid!r}: the scores rise from {scores[0]:g} to {scores[-1]:g}; expected scores that fall with the"
            " rank; if they are distances, negate or omit them"
        )
    return bool((steps > 0).any())


def _parse_ranked_items(qid: object, documents: Sequence[Any], right: str) -> _Listed:
    items = list(documents)
    pairs = [item for item in items if _is_pair(item)]
    if pairs and len(pairs) < len(items):
        odd = next(item for item in items if not _is_pair(item))
        raise InputError(f"topic {qid!r} lists {odd!r:.60} next to pairs; {right}")
    ids = [item[0] for item in items] if pairs else items
    docnos = [_docno_of_item(qid, rank, one, right) for rank, one in enumerate(ids, 1)]
    if len({*docnos}) < len(docnos):
        twice = next(docno for place, docno in enumerate(docnos) if docno in docnos[:place])
        ranks = [str(rank) for rank, docno in enumerate(docnos, 1) if docno == twice]
        raise InputError(f"topic {qid!r} lists document {twice!r} at ranks {' and '.join(ranks[:2])}; expected it once")
    values = [item[1] for item in items] if pairs else _scores_of_results(qid, items)
    return _Listed(docnos, values, any(map(_is_result, ids)))


def _scores_of_results(qid: object, items: Sequence[Any]) -> list[Any] | None:
    """The scores that results have, as NodeWithScore does; None where none has any."""
    scores = [None if _is_id(item) else getattr(item, "score", None) for item in items]
    missing = [rank for rank, score in enumerate(scores, 1) if score is None]
    if len(missing) == len(scores):
        return None
    if missing:
        raise InputError(
            f"topic {qid!r}: the result at rank {missing[0]} has no score; expected a score for every result"
        )
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


def _docno_of_item(qid: object, rank: int, value: Any, right: str) -> str:
    if _is_id(value):
        return str(value)
    if not _is_result(value):
        raise InputError(f"topic {qid!r} lists {value!r:.60} at place {rank}; {right}")
    name = value.node_id if hasattr(value, "node_id") else value.id
    if name is None:
        raise InputError(
            f"topic {qid!r}: the {type(value).__name__} at rank {rank} has no id; name its metadata field: "
            'cranfield.metrics.retrieved_run(results, document_id="source")'
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
    """Make a run from a retriever's results.

    `evaluate` accepts results whose ids occur in the judgments. Use this function for other results: passages of
    documents, and results with the document's id in their metadata.

    Parameters
    ----------
    results : mapping of str to iterable
        The results of each topic in rank order: LangChain Documents, optionally in a pair with the score, or LlamaIndex
        NodeWithScores.
    document_id : str or callable, optional
        The `metadata` field with the document's id, or a function that returns the id of a result. By default the
        result's own id.
    repeated : {"refuse", "first"}
        Treatment of a second result for the same document: an error ("refuse"), or only the first result counts
        ("first", for passages).

    Returns
    -------
    dict of str to list
        The run: each topic's ids, or pairs of an id and a score if the results have scores.

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
    if not isinstance(results, Mapping):
        raise InputError(f"results is {results!r:.60}; expected a dict of each topic's results")
    run = dict[str, Any]()
    for qid, found in results.items():
        if not _is_id(qid):
            raise InputError(f"a key is {qid!r:.60}; expected the id of a topic")
        if not isinstance(found, Iterable) or isinstance(found, str):
            raise InputError(f"topic {qid!r} is {found!r:.60}; expected a list of results in rank order")
        items = list(found)
        pairs = [item for item in items if _is_pair(item)]
        if pairs and (odd := [item for item in items if not _is_pair(item)]):
            raise InputError(f"topic {qid!r} lists {odd[0]!r:.60} next to pairs; {RANKED}")
        documents = [item[0] for item in pairs] or items
        ids = [_chosen_id(qid, rank, one, document_id) for rank, one in enumerate(documents, 1)]
        scores = [item[1] for item in pairs] if pairs else _scores_of_results(qid, items)
        _check_scores(qid, scores or [])
        _is_unsorted(qid, _Listed(ids, scores, are_results=True))
        listed: list[Any] = ids if scores is None else list(zip(ids, scores, strict=True))
        if repeated == "first":
            first = dict[str, int]()
            for place, docno in enumerate(ids):
                first.setdefault(docno, place)
            listed = [listed[place] for place in first.values()]
        elif len({*ids}) < len(ids):
            twice = next(docno for place, docno in enumerate(ids) if docno in ids[:place])
            raise InputError(
                f'topic {qid!r} lists document {twice!r} twice; to keep its first result, pass repeated="first"'
            )
        run[qid] = listed
    return run


def _check_scores(qid: object, scores: Sequence[Any]) -> None:
    """Refuse scores that are not numbers, such as None and NaN."""
    for rank, score in enumerate(scores, 1):
        try:
            is_number = isfinite(score)
        except (TypeError, ValueError):
            is_number = False
        if not is_number:
            raise InputError(f"topic {qid!r}: the score at rank {rank} is {score!r:.40}; expected a finite number")


def _chosen_id(qid: str, rank: int, document: Any, document_id: str | Callable[[Any], object] | None) -> str:
    if document_id is None:
        return _docno_of_item(qid, rank, document, RANKED)
    if callable(document_id):
        return _text_id(qid, rank, document_id(document))
    metadata = getattr(document, "metadata", None)
    if not isinstance(metadata, Mapping) or document_id not in metadata:
        names = ", ".join(map(str, metadata)) if metadata else "none"
        raise InputError(
            f"topic {qid!r}: the metadata of the result at rank {rank} lack the field {document_id!r};"
            f" available: {names}"
        )
    return _text_id(qid, rank, metadata[document_id])


def _text_id(qid: object, rank: int, value: Any) -> str:
    if value is None or (isinstance(value, float) and isnan(value)):
        raise InputError(f"topic {qid!r}: the document id at rank {rank} is {value!r}; expected an id")
    return str(value)
