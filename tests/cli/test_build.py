"""Commands are made of functions: their signature, their help, and what they are called with."""

from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from cranfield.cli.build import BuiltCommand, command, help_of
from cranfield.cli.common_options import GivenOptions, Printer, expand_option_records
from cranfield.errors import ArgumentError
from cranfield.hooks import OptionError
from cranfield.options import Argument, Grouped, Implies, Option, split_names
from cranfield.options.arguments import OnlyTopics, ReadStore
from cranfield.results import Result
from cranfield.store.reading import SelectedPlace


def count_words(
    text: Annotated[str, Argument("The text.", metavar="TEXT")],
    *,
    least: Annotated[int, Option("The fewest words.", "--at-least", min=1)] = 1,
    kinds: Annotated[list[str] | None, Option("Kinds of words.", typed=list[str] | None, parse=split_names)] = None,
    separator: str = " ",
) -> Result:
    """Count the words of a text.

    Example: count "a b"

    Parameters
    ----------
    text : str
        The text.
    """
    if least == 13:
        raise ArgumentError("13 is not lucky", "least")
    words = text.split(separator)
    return Result([{"words": len(words), "enough": len(words) >= least, "kinds": ",".join(kinds or ())}])


Loud = Annotated[bool, typer.Option("--loud", help="Print a title.")]


def show_count(result: Result, printer: Printer, *, loud: Loud = False) -> None:
    printer.emit(result.rows(), title="LOUD" if loud else "")


def call(built: BuiltCommand, *words: str) -> Any:
    app = typer.Typer()
    app.command()(expand_option_records(built))
    return CliRunner().invoke(app, words)


def test_the_options_are_those_of_the_function_and_of_the_renderer() -> None:
    """In this order; what has no Option is not among them."""
    parameters = [*signature(expand_option_records(command(count_words, show_count))).parameters]
    assert parameters == ["text", "least", "kinds", "loud", "format", "output", "wide", "safe_csv"]
    assert help_of(count_words) == 'Count the words of a text.\n\nExample: count "a b"'
    assert command(count_words, show_count).__doc__ == help_of(count_words)


def test_an_option_of_a_renderer_can_stand_before_one_of_the_function() -> None:
    def show(result: Result, most: Annotated[int, Option("How many.", "-n", before="kinds")] = 3) -> None:
        print(most)

    built = command(count_words, show)
    assert [*signature(expand_option_records(built)).parameters] == ["text", "least", "most", "kinds"]
    assert [call(built, "a", *words).stdout for words in ([], ["-n", "5"])] == ["3\n", "5\n"]


def test_the_command_line_demands_an_option_that_python_has_a_default_for() -> None:
    def fit(*, model: Annotated[str, Option("The model.", required=True)] = "pbm") -> Result:
        return Result([{"model": model}])

    built = command(fit, lambda result: print(result.rows()))
    assert fit().rows() == [{"model": "pbm"}]
    assert (call(built).exit_code, call(built, "--model", "dbn").stdout) == (2, "[{'model': 'dbn'}]\n")


def test_options_that_do_not_go_together_are_wrong_usage() -> None:
    def cut(*, stride: Annotated[int, Option("Steps.")] = 1) -> Result:
        raise OptionError("stride", f"is {stride}, above --window 2")

    result = call(command(cut, lambda result: None), "--stride", "3")
    assert (result.exit_code, "Invalid value for --stride: is 3" in result.output) == (2, True)


