"""Messages of the core on a page: fields and links in place of options and commands, which belong to a terminal."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import NamedTuple

from cranfield import hooks
from cranfield.judging.labels.differences import SET_BY_ASSIGN
from cranfield.report.blocks import Block, Facts, Text, Top, as_sentence
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.view import Parameter, link_line, name_fields

PYTHON_WORDS = (  # a name of the library, or a keyword with its value
    r"\bcranfield\.[a-z_][\w.]*(?:\([^)]*\))?|\b[a-z][a-z_]*=(?:[A-Z]\w*|\"[^\"]*\"|\{[^}]*\}|\([^)]*\))"
)
SHELL_WORDS = re.compile(
    r"(?<!\w)'[^']*'(?!\w)|(?P<shell>`(?P<command>[^`]*)`|(?<![\w-])--[a-z][\w-]*|\bcranfield [a-z][a-z ]*|\biconv "
    rf"|{PYTHON_WORDS})"
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
TERMINAL_ONLY = translatable("This is not possible in the browser; ask the person who runs the server")
SET_UP = "setup"  # the page that fills a store; a feature has it
DELIVER = "deliver"  # the page that takes other data, of the same feature
TASK = "task"  # the page of a shared task; a feature has it
STORE_LABELS = "store labels"  # the command that records whose labels count
PRIMARY_TEXT = "primary (the topic's assessor decides, because no choice is recorded)"
DOWNLOADING = ("export bundle", "export page", "export runs", "publish build", "store backup")


class PageLink(NamedTuple):
    """What a link says, and where it leads."""

    text: str
    href: str


class PageText(NamedTuple):
    """A message without words for a terminal, and the links to the pages where its remedy is."""

    text: str
    links: Sequence[PageLink] = ()


def _set_up_address(name: str) -> str:
    return f"/organise/{SET_UP}?step={name}#{name}"


SET_UP_LINKS = {  # by the step
    "documents": PageLink(translatable("Add documents"), _set_up_address("documents")),
    "topics": PageLink(translatable("Add topics"), _set_up_address("topics")),
    "runs": PageLink(translatable("Add runs"), _set_up_address("runs")),
    "pool": PageLink(translatable("Build a pool"), _set_up_address("pool")),
}
ADD_DATA = PageLink(translatable("Add the data"), f"/organise/{DELIVER}#uploads")
LINK_FOR_WORK = translatable("Make a link for this work")
REMEDIES = {  # by the first words of a command, after the name of the program
    "import corpus": SET_UP_LINKS["documents"],
    "import topics": SET_UP_LINKS["topics"],
    "import runs": SET_UP_LINKS["runs"],
    **{
        f"import {name}": ADD_DATA
        for name in ("collection", "qrels", "votes", "log", "answers", "preferences", "variations")
    },
    "import bundle": PageLink(translatable("Bring offline work back"), f"/organise/{DELIVER}#bundles"),
    **{name: PageLink(translatable("Download the data"), f"/organise/{DELIVER}") for name in DOWNLOADING},
    "search": SET_UP_LINKS["runs"],
    "pool build": SET_UP_LINKS["pool"],
    "pool extend": SET_UP_LINKS["pool"],
    "assign": PageLink(translatable("Assign topics"), "/organise/topics#share"),
    "pool forecast": SET_UP_LINKS["pool"],
    "assessor invite": PageLink(translatable("Make a link"), "/organise/links"),
    "judge": PageLink(LINK_FOR_WORK, "/organise/links?role=judge"),
    "adjudicate": PageLink(translatable("Make a link for an adjudicator"), "/organise/links?role=adjudicate"),
    STORE_LABELS: PageLink(translatable("Choose whose labels count"), "/organise/choice"),
    "progress": PageLink(translatable("See the progress of judging"), "/"),
    "task describe": PageLink(translatable("Describe the task"), f"/organise/{TASK}"),
    "task invite": PageLink(translatable("Invite a team"), f"/organise/{TASK}"),
    "task close": PageLink(translatable("Close the task"), f"/organise/{TASK}"),
    "task decide": PageLink(translatable("Decide the requests"), f"/organise/{TASK}"),
}


def page_text(text: str, parameters: Iterable[Parameter] = ()) -> PageText:
    """Name fields in place of options, leave out words of a terminal or Python, and link to where the page can do it.

    >>> page_text("no pool in this store; build one with `cranfield pool build`").text
    'no pool in this store'
    >>> page_text("r:1: UTF-16 text; expected UTF-8; convert the file, for example with iconv -f utf16 -t utf8").text
    'r:1: UTF-16 text; expected UTF-8'
    >>> page_text("Nothing is known. To learn more, run `cranfield diagnose`. See below.").text
    'Nothing is known. See below.'
    >>> page_text('the line is too long; cranfield.limited(line="64M") allows it; make another run with tag=NAME').text
    'the line is too long'
    >>> page_text(f"4 documents have different labels; policy: {SET_BY_ASSIGN}").text
    "4 documents have different labels; policy: primary (the topic's assessor decides, because no choice is recorded)"
    >>> page_text("no run '--by' in this store").text
    "no run '--by' in this store"
    """
    named = name_fields(text.replace(SET_BY_ASSIGN, PRIMARY_TEXT), parameters)
    choice = [STORE_LABELS] if PRIMARY_TEXT in named else []
    commands = [found["command"] or found["shell"] for found in SHELL_WORDS.finditer(named) if found["shell"]]
    if not commands:
        return PageText(named, _links_for_commands(choice))
    sentences = [_drop_shell_clauses(sentence) for sentence in SENTENCE_END.split(named)]
    kept = " ".join(filter(None, sentences))
    return PageText(kept or TERMINAL_ONLY, _links_for_commands([*commands, *choice]))


def without_folder(text: str, path: str | PathLike[str]) -> str:
    """A message with the name of a file or folder of the server in place of its path.

    >>> without_folder("/srv/data/track.db: not a store", "/srv/data/track.db")
    'track.db: not a store'
    """
    folder, name = os.path.split(os.fspath(path))
    return text.replace(os.path.abspath(path), name).replace(os.fspath(path), name) if folder and name else text


def _drop_shell_clauses(sentence: str) -> str:
    """A sentence without the clauses that have commands or options; its first letter and its end stay as they were."""
    clauses = [one for one in sentence.split("; ") if not any(found["shell"] for found in SHELL_WORDS.finditer(one))]
    if not clauses:
        return ""
    kept = "; ".join(clauses)
    kept = kept[:1].upper() + kept[1:] if sentence[:1].isupper() else kept
    return kept if kept.endswith(sentence[-1:]) or sentence[-1:] not in ".!?" else kept + sentence[-1:]


def set_up_address(step: str) -> str:
    """The address of a step of the set-up; empty if no feature has that page."""
    is_set_up = SET_UP in dict(hooks.collect_from_extensions(lambda extension: extension.organiser_pages().items()))
    return _set_up_address(step) if is_set_up else ""


def set_up_link(step: str) -> PageLink | None:
    """The link to a step of the set-up; None if no feature has that page."""
    return SET_UP_LINKS[step] if set_up_address(step) else None


def all_remedies() -> Mapping[str, PageLink]:
    """Return the page that does a command's work, by the first words of the command; features add theirs."""
    roles = hooks.collect_from_extensions(lambda extension: extension.roles())
    links = {
        command: PageLink(LINK_FOR_WORK, f"/organise/links?role={one.name}")
        for one in roles
        for command in one.commands
    }
    return REMEDIES | links


