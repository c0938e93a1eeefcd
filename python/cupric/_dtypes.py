"""Structures, times and plain bytes: what is composed of moves and views.

Elements of these dtypes are opaque to the kernels of the package. A field of an
ordinary dtype is an array like any other; a field that is not aligned is copied byte
for byte before it is computed with.
"""

import math
import operator

import numpy as np

from cupric import _core
from cupric._creation._basic import empty_like
from cupric._manipulation._args import where_it_lives

__all__ = ["comparable_fields", "make_aligned_dtype", "swapped_fields"]

_EQ, _NE = 2, 3  # Python's numbers of the operators


# ---- fields --------------------------------------------------------------------------


def _describe(dtype, name):
    """dtype, shape and offset of a field."""
    if dtype.names is None or name not in dtype.names:
        raise ValueError(f"no field of name {name}")
    field, offset = dtype.fields[name][:2]
    base, shape = field.subdtype or (field, ())
    return base, shape, offset


def _bytes_of(a, name):
    """A field as plain bytes of its elements, which need no alignment: a view."""
    base, shape, offset = _describe(a.dtype, name)
    return _core._field(a, f"V{base.itemsize}", offset, shape), base


@where_it_lives
def _values(a, name):
    """A field to compute with: a view, or a copy where it is not aligned."""
    base, shape, offset = _describe(a.dtype, name)
    try:
        return _core._field(a, base, offset, shape)
    except TypeError:
        raw, base = _bytes_of(a, name)
        return raw.copy().view(base)


def get_field(a, key):
    """a['x'], a view; or a[['x', 'y']], a view that is not written to: elements move as
    a whole, with what other fields lie between these."""
    if isinstance(key, list):
        _check_names(a, key)
        part = a.view(a.dtype[key])
        part.flags.writeable = False
        return part
    if a.dtype.names is None:
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
            "and integer or boolean arrays are valid indices"
        )
    base, shape, offset = _describe(a.dtype, key)
    return _core._field(a, base, offset, shape)


def set_field(a, key, value):
    """a['x'] = value, also where the field is not aligned."""
    if isinstance(key, list):
        _check_names(a, key)
        dtype = np.dtype([(name, a.dtype[name]) for name in key])
        made = _core.empty(a.shape, dtype, device=a.device)
        made[...] = value
        for name in key:
            _write(a, name, _values(made, name))
        return
    if a.dtype.names is None:
        raise IndexError(f"an array of dtype {a.dtype} has no field {key!r}")
    _write(a, key, value)


def _check_names(a, key):
    if a.dtype.names is None:
        raise IndexError(f"an array of dtype {a.dtype} has no fields {key}")
    for name in key:
        if name not in a.dtype.names:
            raise KeyError(name)


def _write(a, name, value):
    raw, base = _bytes_of(a, name)
    if base.type is np.void and base.names is None:
        raw[...] = value
        return
    made = _core.empty(raw.shape, base, device=raw.device)
    made[...] = value
    raw[...] = made.view(raw.dtype)


def swapped_fields(a, inplace):
    """`ndarray.byteswap` of structures, each field by itself, and of plain bytes, which
    have no order and stay as they are."""
    if inplace and not a.flags.writeable:
        raise ValueError("assignment destination is read-only")
    made = a if inplace else a.astype(a.dtype, order="C")
    for name in a.dtype.names or ():
        _write(made, name, _values(made, name).byteswap())
    return made


# ---- conversion ----------------------------------------------------------------------


def _refuse(old, new):
    hint = (
        "view the elements as int64 first, x.view('int64'), and convert these"
        if "M" in (old.kind, new.kind) or "m" in (old.kind, new.kind)
        else "convert field by field"
    )
    return TypeError(f"cannot convert elements of dtype {old} to {new}: {hint}")


