"""The table of coefficients, in display order. To add one, write a file with an `Agreement` and add a line here."""

from collections.abc import Mapping
from types import MappingProxyType

from cranfield.judging.agreement.base import OVERLAP, PREVALENCE, RAW, Agreement
from cranfield.judging.agreement.chance_corrected import AC1, AC2, COHEN, FLEISS, KRIPPENDORFF

AGREEMENTS: Mapping[str, Agreement] = MappingProxyType(
    {
        agreement.name: agreement
        for agreement in (RAW, OVERLAP, PREVALENCE, *COHEN.values(), FLEISS, *KRIPPENDORFF.values(), AC1, AC2)
    }
)
