"""The measures, one file each; `table` lists them in display order."""
