"""`python -m tests.words`: the patterns of sentences that read badly, by surface, and samples to rate.

python -m tests.words                        print the counts; exit with 1 if one grew
python -m tests.words --write                write the counts where they fell
python -m tests.words --list 'that of'       print the sentences that have a pattern
python -m tests.words --sample 20 --seed 11  print a random sample of each surface, to be rated
python -m tests.words --rate FILE            count a filled-in sample
"""

import argparse
import sys
from pathlib import Path

from tests.words.patterns import PATTERNS
from tests.words.ratchet import (
    ACCEPTED,
    Counts,
    complain,
    count_patterns,
    find_growth,
    read_accepted,
    sentences_with,
    write_counts,
)
from tests.words.sampling import count_ratings, describe_ratings, draw_sample, format_sample
from tests.words.surfaces import ROOT, SURFACES, sentences


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.words")
    parser.add_argument("--root", type=Path, default=ROOT, help="Another checkout to read.")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="Write the counts where they fell.")
    action.add_argument("--list", choices=PATTERNS, metavar="PATTERN", help="Print the sentences that have it.")
    action.add_argument("--sample", type=int, metavar="N", help="Print this many sentences of each surface.")
    action.add_argument("--rate", type=Path, metavar="FILE", help="Count the ratings of a filled-in sample.")
    parser.add_argument("--seed", type=int, default=11, help="Random seed of the sample.")
    given = parser.parse_args()
    root = given.root.resolve()
    if given.list:
        for surface, each in sentences_with(given.list, root):
            print(f"{surface}: {each.path}:{each.line}: {each.text}")
    elif given.sample:
        print(format_sample(draw_sample(given.sample, given.seed, root)), end="")
    elif given.rate:
        print(*describe_ratings(count_ratings(given.rate.read_text("utf-8"))), sep="\n")
    elif root != ROOT:
        print_counts(count_patterns(root), root)
    else:
        return compare_counts(write=given.write)
    return 0


def compare_counts(*, write: bool) -> int:
    """Print the counts and what grew; write them if nothing did."""
    found = count_patterns()
    growths = find_growth(found, read_accepted()) if ACCEPTED.exists() else []
    if growths:
        print(complain(growths), file=sys.stderr)
        return 1
    if write:
        write_counts(found)
    else:
        print_counts(found, ROOT)
        if ACCEPTED.exists() and found != read_accepted():
            print("note: counts fell; write them with python -m tests.words --write", file=sys.stderr)
    return 0


def print_counts(counts: Counts, root: Path) -> None:
    """Print a table of patterns by surface."""
    print(f"{'':12}", *(f"{surface:>11}" for surface in SURFACES), f"{'all':>6}")
    numbers = {surface: len(sentences(surface, root)) for surface in SURFACES}
    print_row("sentences", numbers)
    for name in PATTERNS:
        print_row(name, {surface: counts[surface][name] for surface in SURFACES})
    print_row("patterns", {surface: sum(counts[surface].values()) for surface in SURFACES})


def print_row(name: str, counts: dict[str, int]) -> None:
    print(f"{name:12}", *(f"{count:11}" for count in counts.values()), f"{sum(counts.values()):6}")


if __name__ == "__main__":
    sys.exit(main())
