"""What the rows of the table of deliberate differences (differences.py) accept.

Each function says of a case whether it is the difference that the row is about.
"""

import re
from dataclasses import dataclass

import numpy as np

from . import compare, values


@dataclass(frozen=True)
class Case:
    """A difference, as a row of the table is shown it."""

    step: object  # program.Step
    found: object  # compare.Difference
    operands: tuple = ()  # NumPy's arrays of the variables that the step names

    @property
    def row(self):
        return self.step.row.name if self.step.row else ""

    @property
    def family(self):
        return self.step.row.family if self.step.row else ""

    def errors(self, theirs=None, ours=object):
        """Whether NumPy raised `theirs` and we `ours`; None is no error, and `object`
        is any outcome."""
        return self.found.kind == "error" and all(
            error is None if wanted is None else isinstance(error, wanted)
            for error, wanted in [
                (self.found.error, theirs),
                (self.found.got_error, ours),
            ]
        )

    def says(self, pattern):
        """Whether NumPy's message has the pattern."""
        return bool(re.search(pattern, str(self.found.error)))


def out_of_bounds(case):
    return case.errors(IndexError, None) and case.says("out of bounds")


_NUMBER = "Python integer|convert float|must be a string|too large|too big"
_CAST = "[Cc]annot cast|does not support|No loop matching"
_SHAPES = "broadcast|more dimensions|number of dimensions|zero-dimensional"
_SHAPES += "|output operand has shape"
_TWO_MISTAKES = (  # NumPy's message and ours, of programs that have both mistakes
    (_CAST, f"{_SHAPES}|{_NUMBER}|read-only|out of bounds for"),
    (_SHAPES, f"{_CAST}|{_NUMBER}"),
    ("elements of an empty array", f"{_NUMBER}|{_CAST}|read-only"),
    (_NUMBER, f"{_CAST}|{_SHAPES}|read-only"),
    ("out of bounds for axis", f"{_SHAPES}|{_CAST}|{_NUMBER}"),
    ("out of bounds for", f"{_CAST}|not supported for"),
    ("too small to calculate", "no differences"),
    ("data points|tuple index|out of bounds for axis", "real input"),
    ("too deep", "order real numbers"),
    ("bins|range of|array is too big|array size defined|invalid entry", "complex"),
    ("empty axes", "out of bounds for"),
)


def two_mistakes(case):
    """NumPy finds one thing wrong and we another."""
    if None in (case.found.error, case.found.got_error):
        return False
    theirs, ours = str(case.found.error), str(case.found.got_error)
    return any(re.search(t, theirs) and re.search(o, ours) for t, o in _TWO_MISTAKES)


def element_in_place(case):
    """x[0] += y is arithmetic of NumPy's scalars there."""
    whole = r"\[(\(\)|-?\d+(, -?\d+)*)\] \S+= "  # an index of integers alone, or none
    augmented = re.match(r"\{(place|target)\}\S* \S+= ", case.row)
    other = case.errors(None, TypeError | ValueError) or case.errors(OverflowError)
    return bool(augmented and re.search(whole, case.step.text)) and other


def bfloat16(case):
    involved = [x.dtype.kind == "V" for x in case.operands]
    if not any(involved) and "bfloat16" not in case.step.text:
        return False
    if case.found.kind == "dtype" or case.errors(TypeError):
        return True
    if _of(case, "values", "round", "around", "spacing"):
        return True
    if _of(case, "values", "radians", "deg2rad", "degrees", "rad2deg"):
        return "out=" in case.step.text  # there they are float32
    if _of(case, "type", "vdot", "linalg.vdot") or _rounded_once(case):
        return True
    if case.says("expected number|Coefficient arrays have no common type"):
        return True
    if case.errors(None, TypeError):
        return bool(re.search("Cannot cast|promot", str(case.found.got_error)))
    if case.errors(None, ValueError):  # the edges of bins are float32 there
        told = str(case.found.got_error)
        return bool(re.search("Too many bins|range .* is not finite", told))
    if case.found.kind == "views" and ".conj" in case.row:
        return True
    weak = case.found.kind in ("memory", "values")
    if weak and re.search(r"\d\.|\de|nan|inf", case.step.text):
        return True
    return bool(re.search(_ORDERS, case.row)) and any(
        (x != x).any() or (np.signbit(x) & (x == 0)).any()
        if values.is_float(x.dtype)
        else _beyond_float64(x)
        for x in case.operands
    )


def _beyond_float64(x):
    """Whether float64 does not hold all of these integers."""
    return x.dtype.kind in "iu" and bool((abs(x.astype("d")) >= 2**53).any())


def _rounded_once(case):
    """A float64 becomes bfloat16 by way of float32 there."""
    if not case.found.arrays or case.found.dtype != values.BFLOAT16:
        return False
    there, here = (x.astype("d") for x in case.found.arrays)
    return np.allclose(there, here, rtol=2.0**-7, atol=0, equal_nan=True)


_ORDERS = (
    "sort|unique|isin|1d|median|percentile|quantile|partition|searchsorted|digitize"
)


