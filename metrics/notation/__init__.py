"""From names to measures: the notation, other tools' names, and measures of one's own."""
