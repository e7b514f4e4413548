"""Generated answers: import, export and label nuggets, claims, citations, rubrics and preferences."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.features.answers.functions import list_nuggets as list_nuggets
    from cranfield.features.answers.functions import make_claims as make_claims
    from cranfield.features.answers.functions import make_nuggets as make_nuggets
    from cranfield.features.answers.functions import make_questions as make_questions
    from cranfield.features.answers.labels_by_model import assign_nuggets as assign_nuggets
    from cranfield.features.answers.labels_by_model import label_claims as label_claims
    from cranfield.features.answers.labels_by_model import label_correctness as label_correctness
    from cranfield.features.answers.labels_by_model import label_preferences as label_preferences
    from cranfield.features.answers.labels_by_model import label_rubrics as label_rubrics
    from cranfield.features.answers.labels_by_model import label_support as label_support
    from cranfield.features.answers.transfers import export_answers as export_answers
    from cranfield.features.answers.transfers import export_nuggets as export_nuggets
    from cranfield.features.answers.transfers import import_claims as import_claims
    from cranfield.features.answers.transfers import import_nuggets as import_nuggets
    from cranfield.features.answers.transfers import import_rubrics as import_rubrics
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