def objects(case):
    if case.says("object has no attribute|not supported between instances of"):
        return True
    if ".at(" in case.row and re.search(r"\d{19}", case.step.text):
        return True
    if case.errors(None, OverflowError):
        return "too large for an array" in str(case.found.got_error)
    if case.errors(None, TypeError):
        number = re.search(r"\d{20}", case.step.text)  # beyond 64 bits
        told = str(case.found.got_error)
        return "dtype('O')" in told or bool(number and "a Python int" in told)
    return False


def _of(case, kind, *names):
    """Whether one of these functions, or methods, differs so."""
    return case.found.kind == kind and case.row.lstrip(".") in names


def _integer_dtype(case):
    text = case.step.text
    return bool(re.search(r"dtype=(xp\.)?['\"]?(bool|\?|u?int|[bBhHiIlLqQ])", text))


_MOMENTS = ("mean", "nanmean", "average", "var", "std", "nanvar", "nanstd")
_NAN_QUANTILES = ("nanquantile", "nanpercentile")
_QUANTILES = ("quantile", "percentile", "median", "nanmedian", *_NAN_QUANTILES)


def spread_in_integers(case):
    kinds = ("values", "error", "memory")
    named = any(_of(case, kind, *_MOMENTS) for kind in kinds)
    less = (
        any(a.dtype.kind == "c" for a in case.operands) and "dtype=" in case.step.text
    )
    large = re.search("dtype='[efF]'", case.step.text) and any(
        a.dtype.kind in "iu" and (abs(a.astype("d")) > 2**11).any()
        for a in case.operands
    )
    told = _integer_dtype(case) or less or large or "out=" in case.step.text
    return bool(named and told)


def spread_of_halves(case):
    halves = any(a.dtype == np.float16 for a in case.operands)
    halves = halves or "dtype='e'" in case.step.text
    return halves and _of(case, "values", "var", "std", "nanvar", "nanstd")


def complex_mean(case):
    """Of complex numbers that are not all finite."""
    made = "dtype=" in case.step.text
    odd = any(
        a.dtype.kind == "c" or (made and a.dtype.kind == "f")
        for a in case.operands
        if a.dtype.kind in "fc" and not np.isfinite(a).all()
    )
    return odd and _of(case, "values", *_MOMENTS, *_QUANTILES)


def quantile_at_infinity(case):
    return _of(case, "values", *_QUANTILES) and any(
        values.is_float(a.dtype) and _spread(a) > float(values.finfo(a.dtype).max)
        for a in case.operands
    )


def _spread(a):
    """Of the elements that are numbers."""
    wide = a.astype("d")
    wide = wide[~np.isnan(wide)]
    if np.isinf(wide).any():
        return np.inf
    with np.errstate(over="ignore"):
        return np.ptp(wide) if wide.size else 0


def quantile_of_large_integers(case):
    large = any(
        a.dtype.kind in "iu"
        and a.size
        and float(a.max()) - float(a.min()) > min(np.iinfo(a.dtype).max, 2**31)
        for a in case.operands
    )
    return large and _of(case, "values", *_QUANTILES)


def quantiles_of_nothing(case):
    """NumPy forgets q where there is no element, and its dtype where all are NaN."""
    if _of(case, "shape", *_NAN_QUANTILES):
        # Of views, too: the operands are what they are of.
        shapes = case.found.expected, case.found.got
        theirs, ours = (re.findall(r"\d+", text) for text in shapes)
        return len(ours) == len(theirs) + 1 and ours[1:] == theirs
    return _of(case, "dtype", *_NAN_QUANTILES) and any(
        a.size == 0 or np.isnan(a).any() for a in case.operands if a.dtype.kind == "f"
    )


def nan_of_bfloat16(case):
    named = case.row.startswith("nan") and case.found.kind in ("values", "dtype")
    return named and any(a.dtype.name == "bfloat16" for a in case.operands)


def spline_edges(case):
    """Of a mode whose sum at the edge SciPy cuts off."""
    edge = re.search("reflect|mirror|wrap", case.step.text)
    if not edge or "ndimage." not in case.row or case.found.kind != "values":
        return False
    there, here = case.found.arrays
    size = np.abs(there).max(initial=1)
    return there.dtype.kind in "fc" and np.allclose(there, here, 1e-8, 1e-8 * size)


def gradient_of_bfloat16(case):
    of_bfloat16 = any(a.dtype.name == "bfloat16" for a in case.operands)
    return of_bfloat16 and _of(case, "values", "gradient")


def vector_for_each_matrix(case):
    if not case.row.startswith(("slinalg.solve_triangular", "slinalg.lu_solve")):
        return False
    shapes = [a.shape for a in case.operands]
    stacks = [shape[:-1] for shape in shapes if len(shape) > 2]
    return case.found.kind in ("shape", "error") and any(s in stacks for s in shapes)


def products_order(case):
    names = ("trapezoid", "gradient", "quantile", "vecdot", "matvec", "vecmat")
    return _of(case, "order", *names, *_NAN_QUANTILES)


def transformed_by_rows(case):
    """Real numbers to terms or back; the others lie as their operands."""
    names = ("rfft", "irfft", "hfft", "ihfft", "rfftn", "irfftn", "rfft2", "irfft2")
    return _of(case, "order", *(f"fft.{n}" for n in names))


