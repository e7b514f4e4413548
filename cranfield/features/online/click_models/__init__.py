"""Models of what users examine and click; table.py lists them."""
