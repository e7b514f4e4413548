"""Topics: sets of topics, their hardness, the topics to judge next, and topics in development."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.commands.hardness import choose_next as choose_next
    from cranfield.commands.hardness import measure_hardness as measure_hardness
    from cranfield.commands.topics import list_sets as list_sets
    from cranfield.commands.topics import save_set as save_set
    from cranfield.commands.topics import split_into_folds as split_into_folds
    from cranfield.features.collecting.finding.functions import drop as drop
    from cranfield.features.collecting.finding.functions import keep as keep
    from cranfield.features.collecting.finding.functions import list_candidates as list_candidates
    from cranfield.features.collecting.finding.functions import propose as propose
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
