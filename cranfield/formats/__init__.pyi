"""The names of this package and their modules, for type checkers and for `lazy_getattr`, which loads them."""

from cranfield.features.answers.formats.answers import Answer as Answer
from cranfield.features.answers.formats.answers import Answers as Answers
from cranfield.features.answers.formats.answers import Sentence as Sentence
from cranfield.features.answers.formats.answers import read_answers as read_answers
from cranfield.features.answers.formats.nuggets import PlainNugget as PlainNugget
from cranfield.features.answers.formats.nuggets import read_nuggets as read_nuggets
from cranfield.formats.files import Format as Format
from cranfield.formats.files import open_decompressed as open_decompressed
from cranfield.formats.given_files import distinct_names as distinct_names
from cranfield.formats.given_files import file_name_without_suffixes as file_name_without_suffixes
from cranfield.formats.given_files import run_names as run_names
from cranfield.formats.preferences import PreferenceLine as PreferenceLine
from cranfield.formats.preferences import read_preferences as read_preferences
from cranfield.formats.records import Document as Document
from cranfield.formats.records import Topic as Topic
from cranfield.formats.runs.files import RunInfo as RunInfo
from cranfield.formats.runs.files import read_metadata as read_metadata
from cranfield.formats.runs.files import read_teams as read_teams
from cranfield.formats.runs_and_qrels import each_run as each_run
from cranfield.formats.runs_and_qrels import read_qrels as read_qrels
from cranfield.formats.runs_and_qrels import read_runs as read_runs
from cranfield.formats.table import all_kinds as all_kinds
from cranfield.formats.table import format_of as format_of
from cranfield.formats.table import formats_of as formats_of
from cranfield.formats.table import read_corpus as read_corpus
from cranfield.formats.table import read_topics as read_topics
from cranfield.formats.votes import Vote as Vote
from cranfield.formats.votes import Votes as Votes
from cranfield.formats.votes import read_votes as read_votes
from cranfield.formats.writing import write_beir as write_beir
from cranfield.formats.writing import write_corpus as write_corpus
from cranfield.formats.writing import write_preferences as write_preferences
from cranfield.formats.writing import write_qrels as write_qrels
from cranfield.formats.writing import write_run as write_run
from cranfield.formats.writing import write_topics as write_topics

__all__: list[str]
