"""Which of two documents is better: pairs, both orders, Copeland grades."""
