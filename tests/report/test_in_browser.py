"""The page in a browser: accessible, narrow, printed, with script and without, and no request but for itself."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cranfield import report
from cranfield.charts.palette import theme_css
from cranfield.charts.svg.markup import plain_text
from cranfield.features.online.measures import ONLINE_MEASURES
from cranfield.features.online.report import measure_blocks
from cranfield.metrics.evaluate import evaluate
from cranfield.report.blocks import TableBlock, table
from tests.browser import InBrowser, axe_finds, fits_a_phone
from tests.conftest import usually
from tests.report.conftest import EVIL, SYSTEMS, TOPICS
from tests.views import view_of

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("report")]

FILES = Path(report.__file__).parent
SCHEMES = ("light", "dark")
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def address(folder: Path) -> str:
    """Where the page is."""
    return (folder / "x.html").as_uri()


def open_page(browser: Any, address: str, requests: list[str] | None = None, **options: Any) -> Any:
    """The page in a context of its own, which fails on an error of its script; `requests` gets what it asks for."""
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(60_000)
    if requests is not None:
        page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(address)
    return page


def test_axe_finds_nothing(in_browser: InBrowser, address: str) -> None:
    """No violation, wide and narrow, light and dark, and no page that is wider than the screen.

    Two rows of each table and two topics of the map are enough: the others are like them, and contrast takes axe long.
    """
    fewer = "tbody tr:nth-child(n + 3), .heatmap tr > :nth-child(n + 5), .all-ranks tr > :nth-child(n + 4)"

    def visit(browser: Any) -> None:
        page = open_page(browser, address)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        for viewport in (WIDE, NARROW):
            page.set_viewport_size(viewport)
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        page.evaluate("(fewer) => document.querySelectorAll(fewer).forEach((one) => one.remove())", fewer)
        for viewport, scheme in usually([(WIDE, "light"), (NARROW, "dark")], [*product((WIDE, NARROW), SCHEMES)]):
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme)
            problems = axe_finds(page)
            assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in problems] == []

    in_browser(visit)


def test_it_fits_a_phone(in_browser: InBrowser, address: str) -> None:
    """No text is small, every control can be reached; what the numbers mean is not beside the screen; tables fade."""

    def visit(browser: Any) -> None:
        page = open_page(browser, address, viewport=NARROW)
        fits_a_phone(page)
        assert page.locator("#verdict").evaluate("(table) => table.scrollWidth <= innerWidth")
        row = page.locator("#verdict tbody tr").first
        assert row.locator("td").last.evaluate("(cell) => getComputedStyle(cell, '::before').content") == (
            '"how to read it"'
        )
        box = page.locator(".scroll:has(#units)")
        box.evaluate("(box) => { box.scrollLeft = 0 }")
        page.wait_for_function("document.querySelector('.scroll:has(#units)').classList.contains('clipped')")
        assert "gradient" in box.evaluate("(box) => getComputedStyle(box).maskImage")
        box.evaluate("(box) => { box.scrollLeft = box.scrollWidth }")
        page.wait_for_function("!document.querySelector('.scroll:has(#units)').classList.contains('clipped')")
        page.set_viewport_size(WIDE)
        page.wait_for_function("!document.querySelector('.clipped:not(details *)')")

    in_browser(visit)


def test_a_chart_says_its_values(in_browser: InBrowser, address: str, folder: Path) -> None:
    """At the pointer and by the arrows: the mean of each run as `evaluate` has it."""
    table = evaluate(view_of([folder / "x.db"]).judged, measures="AP")
    means = table.set_index("run")["value"].sort_values(ascending=False, kind="stable")

    def visit(browser: Any) -> None:
        page = open_page(browser, address, viewport=WIDE)
        chart, tip = page.locator("#figure-runs svg"), page.get_by_role("status")
        chart.focus()
        for run, mean in means.items():
            page.keyboard.press("ArrowDown")
            assert tip.inner_text().startswith(f"{plain_text(str(run))}: {mean:.4f} (")
        page.keyboard.press("Escape")
        assert tip.count() == 0
        chart.locator(".point .mark").nth(1).hover()
        assert tip.inner_text().startswith(f"{plain_text(str(means.index[1]))}: ")
        page.mouse.move(5, 5)
        assert tip.count() == 0

    in_browser(visit)


def test_the_table_of_a_log_fits_a_phone(in_browser: InBrowser) -> None:
    """No column is cut and no measure's name is broken; a name that is wider than half of the screen is."""
    rows = [
        {"experiment": "", "measure": measure, "arm": arm, "value": 0.5, "low": 0.4, "high": 0.6, "lists": 10_000}
        | {"users": 9_000}
        for measure in ONLINE_MEASURES
        for arm in "AB"
    ]
    [own] = [block for block in measure_blocks(rows, "arm") if isinstance(block, TableBlock)]
    long = TableBlock("long", "Documents", [{"document": "x" * 60, "lists": 1}])
    style = theme_css() + "".join((FILES / name).read_text() for name in ("page.css", "components.css"))
    lines = (
        "[...document.querySelectorAll('#online-measures tbody th')].filter((head) => { const range = new Range();"
        " range.selectNodeContents(head); return range.getClientRects().length > 1 }).map((head) => head.textContent)"
    )

    def visit(browser: Any) -> None:
        page = browser.new_context(viewport=NARROW).new_page()
        page.set_content(f"<style>{style}</style>{table(own)}{table(long)}")
        assert page.evaluate(lines) == []
        for name, width in (("online-measures", 390), ("long", 390)):
            box = f"document.getElementById('{name}')"
            assert page.evaluate(f"{box}.scrollWidth <= {box}.parentElement.clientWidth")
            assert page.evaluate(f"{box}.scrollWidth") <= width
        page.context.close()

    in_browser(visit)


