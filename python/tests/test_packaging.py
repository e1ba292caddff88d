"""What pip makes of the source, in a virtual environment and without a network.

To compile all of it takes minutes. Here the backend packs the build that is being tested, as it packs every folder that
somebody else configured.
"""
from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

import tacit

SOURCE = Path(os.environ["TACIT_SOURCE"])
BUILD = Path(tacit.__file__).parents[2]
BACKEND = SOURCE / "python" / "packaging"
VERSION = re.findall(r"^project\(tacit VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE)[0]

sys.path.insert(0, str(BACKEND))
sys.dont_write_bytecode = True
import tacit_build  # noqa: E402

PLAYED = "[tacit.simulate('mgf-imed', 'hu-linear', epsilon=0.5, horizon=1e4, runs=3).regret.tolist(), tacit.__file__]"


def outside(**more: str) -> dict[str, str]:
    """The environment of somebody who knows nothing of this build, and has no network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "TACIT_"))}
    return {**kept, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PYTHONDONTWRITEBYTECODE": "1", **more}


def run(*command: object, cwd: Path, **environment: str) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=outside(**environment), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


class Environment:
    """A virtual environment with what Debian has beside it."""

    def __init__(self, folder: Path):
        self.folder = folder
        # pip is Debian's own: to unpack another one takes longer than all the rest.
        run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", folder, cwd=folder.parent)

    def pip_install(self, *arguments: object) -> None:
        before = (BUILD / "CMakeCache.txt").read_bytes()
        run(self.folder / "bin" / "python", "-m", "pip", "install", f"--config-settings=build-dir={BUILD}", *arguments,
            cwd=self.folder)
        # It would name the interpreter in this folder, which is gone when the next one builds.
        assert (BUILD / "CMakeCache.txt").read_bytes() == before

    def evaluate(self, expression: str, before: str = "") -> Any:
        code = f"import importlib.metadata, json, sys, tacit\n{before}\nprint(json.dumps({expression}))"
        return json.loads(run(self.folder / "bin" / "python", "-I", "-c", code, cwd=self.folder))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("installed") / "venv")
    environment.pip_install(SOURCE)
    return environment


def test_what_pip_installs_plays_the_same_runs(installed: Environment) -> None:
    regret, file = installed.evaluate(PLAYED)
    assert Path(file).is_relative_to(installed.folder)
    assert regret == eval(PLAYED)[0]


def test_the_version_is_cmakes(installed: Environment) -> None:
    assert installed.evaluate("[tacit.__version__, importlib.metadata.version('tacit')]") == [VERSION, VERSION]


def test_numpy_is_all_that_it_requires(installed: Environment) -> None:
    assert sorted(installed.evaluate("importlib.metadata.requires('tacit')")) == [
        'matplotlib ; extra == "plots"', "numpy<2", 'pandas ; extra == "frames"']


def test_numpy_is_one_that_the_module_knows() -> None:
    """numpy 2 refuses what was built with pybind11 before 2.12. With a later one its bound may go."""
    cached = dict(re.findall(r"^(\w+_DIR):PATH=(/.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE))
    stated = (Path(cached["pybind11_DIR"]) / "pybind11ConfigVersion.cmake").read_text()
    major, minor = map(int, re.findall(r'set\(PACKAGE_VERSION "(\d+)\.(\d+)', stated)[0])
    knows_two = (major, minor) >= (2, 12)
    assert tacit_build._project()["dependencies"] == (["numpy"] if knows_two else ["numpy<2"])


def test_it_says_what_it_is_for_whom_and_under_which_license(installed: Environment) -> None:
    said = installed.evaluate("list(importlib.metadata.metadata('tacit').items())")
    fields: dict[str, list[str]] = {}
    for name, value in said:
        fields.setdefault(name, []).append(value)
    assert fields["License-Expression"] == ["Apache-2.0"] and fields["License-File"] == ["LICENSE", "NOTICE"]
    assert "differential privacy" in fields["Keywords"][0]
    assert {"Typing :: Typed", "Operating System :: POSIX :: Linux",
            f"Programming Language :: Python :: {sys.version_info.major}.{sys.version_info.minor}"} <= set(fields["Classifier"])
    files = installed.evaluate("[str(file) for file in importlib.metadata.files('tacit')]")
    assert {f"tacit-{VERSION}.dist-info/licenses/{name}" for name in fields["License-File"]} <= set(files)


def test_what_the_guide_says_of_the_wheel_is_so(tmp_path: Path) -> None:
    guide = " ".join((SOURCE / "docs" / "python.md").read_text().split())
    name = tacit_build.build_wheel(str(tmp_path), {"build-dir": str(BUILD)})
    assert f"`{name.removeprefix(f'tacit-{VERSION}-').removesuffix('.whl')}`" in guide
    needed = run("readelf", "-d", BUILD / "python" / tacit_build._MODULE, cwd=tmp_path)
    libraries = {found for found in re.findall(r"NEEDED\).*\[(lib\w+)[.-]", needed)}
    beyond = libraries - {"libstdc", "libm", "libgcc_s", "libc", "ld"}
    assert beyond and all(library in guide for library in beyond), libraries


def test_importing_it_loads_numpy_alone(installed: Environment) -> None:
    """A program that never draws a picture should not wait for matplotlib; and whoever has an MPI keeps his own."""
    loaded, mapped = installed.evaluate(
        "[sorted({name.partition('.')[0] for name in set(sys.modules) - known}), open('/proc/self/maps').read()]",
        before="""
for name in [name for name in sys.modules if name.partition(".")[0] == "tacit"]:
    del sys.modules[name]
import numpy, numpy.random, numpy.typing
known = set(sys.modules) | sys.stdlib_module_names
import tacit
tacit.simulate("ucb1", "hu-linear", horizon=100, runs=2).summary()
tacit.Policy("mgf-imed", arms=2, epsilon=1).choose()
""")
    assert loaded == ["tacit"]
    assert "/_core.cpython" in mapped
    assert "libmpi" not in mapped and "libopen-rte" not in mapped


def test_whoever_installs_it_gets_its_types(installed: Environment, tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text("import tacit\nreveal_type(tacit.Policy('ucb1', arms=2).choose().arm)\n"
                                     "tacit.simulate('ucb1', 'hu-linear', horizon=1, runs='many')\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--python-executable", installed.folder / "bin" / "python",
                           "--cache-dir", BUILD / "mypy", "use.py"], cwd=tmp_path, env=outside(), text=True,
                          stdout=subprocess.PIPE)
    assert 'use.py:2: note: Revealed type is "builtins.int"' in done.stdout
    assert 'use.py:3: error: Argument "runs" to "simulate" has incompatible type "str"; expected "int"' in done.stdout
    assert "Found 1 error in 1 file" in done.stdout


def test_an_editable_installation_follows_the_source(tmp_path: Path) -> None:
    environment = Environment(tmp_path / "venv")
    environment.pip_install("--editable", SOURCE)
    regret, file = environment.evaluate(PLAYED)
    assert regret == eval(PLAYED)[0]
    assert Path(file).resolve() == SOURCE / "python" / "tacit" / "__init__.py"


def test_a_wheel_is_a_function_of_what_is_in_it(tmp_path: Path) -> None:
    wheels = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        wheels.append(tmp_path / name / tacit_build.build_wheel(str(tmp_path / name), {"build-dir": str(BUILD)}))
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    assert wheels[0].name.startswith(f"tacit-{VERSION}-cp3")

    with zipfile.ZipFile(wheels[0]) as wheel:
        names = set(wheel.namelist())
        information = f"tacit-{VERSION}.dist-info"
        written = {str(path.relative_to(SOURCE / "python")) for pattern in ("*.py", "*.pyi", "py.typed")
                   for path in (SOURCE / "python" / "tacit").rglob(pattern)}
        assert names == written | {tacit_build._MODULE} | {
            f"{information}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "licenses/LICENSE", "licenses/NOTICE")}
        for name, digest, size in csv.reader(io.StringIO(wheel.read(f"{information}/RECORD").decode())):
            names.remove(name)
            if name.endswith("/RECORD"):
                continue
            data = wheel.read(name)
            expected = urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert (digest, int(size)) == (f"sha256={expected}", len(data))
        assert not names


@pytest.mark.skipif(not (SOURCE / ".git").exists(), reason="a source distribution is made of what git keeps")
def test_a_source_distribution_is_what_git_keeps(tmp_path: Path) -> None:
    first = (tmp_path / tacit_build.build_sdist(str(tmp_path))).read_bytes()
    assert first == (tmp_path / tacit_build.build_sdist(str(tmp_path))).read_bytes()
    with tarfile.open(fileobj=io.BytesIO(first)) as archive:
        top = f"tacit-{VERSION}"
        names = {name.removeprefix(top + "/") for name in archive.getnames()}
        assert {"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "python/packaging/tacit_build.py"} <= names
        assert not any(name.startswith("build/") for name in names)
        assert archive.getmember(f"{top}/scripts/install_packages.sh").mode == 0o755
        said = archive.extractfile(f"{top}/PKG-INFO")
        assert said is not None and f"\nVersion: {VERSION}\n".encode() in said.read()


def test_cmake_installs_it_under_a_prefix(tmp_path: Path) -> None:
    run("cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path, cwd=tmp_path)
    where = tmp_path / "lib" / "python3" / "dist-packages"
    said = run(sys.executable, "-c", "import tacit; print(tacit.__file__)", cwd=tmp_path, PYTHONPATH=str(where))
    assert Path(said.strip()) == where / "tacit" / "__init__.py"


def refusal(settings: dict[str, str], **environment: str) -> str:
    """The last line that a user of pip would see."""
    code = f"import tacit_build; tacit_build.build_wheel('.', {settings!r})"
    done = subprocess.run([sys.executable, "-c", code], cwd=BACKEND, env=outside(**environment), text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.startswith("tacit: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr.strip()


def ignoring(tmp_path: Path, *folders: object) -> dict[str, str]:
    """Makes CMake blind to what lies there."""
    toolchain = tmp_path / "blind.cmake"
    toolchain.write_text(f'set(CMAKE_MAKE_PROGRAM {shutil.which("ninja")} CACHE FILEPATH "")\n'
                         f"set(CMAKE_IGNORE_PATH {' '.join(map(str, folders))})\n")
    return {"CMAKE_TOOLCHAIN_FILE": str(toolchain)}


ADVICE = "on Debian `make packages` installs all that is needed"


def test_missing_tools_are_named(tmp_path: Path) -> None:
    elsewhere = {"build-dir": str(tmp_path / "build")}
    assert refusal(elsewhere, PATH=str(tmp_path)) == f"tacit: ninja is missing; {ADVICE}"
    (tmp_path / "ninja").symlink_to(shutil.which("ninja") or "")
    assert refusal(elsewhere, PATH=str(tmp_path)) == f"tacit: cmake is missing; {ADVICE}"


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    for name, environment in (("none", ignoring(tmp_path, "/usr/bin", "/bin")), ("wrong", {"CXX": "no-such-compiler"})):
        said = refusal({"build-dir": str(tmp_path / name)}, **environment)
        assert said == f"tacit: CMake finds no C++ compiler; {ADVICE}"


def test_missing_libraries_are_named(tmp_path: Path) -> None:
    cached = dict(re.findall(r"^(\w+_DIR):PATH=(/.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE))
    folder = Path(cached["pybind11_DIR"])
    blind = ignoring(tmp_path, folder, Path("/", *folder.parts[2:]))  # /lib is /usr/lib
    build = tmp_path / "build"
    assert refusal({"build-dir": str(build)}, **blind) == f"tacit: CMake finds no pybind11; {ADVICE}"
    # Once it is there the same folder will do.
    assert "TACIT_PYTHON_DIR" in tacit_build._cache(build)


def test_folders_that_cannot_be_packed_are_refused(tmp_path: Path) -> None:
    settings = {"build-dir": str(tmp_path)}
    (tmp_path / "CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n")
    assert refusal(settings) == f"tacit: {tmp_path} is a build of /elsewhere"
    (tmp_path / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={SOURCE}\nTACIT_PYTHON:BOOL=OFF\n")
    assert refusal(settings) == f"tacit: {tmp_path} was configured without TACIT_PYTHON"
    (tmp_path / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={SOURCE}\nTACIT_PYTHON:BOOL=ON\n")
    assert refusal(settings).startswith(f"tacit: {tmp_path} must be built first: cmake --build {tmp_path} --target ")


def test_a_module_for_another_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tacit_build, "_MODULE", "tacit/_core.cpython-399.so")
    with pytest.raises(SystemExit, match="was configured for another Python than this one"):
        tacit_build._installed(BUILD)
