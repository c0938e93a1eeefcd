"""What the package is, what it found on this machine and how it is set."""

import os
import platform

import numpy as np

from cupric import _core

__all__ = [
    "Config",
    "blas_of",
    "installed_version",
    "show_config",
]

PARTS = (
    "_host.so",
    "_cuda.so",
    "_cub.so",
    "kernels.bin",
)  # of the package, beside _core


class Config:
    """Versions, devices, libraries and settings, as attributes and by `str`.

    Nothing is made that a program would feel: no context on a device and no handle of a
    library. What may be missing is missing in the text, and raises nothing.
    """

    def __init__(self, full=True):
        from cupric import __version__

        folder = os.path.dirname(_core.__file__)
        self.cupric_version = __version__
        self.folder = folder
        self.parts = [p for p in PARTS if os.path.exists(os.path.join(folder, p))]
        self.python_version = platform.python_version()
        self.platform = platform.platform()
        self.numpy_version = np.__version__
        self.scipy_version = installed_version("scipy")
        self.ml_dtypes_version = installed_version("ml_dtypes")
        self.cache_folder = _core._kernel_cache_folder()
        settings = _core._settings()
        self.settings = {k: v for k, v in settings.items() if k.startswith("C")}
        self.devices, self.components, self.driver = [], [], 0
        self.no_device = self.no_cuda = None
        if full:
            self.look_for_devices()

    def look_for_devices(self):
        try:
            devices = [_core.Device(i) for i in range(_core.device_count())]
            self.driver = _core.versions()[0]
            self.no_cuda = _core._cuda_passed_over()
            self.components = _core._components()
        except (RuntimeError, ImportError, ValueError) as error:
            self.no_device = str(error)
            return
        self.devices = [(d.backend, d.name, d._total_bytes) for d in devices]

    def rows(self):
        """Pairs of a label and a text."""
        yield "OS", self.platform
        yield "Python version", self.python_version
        yield "cupric version", self.cupric_version
        yield "cupric folder", f"{self.folder} ({', '.join(self.parts)})"
        yield "NumPy version", f"{self.numpy_version}{blas_of(np)}"
        yield "SciPy version", self.scipy_version or "not installed"
        yield "ml_dtypes version", self.ml_dtypes_version or "not installed"
        for i, (backend, name, nbytes) in enumerate(self.devices):
            yield f"Device {i}", f"{backend}: {name}, {nbytes / 2**30:.1f} GiB"
        if self.no_device:
            yield "Device", f"none: {self.no_device}"
        if self.no_cuda:
            yield "CUDA", f"not in use: {self.no_cuda}"
        if self.driver:
            yield "CUDA driver", f"{self.driver // 1000}.{self.driver % 1000 // 10}"
        for name, version, path in self.components:
            yield name, f"{version or '?'} ({path})" if path else "not found"
        yield "Kernel cache", self.cache_folder or "none: there is no home folder"
        settings = (f"{name}={value}" for name, value in sorted(self.settings.items()))
        yield "Settings", " ".join(settings) or "none, all by default"

    def __str__(self):
        return "\n".join(f"{label:<17}: {text}" for label, text in self.rows())


def installed_version(package):
    """The version of a package that need not be there and is not imported for it."""
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def blas_of(package):
    """Which library its matrix products are, in brackets; empty if it does not tell."""
    try:
        blas = package.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return f" ({blas['name']} {blas['version']})"
    except (KeyError, TypeError):
        return ""


def show_config(*, _full=False):
    """Print what the package is, what it found and how it is set.

    That is what a report of a problem should hold: versions, devices, the libraries and
    compilers found, the folder of compiled kernels, and the environment's settings.

    Parameters
    ----------
    _full : bool
        Has no effect: all is printed.

    Examples
    --------
    >>> cp.show_config()  # doctest: +SKIP
    """
    print(Config())
