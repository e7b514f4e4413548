"""Sets of topics: name one, split the topics into folds, list the sets."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from cranfield.commands.calls import open_store_call
from cranfield.errors import file_named_in_errors
from cranfield.options import seed_of
from cranfield.options.arguments import PresentStore, ReadStore, check_arguments
from cranfield.options.stores import Folds, SeedOfFolds, SetName, SplitSet, TopicIds
from cranfield.results import CallContext, Display, Result, ResultInLines
from cranfield.text import counted, format_moment, natural_sort_key

if TYPE_CHECKING:
    from cranfield.store.topic_sets import TopicSet


@check_arguments
def save_set(store: PresentStore, name: SetName, qids: TopicIds) -> ResultInLines:
    """Name a set of topics, to select it by this name.

    Changing a set makes a new version. NAME@1 is the first version.

    Example: cranfield topics set track.db dev dev.txt

    Example: cranfield topics set track.db hard hard.txt

    Parameters
    ----------
    store : path or Store
        The store.
    name : str
        Name of the topic set.
    qids : path or iterable of str
        A file with one topic id per line, a topic file, or the ids.

    Returns
    -------
    ResultInLines
        One row: set, version, topics and members.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> save_set(store, "dev", ["q"])
    dev, version 1: 1 topic
    >>> store.close()
    """
    from cranfield.store.topic_sets import read_qid_list, store_topic_set

    with open_store_call(store) as call:
        if isinstance(qids, str | PathLike):
            with file_named_in_errors(file := Path(qids)):
                new = store_topic_set(call.store, name, read_qid_list(file), {"file": file.name})
        else:
            new = store_topic_set(call.store, name, qids)
        return _topic_sets_result([new], call.context("topics.save_set"))


@check_arguments
def split_into_folds(
    store: PresentStore, name: SetName, *, folds: Folds, rng: SeedOfFolds = None, of: SplitSet = ""
) -> ResultInLines:
    """Split the topics at random into folds NAME-1, NAME-2, ...

    Example: cranfield topics split track.db fold --folds 5 --seed 1

    Example: cranfield topics split track.db half --folds 2 --of dev

    Parameters
    ----------
    store : path or Store
        The store.
    name : str
        Name of the folds: NAME-1, NAME-2, ...
    folds : int
        Number of folds.
    rng : int or numpy.random.Generator, optional
        Random seed, or a generator that draws the seed; 0 by default. The same seed gives the same folds.
    of : str
        Topic set to split; all topics by default.

    Returns
    -------
    ResultInLines
        One row per fold, with the columns set, version, topics and members.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> store = cranfield.Store.memory("small")
    >>> store.add_topics([Topic(f"q{number}", "flutter") for number in range(6)])
    6
    >>> folds = split_into_folds(store, "fold", folds=2, rng=1).frame
    >>> folds["set"].tolist(), folds["topics"].tolist()
    (['fold-1', 'fold-2'], [3, 3])
    >>> store.close()
    """
    from cranfield.store.topic_sets import split_topics

    with open_store_call(store) as call:
        return _topic_sets_result(
            split_topics(call.store, name, folds, seed_of(rng, min_seed=0), of), call.context("topics.split_into_folds")
        )


def _topic_sets_result(sets: Sequence[TopicSet], context: CallContext) -> ResultInLines:
    rows = [
        {
            "set": one.name,
            "version": one.version,
            "topics": len(one.topics),
            "members": sorted(one.topics, key=natural_sort_key),
        }
        for one in sets
    ]
    lines = [f"{one.name}, version {one.version}: {counted(len(one.topics), 'topic')}" for one in sets]
    return ResultInLines(rows, lines=lines, context=context)


class TopicSets(Result):
    """All versions of a store's topic sets."""

    columns: ClassVar[tuple[str, ...]] = ("set", "version", "topics", "made", "from", "members")
    display: ClassVar[Display] = Display(digits={"made": format_moment}, spare=("members",))


@check_arguments
def list_sets(store: ReadStore) -> Result:
    """List a store's topic sets, with every version.

    JSON: [{"set", "version", "topics", "made", "from", "members"}].

    Example: cranfield topics list track.db

    Example: cranfield topics list track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    TopicSets
        One row per version, with the columns set, version, topics, made, from
        and members.

    Examples
    --------
    >>> from cranfield.formats import Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "a title")]), save_set(store, "dev", ["q1"])
    ...     list_sets(store).frame[["set", "members"]].values.tolist()
    [['dev', 'q1']]
    """
    from cranfield.store.topic_sets import set_rows

    with open_store_call(store, function="list_sets") as call:
        if other := call.instead("topics list"):
            return Result(other(call.store), context=call.context("topics.list_sets"))
        return TopicSets(set_rows(call.store), context=call.context("topics.list_sets"))
