"""Ask models about generated answers: nuggets, claims, citations, rubrics, correctness, preferences."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.features.answers.functions import answers_claims_label as answers_claims_label
    from cranfield.features.answers.functions import answers_claims_make as answers_claims_make
    from cranfield.features.answers.functions import answers_correctness as answers_correctness
    from cranfield.features.answers.functions import answers_nuggets_assign as answers_nuggets_assign
    from cranfield.features.answers.functions import answers_nuggets_make as answers_nuggets_make
    from cranfield.features.answers.functions import answers_nuggets_show as answers_nuggets_show
    from cranfield.features.answers.functions import answers_prefer as answers_prefer
    from cranfield.features.answers.functions import answers_questions_make as answers_questions_make
    from cranfield.features.answers.functions import answers_rubrics_label as answers_rubrics_label
    from cranfield.features.answers.functions import answers_support as answers_support
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
