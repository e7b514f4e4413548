"""answers nuggets edit."""

from __future__ import annotations

from cranfield.cli.answer_labelling import Answered, Labeller, edit_nuggets
from cranfield.cli.full_screen import PlainMode
from cranfield.cli.options import OnlyTopics


def edit(store: Answered, assessor: Labeller, plain: PlainMode = False, topic: OnlyTopics = None) -> None:
    """Add, reword, merge and drop nuggets, and make them vital or okay, at the keyboard.

    It is `make` without the answers: nuggets come from what you know of the topic. A reworded nugget needs new labels;
    one that becomes vital or okay keeps those it has. All nuggets are listed with their authors; one of a model counts
    as people's once somebody has reworded it or made it vital or okay, also if it was so before.

    Example: cranfield answers nuggets edit track.db --assessor ada --topic q1
    """
    from cranfield.judging.answers.editing import NuggetEditing
    from cranfield.store.store import Store

    with Store.open(store) as opened:
        edit_nuggets(NuggetEditing(opened, assessor, topic, reads=False), plain)
