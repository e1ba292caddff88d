"""Types: the stub of the compiled half says what is bound, and what is written in Python keeps to its annotations."""
from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, Iterator

import tacit
import tacit.adapters
from tacit import _core

SOURCE = Path(os.environ["TACIT_SOURCE"])
STUB = SOURCE / "python" / "tacit" / "_core.pyi"
CONFIGURATION = str(SOURCE / "pyproject.toml")

Signature = tuple[list[tuple[str, str, bool]], str]  # name, type, has a default; what is returned


def check(*command: str, **environment: str) -> str:
    done = subprocess.run([sys.executable, "-m", *command], cwd=SOURCE, env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_stub_has_every_name_that_is_bound() -> None:
    package = str(Path(_core.__file__).parents[1])
    check("mypy.stubtest", "--mypy-config-file", CONFIGURATION, "--allowlist", "python/tests/stubtest_allow.txt",
          "--ignore-unused-allowlist", "tacit._core", MYPYPATH=package, PYTHONPATH=package)


def test_the_package_keeps_to_its_annotations() -> None:
    check("mypy", "--config-file", CONFIGURATION)


def test_whatever_is_public_says_what_it_is() -> None:
    adapters = [getattr(tacit.adapters, name) for name in tacit.adapters.__all__]
    silent = [f"{owner.__name__}.{name}" for owner in (tacit, *adapters) for name in undocumented(owner)]
    assert not silent


def undocumented(owner: Any) -> Iterator[str]:
    """Functions and classes of a module that have no docstring, and what classes have of their own."""
    for name in getattr(owner, "__all__", [name for name in vars(owner) if not name.startswith("_")]):
        thing = getattr(owner, name)
        if not callable(thing) or not str(getattr(thing, "__module__", "")).startswith("tacit"):
            continue
        if not (inspect.getdoc(thing) or "").strip():
            yield name
        for member, one in vars(thing).items() if isinstance(thing, type) else ():
            if not member.startswith("_") and not inspect.getdoc(getattr(thing, member)) and (
                    callable(one) or isinstance(one, (property, classmethod, staticmethod))):
                yield f"{name}.{member}"


def test_the_notebook_uses_what_there_is() -> None:
    # As strictly as the mypy of somebody who did not set it up.
    check("mypy", "--config-file=", "--ignore-missing-imports", "--cache-dir=build/mypy/examples",
          "examples/notebook.py", MYPYPATH=str(SOURCE / "python"))


def test_the_stub_has_the_arguments_that_are_bound() -> None:
    """stubtest cannot see them: what pybind11 binds has no signature but the one that its documentation begins with."""
    stated, bound = dict(stated_signatures()), dict(bound_signatures())
    assert stated.keys() == bound.keys()
    assert len(bound) > 50
    for name in bound:
        assert len(stated[name]) == len(bound[name]), name
        for (stub_arguments, stub_returns), (arguments, returns) in zip(stated[name], bound[name]):
            assert [(a, default) for a, _, default in stub_arguments] == [(a, d) for a, _, d in arguments], name
            for (argument, stub_type, _), (_, bound_type, _) in zip(stub_arguments, arguments):
                assert agree(stub_type, as_argument(bound_type)), f"{name}: {argument}: {bound_type}"
            assert agree(stub_returns, as_returned(returns)), f"{name} -> {returns}"


def test_signatures_that_differ_are_noticed() -> None:
    assert signature_in("f(a: int, b: List[Tuple[str, str]], c: float = 0.5) -> Optional[str]") == (
        [("a", "int", False), ("b", "List[Tuple[str, str]]", False), ("c", "float", True)], "Optional[str]")
    assert agree("str | None", as_argument("Optional[str]"))
    assert not agree("str", as_argument("Optional[str]"))
    assert not agree("list[str]", as_returned("List[int]"))
    assert not agree("NDArray[np.float64]", as_returned("numpy.ndarray[numpy.int32]"))


def stated_signatures() -> Iterator[tuple[str, list[Signature]]]:
    """By name, of the stub; several where a function is overloaded."""
    found: dict[str, list[Signature]] = {}
    for node in ast.parse(STUB.read_text()).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in inner:
            if not isinstance(function, ast.FunctionDef) or not is_compared(function.name) or function.args.vararg:
                continue
            if not speaks_for_itself(getattr(_core, prefix.rstrip("."), _core), function.name):
                found.setdefault(prefix + function.name, []).append(signature_of(function))
    yield from found.items()


def speaks_for_itself(owner: Any, name: str) -> bool:
    """A method of C's own has a signature, which stubtest sees; one that takes whatever it is given checks that itself."""
    found = vars(owner).get(name)
    found = getattr(found, "__func__", found)
    return isinstance(found, types.MethodDescriptorType) or "*args, **kwargs)" in (getattr(found, "__doc__", None) or "")


def signature_of(function: ast.FunctionDef) -> Signature:
    given = function.args.args
    first_default = len(given) - len(function.args.defaults)
    arguments = [(argument.arg, ast.unparse(argument.annotation) if argument.annotation else "", i >= first_default)
                 for i, argument in enumerate(given)]
    returns = ast.unparse(function.returns) if function.returns else ""
    return [argument for argument in arguments if argument[0] != "self"], returns


def bound_signatures() -> Iterator[tuple[str, list[Signature]]]:
    for name, thing in vars(_core).items():
        if not isinstance(thing, type):
            if callable(thing) and is_compared(name):
                yield name, signatures_in(thing.__doc__)
            continue
        for method, one in vars(thing).items():
            documented: Any = one.fget if isinstance(one, property) else getattr(one, "__func__", one)
            if is_compared(method) and not speaks_for_itself(thing, method) and (signatures := signatures_in(documented.__doc__)):
                yield f"{name}.{method}", signatures


def signatures_in(documentation: str | None) -> list[Signature]:
    lines = (documentation or "").splitlines()
    return [signature_in(line) for line in lines if re.match(r"(\d+\. )?\w*\(.*\) -> ", line)]


def signature_in(line: str) -> Signature:
    given, returns = re.sub(r"^.*?\(", "", line, count=1).rsplit(") -> ", 1)
    arguments = []
    for part in re.split(r", (?=\w+: )", given) if given else []:
        name, kind = part.split(": ", 1)
        kind, _, default = kind.partition(" = ")
        if name not in ("self", "arg0"):
            arguments.append((name, kind, bool(default)))
    return arguments, returns


def is_compared(name: str) -> bool:
    return not name.startswith("__") or name == "__init__"


def as_returned(kind: str) -> str:
    """What pybind11 says, as the stub says it."""
    kind = kind.replace("tacit._core.", "").replace("List[", "list[").replace("Tuple[", "tuple[")
    kind = re.sub(r"numpy\.ndarray\[numpy\.(\w+)\]", r"NDArray[np.\1]", kind)
    return re.sub(r"^Optional\[(.*)\]$", r"\1 | None", kind)


def as_argument(kind: str) -> str:
    """More is taken than is given back."""
    kind = re.sub(r"numpy\.ndarray\[[\w.]+\]", "ArrayLike", kind).replace("List[", "Sequence[")
    return as_returned(kind)


def agree(stub: str, bound: str) -> bool:
    # Objects, tables and the like: only the stub says what is in them. A std::string is made of bytes as well.
    return bound in ("object", "handle", "dict", "list", "tuple") or stub == bound or (stub, bound) == ("bytes", "str")
