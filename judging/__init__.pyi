"""The names of this package and their modules, for type checkers and for `lazily`, which loads them."""

from cranfield.api.judging import assign as assign
from cranfield.api.judging import disagreements as disagreements
from cranfield.api.judging import why as why
from cranfield.api.with_features import diff as diff
from cranfield.api.with_features import progress as progress
from cranfield.api.with_features import rehearse as rehearse
from cranfield.commands.transfers import export_page as export_page
from cranfield.commands.transfers import import_bundle as import_bundle
from cranfield.features.briefing.functions import assessor_answer as assessor_answer
from cranfield.features.briefing.functions import assessor_practice as assessor_practice
from cranfield.features.briefing.functions import assessor_questions as assessor_questions
from cranfield.features.briefing.functions import assessor_results as assessor_results
from cranfield.features.preferences.functions import preferences as preferences

__all__: list[str]