_POOR_AXES = ("split", "array_split", "tril", "triu")


def better_named(case):
    """NumPy's own code trips over the shape."""
    numbers = any(a.ndim == 0 for a in case.operands)
    if _of(case, "error", *_MOMENTS):
        mask = case.errors(ValueError, np.exceptions.AxisError)
        return mask or (numbers and case.errors(None, np.exceptions.AxisError))
    if _of(case, "error", *_POOR_AXES):
        return case.errors(IndexError | ValueError | TypeError, ValueError)
    axes = _of(case, "error", "trapezoid", "unwrap") or case.row.startswith(
        ("fft.", "sfft.")
    )
    if axes and case.errors(IndexError | ValueError, np.exceptions.AxisError):
        return True
    if axes and numbers and case.errors(IndexError | ValueError, TypeError):
        return True
    products = _of(case, "error", "tensordot", "linalg.tensordot")
    return products and case.errors(IndexError, ValueError)


def average_of_nothing(case):
    return _of(case, "error", "average") and case.errors(ZeroDivisionError, None)


def transform_of_nothing(case):
    empty = any(a.size == 0 for a in case.operands)
    return empty and case.row.startswith("fft.") and case.found.kind == "values"


def sorts(case):
    """Whether the elements are the same in another order."""
    if "partition" not in case.row or case.found.kind not in ("values", "memory"):
        return False
    there, here = case.found.arrays
    if np.array_equal(np.sort(there, None), np.sort(here, None), equal_nan=True):
        return True
    dtypes = {x.dtype for x in case.operands}  # of a view of what is shown
    dtypes |= {np.dtype(t) for t in re.findall(r"view\('([?\w])'\)", case.step.text)}
    return case.found.kind == "memory" and any(
        np.array_equal(*(np.sort(seen, None) for seen in pair))
        for pair in _seen_as(dtypes, there, here)
    )


def _seen_as(dtypes, there, here):
    """The memory of the two arrays as the bits of elements of each dtype that fits."""
    there, here = (np.atleast_1d(x).copy() for x in (there, here))
    for dtype in dtypes:
        if there.shape[-1] * there.itemsize % dtype.itemsize == 0:
            bits = f"u{dtype.itemsize}" if dtype.itemsize <= 8 else dtype
            yield there.view(bits), here.view(bits)


def sort_of_halves(case):
    long = any(a.dtype == np.float16 and a.size > 100 for a in case.operands)
    return long and bool(re.search(_ORDERS, case.row)) and case.found.kind != "error"


def shift_of_a_number(case):
    names = ("fft.fftshift", "fft.ifftshift", "sfft.fftshift", "sfft.ifftshift")
    return _of(case, "error", *names) and case.says("unpack")


def transform_of_length_0(case):
    """What is real again: of one term it would have no elements."""
    names = ("irfft", "irfft2", "irfftn", "hfft", "hfft2", "hfftn")
    names = [f"sfft.{name}" for name in names]
    return _of(case, "error", *names) and case.errors(None, ValueError)


def hankel_of_nothing(case):
    wrong = case.errors(IndexError | ZeroDivisionError, ValueError | TypeError)
    return wrong and _of(case, "error", "sfft.fht", "sfft.ifht")


def transform_of_infinities(case):
    """Those of the operand, or those that sums and factors lead to."""
    by_transforms = re.match(r"s?fft|signal\.(oa|fft)convolve", case.row)
    if case.found.kind != "values" or not by_transforms:
        return False
    return any(
        a.dtype.kind in "fc"
        and not (np.abs(a) <= np.finfo(a.dtype).max / (4 * a.size)).all()
        for a in case.operands
        if a.size
    )


def histogram_of_complex(case):
    if "histogram" not in case.row or case.found.kind != "error":
        return False
    return "histograms are of real numbers" in str(case.found.got_error)


def einsum_view(case):
    return _of(case, "dtype", "einsum") and "dtype=" in case.step.text


def negative_powers(case):
    said = f"{case.found.error} {case.found.got_error}"
    return case.found.kind == "error" and "negative integer powers" in said


def _whole(case):
    """Whether the call converts to integers what integers cannot hold."""
    made = re.search("dtype='[efdFD]'", case.step.text)
    if (made or _integer_dtype(case)) and "out=" in case.step.text:
        return True  # the operands may be what was written
    number = re.search(r"\d\.\d", case.step.text)
    if number and any(_may_overflow(a) for a in case.operands):
        return True
    numbers = [a for a in case.operands if made or values.is_inexact(a.dtype)]
    with np.errstate(all="ignore"):
        large = any(not (np.abs(a.astype("D")) < 2**7).all() for a in numbers)
        large = large or any(a.size == 0 for a in case.operands)  # 0 / 0
    text = case.step.text
    return large or bool(re.search(r"unsafe|nan|inf|e\+?\d|\d{4}|-\d", text))


def _may_overflow(x):
    """Whether integers are near the limits of their dtype, or of 64 bits."""
    if x.dtype.kind not in "iu" or x.size == 0:
        return False
    limits, near = np.iinfo(x.dtype), 2**6
    beyond = int(x.max()) > limits.max - near
    wrapped = limits.min < 0 and int(x.min()) < limits.min + near  # written in place
    return x.itemsize == 8 or beyond or wrapped


