"""Label with language models: ask models, audit and correct their labels with people's labels, form panels."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.features.models.auditing import audit as audit
    from cranfield.features.models.auditing import draw_audit_sample as draw_audit_sample
    from cranfield.features.models.auditing import estimate_human_labels as estimate_human_labels
    from cranfield.features.models.auditing import form_panel as form_panel
    from cranfield.features.models.auditing import list_prompts as list_prompts
    from cranfield.features.models.functions import assess as assess
    from cranfield.features.models.functions import export_batch as export_batch
    from cranfield.features.models.functions import import_batch as import_batch
    from cranfield.features.models.options import Asking as Asking
    from cranfield.features.preferences.functions import label_preferences as label_preferences
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
