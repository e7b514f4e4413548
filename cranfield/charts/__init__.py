"""Every figure, in one style: drawn by matplotlib in files, as SVG in pages."""