@where_it_lives
def convert(a, dtype, casting="unsafe", order="K"):
    """A new array of another dtype, where one of the two is opaque."""
    made = _convert(a, dtype, casting)
    if order != "F" and a.flags.c_contiguous and made.flags.c_contiguous:
        return made
    like = empty_like(a, made.dtype, order, subok=False)
    if like.strides == made.strides:
        return made
    like[...] = made
    return like


def _convert(a, dtype, casting):
    """The new array, of any layout.

    Structures convert field by field, by position, as NumPy assigns them; a number
    becomes each field of a structure; a structure of one field becomes a number.
    """
    old, new = a.dtype, np.dtype(dtype)
    if not _core.can_cast(old, new, casting):
        raise TypeError(
            f"Cannot cast array data from {old!r} to {new!r} according to the rule "
            f"'{casting}'"
        )
    if old.names is not None and new.names is not None:
        if len(old.names) != len(new.names):
            raise TypeError(
                f"structures of {len(old.names)} and {len(new.names)} fields do not "
                f"convert: {old} to {new}"
            )
        parts = [_values(a, name) for name in old.names]
        return _assemble(a, new, parts)
    if new.names is not None and (old.kind not in "VmM" or old.name == "bfloat16"):
        return _assemble(a, new, [a] * len(new.names))
    if old.names is not None and len(old.names) == 1 and not old[0].shape:
        return _values(a, old.names[0]).astype(new)
    if old.kind in "mM" and new.kind in "iu" and new.itemsize == 8:
        return _ticks(a).astype(new)
    if old.kind in "biu" and new.kind in "mM":
        return a.astype(np.int64).view(new)
    if old.type is new.type is np.void and old.names is None and new.names is None:
        return _resize(a, new)
    if old.kind == new.kind and old.kind in "mM":
        return _rescale(a, old, new)
    raise _refuse(old, new)


def _assemble(a, new, parts):
    made = _core.zeros(a.shape, new)
    for name, part in zip(new.names, parts, strict=True):
        shape = _describe(new, name)[1]
        extra = part.ndim - a.ndim
        if extra != len(shape):  # a number for each element of a subarray
            part = part.reshape(part.shape + (1,) * (len(shape) - extra))
        _write(made, name, part)
    return made


def _resize(a, new):
    """Plain bytes of another length: cut, or ended by zeros."""
    made = _core.zeros(a.shape, new)
    width = f"V{min(a.dtype.itemsize, new.itemsize)}"
    _core._field(made, width, 0, ())[...] = _core._field(a, width, 0, ())
    return made


_ORDER = ("W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")
_STEPS = (7, 24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000)  # of one in the next


