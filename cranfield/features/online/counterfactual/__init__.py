"""The value of a ranking that nobody was shown, from a log of another."""
