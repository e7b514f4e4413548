"""The pages of a task in a real browser: axe finds nothing, no text is small, nothing too wide, no script needed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.features.tasks.archive import write_results
from cranfield.features.tasks.scoring import results_of
from cranfield.features.tasks.store import describe, task_dates, task_of
from cranfield.features.tasks.submissions import submissions, take_runs
from cranfield.metrics.inputs import as_qrels
from cranfield.store.qrels import import_qrels
from tests.browser import PHONE, InBrowser, axe_finds, misfits
from tests.conftest import usually
from tests.features.tasks.track import DOCNOS, HOSTILE, TOKENS, Track, description, run_lines, serve

pytestmark = pytest.mark.daily

SCREENS = usually([(390, "dark")], [(w, s) for w in (1280, 390) for s in ("light", "dark")])
PAGES = ("/team", "/team/submit", "/team/runs/run0", "/leaderboard", "/organise/task")
LOOKED_AT = usually(PAGES[1:4], PAGES)  # with axe-core, which takes a second a page


@pytest.fixture
def serving() -> Iterator[tuple[Track, str]]:
    """A track that takes runs, on a real connection."""
    track = Track()
    with serve(track) as base:
        yield track, base
    track.close()


def test_the_pages_are_accessible(in_browser: InBrowser, serving: tuple[Track, str], tmp_path: Path) -> None:
    """A team submits without script, is refused with its errors, and reads its results; at both widths and themes."""
    (track, base), wrong = serving, list[Any]()
    good, bad = write(tmp_path / "a.run", run_lines("run0")), write(tmp_path / "b.run", run_lines("bad") * 2)

    def look(page: Any, name: str, closely: bool = True) -> None:
        wrong.extend((name, one["id"]) for one in (axe_finds(page) if closely else []))
        if page.viewport_size["width"] == PHONE["width"]:
            wrong.extend((name, text) for text in misfits(page))
        elif page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append((name, "too wide"))

    def submit(browser: Any) -> None:
        page = browser.new_context(java_script_enabled=False).new_page()
        page.goto(f"{base}/team/enter/{track.tokens['cuni']}")
        page.wait_for_url(f"{base}/team")
        for tag, file, message in (("bad", bad, "each document once"), ("run0", good, "The run was accepted")):
            page.goto(f"{base}/team/submit")
            page.get_by_label("Run file").set_input_files(file)
            page.get_by_label("Tag (the same as in the file)").fill(tag)
            page.get_by_label("Description").fill(HOSTILE)
            page.get_by_role("button", name="Check and submit").click()
            page.get_by_text(message).first.wait_for()
        page.context.close()

    def visit(browser: Any) -> None:
        for width, scheme in SCREENS:
            context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
            page = context.new_page()
            page.on("dialog", lambda dialog: wrong.append(dialog.message))
            page.goto(f"{base}/team/enter/{track.tokens['cuni']}")
            page.wait_for_url(f"{base}/team")
            page.goto(f"{base}/enter/{track.app.access.start_token}")
            page.wait_for_url(f"{base}/")
            for name in PAGES:
                page.goto(f"{base}{name}")
                look(page, name, name in LOOKED_AT)
            track.phase("open")
            page.goto(f"{base}/team/submit")
            page.get_by_label("Run file").set_input_files(bad)
            page.get_by_label("Tag (the same as in the file)").fill("bad2")
            page.get_by_role("button", name="Check and submit").click()
            page.get_by_role("alert").wait_for()
            look(page, "errors")
            track.phase("results")
            for name in ("index", "run0"):
                page.goto((archive / f"{name}.html").as_uri())
                look(page, f"archive {name}")
            context.close()

    in_browser(submit)
    assert [one.tag for one in track.do(submissions)] == ["run0"]
    results_out(track)
    archive = tmp_path / "results"
    archive.mkdir()
    track.do(lambda store: write_results(results_of(store), task_of(store), task_dates(store), archive))
    in_browser(visit)
    assert wrong == []


def results_out(track: Track) -> None:
    """More runs of more teams, judged, and their results out."""
    for number, team in enumerate(TOKENS[1:], 1):
        track.upload(team, run_lines(f"run{number}", DOCNOS[number : number + 3]))
    track.upload("cuni", run_lines("second", DOCNOS[5:8]))
    track.phase("closed")
    track.do(take_runs)
    track.do(lambda store: import_qrels(store, as_qrels({qid: {"d1": 1, "d2": 0} for qid in "123"}), "nist"))
    track.do(lambda store: describe(store, description(names='"all"', leaderboard='"after"', runs="9")))
    track.phase("results")


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
