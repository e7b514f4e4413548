"""What another process makes: its errors are ours, and it does not outlive who asked for it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import Pipe, active_children
from pathlib import Path

import pytest

from cranfield.errors import CranfieldError, InputError
from cranfield.parallel import (
    COMMAND_SETTINGS,
    Several,
    _receive,
    environment_without_keys,
    first_environment,
    from_another_process,
    map_in_processes,
    set_up_command,
)


def _endless(size: int) -> Iterator[bytes]:
    while True:
        yield bytes(size)


def _wrong(path: str) -> Iterator[int]:
    yield 1
    raise InputError("docs is 7", path, 3)


def test_another_process_ends_when_nobody_wants_more() -> None:
    before = {process.pid for process in active_children()}
    pieces = from_another_process(_endless, 1 << 20)
    assert len(next(pieces)) == 1 << 20
    pieces.close()
    assert {process.pid for process in active_children()} <= before


def test_an_error_of_another_process_has_its_place() -> None:
    numbers = from_another_process(_wrong, "a.jsonl")
    assert next(numbers) == 1
    with pytest.raises(InputError, match="docs is 7") as error:
        next(numbers)
    assert str(error.value) == "a.jsonl:3: docs is 7"


def test_another_process_that_dies_is_an_error() -> None:
    with pytest.raises(CranfieldError, match="ended early"):
        list(from_another_process(os._exit, 9))


def test_another_process_that_dies_amid_a_message_is_an_error() -> None:
    """The length of a message, as the pipe has it, and less than that."""
    here, there = Pipe(duplex=False)
    os.write(there.fileno(), (100).to_bytes(4, "big") + b"less")
    there.close()
    with here, pytest.raises(CranfieldError, match="ended early"):
        _receive(here)


@pytest.mark.parametrize("given", [None, "4"])
@pytest.mark.parametrize("name", COMMAND_SETTINGS)
def test_programs_of_others_have_the_environment_as_it_was(
    name: str, given: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cranfield.parallel.GIVEN_SETTINGS", {name: given} if given else {})
    for setting in COMMAND_SETTINGS:
        monkeypatch.delenv(setting, raising=False)
    if given:
        monkeypatch.setenv(name, given)
    set_up_command()
    assert os.environ[name] == (given or COMMAND_SETTINGS[name])
    assert first_environment().get(name) == given


@pytest.mark.needs_extra("arrow")
def test_only_commands_change_the_memory_pool_of_arrow() -> None:
    """A program that imports the library keeps the pool that it has."""
    code = "from cranfield import parallel; {}; import pyarrow; print(pyarrow.default_memory_pool().backend_name)"
    pools = []
    for call in ("parallel.set_up_command()", "pass"):
        environment = {name: value for name, value in os.environ.items() if name not in COMMAND_SETTINGS}
        command = [sys.executable, "-c", code.format(call)]
        pools.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert pools[0] == "system\n" != pools[1]


def test_processes_import_nothing_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a stranger's; a process begins with an import of multiprocessing."""
    (tmp_path / "multiprocessing.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert list(from_another_process(range, 2)) == [0, 1]
    several: Several[int, int] = map_in_processes(2)
    assert list(several(abs, [-1, -2])) == [1, 2]
    assert "PYTHONSAFEPATH" not in os.environ


def test_processes_that_read_files_of_strangers_have_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "CRANFIELD_API_KEY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("PATH", "/bin")
    kept = environment_without_keys()
    assert kept["PATH"] == "/bin"
    assert "secret" not in kept.values()
