"""Every figure, in one style."""
