"""What the page for decisions says, by the role of the link that leads to it."""

from collections.abc import Mapping
from typing import NamedTuple

from cranfield.judging.frontends.keys import ADJUDICATING, COMMANDS, LABELLING, KeyCommand, Keys
from cranfield.web.language import translatable

NOT_HERE = ("topic_beside", "quit")  # commands that only a terminal has


class Wording(NamedTuple):
    """What the page for the decisions of a role says."""

    title: str
    note: str
    note_caption: str
    again: str
    end: str
    keys: Mapping[str, KeyCommand]
    digits: str = translatable("assign the grade; type - and a digit for a grade below 0")
    choice: str = ""  # what comes before the choices of an assessor
    about: str = ""  # what the assessor does, and what happens with it

    def keys_help(self, keys: Keys) -> dict[str, str]:
        """What each key does."""
        return {
            "0, 1, ...": self.digits,
            **{keys[name]: command.about for name, command in self.keys.items() if name not in NOT_HERE},
            **({"E": translatable("remove the last evidence mark")} if "evidence" in self.keys else {}),
            "Esc": translatable("close the open panel and return to its button"),
        }


JUDGING = Wording(
    translatable("Judge"),
    translatable("Note"),
    translatable("Your note; it is saved with your decision"),
    again=translatable("Judge again"),
    end=translatable("You have judged all documents assigned to you. You can close this page."),
    keys=COMMANDS,
)
SETTLING = Wording(
    translatable("Adjudicate"),
    translatable("Reason"),
    translatable("Your reason; it is saved with your answer"),
    again=translatable("Settle again"),
    end=translatable("No disagreement is left to settle. New labels may add disagreements: load the page again later."),
    keys=ADJUDICATING,
    about=translatable(
        "Assessors gave this document different labels. Your answer decides which label counts in the results."
    ),
)
LABELS = Wording(
    translatable("Label"),
    translatable("Note"),
    translatable("Your note; it is saved with your label"),
    again=translatable("Label again"),
    end=translatable("You have labelled everything. You can close this page."),
    keys=LABELLING,
)
COMPARISONS = Wording(
    translatable("Compare"),
    translatable("Note"),
    translatable("Your note; it is saved with your answer"),
    again=translatable("Compare again"),
    end=translatable("You have compared all pairs assigned to you. You can close this page."),
    keys=LABELLING,
    digits=translatable("the answer"),
)
