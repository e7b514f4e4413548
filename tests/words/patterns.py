"""Patterns of sentences that read badly, each with what to write instead.

Of 30 random hits of each, at least four in five break a rule of good style. A pattern that errs more often is dropped:
"of which", "others", "and what" and ", as in" are not here: they are mostly plain English.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from tests.words.splitting import mask_names

MAX_WORDS = 25  # of a sentence
LABEL = re.compile(r"^(?:\S+|\w+ \{x\}): |\[default: [^]]*\]|; (?:expected|did you mean)\b.*|:$")


class Pattern(NamedTuple):
    """Whether a sentence, with its names masked, has the pattern; and what to write instead."""

    is_in: Callable[[str], bool]
    advice: str


def _match(pattern: str, advice: str, flags: int = re.IGNORECASE) -> Pattern:
    search = re.compile(pattern, flags).search
    return Pattern(lambda text: search(text) is not None, advice)


def _is_long(text: str) -> bool:
    return sum(any(letter.isalnum() for letter in word) for word in text.split()) > MAX_WORDS


def _is_joined(text: str) -> bool:
    return len(re.findall(r"[;:](?=\s|$)", LABEL.sub("", text))) > 1


_HEADS = "one|ones|some|all|out|instead|because|number|most|many|each|any|none|both|half|kind|lot|pair|part|few|several"
_BETWEEN = "but|are|is|or|and|not|was|were"
_BEFORE_WHAT = (
    r"^|[.;:(] |, |\b(?:of|by|from|to|with|for|in|on|as|than|is|are|at|into|without|only|that|where|but|not|except"
    r"|about|also|all) "
)
_THINGS = (
    "files?|tables?|pages?|runs?|stores?|pools?|lines?|columns?|reports?|commands?|options?|methods?|tests?|measures?"
    "|labels?|logs?|rows?|formats?|names?|documents?|fields?|notes?|headers?|it"
)
PATTERNS = {
    "is told": _match(
        r"\b(?:is|are|was|were|be|been|being) (?:told(?! apart)|said|asked)\b|\bsays? so\b|\bhears?\b",
        "name who does it: the command reports, the page shows",
    ),
    "is none": _match(
        r"(?<!\bthere )\b(?:is|are|was|were) (?:no|none)\b(?! (?:longer|more|less|fewer|other|way|need|doubt))"
        r"|\bthere (?:is|are|was) none\b|\b(?:has|have) none\b",
        "is not a, there is no NOUN, is missing",
    ),
    "nothing of": _match(
        r"\b[Nn]othing (?:of|that|but)\b|\b(?:[Nn]one of (?:it|which|whom)|none (?:is|has|are|have))\b",
        "does not, no NOUN, only",
        re.NOFLAG,
    ),
    "of chain": _match(
        rf"\b(?!(?:{_HEADS}|{_BETWEEN}|that|those)\b)\w+ of "
        r"(?:(?:the|a|an|its|their|this|that|each|every|all|other) )?(?:\w+ )?"
        rf"(?!(?:{_HEADS}|{_BETWEEN})\b)\w{{3,}} of\b",
        "a compound noun or a possessive: the topic's grades",
    ),
    "genitive": _match(
        r"\b(?:keys? of SSH|(?:labels?|grades?|judgments|scores?|judges|answers) of (?:people|models|assessors)"
        r"|pages? of (?:judging|organising)|files? of (?:TREC|scores|runs|judgments|answers|records)"
        r"|(?:names?|tables?|columns?|texts) of (?:documents?|topics?|runs?|files?|tables?|options?))\b",
        "a compound noun: SSH key, human labels, score file",
    ),
    "that of": _match(r"\b(?:that|those) of\b|\b(?:one|some|all|each) of (?:which|whom|whose)\b", "repeat the noun"),
    "one that": _match(
        r"(?<!\bthe )\bones? (?:that|who|which|whose)\b|\bthose (?:that|which|whose)\b", "name the noun"
    ),
    "what": Pattern(
        lambda text: (
            not text.endswith("?") and re.search(rf"(?:{_BEFORE_WHAT})what\b(?! if\b)", text, re.I) is not None
        ),
        "name the noun: the judged documents",
    ),
    "whatever": _match(r"\bwhatever\b", "regardless of, any NOUN"),
    "else": _match(
        r"(?<!body )(?<!thing )(?<!one )(?<!who )(?<!what )(?<!where )(?<!ever )(?<!-)\belse\b(?!-)", "otherwise"
    ),
    "but for": _match(r"\bbut for\b", "except"),
    "dated": _match(
        r"\b(?:anew|beside|amid|for ever|meanwhile|hence|thereof|whereof|mend(?:s|ed)?|at hand|till|lest|albeit)\b"
        r"|\bsome (?:\d|ten\b|hundred|thousand)",
        "again, next to, forever, now, fix, about",
    ),
    "as": _match(
        r"[,(] ?as (?=[`{\"'*\d<-]|\w+[=.@]\w)[\w{}`.%=*'\"@<>-]+(?=[,.;:)\]]|$| or )", "such as, for example"
    ),
    "trailing": _match(
        r"(?<!left )(?<!leave )(?<!stand )(?<!stands )\b(?:alone|too|as well|also)(?=[.,;:)]|$)",
        "only, also, including, before the word they belong to",
    ),
    "long": Pattern(_is_long, f"two sentences, each of at most {MAX_WORDS} words"),
    "joined": Pattern(_is_joined, "at most one semicolon or colon"),
    "of a store:": _match(
        r"^(?:Of|By|From|With|For|In|On|Without) [^,.;:]{2,40}: ", "begin with a noun or a verb", re.NOFLAG
    ),
    "how many": _match(
        r"[;.] how (?:many|much|far|often|long)[^?]{0,20}\.?$|^how (?:many|much|far|often)\b[^?:]{0,60}\.?$",
        "the number of, as a sentence",
    ),
    "coined": _match(
        r"\b(?:rooms|house|dial|clinic|worlds?|seal(?:ed|s)?|tak(?:en?|es?|ing) up|kept apart|weighed)\b",
        "the word of the field",
    ),
    "stands": _match(r"\b(?:stands?|stood)\b(?! for\b|-)", "is, remains, counts"),
    "person": _match(
        rf"\b(?:{_THINGS}) (?:knows?|hears?|tells?|says?|wants?|speaks?|thinks?|believes?|remembers?)\b",
        "shows, states, contains, has",
    ),
    "percent": _match(r"[\d}] %|(?<![\w.])\.\d\d|\bper cent\b", "95%, 0.05"),
    "the same": _match(r"\bthe same (?:with|without|of)\b", "repeat the noun"),
    "her": _match(r"\b(?:she|hers?|herself|his|him|himself)\b", "they, their"),
    "the own": _match(r"\b(?:the|an|a) own\b", "its own"),
    "as there": _match(r"\bas (?:there|here)\b|\bthere,? (?:as well|too)\b", "name the place"),
    "comma of": _match(
        r"; of (?:a|an|the|each|every|all|both|several|what|these|those|them|people|models|runs|files|it)\b"
        r"|, of (?:all|each|every|them|what|people|models)\b",
        "a sentence with a verb",
    ),
}


@cache
def patterns_in(text: str) -> tuple[str, ...]:
    """The names of the patterns that a sentence has.

    >>> patterns_in("{path} is no store; its rows are those of `x`, as well")
    ('is none', 'that of', 'trailing')
    >>> patterns_in("{path} is not a store.")
    ()
    """
    masked = mask_names(text)
    return tuple(name for name, pattern in PATTERNS.items() if pattern.is_in(masked))
