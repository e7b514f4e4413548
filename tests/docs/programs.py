"""The programs in the docs: blocks of Python whose first line is the name of their file."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Timer

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"^```python\n(# (\w+\.py)\n.*?)^```", re.MULTILINE | re.DOTALL)


def write_programs(text: str, folder: Path) -> None:
    """Write the programs of a page into a folder."""
    for code, name in PROGRAM.findall(text):
        (folder / name).write_text(code, encoding="utf-8")


def text_of_page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def program_environment() -> dict[str, str]:
    """The environment of a program that imports this checkout."""
    path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "OPENBLAS_NUM_THREADS": "1"}


def run_program(folder: Path, *words: str) -> str:
    """Run a program in a folder. Returns what it prints; it must end well and write nothing on stderr."""
    done = _run(folder, *words)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def run_command(folder: Path, *words: str) -> str:
    """Run a command of Cranfield in a folder. Returns what it prints; it must end well."""
    done = _run(folder, "-m", "cranfield", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=folder, env=program_environment(), capture_output=True, text=True, check=False)


@contextmanager
def start_program(folder: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a program in a folder, with pipes to it and from it. It is killed at the end, or after a minute."""
    command = [sys.executable, *words]
    with subprocess.Popen(
        command, cwd=folder, env=program_environment(), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        timer = Timer(60, program.kill)
        timer.start()
        try:
            yield program
        finally:
            timer.cancel()
            program.kill()


@contextmanager
def serve_program(folder: Path, name: str = "service:app", options: Sequence[str] = ()) -> Iterator[int]:
    """Serve an application of a folder with uvicorn. Yields the port; connections wait until the server is ready."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listening:
        number, port = listening.fileno(), listening.getsockname()[1]
        command = [sys.executable, "-m", "uvicorn", name, "--fd", str(number), "--log-level", "warning", *options]
        server = subprocess.Popen(command, cwd=folder, env=program_environment(), pass_fds=[number])
    try:
        yield port
    finally:
        server.terminate()
        server.wait()


def post_json(port: int, path: str, body: bytes) -> tuple[int, bytes]:
    """Post to a local server. Returns the status and the answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("POST", path, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
