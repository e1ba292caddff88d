"""What tacit refuses."""
from __future__ import annotations

import re


_WORDS = [
    (re.compile(r"Policy::"), "Policy."),
    (re.compile(r"ticket\.recorded\(\)"), "ticket.recorded"),
    (re.compile(r"save\(\) gives the state as a text"), "save() gives the state as bytes"),
    (re.compile(r"--notion environment"), "notion='environment'"),
    (re.compile(r" with -o\b"), ""),
    (re.compile(r"`?tacit list --problems`?"), "tacit.problems()"),
    (re.compile(r"`?tacit list`?"), "tacit.policies()"),
    (re.compile(r"--(exact|replay|plain)\b"), r"\1=True"),
]
_OPTION = re.compile(r"--([a-z][a-z-]*)(?: ([A-Z][A-Za-z0-9,.]*|[a-z]+:[A-Z]+))?")


def in_python_words(text: str) -> str:
    """What is said to who types options, said to who writes calls: --most N is most=N."""
    for pattern, said in _WORDS:
        text = pattern.sub(said, text)
    return _OPTION.sub(lambda found: f"{found[1].replace('-', '_')}={found[2] or ''}", text)


class InvalidParameter(ValueError):
    """An argument that cannot be accepted. The message is one line: what was given, and what is allowed.

    parameter    the argument that it is about
    value        what was given for it, as text; "" where nothing was, or where it must not be repeated
    requirement  what is allowed
    """

    def __init__(self, parameter: str, value: object = "", requirement: str = "", message: str | None = None):
        self.parameter = parameter
        self.value = str(value)
        self.requirement = requirement
        if message is None:
            message = f"{parameter} = {self.value}: {requirement}" if self.value else f"{parameter}: {requirement}"
        super().__init__(message)

    def __reduce__(self) -> tuple[type[InvalidParameter], tuple[str, str, str, str]]:
        return InvalidParameter, (self.parameter, self.value, self.requirement, str(self))