def equivalent_numbers(case):
    return "casting='equiv'" in case.step.text and case.errors(TypeError, None)


def undefined_casts(case):
    shown, text = case.found.dtype, case.step.text
    if case.errors(OverflowError, None) and "np.complex" in text:
        return True  # which NumPy stores as a Python integer
    if case.found.kind == "shape" and "bincount" in text and "astype" in text:
        return _whole(case)
    by_way = "astype('i8," in text  # of integers in fields
    into = by_way or _integer_dtype(case)
    into = shown is not None and (into or shown.kind in "iuV")
    if not into or case.found.kind not in ("values", "memory"):
        return False
    told = case.found.kind == "memory" or re.search(
        "dtype|out=|astype|full_like|insert", text
    )
    casts = bool(told) or (case.step.row and case.step.row.family == "casts")
    return casts and _whole(case)


def nans_in_order(case):
    """The NaNs that `unique` tells apart are numbered in another order."""
    nans = any(values.is_inexact(a.dtype) and (a != a).any() for a in case.operands)
    if not nans or not case.row.startswith("unique") or not case.found.arrays:
        return False
    return np.array_equal(*(np.sort(x, None) for x in case.found.arrays))


def weak_outer(case):
    if case.row.endswith(".outer"):
        beyond = case.found.kind == "values" and (
            _largest_number(case) > 2**11 or re.search(r"e-\d\d", case.step.text)
        )
        other = case.found.kind == "dtype" or case.errors(None, OverflowError)
        return bool(beyond) or other
    at = re.search(r"scatter_|\.at\(", case.row) and case.found.kind == "memory"
    real = any(values.is_inexact(a.dtype) for a in case.operands)
    if not at or not real:
        return False
    there, here = case.found.arrays
    if not values.is_inexact(there.dtype):
        return _largest_number(case) > 2**11
    if there.dtype.kind == "c" and re.search("max|min", case.row):
        return True
    eps = float(values.finfo(there.dtype).eps)  # of numbers that the dtype rounds
    there, here = there.astype("D"), here.astype("D")
    return _largest_number(case) > 2**11 or np.allclose(
        there, here, rtol=4 * eps, atol=16 * eps, equal_nan=True
    )


_CHECKED = "where at isin intersect1d union1d setdiff1d setxor1d isclose searchsorted"
_CHECKED += (
    " scatter_add scatter_max scatter_min choose select append copyto real array_equ"
)


def checked_numbers(case):
    """NumPy makes int64 or objects of a number that the dtype does not hold."""
    named = any(name in case.step.text for name in _CHECKED.split())
    if any(a.dtype.kind == "u" and a.itemsize == 8 for a in case.operands):
        among = case.found.kind == "values" and "isin" in case.step.text
        at = case.found.kind == "memory" and re.search(r"scatter_|\.at\(", case.row)
        if among or at:
            return True
    return named and case.errors(None, OverflowError)


def joined_numbers(case):
    named = any(name in case.step.text for name in ("concat", "pad(", "union1d("))
    return named and case.errors(None, OverflowError)


def range_overflows(case):
    if "histogram" in case.row and case.errors(None, ValueError):
        return "is wider than the largest" in str(case.found.got_error)
    return _of(case, "error", "histogram") and case.errors(IndexError, ValueError)


def truth_of_large_numbers(case):
    if not case.errors(OverflowError, None):
        return False
    return case.row.startswith("logical_") or case.says("too large to convert to C")


def close_to_large_numbers(case):
    limits = [
        float(np.finfo(a.dtype).max) for a in case.operands if a.dtype.kind in "fc"
    ]
    named = _of(case, "values", "isclose", "array_equiv", "array_equal")
    named = named or _of(case, "type", "allclose", "array_equiv", "array_equal")
    if not named or not limits:
        return False
    with np.errstate(all="ignore"):
        sizes = [np.abs(a).max() for a in case.operands if a.size]
    return max([_largest_number(case), *sizes]) > min(limits) / 2


def _largest_number(case):
    """The largest magnitude among the numbers that the call writes out."""
    numbers = re.findall(r"(?<![\w.])\d+(?:\.\d*)?(?:e[+-]?\d+)?", case.step.text)
    return max(map(float, numbers), default=0.0)


def truth_of_small_numbers(case):
    small = any(a.dtype.kind in "fc" for a in case.operands)
    tiny = re.search(r"e-\d\d", case.step.text)
    named = case.row.startswith("logical_") and case.found.kind == "values"
    return small and bool(tiny) and named


def compared_beyond(case):
    named = re.match("(equal|not_equal|less|greater)", case.row)
    strict = re.search(r"(-\d+|\d{3,}).*, casting=", case.step.text)
    return bool(named and strict) and case.errors(None, TypeError)


def inverse_of_nothing(case):
    if not _of(case, "values", "fft.irfft", "fft.hfft"):
        return False
    nothing = any(a.size == 0 for a in case.operands) or "[" in case.step.text
    return nothing and not case.found.arrays[1].any()


