"""Arrays of cupric as blocks of Dask's collections: joined, counted, made, …"""

import sys

import numpy as np

import cupric as cp

__all__ = ["backend", "register", "together"]


def backend():
    """The backend "cupric" of `dask.array`, by its entry point."""
    from dask.array import backends

    return backends.array_creation_dispatch.dispatch("cupric")


def register(tables):
    """Enter the package's functions in Dask's tables."""
    from dask.array.chunk_types import register_chunk_type
    from dask.sizeof import sizeof

    register_chunk_type(cp.ndarray)  # so that a collection takes one as an operand
    tables.concatenate_lookup.register(cp.ndarray, _concatenate)
    tables.take_lookup.register(cp.ndarray, cp.take)
    tables.tensordot_lookup.register(cp.ndarray, _tensordot)
    tables.einsum_lookup.register(cp.ndarray, _einsum)
    tables.empty_lookup.register(cp.ndarray, cp.empty)
    tables.percentile_lookup.register(cp.ndarray, _percentile)
    tables.numel_lookup.register(cp.ndarray, _numel)
    tables.nannumel_lookup.register(cp.ndarray, _nannumel)
    tables.to_numpy_dispatch.register(cp.ndarray, _to_numpy)
    sizeof.register(cp.ndarray, _nbytes)
    _extend_linalg(sys.modules["dask.array.utils"])
    made = _backend_class(tables)()
    tables.array_creation_dispatch.register_backend("cupric", made)


def _extend_linalg(utils):
    """Lead calls of SciPy's functions for blocks of ours to ours: for them Dask has no
    table, but one function, which knows NumPy and CuPy."""
    theirs = utils.scipy_linalg_safe

    def scipy_linalg_safe(func_name, *args, **kwargs):
        if not isinstance(args[0], cp.ndarray):
            return theirs(func_name, *args, **kwargs)
        if func_name == "solve_triangular":
            from cupricx.scipy.linalg import solve_triangular

            return solve_triangular(*args, **kwargs)
        raise NotImplementedError(
            f"scipy.linalg.{func_name} of blocks of cupric: x.to_backend('numpy') "
            "copies them to the host"
        )

    utils.scipy_linalg_safe = scipy_linalg_safe


def _nbytes(x):
    return int(x.nbytes)


def _to_numpy(data, **kwargs):
    return cp.asnumpy(data, **kwargs)


def together(arrays):
    """Arrays on the device of the first one that is on any: blocks lie on several, and
    those that Dask makes of numbers on the host."""
    device = next(x.device for x in arrays if isinstance(x, cp.ndarray))
    with device:
        return [x if _is_on(x, device) else cp.array(x) for x in arrays]


def _is_on(x, device):
    return x.device == device if hasattr(x, "get") else not isinstance(x, np.ndarray)


def _concatenate(arrays, axis=0):
    arrays = together(arrays)
    with arrays[0].device:
        return cp.concatenate(arrays, axis=axis)


def _tensordot(a, b, axes=2):
    a, b = together([a, b])
    with a.device:
        return cp.tensordot(a, b, axes=axes)


def _einsum(*args, **kwargs):
    for option in ("casting", "order"):  # Dask gives NumPy's defaults
        kwargs.pop(option, None)
    subscripts, *arrays = args
    return cp.einsum(subscripts, *together(arrays), **kwargs)


def _percentile(a, q, method="linear"):
    """A block's percentiles and its number of elements, which Dask merges."""
    n = len(a)
    if not n:
        return None, n
    if isinstance(q, cp.ndarray):
        q = q.get()
    return cp.percentile(a, np.asarray(q, float), method=method), n


def _numel(x, axis=None, keepdims=False, dtype=np.float64, **_):
    """How many elements each element of a reduction is of."""
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis) % max(x.ndim, 1)
    axes = {int(i) for i in axes}
    count = int(np.prod([x.shape[i] for i in axes], dtype=np.int64))
    if keepdims:
        shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
    else:
        shape = [n for i, n in enumerate(x.shape) if i not in axes]
    with x.device:
        return cp.full(shape, count, dtype)


def _nannumel(x, **kwargs):
    """The same of elements that are not NaN."""
    return cp.sum(~cp.isnan(x), **kwargs)


def _backend_class(tables):
    """The class of our backend, whose base is Dask's."""

    def with_our_blocks(name):
        def create(*args, meta=None, **kwargs):
            import dask
            from dask import array as da

            meta = cp.empty(()) if meta is None else meta
            with dask.config.set({"array.backend": "numpy"}):
                return getattr(da, name)(*args, meta=meta, **kwargs)

        create.__name__ = name
        create.__doc__ = f"`dask.array.{name}` whose blocks are device arrays."
        return staticmethod(create)

    class CupricBackend(tables.ArrayBackendEntrypoint):
        """Collections whose blocks are arrays of a device."""

        ones = with_our_blocks("ones")
        zeros = with_our_blocks("zeros")
        empty = with_our_blocks("empty")
        full = with_our_blocks("full")

        @staticmethod
        def arange(*args, like=None, **kwargs):
            """`dask.array.arange` whose blocks are device arrays."""
            import dask
            from dask import array as da

            like = cp.empty(()) if like is None else like
            with dask.config.set({"array.backend": "numpy"}):
                return da.arange(*args, like=like, **kwargs)

        @classmethod
        def to_backend_dispatch(cls):
            """What makes a block an array of a device."""
            return cp.asarray

        @classmethod
        def to_backend(cls, data, **kwargs):
            """The collection with its blocks on a device."""
            if isinstance(data._meta, cp.ndarray):
                return data
            return data.map_blocks(cp.asarray, **kwargs)

        @property
        def RandomState(self):
            """The class of random states."""
            return cp.random.RandomState

        @property
        def default_bit_generator(self):
            """The class of bit generators that are used unless one is given."""
            return cp.random.XORWOW

    return CupricBackend
