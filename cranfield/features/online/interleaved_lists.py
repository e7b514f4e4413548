"""Interleaved lists of stored runs, which a service shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.commands.calls import open_store_call
from cranfield.features.online.options import INTERLEAVING
from cranfield.options import Argument, Option, Rng, Written, seed_of, seed_option
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.results import ResultInLines
from cranfield.text import counted

InterleavedRuns = Annotated[
    Sequence[str],
    Argument("Two or more runs; the first is team a.", metavar="RUN...", complete="run", typed=list[str]),
]
ListsFile = Annotated[
    str | PathLike[str],
    Option("The new JSONL file of lists.", "-o", "--output", metavar="FILE", typed=Path),
    Written(),
]
InterleavingMethodName = Annotated[
    str, Option("Interleaving method; `online interleave methods` lists them.", metavar="METHOD"), INTERLEAVING
]
DepthOfLists = Annotated[int, Option("Number of documents in a list, at most 12 for optimized.", min=1, metavar="K")]
ListsPerTopic = Annotated[int, Option("Number of lists per topic.", min=1, metavar="N")]
SeedOfLists = Annotated[Rng, seed_option("Random seed; the same seed gives the same lists.", min=0)]
NewExperiment = Annotated[
    str | None,
    Option(
        "Name of the experiment. By default, it consists of the method and the runs' tags.",
        metavar="NAME",
        complete="experiment",
    ),
]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class InterleavedLists(ResultInLines):
    """Counts of the written lists and topics: one row.

    Parameters
    ----------
    output : Path
        The file of the lists.
    """

    output: Path


@check_arguments
def interleave_runs(
    store: PresentStore,
    runs: InterleavedRuns,
    *,
    output: ListsFile,
    method: InterleavingMethodName = "team-draft",
    depth: DepthOfLists = 10,
    lists: ListsPerTopic = 1000,
    rng: SeedOfLists = None,
    experiment: NewExperiment = None,
) -> InterleavedLists:
    """Write interleaved lists of stored runs, for a service to show.

    Use it when your service shows stored rankings. For each impression, the service takes a random line of the topic
    and shows its documents. It then adds id, at, user and actions to the line, and logs it. The id can begin with the
    token.

    The store records the experiment, so `import log` and `online preference` find its runs and its method. If your
    service makes its own rankings, call `cranfield.online.interleave` instead.

    Example: cranfield online interleave lists track.db bm25 dense -o lists.jsonl

    Example: cranfield online interleave lists track.db bm25 dense -o lists.jsonl --lists 10 --seed 1

    Parameters
    ----------
    store : path or Store
        The store.
    runs : sequence of str
        Two or more runs; the first is team a.
    output : path
        The new JSONL file of lists.
    method : str
        Interleaving method from `list_interleaving_methods`.
    depth : int
        Number of documents in a list, at most 12 for "optimized".
    lists : int
        Number of lists per topic.
    rng : int or numpy.random.Generator, optional
        Random seed of the lists, or a generator that draws the seed; 0 by default.
    experiment : str, optional
        Name of the experiment; by default the method and the tags of the runs.

    Returns
    -------
    InterleavedLists
        One row: experiment, lists and topics.

    Raises
    ------
    InputError
        If a run is unknown or named twice, or the experiment exists with another method.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("no runs yet") as store:
    ...     interleave_runs(store, ["a", "b"], output="lists.jsonl")
    Traceback (most recent call last):
    cranfield.errors.StoreError: no run 'a' in this store; there are none
    """
    from cranfield.features.online.analysis.interleaving import (
        ListsRequest,
        check_wanted,
        recorded_lists,
        stored_rankings,
    )
    from cranfield.features.online.formats.own import write_lists
    from cranfield.parallel import progress_bar

    tags = list(runs)
    request = ListsRequest(tags, method, depth, seed_of(rng, min_seed=0), lists)
    name, path = experiment or f"{method}: {', '.join(tags)}", Path(output)
    with open_store_call(store) as call:
        n_topics = len(stored_rankings(call.store, tags))
        check_wanted(call.store, request, name)
        with progress_bar("lists", n_topics * lists) as advance:
            write_lists(path, recorded_lists(call.store, request, name, advance))
        if not n_topics:
            call.note("no topic has results in all these runs, so no lists were written")
        row = {"experiment": name, "lists": n_topics * lists, "topics": n_topics}
        line = f"{counted(n_topics * lists, 'list')} of {counted(n_topics, 'topic')}; experiment {name!r}"
        return InterleavedLists([row], lines=[line], context=call.context("online.interleave_runs"), output=path)
