"""What the tests share: the program that answers must agree with, and a helper that runs it."""
import json
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def program() -> str:
    """The command line of the same build."""
    return os.environ["TACIT_PROGRAM"]


@pytest.fixture(scope="session")
def documents(program):
    """What `tacit ... --json` prints."""

    def run(*arguments: object) -> list:
        done = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return run
