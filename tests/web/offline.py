"""An assessor at a page without a server: a file opened in a real browser, judged by keys, and downloaded."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CLOCK = "(() => { let now = 0; performance.now = () => (now += 1000); })()"  # a second passes whenever it is looked at
SCRIPT = """async (steps) => {
    while (!session) await new Promise((done) => setTimeout(done));
    const on = (name) => document.querySelector(`#part ${name}`);
    const press = (key) => new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    for (const [key, action, values] of steps) {
        const form = action && on(`form[action=${action}]`);
        for (const [name, value] of Object.entries(form ? values : {})) form.elements[name].value = value;
        if (action) form?.requestSubmit();
        else if (key.startsWith("l")) on(`[formaction=again][value="${key.slice(1)}"]`)?.click();
        else for (const one of key.startsWith("-") ? key : [key]) document.activeElement.dispatchEvent(press(one));
        do await new Promise((done) => setTimeout(done)); while (sending);
    }
}"""


class Offline:
    """A page, opened from a file; what it says on the console is kept."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page = page
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: self.wrong.append(dialog.message))
        page.on("console", lambda message: self.wrong.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri())

    def judge(self, keys: Iterable[str], forms: Mapping[str, tuple[str, Mapping[str, str]]]) -> None:
        """Press keys, fill in the forms of some, judge again what is on the list of recent decisions."""
        self.page.evaluate(SCRIPT, [[key, *forms.get(key, ("", {}))] for key in keys])

    def at(self, topic: str, number: int) -> None:
        """Wait until a document is on screen."""
        self.page.locator(".place").get_by_text(f"Topic {topic}, document {number} of").wait_for()

    def download(self, path: Path) -> Path:
        """What the page gives back."""
        with self.page.expect_download() as waiting:
            self.page.locator("header [data-download]").click()
        waiting.value.save_as(path)
        return path


@contextmanager
def opened(browser: Any, path: Path, script: str = CLOCK, **options: Any) -> Iterator[Offline]:
    """A page in a browser, from a file."""
    with browser.new_context(**options) as context:
        page = context.new_page()
        page.add_init_script(script)
        offline = Offline(page, path)
        yield offline
        assert not offline.wrong
