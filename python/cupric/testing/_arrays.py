"""Arrays of known content, from NumPy or cupric alike (`xp`)."""

import importlib
import math

import numpy as np

import cupric as cp

__all__ = [
    "shaped_arange",
    "shaped_linspace",
    "shaped_random",
    "shaped_reverse_arange",
    "shaped_sparse_random",
]


def shaped_arange(shape, xp=cp, dtype=np.float32, order="C"):
    """1, 2, 3, … in an array of a shape; of bool, every other element is True.

    Parameters
    ----------
    shape : tuple of int
    xp : module
        cupric or numpy: what makes the array.
    dtype : data-type
    order : {'C', 'F'}

    Returns
    -------
    array of `xp`

    Examples
    --------
    >>> cupric.testing.shaped_arange((2, 3))
    array([[1., 2., 3.],
           [4., 5., 6.]], dtype=float32)
    """
    return xp.array(_count(shape, 1, dtype), order=order)


def shaped_reverse_arange(shape, xp=cp, dtype=np.float32):
    """n, …, 3, 2, 1 in an array of a shape; of bool, every other element is True.

    Parameters
    ----------
    shape : tuple of int
    xp : module
        cupric or numpy: what makes the array.
    dtype : data-type
        Of a complex one, both parts are the number.

    Returns
    -------
    array of `xp`

    Examples
    --------
    >>> cupric.testing.shaped_reverse_arange((2, 3))
    array([[6., 5., 4.],
           [3., 2., 1.]], dtype=float32)
    """
    return xp.array(_count(shape, -1, dtype))


def shaped_linspace(start, stop, shape, xp=cp, dtype=np.float32):
    """Evenly spaced numbers from `start` to `stop` along the last axis.

    Parameters
    ----------
    start, stop : scalar
        The first and the last number.
    shape : tuple of int
        All rows along the last axis are the same.
    xp : module
        cupric or numpy: what makes the array.
    dtype : data-type

    Returns
    -------
    array of `xp`

    Examples
    --------
    >>> cupric.testing.shaped_linspace(0, 1, (2, 3))
    array([[0. , 0.5, 1. ],
           [0. , 0.5, 1. ]], dtype=float32)
    """
    return xp.array(
        np.broadcast_to(np.linspace(start, stop, shape[-1]), shape).astype(dtype)
    )


def shaped_random(shape, xp=cp, dtype=np.float32, scale=10, seed=0, order="C"):
    """Uniform random numbers in [0, scale), the same for every `xp`.

    Parameters
    ----------
    shape : tuple of int
    xp : module
        cupric or numpy: what makes the array.
    dtype : data-type
        Of a complex one, both parts are such numbers; of bool, half are True.
    scale : float
        The upper limit of the numbers, which bool ignores.
    seed : int
        Of the generator, numpy.random.RandomState.
    order : {'C', 'F'}
        Of the memory.

    Returns
    -------
    array of `xp`

    Examples
    --------
    >>> x = cupric.testing.shaped_random((2, 3))
    >>> x.shape, bool((x < 10).all())
    ((2, 3), True)
    """
    rng = np.random.RandomState(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        values = rng.randint(2, size=shape)
    elif dtype.kind == "c":
        values = scale * (rng.rand(*shape) + 1j * rng.rand(*shape))
    else:
        values = scale * rng.rand(*shape)
    return xp.array(np.asarray(values).astype(dtype), order=order)


def shaped_sparse_random(
    shape, sp=None, dtype=np.float32, density=0.01, format="coo", seed=0
):
    """A sparse matrix of random numbers from 0 to 1, the same for every `sp`.

    Parameters
    ----------
    shape : tuple of int
    sp : module, optional
        ``scipy.sparse``, or a module that makes its matrices of SciPy's, by functions
        of the same names: ``cupricx.scipy.sparse``, if left out.
    dtype : dtype, optional
    density : float, optional
        How many of the elements are stored.
    format : str, optional
        ``"coo"``, ``"csr"``, ``"csc"`` or another that `sp` has.
    seed : int, optional

    Returns
    -------
    sparse matrix of `sp`

    Raises
    ------
    NotImplementedError
        `sp` is left out, and this package has no sparse matrices.

    Examples
    --------
    >>> import scipy.sparse
    >>> cupric.testing.shaped_sparse_random((10, 20), scipy.sparse, density=0.1).nnz
    20
    """
    import scipy.sparse

    if sp is None:
        sp = _sparse_matrices()
    rng = np.random.RandomState(seed)
    places = rng.choice(math.prod(shape), round(density * math.prod(shape)), False)
    values = rng.rand(len(places)).astype(dtype)
    made = scipy.sparse.coo_matrix((values, np.unravel_index(places, shape)), shape)
    return (made if sp is scipy.sparse else sp.coo_matrix(made)).asformat(format)


def _sparse_matrices():
    try:
        return importlib.import_module("cupricx.scipy.sparse")
    except ModuleNotFoundError:
        raise NotImplementedError(
            "there is no cupricx.scipy.sparse: pass sp=scipy.sparse"
        ) from None


def _count(shape, step, dtype):
    n = math.prod(shape)
    values = np.arange(1, n + 1)[::step]
    if np.dtype(dtype).kind == "b":
        values = values % 2 == 1
    elif np.dtype(dtype).kind == "c":
        values = values * (1 + 1j)
    return values.astype(dtype).reshape(shape)
