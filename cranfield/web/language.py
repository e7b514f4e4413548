"""The language of the pages: every text is English in the code and is looked up in a gettext catalogue.

How to write a text that can be translated:

- in a template: `{% trans %}Back to judging{% endtrans %}`, `{{ _("Search") }}`, or with values
  `{% trans number=rank %}Document {{ number }}{% endtrans %}`; with a plural
  `{% trans count=hits | length %}{{ count }} document{% pluralize %}{{ count }} documents{% endtrans %}`;
- in Python: take the `Language` of the page (`language_of(request)`, `screen.language`, `SectionRequest.language`,
  `Query.language`), and call `language.gettext("Document %(number)s", number=3)` or
  `language.ngettext("%(num)s label", "%(num)s labels", 3)`; a percent sign is written `%%`;
- in a constant, where the language is not known yet: `TITLE = translatable("Judge")`, then `{{ title | translated }}`
  or `language.look_up(TITLE)` where the text is shown;
- from a lower layer, such as an error: `language.translate_message(str(error))`, see `cranfield.web.messages`;
- in a script: `tr("Saving...")` or `tr("%(n)s left", { n: 3 })`, with one literal in double quotes.

Write whole sentences: other languages have another order of words. Data (documents, topics, names) are values, never
part of a text. After a change write the template of all catalogues again: `python -m tests.web.catalogue`.

>>> ENGLISH.gettext("Document %(number)s", number=3), ENGLISH.ngettext("%(num)s label", "%(num)s labels", 1)
('Document 3', '1 label')
>>> Language("ar_EG").tag, Language("ar_EG").direction, ENGLISH.direction
('ar-EG', 'rtl', 'ltr')
"""

import gettext
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.text import RIGHT_TO_LEFT
from cranfield.web.messages import CatalogueFunctions, read_patterns

if TYPE_CHECKING:
    from starlette.requests import Request

ISOLATE, END = "\u2068", "\u2069"  # around a value whose direction is its own
DOMAIN = "cranfield"  # the name of catalogues: LANGUAGE/LC_MESSAGES/cranfield.mo
CATALOGUES = Path(__file__).with_name("catalogues")
RTL_LANGUAGES = frozenset(("ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"))
NAME = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*")


class Language(NamedTuple):
    """A language and the folder of its catalogue; None is the folder of this package."""

    name: str = "en"
    folder: Path | None = None

    @property
    def tag(self) -> str:
        """The value of the attribute `lang`."""
        return self.name.replace("_", "-")

    @property
    def direction(self) -> str:
        """The value of the attribute `dir`."""
        return "rtl" if re.split("[_-]", self.name)[0].lower() in RTL_LANGUAGES else "ltr"

    @property
    def translations(self) -> gettext.NullTranslations:
        """The catalogue; an empty one if there is none, as for English."""
        return _read_catalogue(self)

    def look_up(self, text: str) -> str:
        """Translate a text as it is, such as one that was marked as `translatable`."""
        return self.translations.gettext(text) if text else ""

    def gettext(self, text: str, /, **values: object) -> str:
        """Translate a text and put values into it."""
        return self.look_up(text) % values

    def ngettext(self, singular: str, plural: str, num: int, /, **values: object) -> str:
        """Translate a text in the form for a number, which the text has as `%(num)s`, such as 1,000."""
        return self.translations.ngettext(singular, plural, num) % {"num": f"{num:,}", **values}

    def isolate(self, value: str) -> str:
        """Keep the order of a value, such as a date or a name, in a text that is written in the other direction.

        >>> Language("ar").isolate("2026-11-30 19:30"), ENGLISH.isolate("x"), ENGLISH.isolate("\u05d0") == "\u05d0"
        ('\u20682026-11-30 19:30\u2069', 'x', False)
        """
        differs = self.direction == "rtl" or re.search(RIGHT_TO_LEFT, value)
        return type(value)(ISOLATE) + value + type(value)(END) if value and differs else value

    def isolate_values(self, values: Mapping[str, object]) -> dict[str, object]:
        """Isolate the values of a text that are texts."""
        return {name: self.isolate(value) if isinstance(value, str) else value for name, value in values.items()}

    def translate_message(self, text: str) -> str:
        """Translate a message of a lower layer, such as an error with values in it, as far as the catalogue has it."""
        catalogue = self.translations
        if not text or type(catalogue) is gettext.NullTranslations:
            return text
        return read_patterns().translate(text, CatalogueFunctions(catalogue.gettext, catalogue.ngettext))


ENGLISH = Language()


def translatable(text: str) -> str:
    """Return the text itself, which is thereby found for the catalogue and is translated where it is shown."""
    return text


def language_of(request: "Request") -> Language:
    """Return the language of the application that answers a request."""
    language: Language = request.app.state.language
    return language


def find_language(name: str, folder: Path | None = None) -> Language:
    """Return a language by its name, such as `de` or `pt_BR`; an error if it has no catalogue.

    >>> find_language("en").name
    'en'
    >>> find_language("xx")
    Traceback (most recent call last):
    cranfield.errors.CranfieldError: --language: 'xx' has no catalogue; available: en; pass the folder of others with
    --catalogue
    """
    language = Language(name.replace("-", "_"), folder)
    if name == ENGLISH.name:
        return language
    if NAME.fullmatch(name) and _catalogue_file(language):
        _read_catalogue(language)
        return language
    names = ", ".join(available_languages(folder))
    remedy = f"add {Path(folder) / name / 'LC_MESSAGES' / f'{DOMAIN}.mo'}" if folder else _OTHER_FOLDER
    raise CranfieldError(f"--language: {name!r:.40} has no catalogue; available: {names}; {remedy}")


_OTHER_FOLDER = "pass the folder of others with --catalogue"


def available_languages(folder: Path | None = None) -> list[str]:
    """Return the names of the languages with a catalogue in this folder or in the package, and English."""
    files = [
        *CATALOGUES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"),
        *(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo") if folder else ()),
    ]
    return sorted({ENGLISH.name, *(file.parts[-3] for file in files)})


def _catalogue_file(language: Language) -> str | None:
    folders = [*([language.folder] if language.folder else []), CATALOGUES]
    return next(filter(None, (gettext.find(DOMAIN, folder, [language.name]) for folder in folders)), None)


@cache
def _read_catalogue(language: Language) -> gettext.NullTranslations:
    file = _catalogue_file(language)
    if file is None:
        return gettext.NullTranslations()
    try:
        with open(file, "rb") as opened:
            return gettext.GNUTranslations(opened)
    except (OSError, ValueError, EOFError, UnicodeError) as error:
        raise CranfieldError(f"{file}: not a compiled catalogue ({error}); compile the .po file again") from error
