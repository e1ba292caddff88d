"""Packs tacit for Python (PEP 517, PEP 660): CMake builds and installs the package, this makes a wheel of it.

    pip install .     pip install -e .     pip wheel .     python3 -m build

It requires no other package: pip fetches whatever a backend requires, even what is installed, and then needs a
network. Debian 12 has no backend that knows CMake but one that is given up.

    --config-settings=build-dir=FOLDER   where it is built, from the top of the source; build/wheel unless given

A folder that somebody else configured, like build/release, is his to build: it is packed as it is. Configured anew, it
would belong to an interpreter of a virtual environment, which may be gone tomorrow.
"""
from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Mapping, NoReturn

Settings = Mapping[str, Any] | None

_SOURCE = Path(__file__).resolve().parents[2]
_MODULE = f"tacit/_core{sysconfig.get_config_var('EXT_SUFFIX')}"
_TARGETS = ("tacit_python", "tacit_python_package")


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    return _write_wheel(wheel_directory, _installed(_built(config_settings)))


def build_editable(wheel_directory: str, config_settings: Settings = None,
                   metadata_directory: str | None = None) -> str:
    """What is written in Python is linked to where it is written; what is compiled, to where it is built."""
    build = _built(config_settings)
    place = build / "editable"
    shutil.rmtree(place, ignore_errors=True)
    links = {name: _SOURCE / "python" / name for name in _installed(build)}
    links[_MODULE] = build / "python" / _MODULE
    for name, target in links.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).symlink_to(target)
    return _write_wheel(wheel_directory, {"tacit.pth": f"{place}\n".encode()})


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Without it pip would build everything twice: once to see what it requires."""
    information = _information()
    folder = Path(metadata_directory, information)
    folder.mkdir()
    (folder / "METADATA").write_bytes(_metadata())
    return information


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    name = f"tacit-{_version()}"
    files = {path: ((_SOURCE / path).read_bytes(), os.access(_SOURCE / path, os.X_OK)) for path in _sources()}
    files["PKG-INFO"] = _metadata(), False
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, (data, executable) in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")  # nobody's, of 1980: the same files make the same archive
            entry.mtime = 315532800  # not 0, which to build tools is a file that is missing
            entry.size = len(data)
            entry.mode = 0o755 if executable else 0o644
            archive.addfile(entry, io.BytesIO(data))
    Path(sdist_directory, f"{name}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return f"{name}.tar.gz"


def _built(settings: Settings) -> Path:
    """The folder in which all is built."""
    build = _SOURCE / (settings or {}).get("build-dir", "build/wheel")
    cache = _cache(build)
    if cache and Path(cache["CMAKE_HOME_DIRECTORY"]).resolve() != _SOURCE:
        _refuse(f"{build} is a build of {cache['CMAKE_HOME_DIRECTORY']}")
    if cache and cache.get("TACIT_PYTHON_DIR") != ".":  # nobody but this says so
        if cache.get("TACIT_PYTHON") != "ON":
            _refuse(f"{build} was configured without TACIT_PYTHON")
        return build
    _configure(build)
    if subprocess.run([_program("cmake"), "--build", build, "--target", *_TARGETS]).returncode != 0:
        _refuse("it could not be built; why, is said above")
    return build


def _configure(build: Path) -> None:
    _program("ninja")
    options = {"CMAKE_BUILD_TYPE": "Release", "Python_EXECUTABLE": sys.executable, "TACIT_BENCHMARKS": "OFF",
               "TACIT_PYTHON": "ON", "TACIT_PYTHON_DIR": ".", "TACIT_TESTS": "OFF"}
    done = subprocess.run([_program("cmake"), "-S", _SOURCE, "-B", build, "-G", "Ninja",
                           *(f"-D{name}={value}" for name, value in options.items())],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        _refuse_missing(done.stdout)


def _refuse_missing(said: str) -> NoReturn:
    error = " ".join(said[said.find("CMake Error"):].split())  # what comes before is not needed
    if re.search("CMAKE_CXX_COMPILER (could be found|not set)", error):
        _refuse(f"CMake finds no C++ compiler; {_ADVICE}")
    for pattern in (r'provided by "(\w+)"', r"Could NOT find (\w+ \(missing: .*?\))", r"Could not find (\w+) using",
                    r"required packages were not found: - (\S+)"):
        if found := re.search(pattern, error):
            _refuse(f"CMake finds no {found[1]}; {_ADVICE}")
    _refuse("CMake could not configure it; why, is said above")


_ADVICE = "on Debian `make packages` installs all that is needed"


def _program(name: str) -> str:
    return shutil.which(name) or _refuse(f"{name} is missing; {_ADVICE}")


def _refuse(why: str) -> NoReturn:
    raise SystemExit(f"tacit: {why}")  # pip shows it as it is, where an exception would come with its traceback


def _cache(build: Path) -> dict[str, str]:
    """CMake's, of a folder that was configured before."""
    try:
        text = (build / "CMakeCache.txt").read_text()
    except FileNotFoundError:
        return {}
    return dict(re.findall(r"^([\w-]+):\w+=(.*)$", text, re.MULTILINE))


