"""Label with language models: ask them, audit and correct their labels by people's, form panels."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.features.models.functions import model_assess_export as model_assess_export
    from cranfield.features.models.functions import model_assess_import as model_assess_import
    from cranfield.features.models.functions import model_assess_run as model_assess_run
    from cranfield.features.models.functions import model_audit_draw as model_audit_draw
    from cranfield.features.models.functions import model_audit_estimate as model_audit_estimate
    from cranfield.features.models.functions import model_audit_report as model_audit_report
    from cranfield.features.models.functions import model_panel as model_panel
    from cranfield.features.models.functions import model_prompts as model_prompts
    from cranfield.features.preferences.functions import model_prefer as model_prefer
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
