"""A/B tests: who was in which arm, and what it changed."""
