"""Pictures of results: precision-recall curves, differences by topic, scores over topics.

`cranfield.report.plots` has a function a picture, of a DataFrame as `evaluate` and `precision_recall` give it; a
picture shows itself in a notebook, and `save` writes it.
"""
