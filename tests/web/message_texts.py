"""The texts of messages in the code below the pages: of errors everywhere, and all sentences of some modules."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cranfield.web.messages import CLAUSE_END, PLACEHOLDER

ROOT = Path(__file__).parents[2]
WITH_ERRORS = (  # folders whose errors pages may show
    "cranfield/*.py", "cranfield/analysis", "cranfield/commands", "cranfield/features", "cranfield/formats",
    "cranfield/report", "cranfield/search", "cranfield/store", "cranfield/web", "judging", "metrics/notation*",
    "metrics/measure*", "metrics/inputs.py", "metrics/frames.py", "pooling",
)  # fmt: skip
WITHOUT = ("features/models/asking", "features/online/", "features/models/commands", "frontends/")
WITH_SENTENCES = (  # modules whose other sentences pages show as well
    "cranfield/analysis/pools.py",
    "cranfield/commands/*import*.py",
    "cranfield/commands/run*.py",
    "cranfield/commands/transfers.py",
    "cranfield/features/answers/judging",
    "cranfield/features/answers/pages.py",
    "cranfield/features/answers/settling.py",
    "cranfield/features/answers/store",
    "cranfield/features/answers/transfers.py",
    "cranfield/features/briefing/p*.py",
    "cranfield/features/collecting/*.py",
    "cranfield/features/collecting/finding/[d-z]*.py",
    "cranfield/features/online/upload.py",
    "cranfield/features/organising",
    "cranfield/features/preferences/[f-w]*.py",
    "cranfield/features/tasks/[cdrsuw][ehnourcit]*.py",
    "cranfield/formats/[flrt]*.py",
    "cranfield/formats/jsonl.py",
    "cranfield/formats/runs",
    "cranfield/search/systems.py",
    "cranfield/source.py",
    "cranfield/store/brief_imports.py",
    "cranfield/store/bundles",
    "cranfield/store/corpus.py",
    "cranfield/store/named_rows.py",
    "cranfield/store/names.py",
    "cranfield/store/removal.py",
    "judging/adjudication",
    "judging/planning",
    "judging/session",
    "pooling/stored",
)
TERMINAL = re.compile(r"(?<![\w-])--?[a-z]|`|\bcranfield\b|\\n")
SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|FROM|WHERE|JOIN|AND|OR|ORDER BY|NULL|AS|EXISTS|ON|IN|IS|BY|count\()"
)
CODE = re.compile(r"[\w.%()]+|.*(==?| = ).*")  # a name, or what is compared
NO_MESSAGES = {"Option", "compile", "execute", "executemany", "rows", "value", "fullmatch", "search", "sub", "split",
               "strftime", "has_rows", "translatable", "gettext", "ngettext", "warn", "Annotated"}  # fmt: skip


class MessageTexts(NamedTuple):
    """The texts, each with the files that have it, and the nouns that are counted."""

    texts: Mapping[str, frozenset[str]]
    nouns: Mapping[tuple[str, str], frozenset[str]]


def python_files(patterns: Iterable[str]) -> Iterator[Path]:
    """The modules in folders, without those that no page uses."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
            yield from (file for file in found if not any(part in file.as_posix() for part in WITHOUT))


@cache
def find_message_texts() -> MessageTexts:
    """Find the texts of all messages."""
    texts, nouns = dict[str, set[str]](), dict[tuple[str, str], set[str]]()
    errors, sentences = {*python_files(WITH_ERRORS)}, {*python_files(WITH_SENTENCES)}
    for file in sorted(errors | sentences):
        tree = ast.parse(file.read_text("utf-8"))
        name = file.relative_to(ROOT).as_posix()
        nodes = [*ast.walk(tree)]
        roots: list[ast.AST] = [tree] if file in sentences else [
            argument for node in nodes if is_error(node) for argument in message_arguments(node)
        ]  # fmt: skip
        for root in roots:
            for text in texts_in(root):
                for clause in clauses_of(text):
                    texts.setdefault(clause, set()).add(name)
        for node in nodes:
            if noun := counted_noun(node):
                nouns.setdefault(noun, set()).add(name)
    return MessageTexts(
        {text: frozenset(files) for text, files in texts.items()},
        {noun: frozenset(files) for noun, files in nouns.items()},
    )


