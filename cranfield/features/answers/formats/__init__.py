"""The files of answers and nuggets."""
