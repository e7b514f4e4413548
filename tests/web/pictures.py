"""`python -m tests.web.pictures FOLDER`: a picture of every page in three sizes and two themes, to be looked at.

With `--before OTHER`, the command compares the pictures with an earlier folder. It shows each changed picture next to
the earlier one and lists the changes, the largest first. `--only empty` takes the pages of one store. The command
needs Chromium and Playwright.
"""

import argparse
import io
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.store.invitations import invite
from tests.browser import ARGUMENTS, PROGRAM
from tests.features.tasks.test_in_browser import PAGES as OF_TASK
from tests.features.tasks.test_in_browser import results_out
from tests.features.tasks.track import Track, run_lines, serve
from tests.web.test_on_a_phone import (
    ALSO,
    ANSWERS,
    BEFORE,
    OF_ORGANISER,
    PEOPLE,
    answered_store,
    briefed_store,
    judged_store,
    served,
)
from tests.web.test_organiser_in_sight import empty_store

if TYPE_CHECKING:
    from PIL import Image

SIZES = {"desktop": (1280, 800), "phone": (390, 844), "landscape": (844, 390)}  # pixels, as CSS counts them
THEMES = ("light", "dark")
MAX_HEIGHT = 4000  # pixels of a long page
SAME = 0.001  # largest share of changed pixels in equal pictures; a time on the page changes that many


class ServedStore(NamedTuple):
    """A store to serve, the roles whose links are opened, and the pages of the organiser to visit."""

    write: Callable[[Path], None]
    roles: Sequence[str] = ()
    organiser: Sequence[str] = ()


STORES = {
    "empty": ServedStore(empty_store, (), OF_ORGANISER),
    "judged": ServedStore(judged_store, PEOPLE, OF_ORGANISER),
    "briefed": ServedStore(briefed_store, BEFORE),
    "answered": ServedStore(answered_store, ANSWERS, [one for one in OF_ORGANISER if "answer" in one or one == "/"]),
}
TASK = "task"


def file_stem(address: str) -> str:
    """The name of a page's pictures.

    >>> file_stem("/look/why?topic=q1&docno=d01"), file_stem("/"), file_stem("/look/runs?")
    ('look-why-topic-q1-docno-d01', 'overview', 'look-runs')
    """
    return re.sub(r"\W+", "-", address).strip("-") or "overview"


def entered_cookies(browser: Any, base: str, token: str, path: str = "/enter/") -> Any:
    """The cookies of somebody who has opened a link."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{base}{path}{token}")
    page.wait_for_load_state()
    cookies = context.cookies()
    context.close()
    return cookies


def take_pictures(browser: Any, cookies: Any, address: str, stem: str, folder: Path) -> None:
    """Write the pictures of a page: FOLDER/STEM-SIZE-THEME.png."""
    for theme in THEMES:
        for size, (width, height) in SIZES.items():
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
            context.add_cookies(cookies)
            page = context.new_page()
            page.goto(address)
            page.wait_for_load_state()
            full = max(height, min(page.evaluate("document.documentElement.scrollHeight"), MAX_HEIGHT))
            clip = {"x": 0, "y": 0, "width": width, "height": full}
            page.screenshot(full_page=True, clip=clip, path=folder / f"{stem}-{size}-{theme}.png")
            context.close()


def visit_store(browser: Any, name: str, folder: Path) -> Iterator[str]:
    """Take the pictures of a store's pages; yields the name of each page."""
    store = STORES[name]
    with TemporaryDirectory() as temporary:
        path = Path(temporary, "s.db")
        store.write(path)
        with served(path) as (app, base):
            if store.organiser:
                cookies = entered_cookies(browser, base, app.access.start_token)
                for address in store.organiser:
                    take_pictures(browser, cookies, base + address, f"{name}-{file_stem(address)}", folder)
                    yield address
            for role in store.roles:
                token = app.worker.run_and_wait(partial(invite, assessor="ada", role=role))
                cookies = entered_cookies(browser, base, token)
                for address in (f"/{role}", *ALSO.get(role, ())):
                    take_pictures(browser, cookies, base + address, f"{name}-{file_stem(address)}", folder)
                    yield address


def visit_task(browser: Any, folder: Path) -> Iterator[str]:
    """Take the pictures of a shared task, before and after its results."""
    track = Track()
    with serve(track) as base:
        team = entered_cookies(browser, base, track.tokens["cuni"], "/team/enter/")
        cookies = [*team, *entered_cookies(browser, base, track.app.access.start_token)]
        track.upload("cuni", run_lines("run0"))
        for state in ("open", "results"):
            if state == "results":
                results_out(track)
            for address in OF_TASK:
                take_pictures(browser, cookies, base + address, f"{TASK}-{state}-{file_stem(address)}", folder)
                yield f"{address} ({state})"
    track.close()


def changed_share(before: "Image.Image", after: "Image.Image") -> float:
    """The share of the pixels that differ; 1 if the sizes differ."""
    from PIL import ImageChops

    if before.size != after.size:
        return 1.0
    difference = ImageChops.difference(before, after).convert("L")
    return 1 - difference.histogram()[0] / (before.width * before.height)


def place_side_by_side(before: "Image.Image", after: "Image.Image") -> "Image.Image":
    """Both pictures in one, the earlier one on the left."""
    from PIL import Image

    both = Image.new("RGB", (before.width + after.width + 10, max(before.height, after.height)), "magenta")
    both.paste(before, (0, 0))
    both.paste(after, (before.width + 10, 0))
    return both


def write_changes(before: Path, after: Path) -> list[tuple[float, str]]:
    """Write AFTER/changed with both pictures of each change; returns share and name, the largest share first."""
    from PIL import Image

    found = []
    for path in sorted(after.glob("*.png")):
        if not (earlier := before / path.name).exists():
            found.append((1.0, f"{path.name} (new)"))
            continue
        old, new = (Image.open(io.BytesIO(one.read_bytes())).convert("RGB") for one in (earlier, path))
        if (share := changed_share(old, new)) > SAME:
            (after / "changed").mkdir(exist_ok=True)
            place_side_by_side(old, new).save(after / "changed" / path.name)
            found.append((share, path.name))
    return sorted(found, reverse=True)


def main() -> None:
    """Take all pictures, and compare them."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m tests.web.pictures", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--before", type=Path, help="folder with the pictures to compare with")
    parser.add_argument("--only", choices=[*STORES, TASK], action="append", help="stores [default: all]")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        for name in given.only or (*STORES, TASK):
            pages = visit_task(browser, given.folder) if name == TASK else visit_store(browser, name, given.folder)
            for address in pages:
                print(f"{name}: {address}", flush=True)
        browser.close()
    if given.before:
        for share, name in write_changes(given.before, given.folder):
            print(f"{share:6.1%} changed: {name}")


if __name__ == "__main__":
    main()
