#!/usr/bin/python3
"""notebook.py SCRIPT FOLDER: runs a script of cells as a notebook, and writes it into FOLDER as .ipynb and .html.

A line `# %% Title` begins a cell; its title becomes a heading. Needs nbclient, nbconvert and ipykernel.
"""
import os
import pathlib
import sys

os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # a debugger that nobody asked for warns otherwise

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

MARK = "# %%"


def cells_of(text):
    for part in ("\n" + text).split("\n" + MARK)[1:]:
        title, _, code = part.partition("\n")
        if title.strip():
            yield new_markdown_cell("## " + title.strip())
        if code.strip():
            yield new_code_cell(code.strip())


def executed(text):
    """The notebook of a script, run in this folder; a cell that fails raises CellExecutionError."""
    # Pictures belong into the notebook, whatever backend the caller has.
    environment = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    notebook = new_notebook(cells=list(cells_of(text)))
    return NotebookClient(notebook, timeout=300, kernel_name="python3").execute(env=environment)


def write(notebook, file):
    """As file, an .ipynb, and as a page beside it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, file)
    page, _ = HTMLExporter().from_notebook_node(notebook, {"metadata": {"name": file.stem}})
    file.with_suffix(".html").write_text(page, encoding="utf-8")


def main(script, folder):
    file = pathlib.Path(folder) / pathlib.Path(script).with_suffix(".ipynb").name
    write(executed(pathlib.Path(script).read_text(encoding="utf-8")), file)
    print(f"the notebook is {file}; {file.with_suffix('.html')} shows it")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
