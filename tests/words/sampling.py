"""Random samples of sentences that a person rates as plain, odd or unclear."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from tests.words.splitting import Sentence
from tests.words.surfaces import ROOT, SURFACES, sentences

RATINGS = {"p": "plain", "o": "odd", "u": "unclear"}
INTRODUCTION = """\
# Rate each sentence: write p (plain), o (odd: a native reader notices it) or u (unclear: it has to be read twice)
# between its brackets. {name} stands for a value. Then: python -m tests.words --rate FILE
"""
HEADING = re.compile(r"## (\S+)")
RATED = re.compile(r"\s*\d+ \[(.)\] ")
PART = re.compile(
    r"^[,.;:()\]]|^(?:is|are|was|were|has|have|of|in|and|or|but|which|at|with|to|not|for|from|by|as|that|where|while)\b"
    r"|(?:[,(:;]|\b(?:of|the|a|an|and|or|with|to|in|at|by|is|are|has|which|it|from|for|than|not|its))$"
)
MIN_WORDS = 4
MIN_PLAIN, MIN_PLAIN_OF_SURFACE, MAX_UNCLEAR = 0.85, 0.75, 0.02


def is_whole(text: str) -> bool:
    """Whether a text can be rated by itself: it is not a part that the program completes.

    >>> [is_whole(text) for text in ("no pool {number} here; build one", ", which are left out", "has no text: the")]
    [True, False, False]
    """
    return len(text.split()) >= MIN_WORDS and not PART.search(text)


def draw_sample(size: int, seed: int, root: Path = ROOT) -> dict[str, list[Sentence]]:
    """Draw sentences of each surface; the same seed and texts give the same sample."""
    drawn = {}
    for surface in SURFACES:
        whole = list({each.text: each for each in sentences(surface, root) if is_whole(each.text)}.values())
        drawn[surface] = Random(f"{seed} {surface}").sample(whole, min(size, len(whole)))
    return drawn


def format_sample(sample: Mapping[str, Sequence[Sentence]]) -> str:
    """The sample as a file to fill in.

    >>> print(format_sample({"readme": [Sentence("README.md", 3, "Score your runs.")]}).splitlines()[-1])
      1 [ ] README.md:3: Score your runs.
    """
    lines, number = [INTRODUCTION], 0
    for surface, drawn in sample.items():
        lines.append(f"## {surface} ({SURFACES[surface]})\n")
        for each in drawn:
            number += 1
            lines.append(f"{number:3} [ ] {each.path}:{each.line}: {each.text}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def count_ratings(text: str) -> dict[str, Counter[str]]:
    """The ratings of a filled-in sample by surface; those without one are "unrated".

    >>> count_ratings("## help (of commands)\\n 1 [p] a:1: One.\\n 2 [o] a:2: Two.\\n 3 [ ] a:3: Three.")
    {'help': Counter({'plain': 1, 'odd': 1, 'unrated': 1})}
    """
    counted: dict[str, Counter[str]] = {}
    surface = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := HEADING.match(line):
            surface = heading[1]
            counted[surface] = Counter()
        elif rated := RATED.match(line):
            mark = rated[1].lower()
            if mark not in (*RATINGS, " "):
                raise ValueError(f"line {number}: [{rated[1]}]; expected p, o, u or a blank")
            counted[surface][RATINGS.get(mark, "unrated")] += 1
    return counted


def describe_ratings(counted: Mapping[str, Counter[str]]) -> Iterator[str]:
    """Yield a line for each surface, one for all, and what falls short of the goals.

    >>> for line in describe_ratings({"help": Counter(plain=3, odd=1), "pages": Counter(plain=1, unclear=1)}):
    ...     print(line)
    surface       plain   odd  unclear  unrated  plain %
    help              3     1        0        0      75%
    pages             1     0        1        0      50%
    all               4     1        1        0      67%
    67% plain; expected at least 85%
    pages: 50% plain; expected at least 75%
    17% unclear; expected at most 2%
    """
    every = sum(counted.values(), Counter[str]())
    yield f"{'surface':12} {'plain':>6} {'odd':>5} {'unclear':>8} {'unrated':>8} {'plain %':>8}"
    for surface, counts in (*counted.items(), ("all", every)):
        ratings = f"{counts['plain']:6} {counts['odd']:5} {counts['unclear']:8} {counts['unrated']:8}"
        yield f"{surface:12} {ratings} {_share(counts, 'plain'):8.0%}"
    if _share(every, "plain") < MIN_PLAIN:
        yield f"{_share(every, 'plain'):.0%} plain; expected at least {MIN_PLAIN:.0%}"
    for surface, counts in counted.items():
        if _share(counts, "plain") < MIN_PLAIN_OF_SURFACE:
            yield f"{surface}: {_share(counts, 'plain'):.0%} plain; expected at least {MIN_PLAIN_OF_SURFACE:.0%}"
    if _share(every, "unclear") > MAX_UNCLEAR:
        yield f"{_share(every, 'unclear'):.0%} unclear; expected at most {MAX_UNCLEAR:.0%}"


def _share(counts: Counter[str], rating: str) -> float:
    rated = sum(counts[name] for name in RATINGS.values())
    return counts[rating] / rated if rated else 0
