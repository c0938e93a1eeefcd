"""Run a program that was written for CuPy.

    python -m cupric program.py [arguments]
    python -m cupric -m module [arguments]
    python -m cupric -c "code" [arguments]
    python -m cupric --version
    python -m cupric --help

In that process `import cupy` gives cupric and `import cupyx` gives cupricx, with all
that is below them, as after `cupric.install_as_cupy()`. `import cupric;
cupric.show_config()` prints what the package found on this machine.
"""

import importlib.util
import os
import runpy
import sys

import cupric as cp


def refuse(message, status=2):
    """End as the interpreter does for a command line that it cannot run."""
    print(f"python -m cupric: {message}", file=sys.stderr)
    raise SystemExit(status)


def has_module(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):
            return False
        raise  # a package above it lacks something of its own


def check(first, rest):
    """That there is something to run, before anything is imported for it."""
    if first in ("-m", "-c"):
        if not rest:
            refuse(f"{first} needs an argument")
    elif first.startswith("-"):
        refuse(f"unknown option {first}; --help lists what there is")
    else:
        try:
            if not os.path.isdir(first):  # a folder with a __main__.py runs, too
                open(first, "rb").close()
        except OSError as error:
            refuse(f"can't open file {first!r}: {error.strerror}")


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return
    first, *rest = arguments
    if first in ("-V", "--version"):
        print(f"cupric {cp.__version__}")
        return
    check(first, rest)
    cp.install_as_cupy()
    if first == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif first == "-m":
        sys.argv = rest
        if not has_module(rest[0]):
            refuse(f"No module named {rest[0]}", status=1)
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(first))
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