def sets_of_large_integers(case):
    named = any(_of(case, kind, *_SETS) for kind in ("values", "shape"))
    large = any(map(_beyond_float64, case.operands))
    kinds = {a.dtype.kind for a in case.operands}  # of int64 and uint64 float64 is made
    mixed = {"i", "u"} <= kinds or any(
        values.is_inexact(a.dtype) for a in case.operands
    )
    mixed = mixed or re.search(r"\d\.|\d[ej]|nan|inf|float|complex", case.step.text)
    return bool(named and large and mixed)


_SETS = ("isin", "intersect1d", "setdiff1d", "setxor1d")


def sinc_of_halves(case):
    if case.row != "sinc" or case.found.dtype != np.float16 or not case.found.arrays:
        return False
    return np.allclose(*case.found.arrays, rtol=0, atol=1e-3, equal_nan=True)


def masked_out(case):
    """NumPy runs masked elements through the dtype that it computes in."""
    text = case.step.text
    if "where=" not in text or "out=" not in text or not case.found.arrays:
        return False
    there, here = case.found.arrays
    with np.errstate(all="ignore"):
        other = (there != here) & ~((there != there) & (here != here))
        there, here = there[other], here[other]
        ways = (here.astype(d).astype(here.dtype) for d in values.DTYPES.values())
        return any(np.allclose(there, way, 1e-3, 0, equal_nan=True) for way in ways)


def complex_limits(case):
    if _of_complex_nans(case) or _sign_at_infinity(case) or _real_part(case):
        return True
    shown, bounded = case.found.dtype, case.step.row and case.step.row.bound.ulps
    if shown is None or shown.kind != "c" or not bounded:
        return False
    there, here = case.found.arrays
    sizes = [np.abs(a.astype("D")) for a in case.operands]
    single = re.search("dtype='[efF]'", case.step.text)
    eps = np.finfo("f" if single else shown).eps
    with np.errstate(all="ignore"):
        far = case.found.kind == "memory"  # the operands are what the step left
        power = "pow" in case.row or "**" in case.row  # which multiplies the angle
        limit = 16 if power else 1e4
        far = far or any(not (n < limit).all() for n in sizes)
        far = far or (power and any(((n > 0) & (n < 1e-16)).any() for n in sizes))
        far = far or _largest_number(case) >= 1e4
        far = far or bool(re.search("inf|out=", case.step.text))  # an operand, perhaps
        odd = ~np.isfinite(there) & (~np.isfinite(here) | far)
        odd |= ~np.isfinite(here) & far
        size = np.abs(there)
        near = np.abs(there - here) <= 2**8 * eps * (size + 1)
        if far:  # the angle of large numbers has no digits left
            near |= np.abs(size - np.abs(here)) <= 1e-2 * size
    return bool((odd | near).all())


def _real_part(case):
    """What a cast writes to a real `out` of complex numbers: not finite where they are
    not, and of a power with an error of the size of the number."""
    cast = "out=" in case.step.text and case.found.arrays
    computed = re.search(r"dtype='[FD]'|np\.complex|\dj", case.step.text)
    if not cast or not (computed or any(a.dtype.kind == "c" for a in case.operands)):
        return False
    there, here = (values.widened(x) for x in case.found.arrays)
    if there.dtype.kind != "f":
        return False
    odd = ~np.isfinite(there) | ~np.isfinite(here)
    there, here = there[~odd], here[~odd]
    size = np.abs(there).max(initial=1)
    eps = float(values.finfo(case.found.dtype).eps)
    bound = 1e-3 if "pow" in case.row else 8 * case.step.row.bound.ulps * eps
    near = np.allclose(here, there, bound, bound * size)
    finite = all(np.isfinite(a).all() for a in case.operands if a.dtype.kind in "fc")
    return near and not (odd.any() and finite)


def _sign_at_infinity(case):
    """Of numbers that are not finite, or of what the step overwrote."""
    return _of(case, "values", "sign") and any(
        a.dtype.kind == "c" and (not np.isfinite(a).all() or "out=" in case.step.text)
        for a in case.operands
    )


def _of_complex_nans(case):
    """Which NaN is found, of which `out=` takes the real part."""
    found = re.search("min|max", case.row) and "out=" in case.step.text
    found = found or _of(case, "values", "ptp")
    return bool(found) and any(
        a.dtype.kind == "c" and not np.isfinite(a).all() for a in case.operands
    )


def _cancels(x):
    """Whether what is left of a sum, of all or along an axis, are rounding errors."""
    if not values.is_inexact(x.dtype):
        return False
    wide = values.widened(x).astype("D")
    with np.errstate(all="ignore"):
        sums = (
            np.abs(wide.sum(axis)) <= 1e-6 * np.abs(wide).sum(axis)
            for axis in [None, *range(x.ndim)]
        )
        return any(found.any() for found in sums)


