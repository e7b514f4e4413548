"""The table of coefficients, in display order. To add one, write a file with an `Agreement` and add a line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .base import Agreement
from .cohen import COHEN
from .fleiss import FLEISS
from .gwet import AC1, AC2
from .krippendorff import KRIPPENDORFF
from .raw import OVERLAP, PREVALENCE, RAW

AGREEMENTS: Mapping[str, Agreement] = MappingProxyType(
    {
        agreement.name: agreement
        for agreement in (RAW, OVERLAP, PREVALENCE, *COHEN.values(), FLEISS, *KRIPPENDORFF.values(), AC1, AC2)
    }
)
