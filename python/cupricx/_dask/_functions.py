"""Functions of Dask that make arrays of NumPy or call SciPy, whatever the blocks are.

`extend` puts ours in the places of Dask's own, which they call for the collections of
others. What a graph holds, and a worker in another process takes by its name, is a
function of this module.
"""

import functools
import sys

import numpy as np

import cupric as cp
from cupricx._dask._blocks import together

__all__ = ["extend"]

_theirs = {}  # Dask's own, by module and name


def extend(module):
    """Put ours in the places of a module's functions, as far as it has them."""
    for name, ours in _OURS[module.__name__].items():
        theirs = getattr(module, name, None)
        if theirs is None or (module.__name__, name) in _theirs:
            continue
        _theirs[module.__name__, name] = theirs
        if ours in (_in_our_backend, _with_our_meta):
            ours = ours(theirs)
        setattr(module, name, ours)
        package = sys.modules["dask.array"]
        if getattr(package, name, None) is theirs:
            setattr(package, name, ours)


def _their(place, name):
    return _theirs[f"dask.array.{place}", name]


def _is_ours(x):
    """Whether a block, or a collection by its blocks, is of a device."""
    return isinstance(getattr(x, "_meta", x), cp.ndarray)


def _in_our_backend(theirs):
    """A function that makes the collections which it needs beside its argument: for one
    of ours let them be of ours."""

    @functools.wraps(theirs)
    def call(a, *args, **kwargs):
        import dask

        if not _is_ours(a):
            return theirs(a, *args, **kwargs)
        with dask.config.set({"array.backend": "cupric"}):
            return theirs(a, *args, **kwargs)

    return call


def _with_our_meta(theirs):
    """A function of which Dask takes the results for NumPy's, as it says nothing of
    their blocks, or tries a function with blocks of no elements in vain."""

    @functools.wraps(theirs)
    def call(*args, **kwargs):
        found = theirs(*args, **kwargs)
        if _any_is_ours(args) or _any_is_ours(kwargs.values()):
            _mark(found)
        return found

    return call


def _any_is_ours(arguments):
    return any(
        _any_is_ours(x) if isinstance(x, (list, tuple)) else _is_ours(x)
        for x in arguments
    )


def _mark(found):
    """Say of collections that a call has made that their blocks are ours."""
    if isinstance(found, (list, tuple)):
        for x in found:
            _mark(x)
    elif hasattr(found, "_meta") and not _is_ours(found):
        found._meta = cp.empty((0,) * found.ndim, found.dtype)


# ---- of blocks ---------------------------------------------------------------------


def _unique_internal(ar, indices, counts, return_inverse=False):
    """The unique values of a block, as a field of a structure, with the least of
    `indices` and the sum of `counts` of each."""
    if not _is_ours(ar):
        theirs = _their("routines", "_unique_internal")
        return theirs(ar, indices, counts, return_inverse)
    with ar.device:
        values, places = cp.unique(ar, return_inverse=True)
        fields = {"values": values}
        if indices is not None:
            first = cp.full(values.shape, np.iinfo(np.intp).max, np.intp)
            cp.minimum.at(first, places, cp.asarray(indices))
            fields["indices"] = first
        if return_inverse:
            fields["inverse"] = cp.arange(values.size)
        if counts is not None:
            total = cp.zeros(values.shape, np.intp)
            cp.add.at(total, places, cp.asarray(counts))
            fields["counts"] = total
        dtype = cp.make_aligned_dtype([(name, x.dtype) for name, x in fields.items()])
        made = cp.empty(values.shape, dtype)
        for name, x in fields.items():
            made[name] = x
    return made


def _number_of_device(block):
    """As an array of one element, a block that is broadcast to all blocks."""
    return np.full((1,) * block.ndim, block.device.id)


def _on_device(block, number):
    if block.device.id == number.item():
        return block
    with cp.cuda.Device(number.item()):
        return block.copy()