def correlation_of_constants(case):
    if _of(case, "values", "corrcoef"):
        return not all(np.isfinite(x).all() for x in case.found.arrays)
    if case.row == "average":  # the sum of weights may be 0 in one order alone
        told = f"{case.found.error} {case.found.got_error}"
        noise = case.found.kind == "values" or "sum to zero" in told
        return noise and any(map(_cancels, case.operands))
    spread = _of(case, "values", "std", "var", "nanstd", "nanvar", "cov")
    if not spread:
        return False
    real = [np.abs(a) for a in case.operands if a.dtype.kind in "fc"]
    largest = max((x[np.isfinite(x)].max(initial=0) for x in real), default=0)
    there, here = case.found.arrays
    if "ddof" in case.step.text:  # a variance, 0 or nearly, that is divided by 0
        there = np.where(np.isfinite(there) | np.isfinite(here), there, here)
    near = np.allclose(there, here, rtol=0, atol=1e-4 * largest, equal_nan=True)
    return largest >= 2**53 or near


def order_of_products(case):
    if case.found.kind != "values":
        return False
    if "polyvalfromroots" in case.row:  # some product overflows, another is 0
        there, here = case.found.arrays
        lost = ~np.isfinite(there) | ~np.isfinite(here)
        limit = case.step.row.bound.tolerance(there, case.operands)
        return compare.close(there, np.where(lost, there, here), lambda _: limit)
    odd = any(a.dtype.kind in "fc" and not np.isfinite(a).all() for a in case.operands)
    return odd and "einsum" in case.row


def _layout_is_told(case):
    """Whether the call tells the memory order of its operand, which may be another."""
    if case.row == ".view" and case.found.kind == "error":
        return "contiguous" in f"{case.found.error} {case.found.got_error}"
    if not re.search("order=['\"][AK]", case.step.text):
        return False
    if case.found.kind == "values":  # the same elements, read in another order
        there, here = (np.sort(values.widened(x), None) for x in case.found.arrays)
        return np.array_equal(there, here, equal_nan=there.dtype.kind in "fc")
    return case.found.kind in ("type", "views", "order")


def products_with_zero(case):
    if case.family != "products" or case.found.kind != "values":
        return False
    there, here = (x.astype("D") for x in case.found.arrays)
    with np.errstate(all="ignore"):
        odd = ~np.isfinite(there) | ~np.isfinite(here)
        return bool((odd | np.isclose(there, here, rtol=1e-2)).all()) and odd.any()


def bins_without_width(case):
    """Of integers so large that one half more is no other number."""
    large = any(
        a.size and a.dtype.kind in "iu" and np.abs(a.astype("d")).max() >= 2**53
        for a in case.operands
    )
    return large and case.found.kind == "values" and "histogram" in case.row


def clip_of_nan(case):
    odd = any(a.dtype.kind == "c" and np.isnan(a).any() for a in case.operands)
    odd = odd or re.search(r"complex\(.*nan", case.step.text)
    return bool(odd) and _of(case, "values", "clip")


def shape_in_place(case):
    if _layout_is_told(case):
        return True
    return case.row == "{unshared}.shape = {reshaped}" and case.found.kind == "error"


def long_long(case):
    theirs = re.sub(r"dtype=u?int64|\\n|\s|,", "", case.found.expected)
    ours = re.sub(r"dtype=u?int64|\\n|\s|,", "", case.found.got)
    return _of(case, "type", "array_repr") and ours == theirs


def read_only(case):
    texts = f"{case.found.error} {case.found.got_error}"
    return case.found.kind == "error" and "read-only" in texts


def one_element(case):
    place = case.row.startswith("{place}")
    return place and case.says("with a sequence|0-dimensional arrays can be converted")


def mask_of_values(case):
    return case.says("NumPy boolean array indexing assignment requires")


def real_of_real(case):
    return ".real = " in case.row


def accident(case):
    """NumPy's error comes from what it is composed of."""
    if case.says("object is not callable"):
        return True
    bools = any(a.dtype == bool for a in case.operands)
    named = _of(case, "error", "round", "around")
    return bools and named and case.errors(TypeError, None)


def all_nan(case):
    return _of(case, "error", "nanargmin", "nanargmax") and case.says("All-NaN")


def own_dtype(case):
    """Whether NumPy converts elements before it reduces them to integers."""
    shown, name = case.found.dtype, case.row.lstrip(".")
    name = name.removesuffix(".reduce").removesuffix(".accumulate")
    ordered = re.fullmatch("(f?max|f?min)(imum)?", name)
    if "out=" not in case.step.text or not (ordered or name in _SUMS):
        return False
    if shown is None or shown.kind not in "biu":
        return False
    if "initial=" in case.step.text:  # to which the fraction is added
        return True
    others = [a.dtype for a in case.operands if a.dtype != shown]
    if ordered:
        return not all(np.can_cast(t, shown) for t in others)
    joined = [np.result_type(t, shown) for t in others if t.kind in "biu"]
    if any(values.is_inexact(t) for t in others):
        return True
    return bool(others) and (shown.kind == "b" or any(t.kind == "f" for t in joined))


_SUMS = ("sum", "prod", "add", "multiply", "cumsum", "cumprod")


def infinity_beside_nan(case):
    """NumPy puts the infinity that loses in the place of NaN."""
    named = _of(case, "values", "nanargmin", "nanargmax")
    return named and any(np.isinf(a).any() for a in case.operands)


