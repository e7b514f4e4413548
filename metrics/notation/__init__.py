"""From names to measures: the notation, other tools' names, and your own measures."""
