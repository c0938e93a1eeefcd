"""Elements with two indices and a value, sorted by one of the indices."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import cores_of, scan
from cupric._lib.kernels import Library, replayed

__all__ = ["WORDS", "compressed_on_host", "order_by_index"]

_library = Library(__file__)

# By the size of an element, the type as which it is moved.
WORDS = {1: "B", 2: "H", 4: "I", 8: "L", 16: "D"}

_FEW = 1 << 20  # elements that the host sorts in one bucket


def _example(xp):
    made = []
    for index in "il":
        key = (xp.arange(9000) * 7919 % 1000).astype(index)
        other = xp.arange(9000).astype(index)
        for value in "?efdD":
            made += order_by_index(key, other, other.astype(value), 1000)
            made += _example_of_host(key, other, other.astype(value), 1000)
        key = (xp.arange(20000) * 7919 % 5000).astype(index)
        made += _example_of_host(key, key, key.astype("f"), 5000, 100)
    return made


def _example_of_host(key, other, data, bound, *few):
    if _library.on_host(key):
        return compressed_on_host(key, other, data, bound, *few)[1:]
    return order_by_index(key, other, data, bound)[1:]


_SHIPPED = "iB iH iI iL iD lB lH lI lL lD"
_count = _library.kernel(
    "radix_count<I>",
    blocks="p.tiles",
    threads="RADIX_THREADS",
    ships="i l",
    example=_example,
)
_move = _library.kernel(
    "radix_move<I, V>",
    blocks="p.tiles",
    threads="RADIX_THREADS",
    ships=_SHIPPED,
    example=_example,
)
_find_descents = _library.kernel(
    "find_descents<I>", blocks="pieces", threads=1, ships="i l", example=_example
)
_order_buckets = _library.kernel(
    "order_buckets<I, V>",
    blocks="s.buckets",
    threads=1,
    ships=_SHIPPED,
    example=_example,
)


def order_by_index(key, other, data, bound):
    """Elements in the order of an index; those with the same stay in theirs.

    Parameters
    ----------
    key : cupric.ndarray, shape (n,)
        int32 or int64, of 0 to ``bound - 1``.
    other : cupric.ndarray, shape (n,)
        Of the same dtype.
    data : cupric.ndarray, shape (n,)
    bound : int

    Returns
    -------
    key, other, data : cupric.ndarray
    """
    with key.device:
        to = tuple(_core.empty(x.size, x.dtype) for x in (key, other, data))
    if key.size:
        if _library.on_host(key):
            _order_on_host(key, other, data, *to, bound)
        else:
            _order(key, other, data, *to, bound)
    return to


@replayed
def _order(key, other, data, key_to, other_to, data_to, bound):
    digits = _digits(bound, _library.enum.RADIX_BITS)
    to = key_to, other_to, data_to
    rest = None
    if len(digits) > 1:
        rest = tuple(_core.empty(x.size, x.dtype) for x in to)
    source = key, other, data
    for k, (shift, bits) in enumerate(digits):
        last = (len(digits) - 1 - k) % 2 == 0
        _pass(source, to if last else rest, shift, bits, _library.enum.RADIX_TILE)
        source = to if last else rest


def _digits(bound, widest):
    """Shifts and bits of digits of about the same length, of numbers below a bound."""
    bits = max(bound - 1, 1).bit_length()
    count = -(-bits // widest)
    each = -(-bits // count)
    return [(k * each, min(each, bits - k * each)) for k in range(count)]


def _pass(source, to, shift, bits, tile):
    """Sort by a digit; where the elements of each digit and tile begin."""
    key, n = source[0], source[0].size
    tiles = -(-n // tile)
    p = _library.struct.radix_pass(n=n, tile=tile, tiles=tiles, shift=shift, bits=bits)
    counts = _core.empty(tiles << bits, np.int64)
    _count[key.dtype](key=key, counts=counts, p=p)
    places = scan(counts, "sum", exclusive=True)
    _move[key.dtype, WORDS[source[2].itemsize]](
        key=key,
        other=source[1],
        value=source[2],
        key_to=to[0],
        other_to=to[1],
        value_to=to[2],
        places=places,
        p=p,
    )
    return places, tiles


@replayed
def _order_on_host(key, other, data, key_to, other_to, data_to, bound):
    """By digits as on a GPU, but longer ones."""
    digits = _digits(bound, _library.enum.RADIX_MOST_BITS)
    tile = -(-key.size // (cores_of(key.device) if key.size > _FEW else 1))
    to = key_to, other_to, data_to
    rest = None
    if len(digits) > 1:
        rest = tuple(_core.empty(x.size, x.dtype) for x in to)
    source = key, other, data
    for k, (shift, bits) in enumerate(digits):
        last = (len(digits) - 1 - k) % 2 == 0
        _pass(source, to if last else rest, shift, bits, tile)
        source = to if last else rest


def compressed_on_host(major, minor, data, n_major, few=_FEW):
    """The compressed form of elements in any order, as the host sorts them; None where
    there are many and they are in order."""
    if major.size > few and not _descents(major).get().any():
        return None
    with major.device:
        indptr = _core.empty(n_major + 1, major.dtype)
        to = tuple(_core.empty(x.size, x.dtype) for x in (minor, data))
    _compress_on_host(major, minor, data, indptr, *to, few)
    return indptr, *to


@replayed
def _descents(key):
    pieces = 4 * cores_of(key.device)
    descents = _core.empty(pieces, np.int32)
    _find_descents[key.dtype](key=key, descents=descents, n=key.size, pieces=pieces)
    return descents


@replayed
def _compress_on_host(major, minor, data, indptr, minor_to, data_to, few):
    n, rows = major.size, indptr.size - 1
    starts, tiles, shift, buckets = None, 0, 0, 1
    if n > few:
        bits = max(rows - 1, 1).bit_length()
        if bits > _library.enum.RADIX_MOST_BITS:
            shift = bits - _library.enum.RADIX_BUCKET_BITS
        buckets = -(-rows >> shift)
        source = major, minor, data
        to = tuple(_core.empty(x.size, x.dtype) for x in source)
        tile = -(-n // cores_of(major.device))
        if shift == 0:  # a bucket is a row
            to = to[0], minor_to, data_to
        starts, tiles = _pass(source, to, shift, bits - shift, tile)
        if shift == 0:
            indptr[:-1] = starts[: rows * tiles : tiles]
            indptr[-1:] = n
            return
        major, minor, data = to
    _order_buckets[major.dtype, WORDS[data.itemsize]](
        key=major,
        other=minor,
        value=data,
        starts=starts,
        indptr=indptr,
        other_to=minor_to,
        value_to=data_to,
        s=_library.struct.bucket_sizes(
            rows=rows, n=n, buckets=buckets, apart=tiles, shift=shift
        ),
    )
