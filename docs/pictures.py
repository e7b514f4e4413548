"""The pictures of the README and the docs, made by the program itself: `python docs/pictures.py` draws them again, or
some: `python docs/pictures.py judging plots`.

Chromium takes the pictures of pages; without it they stay as they are, and so do those of public collections without
../shared/data. The same code gives the same pictures.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from document_pictures import documents
from example_files import write_example_files
from printed import MARK, fill_marks, fill_outputs, write_start
from screens import judging_pages, photograph, screens

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
DATA = DOCS.parents[1] / "shared" / "data"
COVID = "qrels-rnd1.txt.gz runs/* --teams teams.tsv --protect 0.5 --by team"
ROBUST = "qrels.robust03.txt.gz runs/*"

COLLECTIONS = {  # its name, the folder of its files, and what the commands read
    "covid": ("TREC-COVID, round 1", "treccovid-r1", COVID),
    "robust": ("TREC 2003 Robust track, 17 of 78 runs", "robust03", ROBUST),
    "cranfield1400": ("Cranfield 1400, with 14 baselines", ".", "cranfield1400.db"),
}
LINES = 5  # of the demo's scores in the README: a title, heads, and the best runs

PLOTS = {
    "evaluate": "evaluate workshop.db -m AP -m nDCG@10 -m P@10 --plot {}",
    "curve": "curve workshop.db --plot {}",
    "compare": "compare workshop.db --baseline bm25 -m AP --plot {}",
    "depths": "depths workshop.db -m AP --plot {}",
    "stability": "stability workshop.db -m AP --plot {}",
    "simulate": "pool simulate workshop.db --method rrf --method maxmean --method take --budgets 5,10,20 --plot {}",
}


def main(names: Sequence[str]) -> None:
    """Pictures in docs/images, and the program's own words in the pages: the parts of these names, or all."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        demo = cranfield("demo", at)
        set_date(at / "workshop.db")
        for name in names or PARTS:
            with chromium() if name in OF_PAGES else nullcontext() as browser:
                if browser or name not in OF_PAGES:
                    PARTS[name](at, browser, demo)
                else:
                    sys.stderr.write(f"note: no chromium, so the pictures of {name} stay as they are\n")


def _demo(at: Path, browser: Any, demo: str) -> None:
    _fill(DOCS.parent / "README.md", "demo", _fence(_shorten_demo(demo)))
    _fill(DOCS / "start" / "demo.md", "demo", _fence(demo))


def _terminal(at: Path, browser: Any, demo: str) -> None:
    screens(_copy(at))


def _judging(at: Path, browser: Any, demo: str) -> None:
    judging_pages(_copy(at), browser)


def _organiser(at: Path, browser: Any, demo: str) -> None:
    """The first page of the organiser, and that of what is unusual."""
    from organiser_pictures import photograph as take

    pages = {"/": IMAGES / "organiser.png", "/organise/checks": IMAGES / "organiser-unusual.png"}
    take(_copy(at), pages, browser, photograph)


def _documents(at: Path, browser: Any, demo: str) -> None:
    documents(at / "mine", browser)


def _plots(at: Path, browser: Any, demo: str) -> None:
    _side_by_side(at, (command.format(IMAGES / f"{name}.svg") for name, command in PLOTS.items()))


def _reports(at: Path, browser: Any, demo: str) -> None:
    _side_by_side(at, ["report workshop.db report.html", "report workshop.db report-dark.html --by team"])
    for name in ("report", "report-dark"):
        page(browser, at / f"{name}.html", IMAGES / f"{name}.png")


def _copy(at: Path) -> Path:
    """The demo's store, to be changed."""
    return Path(shutil.copy(at / "workshop.db", at / "changed.db"))


def _side_by_side(at: Path, commands: Iterable[str]) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda words: cranfield(words, at), commands))


def cranfield(words: str, at: Path) -> str:
    """What a command prints, at 100 columns."""
    command = [sys.executable, "-m", "cranfield", *_expand(words, at)]
    environment = {**os.environ, "PYTHONPATH": str(DOCS.parent), "COLUMNS": "100", "NO_COLOR": "1"}
    process = subprocess.run(
        command, check=False, cwd=at, env=environment, text=True, capture_output=True, stdin=subprocess.DEVNULL
    )
    if process.returncode:
        sys.exit(f"cranfield {words}\n{process.stderr}")
    return process.stdout


def _expand(words: str, at: Path) -> Iterator[str]:
    for word in shlex.split(words):
        yield from sorted(str(path.relative_to(at)) for path in at.glob(word)) if "*" in word else [word]


def set_date(store: Path) -> None:
    """Let a store say the day of the first release, whenever the pictures are made."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE collection SET created = '2025-03-01T09:00:00.000+00:00'")


def _shorten_demo(demo: str) -> str:
    """The best runs of the demo's second part, and the first two sentences of its verdict."""
    table, verdict = demo[demo.index("2. The systems") :].partition("\n\n")[0], demo.split("\n\n3. The verdict")[1]
    tested = ". ".join(verdict.split("\n\n")[1].split(". ")[:2])
    return "\n".join([*table.splitlines()[:LINES], "...", "", textwrap.fill(f"{tested}.", 100)])


