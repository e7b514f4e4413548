"""The prose of HTML templates and of scripts of pages."""

import re
from collections.abc import Iterator

from tests.words.splitting import Line

HIDDEN = re.compile(
    r"\{#.*?#\}|<!--.*?-->|<(?:style|script|svg|code|pre|kbd)\b.*?</(?:style|script|svg|code|pre|kbd)>", re.S
)
SHOWN = re.compile(r"\{\{(.*?)\}\}", re.S)
BRANCH = re.compile(r"\{%-?\s*(?:else|elif|pluralize)\b.*?%\}", re.S)
LOOKED_UP = re.compile(r'\{\{\s*_\("([^"]*)"[^{}]*\)\s*\}\}')
CONTROL = re.compile(r"\{%.*?%\}", re.S)
ATTRIBUTE = re.compile(r'\b(?:title|aria-label|placeholder|alt)="([^"]{4,})"')
INLINE = re.compile(r"</?(?:a|abbr|b|em|i|small|span|strong|time|var|sup|sub)\b[^>]*>")
TAG = re.compile(r"<[^>]*>", re.S)
JS_STRING = re.compile(r"""(?<![\w$])(["'`])((?:\\.|(?!\1)[^\\])*?)\1""")
JS_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.S)
NAME = re.compile(r"(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)")


def template_blocks(text: str) -> Iterator[list[Line]]:
    r"""Yield the texts between the tags of a template, with its placeholders as {name}.

    >>> page = '<h2>Left</h2>\n<p title="What is it">{{ n.left | shown }} of\n<b>all</b>{% else %}None.{% endif %}</p>'
    >>> [[(line.number, line.text) for line in block] for block in template_blocks(page)]
    [[(2, 'What is it')], [(1, 'Left')], [(2, '{left} of all')], [(3, 'None.')]]
    """
    text = LOOKED_UP.sub(r"\1", HIDDEN.sub(_newlines, text))
    for found in ATTRIBUTE.finditer(text):
        yield [Line(1 + text.count("\n", 0, found.start()), SHOWN.sub(_placeholder, found[1]))]
    text = BRANCH.sub(lambda found: f"<br>{_newlines(found)}", text)
    text = INLINE.sub(_newlines, SHOWN.sub(_placeholder, CONTROL.sub(_newlines, text)))
    number = 1
    for part in re.split(r"(<[^>]*>)", text):
        if not part.startswith("<") and part.strip():
            before = len(part) - len(part.lstrip())
            yield [Line(number + part.count("\n", 0, before), " ".join(part.split()))]
        number += part.count("\n")


def script_blocks(text: str) -> Iterator[list[Line]]:
    r"""Yield the strings of a script that read as prose.

    >>> [block[0].text for block in script_blocks("say(`Saved ${count} labels of this topic`); // a note")]
    ['Saved {count} labels of this topic']
    """
    text = JS_COMMENT.sub(_newlines, text)
    for found in JS_STRING.finditer(text):
        words = re.sub(r"\$\{([^}]*)\}", _placeholder, found[2])
        if "\n" not in words and len(re.findall(r"(?<!\S)[A-Za-z][a-z']*(?!\w)", words)) > 3:
            yield [Line(1 + text.count("\n", 0, found.start()), TAG.sub(" ", words))]


def _newlines(found: re.Match[str]) -> str:
    return "\n" * found.group().count("\n")


def _placeholder(found: re.Match[str]) -> str:
    name = NAME.search(found[1])
    return f"{{{name[1] if name else 'x'}}}" + _newlines(found)
