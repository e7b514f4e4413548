"""Nuggets and support by a model: the same items as people's, in the same logs, as an assessor of kind model.

An answer of the model that cannot be read gives no label: all that it was about "cannot be judged", with the reason.
What a question is about is in its subject, so answers that come later, in a batch file, find their items.
"""
