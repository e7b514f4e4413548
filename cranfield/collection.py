"""A collection: a store, files or objects, of which a part can be selected."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cranfield.arrays import WhichTopics, topic_set_of
from cranfield.errors import InputError
from cranfield.options.arguments import check_arguments
from cranfield.selection import EVERYTHING, Labellers, Selection
from cranfield.source import describe_given, refuse_store_labellers
from cranfield.view import (
    QrelsGiven,
    RunsGiven,
    Unselected,
    View,
    parse_labelled_by,
    refuse_collections,
)

if TYPE_CHECKING:
    from cranfield.store.store import Store


class OpenCollection(Unselected):
    """A store, or judgments and runs in any form. `open_collection` makes one.

    >>> OpenCollection({"q": {"d1": 1}}, {"a": {"q": {"d1": 2.0}}}).select().runs.tags
    ('a',)
    """

    def __init__(self, qrels: QrelsGiven, runs: RunsGiven | None = None) -> None:
        if isinstance(qrels, View) or isinstance(runs, View):
            raise InputError("found a View; expected a store, files or objects; select from the view's collection")
        refuse_collections(qrels, runs)
        self._qrels, self._runs = list_if_iterator(qrels), list_if_iterator(runs)
        View(self._qrels, self._runs)  # refuses what is no collection

    @check_arguments
    def select(
        self,
        selection: Selection | None = None,
        *,
        release: str = "",
        round: str | None = None,
        judged: Literal["residual", "own", "cumulative"] | None = None,
        topics: str = "",
        assessor: str | None = None,
        labels: Literal["people", "models", "all"] = "all",
        policy: str | None = None,
        ignore_own_id: bool = False,
        pool: int | None = None,
        remove_judged: str | PathLike[str] | None = None,
    ) -> View:
        """Select the part that an analysis reads.

        Parameters
        ----------
        selection : Selection, optional
            The whole selection as one value. It takes the place of the keywords.
        release : str, default ""
            Name of a release of a store; by default its present state.
        round : str, optional
            Name of a round of a store: its runs, topics and judgments.
        judged : {"residual", "own", "cumulative"}, optional
            Which judgments count in that round.
        topics : str, default ""
            Name of a topic set of a store, or the file of a list; by default, and with "all", all topics.
        assessor : str, optional
            The assessor whose labels count; by default everybody.
        labels : {"people", "models", "all"}, default "all"
            Kind of assessors whose labels count.
        policy : str, optional
            How one label is chosen where assessors differ; by default the store's recorded choice.
        ignore_own_id : bool, default False
            Whether documents with the topic's id leave runs and judgments.
        pool : int, optional
            Number of the stored pool; the newest by default.
        remove_judged : path, optional
            Qrels file with earlier judgments, whose documents leave runs and judgments of files.

        Returns
        -------
        View
            Runs, judgments and the pool, read when they are first needed.

        Raises
        ------
        InputError
            If a value is invalid, or `selection` and a keyword are given.
        StoreError
            If the store has no such release, round, topic set, assessor or pool.

        Notes
        -----
        The names are looked up in the store at once; runs, judgments and files are read when they are needed.

        Examples
        --------
        >>> collection = OpenCollection({"q": {"d1": 1}}, {"a": {"q": {"d1": 2.0}}})
        >>> collection.select(labels="robots")
        Traceback (most recent call last):
        ...
        cranfield.errors.InputError: labels is 'robots'; expected people, models or all
        """
        if topics == WhichTopics.common:
            raise InputError(
                "topics is 'common'; expected a topic set; pass topics='common' to the calls with the view instead"
            )
        topics = topic_set_of(topics)
        keywords = Selection(
            release=release, round=round, judged=judged, topics=topics, pool=pool, remove_judged=remove_judged,
            labellers=Labellers(assessor, parse_labelled_by(labels), policy, ignore_own_id),
        )  # fmt: skip
        if judged is not None and round is None:
            raise InputError(f"judged={judged!r} needs a round; name it with round=NAME")
        if selection is not None and keywords != EVERYTHING:
            raise InputError("found a Selection and keywords; expected one of them")
        if not isinstance(selection, Selection | None):
            raise InputError(f"selection is {selection!r:.60}; expected a Selection")
        view = View(self._qrels, self._runs, selection or keywords)
        _check_names(view)
        return view

    def __repr__(self) -> str:
        return f"<OpenCollection of {describe_given(self._qrels, self._runs)}>"


def _check_names(view: View) -> None:
    """Raise an error for what the store does not have, or what needs a store. It reads no runs and no judgments."""
    selection = view.selection
    if selection == EVERYTHING:
        return
    if view.judged_in is not None:
        view.read_from_judgment_store(partial(_check_names_in, selection=selection), None)
        return
    if not selection.labellers.are_everybody:
        refuse_store_labellers(selection.labellers)
    if selection.round is not None or selection.judged is not None:
        raise InputError("round and judged need a store; with files, remove earlier judgments with remove_judged=QRELS")
    if selection.pool is not None:
        raise InputError(f"pool is {selection.pool}, but only a store contains pools")
    if selection.topics and not Path(selection.topics).exists():
        raise InputError("no such file; only a store contains named topic sets", selection.topics)
    if selection.remove_judged is not None and not Path(selection.remove_judged).exists():
        raise InputError("no such file", selection.remove_judged)


def _check_names_in(store: Store, selection: Selection) -> None:
    from cranfield.judging.labels.policies import find_policy
    from cranfield.store.pools import pool_record
    from cranfield.store.qrels import check_assessor
    from cranfield.store.rounds import round_named
    from cranfield.store.topic_sets import chosen_topics

    if selection.round is not None:
        round_named(store, selection.round)
    if selection.topics:
        chosen_topics(store, selection.topics)
    if selection.pool is not None:
        pool_record(store, selection.pool)
    check_assessor(store, selection.labellers)
    if selection.labellers.policy is not None:
        find_policy(selection.labellers.policy)


def list_if_iterator(given: Any) -> Any:
    """The rows of an iterator, which each selection reads again; anything else as it is."""
    return list(given) if isinstance(given, Iterator) else given


@check_arguments
def open_collection(qrels: QrelsGiven, runs: RunsGiven | None = None) -> OpenCollection:
    """Open a store, or judgments with runs, as a collection.

    Parameters
    ----------
    qrels : path, Store, DataFrame, dict or Qrels
        An open store, the path of a store, or judgments in any form.
    runs : path, list of paths, DataFrame, dict or Runs, optional
        The runs in any form (not with a store).

    Returns
    -------
    OpenCollection
        The method `select` of the collection returns a View. `evaluate`, `compare`, `reusability` and the other
        analyses accept a View instead of qrels and runs.

    Raises
    ------
    InputError
        If a path is missing, or judgments have no runs.

    Examples
    --------
    >>> import cranfield
    >>> qrels, runs = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"a": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}}
    >>> view = cranfield.open_collection(qrels, runs).select()
    >>> cranfield.evaluate(view, measures="AP").frame["value"].tolist()
    [0.5]
    """
    return OpenCollection(qrels, runs)
