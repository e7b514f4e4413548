"""Names of measures as text: lists of them, and as ir_measures, trec_eval and ranx write them, where that differs.

Most names are the same, or are synonyms in the table of measures. Here are the rest: options with other names, and
measure objects of ir_measures, which have to give ir_measures' numbers.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

NOTATION = re.compile(r"(?P<name>[^\s(@]+?)\s*(\((?P<options>[^()]*)\))?\s*(@\s*(?P<at>\S+?))?(-l(?P<level>\d+))?")
GAINS = re.compile(r"gains=\{(?P<pairs>[^{}]*)\}")
RANX_RBP = re.compile(r"rbp[.@](?P<p>\d+)(-l(?P<level>\d+))?")
OWN = "cranfield_measure"  # the attribute of an object of ir_measures that stands for a measure of ours
Options = Mapping[str, str]
Rule = Callable[[str, Options], tuple[str, Options]]


@runtime_checkable
class ForeignMeasure(Protocol):
    """A measure object of ir_measures; its str is its name."""

    NAME: Any


def in_our_notation(given: str | ForeignMeasure) -> str:
    """The name of a measure given by its name here, in ir_measures, trec_eval or ranx, or as ir_measures' object.

    >>> in_our_notation("nDCG(dcg='exp-log2')@10"), in_our_notation("NumRet(rel=2)"), in_our_notation("set_F_4")
    ('nDCG(gains=exp)@10', 'NumRelRet(rel=2)', 'F(beta=2)')
    >>> in_our_notation("nDCG(gains={0:1,2:4})@10"), in_our_notation("rbp.80-l2")
    ('nDCG(gains="0=1,2=4")@10', 'RBP(p=0.80,gains="1=0",normalize=False)')
    >>> in_our_notation("ndcg_cut.10"), in_our_notation("map@100-l2"), in_our_notation("AP( rel=2 )@100")
    ('ndcg_cut_10', 'map(rel=2)@100', 'AP( rel=2 )@100')
    """
    return _translated(str(given).strip(), not isinstance(given, str))


@lru_cache
def _translated(given: str, is_object: bool) -> str:
    text = GAINS.sub(_listed, given)
    written = NOTATION.fullmatch(text)
    if written is None:
        return text
    ranx = RANX_RBP.fullmatch(text)
    if ranx:
        return _rank_biased(ranx["p"], int(ranx["level"] or 1))
    before: tuple[str, Options] = (written["name"], _options(written["options"] or ""))
    found = before
    for rule in (*RULES, *OF_OBJECTS) if is_object else RULES:
        found = rule(*found)
    if written["level"]:
        found = (found[0], {**found[1], "rel": written["level"]})
    return text if found == before else _written(*found, at=written["at"])


def _options(text: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    return {name.strip(): value.strip() for name, _, value in parts}


def _written(name: str, options: Options, at: str | None) -> str:
    inner = ",".join(f"{option}={value}" for option, value in options.items())
    return name + (f"({inner})" if inner else "") + (f"@{at}" if at else "")


def _listed(gains: re.Match[str]) -> str:
    """ir_measures writes gains as a dict; grades that it does not name keep their own there, too."""
    pairs = [pair.partition(":") for pair in gains["pairs"].split(",") if pair.strip()]
    return 'gains="' + ",".join(f"{grade.strip()}={gain.strip()}" for grade, _, gain in pairs) + '"' if pairs else ""


def _rank_biased(p: str, level: int) -> str:
    """ranx has the digits of p after a dot, and takes a relevant document's grade for its gain as it is."""
    gains = ",".join(f"{grade}=0" for grade in range(1, level)) or "linear"
    return f'RBP(p=0.{p},gains="{gains}",normalize=False)'


def _dots(name: str, options: Options) -> tuple[str, Options]:
    """trec_eval takes its parameters after a dot and prints them after an underscore."""
    return re.sub(r"^([A-Za-z](?:\w*[A-Za-z])?)\.([\d.]+)$", r"\1_\2", name), options


def _squared_beta(name: str, options: Options) -> tuple[str, Options]:
    """The parameter of trec_eval's set_F is the square of beta."""
    found = re.fullmatch(r"set_F_(\d+\.?\d*|\.\d+)", name)
    return ("F", {**options, "beta": f"{float(found[1]) ** 0.5:.17g}"}) if found else (name, options)


def _gains(name: str, options: Options) -> tuple[str, Options]:
    """ir_measures says with `dcg` what `gains` says here."""
    if options.get("dcg", "").strip("\"'") not in {"log2", "exp-log2"}:
        return name, options
    rest = {option: value for option, value in options.items() if option != "dcg"}
    return name, rest if "exp" not in options["dcg"] else {"gains": "exp", **rest}


def _relevant_retrieved(name: str, options: Options) -> tuple[str, Options]:
    """ir_measures' NumRet with a grade counts the relevant ones."""
    return ("NumRelRet" if name == "NumRet" and "rel" in options else name), options


def _relative(name: str, options: Options) -> tuple[str, Options]:
    """ir_measures' SetP has a switch for what is trec_eval's set_relative_P."""
    if name != "SetP" or "relative" not in options:
        return name, options
    rest = {option: value for option, value in options.items() if option != "relative"}
    return ("SetRelP" if options["relative"] == "True" else name), rest


def _scale(name: str, options: Options) -> tuple[str, Options]:
    """ir_measures names both ends of the grades; here the lower is 0."""
    if "max_rel" not in options or options.get("min_rel", "0") != "0":
        return name, options
    rest = {option: value for option, value in options.items() if option not in ("min_rel", "max_rel")}
    return name, {**rest, "max_grade": options["max_rel"]}


def _gdeval(name: str, options: Options) -> tuple[str, Options]:
    """ir_measures takes ERR from gdeval, whose scale always ends at 4."""
    return name, {"max_grade": "4", **options} if name == "ERR" else options


def _beta_of_trec_eval(name: str, options: Options) -> tuple[str, Options]:
    """ir_measures hands the beta of SetF to trec_eval, which takes it for its square."""
    if name != "SetF" or "beta" not in options:
        return name, options
    return name, {**options, "beta": f"{float(options['beta']) ** 0.5:.17g}"}


RULES: tuple[Rule, ...] = (
    _dots,
    _squared_beta,
    _gains,
    _relevant_retrieved,
    _relative,
    _scale,
)
OF_OBJECTS: tuple[Rule, ...] = (_gdeval, _beta_of_trec_eval)


MEASURE = re.compile(r"""(?:[^,"'(){}]|"[^"]*"|'[^']*'|\{[^{}]*\}|\((?:[^()"']|"[^"]*"|'[^']*')*\))+""")


def measures_in(text: str) -> list[str]:
    """The measures of a list; a text that is none stays as it is, and is refused for what it is.

    >>> measures_in("AP, P@10"), measures_in("AP(rel=2")
    (['AP', 'P@10'], ['AP(rel=2'])
    """
    names = MEASURE.findall(text)
    return [name.strip() for name in names] if ",".join(names) == text else [text]
