"""Asking a model for labels of answers, as `model assess run` asks for labels of documents."""

from __future__ import annotations

from cranfield.features.answers.asking import ask_about
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.features.answers.options import (
    AnsweredTopics,
    AskingInstead,
    ComparedRun,
    EachCitation,
    StoreOfAnswers,
    WhoseNuggets,
)
from cranfield.features.models.asked import Asked
from cranfield.options.arguments import check_arguments


@check_arguments
def assign_nuggets(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    nuggets: WhoseNuggets = None,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a language model which nuggets the answers contain.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    nuggets : {"people", "models", "all"}, optional
        Kind of authors whose nuggets count; by default people if they wrote any, otherwise models.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("assignment", nuggets=nuggets_by(nuggets))
    return ask_about(store, kind.questions, asking, topics, "answers.assign_nuggets")


@check_arguments
def label_support(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    each: EachCitation = False,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a language model whether cited documents support the sentences that cite them.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    each : bool
        Also ask about the first three citations together, each of them separately, and the set without it.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("support", each=each)
    return ask_about(store, kind.questions, asking, topics, "answers.label_support")


@check_arguments
def label_claims(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a language model whether the documents of answers support claims.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("attribution")
    return ask_about(store, kind.questions, asking, topics, "answers.label_claims")


@check_arguments
def label_rubrics(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a language model whether answers satisfy rubric questions.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("rubric")
    return ask_about(store, kind.questions, asking, topics, "answers.label_rubrics")


@check_arguments
def label_correctness(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a language model whether answers agree with reference answers.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("correctness")
    return ask_about(store, kind.questions, asking, topics, "answers.label_correctness")


@check_arguments
def label_preferences(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    baseline: ComparedRun = None,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a language model which of two answers is better, in both orders.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    baseline : str, optional
        Run whose answers all other answers are compared with; by default, all pairs of runs are compared.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained a preference.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("answers", baseline=baseline)
    return ask_about(store, kind.questions, asking, topics, "answers.label_preferences")
