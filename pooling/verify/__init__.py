"""Whether runs, pooled, make given judgments: who was pooled, how deep, and by what rule for equal scores."""
