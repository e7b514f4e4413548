"""Generated answers, nuggets and what was said of both, in a store."""
