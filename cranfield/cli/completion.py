"""What the shell completes: names from the tables of cranfield and from the store named on the line."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import typer

from cranfield import hooks
from cranfield.text import measures_in

Names = Iterable[str]
BREAKS = re.compile(r"[@:=]+")  # where bash breaks words


class Offer(NamedTuple):
    """A completion, as shells get it."""

    value: str
    type: str = "plain"
    help: str | None = None


class Completer(NamedTuple):
    """Beside typer's own in the type of an argument or option: the names that the shell offers for it."""

    complete: Callable[[typer.Context, str], list[str]]

    def offers(self, ctx: typer.Context, incomplete: str) -> list[Offer]:
        """The completions of a word. The context's `obj` is the beginning of the word that bash has cut off."""
        return [Offer(name.removeprefix(ctx.obj or "")) for name in self.complete(ctx, incomplete)]


def names_starting_with(names: Names, incomplete: str) -> list[str]:
    """The names that begin so."""
    return [name for name in names if name.startswith(incomplete)]


def list_completer(names: Callable[[typer.Context], Names]) -> Completer:
    """Completes the last name of a list."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        before, comma, _ = incomplete.rpartition(",")
        if len(measures_in(before)) != before.count(",") + bool(comma):
            return []
        return names_starting_with([f"{before}{comma}{name}" for name in names(ctx)], incomplete)

    return Completer(complete)


def single_completer(names: Callable[[typer.Context], Names]) -> Completer:
    """Completes one name."""
    return Completer(lambda ctx, incomplete: names_starting_with(names(ctx), incomplete))


def completer(name: str) -> Completer:
    """What an Option says: a row of COMPLETERS, a kind of names in a store, or a function as "module:names".

    Such a function is imported when the shell completes; without the packages that it needs there are no names.
    """
    module, _, names = name.partition(":")
    if names:
        return single_completer(lambda _: _names_by(module, names))
    return COMPLETERS.get(name) or name_completer(name)


def _names_by(module: str, function: str) -> Collection[str]:
    try:
        return [*getattr(import_module(module), function)()]
    except ModuleNotFoundError:
        return []


def name_completer(kind: str) -> Completer:
    """Completes names of this kind in the store that the line names."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        from cranfield.store.quick_look import is_database, known_names

        store = next(filter(is_database, _files(ctx)), None)
        return known_names(store, kind, incomplete) if store else []

    return Completer(complete)


def _files(ctx: typer.Context) -> Iterator[Path]:
    """The words of the line that may name files; those after an unfinished option are not parsed."""
    for value in (*ctx.params.values(), *ctx.args):
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, str | Path):
                yield Path(one)


def _measures(ctx: typer.Context) -> Names:
    """Each measure by all its names, and where it takes a cutoff, with common ones."""
    from cranfield.metrics import every_measure
    from cranfield.metrics.measure import REQUIRED

    for measure in every_measure():
        default = measure.defaults.get(measure.at, "")
        if default is not REQUIRED:
            yield measure.name
        if default is REQUIRED or default is None:
            yield from (f"{measure.name}@{cutoff}" for cutoff in (5, 10, 20, 100, 1000))
        yield from (name.replace("{}", "10") for name in measure.synonyms)


def _every_measure(ctx: typer.Context) -> Names:
    """These, and others that `measures` describes."""
    yield from _measures(ctx)
    for described in filter(None, hooks.ask(lambda extension: extension.described_names())):
        yield from described.names


def _methods(ctx: typer.Context) -> Names:
    from cranfield.pooling.methods import METHODS

    return METHODS


def _systems(ctx: typer.Context) -> Names:
    from cranfield.search.systems import SYSTEMS

    return [system.name for system in SYSTEMS]


def _coefficients(ctx: typer.Context) -> Names:
    from cranfield.judging.agreement.agreement import AGREEMENTS

    return AGREEMENTS


def _policies(ctx: typer.Context) -> Names:
    from cranfield.judging.labels.policies import ELSE, POLICIES

    return [*POLICIES, *(f"{ELSE}{name}" for name in POLICIES)]


