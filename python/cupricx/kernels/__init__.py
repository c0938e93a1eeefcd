"""Kernel libraries: kernels beside a module, in CUDA C++ that every device compiles,
and that come compiled with a package. See docs/kernel_libraries.md.

``python -m cupricx.kernels build PACKAGE`` compiles those of a package.
"""

from cupric._lib.algorithms import plan_scan
from cupric._lib.kernels import Library, replayed, warn

__all__ = ["Library", "plan_scan", "replayed", "warn"]
