"""The report of a collection, and pictures of results.

`page.page` writes one HTML page on a collection, `card` and `card_text` its reusability card, `cli` the command
`cranfield report`. `cranfield.plots.plots` and `figures` have a function a picture, of the tables and documents that
the commands make; a picture shows itself in a notebook, and `plots.save` writes it.
"""
