"""Licences by their SPDX identifiers, and as Hugging Face calls them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from cranfield.errors import InputError

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
        asked = value.lower().replace(" ", "-").removesuffix("-license").removesuffix("-licence")
        begin = [name for name in names if name.startswith(asked)]
        near = [names[name] for name in dict.fromkeys([*begin, *get_close_matches(asked, names, 3, 0.5)])][:4]
        known = f"nearest: {', '.join(near)}" if near else f"for example {', '.join([*COMMON][:4])}"
        other = "" if near else f", or {OWN}NAME for another licence"
        raise InputError(f"{value!r:.60} is not an SPDX identifier; {known}{other}") from None


def link(licence: str) -> str:
    """Where SPDX has the text of a licence; nothing for one that it does not list, or an expression of several.

    >>> link("CC-BY-4.0"), link("LicenseRef-ours"), link("MIT OR Apache-2.0")
    ('https://spdx.org/licenses/CC-BY-4.0.html', '', '')
    """
    return (
        "" if not licence or licence.startswith(OWN) or " " in licence else f"https://spdx.org/licenses/{licence}.html"
    )
