"""Identifiers that a description may contain: ORCID, DOI, languages, URLs, names, licences; each has its own rule."""

import re
from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from cranfield.errors import InputError

ORCID = re.compile(r"(?:https?://orcid\.org/)?(\d{4}-?\d{4}-?\d{4}-?\d{3}[\dXx])")
DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.\d{4,9}(?:\.\d+)*/[^\s\x00-\x1f\x7f]+)", re.IGNORECASE)
URL = re.compile(r"https?://[^\s<>\"'\\^`{|}\x00-\x1f\x7f]+")
MAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+")
NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
COMMUNITY = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
VERSION = re.compile(r"[0-9A-Za-z]+(?:[.+_-][0-9A-Za-z]+)*")
TAG = re.compile(  # RFC 5646, without what is only registered as a whole
    r"[a-z]{2,3}(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*"
    r"(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.IGNORECASE,
)
TWO_LETTERS = (  # ISO 639-1
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en"
    " eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv"
    " ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne"
    " ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss"
    " st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)


def orcid(value: str) -> str:
    """An ORCID iD with its hyphens; its last character is a checksum (ISO 7064, MOD 11-2).

    >>> orcid("https://orcid.org/0000-0002-1825-0097"), orcid("000000021694233x")
    ('0000-0002-1825-0097', '0000-0002-1694-233X')
    >>> orcid("0000-0002-1825-0096")
    Traceback (most recent call last):
    cranfield.errors.InputError: ORCID iD '0000-0002-1825-0096' has a wrong checksum; expected 7 as its last character
    """
    match = ORCID.fullmatch(value)
    if match is None:
        raise InputError(f"{value!r:.60} is not an ORCID iD; expected an iD such as 0000-0002-1825-0097")
    digits = match[1].replace("-", "").upper()
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    right = "0123456789X"[(12 - total % 11) % 11]
    if digits[-1] != right:
        raise InputError(f"ORCID iD {value!r} has a wrong checksum; expected {right} as its last character")
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def doi(value: str) -> str:
    """A DOI without the address of its resolver.

    >>> doi("https://doi.org/10.5281/zenodo.1234"), doi("10.1145/3458723")
    ('10.5281/zenodo.1234', '10.1145/3458723')
    >>> doi("zenodo.1234")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'zenodo.1234' is not a DOI; expected a DOI such as 10.5281/zenodo.1234
    """
    match = DOI.fullmatch(value)
    if match is None:
        raise InputError(f"{value!r:.60} is not a DOI; expected a DOI such as 10.5281/zenodo.1234")
    return match[1]


def language(value: str) -> str:
    """A BCP 47 tag in its usual case.

    >>> language("EN"), language("pt-br"), language("zh-hans-cn")
    ('en', 'pt-BR', 'zh-Hans-CN')
    >>> language("english")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'english' is not a BCP 47 language tag; expected a tag such as en or pt-BR
    """
    first, *rest = value.split("-")
    is_code = len(first) != 2 or first.lower() in TWO_LETTERS.split()
    if TAG.fullmatch(value) is None or not is_code:
        raise InputError(f"{value!r:.60} is not a BCP 47 language tag; expected a tag such as en or pt-BR")
    cases = {2: str.upper, 4: str.title}
    singleton = next((at for at, part in enumerate(rest) if len(part) == 1), len(rest))
    return "-".join(
        [first.lower(), *(cases.get(len(part), str.lower)(part) for part in rest[:singleton]),
         *(part.lower() for part in rest[singleton:])]
    )  # fmt: skip


def url(value: str) -> str:
    """A URL of http or https.

    >>> url("example.org/a")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'example.org/a' is not a URL; expected a URL such as https://example.org/a
    """
    if URL.fullmatch(value) is None:
        raise InputError(f"{value!r:.60} is not a URL; expected a URL such as https://example.org/a")
    return value


def doi_or_url(value: str) -> str:
    """A DOI, or a URL of something else.

    >>> doi_or_url("https://doi.org/10.5281/zenodo.1234"), doi_or_url("https://example.org")
    ('10.5281/zenodo.1234', 'https://example.org')
    """
    return doi(value) if DOI.fullmatch(value) else url(value)


def contact(value: str) -> str:
    """A mail address, or a URL.

    >>> contact("ada@example.org"), contact("https://example.org/help")
    ('ada@example.org', 'https://example.org/help')
    >>> contact("Ada")
    Traceback (most recent call last):
    cranfield.errors.InputError: contact: 'Ada' is neither an e-mail address nor a URL; \
    expected an address such as someone@example.org
    """
    if MAIL.fullmatch(value) is None and URL.fullmatch(value) is None:
        what = "is neither an e-mail address nor a URL; expected an address such as someone@example.org"
        raise InputError(f"contact: {value!r:.60} {what}")
    return value


def name(value: str) -> str:
    """A name for folders and code.

    >>> name("My Track")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'My Track' is not a name for folders and code; expected lower-case letters, digits and
    -, for example my-track
    """
    if NAME.fullmatch(value) is None:
        right = "expected lower-case letters, digits and -"
        raise InputError(f"{value!r:.60} is not a name for folders and code; {right}, for example {as_name(value)}")
    return value


def as_name(text: str) -> str:
    """A text as a name for folders and code.

    >>> as_name("My Track 2026!"), as_name("«»")
    ('my-track-2026', 'collection')
    """
    return "-".join(re.findall("[a-z0-9]+", text.lower()))[:60].strip("-") or "collection"


def community(value: str) -> str:
    """A community of Zenodo.

    >>> community("trec"), community("information-retrieval")
    ('trec', 'information-retrieval')
    """
    if COMMUNITY.fullmatch(value) is None:
        what = "is not a Zenodo community; expected the name in the community's URL"
        raise InputError(f"{value!r:.60} {what}, of lower-case letters, digits, - and _")
    return value


def version(value: str) -> str:
    """A version.

    >>> version("1.0.0"), version("2026-03")
    ('1.0.0', '2026-03')
    """
    if VERSION.fullmatch(value) is None:
        raise InputError(f"{value!r:.60} is not a version; expected a version such as 1.0.0")
    return value


def day(value: str) -> str:
    """A date.

    >>> day("31.3.2026")
    Traceback (most recent call last):
    cranfield.errors.InputError: '31.3.2026' is not a date; expected a date such as 2026-03-31
    """
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise InputError(f"{value!r:.60} is not a date; expected a date such as 2026-03-31") from None


COMMON: Mapping[str, str] = {  # licences of data, and Hugging Face's name of each
    "CC0-1.0": "cc0-1.0",
    "CC-BY-4.0": "cc-by-4.0",
    "CC-BY-3.0": "cc-by-3.0",
    "CC-BY-2.0": "cc-by-2.0",
    "CC-BY-SA-4.0": "cc-by-sa-4.0",
    "CC-BY-SA-3.0": "cc-by-sa-3.0",
    "CC-BY-NC-4.0": "cc-by-nc-4.0",
    "CC-BY-NC-3.0": "cc-by-nc-3.0",
    "CC-BY-NC-SA-4.0": "cc-by-nc-sa-4.0",
    "CC-BY-NC-SA-3.0": "cc-by-nc-sa-3.0",
    "CC-BY-ND-4.0": "cc-by-nd-4.0",
    "CC-BY-NC-ND-4.0": "cc-by-nc-nd-4.0",
    "ODbL-1.0": "odbl",
    "ODC-By-1.0": "odc-by",
    "PDDL-1.0": "pddl",
    "CDLA-Permissive-1.0": "cdla-permissive-1.0",
    "CDLA-Permissive-2.0": "cdla-permissive-2.0",
    "CDLA-Sharing-1.0": "cdla-sharing-1.0",
    "C-UDA-1.0": "c-uda",
    "etalab-2.0": "etalab-2.0",
    "EUPL-1.2": "eupl-1.2",
    "MIT": "mit",
    "Apache-2.0": "apache-2.0",
    "BSD-2-Clause": "bsd-2-clause",
    "BSD-3-Clause": "bsd-3-clause",
    "GPL-2.0-only": "gpl-2.0",
    "GPL-2.0-or-later": "gpl-2.0",
    "GPL-3.0-only": "gpl-3.0",
    "GPL-3.0-or-later": "gpl-3.0",
    "AGPL-3.0-only": "agpl-3.0",
    "AGPL-3.0-or-later": "agpl-3.0",
    "MPL-2.0": "mpl-2.0",
    "Unlicense": "unlicense",
}
OWN = "LicenseRef-"  # begins the identifier of a licence that SPDX does not list


def spdx(value: str) -> str:
    """An SPDX identifier as SPDX writes it; another text is an error.

    >>> spdx("BSD License")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'BSD License' is not an SPDX identifier; nearest: BSD-2-Clause, BSD-3-Clause
    >>> spdx("cc-by-4.0"), spdx("LicenseRef-our-agreement")
    ('CC-BY-4.0', 'LicenseRef-our-agreement')
    >>> spdx("CC BY 4")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'CC BY 4' is not an SPDX identifier; nearest: CC-BY-4.0, CC-BY-3.0, CC-BY-2.0
    """
    try:
        return str(canonicalize_license_expression(value))
    except InvalidLicenseExpression:
        names = {name.lower(): name for name in COMMON}
        spelling = value.lower().replace(" ", "-").removesuffix("-license").removesuffix("-licence")
        begin = [name for name in names if name.startswith(spelling)]
        near = [names[name] for name in dict.fromkeys([*begin, *get_close_matches(spelling, names, 3, 0.5)])][:4]
        remedy = f"nearest: {', '.join(near)}" if near else f"for example {', '.join([*COMMON][:4])}"
        other = "" if near else f", or {OWN}NAME for another licence"
        raise InputError(f"{value!r:.60} is not an SPDX identifier; {remedy}{other}") from None


def link(licence: str) -> str:
    """Where SPDX has the text of a licence; nothing for one that it does not list, or an expression of several.

    >>> link("CC-BY-4.0"), link("LicenseRef-ours"), link("MIT OR Apache-2.0")
    ('https://spdx.org/licenses/CC-BY-4.0.html', '', '')
    """
    return (
        "" if not licence or licence.startswith(OWN) or " " in licence else f"https://spdx.org/licenses/{licence}.html"
    )
