"""The kinds of texts that stay English on the pages of any language, with the modules that write them.

docs/translating.md has one row for each kind. A text belongs to a kind if the modules have literals or
f-strings that write at least half of it.
"""

import ast
import re
from calendar import month_abbr, month_name
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "cranfield"


class EnglishKind(NamedTuple):
    """The modules that write the texts of a kind, and a pattern of other texts of this kind."""

    modules: tuple[str, ...]
    pattern: str = "(?!)"  # matches nothing


_MONTHS = "|".join(name.lower() for names in (month_name, month_abbr) for name in names if name)
_NUMBER_WORDS = f"of|to|for|from|at|recall|labels?|topics?|grade|pooled|ap|{_MONTHS}|utc"
ENGLISH_KINDS = {
    "Sentences and tables of the analysis": EnglishKind(
        ("analysis", "arrays", "report", "cluster.py", "judging/agreement", "judging/adjudication", "judging/labels"),
        "|".join(
            (
                r".* falls 0 ranks, .*|the [a-z]+ of .* falls from 0 to 0; the run moves .*",
                r"0 labels?, all by people|grade 0.*|0 of 0 documents here is not in the corpus, .*",
                r"0 [a-z ]+(, 0 [a-z ]+)* \(relevant from 0|0 \(paired t test",
                r"planned|unplanned|0 of 0 runs dropped; .*|in pool 0 \(.*",
                r"the kinds of the pooled runs are unknown, .*",
            )
        ),
    ),
    "Charts of the analysis": EnglishKind(
        ("charts",), r"(mean|largest|run0): 0 at .*|.*: rank 0 as judged, .*|team0, not pooled"
    ),
    "Codes": EnglishKind(
        ("selection.py", "analysis/comparison.py", "features/*/measures", "features/*/analysis", "features/online"),
        "people, otherwise models|hypergeometric|knee0?|qbcb:0",
    ),
    "Numbers, dates and intervals": EnglishKind((), rf"(({_NUMBER_WORDS}|[a-z]*0|[^a-z]+)( |$|(?<=[^a-z0 ])))+"),
    "Headings between the parts of a text to label": EnglishKind((), r"(answer|document) 0 of 0"),
    "Words of the programs that read TOML, JSON and zip files": EnglishKind(
        (), r"(0: )?(invalid statement|expect(ed|ing) .*|b'.*'|not utf-0.*)|.*: read as tsv \(id tab text"
    ),
    "The template of a task's description": EnglishKind(("features/tasks/description.py",)),
}
MIN_SHARE = 0.5  # of the letters of a text
MIN_LITERAL_SHARE = 0.4  # of the letters of a sentence that an f-string writes
LONG = 4  # words of a literal that counts wherever it stands
VALUE = "\N{NULL}"


def normalise_text(text: str) -> str:
    """Return a text in lower case, with its numbers as 0.

    >>> normalise_text("AP of 1,000  runs:")
    'ap of 0 runs'
    """
    return " ".join(re.sub(r"\d+([.,:]\d+)*", "0", text).lower().split()).strip(" .,:;()-\N{EM DASH}")


def kind_of_text(text: str) -> str | None:
    """Return the kind of English text to which a text belongs; None if it belongs to none.

    >>> kind_of_text("Krippendorff's alpha is 0.50: disagreement is 50% of the disagreement of random labels")
    'Sentences and tables of the analysis'
    >>> kind_of_text("Choose the topics that you would like to see")
    """
    line = normalise_text(text)
    for kind, written_by in ENGLISH_KINDS.items():
        if re.fullmatch(written_by.pattern, line) or _known_share(line, kind) >= MIN_SHARE:
            return kind
    return None


def _known_share(text: str, kind: str) -> float:
    """The share of letters in sentences that the modules write, and in long literals."""
    templates, literals = _templates(kind)
    if text in literals or _is_written(text, templates):
        return 1.0
    parts = [normalise_text(part) for part in re.split(r"[.;:] ", text)]
    rest = "\n".join(part for part in parts if part not in literals and not _is_written(part, templates))
    for literal in literals:
        if literal.count(" ") >= LONG - 1:
            rest = rest.replace(literal, "")
    return 1 - _n_letters(rest) / max(_n_letters(text), 1)


def _is_written(text: str, templates: Iterable[tuple[re.Pattern[str], int]]) -> bool:
    least = MIN_LITERAL_SHARE * _n_letters(text)
    return any(n_letters >= least and template.fullmatch(text) for template, n_letters in templates)


def _n_letters(text: str) -> int:
    return sum(map(str.isalpha, text))


@cache
def _templates(kind: str) -> tuple[list[tuple[re.Pattern[str], int]], frozenset[str]]:
    """The f-strings of the modules as patterns with their numbers of letters, and the literals."""
    templates, literals = dict[str, int](), set[str]()
    for file in {file for pattern in ENGLISH_KINDS[kind].modules for file in _modules(pattern)}:
        for text in _texts(ast.parse(file.read_text("utf-8"))):
            for line in re.sub(r"\{[^}]*\}|%\(\w+\)s", VALUE, text).splitlines():
                literals |= {
                    part
                    for part in map(normalise_text, re.split(f"{VALUE}|[.;:] ", line))
                    if re.search("[a-z]{2}", part)
                }
                if VALUE in line and " " in (template := normalise_text(line)):
                    templates[re.escape(template).replace(re.escape(VALUE), ".*")] = _n_letters(template)
    return [(re.compile(template), number) for template, number in templates.items()], frozenset(literals)


def _modules(pattern: str) -> Iterator[Path]:
    for path in PACKAGE.glob(pattern):
        yield from path.rglob("*.py") if path.is_dir() else [path]


def _texts(tree: ast.Module) -> Iterator[str]:
    """The literals and the f-strings, with VALUE in place of each value."""
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | inner:
            yield node.value
