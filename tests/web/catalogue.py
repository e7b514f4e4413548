"""Write the template of all catalogues: the English texts of the pages, for translators.

`python -m tests.web.catalogue` writes cranfield/web/catalogues/cranfield.pot; it needs Babel.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cranfield.analysis import labels
from cranfield.analysis.labels import kinds_of_labels
from cranfield.features.answers.judging import progress
from cranfield.features.answers.judging.progress import LABEL_KINDS, NUGGET_TASK
from cranfield.features.tasks import description
from cranfield.features.tasks.description import PHASE_WORDS
from cranfield.judging.frontends import keys
from cranfield.judging.frontends.keys import ADJUDICATING, COMMANDS, LABELLING, PREFERRING
from cranfield.judging.planning import checks
from cranfield.judging.planning.checks import CHECKS
from cranfield.judging.session import command, view
from cranfield.judging.session.command import REASONS
from cranfield.web import judge_page, open_sessions
from cranfield.web.judge_page import DISPLAY
from cranfield.web.language import CATALOGUES, DOMAIN
from cranfield.web.open_sessions import judging_roles

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

pytestmark = pytest.mark.needs_extra("serve")
ROOT = Path(__file__).parents[2]
TEMPLATE_FILE = CATALOGUES / f"{DOMAIN}.pot"
OPTIONS = {"newstyle_gettext": "true", "parse_template_string": "true"}
METHODS = {".html": "jinja2", ".jinja": "jinja2", ".py": "python", ".js": "javascript"}


def source_files() -> Iterator[Path]:
    """The files that may have texts of the pages."""
    folders = (ROOT / "cranfield" / name for name in ("web", "report", "charts", "features"))
    yield from sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in METHODS)


def table_texts() -> Iterator[tuple[str, str]]:
    """The texts in tables of the layers below the pages, and the modules that have them."""
    commands = (*COMMANDS.values(), *ADJUDICATING.values(), *LABELLING.values(), *PREFERRING.values())
    yield from ((one.about, keys.__name__) for one in commands)
    yield from ((text, command.__name__) for text in REASONS)
    yield from ((text, view.__name__) for text in (*view.NAMES, view.NO_TEXT, view.A_PICTURE, "document", "pair"))
    yield from (
        (text, judge_page.__name__) for name, choices in DISPLAY.items() for text in (name.capitalize(), *choices)
    )
    yield from ((text, checks.__name__) for one in CHECKS.values() for text in (one.title, one.rule, one.reasons))
    yield from ((kind, labels.__name__) for kind in kinds_of_labels())
    tasks = [NUGGET_TASK, *(kind.task for kind in LABEL_KINDS.values())]
    yield from ((text, progress.__name__) for task in tasks for text in (task, task.capitalize()))
    yield from ((text, description.__name__) for text in PHASE_WORDS.values())
    for role in judging_roles():
        texts = (role.purpose, role.link, role.name.capitalize() if role.notes_on_topic else "")
        yield from ((text, open_sessions.__name__) for text in texts)


def extract() -> "Catalog":
    """All texts, with the files that have them."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file

    every_keyword = {**DEFAULT_KEYWORDS, "translatable": None, "tr": None}
    catalogue = Catalog(project="Cranfield", charset="utf-8", fuzzy=False)
    for file in source_files():
        method, name = METHODS[file.suffix], file.relative_to(ROOT).as_posix()
        keywords = {key: value for key, value in every_keyword.items() if (key == "tr") == (method == "javascript")}
        for _, message, comments, context in extract_from_file(method, file, keywords, options=OPTIONS):
            catalogue.add(message, None, [(name, 0)], auto_comments=comments, context=context)
    for text, module in table_texts():
        if text:
            catalogue.add(text, None, [(f"{module.replace('.', '/')}.py", 0)])
    return catalogue


def template_text() -> bytes:
    """The template, without dates and line numbers, which would change with every edit."""
    from babel.messages.pofile import write_po

    written = BytesIO()
    write_po(written, extract(), width=120, omit_header=True, include_lineno=False, sort_output=True)
    header = b'msgid ""\nmsgstr ""\n"Project-Id-Version: Cranfield\\n"\n"MIME-Version: 1.0\\n"\n'
    return (
        header
        + b'"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n'
        + written.getvalue()
    )


def write_pseudo_catalogue(folder: Path, name: str) -> None:
    """Write a catalogue in which every text is marked and longer, as tests open the pages with it."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    catalogue = read_po(BytesIO(template_text()), locale=name.split("_", maxsplit=1)[0])
    for message in catalogue:
        if message.id and isinstance(message.id, str):
            message.string = marked(message.id)
        elif message.id:
            message.string = tuple(marked(message.id[min(number, 1)]) for number in range(catalogue.num_plurals))
    path = folder / name / "LC_MESSAGES" / f"{DOMAIN}.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)


OPENING, CLOSING = "⟦", "⟧"


def marked(text: str) -> str:
    """A text in the pseudo-locale: between marks and longer, with letters that are written from right to left.

    >>> marked("Save")
    '⟦ש Save שש⟧'
    """
    letter = "\N{HEBREW LETTER SHIN}"
    return f"{OPENING}{letter} {text} {letter * max(len(text) // 3, 2)}{CLOSING}"


if __name__ == "__main__":
    TEMPLATE_FILE.write_bytes(template_text())
    print(f"wrote {TEMPLATE_FILE.relative_to(ROOT)}")
