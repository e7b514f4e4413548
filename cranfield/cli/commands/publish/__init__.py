"""Publish a collection as a folder that others can load: describe it, build the folder, check one."""