def strict_out(case):
    said = str(case.found.got_error)
    return case.errors(None, ValueError) and "output parameter for reduction" in said


def empties(case):
    empty = any(a.size == 0 for a in case.operands)
    mismatch = "shape mismatch" in str(case.found.got_error)
    return empty and case.errors(None, ValueError) and mismatch


def numpys_signbit(case):
    named = case.row in ("signbit", "isnan", "isinf", "isfinite")
    return named and "out=" in case.step.text and case.found.dtype == bool


def numpys_negative(case):
    """Of every fourth element, or eighth of 8 bytes, into memory that is not
    contiguous; ours are negatives of elements."""
    named = _of(case, "values", "negative") and "out=" in case.step.text
    if not named or case.found.dtype.char not in "ilqfd":
        return False
    there, here = case.found.arrays
    elements = [x.ravel() for x in case.operands if x.dtype == here.dtype]
    found = np.isin(here, -np.concatenate(elements)) | (here != here)
    return bool(found.all())


def log1p_near_0(case):
    """NumPy's are as precise as 1 + z is, ours as z."""
    if not _of(case, "values", "log1p") or case.found.dtype.kind != "c":
        return False
    there, here = case.found.arrays
    dtypes = [x.dtype for x in (there, *case.operands) if x.dtype.kind == "c"]
    eps = max(np.finfo(t).eps for t in dtypes)
    with np.errstate(all="ignore"):
        error = abs(there - here)
        near = error <= 8 * eps * np.maximum(abs(here), 1)
    return bool((near | (there == here) | ((there != there) & (here != here))).all())


def i0_overflows(case):
    if case.row != "i0" or not case.found.arrays:
        return False
    there, here = case.found.arrays
    near = np.isclose(there, here, rtol=1e-2, equal_nan=True)
    return bool((np.isinf(there) | np.isposinf(here) | near).all())


def doubled_median(case):
    if not _of(case, "values", "nanmedian") or not case.found.arrays:
        return False
    there, here = map(np.asarray, case.found.arrays)
    off = ~np.isclose(there, here, rtol=1e-2, equal_nan=True)
    half = np.finfo(here.dtype).max / 2
    return bool((np.isinf(there[off]) & (np.abs(here[off]) > half)).all())


def masked_in_order(case):
    text = case.step.text
    masked = (
        "True" in text or "False" in text or any(a.dtype == bool for a in case.operands)
    )
    named = any(n in case.row for n in ("putmask", "place("))
    named = named or ("copyto" in case.row and "where=" in text)
    named = named or (case.row == "{place} = {y}" and masked)
    return named and case.found.kind == "memory"


def zeros(case):
    """Nothing differs but the signs of zeros, which elements are compared for."""
    ordered = (
        "max|min|clip|unique|sort|partition|1d|median|percentile|quantile|nextafter"
    )
    if not re.search(ordered, case.step.text):
        return False
    return bool(case.found.arrays) and np.array_equal(
        *case.found.arrays, equal_nan=True
    )


def halves_in_scans(case):
    scans = "multiply.accumulate add.accumulate cumsum cumprod prod multiply.reduce"
    shown = case.found.dtype
    half = shown is not None and (shown == np.float16 or "dtype='e'" in case.step.text)
    half = half or any(a.dtype.kind in "fV" for a in case.operands if a.itemsize == 2)
    half = half or "bfloat16" in case.step.text
    name = case.row.lstrip(".")
    asked = "dtype='e'" in case.step.text or "bfloat16" in case.step.text
    # in `out` of another dtype, which states no bound for a half
    elsewhere = shown is not None and (
        shown.kind in "iu" or asked and shown.itemsize > 2
    )
    return half and (
        name in scans.split() or elsewhere and name in ("sum", "add.reduce")
    )


def odd_bools(case):
    """Of bools whose bytes are not 0 and 1, which NumPy compares."""
    ordered = "sort|unique|1d|isin|partition|searchsorted|digitize|median|tile|min|max"
    ordered += "|xor|equal|less|greater| [=!<>]= | [<>^] | \\^= "  # beside one bool
    if "bfloat16" in case.step.text:  # ml_dtypes converts the byte
        ordered += "|astype|cumulative|cumsum|cumprod|accumulate"
    in_place = re.search(r"\}\.(sort|partition)| \^= ", case.row)
    kinds = ("values", "shape", "memory" if in_place else "values")
    found = re.search(ordered, case.row) and case.found.kind in kinds
    found = found or (".at(" in case.row and case.found.kind == "memory")
    if "accumulate" in case.row and case.found.kind == "memory":  # of a view, perhaps
        there, here = (np.ascontiguousarray(a).view("B") for a in case.found.arrays)
        found = bool(((there > 0) == (here > 0)).all())
    if any(a.dtype.kind == "V" for a in case.operands):  # as above
        found = found or case.found.kind in ("values", "memory")
    return bool(found) and any(
        a.dtype == bool and (a.view("B") > 1).any() for a in case.operands
    )


def unsorted(case):
    """Of more numbers than NumPy's vectorised sort of float16 puts in order."""
    if "sort" not in case.step.text and not re.search(_ORDERS, case.row):
        return False
    halves = (np.sort(a.ravel()) for a in case.operands if a.dtype == np.float16)
    return any((x[1:] < x[:-1]).any() for x in halves)


