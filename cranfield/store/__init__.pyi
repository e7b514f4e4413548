"""The names of this package and their modules, for type checkers and for `lazily`, which loads them."""

from cranfield.api.building import import_corpus as import_corpus
from cranfield.api.building import import_qrels as import_qrels
from cranfield.api.building import import_runs as import_runs
from cranfield.api.building import import_topics as import_topics
from cranfield.api.building import store_restore as store_restore
from cranfield.api.building import store_withdraw as store_withdraw
from cranfield.api.pools import search_corpus as search_corpus
from cranfield.commands.stores import info as info
from cranfield.commands.stores import store_history as store_history
from cranfield.commands.stores import store_release as store_release
from cranfield.commands.stores import store_releases as store_releases
from cranfield.commands.stores import store_verify as store_verify
from cranfield.commands.transfers import import_collection as import_collection
from cranfield.features.answers.functions import import_answers as import_answers
from cranfield.features.documents.functions import passages_build as passages_build
from cranfield.features.documents.functions import store_fetch as store_fetch
from cranfield.features.online.functions import import_log as import_log

__all__: list[str]
