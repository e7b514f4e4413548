"""A corpus of many documents whose words follow Zipf's law, with topics, and every step of a collection built on it."""

import sys
from pathlib import Path

import numpy as np

WORDS = 200_000  # different ones
LENGTH = 60  # words of a document, about
TOPICS = 50
AT_ONCE = 10_000  # documents


def make(folder: Path, documents: int) -> None:
    """Write `corpus.jsonl` and `topics.tsv`; topics are of words that are neither rare nor very common."""
    random = np.random.default_rng(1)
    words = np.array([word(number) for number in range(WORDS)], object)
    chance = 1 / np.arange(1, WORDS + 1)
    until = np.cumsum(chance / chance.sum())
    with (folder / "corpus.jsonl").open("w") as file:
        for start in range(0, documents, AT_ONCE):
            lengths = random.poisson(LENGTH, min(AT_ONCE, documents - start)) + 1
            sequence = words[np.searchsorted(until, random.random(int(lengths.sum())))].tolist()
            ends = np.cumsum(lengths).tolist()
            for number, (end, length) in enumerate(zip(ends, lengths.tolist(), strict=True), start):
                text = " ".join(sequence[end - length : end])
                file.write(f'{{"docno": "doc-{number:08}", "title": "{text[:30]}", "text": "{text}"}}\n')
    ranks = random.integers(100, 20_000, (TOPICS, 3))
    lines = [f"{number}\t{' '.join(words[row])}\n" for number, row in enumerate(ranks, 1)]
    (folder / "topics.tsv").write_text("".join(lines))


def word(number: int) -> str:
    """A word by its rank: letters that no stemmer changes."""
    digits = np.base_repr(number, 20).lower()
    return "q" + "".join(chr(ord("a") + int(digit, 20)) for digit in digits) + "x"


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]))
