"""Parts of a page, one module each: plain records and arrays in, inline SVG or HTML out; they work without script.

What interacts does so by data attributes, which `page.js` reads; `components.css` and `theme.py` say how it looks.
"""
