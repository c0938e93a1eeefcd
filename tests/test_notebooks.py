"""The notebooks run from top to bottom, have no outputs in them, can be interrupted.

nbclient and ipykernel come with the extra `test`. Where they are missing the tests are
skipped, but not in CI.
"""

import ast
import importlib
import json
import os
import queue
import re
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no notebooks here")
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def needed(*names):
    if os.environ.get("CI") == "true":
        return [importlib.import_module(name) for name in names]
    return [pytest.importorskip(name) for name in names]


@pytest.fixture
def environment(tmp_path):
    """Of a kernel: it finds the same packages from any folder, plots into its answers,
    and writes nothing into the home of whoever runs the tests.
    """
    kept = {name: v for name, v in os.environ.items() if name != "MPLBACKEND"}
    folders = [os.path.abspath(p) for p in sys.path if p]
    return kept | {
        "PYTHONPATH": os.pathsep.join(folders),
        "IPYTHONDIR": str(tmp_path / "ipython"),
    }


# ---- running them --------------------------------------------------------------------


@each
def test_runs(path, environment, tmp_path):
    """No cell raises, none complains, and there are pictures."""
    needed("ipykernel", "matplotlib", "scipy")
    nbclient, nbformat = needed("nbclient", "nbformat")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute(env=environment)
    outputs = [
        output
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    complaints = [o.text for o in outputs if o.get("name") == "stderr"]
    assert complaints == []
    pictures = [o for o in outputs if "image/png" in o.get("data", {})]
    assert len(pictures) >= 2


LOOPS = {
    "operations": "x = cp.ones(100_000)\nwhile True: x = cp.sin(x)",
    "sorts": "x = cp.random.random(300_000)\nwhile True: cp.sort(x)",
    "waits": "while True: cp.ones(1000).sum().item()",
    "compilations": """
import itertools
source = 'extern "C" __global__ void f%d(int *x) {{ x[0] = {now} + %d; }}'
for k in itertools.count():
    cp.RawKernel(source % (k, k), f"f{{k}}").compile()
""",
}


def answer(client, code, interrupt=None):
    """What a kernel answers to a cell: (its printed text, its error's name or None).

    `interrupt` is called a little after the cell has printed something.
    """
    request = client.execute(code)
    printed, error = "", None
    while True:
        message = client.get_iopub_msg(timeout=120)
        if message["parent_header"].get("msg_id") != request:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "stream":
            printed += content["text"]
            if interrupt is not None:
                time.sleep(0.3)
                interrupt()
                interrupt = None
        elif kind == "error":
            error = content["ename"]
        elif kind == "status" and content["execution_state"] == "idle":
            return printed, error


@pytest.fixture
def kernel(environment, tmp_path):
    (jupyter,) = needed("jupyter_client.manager")
    needed("ipykernel")
    manager, client = jupyter.start_new_kernel(env=environment, cwd=str(tmp_path))
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_interrupt(kernel):
    """The stop button ends device work, also in the midst of a compilation, and the
    kernel goes on working: what was interrupted can be run again.
    """
    manager, client = kernel
    assert answer(client, "import cupric as cp") == ("", None)
    for what, code in LOOPS.items():
        begun = "print('begun', flush=True)\n" + code.format(now=time.time_ns())
        got = answer(client, begun, manager.interrupt_kernel)
        assert got == ("begun\n", "KeyboardInterrupt"), what
        assert answer(client, "print(cp.arange(4).sum())") == ("6\n", None)
    again = """
k = cp.RawKernel('extern "C" __global__ void set(int *x) { *x = 7; }', "set")
x = cp.zeros(1, "i")
k((1,), (1,), (x,))
print(x)
"""
    assert answer(client, again) == ("[7]\n", None)
    with pytest.raises(queue.Empty):
        client.get_iopub_msg(timeout=0.1)


# ---- as files ------------------------------------------------------------------------


def cells(path, kind):
    notebook = json.loads(path.read_text())
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == kind]


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 6


@each
def test_kept_without_outputs(path):
    """Which change with every run, and are large."""
    notebook = json.loads(path.read_text())
    code = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    assert [c["outputs"] for c in code] == [[]] * len(code)
    assert {c["execution_count"] for c in code} == {None}
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert path.stat().st_size < 40_000


@each
def test_links_lead_somewhere(path):
    text = "\n".join(cells(path, "markdown"))
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", text)
    assert [x for x in links if "://" not in x and not (FOLDER / x).exists()] == []


def test_page_lists_each():
    page = (ROOT / "docs" / "notebooks.md").read_text()
    listed = re.findall(r"\]\(\.\./notebooks/(\w+\.ipynb)\)", page)
    assert sorted(listed) == [path.name for path in NOTEBOOKS]


def statements(text):
    """The statements of a program that take three lines or more, without layout."""
    text = re.sub(r"(?m)^%.*$", "", text)  # magics
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and node.end_lineno - node.lineno >= 2:
            found.add(ast.unparse(node))
    return found


def test_nothing_is_written_twice():
    """Neither in two notebooks nor in a notebook and an example."""
    programs = {p.name: p.read_text() for p in (ROOT / "examples").rglob("*.py")}
    programs |= {p.name: "\n".join(cells(p, "code")) for p in NOTEBOOKS}
    seen, twice = {}, []
    for name, text in programs.items():
        for statement in statements(text):
            if statement in seen:
                twice.append(f"{seen[statement]}, {name}: {statement}")
            seen[statement] = name
    assert twice == []