def _recipes(ctx: typer.Context) -> Names:
    from cranfield.analysis.recipes import bundled_recipes

    return bundled_recipes()


def _tasks(ctx: typer.Context) -> Names:
    from cranfield.metrics.tasks import TASKS

    return [task.name for task in TASKS]


def _formats(ctx: typer.Context) -> Names:
    """The formats of what the command reads or writes."""
    from cranfield.formats.table import AUTO, all_kinds, formats_of

    kind: Any = "run" if ctx.info_name == "runs" else ctx.info_name
    formats = formats_of(kind) if kind in all_kinds() else ()
    if ctx.parent is not None and ctx.parent.info_name == "export":
        return [known_format.name for known_format in formats if known_format.write]
    return [AUTO, *(known_format.name for known_format in formats)]


def _removable(ctx: typer.Context, incomplete: str) -> list[str]:
    """The names of what `store remove` removes, or `store withdraw` withdraws."""
    kind = ctx.params.get("kind") or ctx.params.get("what")
    return name_completer(str(getattr(kind, "value", kind))).complete(ctx, incomplete) if kind else []


MEASURES, EVERY_MEASURE = list_completer(_measures), single_completer(_every_measure)
METHOD, METHODS, SYSTEMS = single_completer(_methods), list_completer(_methods), list_completer(_systems)
POLICY, POLICIES = single_completer(_policies), list_completer(_policies)
COEFFICIENTS, TASKS = list_completer(_coefficients), single_completer(_tasks)
FORMATS, RECIPES = single_completer(_formats), single_completer(_recipes)
KINDS = single_completer(lambda ctx: ("human", "model", "panel", "import"))
RUNS, TOPICS, DOCUMENTS, POOLS = (
    name_completer("run"),
    name_completer("topic"),
    name_completer("document"),
    name_completer("pool"),
)
ASSESSORS, EXPERIMENTS, ARMS, RELEASES = (
    name_completer("assessor"),
    name_completer("experiment"),
    name_completer("arm"),
    name_completer("release"),
)
TOPIC_SETS, ROUNDS = name_completer("topic set"), name_completer("round")
REMOVABLE_NAMES = Completer(_removable)
COMPLETERS: Mapping[str, Completer] = {  # by what an Option says
    "measures": MEASURES, "method": METHOD, "methods": METHODS, "systems": SYSTEMS, "policies": POLICIES,
    "policy": POLICY, "coefficients": COEFFICIENTS, "recipe": RECIPES, "formats": FORMATS,
    **{kind: name_completer(kind) for kind in ("run", "topic", "pool", "assessor", "experiment", "arm", "topic set")},
    "round": ROUNDS, "of kind": REMOVABLE_NAMES, "format": FORMATS, "assessor kind": KINDS,
    "every measure": EVERY_MEASURE, "tasks": TASKS,
}  # fmt: skip


def join_words_split_by_bash() -> str:
    """Glue together what bash breaks at @, : and =, which names contain.

    Returns the beginning of the word to complete that bash has cut off: it wants completions without it.
    """
    words, at = os.environ.get("COMP_WORDS", "").split("\n"), os.environ.get("COMP_CWORD", "")
    if not at.isdecimal() or not any(BREAKS.fullmatch(word) for word in words):
        return ""
    whole, cut_off = list[str](), ""
    for number, word in enumerate(words):
        glue = number > 1 and bool(BREAKS.fullmatch(word) or BREAKS.fullmatch(words[number - 1]))
        whole[-1:] = [whole[-1] + word] if glue else [*whole[-1:], word]
        if number == int(at):
            os.environ["COMP_CWORD"] = str(len(whole) - 1)
            value = whole[-1].partition("=")[2] if whole[-1].startswith("--") else whole[-1]
            ends = (match.end() - match[0].endswith("@") for match in BREAKS.finditer(value))
            cut_off = value[: max(ends, default=0)] if glue else ""
    os.environ["COMP_WORDS"] = "\n".join(whole)
    return cut_off
