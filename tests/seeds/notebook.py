"""Runs the cells of a lesson, as a notebook would, and keeps what each one gave.

The files under cells/ are the code of published lessons, with `cupy` spelled `cupric`.
A line `# %% name` begins a cell. As in IPython, the value of a cell's last expression
is its result, and a cell that raises leaves the others to run. `# %timeit f(x)` runs
`f(x)` once, `pylab.show()` saves the figure to a file.
"""

import ast
import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

CELLS = Path(__file__).resolve().parent / "cells"


@dataclass
class Cell:
    printed: str = ""
    value: object = None
    error: BaseException | None = None

    def result(self):
        """The value, or the cell's error raised here."""
        if self.error is not None:
            raise self.error
        return self.value


class Notebook:
    def __init__(self, name, replace=(), figures=None):
        """`replace`: pairs of text, for sizes too large for a test."""
        text = (CELLS / f"{name}.py").read_text()
        for old, new in replace:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        text = re.sub(r"(?m)^# %timeit (.*)$", r"_ = \1", text)
        self.source = dict(re.findall(r"(?ms)^# %% (.*?)\n(.*?)(?=^# %% |\Z)", text))
        self.namespace = {"__name__": "__main__"}
        self.cells = {}
        self.figures = figures
        self.n_figures = 0

    def run(self, *names):
        """Run the cells named, or all of them, in order."""
        for name in names or self.source:
            self.cells[name] = self.run_cell(name, self.source[name])
        return self

    def run_cell(self, name, source):
        tree = ast.parse(source, name)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        cell, printed = Cell(), io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), self.plots():
                exec(compile(tree, name, "exec"), self.namespace)
                if last is not None:
                    cell.value = eval(compile(last, name, "eval"), self.namespace)
        except Exception as error:
            cell.error = error
        cell.printed = printed.getvalue()
        return cell

    @contextlib.contextmanager
    def plots(self):
        if self.figures is None:
            yield
            return
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        def show():
            self.n_figures += 1
            pyplot.savefig(self.figures / f"figure{self.n_figures}.png")
            pyplot.close("all")

        import pylab

        before, pylab.show = pylab.show, show
        try:
            yield
        finally:
            pylab.show = before

    def __getitem__(self, name):
        return self.cells[name]

    def get(self, variable):
        """A variable of the notebook, as it is after the last cell."""
        return self.namespace[variable]
