"""Prose that users read: patterns of sentences that read badly may only become rarer (`python -m tests.words`)."""

import ast

import pytest

from tests.needed_features import EVERY_FEATURE
from tests.words import ratchet
from tests.words.modules import read_strings
from tests.words.patterns import PATTERNS, patterns_in
from tests.words.ratchet import complain, count_patterns, describe_growth, find_growth, read_accepted, write_counts
from tests.words.sampling import count_ratings, draw_sample, format_sample, is_whole
from tests.words.surfaces import SURFACES, sentences

MIN_SENTENCES = 20  # of a surface in a sample
REWRITTEN = {  # by pattern: a sentence that has it, and a better one
    "is told": ("The page says so.", "The page shows a warning."),
    "is none": ("{folder} is no store", "{folder} is not a store"),
    "nothing of": ("Nothing of a pool is shown.", "The pool is not shown."),
    "of chain": ("the share of the statements of an answer of a run", "the share of an answer's statements"),
    "genitive": ("Sign it with a key of SSH.", "Sign it with an SSH key."),
    "that of": ("The keys are those of `judge`.", "The keys are the keys of `judge`."),
    "one that": ("Give one that has runs.", "Give a store with runs."),
    "what": ("Only what has changed is recorded.", "Only changes are recorded."),
    "whatever": ("It stays judged, whatever is left out.", "It stays judged in every test."),
    "else": ("The team where known, else the run.", "The team where known, otherwise the run."),
    "but for": ("All are exact, but for two.", "All are exact, except two."),
    "dated": ("Grades are drawn anew.", "Grades are drawn again."),
    "as": ("A size, as 64M", "A size, such as 64M"),
    "trailing": ("Panels count as well.", "Panels also count."),
    "long": ("word " * 26, "word " * 25),
    "joined": ("One runs; two stop; three fail.", "One runs; two stop."),
    "of a store:": ("Of a store: whose judgments count.", "Whose judgments count in a store."),
    "how many": ("Add the texts; how many.", "Add the texts. Returns the number of texts."),
    "coined": ("Each event has a seal.", "Each event has a keyed hash."),
    "stands": ("The tag stands before the score.", "The tag is before the score."),
    "person": ("Tables say why.", "Tables show the reason."),
    "percent": ("{share} % of 2, or .25", "{share}% of 2, or 0.25"),
    "the same": ("own, the same without that", "own, without earlier documents"),
    "her": ("An assessor and her page", "Assessors and their pages"),
    "the own": ("with the own contribution", "with its own contribution"),
    "as there": ("All ranks count, as there.", "All ranks count, as in trec_eval."),
    "comma of": ("One file a run; of a folder, all files.", "One file a run, or all files of a folder."),
}


def test_no_pattern_is_more_frequent_than_accepted() -> None:
    growths = find_growth(count_patterns(), read_accepted())
    assert not growths, complain(growths)


@EVERY_FEATURE
def test_counts_that_fell_are_written() -> None:
    found, accepted = count_patterns(), read_accepted()
    fell = [
        f"{surface}: {pattern!r} {accepted.get(surface, {}).get(pattern)}, now {count}"
        for surface, counts in found.items()
        for pattern, count in counts.items()
        if count != accepted.get(surface, {}).get(pattern)
    ]
    assert not fell, "\n".join(["python -m tests.words --write", *fell])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_finds_a_bad_sentence_and_not_its_better_form(pattern: str) -> None:
    bad, better = REWRITTEN[pattern]
    assert pattern in patterns_in(bad)
    assert pattern not in patterns_in(better)


def test_names_and_code_are_not_words() -> None:
    assert patterns_in("`what of those of` reads {whatever} of https://her.example/of/else.html") == ()


@EVERY_FEATURE
def test_each_surface_has_enough_sentences_to_rate() -> None:
    few = [surface for surface in SURFACES if sum(is_whole(each.text) for each in sentences(surface)) < MIN_SENTENCES]
    assert not few


def test_strings_of_a_module_have_their_use() -> None:
    source = '''
"A docstring of the module is not read here."
Depth = Annotated[int, Option("The depth of the pool.", "--depth")]
KEYS = {"the key of a table": f"{len(runs)} runs are in the pool"}
QUERY = "SELECT name FROM runs WHERE tag IS NOT NULL"
def load(call):
    call.note(f"{counted(left, 'run')} left out: they have " "no judgments")
    raise StoreError("{path} is not a store; create it".format(path=path))
def title(self):
    return """Runs of a pool, by
        their score."""
'''
    texts = sorted(read_strings(ast.parse(source)), key=lambda text: text.lines[0].number)
    assert [(text.use, text.lines[0].number, " ".join(line.text for line in text.lines)) for text in texts] == [
        ("option", 3, "The depth of the pool."),
        ("text", 4, "{runs} runs are in the pool"),
        ("message", 7, "{left} left out: they have no judgments"),
        ("message", 8, "{path} is not a store; create it"),
        ("repr", 10, "Runs of a pool, by their score."),
    ]


def test_growth_names_the_new_sentences() -> None:
    known = {each.text for each in sentences("readme")}
    long = next(each for each in sentences("readme") if "long" in patterns_in(each.text))
    growth = ratchet.Growth("readme", "long", 0, 1)
    lines = [*describe_growth(growth, known - {long.text})]
    assert lines[0].startswith('readme: "long" in 1 sentences; expected at most 0. Write instead: two sentences')
    assert lines[1:] == [f"  {long.path}:{long.line}: {long.text}"]


def test_writing_and_reading_counts(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setattr(ratchet, "ACCEPTED", tmp_path_factory.mktemp("words") / "counts.json")
    write_counts({"help": {"else": 2, "her": 0}})
    assert read_accepted() == {"help": {"else": 2, "her": 0}}


def test_a_sample_is_the_same_for_the_same_seed_and_can_be_rated() -> None:
    sample = draw_sample(3, 11)
    assert sample == draw_sample(3, 11)
    assert sample != draw_sample(3, 12)
    text = format_sample(sample)
    assert {surface: counts["unrated"] for surface, counts in count_ratings(text).items()} == dict.fromkeys(SURFACES, 3)
    with pytest.raises(ValueError, match=r"line \d+: \[x\]; expected p, o, u or a blank"):
        count_ratings(text.replace("[ ]", "[x]", 1))
