"""Views of the interaction log."""
