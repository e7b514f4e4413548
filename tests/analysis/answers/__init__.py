"""Generated answers, from labels to tables."""
