"""Text of unknown origin as Markdown, JSON and YAML: it becomes no heading, HTML, picture, or end of a block."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.extras import require_extra
from cranfield.formats.text_tables import MARKUP, as_json, as_markdown
from cranfield.text import visible_line, visible_text

LINK = r"(?<!!)\[[^][<>`\\\n]+\]\(https?://[^\s()<>`\"\\]+\)"
ESCAPE = r"\\[!-/:-@\[-`{-~]"
INLINE = re.compile(rf"({ESCAPE}|{LINK})|`{{3,}}|[<\[\]~]")
BLOCK = re.compile(r"^( {0,3})(?=#|(?:[-_*] *){3,}$|=+ *$|-+ *$)")
TABLE_RULE = re.compile(r" *\|? *:?-+:? *\|")
SCRIPT_CHARS = re.compile("[<>&\x85\u2028\u2029]")  # what ends a script element, or a line in one


def line(text: str) -> str:
    r"""A text on one line, in which nothing is Markdown.

    >>> print(line("a_b <b>x</b>\n# c ![](x)\u202e"))
    a_b \<b\>x\</b\> # c !\[\](x)\<U+202E\>
    """
    return MARKUP.sub(r"\\\g<0>", visible_line(text))


def paragraphs(text: str) -> str:
    r"""A text of people in Markdown: emphasis, lists, tables and links of the web stay, all other markup is shown.

    >>> print(paragraphs("*yes*, [a](https://a.org)\n---\n# no\n</script> ![b](http://b) [c](javascript:d)"))
    *yes*, [a](https://a.org)
    \---
    \# no
    \</script> !\[b\](http://b) \[c\](javascript:d)
    """
    return "\n".join(_line(one) for one in visible_text(text).strip().split("\n"))


def _line(text: str) -> str:
    safe = INLINE.sub(lambda match: match[1] or "".join(f"\\{one}" for one in match[0]), text)
    return safe if TABLE_RULE.match(safe) else BLOCK.sub(r"\1\\", safe)


def table(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as a Markdown table."""
    return as_markdown([{name: visible_line(str(value)) for name, value in row.items()} for row in rows])


def json_text(document: object) -> str:
    r"""JSON that can stand in a script element of a page.

    >>> print(json_text({"a": "</script>\x1b\u2028", "b": 1}), end="")
    {
      "a": "\u003c/script\u003e\u001b\u2028",
      "b": 1
    }
    """
    return SCRIPT_CHARS.sub(lambda match: f"\\u{ord(match[0]):04x}", as_json(document))


def yaml_text(document: Mapping[str, Any]) -> str:
    r"""A document as YAML, in its own order.

    >>> print(yaml_text({"a": "---\nb: c", "d": ["no", "1"], "e": {"f": 2}}), end="")
    a: '--- b: c'
    d:
    - 'no'
    - '1'
    e:
      f: 2
    """
    require_extra("files", "a card in YAML", "yaml")
    import yaml

    return str(yaml.safe_dump(_with_visible_text(document), sort_keys=False, allow_unicode=True, width=1_000_000))


def _with_visible_text(value: Any) -> Any:
    if isinstance(value, str):
        return visible_line(value)
    if isinstance(value, Mapping):
        return {visible_line(str(key)): _with_visible_text(item) for key, item in value.items()}
    return [_with_visible_text(item) for item in value] if isinstance(value, list | tuple) else value
