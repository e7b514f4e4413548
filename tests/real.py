"""The two real collections that many tests look at, read once in a process; nobody changes what is read here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cranfield.arrays.rankings import Runs
from cranfield.source import Source, open_source


@cache
def robust(shared: Path) -> Source:
    """Robust 2003: 17 runs, 100 topics."""
    folder = shared / "robust03"
    return open_source([folder / "qrels.robust03.txt.gz", *sorted((folder / "runs").iterdir())])


@cache
def covid(shared: Path) -> Source:
    """TREC-COVID, round 1: 143 runs, 30 topics, and what is known of the runs."""
    folder = shared / "treccovid-r1"
    return open_source([folder / "qrels-rnd1.txt.gz", *sorted((folder / "runs").iterdir())], folder / "teams.tsv")


@cache
def covid_pooled(shared: Path) -> Runs:
    """The 56 of them that were pooled, to depth 7."""
    source = covid(shared)
    return source.runs.select([tag for tag in source.runs.tags if source.about[tag].pooled])
