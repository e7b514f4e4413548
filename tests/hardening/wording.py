"""How words of the command line are read here that have a notation of their own."""

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from cranfield.metrics.measure import Measure
from cranfield.metrics.trec_eval import OutputLine
from cranfield.store.store import _scale
from tests.hardening.reading import Read


def text_of(path: Path) -> str:
    """What stands for a word of the command line."""
    return os.fsdecode(path.read_bytes().replace(b"\0", b"")[:100_000])


def of_text(read: Callable[[str], object]) -> Read:
    """The reader of such a word."""
    return lambda path: read(text_of(path))


def measure(text: str) -> Measure | None:
    """A measure in any notation."""
    from cranfield.metrics.notation import parse

    if ":" in text.partition("(")[0]:
        return None  # a module of one's own is loaded and run
    one = parse(text)
    assert parse(str(one)) == one, text
    return one


def keep_measure(measure: Measure | None) -> object:
    from cranfield.metrics.evaluate import evaluate

    return measure and evaluate({"q": {"d1": 1, "d2": 0, "d3": 2}}, {"q": {"d1": 2.0, "d2": 1.0}}, [str(measure)])


def trec_eval_measure(text: str) -> list[OutputLine]:
    from cranfield.metrics.trec_eval import lines_of

    return lines_of([text])


def keep_lines(lines: list[OutputLine]) -> object:
    from cranfield.metrics.inputs import as_qrels, as_runs
    from cranfield.metrics.trec_eval import TrecEvalOptions, evaluation

    runs, judgments = as_runs({"q": {"d1": 2.0, "d2": 1.0}}), as_qrels({"q": {"d1": 1, "d2": 0, "d3": 2}})
    return list(evaluation(runs, judgments, lines, TrecEvalOptions()))


def trial(text: str) -> object:
    """A pooling method with its options."""
    from cranfield.pooling.methods import METHODS
    from cranfield.pooling.simulate import parse_trial as parsed

    name, options = parsed(text)
    return METHODS[name].fill_options(options) if name in METHODS else None


def scale(text: str) -> object:
    """--scale."""
    from cranfield.commands.stores import parse_scale

    return _scale(parse_scale(text), 1)


def fields(text: str) -> object:
    """--field."""
    from cranfield.commands.imports import names_in_files
    from cranfield.options.imports import parse_fields

    return names_in_files("corpus", parse_fields([text]), None, False)


def option(module: str, name: str, *first: object, in_list: bool = False) -> Read:
    def read(text: str) -> object:
        outcome = getattr(import_module(f"cranfield.{module}"), name)([text] if in_list else text, *first)
        return list(outcome) if isinstance(outcome, Iterator) else outcome

    return of_text(read)