def unique(ar, return_index=False, return_inverse=False, return_counts=False):
    """`dask.array.unique`; our blocks are copied to the device of the first, as their
    values are joined by NumPy's `concatenate` and compared with all blocks."""
    theirs = _their("routines", "unique")
    if _is_ours(ar) and ar.npartitions > 1:
        first = ar.blocks[(0,) * ar.ndim]
        number = first.map_blocks(
            _number_of_device, chunks=(1,) * ar.ndim, dtype=int, meta=np.empty(0, int)
        )
        ar = ar.map_blocks(_on_device, number, dtype=ar.dtype, meta=ar._meta)
    found = theirs(ar, return_index, return_inverse, return_counts)
    if _is_ours(ar):
        _mark(found)
    return found


def _custom_quantile(a, q, axis=None, method="linear", keepdims=False, **kwargs):
    if not _is_ours(a):
        theirs = _their("reductions", "_custom_quantile")
        return theirs(a, q, axis=axis, method=method, keepdims=keepdims, **kwargs)
    a, q = together([a, q])
    with a.device:
        return cp.quantile(
            a, q, _axes(axis), method=method, keepdims=keepdims, **kwargs
        )


def _custom_nanquantile(a, q, axis=None, method="linear", keepdims=False, **kwargs):
    if not _is_ours(a):
        theirs = _their("reductions", "_custom_nanquantile")
        return theirs(a, q, axis=axis, method=method, keepdims=keepdims, **kwargs)
    a, q = together([a, q])
    with a.device:
        found = cp.nanquantile(
            a, q, _axes(axis), method=method, keepdims=keepdims, **kwargs
        )
    return found


def _axes(axis):
    """Axes as Dask gives them, a list."""
    return tuple(axis) if isinstance(axis, list) else axis


def _isin_kernel(element, test_elements, assume_unique=False):
    if not (_is_ours(element) or _is_ours(test_elements)):
        theirs = _their("routines", "_isin_kernel")
        return theirs(element, test_elements, assume_unique)
    element, test_elements = together([element, test_elements])
    device = element.device if _is_ours(element) else test_elements.device
    with device:
        values = cp.asarray(element)
        found = cp.isin(values, cp.asarray(test_elements), assume_unique=assume_unique)
    return found.reshape(element.shape + (1,) * test_elements.ndim)


def _block_histogramdd_rect(sample, bins, range, weights):
    if not _is_ours(sample):
        theirs = _their("routines", "_block_histogramdd_rect")
        return theirs(sample, bins, range, weights)
    with sample.device:
        return cp.histogramdd(sample, bins, range=range, weights=weights)[0][None]


def _block_histogramdd_multiarg(*args):
    if not _is_ours(args[0]):
        return _their("routines", "_block_histogramdd_multiarg")(*args)
    *sample, bins, range, weights = args
    sample = together(sample)
    with sample[0].device:
        counts = cp.histogramdd(tuple(sample), bins, range=range, weights=weights)[0]
    return counts[None]


def _density(counts, widths):
    with counts.device:
        return counts / cp.asarray(widths) / counts.sum()


def fft_wrap(*args, **kwargs):
    """`dask.array.fft.fft_wrap`, whose functions know the blocks of their results."""
    return _with_our_meta(_their("fft", "fft_wrap")(*args, **kwargs))


def histogram(a, bins=None, range=None, normed=False, weights=None, density=None):
    """`dask.array.histogram`; our counts are divided by the bins' sizes on their
    device."""
    import dask

    theirs = _their("routines", "histogram")
    if not _is_ours(a):
        return theirs(a, bins, range, normed, weights, density)
    counts, edges = theirs(a, bins, range, normed, weights)
    _mark(counts)
    if density:
        widths = np.diff(dask.compute(edges, scheduler="synchronous")[0])
        counts = counts.map_blocks(_density, widths, dtype=np.float64)
    return counts, edges


def histogramdd(sample, bins, range=None, normed=None, weights=None, density=None):
    """`dask.array.histogramdd`; of samples of ours the counts, one block, are
    divided by the bins' sizes on their device."""
    import dask

    theirs = _their("routines", "histogramdd")
    first = sample[0] if isinstance(sample, (tuple, list)) else sample
    asked = normed if density is None else density
    if not (asked and _is_ours(first)) or None not in (normed, density):
        return theirs(sample, bins, range, normed, weights, density)
    counts, edges = theirs(sample, bins, range, weights=weights)
    sides = [np.diff(x) for x in dask.compute(*edges, scheduler="synchronous")]
    widths = functools.reduce(np.multiply.outer, sides)
    return counts.map_blocks(_density, widths, dtype=np.float64), edges


