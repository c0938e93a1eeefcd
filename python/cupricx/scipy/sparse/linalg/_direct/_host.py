"""Sparse matrices on the host, and SciPy's SuperLU that factors them there.

NVIDIA's cuDSS would factor on a GPU. `factor` is where it would be chosen.
"""

import numpy as np

from cupric.cuda import Device

__all__ = [
    "device_of",
    "factor",
    "float_dtype",
    "host_matrix",
    "require_square",
    "scipy_sparse",
]


def scipy_sparse():
    """`scipy.sparse`, with its `linalg`."""
    try:
        import scipy.sparse
        import scipy.sparse.linalg
    except ImportError as error:
        raise ImportError(
            "sparse matrices are factored by SciPy's SuperLU, and SciPy is not "
            "installed: pip install scipy"
        ) from error
    return scipy.sparse


def device_of(a):
    """Where a matrix lies: the current device for one that has no arrays."""
    for holder in (a, getattr(a, "data", None)):
        device = getattr(holder, "device", None)
        if isinstance(device, Device):
            return device
    return Device()


def require_square(a, name="A"):
    if len(a.shape) != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"{name} must be a square matrix: its shape is {a.shape}")


def host_matrix(a):
    """SciPy's matrix of one of cupric's, in compressed columns, of a dtype that SuperLU
    computes in, without duplicates."""
    sparse = scipy_sparse()
    # Before the copy: SciPy has no sparse float16.
    a = a.astype(float_dtype(a.dtype), copy=False)
    a = sparse.csc_array(a.get())
    a.sum_duplicates()
    return a


def float_dtype(*dtypes):
    """float32, float64, complex64 or complex128, as SciPy's functions choose them."""
    dtype = np.result_type(*dtypes)
    if dtype.kind not in "biufc":
        raise TypeError(f"matrices of {dtype} cannot be factored")
    if dtype.char in "fdFD":
        return dtype
    narrow = dtype.kind == "f" and dtype.itemsize < 4
    return np.dtype(np.float32 if narrow else np.float64)


def factor(a, incomplete=False, **options):
    """The SuperLU object of SciPy's for a `host_matrix`."""
    linalg = scipy_sparse().linalg
    return (linalg.spilu if incomplete else linalg.splu)(a, **options)
