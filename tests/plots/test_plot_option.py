"""--plot of the commands: each draws what it prints, and a wrong use is refused before anything is computed."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from tests.conftest import Cranfield

TITLES = {  # what is drawn of the bundled collection
    ("evaluate", "-m", "AP", "-m", "P@5"): "2 measures over 25 topics, 14 runs, sorted by AP",
    ("compare", "-m", "AP", "--baseline", "bm25"): "Each run minus bm25, sorted by AP",
    ("compare", "-m", "AP"): "Row minus column: 14 runs, sorted by their mean AP",
    ("curve",): "Interpolated precision at recall points, mean over topics",
    ("curve", "--run", "bm25", "--run", "lsa"): "Interpolated precision at recall points, mean over topics",
    ("correlate",): "Two rankings of the same systems",
    ("reusability", "--by", "team", "-m", "AP"): "Ranks with and without the team's own contribution to the pool",
    ("depths",): "Pool depth 10, 25 topics: what shallower pools cost, and what a left-out run loses",
    ("stability",): "How stable is the ranking of systems? 14 runs, 25 topics",
    ("pool", "forecast"): "How complete is the pool? 14 runs of 3 teams to depth 10",
}


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that commands save, which are not rendered."""
    figures: list[Figure] = []
    monkeypatch.setattr("cranfield.plots.style.save", lambda figure, path: figures.append(figure))
    return figures


@pytest.mark.parametrize("command", TITLES, ids=" ".join)
def test_what_is_drawn(workshop: Path, cranfield: Cranfield, saved: list[Figure], command: tuple[str, ...]) -> None:
    words = 2 if command[0] == "pool" else 1
    done = cranfield(*command[:words], workshop, *command[words:], "--plot", "figure.svg")
    assert (done.code, len(saved)) == (0, 1), done.err
    assert " ".join(str(saved[0].get_suptitle()).split()) == TITLES[command]


WRONG = {
    ("evaluate", "--plot", "a.gif"): "a.gif: a figure is written as .png, .svg or .pdf",
    ("evaluate", "--plot", "nowhere/a.svg"): "nowhere: no such folder",
    ("curve", "--run", "bm25"): "chooses what --plot draws; give that as well",
    ("compare", "--plan", "0.1", "--plot", "a.svg"): "draws differences of runs, not with --plan",
}


@pytest.mark.parametrize("command", WRONG, ids=" ".join)
def test_wrong_use_is_refused(workshop: Path, cranfield: Cranfield, command: tuple[str, ...]) -> None:
    done = cranfield(command[0], workshop, *command[1:])
    assert (done.code, done.out) == (2, "")
    assert WRONG[command] in " ".join(done.err.split())


def test_an_unknown_run_is_refused_before_the_table(workshop: Path, cranfield: Cranfield, saved: list[Figure]) -> None:
    done = cranfield("curve", workshop, "--run", "nobody", "--plot", "a.svg")
    assert (done.code, done.out, saved) == (1, "", [])
    assert "no run 'nobody' here; available: bm25plus, " in done.err
