"""Write the template of all catalogues: the English texts of the pages, for translators.

`python -m tests.web.catalogue` writes cranfield/web/catalogues/cranfield.pot, and messages.json next to it with the
messages in which pages look for values; it needs Babel.
"""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cranfield.analysis import labels
from cranfield.analysis.labels import kinds_of_labels
from cranfield.features.answers.judging import progress, tasks
from cranfield.features.answers.judging.progress import LABEL_KINDS, NUGGET_TASK
from cranfield.features.answers.judging.tasks import BETTER, SUPPORTS, YES_NO
from cranfield.features.collecting.finding import development
from cranfield.features.tasks import description, submissions
from cranfield.features.tasks.description import KINDS, PHASE_WORDS
from cranfield.features.tasks.submissions import STANDING
from cranfield.judging.frontends import keys
from cranfield.judging.frontends.keys import ADJUDICATING, COMMANDS, LABELLING, PREFERRING
from cranfield.judging.planning import checks
from cranfield.judging.planning.checks import CHECKS
from cranfield.judging.session import command, view
from cranfield.judging.session.command import REASONS
from cranfield.metrics.significance import tests
from cranfield.metrics.significance.tests import TESTS
from cranfield.store import invitations
from cranfield.web import judge_page, open_sessions
from cranfield.web.judge_page import DISPLAY
from cranfield.web.language import CATALOGUES, DOMAIN
from cranfield.web.messages import MESSAGES, PLACEHOLDER
from cranfield.web.open_sessions import judging_roles
from tests.web.message_texts import MessageTexts, find_message_texts

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

pytestmark = pytest.mark.needs_extra("serve")
ROOT = Path(__file__).parents[2]
TEMPLATE_FILE = CATALOGUES / f"{DOMAIN}.pot"
MESSAGES_FILE = CATALOGUES / MESSAGES
MESSAGE = "Message, such as an error."  # the comment for translators
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
    parts = ("First answer", "Second answer", "Answer", "Which answer is better?")
    yield from ((text, tasks.__name__) for text in parts)
    yield from ((text, invitations.__name__) for text in ("valid", "expired", "revoked"))
    yield from ((text, development.__name__) for text in ("trying", "later", "keep", "drop"))
    yield from ((text, submissions.__name__) for text in (*STANDING, "replaced", "withdrawn", "late", "received"))
    yield from ((text, view.__name__) for text in (*view.NAMES, view.NO_TEXT, view.A_PICTURE, "document", "pair"))
    yield from (
        (text, judge_page.__name__) for name, choices in DISPLAY.items() for text in (name.capitalize(), *choices)
    )
    yield from ((text, checks.__name__) for one in CHECKS.values() for text in (one.title, one.rule, one.reasons))
    yield from ((kind, labels.__name__) for kind in kinds_of_labels())
    names = [NUGGET_TASK, *(kind.task for kind in LABEL_KINDS.values())]
    yield from ((text, progress.__name__) for task in names for text in (task, task.capitalize()))
    yield from ((text, description.__name__) for text in (*PHASE_WORDS.values(), *PHASE_WORDS, *KINDS))
    yield from ((text, tasks.__name__) for scale in (SUPPORTS, YES_NO, BETTER) for text in scale.grades.values())
    yield from ((test.title, tests.__name__) for test in TESTS.values())
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
    add_messages(catalogue)
    in_order = Catalog(project="Cranfield", charset="utf-8", fuzzy=False)
    for one in sorted(catalogue, key=lambda one: (MESSAGE in one.auto_comments, one)):
        in_order.add(one.id, None, sorted(one.locations), auto_comments=one.auto_comments, context=one.context)
    return in_order


def add_messages(catalogue: "Catalog") -> None:
    """Add the messages of the layers below the pages, each with one of the files that have it."""
    messages = find_message_texts()
    known = {message.id[0] for message in catalogue if isinstance(message.id, tuple)}
    for text, names in messages.texts.items():
        if text not in catalogue:
            catalogue.add(text, None, [(min(names), 0)], auto_comments=[MESSAGE])
    for (one, many), names in messages.nouns.items():
        if (singular := f"%(num)s {one}") not in known:
            known.add(singular)
            catalogue.add((singular, f"%(num)s {many}"), None, [(min(names), 0)], auto_comments=[MESSAGE])


def messages_text(messages: MessageTexts) -> bytes:
    """The messages with values, and the nouns that are counted, as pages read them."""
    texts = sorted(text for text in messages.texts if PLACEHOLDER.search(text))
    content = {"texts": texts, "nouns": sorted(messages.nouns)}
    return (json.dumps(content, ensure_ascii=False, indent=0) + "\n").encode()


def template_text() -> bytes:
    """The template, without dates and line numbers, which would change with every edit."""
    from babel.messages.pofile import write_po

    written = BytesIO()
    write_po(written, extract(), width=120, omit_header=True, include_lineno=False)
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

    catalogue = read_po(BytesIO(TEMPLATE_FILE.read_bytes()), locale=name.split("_", maxsplit=1)[0])
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
    MESSAGES_FILE.write_bytes(messages_text(find_message_texts()))
    print(f"wrote {TEMPLATE_FILE.relative_to(ROOT)} and {MESSAGES}")
