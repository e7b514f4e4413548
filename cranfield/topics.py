"""Sets of topics, how hard topics are, which to judge next, and topics in development."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.api.building import topics_list as topics_list
    from cranfield.api.with_features import topics_hardness as topics_hardness
    from cranfield.api.with_features import topics_next as topics_next
    from cranfield.commands.topics import topics_set as topics_set
    from cranfield.commands.topics import topics_split as topics_split
    from cranfield.features.collecting.finding.functions import topics_candidates as topics_candidates
    from cranfield.features.collecting.finding.functions import topics_drop as topics_drop
    from cranfield.features.collecting.finding.functions import topics_keep as topics_keep
    from cranfield.features.collecting.finding.functions import topics_try as topics_try
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
