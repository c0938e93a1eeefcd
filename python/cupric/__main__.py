"""Run a program that was written for CuPy.

    python -m cupric program.py [arguments]
    python -m cupric -m module [arguments]
    python -m cupric -c "code" [arguments]

In that process `import cupy` gives cupric and `import cupyx` gives cupricx, with all
that is below them. Nothing else changes.
"""

import importlib
import importlib.abc
import importlib.machinery
import os
import runpy
import sys

RENAMED = {"cupy": "cupric", "cupyx": "cupricx"}


class Renamer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `cupy…` and `cupyx…` as the modules of the same place below ours."""

    def find_spec(self, fullname, path=None, target=None):
        top, dot, rest = fullname.partition(".")
        if top not in RENAMED:
            return None
        ours = RENAMED[top] + dot + rest
        try:
            module = importlib.import_module(ours)
        except ModuleNotFoundError as error:
            if error.name is not None and ours.startswith(error.name):
                return None  # not there: the program is told by the name it used
            raise
        return importlib.machinery.ModuleSpec(fullname, self, loader_state=module)

    def create_module(self, spec):
        self.kept = spec.loader_state.__spec__, spec.loader_state.__loader__
        return spec.loader_state

    def exec_module(self, module):
        """The module has run under its own name, and keeps it."""
        module.__spec__, module.__loader__ = self.kept


def install():
    """Make `import cupy` mean cupric in this process."""
    if not any(isinstance(finder, Renamer) for finder in sys.meta_path):
        sys.meta_path.insert(0, Renamer())


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return
    install()
    first, *rest = arguments
    if first in ("-m", "-c") and not rest:
        raise SystemExit(f"python -m cupric: {first} needs an argument")
    if first == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(first))
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
