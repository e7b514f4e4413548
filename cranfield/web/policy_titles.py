"""What pages call the policies that decide where labels differ; their names are for the command line."""

import re

from cranfield.judging.labels.policies import ELSE
from cranfield.web.language import ENGLISH, Language, translatable

POLICY_TITLES = {
    "primary": translatable("first assessor"),
    "majority-tie-low": translatable("majority (ties low)"),
    "majority-tie-high": translatable("majority (ties high)"),
    "median-low": translatable("lower median"),
    "mean-rounded": translatable("rounded mean"),
    "min": translatable("lowest label"),
    "max": translatable("highest label"),
}


def policy_title(name: str, language: Language = ENGLISH) -> str:
    """Return what pages call a policy.

    >>> policy_title("majority-tie-low"), policy_title("adjudicated-else-max")
    ('majority (ties low)', 'adjudication, then highest label')
    """
    title = language.look_up(POLICY_TITLES.get(rule := name.removeprefix(ELSE), rule))
    return title if rule == name else language.gettext("adjudication, then %(policy)s", policy=title)


POLICY_IN_TEXT = re.compile(  # as messages name a policy; an assessor may be called "policy max", as in "by policy max"
    rf"(?:(?<=policy: )|(?:(?<=^)|(?<=\()|(?<=, )|(?<=as ))policy )((?:{ELSE})?(?:{'|'.join(POLICY_TITLES)}))"
    r"(?=, the store's choice|[;.)]| \(| derives |$)"
)


def name_policies(text: str, language: Language = ENGLISH) -> str:
    """Return a sentence of a lower layer with the titles of policies in place of their names.

    >>> name_policies("policy: max, the store's choice"), name_policies("as policy median-low derives 1")
    ("policy: highest label, the store's choice", 'as policy "lower median" derives 1')
    >>> name_policies("3 labels by policy max; as policy max gave no label")
    '3 labels by policy max; as policy max gave no label'
    """

    def title(found: re.Match[str]) -> str:
        name = policy_title(found[1], language)
        return f'policy "{name}"' if found[0].startswith("policy ") else name

    return POLICY_IN_TEXT.sub(title, text)
