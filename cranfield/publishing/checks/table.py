"""The table of checks."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.publishing.checks.bagit import BAGIT_CHECK
from cranfield.publishing.checks.check import Check
from cranfield.publishing.checks.ir_datasets import IR_DATASETS_CHECK
from cranfield.publishing.checks.log import LOG
from cranfield.publishing.checks.tables import TABLES

CHECKS: Sequence[Check] = (TABLES, LOG, BAGIT_CHECK, IR_DATASETS_CHECK)