def test_the_function_gets_what_was_typed_and_defaults_otherwise() -> None:
    built = command(count_words, show_count)
    assert call(built, "a b", "--format", "csv").stdout == "words,enough,kinds\n2,True,\n"
    typed = call(built, "a b", "--at-least", "3", "--kinds", "x,y", "--kinds", "z", "--format", "csv", "--loud")
    assert typed.stdout == 'words,enough,kinds\n2,False,"x,y,z"\n'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "--at-least", "13"], "Invalid value for --at-least: 13 is not lucky"),
        (["a", "--at-least", "0"], "Invalid value for '--at-least'"),
        ([], "Missing argument 'TEXT'"),
    ],
)
def test_a_wrong_argument_is_wrong_usage(words: list[str], message: str) -> None:
    result = call(command(count_words, show_count), *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


def test_a_store_comes_with_the_reading_of_the_command() -> None:
    """So that its notes go to the shell; a release is part of its path, and topics are an argument of the function."""
    given: list[Any] = []

    def look(store: ReadStore, *, topics: OnlyTopics = None) -> Result:
        given.extend((store, topics))
        return Result()

    result = call(command(look, lambda result: None), "track.db", "--topics", "dev", "--release", "1.0")
    assert (result.exit_code, given[1]) == (0, "dev"), result.output
    assert isinstance(given[0], SelectedPlace)
    assert given[0].place == Path("track.db@1.0")


def show_aloud(
    result: Result, *, voice: Annotated[str | None, typer.Option("--voice", help="A voice."), Implies("loud")] = None
) -> None:
    typer.echo(f"{result.title} {voice}")


def speak(*, loud: Annotated[bool, Option("Loud.", "--loud")] = False) -> Result:
    return Result(title="LOUD" if loud else "quiet")


def test_an_option_of_the_renderer_implies_one_of_the_function() -> None:
    built = command(speak, show_aloud)
    assert call(built, "--voice", "bass").output == "LOUD bass\n"
    assert call(built).output == "quiet None\n"


@dataclass(frozen=True)
class Paper:
    """How something is printed."""

    size: Annotated[str, Option("How large.", metavar="SIZE", before="color")]
    copies: Annotated[int, Option("How many.", min=1)] = 1
    parts: Annotated[list[str] | None, Option("Which parts.", typed=list[str] | None, parse=split_names)] = None
    folded: Annotated[bool, Option("Fold it.", "--folded")] = False


def print_text(
    text: Annotated[str, Argument("The text.", metavar="TEXT")],
    paper: Annotated[Paper, Grouped("folded", size=Annotated[str | None, Option("How large, or A4.")])],
    *,
    color: Annotated[bool, Option("In color.", "--color")] = False,
) -> Result:
    """Print a text."""
    return Result([{"text": text, "color": color, **vars(paper)}])


def show_text(
    text: Annotated[str, Argument("The text.", metavar="TEXT")],
    *,
    color: Annotated[bool, Option("In color.", "--color")] = False,
    slow: Annotated[bool, Option("Word by word.", "--slow", before="size")] = False,
) -> Result:
    """Show a text on the screen."""
    return Result([{"shown": text, "color": color, "slow": slow}])


def test_the_fields_of_one_argument_are_options() -> None:
    built = command(print_text, show_count)
    assert [*built.fields] == ["text", "size", "copies", "parts", "color"]
    assert call(built, "a", "--size", "A5", "--parts", "x,y", "--format", "csv").stdout == (
        "text,color,size,copies,parts,folded\na,False,A5,1,\"['x', 'y']\",False\n"
    )
    assert "--folded" in call(built, "a", "--folded").output
    assert call(built, "a", "--copies", "0").exit_code == 2


def test_another_command_is_called_without_the_options_that_one_needs() -> None:
    def check(size: str | None, given: GivenOptions) -> None:
        raise AssertionError("it is for paper")

    built = command(print_text, show_count, check=check, needs=("size",), otherwise=command(show_text, show_count))
    assert [*signature(expand_option_records(built)).parameters][:6] == [
        "text",
        "slow",
        "size",
        "copies",
        "parts",
        "color",
    ]
    assert built.__doc__ == "Show a text on the screen."
    output = call(built, "a", "--slow", "--format", "csv")
    assert output.stdout == "shown,color,slow\na,False,True\n"
    assert isinstance(call(built, "a", "--size", "A5").exception, AssertionError)
