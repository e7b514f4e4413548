"""The pictures of the README and the docs, made by the program itself: `python docs/pictures.py` draws them again.

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
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from printed import printed
from screens import chromium, photograph, screens, served

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
DATA = DOCS.parents[1] / "shared" / "data"
COVID = "qrels-rnd1.txt.gz runs/* --teams teams.tsv --protect 0.5 --by team"
ROBUST = "qrels.robust03.txt.gz runs/*"

KNOWN = {  # its name, the folder of its files, and what the commands read
    "covid": ("TREC-COVID, round 1", "treccovid-r1", COVID),
    "robust": ("TREC 2003 Robust track, 17 of 78 runs", "robust03", ROBUST),
    "cranfield1400": ("Cranfield 1400, with 14 baselines", ".", "cranfield1400.db"),
}
LINES = 5  # of the demo's verdict in the README: a title, heads, and the runs that lose most

PLOTS = {
    "evaluate": "evaluate workshop.db -m AP -m nDCG@10 -m P@10 --plot {}",
    "curve": "curve workshop.db --plot {}",
    "compare": "compare workshop.db --baseline bm25 -m AP --plot {}",
    "depths": "depths workshop.db -m AP --plot {}",
    "stability": "stability workshop.db -m AP --plot {}",
    "simulate": "pool simulate workshop.db --method rrf --method maxmean --method take --budgets 5,10,20 --plot {}",
}


def main() -> None:
    """All pictures, in docs/images, and the program's own words in the pages."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        told = cranfield("demo", at)
        dated(at / "workshop.db")
        _fill(DOCS.parent / "README.md", "demo", _fenced(_verdict_of(told)))
        _fill(DOCS / "tutorial.md", "demo", _fenced(told))
        shutil.copy(at / "workshop.db", at / "judged.db")
        screens(at / "judged.db")
        shutil.copy(at / "workshop.db", at / "served.db")
        served(at / "served.db")
        shutil.copy(at / "workshop.db", at / "organised.db")
        _organised(at / "organised.db")
        jobs = [command.format(IMAGES / f"{name}.svg") for name, command in PLOTS.items()]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda words: cranfield(words, at), [*jobs, "report workshop.db report.html"]))
        _page(at / "report.html", IMAGES / "report.png", dark=False)
        cranfield("report workshop.db team.html --by team", at)
        _page(at / "team.html", IMAGES / "report-dark.png", dark=True)
        _typed(at, DOCS / "tutorial.md")
        if DATA.is_dir():
            _known(at)


def cranfield(words: str, at: Path) -> str:
    """What a command prints, at 100 columns."""
    command = [sys.executable, "-m", "cranfield", *_expanded(words, at)]
    environment = {**os.environ, "PYTHONPATH": str(DOCS.parent), "COLUMNS": "100", "NO_COLOR": "1"}
    pipes = {"capture_output": True, "stdin": subprocess.DEVNULL}
    done = subprocess.run(command, check=False, cwd=at, env=environment, text=True, **pipes)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"cranfield {words}\n{done.stderr}")
    return done.stdout


def _expanded(words: str, at: Path) -> Iterator[str]:
    for word in shlex.split(words):
        yield from sorted(str(path.relative_to(at)) for path in at.glob(word)) if "*" in word else [word]


def dated(store: Path) -> None:
    """Let a store say the day of the first release, whenever the pictures are made."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE collection SET created = '2025-03-01T09:00:00.000+00:00'")


def _verdict_of(told: str) -> str:
    """The third part of the demo: its first runs, and the verdict's first sentence."""
    table, verdict, *_ = told[told.index("3. The verdict") :].split("\n\n")
    return "\n".join([*table.splitlines()[:LINES], "...", "", textwrap.fill(verdict.partition(". ")[0] + ".", 100)])


def _fenced(text: str) -> str:
    return f"```text\n{text.strip(chr(10)).rstrip()}\n```\n"


def _fill(page: Path, name: str, text: str) -> None:
    """Put a text between the marks of a page."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(start)
    if found:
        page.write_text(before + start + text + end + rest.partition(end)[2], encoding="utf-8")


def _page(page: Path, picture: Path, *, dark: bool, height: int = 900) -> None:
    """The top of a page, in few colours."""
    with chromium(picture.name) as browser:
        if browser:
            scheme = "dark" if dark else "light"
            seen = browser.new_page(viewport={"width": 1280, "height": height}, color_scheme=scheme)
            seen.goto(page.as_uri())
            photograph(seen, picture)


def _typed(at: Path, page: Path) -> None:
    """What the commands of a page print, when they are typed in a checkout."""
    folder = at / "typed"
    folder.mkdir()
    (folder / "collections").symlink_to(DOCS.parent / "collections")
    page.write_text(printed(page.read_text(encoding="utf-8"), lambda words: cranfield(words, folder)), encoding="utf-8")


def _organised(store: Path) -> None:
    """The first page of the organiser, and that of what is unusual."""
    from organiser_pictures import photograph as take

    with chromium("organiser.png") as browser:
        if browser:
            wanted = {"/": IMAGES / "organiser.png", "/organise/checks": IMAGES / "organiser-unusual.png"}
            take(store, wanted, browser, photograph)


def _known(at: Path) -> None:
    """What the program says of public collections, from their files: pictures and figures only."""
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
    dated(at / "cranfield1400.db")
    cranfield("search cranfield1400.db", at)
    cranfield(f"report cranfield1400.db {at}/cranfield1400.html", at)
    for name in KNOWN:
        _page(at / f"{name}.html", IMAGES / f"{name}-report.png", dark=False)
    _fill(DOCS / "known-collections.md", "figures", "".join(_figures(at)))


def _figures(at: Path) -> Iterator[str]:
    """A row per collection: what leaving out each unit shows by AP."""
    heads = ["collection", "left out", "own AP changes by", "at most", "largest rank drop", "lowest tau", "verdict"]
    yield _row(heads)
    yield _row(["---"] * len(heads))
    for name, (title, folder, source) in KNOWN.items():
        cranfield(f"reusability {source} -m AP --format json -o {at / name}.json", at / folder)
        found = json.loads((at / f"{name}.json").read_text(encoding="utf-8"))
        unit = "teams" if "--by team" in source else "runs"
        yield _row([title, f"{len(found['units'])} {unit}", *_changes(found)])


def _changes(found: dict[str, Any]) -> list[object]:
    if found["no_verdict"]:
        return ["-", "-", "-", "-", f"none: {found['no_verdict']}"]
    ap = found["summary"]["AP"]
    mean, most = f"{ap['mean_change_percent']:.2f} %", f"{ap['max_change_percent']:.1f} %"
    return [mean, most, ap["max_rank_drop"], f"{ap['tau_min']:.3f}", "unfair to new systems"]


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    main()
