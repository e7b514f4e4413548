"""A server that is killed with SIGKILL while a browser builds a pool or records labels, and started again."""

import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cranfield.store.invitations import invite
from cranfield.store.log import read_events
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.browser import InBrowser
from tests.stores import new_file

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("serve")]
DOCNOS = [f"d{number}" for number in range(8)]
LABELS_BEFORE = 3  # acknowledged labels before the server is killed


@contextmanager
def serving(path: Path, port: str = "0") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process, and the organiser's link; the process is killed at the end."""
    command = [sys.executable, "-m", "cranfield", "serve", str(path), "--port", port, "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server, re.findall(r"organiser: (\S+)", server.stdout.readline())[0]
        finally:
            server.kill()


def processes_of(server: subprocess.Popen[str]) -> list[Path]:
    """The processes that a server has begun, and that these have begun."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[path.parent] = int(path.read_text().rpartition(")")[2].split()[1])
    found, begun = list[Path](), [server.pid]
    while begun:
        children = [path for path, parent in parents.items() if parent in begun]
        found, begun = [*found, *children], [int(path.name) for path in children]
    return found


def kill(server: subprocess.Popen[str]) -> None:
    """Kill the server alone, and wait until the processes that it has begun have ended by themselves."""
    others, deadline = processes_of(server), time.monotonic() + 60
    server.kill()
    server.wait()
    while any(path.exists() for path in others):
        assert time.monotonic() < deadline, others


def port_of(link: str) -> str:
    """The port of an address, so that the next server has the same one."""
    return str(re.findall(r":(\d+)/", link)[0])


def test_a_server_killed_while_it_builds_a_pool(in_browser: InBrowser, tmp_path: Path) -> None:
    """Nothing of the pool is stored. The next server shows the step of the pool, and builds it."""
    runs = {"a": {"1": {docno: 9.0 - number for number, docno in enumerate(DOCNOS)}}}
    path = new_file(tmp_path / "s.db", documents=DOCNOS, topics=["1"], runs=runs)

    def visit(browser: Any) -> str:
        page = browser.new_page()
        with serving(path) as (server, link), closing(sqlite3.connect(path, isolation_level=None)) as other:
            page.goto(link)
            page.goto(f"{link.partition('/enter')[0]}/organise/setup?step=pool")
            other.execute("BEGIN IMMEDIATE")  # the pool waits for this program before it is stored
            page.get_by_role("button", name="Build the pool").click()
            page.get_by_text("This page reloads until").wait_for()
            address = page.url
            kill(server)
            other.execute("ROLLBACK")
        with Store.open(path) as store:
            assert store.counts()["pool"] == 0
        with serving(path, port_of(link)) as (_, again):
            page.goto(again)
            page.goto(address)
            text: str = page.inner_text("body")
            page.get_by_role("button", name="Build the pool").click()
            page.get_by_text("This page reloads until").wait_for(state="detached")
            page.locator("#notice").wait_for()
        page.close()
        return text

    text = in_browser(visit)
    assert 'Not done. The server stopped before it had finished the step "Pool". Send the form again.' in text
    with Store.open(path) as store:
        assert store.counts()["pool"] == 1
        verify(store)


def test_a_server_killed_while_labels_arrive(in_browser: InBrowser, tmp_path: Path) -> None:
    """No acknowledged label is lost. The page sends the last label again when the next server runs: it counts once."""
    path = new_file(tmp_path / "s.db", documents=DOCNOS, topics=["1"], pool={"1": DOCNOS})
    with Store.open(path) as store:
        token = invite(store, "ada")

    def shown(page: Any, number: int) -> None:
        page.get_by_text(f"document {number} of").first.wait_for()
        page.wait_for_timeout(250)

    def visit(browser: Any) -> None:
        page = browser.new_page()
        with serving(path) as (server, link):
            page.goto(f"{link.partition('/enter')[0]}/enter/{token}")
            for number in range(1, LABELS_BEFORE + 1):
                shown(page, number)
                page.keyboard.press("1")
            shown(page, LABELS_BEFORE + 1)
            page.keyboard.press("0")
            server.kill()
            server.wait()
        with Store.open(path) as store:
            assert len([event for event in read_events(store) if event.kind == "label"]) >= LABELS_BEFORE
        with serving(path, port_of(link)):
            for number in range(LABELS_BEFORE + 2, len(DOCNOS) + 1):
                shown(page, number)
                page.keyboard.press("1")
            page.get_by_role("heading", name="Everything is done").wait_for()
        page.close()

    in_browser(visit)
    with Store.open(path) as store:
        labels = [event for event in read_events(store) if event.kind == "label"]
        assert [event.grade for event in labels] == [1] * LABELS_BEFORE + [0] + [1] * (len(DOCNOS) - LABELS_BEFORE - 1)
        assert len({event.docno for event in labels}) == len(DOCNOS)
        verify(store)
