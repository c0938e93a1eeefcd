"""What functions of linear algebra check of their matrices."""

import numpy as np

import cupric as cp
from cupric._lib import arguments

__all__ = [
    "floats",
    "matrices",
    "read_triangle",
    "require_finite",
    "require_square",
    "sides",
    "stretch",
]


def floats(*arrays):
    """The arrays in the dtype that LAPACK computes in: small integers and float16 in
    float32, others in float64."""
    for a in arrays:
        if a.dtype.kind not in "biufc":
            raise TypeError(f"array type {a.dtype} is unsupported in linalg")
    dtype = cp.result_type(np.float32, *(a.dtype for a in arrays))
    return [a.astype(dtype, copy=False) for a in arrays]


def matrices(a, name):
    """An array of at least two axes."""
    a = arguments.array(a, name)
    if a.ndim < 2:
        raise ValueError(
            f"The input array must be at least two-dimensional: the shape of {name} is "
            f"{a.shape}"
        )
    return a


def require_square(a, name):
    if a.shape[-1] != a.shape[-2]:
        raise ValueError(f"expected square matrix: the shape of {name} is {a.shape}")


def read_triangle(a, lower, unit_diagonal=False):
    """A copy of matrices with zeros for what is not read of them."""
    if lower:
        return cp.tril(a, -1 if unit_diagonal else 0)
    return cp.triu(a, 1 if unit_diagonal else 0)


def require_finite(*arrays):
    """Waits for the device."""
    for a in arrays:
        if a.dtype.kind in "fc" and not bool(cp.isfinite(a).all()):
            raise ValueError("array must not contain infs or NaNs")


def sides(a, b, name):
    """`b` as columns for the matrices `a`, and whether these are vectors: one, or one
    for each matrix, which is what an array of the shape ``a.shape[:-1]`` means, as in
    CuPy."""
    b = arguments.array(b, "b")
    vector = b.ndim == 1 or b.shape == a.shape[:-1]
    columns = b[..., None] if vector else b
    if b.ndim == 0 or columns.shape[-2] != a.shape[-2]:
        raise ValueError(
            f"Shapes of {name} {a.shape} and b {b.shape} are incompatible: as many "
            f"rows are needed, or a vector for each matrix, {a.shape[:-1]}"
        )
    return columns, vector


def stretch(a, b):
    """The stacks of both, broadcast against each other."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return [
        x if x.shape[:-2] == batch else cp.broadcast_to(x, (*batch, *x.shape[-2:]))
        for x in (a, b)
    ]
