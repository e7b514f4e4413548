"""Corpora and topics of files, with errors that name keywords of Python."""

from cranfield.formats.table import read_corpus as read_corpus_file
from cranfield.formats.table import read_topics as read_topics_file
from cranfield.options.arguments import check_arguments

read_corpus, read_topics = check_arguments(read_corpus_file), check_arguments(read_topics_file)
read_corpus.__module__ = read_topics.__module__ = __name__  # where other processes find them
