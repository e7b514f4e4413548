"""What is asked of comparisons of documents by a model."""

from cranfield.features.models.options import AskedOptions, PromptName


class PreferOptions(AskedOptions):
    """How a model is asked for preferences."""

    prompt: PromptName = "preference"
