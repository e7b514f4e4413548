"""What the page for decisions says, by the role of the link that leads to it."""

from collections.abc import Mapping
from typing import NamedTuple

from cranfield.judging.frontends.keys import ADJUDICATING, COMMANDS, LABELLING, KeyCommand, Keys

NOT_HERE = ("topic_beside", "quit")  # commands that only a terminal has


class Wording(NamedTuple):
    """What the page for the decisions of a role says."""

    title: str
    note: str
    note_caption: str
    again: str
    end: str
    keys: Mapping[str, KeyCommand]
    digits: str = "the grade; - and a digit for a grade below 0"
    choice: str = ""  # what comes before the choices of an assessor

    def keys_help(self, keys: Keys) -> dict[str, str]:
        """What each key does."""
        return {
            "0, 1, ...": self.digits,
            **{keys[name]: command.about for name, command in self.keys.items() if name not in NOT_HERE},
            **({"E": "remove the last mark of evidence"} if "evidence" in self.keys else {}),
            "Esc": "close what is open, and go back to its button",
        }


JUDGING = Wording(
    "Judge",
    "Note",
    "Your note; it is saved with your decision",
    again="Judge again",
    end="Every document that was assigned to you has been judged. You can close this page.",
    keys=COMMANDS,
)
SETTLING = Wording(
    "Adjudicate",
    "Reason",
    "Your reason; it is saved with your answer",
    again="Settle again",
    end="No disagreement is left to settle. New labels may bring more: load the page again later.",
    keys=ADJUDICATING,
)
LABELS = Wording(
    "Label",
    "Note",
    "Your note; it is saved with your label",
    again="Label again",
    end="Everything is labelled. You can close this page.",
    keys=LABELLING,
)
COMPARISONS = Wording(
    "Compare",
    "Note",
    "Your note; it is saved with your answer",
    again="Compare again",
    end="Every pair that you were given is compared. You can close this page.",
    keys=LABELLING,
    digits="the answer",
)
