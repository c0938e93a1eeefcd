"""NumPy on a device: arrays in the memory of a GPU, or of the CPU where there is none."""

from cupric import cuda, linalg
from cupric._core import arange, array, asnumpy, empty, matmul, ndarray, zeros
from cupric._creation import *  # noqa: F403
from cupric._indexing import *  # noqa: F403
from cupric._io import *  # noqa: F403
from cupric._logic import allclose, array_equal, array_equiv, isclose
from cupric._manipulation import *  # noqa: F403
from cupric._math import *  # noqa: F403
from cupric._padding import *  # noqa: F403
from cupric._sorting import *  # noqa: F403
from cupric._statistics import *  # noqa: F403
from cupric.cuda import get_default_memory_pool, get_default_pinned_memory_pool
from cupric.linalg import (
    cross,
    dot,
    einsum,
    inner,
    kron,
    outer,
    tensordot,
    trace,
    vdot,
    vecdot,
)
