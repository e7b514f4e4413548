"""The table of checks."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.publishing.checks.bagit import BAGIT_CHECK
from cranfield.publishing.checks.check import Check
from cranfield.publishing.checks.croissant import CROISSANT_CHECK
from cranfield.publishing.checks.hf import HF_CHECK
from cranfield.publishing.checks.ir_datasets import IR_DATASETS_CHECK
from cranfield.publishing.checks.log import LOG_CHECK
from cranfield.publishing.checks.names import HEAD_CHECK, NAMES_CHECK, SUMS_CHECK
from cranfield.publishing.checks.remade import REBUILT_CHECK
from cranfield.publishing.checks.signature import SIGNATURE_CHECK
from cranfield.publishing.checks.tables import TABLES_CHECK
from cranfield.publishing.checks.zenodo import DATACITE_CHECK, ZENODO_CHECK

# of what a store is made of, so also before it is
CONTENTS: Sequence[Check] = (
    SIGNATURE_CHECK,
    NAMES_CHECK,
    TABLES_CHECK,
    LOG_CHECK,
    REBUILT_CHECK,
    SUMS_CHECK,
    HEAD_CHECK,
)
CHECKS: Sequence[Check] = (
    *CONTENTS, HF_CHECK, CROISSANT_CHECK, IR_DATASETS_CHECK, DATACITE_CHECK, ZENODO_CHECK, BAGIT_CHECK,
)  # fmt: skip
