"""The program `cranfield`: its streams, its commands, and errors as one line."""

import atexit
import gc
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from cranfield import __version__
from cranfield.cli import CONTAINERS_BETWEEN_COLLECTIONS
from cranfield.cli.completion import join_words_split_by_bash
from cranfield.cli.pages import WIDEST
from cranfield.cli.tables import BAD, print_note, print_remark, say
from cranfield.cli.tree import CommandGroup
from cranfield.errors import CranfieldError, FeatureWarning, InputError, MeasureError
from cranfield.formats.files import LIMITS, InputReading
from cranfield.parallel import set_up_command

app = typer.Typer(
    cls=CommandGroup,
    help="Build test collections, judge documents, score systems, and check how far to trust the scores.",
    epilog="Start with: cranfield demo",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(show: bool) -> None:
    if show:
        say(f"cranfield {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Build test collections, judge documents, score systems, and check how far to trust the scores."""


def _open_streams() -> None:
    """Open any standard stream that was closed, in order; escape characters that cannot be encoded."""
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        cast("Any", stream).reconfigure(errors="backslashreplace")


def main() -> None:
    """Run the command line. Exit status 0: done; 1: error in the data, explained in one line; 2: wrong usage."""
    gc.set_threshold(CONTAINERS_BETWEEN_COLLECTIONS)  # also for callers that do not begin at `start`
    atexit.register(gc.freeze)  # the last collections take a twentieth of a second otherwise
    set_up_command()
    limits = LIMITS.set(LIMITS.get()._replace(reading=InputReading(tell=cache(print_note))))
    cut_off = join_words_split_by_bash()
    _open_streams()
    try:
        with _feature_warnings_as_notes():
            app(prog_name="cranfield", obj=cut_off)
    except CranfieldError as error:
        _exit_with_error(f"{error}{_remedy(error)}")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _exit_with_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except UnicodeEncodeError as error:
        _exit_with_error(
            f"{error.object[max(error.start - 20, 0) : error.start + 20]!r} cannot be written because it is not UTF-8"
        )
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        from cranfield.store.connection import DatabaseError

        if not isinstance(error, DatabaseError):
            raise
        if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
            from tempfile import gettempdir

            _exit_with_error(
                f"the disk is full; free space for the store, for the output and in {gettempdir()}, then try again"
            )
        _exit_with_error(f"the store cannot be used: {error}")
    finally:
        LIMITS.reset(limits)


@contextmanager
def _feature_warnings_as_notes() -> Iterator[None]:
    """Print each warning about a feature that cannot be used as a note, once."""
    note_once = cache(print_note)
    with warnings.catch_warnings():
        warnings.simplefilter("always", FeatureWarning)
        show = warnings.showwarning

        def show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, FeatureWarning):
                note_once(str(message))
            else:
                show(message, category, *place, **more)

        warnings.showwarning = show_warning
        yield


def _remedy(error: CranfieldError) -> str:
    """What helps where a file is not there: the option that is meant, a name like it, or where it was looked for."""
    if not isinstance(error, InputError) or error.message != "no such file" or error.path is None:
        return ""
    from difflib import get_close_matches

    from cranfield.metrics.notation import parse as parse_measure

    path = Path(error.path)
    with suppress(MeasureError):
        return f"; did you mean -m {parse_measure(str(path))}?"
    if re.match(r"https?:/", str(path)):
        return "; expected a file (this command does not download)"
    if not path.parent.is_dir():
        return f"; there is no folder {path.parent}"
    near = get_close_matches(path.name, (one.name for one in path.parent.iterdir()), 1, 0.8)
    where = "; `cranfield init` creates a store" if ".db" in path.name else f"; looked for in {path.absolute().parent}"
    return f"; did you mean {path.parent / near[0]}?" if near else where


def _exit_with_error(message: str) -> None:
    print_remark("error:", BAD, message)
    sys.exit(1)
