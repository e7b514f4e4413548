"""The table of targets."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.publishing.targets.bagit import BAGIT
from cranfield.publishing.targets.beir import BEIR
from cranfield.publishing.targets.ir_datasets import IR_DATASETS
from cranfield.publishing.targets.target import Target

TARGETS: Mapping[str, Target] = {target.name: target for target in (IR_DATASETS, BAGIT, BEIR)}
