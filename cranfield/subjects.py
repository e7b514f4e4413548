"""What functions score instead of rankings: `subject=` of evaluate, compare, reusability and others."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.commands.subject import Subject as Subject
    from cranfield.features.answers.subjects import GeneratedAnswers as GeneratedAnswers
    from cranfield.features.collecting.subjects import Variations as Variations
    from cranfield.features.documents.subjects import PassageDocuments as PassageDocuments
    from cranfield.features.online.subjects import InteractionLogs as InteractionLogs
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
