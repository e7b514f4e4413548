"""The mutants that a seed draws from the code, and the code with a switch for each of them."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FOLDERS = ("metrics", "pooling", "cranfield/arrays", "judging/session")
SWITCH = "mutant_is_active"  # the function that the code asks for each mutant

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change of one expression: its place, and the code before and after.

    `number` counts the changes of a function, so that a mutant can be found in another commit.
    """

    path: str
    function: str
    number: int
    line: int
    operator: str
    before: str
    after: str

    def to_json(self) -> dict[str, Any]:
        """Return the fields of the mutant."""
        return asdict(self)

    def is_same_change(self, other: Mutant) -> bool:
        """Return whether both change the same expression of the same function in the same way."""
        return all(
            getattr(self, name) == getattr(other, name) for name in ("path", "function", "operator", "before", "after")
        )


def mutate_expression(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the changes of an expression, each with the name of its operator.

    >>> [(name, ast.unparse(changed)) for name, changed in mutate_expression(ast.parse("a < b", mode="eval").body)]
    [('comparison', 'a <= b')]
    """
    match node:
        case ast.Compare(left, [operator, *operators], comparators):
            yield "comparison", ast.Compare(left, [COMPARISONS[type(operator)](), *operators], comparators)
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            yield "arithmetic", ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield "boolean", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield "boolean", ast.Call(ast.Name("bool", ast.Load()), [operand], [])
        case ast.UnaryOp(ast.USub(), operand):
            yield "arithmetic", operand
        case ast.Constant(bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield "constant", ast.Constant(value + 1)


class Instrument(ast.NodeTransformer):
    """Number the changes inside the functions of a module, and put a switch where a change was drawn.

    Annotations, default values, decorators and the fields of f-strings stay as they are: they are evaluated when the
    module is imported, or they are text.
    """

    def __init__(self, path: str, chosen: dict[int, int] | None = None) -> None:
        self.path, self.chosen = path, chosen or {}
        self.found: list[Mutant] = []
        self._names: list[str] = []
        self._depth = 0  # number of functions around the code that is visited
        self._counts: dict[str, int] = {}

    def visit_FunctionDef(self, node: Any) -> Any:
        """Change only the body."""
        self._names.append(node.name)
        self._depth += 1
        node.body = [self.visit(statement) for statement in node.body]
        self._depth -= 1
        self._names.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """Change the methods of a class."""
        self._names.append(node.name)
        depth, self._depth = self._depth, 0
        node.body = [self.visit(statement) for statement in node.body]
        self._depth = depth
        self._names.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """Change only the body."""
        self._depth += 1
        node.body = self.visit(node.body)
        self._depth -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Keep the annotation."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        """Keep text."""
        return node

    def visit_match_case(self, node: ast.match_case) -> Any:
        """Keep the pattern."""
        node.guard = self.visit(node.guard) if node.guard else None
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        """Return None instead of a value."""
        value, line = node.value, node.lineno
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return node
        text = ast.unparse(value)
        node.value = self.visit(value)
        return ast.Return(self._switch("return", line, text, node.value, ast.Constant(None)))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Use another operator."""
        text, line, operator = ast.unparse(node), node.lineno, type(node.op)
        node.value = self.visit(node.value)
        if operator not in ARITHMETIC:
            return node
        other = ast.AugAssign(node.target, ARITHMETIC[operator](), node.value)
        index = self._number("arithmetic", line, text, ast.unparse(other))
        return node if index is None else ast.If(_ask(index), [other], [node])

    def generic_visit(self, node: ast.AST) -> Any:
        """Change an expression after the expressions inside it."""
        changes = [] if isinstance(node, ast.stmt) else list(mutate_expression(node))
        texts = [(name, ast.unparse(node), ast.unparse(changed)) for name, changed in changes]
        line = getattr(node, "lineno", 0)
        result: Any = super().generic_visit(node)
        for name, before, after in texts:
            changed = dict(mutate_expression(node))[name]
            index = self._number(name, line, before, after)
            if index is not None:
                result = ast.IfExp(_ask(index), changed, result)
        return result

    def _switch(self, operator: str, line: int, text: str, value: ast.expr, changed: ast.expr) -> ast.expr:
        index = self._number(operator, line, text, ast.unparse(changed))
        return value if index is None else ast.IfExp(_ask(index), changed, value)

    def _number(self, operator: str, line: int, before: str, after: str) -> int | None:
        if not self._depth:
            return None
        function = ".".join(self._names)
        number = self._counts[function] = self._counts.get(function, -1) + 1
        self.found.append(Mutant(self.path, function, number, line, operator, before, after))
        return self.chosen.get(len(self.found) - 1)


def _ask(index: int) -> ast.expr:
    return ast.Call(ast.Name(SWITCH, ast.Load()), [ast.Constant(index)], [])


def find_mutants(root: Path, folders: Sequence[str] = FOLDERS) -> list[Mutant]:
    """Find every change that can be made in the modules of some folders."""
    paths = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
    found: list[Mutant] = []
    for path in paths:
        instrument = Instrument(path.relative_to(root).as_posix())
        instrument.visit(ast.parse(path.read_text("utf-8")))
        found += instrument.found
    return found


def draw_mutants(root: Path, count: int, seed: int) -> list[Mutant]:
    """Draw mutants with a seed; each change of the code is as likely as any other."""
    found = find_mutants(root)
    return sorted(random.Random(seed).sample(found, count), key=lambda mutant: (mutant.path, mutant.line))


def find_again(root: Path, mutants: Sequence[Mutant]) -> list[Mutant | None]:
    """Find mutants of one commit in another; None stands for a change that is not possible there."""
    found = find_mutants(root)
    again: list[Mutant | None] = []
    for mutant in mutants:
        same = [other for other in found if other.is_same_change(mutant)]
        again.append(min(same, key=lambda other: abs(other.number - mutant.number), default=None))
    return again


def write_switches(root: Path, mutants: Sequence[Mutant | None]) -> None:
    """Write the modules with a switch for each mutant; without an active mutant they compute the same as before."""
    for path in sorted({mutant.path for mutant in mutants if mutant}):
        before = ast.parse((root / path).read_text("utf-8"))
        finder = Instrument(path)
        finder.visit(ast.parse((root / path).read_text("utf-8")))
        chosen = {finder.found.index(mutant): index for index, mutant in enumerate(mutants) if mutant in finder.found}
        changed = Instrument(path, chosen).visit(before)
        place = next(
            (
                position
                for position, statement in enumerate(changed.body)
                if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")
                and not (position == 0 and isinstance(statement, ast.Expr))
            ),
            len(changed.body),
        )
        changed.body.insert(place, ast.ImportFrom("mutant_switch", [ast.alias(SWITCH)], 0))
        (root / path).write_text(ast.unparse(ast.fix_missing_locations(changed)) + "\n", "utf-8")