# ---- of matrices -------------------------------------------------------------------


def _factors(a):
    from cupricx.scipy.linalg import lu

    with a.device:
        return lu(a)


def _solution(a, b, assume_a):
    from cupricx.scipy.linalg import solve_triangular

    a, b = together([a, b])
    with (a if _is_ours(a) else b).device:
        a, b = cp.asarray(a), cp.asarray(b)
        if assume_a == "gen":
            return cp.linalg.solve(a, b)
        factor = cp.linalg.cholesky(a)
        return solve_triangular(
            factor.T.conj(), solve_triangular(factor, b, lower=True)
        )


def lu(a):
    """`dask.array.linalg.lu`; our blocks are joined into one, of which SciPy's `lu` is
    taken: rows change places throughout the matrix, and chunks may be of any shape."""
    import dask
    from dask import array as da

    if not _is_ours(a) or a.ndim != 2 or a.shape[0] != a.shape[1]:
        return _their("linalg", "lu")(a)
    (block,) = a.rechunk(-1).to_delayed().ravel()
    factors = dask.delayed(_factors, nout=3)(block)
    metas = _factors(cp.ones((1, 1), a.dtype))
    return tuple(
        da.from_delayed(f, a.shape, meta=meta[:0, :0]).rechunk(a.chunks)
        for f, meta in zip(factors, metas, strict=True)
    )


def solve(a, b, sym_pos=None, assume_a="gen"):
    """`dask.array.linalg.solve`; our blocks of `a` are joined into one, and each column
    of blocks of `b` is solved for."""
    from dask import array as da

    known = sym_pos is None and assume_a in ("gen", "pos")
    fits = a.ndim == 2 and b.ndim in (1, 2) and a.shape[0] == a.shape[1] == b.shape[0]
    if not (known and fits and (_is_ours(a) or _is_ours(b))):
        return _their("linalg", "solve")(a, b, sym_pos, assume_a)
    columns = "k" * (b.ndim - 1)
    dtype = cp.linalg.solve(cp.ones((1, 1), a.dtype), cp.ones((1, 1), b.dtype)).dtype
    found = da.blockwise(
        _solution,
        "i" + columns,
        a.rechunk(-1),
        "ij",
        b.rechunk({0: -1}),
        "j" + columns,
        assume_a=assume_a,
        concatenate=True,
        meta=cp.empty((0,) * b.ndim, dtype),
    )
    return found.rechunk(b.chunks)


_OURS = {
    "dask.array.fft": {"fft_wrap": fft_wrap}
    | dict.fromkeys(
        (
            *("fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "hfft", "ihfft"),
            *("rfft", "rfft2", "rfftn", "irfft", "irfft2", "irfftn"),
        ),
        _with_our_meta,
    ),
    "dask.array.linalg": {
        "compression_matrix": _in_our_backend,
        "lu": lu,
        "solve": solve,
    },
    "dask.array.reductions": {
        "_custom_nanquantile": _custom_nanquantile,
        "_custom_quantile": _custom_quantile,
        "argtopk": _in_our_backend,
        "median": _with_our_meta,
        "nanmedian": _with_our_meta,
        "nanquantile": _with_our_meta,
        "prefixscan_blelloch": _with_our_meta,
        "quantile": _with_our_meta,
    },
    "dask.array.routines": {
        "_block_histogramdd_multiarg": _block_histogramdd_multiarg,
        "_block_histogramdd_rect": _block_histogramdd_rect,
        "_isin_kernel": _isin_kernel,
        "_unique_internal": _unique_internal,
        "apply_along_axis": _with_our_meta,
        "argwhere": _in_our_backend,
        "coarsen": _with_our_meta,
        "gradient": _with_our_meta,
        "histogram": histogram,
        "histogramdd": histogramdd,
        "ravel_multi_index": _with_our_meta,
        "unique": unique,
    },
    "dask.array.slicing": {"slice_with_bool_dask_array": _with_our_meta},
}
