"""get_runtime_info: what the package found on this machine."""

import platform

import numpy

import cupric


class _RuntimeInfo:
    """Versions and devices, as attributes and by `str`."""

    def __init__(self, full):
        runtime = cupric.cuda.runtime
        self.cupric_version = cupric.__version__
        self.numpy_version = numpy.__version__
        self.python_version = platform.python_version()
        self.platform = platform.platform()
        self.devices = []
        for i in range(runtime.getDeviceCount()) if full else ():
            properties = runtime.getDeviceProperties(i)
            name = properties["name"].decode()
            self.devices.append((name, properties["totalGlobalMem"]))

    def __str__(self):
        rows = [
            ("OS", self.platform),
            ("Python version", self.python_version),
            ("cupric version", self.cupric_version),
            ("NumPy version", self.numpy_version),
        ]
        for i, (name, nbytes) in enumerate(self.devices):
            rows.append((f"Device {i}", f"{name}, {nbytes / 2**30:.1f} GiB"))
        return "\n".join(f"{label:<16}: {text}" for label, text in rows)


def get_runtime_info(*, full=True):
    """Versions and devices, to be printed: what a bug report should hold.

    Parameters
    ----------
    full : bool
        Look for devices too.

    Returns
    -------
    object
        `print` it.

    Examples
    --------
    >>> "NumPy version" in str(cupricx.get_runtime_info())
    True
    """
    return _RuntimeInfo(full)
