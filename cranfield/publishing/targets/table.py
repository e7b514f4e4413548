"""The table of targets."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.publishing.targets.bagit import BAGIT
from cranfield.publishing.targets.beir import BEIR
from cranfield.publishing.targets.croissant import CROISSANT
from cranfield.publishing.targets.hf import HF
from cranfield.publishing.targets.ir_datasets import IR_DATASETS
from cranfield.publishing.targets.target import Target
from cranfield.publishing.targets.zenodo import ZENODO

TARGETS: Mapping[str, Target] = {target.name: target for target in (HF, IR_DATASETS, CROISSANT, BAGIT, ZENODO, BEIR)}
