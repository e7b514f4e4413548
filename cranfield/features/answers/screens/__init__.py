"""Screens for labelling answers and editing nuggets: lines and the full terminal."""
