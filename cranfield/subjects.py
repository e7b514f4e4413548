"""Replace rankings, topics or files with another subject: `subject=` of evaluate, search_corpus and others."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.commands.subject import Subject as Subject
    from cranfield.features.answers.subjects import GeneratedAnswers as GeneratedAnswers
    from cranfield.features.collecting.subjects import Variations as Variations
    from cranfield.features.collecting.systems.subject import ExternalSystem as ExternalSystem
    from cranfield.features.documents.showing import ShownFields as ShownFields
    from cranfield.features.documents.subjects import FolderDocuments as FolderDocuments
    from cranfield.features.documents.subjects import PassageDocuments as PassageDocuments
    from cranfield.features.documents.subjects import WantedDocuments as WantedDocuments
    from cranfield.features.online.subjects import InteractionLogs as InteractionLogs
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