def _fence(text: str) -> str:
    return f"```text\n{text.strip(chr(10)).rstrip()}\n```\n"


def _fill(page: Path, name: str, text: str) -> None:
    """Put a text between the marks of a page."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, mark, rest = page.read_text(encoding="utf-8").partition(start)
    if mark:
        page.write_text(before + start + text + end + rest.partition(end)[2], encoding="utf-8")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; None where there is none."""
    if not (program := shutil.which("chromium-headless-shell") or shutil.which("chromium")):
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def page(browser: Any, path: Path, picture: Path) -> None:
    """The top of a page; dark, if the picture's name says so."""
    scheme = "dark" if "dark" in picture.stem else "light"
    tab = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    tab.goto(path.as_uri())
    photograph(tab, picture)


def _tutorial(at: Path, browser: Any, demo: str) -> None:
    """What the commands of the tutorial print, when they are typed in a checkout."""
    folder, tutorial = at / "typed", DOCS / "start" / "build.md"
    folder.mkdir()
    (folder / "collections").symlink_to(DOCS.parent / "collections")
    text = fill_outputs(tutorial.read_text(encoding="utf-8"), lambda words: cranfield(words, folder))
    tutorial.write_text(text, encoding="utf-8")


def _printed(at: Path, browser: Any, demo: str) -> None:
    """Outputs of the marked commands on the demo's store, on each page except the tutorial."""
    for number, path in enumerate(sorted(DOCS.rglob("*.md"))):
        text, folder = path.read_text(encoding="utf-8"), at / f"printed{number}"
        if MARK.search(text) and path != DOCS / "start" / "build.md":
            folder.mkdir()
            run = partial(cranfield, at=folder)
            write_start(text, folder, at / "workshop.db", run, write_example_files)
            path.write_text(fill_marks(text, run), encoding="utf-8")


def _collections(at: Path, browser: Any, demo: str) -> None:
    """What the program says of public collections, from their files: pictures and figures only."""
    if not DATA.is_dir():
        return
    for name in ("treccovid-r1", "robust03"):
        (at / name).symlink_to(DATA / name)
    work = [
        ("treccovid-r1", f"report {COVID} {at}/covid.html"),
        ("treccovid-r1", f"depths {COVID} -m AP --plot {IMAGES}/covid-depths.svg"),
        ("robust03", f"report {ROBUST} {at}/robust.html"),
        ("robust03", f"depths {ROBUST} -m AP --plot {IMAGES}/robust-depths.svg"),
    ]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda job: cranfield(job[1], at / job[0]), work))
    smart = shlex.quote(str(DATA / "cranfield1400" / "smart"))
    cranfield(f"collection build cranfield1400 {smart} cranfield1400.db", at)
    set_date(at / "cranfield1400.db")
    cranfield("search cranfield1400.db", at)
    cranfield(f"report cranfield1400.db {at}/cranfield1400.html", at)
    for name in COLLECTIONS:
        page(browser, at / f"{name}.html", IMAGES / f"{name}-report.png")
    _fill(DOCS / "explanation" / "known-collections.md", "figures", "".join(_figures(at)))


def _figures(at: Path) -> Iterator[str]:
    """A row per collection: what leaving out each unit shows by AP."""
    heads = ["collection", "left out", "own AP changes by", "at most", "largest rank drop", "lowest tau", "tested"]
    yield _row(heads)
    yield _row(["---"] * len(heads))
    for name, (title, folder, source) in COLLECTIONS.items():
        cranfield(f"reusability {source} -m AP --format json -o {at / name}.json", at / folder)
        document = json.loads((at / f"{name}.json").read_text(encoding="utf-8"))
        unit = "teams" if document["by"] == "team" else "runs"
        yield _row([title, f"{len(document['units'])} {unit}", *_changes(document)])


def _changes(document: dict[str, Any]) -> list[object]:
    if document["no_verdict"]:
        return ["-", "-", "-", "-", f"no: {document['no_verdict']}"]
    ap = document["summary"]["AP"]
    mean, most = f"{ap['mean_change_percent']:.2f}%", f"{ap['max_change_percent']:.1f}%"
    return [mean, most, ap["max_rank_drop"], f"{ap['tau_min']:.3f}", "yes"]


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


PARTS: dict[str, Callable[[Path, Any, str], None]] = {
    "demo": _demo,
    "terminal": _terminal,
    "judging": _judging,
    "documents": _documents,
    "organiser": _organiser,
    "plots": _plots,
    "reports": _reports,
    "typed": _tutorial,
    "printed": _printed,
    "known": _collections,
}
OF_PAGES = ("judging", "documents", "organiser", "reports", "known")

if __name__ == "__main__":
    main(sys.argv[1:])
