"""The prose of Python modules: docstrings by their parts, and strings by what they are for."""

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Literal, NamedTuple

from tests.words.splitting import Line

Use = Literal["help", "docstring", "option", "message", "repr", "text"]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
SECTIONS = {"Parameters", "Returns", "Yields", "Raises", "Warns", "Attributes", "Notes", "Other Parameters", "Methods"}
REPRS = {"__repr__", "__str__", "_repr_html_", "title", "caption"}
OPTIONS = {"Option", "Argument", "OptionGroup"}
NOTES = {"note", "warn", "say", "summary", "notes", "add_note", "tell", "complain"}
NOT_PROSE = {"compile", "execute", "executemany", "executescript", "Commands", "Functions", "split", "sub", "query"}
WITHOUT_TEXT = (
    ast.Name,
    ast.Constant,
    ast.Import,
    ast.ImportFrom,
    ast.Global,
    ast.Pass,
    ast.expr_context,
    ast.operator,
)
PROSE_WORD = re.compile(r"(?<![\w{.`/-])[a-zA-Z][a-z']*(?![\w}(=/])")
WORDS = 4  # of a string, at least, to count as prose
SHORTEST = 16  # characters of a string, at least
SHARE = 0.6  # of its tokens that are words
FOREIGN = re.compile(
    r"\b(?:SELECT|INSERT INTO|INSERT OR|UPDATE \w+ SET|DELETE FROM|CREATE|DROP|PRAGMA|LEFT JOIN|ORDER BY|GROUP BY)\b"
    r"|\\[dswb]|\(\?[:<=!P]|[{;]\s*\w+:\s|^\s*(?:import|from|def|@media)\s|->|<svg|\bclass=\"|'none';"
)
SOURCE = re.compile(r"\bSources?: ")
GRAMMAR = re.compile(
    r"\b(?:a|all|an|and|are|as|at|be|been|but|by|can|do|does|each|every|for|from|has|have|how|if|in|is|it|its|no|nobody"
    r"|none|not|nothing|of|on|only|or|than|that|the|these|this|to|was|were|what|where|which|with|your)\b"
)
TAG = re.compile(r"<[^>{}]*>")


class Text(NamedTuple):
    """A string of a module, what it is for, and its lines."""

    use: Use
    lines: list[Line]


class Docstring(NamedTuple):
    """Blocks of a docstring: those up to its first section, which are help where it is a command's, and the others."""

    lead: list[list[Line]]
    sections: list[list[Line]]


def read_docstring(raw: str, line: int) -> Docstring:
    r"""Read the prose of a docstring that begins at a line, without examples, names of parameters and references.

    >>> text = "Add it.\n\n    Slowly.\n\n    Parameters\n    ----------\n    a : int\n        The number.\n\n"
    >>> lead, sections = read_docstring(text + "    Examples\n    --------\n    >>> f(1)\n    ", 2)
    >>> [block[0] for block in lead], [block[0] for block in sections]
    ([Line(number=2, text='Add it.'), Line(number=4, text='Slowly.')], [Line(number=9, text='The number.')])
    """
    skipped = len(raw) - len(raw.lstrip("\n"))
    lines = cleandoc(raw).splitlines()
    found = Docstring([], [])
    section, block, is_example = "", list[Line](), False
    for index, row in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        text = row.strip()
        is_heading = bool(text) and set(following.strip()) == {"-"} and len(following.strip()) > 2
        is_code = row.startswith("    ") and (not section or row.startswith("        "))
        is_name = bool(section) and section != "Notes" and not row.startswith(" ")
        is_item = text.startswith(("- ", "* "))
        is_example = bool(text) and (is_example or text.startswith((">>>", "Example: ", "JSON: ", "$ ", "cranfield ")))
        if not text or is_heading or is_code or is_name or is_item or is_example or set(text) == {"-"}:
            if block:
                (found.sections if section else found.lead).append(block)
            block = []
        if is_heading:
            section = text
        elif not text or is_code or is_name or is_example or set(text) == {"-"}:
            continue
        elif section in SECTIONS or not section:
            block.append(Line(line + skipped + index, text.removeprefix("- ").removeprefix("* ")))
    if block:
        (found.sections if section else found.lead).append(block)
    return found


