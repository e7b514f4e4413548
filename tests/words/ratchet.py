"""Counts of the patterns by surface, which may only fall: `python -m tests.words --write` writes lower ones.

After a change of the patterns or of what is read, delete `counts.json`, and write it again.
"""

import json
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.words.patterns import PATTERNS, patterns_in
from tests.words.splitting import Sentence
from tests.words.surfaces import PAGES_OF_DOCS, ROOT, SURFACES, sentences

Counts = Mapping[str, Mapping[str, int]]
ACCEPTED = Path(__file__).with_name("counts.json")
MAX_SHOWN = 20  # sentences of a pattern whose count grew


class Growth(NamedTuple):
    """A pattern that is more frequent than accepted; pages of the docs are one group, as texts move between them."""

    group: str
    pattern: str
    accepted: int
    found: int


def group_of(surface: str) -> str:
    """The group of surfaces whose counts may not grow together."""
    return "docs" if surface in PAGES_OF_DOCS else surface


def count_patterns(root: Path = ROOT) -> dict[str, dict[str, int]]:
    """How many sentences have each pattern, by surface."""
    counted = {
        surface: Counter(name for sentence in sentences(surface, root) for name in patterns_in(sentence.text))
        for surface in SURFACES
    }
    return {surface: {name: counts[name] for name in PATTERNS} for surface, counts in counted.items()}


def read_accepted() -> dict[str, dict[str, int]]:
    """The counts that are accepted so far."""
    found: dict[str, dict[str, int]] = json.loads(ACCEPTED.read_text("utf-8"))
    return found


def find_growth(found: Counts, accepted: Counts) -> list[Growth]:
    """The patterns that are more frequent than accepted. A pattern that is not in the file yet is new, and accepted.

    >>> accepted = {"guides": {"else": 2}, "reference": {"else": 1}, "help": {"else": 0}}
    >>> find_growth({"guides": {"else": 1}, "reference": {"else": 2}, "help": {"else": 0, "her": 3}}, accepted)
    []
    >>> find_growth({"guides": {"else": 2}, "reference": {"else": 1}, "help": {"else": 1}}, accepted)
    [Growth(group='help', pattern='else', accepted=0, found=1)]
    """
    before, now = _by_group(accepted), _by_group(found)
    return [Growth(*key, before[key], count) for key, count in now.items() if key in before and count > before[key]]


def _by_group(counts: Counts) -> dict[tuple[str, str], int]:
    sums = Counter[tuple[str, str]]()
    for surface, patterns in counts.items():
        for name, count in patterns.items():
            sums[group_of(surface), name] += count
    return dict(sums)


def write_counts(counts: Counts) -> None:
    """Write the counts, one a line, so that changes of several people rarely meet."""
    ACCEPTED.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")


def describe_growth(growth: Growth, known: set[str] | None) -> Iterator[str]:
    """Yield a line about a pattern that grew, and the sentences that have it and are not among those known before.

    Without known sentences, all that have it are shown, up to a limit.
    """
    group, pattern, accepted, found = growth
    advice = PATTERNS[pattern].advice
    yield f'{group}: "{pattern}" in {found} sentences; expected at most {accepted}. Write instead: {advice}'
    new = [
        sentence
        for surface in SURFACES
        if group_of(surface) == group
        for sentence in sentences(surface)
        if pattern in patterns_in(sentence.text) and (known is None or sentence.text not in known)
    ]
    yield from (f"  {each.path}:{each.line}: {each.text}" for each in new[:MAX_SHOWN])
    if len(new) > MAX_SHOWN:
        yield f"  and {len(new) - MAX_SHOWN} more: python -m tests.words --list '{pattern}'"


def read_known_sentences() -> set[str] | None:
    """The sentences of the last commit that wrote the counts; None where git does not have it."""
    try:
        commit = _git("log", "-1", "--format=%H", "--", str(ACCEPTED.relative_to(ROOT))).decode().strip()
        archive = _git("archive", commit) if commit else b""
    except (OSError, subprocess.CalledProcessError):
        return None
    if not archive:
        return None
    with TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(archive)) as members:
        members.extractall(folder, filter="data")
        return {sentence.text for surface in SURFACES for sentence in sentences(surface, Path(folder))}


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def complain(growths: list[Growth]) -> str:
    """What a reader needs to repair texts in which patterns grew."""
    known = read_known_sentences()
    return "\n".join(line for growth in growths for line in describe_growth(growth, known))


def sentences_with(pattern: str, root: Path = ROOT) -> Iterator[tuple[str, Sentence]]:
    """Yield the sentences that have a pattern, each with its surface."""
    for surface in SURFACES:
        yield from ((surface, each) for each in sentences(surface, root) if pattern in patterns_in(each.text))
