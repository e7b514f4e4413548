"""What another process makes: its errors are ours, and it does not outlive who asked for it."""

import os
from collections.abc import Iterator
from multiprocessing import Pipe, active_children
from pathlib import Path

import pytest

from cranfield.errors import CranfieldError, InputError
from cranfield.parallel import (
    BLAS,
    Several,
    _receive,
    environment_without_keys,
    first_environment,
    from_another_process,
    in_processes,
    use_one_blas_thread,
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


@pytest.mark.parametrize(("given", "ours"), [(None, "1"), ("4", "4")])
def test_programs_of_others_have_the_environment_as_it_was(
    given: str | None, ours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cranfield.parallel.GIVEN", given)
    monkeypatch.setenv(BLAS, given or "")
    if not given:
        monkeypatch.delenv(BLAS)
    use_one_blas_thread()
    assert os.environ[BLAS] == ours
    assert first_environment().get(BLAS) == given


def test_processes_import_nothing_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a stranger's; a process begins with an import of multiprocessing."""
    (tmp_path / "multiprocessing.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert list(from_another_process(range, 2)) == [0, 1]
    several: Several[int, int] = in_processes(2)
    assert list(several(abs, [-1, -2])) == [1, 2]
    assert "PYTHONSAFEPATH" not in os.environ


def test_processes_that_read_files_of_strangers_have_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "CRANFIELD_API_KEY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("PATH", "/bin")
    kept = environment_without_keys()
    assert kept["PATH"] == "/bin"
    assert "secret" not in kept.values()
