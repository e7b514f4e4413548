"""A collection: a store, files or objects, of which a part can be selected."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield.selection import EVERYTHING, Selection
from cranfield.view import View, labels_by

if TYPE_CHECKING:
    from cranfield.view import QrelsGiven, RunsGiven

NAMES = {one.name for one in fields(Selection)} - {"labellers"}
LABEL_NAMES = ("assessor", "labels", "policy", "ignore_own_id")


class OpenCollection:
    """A store, or judgments and runs in any form. `open_collection` makes one.

    >>> OpenCollection({"q": {"d1": 1}}, {"a": {"q": {"d1": 2.0}}}).select().runs.tags
    ('a',)
    """

    def __init__(self, qrels: QrelsGiven, runs: RunsGiven | None = None) -> None:
        self._qrels, self._runs = qrels, runs
        View(qrels, runs)  # refuses what is no collection

    def select(self, selection: Selection | None = None, **names: Any) -> View:
        """Select the part that an analysis reads.

        Parameters
        ----------
        selection : Selection, optional
            The whole selection as one value; everything by default.
        **names
            Fields of it by name: release, round, judged, topics, pool, remove_judged, labellers; or of the labellers:
            assessor, labels ("people", "models" or "all"), policy and ignore_own_id.

        Returns
        -------
        View
            Runs, judgments and the pool, read when they are first needed.

        Raises
        ------
        InputError
            If no field has such a name, or `labels` is none of its values.
        """
        unknown = [name for name in names if name not in {*NAMES, *LABEL_NAMES, "labellers"}]
        if unknown:
            expected = ", ".join(sorted({*NAMES, *LABEL_NAMES, "labellers"}))
            raise InputError(f"a selection has no {unknown[0]!r}; expected {expected}")
        selection = selection or EVERYTHING
        labellers = names.pop("labellers", selection.labellers)
        whose = {name: names.pop(name) for name in LABEL_NAMES if name in names}
        if "labels" in whose:
            whose["kind"] = labels_by(whose.pop("labels"))
        return View(self._qrels, self._runs, replace(selection, **names, labellers=labellers._replace(**whose)))

    def __repr__(self) -> str:
        return f"OpenCollection({self._qrels!r:.60})"


def open_collection(qrels: QrelsGiven, runs: RunsGiven | None = None) -> OpenCollection:
    """Open a collection: a store alone, or judgments and runs.

    Parameters
    ----------
    qrels : path, Store, DataFrame, dict or Qrels
        A store, open or by its path; or the judgments in any form.
    runs : path, list of paths, DataFrame, dict or Runs, optional
        The runs in any form; not with a store.

    Returns
    -------
    OpenCollection
        Its method `select` gives a View, which evaluate, compare, reusability and the other analyses take in place of
        qrels and runs.

    Raises
    ------
    InputError
        If a path is not there, or judgments come without runs.

    Examples
    --------
    >>> import cranfield
    >>> qrels, runs = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"a": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}}
    >>> view = cranfield.open_collection(qrels, runs).select()
    >>> cranfield.evaluate(view, measures="AP")["value"].tolist()
    [0.5]
    """
    return OpenCollection(qrels, runs)
