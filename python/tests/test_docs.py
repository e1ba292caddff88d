"""What the guide and the notebook show is what happens."""
import ast
import base64
import contextlib
import importlib.util
import inspect
import io
import os
import pathlib
import re
import subprocess
import traceback
import xml.etree.ElementTree as ElementTree

import pytest

import tacit

SOURCE = pathlib.Path(os.environ["TACIT_SOURCE"])
GUIDE = SOURCE / "docs/python.md"
NOTEBOOK = SOURCE / "examples/notebook.py"


class Wrong(AssertionError):
    """A document that says what is not so."""


class Session:
    """Does what a reader of a document does, in this folder.

    A fenced block of kind `python` is typed into an interpreter, which shows the value of every expression, and the
    last line of what is raised. One of kind `toml` is a file, whose name is the comment in its first line; one of kind
    `sh` is run, and must succeed. One of kind `text` is what the block before it printed, where `...` stands for
    anything. What has none must print nothing.
    """

    def __init__(self):
        self.names = {"__name__": "__main__"}
        self.counts = {"python": 0, "sh": 0, "toml": 0, "text": 0}

    def read(self, document):
        printed, by = "", 0
        for line, kind, text in blocks(document):
            if kind not in self.counts:
                raise Wrong(f"line {line}: unknown kind of block: {kind!r}")
            self.counts[kind] += 1
            if kind == "text":
                if not matches(text, printed):
                    raise Wrong(f"line {line}: shows\n{text}\nwhere the block of line {by} prints\n{printed}")
                printed = ""
                continue
            refuse_left_over(printed, by)
            printed, by = getattr(self, kind)(text), line
        refuse_left_over(printed, by)

    def python(self, text):
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            for statement in ast.parse(text).body:
                try:
                    exec(compile(ast.Interactive([statement]), "<document>", "single"), self.names)
                except Exception as error:
                    print(traceback.format_exception_only(error)[-1].strip())
                self.names.pop("_", None)
        return shown.getvalue()

    def sh(self, text):
        path = f"{pathlib.Path(os.environ['TACIT_PROGRAM']).parent}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env={**os.environ, "PATH": path})
        if done.returncode != 0:
            raise Wrong(f"{text}\nfailed:\n{done.stdout}")
        return done.stdout

    def toml(self, text):
        name = re.match(r"# ([A-Za-z0-9_-]+\.toml)\n", text)
        if name is None:
            raise Wrong("the first line must be # NAME.toml")
        pathlib.Path(name[1]).write_text(text)
        return ""


def refuse_left_over(printed, by):
    if printed:
        raise Wrong(f"line {by}: prints what is not shown:\n{printed}")


def blocks(document):
    """(line, kind, text) of every fenced block."""
    begun, kind, lines = 0, "", []
    for number, line in enumerate(document.splitlines(), start=1):
        if begun and line == "```":
            yield begun, kind, "".join(f"{one}\n" for one in lines)
            begun = 0
        elif begun:
            lines.append(line)
        elif line.startswith("```"):
            begun, kind, lines = number, line[3:], []
    if begun:
        raise Wrong(f"line {begun}: the block has no end")


def matches(shown, printed):
    """`...` is anything within a line, and on a line of its own any lines, or none. Spaces at the end do not count."""
    pattern = "".join("(?:[^\n]*\n)*" if line == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", "[^\n]*") + "\n"
                      for line in shown.splitlines())
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed.splitlines())) is not None


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_guide_shows_what_happens(empty_folder):
    for needed in ("pandas", "matplotlib", "distributed"):
        pytest.importorskip(needed)
    session = Session()
    session.read(GUIDE.read_text())
    assert session.counts["python"] > 20 and session.counts["text"] > 20
    assert ElementTree.parse("regret.svg").getroot().tag.endswith("svg")


def test_the_guide_begins_with_what_epsilon_is():
    assert GUIDE.read_text().splitlines()[2].startswith("**In every call `epsilon` is privacy, not exploration.**")


@pytest.mark.parametrize("name", tacit.__all__)
def test_help_says_what_epsilon_is_wherever_there_is_one(name):
    try:
        parameters = inspect.signature(getattr(tacit, name)).parameters
    except (TypeError, ValueError):  # no call, or one that says nothing of itself
        return
    if any("epsilon" in parameter for parameter in parameters):
        assert re.search("epsilon.* PRIVACY", getattr(tacit, name).__doc__)


@pytest.mark.parametrize("name", ["mpi_sweep.py", "dask_sweep.py"])
def test_examples_that_the_guide_names_are_there_and_short(name):
    assert f"../examples/{name}" in GUIDE.read_text()
    assert len((SOURCE / "examples" / name).read_text().splitlines()) <= 25


