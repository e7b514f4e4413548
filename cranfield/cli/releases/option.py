"""The option --release of every command that only reads a store."""

from __future__ import annotations

from typing import Any

from typer.core import TyperOption

READERS = {
    "info", "evaluate", "compare", "curve", "reusability", "depths", "stability", "diagnose", "report",
    "progress", "agreement", "rehearse", "why", "answers nuggets show", "answers nuggets export",
    "model audit report", "model audit estimate",
    "pool show", "pool export", "pool diff", "pool verify", "pool simulate", "pool forecast", "pool estimate",
    "export qrels", "export runs", "export pool", "export judgments", "export preferences", "export answers",
    "export topics", "export corpus", "export beir",
    "publish build",
}  # fmt: skip
OF_RELEASE = "Read this release of the store instead of its present state; the same as STORE@NAME."


def add_release(words: tuple[str, ...], command: Any) -> None:
    """Give --release to a command that only reads a store: its store is then that release."""
    if " ".join(words) not in READERS:
        return
    store, called = next(one.name for one in command.params if one.param_type_name == "argument"), command.callback
    command.params.append(TyperOption(param_decls=["--release"], metavar="NAME", help=OF_RELEASE))

    def released(*, release: str | None, **values: Any) -> Any:
        return called(**(values if release is None else {**values, store: _named(values[store], release)}))

    command.callback = released


def _named(store: Any, release: str) -> Any:
    """The store, or the first of several paths, as its release."""
    from cranfield.store.releases.names import at_release

    first, *rest = store if isinstance(store, list | tuple) else [store]
    named = at_release(first, release)
    return [named, *rest] if isinstance(store, list | tuple) else named
