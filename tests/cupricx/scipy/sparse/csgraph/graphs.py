"""Graphs to test with, as SciPy's and on the device."""

import numpy as np
import scipy.sparse

from cupricx.scipy import sparse

DENSITIES = 0, 0.01, 0.03, 0.1, 0.5


def some_graphs(count, most=70, whole=False, seed=0):
    """Pairs (SciPy's, ours), of any density and both widths of indices; `whole`: of
    lengths that are whole numbers, so that paths are equally long."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        n = int(rng.integers(1, most))
        A = scipy.sparse.random_array(
            (n, n), density=rng.choice(DENSITIES), rng=rng, format="csr"
        )
        if whole:
            A.data = np.ceil(A.data * 4)
        yield A, on_device(A, wide=k % 3 == 0)


def on_device(A, wide=False):
    B = sparse.csr_array(A)
    if wide:
        B.indptr, B.indices = B.indptr.astype("i8"), B.indices.astype("i8")
    return B
