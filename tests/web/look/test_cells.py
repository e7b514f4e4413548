"""Tables of views on pages: few decimals, percentages and times in words; JSON and CSV have exact values."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from cranfield.report.blocks import Cell, TableBlock, Text, as_cell
from cranfield.store.chain import Event
from cranfield.store.invitations import invite, parse_time_span
from cranfield.store.log import append
from cranfield.store.store import Store
from cranfield.web.look.table import VIEWS
from cranfield.web.look.view import parse_view_query
from tests.web.test_on_a_phone import judged_store, pooled

PROGRESS = ("work", "pace", "people", "agreement", "repeats", "drift", "unusual")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two people with labels of uneven times, who disagree on a third of them; and their links."""
    path = tmp_path_factory.mktemp("cells") / "s.db"
    judged_store(path)
    with Store.open(path) as store:
        for number, docno in enumerate(pooled(store)):
            append(store, Event("label", "q1", docno, "ada", number % 2, seconds=7.123 + number, position=number))
        for number, docno in enumerate(pooled(store)[:3]):
            append(store, Event("label", "q1", docno, "bo", number // 2, seconds=0.1, position=number))
        invite(store, "ada")
        invite(store, "bo", parse_time_span("2w"))
        yield store


def cells_of(store: Store, name: str) -> list[dict[str, Cell]]:
    """The rows of the tables of a view's page."""
    view = VIEWS[name]
    blocks = view.blocks(store, parse_view_query(store, name, view.parameters, []))
    rows: list[Any] = [row for one in blocks if isinstance(one, TableBlock) for row in one.rows]
    return [{column: as_cell(value) for column, value in row.items()} for row in rows]


@pytest.mark.parametrize("name", PROGRESS)
def test_a_page_has_few_decimals(store: Store, name: str) -> None:
    """At most two, and no second has any."""
    texts = [text for row in cells_of(store, name) for cell in row.values() for text in (cell.text, cell.below)]
    assert [text for text in texts if re.search(r"\d\.\d{3}|\.\d+ s\b", text)] == []


@pytest.mark.parametrize(("name", "column"), [("agreement", "same grade"), ("drift", "relevant")])
def test_shares_are_percentages_and_downloads_are_exact(store: Store, name: str, column: str) -> None:
    """JSON and CSV have the number that a page rounds."""
    view = VIEWS[name]
    exact = [row[column] for row in view.rows(store, parse_view_query(store, name, view.parameters, []))]
    shown = [row[column] for row in cells_of(store, name)]
    assert exact
    assert [(cell.text, cell.value) for cell in shown] == [(f"{share:.0%}", share) for share in exact]


def test_times_are_distances_with_the_full_time(store: Store) -> None:
    """When somebody began a topic, and when a link was made and ends."""
    assert VIEWS["links"].rows(store, parse_view_query(store, "links", (), []))[0]["expires"] == "never"
    rows = cells_of(store, "links")
    assert [row["expires"].text for row in rows] == ["never", "in 14 days"]
    begun = [row["since"] for row in cells_of(store, "assigned") if row["since"].text]
    assert begun
    for cell in (*begun, *(row["invited"] for row in rows)):
        assert cell.text == "a few minutes ago"
        assert cell.title.endswith(" UTC")


def test_a_missing_interval_is_said_in_its_place(store: Store) -> None:
    """Under the coefficient, not under the number of documents; a sentence gives the reason."""
    view = VIEWS["pairs"]
    blocks = view.blocks(store, parse_view_query(store, "pairs", view.parameters, []))
    [table] = [one for one in blocks if isinstance(one, TableBlock) and one.key == "pairs"]
    for row in table.rows:
        coefficients = [cell for cell in row.values() if isinstance(cell, Cell) and cell.value is not None]
        assert isinstance(row["documents"], int)
        assert {cell.below for cell in coefficients} == {"no interval"}
    assert [one.text for one in blocks if isinstance(one, Text) and one.text.startswith("No interval")] != []
