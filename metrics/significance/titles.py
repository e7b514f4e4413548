"""The titles of the tests that give p values, as every table, page and file prints them."""

from collections.abc import Iterable, Mapping

from cranfield.metrics.significance.pairs import SignificanceTest
from cranfield.metrics.significance.tests import TESTS

P_TEST_TITLES: Mapping[str, str] = {
    **{name: test.title for name, test in TESTS.items()},
    "welch": "Welch's t test",
    "sequential": "confidence sequence",
    "sign-flips": "random sign flips",
    "sign-flips-normal": "sign flips, normal approximation",
}


def title_of_p_tests(p_tests: Iterable[object], test: SignificanceTest) -> str:
    """Return the title of the tests that gave the p values of a table.

    Parameters
    ----------
    p_tests : iterable of str or None
        The column `p_test` of `compare`: the test that gave each p value, None where there is no p value.
    test : SignificanceTest
        The test that the comparison asked for.

    Returns
    -------
    str
        The title of the test. The title of the sign test where it gave all p values; both where it gave some.

    Examples
    --------
    >>> title_of_p_tests(["t", None], TESTS["t"]), title_of_p_tests(["sign"], TESTS["t"])
    ('paired t test', 'sign test')
    >>> title_of_p_tests(["sign", "t"], TESTS["t"])
    'paired t test (sign test where all differences are equal)'
    """
    names = {name for name in p_tests if isinstance(name, str)}
    if names <= {test.name}:
        return test.title
    if len(names) == 1:
        return P_TEST_TITLES[names.pop()]
    (other,) = names - {test.name}
    return f"{test.title} ({P_TEST_TITLES[other]} where all differences are equal)"