def _installed(build: Path) -> dict[str, bytes]:
    """What belongs into site-packages."""
    with tempfile.TemporaryDirectory() as stage:
        # A destination that is absolute, as whoever configured the folder may have wanted it, comes to lie there too.
        command = [_program("cmake"), "--install", str(build), "--component", "python", "--prefix", "/", "--strip"]
        done = subprocess.run(command, env={**os.environ, "DESTDIR": stage}, capture_output=True)
        if done.returncode != 0:
            _refuse(f"{build} must be built first: cmake --build {build} --target {' '.join(_TARGETS)}")
        top = Path(stage, _cache(build)["TACIT_PYTHON_DIR"].lstrip("/"))
        files = {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}
    if _MODULE not in files:
        _refuse(f"{build} was configured for another Python than this one, {sys.executable}")
    return files


def _write_wheel(folder: str, files: Mapping[str, bytes]) -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    information = _information()
    packed = {**files, **{f"{information}/licenses/{name}": (_SOURCE / name).read_bytes()
                          for name in _project()["license-files"]}}
    packed[f"{information}/METADATA"] = _metadata()
    packed[f"{information}/WHEEL"] = "\n".join(("Wheel-Version: 1.0", "Generator: tacit", "Root-Is-Purelib: false",
                                                f"Tag: {tag}", "")).encode()
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in sorted(packed.items()))
    packed[f"{information}/RECORD"] = f"{record}{information}/RECORD,,\n".encode()
    wheel = f"tacit-{_version()}-{tag}.whl"
    with zipfile.ZipFile(Path(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(packed.items()):
            entry = zipfile.ZipInfo(name)  # of 1980: the same files make the same wheel
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _version() -> str:
    found = re.search(r"^project\(tacit VERSION ([\d.]+)", (_SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE)
    return found[1] if found else _refuse("CMakeLists.txt has no version")


def _information() -> str:
    return f"tacit-{_version()}.dist-info"


def _project() -> dict[str, Any]:
    return tomllib.loads((_SOURCE / "pyproject.toml").read_text())["project"]


def _metadata() -> bytes:
    project = _project()
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {_version()}",
             f"Summary: {project['description']}", f"Keywords: {','.join(project['keywords'])}",
             f"License-Expression: {project['license']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"License-File: {name}" for name in project["license-files"]]
    lines += [f"Classifier: {name}" for name in project["classifiers"]]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    for extra, names in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {name} ; extra == "{extra}"' for name in names)]
    lines += ["Description-Content-Type: text/markdown", "", (_SOURCE / project["readme"]).read_text()]
    return "\n".join(lines).encode()


def _sources() -> list[str]:
    """What git keeps, as it is now."""
    listed = subprocess.run([_program("git"), "-C", _SOURCE, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode != 0 or not (_SOURCE / ".git").exists():
        _refuse("a source distribution is made of what git keeps, and this is no clone: " + listed.stderr.strip())
    return [path for path in listed.stdout.split("\0") if (_SOURCE / path).is_file()]