def test_without_script_the_tables_are_there(in_browser: InBrowser, address: str) -> None:
    """Every table is shown whole, no control is."""

    def visit(browser: Any) -> None:
        page = open_page(browser, address, java_script_enabled=False)
        tables = page.locator("table")
        assert tables.count() >= 12
        assert all(tables.nth(at).is_visible() for at in range(tables.count()))
        assert page.locator("table.heatmap tbody tr").count() == SYSTEMS
        assert page.locator("table.all-ranks tbody td").count() == SYSTEMS * TOPICS
        assert page.locator(".controls, button, details").count() == 0

    in_browser(visit)


def test_heads_repeat_in_print_and_no_row_is_hidden(in_browser: InBrowser, address: str) -> None:
    """As the browser prints it: light, no controls, heads that repeat, rows that are not cut."""

    def visit(browser: Any) -> None:
        page = open_page(browser, address, color_scheme="dark")
        page.emulate_media(media="print", color_scheme="dark")
        style = "(selector, name) => getComputedStyle(document.querySelector(selector))[name]"

        def of(selector: str, name: str) -> str:
            return str(page.evaluate(f"([selector, name]) => ({style})(selector, name)", [selector, name]))

        assert of("#units thead", "display") == "table-header-group"
        assert of("#units thead button", "display") == "contents"
        assert of("#units tbody tr", "breakInside") == "avoid"
        assert of(".scroll", "overflowX") == "visible"
        assert of("nav", "display") == "none"
        assert of("body", "backgroundColor") == "rgb(255, 255, 255)"
        script = "document.querySelectorAll('tbody tr').length - [...document.querySelectorAll('tbody tr')]"
        assert page.evaluate(f"{script}.filter((row) => row.closest('details') || row.offsetHeight).length") == 0

    in_browser(visit)


def test_filter_sort_and_compare(in_browser: InBrowser, address: str, folder: Path) -> None:
    """What the script shows is what `evaluate` says; of all that, the page alone is loaded."""
    requests: list[str] = []
    table = evaluate(view_of([folder / "x.db"]).judged, measures="AP", per_topic=True)
    scores = table.pivot(index="query_id", columns="run", values="value")

    def visit(browser: Any) -> None:
        page = open_page(browser, address, requests, viewport=WIDE)
        heat = page.locator("table.heatmap")
        rows = heat.locator("tbody tr:visible")
        page.get_by_label("Filter runs").first.fill("alert(")
        assert [row.get_attribute("data-name") for row in rows.all()] == [EVIL]
        page.get_by_label("Filter runs").first.fill("")
        assert rows.count() == SYSTEMS

        page.get_by_label("Sort runs by").first.select_option("3")
        names = [row.get_attribute("data-name") for row in rows.all()]
        on_topic = table[table["query_id"] == "q3"].set_index("run")["value"].to_dict()
        assert names == [plain_text(run) for run in sorted(on_topic, key=lambda run: -on_topic[run])]

        page.get_by_label("Sort topics by").select_option("hard")
        order = scores.mean(axis=1).sort_values(kind="stable").index.tolist()
        assert heat.locator("th.topic").all_inner_texts()[0] == order[0]
        heads = heat.locator("th.topic a").all_inner_texts()
        row = heat.locator("tbody tr[data-name=plain]")
        cells = row.locator("td[class^=h]").all_inner_texts()
        assert cells == [f"{score:.2f}"[1:] for score in scores.loc[heads, "plain"]]

        compare = page.locator("#comparison")
        page.get_by_label("First run").select_option("other")
        page.get_by_label("Second run").select_option("plain")
        difference = (scores["other"] - scores["plain"]).sort_values(ascending=False, kind="stable")
        rows_of_pair = compare.locator("tbody tr")
        assert [float(text) for text in compare.locator("[data-kind=difference]").all_inner_texts()] == [
            round(value, 4) for value in difference
        ]
        first = rows_of_pair.first.locator("th a").inner_text()
        assert first == difference.index[0]
        assert rows_of_pair.first.locator("[data-kind=first]").inner_text() == f"{scores.loc[first, 'other']:.4f}"
        summary = page.locator("[data-summary=comparison]").inner_text()
        assert f"other is better on {(difference > 0).sum()} topic" in summary
        assert f"mean difference {difference.mean():+.4f}" in summary

        page.get_by_label("Highlight run").select_option("other")
        of_topic = page.locator("#topics-table tbody tr").first
        qid = of_topic.locator("th").inner_text().split()[0]
        assert of_topic.locator("[data-kind=score]").inner_text() == f"{scores.loc[qid, 'other']:.4f}"

        page.get_by_role("combobox", name="Topic", exact=True).select_option("5")
        text = page.locator("table.all-ranks tbody tr[data-name=plain] td").nth(5).text_content()
        grid = page.locator("table.ranks tbody tr[data-name=plain] td").all_inner_texts()
        assert " ".join(grid) == text

        heading = page.locator("#scores-table thead button").nth(2)
        heading.click()
        heading.click()
        values = [float(cell) for cell in page.locator("#scores-table tbody td:nth-child(3)").evaluate_all(
            "cells => cells.map((cell) => cell.dataset.value)")]  # fmt: skip
        assert values == sorted(values)

    in_browser(visit)
    assert requests == [address]
