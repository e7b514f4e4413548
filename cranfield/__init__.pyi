"""The names of this package and their modules, for type checkers and for `lazily`, which loads them."""

from cranfield.api.building import collection_build as collection_build
from cranfield.api.building import collection_list as collection_list
from cranfield.api.building import import_corpus as import_corpus
from cranfield.api.building import import_qrels as import_qrels
from cranfield.api.building import import_runs as import_runs
from cranfield.api.building import import_topics as import_topics
from cranfield.api.building import info as info
from cranfield.api.building import store_history as store_history
from cranfield.api.building import store_verify as store_verify
from cranfield.api.judging import agreement as agreement
from cranfield.api.judging import assign as assign
from cranfield.api.judging import diff as diff
from cranfield.api.judging import disagreements as disagreements
from cranfield.api.judging import export_page as export_page
from cranfield.api.judging import import_bundle as import_bundle
from cranfield.api.judging import progress as progress
from cranfield.api.judging import rehearse as rehearse
from cranfield.api.judging import why as why
from cranfield.api.measuring import compare as compare
from cranfield.api.measuring import correlate as correlate
from cranfield.api.measuring import curve as curve
from cranfield.api.measuring import evaluate as evaluate
from cranfield.api.measuring import measures as measures
from cranfield.api.measuring import read_qrels as read_qrels
from cranfield.api.measuring import read_runs as read_runs
from cranfield.api.pools import fuse as fuse
from cranfield.api.pools import pool as pool
from cranfield.api.pools import pool_build as pool_build
from cranfield.api.pools import pool_diff as pool_diff
from cranfield.api.pools import pool_estimate as pool_estimate
from cranfield.api.pools import pool_extend as pool_extend
from cranfield.api.pools import pool_forecast as pool_forecast
from cranfield.api.pools import pool_methods as pool_methods
from cranfield.api.pools import pool_show as pool_show
from cranfield.api.pools import pool_simulate as pool_simulate
from cranfield.api.pools import pool_verify as pool_verify
from cranfield.api.pools import search_corpus as search_corpus
from cranfield.api.trusting import depths as depths
from cranfield.api.trusting import diagnose as diagnose
from cranfield.api.trusting import leave_one_out as leave_one_out
from cranfield.api.trusting import reusability as reusability
from cranfield.api.trusting import stability as stability
from cranfield.api.trusting import write_report as write_report
from cranfield.errors import CranfieldError as CranfieldError
from cranfield.errors import InputError as InputError
from cranfield.errors import MeasureError as MeasureError
from cranfield.errors import StoreError as StoreError
from cranfield.formats import read_corpus as read_corpus
from cranfield.formats import read_topics as read_topics
from cranfield.formats.limits import limited as limited
from cranfield.store.store import Store as Store

__version__: str
__all__: list[str]
