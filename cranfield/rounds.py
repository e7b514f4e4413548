"""Open, close and compare the rounds of a collection that lives."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.api.rounds import lag as lag
    from cranfield.api.rounds import round_close as round_close
    from cranfield.api.rounds import round_list as round_list
    from cranfield.api.rounds import round_same as round_same
    from cranfield.api.rounds import round_start as round_start
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
