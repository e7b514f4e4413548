"""The report on a collection.

`page.page` makes one HTML page, `card` and `card_text` its reusability card. The figures
are those of `cranfield.charts`.
"""