@pytest.mark.parametrize("document", [
    "```python\n1 + 1\n```\n```text\n3\n```\n",
    "```python\n1 + 1\n```\n",
    "```python\n1 + 1\n```\n```python\n2\n```\n```text\n2\n```\n",
    "```python\n1 / 0\n```\n",
    "```python\nx = 1\n```\n```text\n1\n```\n",
    "```text\n1\n```\n",
    "```python\nprint(1); print(2)\n```\n```text\n1\n...\n3\n```\n",
    "```toml\ntitle = 'x'\n```\n",
    "```sh\nfalse\n```\n",
    "```perl\n1\n```\n",
    "```python\nx = 1\n",
])
def test_a_document_that_says_what_is_not_so_is_found_out(document, empty_folder):
    with pytest.raises(Wrong):
        Session().read(document)


@pytest.mark.parametrize("document", [
    "```python\nx = 1\nx + 1\n```\n```text\n2\n```\n",
    "```python\nfor i in range(9):\n    print(i)\n```\n```text\n0\n...\n8\n```\n",
    "```python\nprint('a 0.123 b')\n```\n```text\n...\na 0... b\n...\n```\n",
    "```python\n1 / 0\n2\n```\n```text\nZeroDivisionError: division by zero\n2\n```\n",
    "```toml\n# x.toml\na = 1\n```\n```sh\ncat x.toml\n```\n```text\n# x.toml\na = 1\n```\n",
])
def test_a_document_that_is_right_is_read(document, empty_folder):
    Session().read(document)


def test_the_notebook_has_31_lines_at_most():
    text = NOTEBOOK.read_text()
    assert len(text.splitlines()) <= 31 and max(map(len, text.splitlines())) <= 120


@pytest.fixture(scope="module")
def render():
    """scripts/notebook.py"""
    for needed in ("nbclient", "nbconvert", "ipykernel", "matplotlib_inline", "pandas"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"needs {needed}")
    spec = importlib.util.spec_from_file_location("render", SOURCE / "scripts/notebook.py")
    render = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(render)
    return render


@pytest.fixture(scope="module")
def notebook(render):
    return render.executed(NOTEBOOK.read_text())


def test_a_notebook_that_fails_is_not_written(render):
    with pytest.raises(Exception, match="ZeroDivisionError"):
        render.executed("# %% A cell\n1 / 0\n")


def test_the_notebook_is_written_with_a_page(render, notebook, tmp_path):
    import nbformat

    render.write(notebook, tmp_path / "folder/notebook.ipynb")
    read = nbformat.read(tmp_path / "folder/notebook.ipynb", as_version=4)
    assert read.cells[0].source.startswith("## Differentially private bandits")
    assert "data:image/png;base64," in (tmp_path / "folder/notebook.html").read_text()


def outputs_of(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_the_notebook_runs_and_draws_three_panels(notebook):
    import matplotlib.image

    shown = [output["data"] for output in outputs_of(notebook) if "data" in output]
    (picture,) = [data["image/png"] for data in shown if "image/png" in data]
    pixels = matplotlib.image.imread(io.BytesIO(base64.b64decode(picture)))
    height, width = pixels.shape[:2]
    assert width > 2 * height > 400
    for part in (pixels[:, :width // 3], pixels[:, width // 3:2 * width // 3], pixels[:, 2 * width // 3:]):
        # Three policies and a baseline, in matplotlib's first four colours.
        for red, green, blue in [(0x1f, 0x77, 0xb4), (0xff, 0x7f, 0x0e), (0x2c, 0xa0, 0x2c), (0xd6, 0x27, 0x28)]:
            near = abs(part[..., :3] - [red / 255, green / 255, blue / 255]).max(axis=-1) < 0.02
            assert near.sum() > 100


def test_the_notebook_shows_tables_a_guarantee_and_intervals(notebook):
    shown = [output["data"]["text/plain"] for output in outputs_of(notebook) if output.output_type == "execute_result"]
    catalogue, pivot, intervals = shown
    assert "mgf-imed" in catalogue and "checked.epsilon" in catalogue
    assert re.search(r"ucb1 +NaN +NaN +NaN +432\.9", pivot)
    assert re.search(r"mgf-imed +308\.7 +183\.9 +124\.0 +NaN", pivot)
    assert intervals.split()[:5] == ["mean", "low", "high", "n", "under_way"]
    said = "".join(output.text for output in outputs_of(notebook) if output.output_type == "stream")
    assert "regret 139.485 after 1000000000 rounds, central epsilon 0.5> +/- 4.0, private because one round" in said
    assert "5000 choices, central epsilon 1> because one round" in said and "discrete Laplace(scale 1," in said
