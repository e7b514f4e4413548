"""Releases: named, dated states of a store that stay as they are while work in it goes on."""