def read_strings(tree: ast.Module) -> Iterator[Text]:
    r"""Yield the strings of a module that are prose, with what they are for.

    >>> source = 'def f(n):\n    "A docstring."\n    raise ValueError(f"got {n.size} runs; give " "one or two")'
    >>> list(read_strings(ast.parse(source)))
    [Text(use='message', lines=[Line(number=3, text='got {size} runs; give one or two')])]
    >>> list(read_strings(ast.parse('Depth = Annotated[int, Option("The depth of the pool.", "--depth")]')))
    [Text(use='option', lines=[Line(number=1, text='The depth of the pool.')])]
    """
    waiting: list[tuple[ast.AST, Use]] = [(tree, "text")]
    while waiting:
        node, use = waiting.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield from _prose(node.value, node, use)
        elif isinstance(node, ast.JoinedStr):
            yield from _prose(_join_parts(node), node, use)
            waiting += [(part.value, use) for part in node.values if isinstance(part, ast.FormattedValue)]
        else:
            waiting += _children(node, use)


def _children(node: ast.AST, use: Use) -> list[tuple[ast.AST, Use]]:
    """The nodes below one, with what strings there are for; not those of imports, docstrings and keys."""
    if isinstance(node, WITHOUT_TEXT) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return []
    if isinstance(node, ast.Attribute):
        return [(node.value, use)]
    if isinstance(node, ast.Call):
        return _arguments(node, use)
    if isinstance(node, ast.Dict):
        return [(value, use) for value in node.values]
    if isinstance(node, ast.Raise):
        use = "message"
    elif isinstance(node, ast.FunctionDef) and (node.name in REPRS or "title" in node.name.split("_")):
        use = "repr"
    return [(child, use) for child in ast.iter_child_nodes(node)]


def _arguments(node: ast.Call, use: Use) -> list[tuple[ast.AST, Use]]:
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in NOT_PROSE:
        return []
    use = "option" if name in OPTIONS else "message" if name in NOTES else use
    keywords: list[tuple[ast.AST, Use]] = [(one.value, "repr" if one.arg == "title" else use) for one in node.keywords]
    return [*keywords, (function, use), *((one, use) for one in node.args)]


def find_docstring(node: ast.ClassDef | FunctionNode) -> tuple[str, int] | None:
    """The docstring of a function or class as it is in the source, and its line."""
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value.value, first.lineno
    return None


def _join_parts(node: ast.JoinedStr) -> str:
    """The text of an f-string, with its placeholders as {name}."""
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else f"{{{_placeholder(part)}}}" for part in node.values
    )


def _placeholder(node: ast.expr) -> str:
    """The name of what a placeholder shows.

    >>> [_placeholder(ast.parse(text, mode="eval").body) for text in ("counted(n, 'run')", "self.name", "3 + 4")]
    ['n', 'name', 'x']
    """
    while True:
        if isinstance(node, ast.Call):
            node = node.args[0] if node.args else node.func
        elif isinstance(node, ast.FormattedValue | ast.Subscript | ast.Starred):
            node = node.value
        elif isinstance(node, ast.BinOp):
            node = node.left
        else:
            break
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "x")


def _prose(text: str, node: ast.expr, use: Use) -> Iterator[Text]:
    """Yield the parts of a string that are prose; the lines of one in triple quotes are a paragraph."""
    if " " not in text or len(text) < SHORTEST or FOREIGN.search(text):
        return
    lines = TAG.sub(" ", SOURCE.split(text)[0]).splitlines()
    is_wrapped = len(lines) > 1 and (node.end_lineno or 0) > node.lineno
    blocks: list[list[Line]] = [[]]
    for index, line in enumerate(lines):
        if not is_wrapped or not line.strip():
            blocks.append([])
        if line.strip():
            blocks[-1].append(Line(node.lineno + index * is_wrapped, line.strip()))
    yield from (Text(use, block) for block in blocks if is_prose(" ".join(line.text for line in block)))


def is_prose(text: str) -> bool:
    """Whether a text has enough words, most of its tokens are words, and one is a word of grammar.

    >>> [is_prose(text) for text in ("the runs of a store", "qid iteration docno grade", "a.b: {x} {y} of {z} = 3")]
    [True, False, False]
    """
    words = [word for word in PROSE_WORD.findall(text) if len(word) > 1 or word == "a"]
    return len(words) >= max(WORDS, SHARE * len(text.split())) and GRAMMAR.search(text) is not None
