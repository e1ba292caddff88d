"""What README shows of Python is what Python shows."""
import doctest
import os


def test_its_session_is_as_shown():
    path = os.path.join(os.environ["TACIT_SOURCE"], "README.md")
    found = doctest.testfile(path, module_relative=False)
    assert found.attempted >= 5 and found.failed == 0
