"""Nuggets on the full screen: keys in, the store and the screen out."""

import asyncio

from textual.widgets import Static

from cranfield.judging.answers.editing import NuggetEditing
from cranfield.judging.frontends.terminal.editing import EditTerminal
from cranfield.store.answers.nuggets import current_nuggets, nugget_edits
from cranfield.store.store import Store
from tests.judging.answers.cases import RUNS, answered

KEYS = ("n", "x", "enter", "v", "9", "enter", "backspace", "4", "enter", "]", "u", "?", "z", "q")


def test_every_key_of_the_full_screen() -> None:
    said, shown = list[str](), list[str]()

    async def typed(app: EditTerminal) -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            for key in KEYS:
                await pilot.press(key)
                said.append(str(app.query_one("#status", Static).content))
                shown.append(
                    "\n".join([app.nuggets.text, app.answer.text, str(app.query_one("#place", Static).content)])
                )

    with Store.memory("answers") as store:
        app = EditTerminal(NuggetEditing(answered(store), "ada"))
        asyncio.run(typed(app))
        assert (app.failure, app.status) == (None, 0)
        assert [(one.text, one.importance) for one in current_nuggets(store, "q1")][3:] == [("x", "okay")]
        assert {edit.input for edit in nugget_edits(store, "q1", after=3)} == {"key"}
    assert list(dict.fromkeys(filter(None, said))) == [
        "Recorded: nugget added. u undoes it.",
        "! there is no nugget 9; this topic has 4 nuggets",
        "Recorded: nugget 4 is vital. u undoes it.",
        "Undone. U redoes it.",
        "! z does nothing here; ? shows what the keys do",
    ]
    assert any("Answer 2 of 3" in text for text in shown)
    assert any("make nuggets vital" in text for text in shown)
    assert not [tag for tag in RUNS if any(tag in text for text in shown)]
