"""Charts in pages: plain records and arrays in, inline SVG out, which works without script.

What interacts does so by data attributes, which the report's `page.js` reads. How it looks say the report's
`components.css` and the properties of `cranfield.charts.palette.theme_css`.
"""
