"""Importing this module makes `import cupy` mean cupric: `install_as_cupy()` is called.

For what imports modules by name before a program's own, as

    python -m pytest -p cupric.as_cupy

Run as a program it is `python -m cupric`: `python -m cupric.as_cupy program.py`.
"""

from cupric._as_cupy import install_as_cupy

__all__ = [
    "install_as_cupy",
]

install_as_cupy()

if __name__ == "__main__":
    import runpy

    runpy.run_module("cupric", run_name="__main__")
