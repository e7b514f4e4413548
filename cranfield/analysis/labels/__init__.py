"""Labels of a store compared: of people with each other, of two sets of them, and of models with people."""