def _rescale(a, old, new):
    """Times in another unit, for units that are multiples of each other."""
    (unit, many), (wanted, few) = np.datetime_data(old), np.datetime_data(new)
    if "generic" in (unit, wanted) and unit != wanted and unit != "generic":
        raise _refuse(old, new)
    if unit == "generic":
        return a.copy().view(new)
    if unit in "YM" and wanted in "YM":
        up, down = (12 if unit == "Y" else 1), (12 if wanted == "Y" else 1)
    elif unit in "YM" or wanted in "YM":
        if a.ndim or old.kind == "m":
            raise _refuse(old, new)
        return _core.array(a.get().astype(new))  # one: NumPy knows the calendar
    else:
        i, j = _ORDER.index(unit), _ORDER.index(wanted)
        up, down = math.prod(_STEPS[i:j]), math.prod(_STEPS[j:i])
    up, down = up * many, down * few
    common = math.gcd(up, down)
    ticks = _ticks(a)
    none = ticks == np.iinfo(np.int64).min
    moved = ticks * (up // common)
    if down != common:
        moved //= down // common
    moved[none] = np.iinfo(np.int64).min
    return moved.view(new)


# ---- comparison ----------------------------------------------------------------------


@where_it_lives
def compare(a, b, op):
    """a == b, or with another `op` a != b, where one array is opaque."""
    if not isinstance(a, _core.ndarray):
        a, b = b, a
    if isinstance(b, str | bytes):
        return _core.zeros(a.shape, bool) if op == _EQ else ~_core.zeros(a.shape, bool)
    if not isinstance(b, _core.ndarray):
        b = _operand(b, a.dtype)
        if b is None:
            return NotImplemented
    same = _equal(a, b)
    return same if op == _EQ else ~same


def _equal_into(inputs, out, where, casting):
    """``equal`` of arrays of which one is opaque."""
    made = compare(*inputs, _EQ)
    if out is None and where is True:
        return made
    # What the ufunc says of `out`, `where` and `casting` holds here.
    return _core.equal(made, True, out=out, where=where, casting=casting)


def _not_equal_into(inputs, out, where, casting):
    """``not_equal`` of arrays of which one is opaque."""
    made = compare(*inputs, _NE)
    if out is None and where is True:
        return made
    return _core.not_equal(made, False, out=out, where=where, casting=casting)


def _operand(o, dtype):
    """A NumPy scalar or a tuple as an array that can be compared."""
    if dtype.names is not None and isinstance(o, tuple):
        return _core.array(np.array(o, dtype))
    try:
        return _core.array(np.asarray(o))
    except (TypeError, ValueError):
        return None


def _equal(a, b):
    if a.dtype.names is not None or b.dtype.names is not None:
        return _equal_structures(a, b)
    if a.dtype.kind in "mM" or b.dtype.kind in "mM":
        return _equal_times(a, b)
    if a.dtype.kind != b.dtype.kind:
        raise _no_comparison(a, b)
    if a.dtype.itemsize != b.dtype.itemsize:
        raise _no_comparison(a, b)
    return _equal_bytes(a, b)


def _no_comparison(a, b):
    return TypeError(f"elements of dtypes {a.dtype} and {b.dtype} cannot be compared")


def _equal_times(a, b):
    if a.dtype != b.dtype:
        if a.dtype.kind != b.dtype.kind:
            raise _no_comparison(a, b)
        dtype = np.promote_types(a.dtype, b.dtype)
        a, b = a.astype(dtype), b.astype(dtype)
    a, b = (_ticks(x) for x in (a, b))
    return (a == b) & (a != np.iinfo(np.int64).min)


def _ticks(a):
    try:
        return a.view(np.int64)
    except TypeError:  # it is a field that is not aligned
        return a.copy().view(np.int64)


def _equal_bytes(a, b):
    width = math.gcd(a.dtype.itemsize, 8)
    unit = np.dtype(f"u{width}")
    a, b = (_units(x, unit) for x in (a, b))
    return (a == b).all(axis=-1)


def _units(a, unit):
    """Integers along one more axis, from a copy that is aligned."""
    dense = a.astype(a.dtype, order="C")
    return dense[..., None].view(unit)


def _equal_structures(a, b):
    if a.dtype.names is None or b.dtype.names is None or a.dtype.names != b.dtype.names:
        raise TypeError(
            f"structures are compared where they have the same fields: {a.dtype} and "
            f"{b.dtype} have not"
        )
    shape = _core.broadcast_shapes(a.shape, b.shape)
    same = _core.empty(shape, bool)
    same[...] = True
    for name in a.dtype.names:
        x, y = _values(a, name), _values(b, name)
        inner = _describe(a.dtype, name)[1]
        if inner != _describe(b.dtype, name)[1]:
            raise TypeError(f"field {name!r} has different shapes")
        x = x.reshape((1,) * (len(shape) - a.ndim) + x.shape)
        y = y.reshape((1,) * (len(shape) - b.ndim) + y.shape)
        equal = x == y
        axes = tuple(range(len(shape), equal.ndim))
        same &= equal.all(axis=axes) if axes else equal
    return same


# ---- order ---------------------------------------------------------------------------


def comparable_fields(a, names):
    """The numbers by which structures are ordered, field after field: arrays of the
    shape of `a`."""
    keys = []
    for name in names:
        field = _values(a, name)
        inner = field.ndim - a.ndim
        for place in np.ndindex(field.shape[a.ndim :]):
            part = field[(..., *place)] if inner else field
            keys += _comparable(part)
    return keys


def _comparable(a):
    if a.dtype.names is not None:
        return comparable_fields(a, a.dtype.names)
    if a.dtype.kind in "mM":  # NaT, which is the least integer, comes last
        ticks = _ticks(a).view(np.uint64)
        return [_core.subtract(_core.bitwise_xor(ticks, 1 << 63), 1)]
    if a.dtype.type is np.void:
        units = _units(a, np.dtype("u1"))
        return [units[..., i] for i in range(a.itemsize)]
    return [a]


# ---- subarrays: an element is an array, whose axes come last in the result ----


def _split(dtype):
    """The dtype of the numbers in a subarray dtype, and the axes that it adds."""
    dtype, shape = np.dtype(dtype), ()
    while dtype.subdtype is not None:
        dtype, inner = dtype.subdtype
        shape += inner
    return dtype, shape


def _spread(a, shape, order):
    """A new array with axes behind those of `a`, along which each element repeats."""
    a = a[(..., *(None,) * len(shape))]
    wide = _core.broadcast_to(a, a.shape[: a.ndim - len(shape)] + shape)
    return _core.array(wide, None, True, "F" if order == "F" else "C")


def array(
    obj,
    dtype,
    copy=True,
    order="K",
    subok=False,
    ndmin=0,
    *,
    device=None,
    blocking=False,
):
    """``cupric.array`` of a subarray dtype."""
    if copy is False:
        raise ValueError(
            "Unable to avoid copy while creating an array as requested: each element "
            f"becomes one of {dtype}"
        )
    base, shape = _split(dtype)
    if not isinstance(obj, _core.ndarray):
        try:  # NumPy knows which tuples are elements
            made = np.array(obj, dtype)
        except TypeError:  # arrays of a device among them
            obj = _core.array(obj, base, device=device)
        else:
            return _core.array(made, base, None, order, ndmin=ndmin, device=device)
    with _core.Device(device):  # where arrays without one are made
        made = _spread(_core.array(obj, base, None, device=device), shape, order)
        return _core.array(made, None, None, order, ndmin=ndmin)


@where_it_lives
def astype(a, dtype, order="K", casting="unsafe", subok=True, copy=True, device=None):
    """``ndarray.astype`` to a subarray dtype."""
    base, shape = _split(dtype)
    return _spread(a.astype(base, "K", casting, subok, False), shape, order)


def view(a, dtype, type=None):
    """``ndarray.view`` as a subarray dtype of the elements' size."""
    base, shape = _split(dtype)
    size = base.itemsize * math.prod(shape)
    if size != a.itemsize:
        raise ValueError(
            "Changing the dtype to a subarray type is only supported if the total "
            f"itemsize is unchanged: it is {a.itemsize}, that of {dtype} {size}"
        )
    made = _core._field(a, base, 0, shape)
    return made if type is None else made.view(type=type)


@where_it_lives
def _where_into(inputs, out, where, casting):
    """Elements of two arrays that are opaque."""
    if out is not None or where is not True:
        return NotImplemented
    condition, a, b = inputs
    dtype = a.dtype if a.dtype == b.dtype else np.promote_types(a.dtype, b.dtype)
    shapes = [getattr(x, "shape", ()) for x in (condition, a, b)]
    made = _core.empty(_core.broadcast_shapes(*shapes), dtype)
    made[...] = b
    chosen = condition if condition.dtype == bool else condition != 0
    _core.copy_where(made, a, chosen)
    return made


# What the core calls for ufuncs of opaque arrays: f(inputs, out, where, casting).
OPAQUE_UFUNCS = {
    "equal": _equal_into,
    "not_equal": _not_equal_into,
    "where": _where_into,
}


# ---- in kernels ----------------------------------------------------------------------

_C_NAMES = {  # as kernels of elements call NumPy's types
    "bool": "bool",
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "uint16": "unsigned short",
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "long long",
    "uint64": "unsigned long long",
    "float16": "half",
    "bfloat16": "bfloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "complex<float>",
    "complex128": "complex<double>",
}


def declaration(dtype):
    """The body of a C structure with the layout of `dtype`, or None."""
    if dtype.names is None or dtype.itemsize % _align(dtype, -1, True)[1]:
        return None
    words, end = [], 0
    for name in sorted(dtype.names, key=lambda n: dtype.fields[n][1]):
        base, shape, offset = _describe(dtype, name)
        kind = _C_NAMES.get(base.name) if base.kind not in "mM" else "long long"
        if base.names:
            body = declaration(base)
            kind = body and f"struct {body}"
        if kind is None or offset < end or not (name.isascii() and name.isidentifier()):
            return None
        if offset % _align(base, -1, True)[1]:
            return None
        if offset > end:
            words.append(f"char _before_{name}[{offset - end}];")
        words.append(f"{kind} {name}{''.join(f'[{n}]' for n in shape)};")
        end = offset + base.itemsize * math.prod(shape)
    return "{ " + " ".join([*words, *_fields_by_number(dtype.names)]) + " }"


def _fields_by_number(names):
    """``T::field_count`` and ``x.at<1>()`` of a structure, as CuPy's have them."""
    if {"at", "field_count"} & set(names):
        return
    yield f"enum {{ field_count = {len(names)} }};"  # no static one where T has no name
    *most, last = enumerate(names)
    tests = "".join(
        f"if constexpr (I == {n}) return ({name}); else " for n, name in most
    )
    for const in "", "const ":
        yield (
            f"template <int I> __device__ decltype(auto) at() {const}{{ "
            f'static_assert(I >= 0 && I < {len(names)}, "no such field"); '
            f"{tests}return ({last[1]}); }}"
        )


# ---- alignment -----------------------------------------------------------------------


def make_aligned_dtype(dtype, *, alignment=-1, recurse=True):
    """A structure with the same fields, each where a GPU can read it.

    NumPy's ``align=True`` is what a CPU asks for. A GPU reads a complex number at once,
    and so wants it at a multiple of its size; a structure is as long as a multiple of
    the greatest of these, so that all elements of an array are aligned.

    Parameters
    ----------
    dtype : dtype
        A structure. Other dtypes are returned as they are.
    alignment : int, optional
        A power of two that the structure is aligned to at least; by default what its
        fields need.
    recurse : bool
        Whether to align structures in fields, too. Otherwise they must be aligned.

    Returns
    -------
    numpy.dtype

    Examples
    --------
    >>> cp.make_aligned_dtype([("x", "i1"), ("z", "c16")]).fields["z"][1]
    16
    """
    dtype = np.dtype(dtype)
    alignment = operator.index(alignment)
    if alignment != -1 and (alignment < 1 or alignment & (alignment - 1)):
        raise ValueError(f"alignment must be a power of two, not {alignment}")
    return _align(dtype, alignment, recurse)[0]


def _align(dtype, alignment, recurse):
    """The aligned dtype, and what it is aligned to."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        base, need = _align(base, alignment if base.names else -1, recurse)
        return np.dtype((base, shape)), need
    if dtype.names is None:
        return dtype, dtype.alignment if dtype.kind == "V" else dtype.itemsize
    formats, offsets, end, most = [], [], 0, max(alignment, 1)
    for name in dtype.names:
        field, need = _align(dtype.fields[name][0], -1, recurse)
        if not recurse and field != dtype.fields[name][0]:
            raise ValueError(f"field {name!r} is not aligned, and recurse is False")
        end = -(-end // need) * need
        formats.append(field)
        offsets.append(end)
        end += field.itemsize
        most = max(most, need)
    titles = [(dtype.fields[n] + (None,))[2] for n in dtype.names]
    spec = {
        "names": dtype.names,
        "formats": formats,
        "offsets": offsets,
        "titles": titles,
        "itemsize": max(-(-end // most) * most, most),
    }
    return np.dtype(spec, align=True), most
