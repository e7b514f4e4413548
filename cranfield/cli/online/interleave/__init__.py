"""Mix the rankings of two systems or more into one list."""
