"""Laws that every extension keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from inspect import Parameter, isfunction, signature

import numpy as np

from cranfield.commands.subject import SubjectOptions
from cranfield.extension import Extension
from cranfield.formats.records import CORE_KINDS, Document
from cranfield.hooks import INTERFACE, features, file_kinds
from cranfield.metrics.inputs import as_runs
from cranfield.store.removal import TAKE_BACK, Removers
from cranfield.store.schema import FeaturePart
from cranfield.store.store import Store
from cranfield.store.tables import Tables
from cranfield.testing.checks import run_checks

EXTENSION_METHODS = {name: method for name, method in vars(Extension).items() if isfunction(method) and name != "load"}


def check_extension(extension: Extension, exempt: Mapping[str, str] | None = None) -> None:
    """
    Check that an extension keeps the laws of extensions.

    The measures, pooling methods and formats of the extension have laws of
    their own: `check_measure`, `check_pooling_method` and `check_format`.

    Parameters
    ----------
    extension : Extension
        The extension.
    exempt : mapping of str to str, optional
        Laws that the extension does not keep, by name, each with the reason.
        `cranfield.testing.EXTENSION_LAWS` lists the names.

    Raises
    ------
    AssertionError
        If the extension breaks a law, with the extension and the law; or if it
        keeps a law from which it is exempt.
    ValueError
        If `exempt` names an unknown law.

    Examples
    --------
    >>> class Hats(Extension):
    ...     name, interface = "hats", INTERFACE
    >>> check_extension(Hats())
    """
    laws = {name: partial(law, extension) for name, law in EXTENSION_LAWS.items()}
    run_checks(extension.name, laws, exempt or {})


def check_interface(extension: Extension) -> None:
    """Check that a package states the interface that it was written for, and that the name is one word."""
    name, stated = extension.name, extension.interface
    assert name.replace("-", "_").isidentifier(), f"its name is {name!r}; expected one word, such as 'online'"
    if extension.package.partition(".")[0] != "cranfield":
        assert stated == INTERFACE, f"it states interface = {stated}; expected interface = {INTERFACE}"


def check_methods(extension: Extension) -> None:
    """Check that each public method is one of a base class, with the same parameters."""
    bases = [base for base in type(extension).__mro__[1:] if issubclass(base, Extension)]
    for name, method in vars(type(extension)).items():
        if isfunction(method) and not name.startswith("_"):
            expected = next((vars(base)[name] for base in bases if name in vars(base)), None)
            assert expected, f"{name} is not a method of Extension; expected one of {', '.join(EXTENSION_METHODS)}"
            found, wanted = _parameters(method), _parameters(expected)
            assert found == wanted, f"{name} takes {', '.join(found)}; expected {', '.join(wanted)}"


def _parameters(method: Callable[..., object]) -> list[str]:
    """The parameters of a method, as they are written without types."""
    return [str(one.replace(annotation=Parameter.empty)) for one in signature(method).parameters.values()]


def check_commands(extension: Extension) -> None:
    """Check that there is a function for each command, and that each group has a purpose."""
    for commands in extension.commands:
        module = import_module(f"{extension.package}.{commands.module}")
        group = commands.group.rpartition(" ")[2]
        for word in commands.names.split():
            name = word.replace("-", "_")
            found = [getattr(module, known, None) for known in (f"{group}_{name}", name, f"{name}_")]
            assert any(map(callable, found)), f"{commands.module} has no function {name} for the command {word}"
    for group, purpose in extension.groups.items():
        assert purpose, f"the group {group!r} has no purpose"


def check_options(extension: Extension) -> None:
    """Check that each record of added options has defaults, and a function or a subject that they are for."""
    for added in extension.added_options:
        record = extension.load(added.options)
        assert record() == record(), f"{added.options} has no defaults"
        assert not added.at or callable(extension.load(added.at)), f"{added.at} is not a function"
        is_maker = issubclass(record, SubjectOptions)
        assert is_maker == bool(added.subject), (
            f"{added.options} needs both a method `subject` and its class, or neither"
        )


def check_tables(extension: Extension) -> None:
    """Check that tables of stores are Tables, whose SQL makes each table that they describe."""
    for place in extension.tables:
        tables = extension.load(place)
        assert isinstance(tables, Tables), f"{place} is a {type(tables).__name__}; expected Tables"
        made = " ".join(FeaturePart.from_tables(extension.name, place, tables).statements())
        for table in tables.tables:
            assert f"CREATE TABLE {table.name} " in made, f"{place} describes {table.name}, which its SQL does not make"


def check_formats(extension: Extension) -> None:
    """Check that formats are of the kind that was asked for, each with a name of its own."""
    for kind in (*CORE_KINDS, *file_kinds()):
        formats = extension.formats(kind)
        names = [form.name for form in formats]
        assert len({*names}) == len(names), f"two formats of {kind} have one name: {', '.join(names)}"
        for form in formats:
            assert form.kind == kind, f"{form.name} is a format of {form.kind}; expected one of {kind}"


def check_new_store(extension: Extension) -> None:
    """Check that a new store without rows has nothing of the extension, and takes documents and runs."""
    with Store.memory("new") as store:
        extension.verify(store)
        if extension.name in features():
            check_rows(extension, store)
        for found in (extension.judged_apart(store), extension.unranked_runs(store)):
            assert not found, f"it finds {found} in a new store"
        removers = extension.removers() or Removers()
        assert not removers.run(store, "tag"), "it removes something of a run that is not in the store"
        core = removers.imports.keys() & TAKE_BACK.keys()
        assert not core, f"it undoes imports of {', '.join(sorted(core))}, as the core does"
        documents = [Document("d1", "a title", "a text")]
        assert [one.docno for one in extension.new_documents(store, documents)] == ["d1"], "it changes new documents"
        runs, _ = extension.new_runs(store, as_runs({"tag": {"1": {"d1": 1.0}}}), {})
        assert [*runs.tags] == ["tag"], f"it makes the runs {runs.tags} of one run"
        named = removers.used_documents(store, np.zeros(0, np.int64))
        assert not len(named), f"it names the documents {named} of a new store"


def check_rows(extension: Extension, store: Store) -> None:
    """Check that the declarations of tables count no row of a new store."""
    for tables in map(extension.load, extension.tables):
        counted = {f"SELECT count(*) FROM {table}": () for table in tables.counts.values()}
        for query, values in {**counted, **{use.query: (1,) for use in tables.topic_uses}}.items():
            assert store.rows(query, values)[0][0] == 0, f"{query!r} finds rows in a new store"


EXTENSION_LAWS: Mapping[str, Callable[[Extension], None]] = {
    "interface": check_interface,
    "methods": check_methods,
    "commands": check_commands,
    "options": check_options,
    "tables": check_tables,
    "formats": check_formats,
    "new_store": check_new_store,
}
