"""The markup of a text as what a script can build elements from: tags, attributes, and numbers of characters."""

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from markupsafe import Markup

EMPTY: Sequence[tuple[str, str | None]] = ()


class Structure(HTMLParser):
    r"""What markup is made of: [tag, attributes, parts]; a number is that many UTF-16 units of the text.

    >>> Structure.of(Markup('<h2 dir="auto">On <em>\U0001f600</em></h2>'))
    [['h2', {'dir': 'auto'}, [3, ['em', {}, [2]]]]]
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root: list[Any] = []
        self._open = [self.root]
        self._begun = ""  # the tag that nothing has followed yet

    @classmethod
    def of(cls, markup: Markup) -> list[Any]:
        """The parts of markup that was written here."""
        parser = cls()
        parser.feed(str(markup))
        parser.close()
        return parser.root

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]] = EMPTY) -> None:
        """Begin an element."""
        parts: list[Any] = []
        self._open[-1].append([tag, {name: value or "" for name, value in attrs}, parts])
        self._open.append(parts)
        self._begun = tag

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        self._open.pop()
        self._begun = ""

    def handle_data(self, data: str) -> None:
        """Count the text; the first newline of a `pre` is none of it."""
        text = data[1:] if self._begun == "pre" and data.startswith("\n") else data
        self._begun = ""
        if units := len(text.encode("utf-16-le", "surrogatepass")) // 2:
            self._open[-1].append(units)
