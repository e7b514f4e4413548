"""trec_eval's names whose parameter is not what this project writes after @: utility_2,-1,0,0, ndcg_1=3,2=9, rbp_p=0.8.

The name before the parameter may stand alone; then the defaults are trec_eval's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Options = Mapping[str, str]
NUMBERS = r"[-+\d.,]+"
PAIRS = r"[-+\d.,=p]+"


def utility(parameter: str) -> dict[str, str]:
    """Up to four weights, by their order.

    >>> utility("2,-1")
    {'p1': '2', 'p2': '-1'}
    """
    return {f"p{place}": weight for place, weight in enumerate(parameter.split(","), 1) if weight}


def gains(parameter: str) -> dict[str, str]:
    """A list of gains."""
    return {"gains": f'"{parameter}"'} if parameter else {}


def points(parameter: str) -> dict[str, str]:
    """A list of recall points."""
    return {"points": f'"{parameter}"'} if parameter else {}


def persistence(parameter: str) -> dict[str, str]:
    """How probably a reader goes on, .9 unless said.

    >>> persistence("p=0.8"), persistence("")
    ({'p': '0.8'}, {'p': '0.9'})
    """
    return {"p": parameter.removeprefix("p=") or "0.9"}


def persistence_and_gains(parameter: str) -> dict[str, str]:
    """The p of rank-biased precision and its list of gains, both by their names.

    >>> persistence_and_gains("1=0.3,p=0.8,2=1")
    {'p': '0.8', 'gains': '"1=0.3,2=1"'}
    """
    parts = parameter.split(",")
    rest = ",".join(part for part in parts if not part.startswith("p="))
    p = next((part for part in parts if part.startswith("p=")), "")
    return {**persistence(p), "gains": f'"{rest}"' if rest else '"linear"'}


NAMES: Mapping[str, tuple[str, str, Callable[[str], dict[str, str]]]] = {
    "utility": ("Utility", NUMBERS, utility),
    "ndcg": ("nDCG", PAIRS, gains),
    "ndcg_rel": ("nDCGrel", PAIRS, gains),
    "Rndcg": ("RnDCG", PAIRS, gains),
    "G": ("G", PAIRS, gains),
    "dcg": ("DCG", PAIRS, gains),
    "ideal_dcg": ("IDCG", PAIRS, gains),
    "11pt_avg": ("AP11", NUMBERS, points),
    "rbp": ("RBP", PAIRS, persistence_and_gains),
    "rbp_resid": ("RBPresid", r"(?:p=)?[\d.]+", persistence),
}


def from_trec_eval(name: str, options: Options) -> tuple[str, Options]:
    """The name and the options of a measure that trec_eval calls so; others as they are.

    >>> from_trec_eval("utility_2,-1,0,0", {})
    ('Utility', {'p1': '2', 'p2': '-1', 'p3': '0', 'p4': '0'})
    >>> from_trec_eval("rbp", {}), from_trec_eval("ndcg_cut_10", {})
    (('RBP', {'p': '0.9', 'gains': '"linear"'}), ('ndcg_cut_10', {}))
    """
    for known, (ours, right, read) in NAMES.items():
        found = re.fullmatch(rf"{known}(?:[_.]({right}))?", name)
        if found:
            return ours, {**read(found[1] or ""), **options}
    return name, options