def misaligned(case):
    ours = str(case.found.got_error)
    return case.errors(None, TypeError) and "addresses that are not multiples" in ours


def bits_of_nan(case):
    """Nothing differs but elements that are NaN in another dtype, as a view has it."""
    if case.found.kind != "memory" or not case.found.arrays:
        return False
    for dtype in {a.dtype for a in case.operands if values.is_inexact(a.dtype)}:
        there, here = (np.atleast_1d(x).copy() for x in case.found.arrays)
        if there.shape[-1] * there.itemsize % dtype.itemsize:
            continue
        there, here = there.view(dtype), here.view(dtype)
        if ((there == here) | ((there != there) & (here != here))).all():
            return True
    return False


def root_of_infinity(case):
    """NumPy takes the square root for the power of a half."""
    minus = any(a.dtype.kind == "f" and np.isneginf(a).any() for a in case.operands)
    half = "0.5" in case.step.text or any((a == 0.5).any() for a in case.operands)
    power = "**" in case.row or "pow" in case.row
    return minus and half and power and case.found.kind in ("values", "memory")


_SPLINES = "spline|map_coordinates|affine|shift|zoom|rotate"


def splines_of_few_samples(case):
    """The modes that begin a recursion with samples reflected at the border."""
    few = any(n < 16 for x in case.operands for n in x.shape)
    modes = re.search(
        "mode='(reflect|nearest|grid-mirror|grid-constant)'", case.step.text
    )
    return bool(
        case.found.kind == "values"
        and re.match(rf"ndimage\.({_SPLINES})", case.row)
        and modes
        and few
    )


def median_of_nothing(case):
    if case.row != "ndimage.median" or case.found.kind != "values":
        return False
    there, here = case.found.arrays
    return bool((np.isnan(here) | (there == here)).all())


def means_beside_infinity(case):
    means = case.row.startswith("ndimage.uniform_filter")
    odd = any(not np.isfinite(a).all() for a in case.operands if a.dtype.kind in "fc")
    return means and odd and case.found.kind in ("values", "memory")


def windows_with_nan(case):
    """What is compared with NaN, in windows of the image or of what is made of it."""
    return bool(
        re.match(r"ndimage\.(minimum|maximum|median|rank|percentile|grey)_", case.row)
        or re.match(r"ndimage\.(morphological|white|black|generic_filter)", case.row)
    ) and (
        case.found.kind == "values"
        and any(a.dtype.kind == "f" and np.isnan(a).any() for a in case.operands)
    )


def ranks_of_lines(case):
    """SciPy 1.17 takes a footprint for one without gaps, and mirrors one element."""
    return bool(
        re.match(r"ndimage\.(median|rank|percentile)_filter", case.row)
        and case.found.kind == "values"
        and case.found.arrays[0].ndim == 1
    )


def nothing_in_linalg(case):
    if not case.row.startswith("slinalg."):
        return False
    if case.found.kind in ("dtype", "type"):
        return any(a.size == 0 for a in case.operands)
    if case.found.kind == "shape" and "fiedler" in case.row:  # before SciPy 1.18
        return any(a.size < 2 for a in case.operands)
    if case.row == "slinalg.convolution_matrix" and case.says("0-dimensional"):
        return case.errors(IndexError, ValueError)
    return case.errors((ValueError, IndexError, TypeError), None) and case.says(
        "zero-size batches|0-dimensional|zero-dimensional|unsized"
    )


def subnormal_special(case):
    """SciPy has 0 for what lies below the smallest normal number, and gammaln of that
    is an infinity."""
    if case.family != "special" or case.found.kind != "values":
        return False
    there, here = case.found.arrays
    tiny = values.finfo(there.dtype).tiny
    lost = (there == 0) & (np.abs(here) < float(tiny))
    if case.row == "special.gamma":  # near its poles
        lost = (there == 0) & (np.abs(here) < float(tiny) * 2.0**64)
    if case.row == "special.gammaln":
        lost |= np.isposinf(there) & (here > 700) & (here < 750)  # -log of it
    limit = case.step.row.bound.tolerance(there, case.operands)
    return compare.close(there, np.where(lost, there, here), lambda _: limit)


def digamma_beside_poles(case):
    """There psi(x) is -1 over the distance to the pole, which SciPy rounds."""
    if case.row not in ("special.psi", "special.digamma"):
        return False
    if case.found.kind != "values":
        return False
    there, here = case.found.arrays
    limit = 1024 * float(values.finfo(there.dtype).eps) * here.astype("d") ** 2
    limit = np.maximum(limit, case.step.row.bound.tolerance(there, case.operands))
    return compare.close(there, here, lambda _: limit)


def wide_special(case):
    """From SciPy 1.18 on they are float32 there."""
    return (
        case.family == "special"
        and case.found.kind == "dtype"
        and any(a.dtype.char in "?bBhHeE" for a in case.operands)
    )


def complex_special(case):
    return (
        case.family == "special"
        and case.errors(None, TypeError)
        and any(a.dtype.kind == "c" for a in case.operands)
    )
