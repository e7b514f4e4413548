"""Open, close and compare the rounds of a collection that lives."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.features.rounds.functions import lag as lag
    from cranfield.features.rounds.functions import round_close as round_close
    from cranfield.features.rounds.functions import round_list as round_list
    from cranfield.features.rounds.functions import round_same as round_same
    from cranfield.features.rounds.functions import round_start as round_start
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
