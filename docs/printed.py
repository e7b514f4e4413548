"""Write what the commands of a page print between the marks below them."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

MARK = re.compile(r"(<!-- printed (\d+): (.+?) -->\n).*?(<!-- /printed -->)", re.DOTALL)
COMMAND = re.compile(r"^    cranfield (.+)$", re.MULTILINE)
SHOWN_FILE = re.compile(
    r"[Ss]ave [^`\n]*\n?[^`\n]*?as\s`([^`]+)`[^`]*?:\n\n```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL
)
EXAMPLES = "python docs/example_files.py example && cd example"  # the first command of most guides
FIRST = ("export qrels workshop", "export runs workshop", "fuse ")  # of a page that starts from the demo's store
ALONE = ("demo", "judge ")  # what has marks of its own, and what waits for keys


def fill_outputs(page: str, run: Callable[[str], str]) -> str:
    """A page whose commands were run in its order, with what they print: of each as many lines as its mark says.

    >>> page = "    cranfield info\\n<!-- printed 1: info -->\\n<!-- /printed -->"
    >>> print(fill_outputs(page, "{}: one\\ntwo".format))
        cranfield info
    <!-- printed 1: info -->
    ```text
    info: one
    ...
    ```
    <!-- /printed -->
    """
    outputs = {words: run(words) for words in COMMAND.findall(page) if not words.startswith(ALONE)}
    return MARK.sub(lambda mark: f"{mark[1]}{_first(outputs[mark[3]], int(mark[2]))}\n{mark[4]}", page)


def fill_marks(page: str, run: Callable[[str], str]) -> str:
    """Fill the marks of a page with the outputs of their commands, each of which the page shows.

    >>> print(fill_marks("    cranfield info\\n<!-- printed 1: info -->\\n<!-- /printed -->", "{}: one\\ntwo".format))
        cranfield info
    <!-- printed 1: info -->
    ```text
    info: one
    ...
    ```
    <!-- /printed -->
    """
    unknown = [mark[3] for mark in MARK.finditer(page) if mark[3] not in COMMAND.findall(page)]
    if unknown:
        raise ValueError(f"the page does not show `cranfield {unknown[0]}`")
    return MARK.sub(lambda mark: f"{mark[1]}{_first(run(mark[3]), int(mark[2]))}\n{mark[4]}", page)


def shown_files(page: str) -> dict[str, str]:
    """The files that a page shows in full and asks the reader to save, by name.

    >>> shown_files("Save this as `a.txt`:\\n\\n```text\\none\\n```\\n")
    {'a.txt': 'one\\n'}
    """
    return dict(SHOWN_FILE.findall(page))


def write_start(
    page: str,
    folder: Path,
    workshop: Path,
    run: Callable[[str], str],
    write_examples: Callable[[Path, Path, Callable[[str], str]], None],
) -> None:
    """Write the files that a page starts from, and those that it shows, into the folder in which run works.

    A page starts from the example files, or from the demo's store and from what it exports from this store.
    """
    if EXAMPLES in page:
        write_examples(folder, workshop, run)
    else:
        shutil.copyfile(workshop, folder / "workshop.db")
        for words in COMMAND.findall(page):
            if words.startswith(FIRST):
                run(words)
    for name, content in shown_files(page).items():
        (folder / name).write_text(content, "utf-8")


def _first(text: str, number: int) -> str:
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    return "\n".join(["```text", *lines[:number], *["..."] * (len(lines) > number), "```"])
