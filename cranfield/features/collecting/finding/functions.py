"""Topics in development: what `cranfield topics` does with them, and what Python has of them."""

from __future__ import annotations

from typing import Annotated, ClassVar

from cranfield.commands.calls import open_store_call
from cranfield.formats import Topic
from cranfield.options import Argument, Option
from cranfield.options.arguments import PresentStore, StoreLike, check_arguments
from cranfield.results import Result, ResultInLines
from cranfield.text import counted

DevelopedTopic = Annotated[str, Argument("A topic in development.", metavar="QID", complete="topic in development")]
DevelopmentReason = Annotated[str, Option("Reason, kept with the topic.", metavar="TEXT")]


@check_arguments
def propose(store: StoreLike, topic: Topic, *, assessor: str) -> None:
    """Add a topic in development.

    Parameters
    ----------
    store : path or Store
        The store.
    topic : Topic
        The topic; if a topic in development has this id, its texts are replaced.
    assessor : str
        The person who develops the topic and judges its documents.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> propose(store, Topic("7", "flutter of wings"), assessor="ada")
    >>> cranfield.topics.list_candidates(store).frame["title"].tolist()
    ['flutter of wings']
    >>> store.close()
    """
    from cranfield.features.collecting.finding.development import propose

    with open_store_call(store) as call:
        propose(call.store, topic, assessor)


@check_arguments
def keep(store: PresentStore, qid: DevelopedTopic, *, reason: DevelopmentReason = "") -> ResultInLines:
    """Add a topic from development to the store, with its texts and labels.

    It becomes a topic of the store. Its labels are marked as labels from development: they were not given blind, and
    reusability never credits them to a run.

    Example: cranfield topics keep track.db 7 --reason "some, and clear"

    Example: cranfield topics keep track.db 9 --reason "a clear need"

    Parameters
    ----------
    store : path or Store
        The store.
    qid : str
        The topic in development.
    reason : str
        The reason, which is kept with the topic.

    Returns
    -------
    ResultInLines
        One row: topic, state, judged and reason.

    Raises
    ------
    InputError
        If there is no such topic in development.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> cranfield.topics.propose(store, topic=Topic("7", "flutter of wings"), assessor="ada")
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # nothing is judged yet
    ...     keep(store, "7", reason="clear")
    kept, topic 7: 0 documents judged, no labels yet
    >>> store.close()
    """
    return _decide(store, qid, "keep", reason)


@check_arguments
def drop(store: PresentStore, qid: DevelopedTopic, *, reason: DevelopmentReason) -> ResultInLines:
    """Drop a topic in development; its labels stay in the log.

    Example: cranfield topics drop track.db 8 --reason "hardly any system would miss what is relevant"

    Example: cranfield topics drop track.db 10 --reason "no relevant document"

    Parameters
    ----------
    store : path or Store
        The store.
    qid : str
        The topic in development.
    reason : str
        The reason, which is kept with the topic.

    Returns
    -------
    ResultInLines
        One row: topic, state, judged and reason.

    Raises
    ------
    InputError
        If there is no such topic in development.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> cranfield.topics.propose(store, topic=Topic("7", "flutter of wings"), assessor="ada")
    >>> drop(store, "7", reason="vague")
    dropped, topic 7: 0 documents judged, no labels yet
    >>> store.close()
    """
    return _decide(store, qid, "drop", reason)


def _decide(store: StoreLike, qid: str, state: str, reason: str) -> ResultInLines:
    from cranfield.features.collecting.finding.development import MAX_FOUND_DOCUMENTS, decide, summary

    with open_store_call(store) as call:
        candidate = decide(call.store, qid, state, reason)
        line = f"{'kept' if state == 'keep' else 'dropped'}, {summary(call.store, candidate)}"
        judged = len(candidate.labels)
        if state == "keep" and judged < MAX_FOUND_DOCUMENTS:
            call.note(
                f"only {counted(judged, 'document was', 'documents were')} judged, which is too few to estimate"
                " how many are relevant"
            )
        row = {"topic": qid, "state": state, "judged": judged, "reason": reason}
        return ResultInLines([row], lines=(line,), context=call.context(state))


class CandidateTable(Result):
    """The topics of a store, including topics in development."""

    columns: ClassVar[tuple[str, ...]] = (
        "topic", "title", "author", "state", "judged", "relevant", "reason", "sets",
    )  # fmt: skip


@check_arguments
def list_candidates(store: StoreLike) -> CandidateTable:
    """List the topics of a store, including topics in development.

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    CandidateTable
        One row per topic, with the columns topic, title, author, state, judged, relevant, reason and sets.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("no topics yet") as store:
    ...     len(list_candidates(store).frame)
    0
    """
    from cranfield.features.collecting.finding.development import topic_rows

    with open_store_call(store) as call:
        return CandidateTable(topic_rows(call.store), context=call.context("topics.list_candidates"))
