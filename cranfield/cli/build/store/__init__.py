"""Maintain a store: undo mistakes, show its history, verify the judgment log, make a backup."""
