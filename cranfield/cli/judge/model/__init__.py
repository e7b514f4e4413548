"""Audit the labels of language models against those of people."""