def _links_for_commands(commands: Iterable[str]) -> list[PageLink]:
    words = [command.removeprefix("cranfield ") for command in commands]
    found = [link for word in words for start, link in all_remedies().items() if f"{word} ".startswith(f"{start} ")]
    found += [ADD_DATA for word in words if re.match(r"answers \w+ import\b", word)]
    pages = dict(hooks.collect_from_extensions(lambda extension: extension.organiser_pages().items()))
    missing = [name for name in (SET_UP, DELIVER, TASK) if name not in pages]
    return [link for link in dict.fromkeys(found) if re.split(r"[?#]", link.href)[0].rpartition("/")[2] not in missing]


def remedy_links(command: str, language: Language) -> list[Block]:
    """The links to the page that does what a command does, such as "import log"; empty if no feature has it."""
    links = _links_for_commands([command])
    return [link_line(links, language)] if links else []


def page_blocks(
    blocks: Iterable[Block], parameters: Iterable[Parameter] = (), language: Language = ENGLISH
) -> list[Block]:
    """The blocks of a page with texts for a page; links to remedies follow the text that names them."""
    named, shown = list(parameters), list[Block]()
    for block in blocks:
        shown += _page_text_blocks(block, named, language)
    return shown


def _page_text_blocks(block: Block, parameters: Sequence[Parameter], language: Language) -> list[Block]:
    if isinstance(block, Text):
        text, links = page_text(block.text, parameters)
        return [block._replace(text=text), *([link_line(links, language)] if links else [])]
    if isinstance(block, Facts):
        return [Facts([(term, page_text(value, parameters).text) for term, value in block.pairs])]
    if isinstance(block, Top):
        texts = (page_text(text, parameters).text for text in (block.sentence, block.advice))
        sentence, advice = texts
        return [block._replace(sentence=sentence, advice=advice)]
    return [block]


def sentence_blocks(text: str, parameters: Iterable[Parameter] = (), language: Language = ENGLISH) -> list[Block]:
    """A message of the core as a sentence on a page, with links to its remedies."""
    return page_blocks([Text(as_sentence(text))], parameters, language)