def called_name(node: ast.AST) -> str:
    """The name of the function that a call calls."""
    if not isinstance(node, ast.Call):
        return ""
    return str(getattr(node.func, "id", "") or getattr(node.func, "attr", ""))


def is_error(node: ast.AST) -> bool:
    """Whether a call makes an error."""
    return called_name(node).endswith("Error")


def message_arguments(node: ast.AST) -> list[ast.expr]:
    return [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else []


def counted_noun(node: ast.AST) -> tuple[str, str] | None:
    """The noun of `counted(number, "run")` with its plural."""
    if called_name(node) != "counted" or not isinstance(node, ast.Call):
        return None
    values = [one.value for one in node.args[1:] if isinstance(one, ast.Constant)]
    words = [one for one in values if isinstance(one, str)]
    if not words or len(words) < len(values):
        return None
    return words[0], words[1] if len(words) > 1 else f"{words[0]}s"


def texts_in(root: ast.AST) -> Iterator[str]:
    """Yield the literals and the f-strings of a tree, with a name in place of each value."""
    if called_name(root) in NO_MESSAGES:
        return
    if isinstance(root, ast.JoinedStr):
        yield template_of(root)
        for part in root.values:
            if isinstance(part, ast.FormattedValue):
                yield from texts_in(part.value)
        return
    if isinstance(root, ast.Constant):
        if isinstance(root.value, str):
            yield root.value.replace("%", "%%") if PLACEHOLDER.search(root.value) else root.value
        return
    children = [*ast.iter_child_nodes(root)]
    body = getattr(root, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    for child in children:
        is_docstring = child is first and isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not is_docstring:
            yield from texts_in(child)


def template_of(node: ast.JoinedStr) -> str:
    """The text of an f-string.

    >>> tree = ast.parse('f"{name!r} has {len(rows):,} of {limit} {rows}"', mode="eval").body
    >>> template_of(tree)
    '%(name)s has %(rows)s of %(limit)s %(rows2)s'
    """
    names, written = dict[str, str](), list[str]()
    for part in node.values:
        if isinstance(part, ast.Constant):
            written.append(str(part.value).replace("%", "%%"))
        elif isinstance(part, ast.FormattedValue):
            source = ast.unparse(part)
            if source not in names:
                name, number = name_of_value(part.value), 2
                while (unique := name if number == 2 else f"{name}{number - 1}") in names.values():
                    number += 1
                names[source] = unique
            written.append(f"%({names[source]})s")
    return "".join(written)


def name_of_value(node: ast.expr) -> str:
    """A name for a value in a text, after the variable that has it."""
    if isinstance(node, ast.Name):
        return node.id.strip("_").lower() or "value"
    if isinstance(node, ast.Attribute):
        return node.attr.strip("_").lower()
    if noun := counted_noun(node):
        return re.sub(r"\W+", "_", noun[1])
    if isinstance(node, ast.Subscript):
        key = node.slice
        return (
            str(key.value)
            if isinstance(key, ast.Constant) and str(key.value).isidentifier()
            else name_of_value(node.value)
        )
    if isinstance(node, ast.Call):
        inner = next((one for one in ast.walk(node) if isinstance(one, ast.Name) and one is not node.func), None)
        return name_of_value(inner) if inner is not None else called_name(node).strip("_").lower() or "value"
    inner = next((one for one in ast.walk(node) if isinstance(one, ast.Name)), None)
    return name_of_value(inner) if inner is not None else "value"


def clauses_of(text: str) -> Iterator[str]:
    """Yield the clauses of a text that pages may show, without those for a terminal.

    >>> [*clauses_of("no run %(tag)s; import it with `cranfield import`; expected a tag")]
    ['no run %(tag)s', 'expected a tag']
    """
    if SQL.search(text) or not text.strip().isprintable():
        return
    for part in CLAUSE_END.split(text):
        clause = part.strip().rstrip(".;")
        words = re.findall("[A-Za-z]{2,}", PLACEHOLDER.sub("", clause))
        if TERMINAL.search(clause) or CODE.fullmatch(clause) or not words:
            continue
        if "%(" in clause or len(words) > 1:
            yield clause
