"""`import`: a corpus, topics, runs, judgments, votes of other tools, whole collections and bundles."""

from cranfield.cli.build import command, show_lines
from cranfield.commands.corpus_import import import_corpus
from cranfield.commands.imports import import_qrels, import_topics
from cranfield.commands.run_import import import_runs
from cranfield.commands.transfers import import_bundle, import_collection
from cranfield.commands.vote_import import import_votes

corpus = command(import_corpus, show_lines, "store")
topics = command(import_topics, show_lines, "store")
runs = command(import_runs, show_lines, "store")
qrels = command(import_qrels, show_lines, "store")
votes = command(import_votes, show_lines, "store")
collection = command(import_collection, show_lines, "store")
bundle = command(import_bundle, show_lines, "judging")
