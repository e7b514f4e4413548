"""The table of coefficients, in display order. To add one, write a file with an `Agreement` and add a line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cranfield.judging.agreement.base import Agreement
from cranfield.judging.agreement.cohen import COHEN
from cranfield.judging.agreement.fleiss import FLEISS
from cranfield.judging.agreement.gwet import AC1, AC2
from cranfield.judging.agreement.krippendorff import KRIPPENDORFF
from cranfield.judging.agreement.raw import OVERLAP, PREVALENCE, RAW

AGREEMENTS: Mapping[str, Agreement] = MappingProxyType(
    {
        agreement.name: agreement
        for agreement in (RAW, OVERLAP, PREVALENCE, *COHEN.values(), FLEISS, *KRIPPENDORFF.values(), AC1, AC2)
    }
)
