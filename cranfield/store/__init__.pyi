"""The names of this package and their modules, for type checkers and for `lazy_getattr`, which loads them."""

from cranfield.commands.corpus_import import import_corpus as import_corpus
from cranfield.commands.exports import export_beir as export_beir
from cranfield.commands.exports import export_corpus as export_corpus
from cranfield.commands.exports import export_datasette_metadata as export_datasette_metadata
from cranfield.commands.exports import export_judgments as export_judgments
from cranfield.commands.exports import export_qrels as export_qrels
from cranfield.commands.exports import export_topics as export_topics
from cranfield.commands.imports import import_qrels as import_qrels
from cranfield.commands.imports import import_topics as import_topics
from cranfield.commands.run_export import export_runs as export_runs
from cranfield.commands.run_import import import_runs as import_runs
from cranfield.commands.runs import search_corpus as search_corpus
from cranfield.commands.store_copies import adopt as adopt
from cranfield.commands.store_copies import backup as backup
from cranfield.commands.store_copies import upgrade_store as upgrade_store
from cranfield.commands.stores import create_release as create_release
from cranfield.commands.stores import create_store as create_store
from cranfield.commands.stores import erase as erase
from cranfield.commands.stores import info as info
from cranfield.commands.stores import list_history as list_history
from cranfield.commands.stores import list_releases as list_releases
from cranfield.commands.stores import remove as remove
from cranfield.commands.stores import restore as restore
from cranfield.commands.stores import verify as verify
from cranfield.commands.stores import withdraw as withdraw
from cranfield.commands.transfers import import_collection as import_collection
from cranfield.commands.vote_import import import_votes as import_votes
from cranfield.features.answers.functions import import_answers as import_answers
from cranfield.features.collecting.functions import import_variations as import_variations
from cranfield.features.documents.functions import build_passages as build_passages
from cranfield.features.documents.functions import fetch_texts as fetch_texts
from cranfield.features.online.functions import import_log as import_log
from cranfield.features.preferences.functions import import_preferences as import_preferences

__all__: list[str]
