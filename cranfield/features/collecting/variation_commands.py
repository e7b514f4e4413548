"""`import variations`, `search --variations`, `evaluate --variations`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli.common_options import InputPaths, StorePath
from cranfield.cli.tables import say
from cranfield.errors import InputError
from cranfield.hooks import OptionError
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.arrays.judged import Unmet
    from cranfield.metrics.evaluate import RunScores
    from cranfield.metrics.measure import Measure
    from cranfield.options import EvaluateOptions
    from cranfield.source import Place, Source, Tell


class VariationSearch(NamedTuple):
    """What is searched for."""

    variations: Annotated[
        bool, typer.Option("--variations", help="Run the rankers for each variation of the topics' queries instead.")
    ] = False


class VariationOptions(NamedTuple):
    """Means over variations."""

    variations: Annotated[
        bool, typer.Option("--variations", help="Score systems by their means over the variations of each topic.")
    ] = False
    weighted: Annotated[
        bool, typer.Option("--weighted", help="With --variations: weight each by how many people phrased it so.")
    ] = False


def variations(
    path: StorePath,
    files: InputPaths,
    *,
    field: Annotated[
        list[str] | None,
        typer.Option("--field", metavar="OURS=THEIRS", help="Name of a column, as qid=topic; may be repeated."),
    ] = None,
) -> None:
    """Import variations of queries: lines qid, vid, query and, maybe, a count, separated by tabs.

    A header line is known by these names, or by those of --field. `cranfield search --variations` runs baselines for
    each; run files answer them as qid/vid. The runs of one system are a team: leave it out with --by team.

    Example: cranfield import variations track.db variations.tsv
    """
    from cranfield.features.collecting.variations import add_variations, read_variations
    from cranfield.formats.files import opened
    from cranfield.store.store import Store

    if wrong := [one for one in field or () if one.count("=") != 1]:
        raise typer.BadParameter(f"{wrong[0]!r}; expected OURS=THEIRS", param_hint="--field")
    names, added = dict(one.split("=") for one in field or ()), 0
    with Store.open(path) as store, store.writing():
        for file in files:
            with opened(file) as source:
                added += add_variations(store, read_variations(source, names), file)
    say(counted(added, "variation"))


def search_with_variations(
    options: VariationSearch,
    path: Path | None,
    systems: Sequence[str] | None,
    depth: int,
    *,
    extend: bool,
    tag: str | None,
) -> None:
    """What `search` does for variations."""
    from cranfield.features.collecting.variations import search_variations
    from cranfield.store.store import Store

    if path is None:
        raise OptionError("variations", "needs a store")
    if extend or tag is not None:
        raise OptionError("variations", "goes without --extend and --tag")
    with Store.open(path) as store:
        tags = search_variations(store, systems, depth)
    say(f"{counted(len(tags), 'run')}: {', '.join(tags[:10])}{', ...' if len(tags) > 10 else ''}")


def scores(
    own: VariationOptions, given: Sequence[Place] | Source, options: EvaluateOptions, *, tell: Tell
) -> tuple[RunScores, tuple[Measure, ...], Unmet]:
    """The scores of systems, means over variations."""
    from cranfield.analysis.evaluation import of_rankings
    from cranfield.features.collecting.variations import over_variations, spread_lines
    from cranfield.features.collecting.variations import variations as every
    from cranfield.source import is_store, open_source, opened

    if not own.variations:
        raise OptionError("weighted", "goes with --variations")
    if not isinstance(given, Sequence) or not is_store(given[0]):
        raise InputError("--variations needs a store, which has them")
    source = open_source(given, assessor=options.assessor, labels=options.whose, tell=tell)
    found, measures, unmet = of_rankings(source.blocks, options, source.min_relevant, tell)
    with opened(given[0]) as store:
        made = over_variations(found, source.about, every(store), weighted=own.weighted)
    if left := len(found.qids) - len(made.scores.qids):
        tell(f"{counted(left, 'topic')} without variations left out")
    for line in spread_lines(made, measures):
        tell(line)
    return made.scores, measures, unmet
