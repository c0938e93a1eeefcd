"""The deliberate differences from NumPy and from CuPy.

The fuzzer passes over exactly what a row accepts. docs/differences.md is made of the
table (`python -m tests.fuzz.differences > docs/differences.md`), which a test checks.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import values


@dataclass(frozen=True)
class Case:
    """A difference, as a row of the table is shown it."""

    step: object  # program.Step
    found: object  # compare.Difference
    operands: tuple = ()  # NumPy's arrays of the variables that the step names

    @property
    def row(self):
        return self.step.row.name if self.step.row else ""

    def errors(self, theirs=None, ours=None):
        """Whether NumPy raised `theirs` and we `ours`; None is no error."""
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


@dataclass(frozen=True)
class Deliberate:
    what: str
    others: str  # NumPy, CuPy, or both: who does it otherwise
    why: str
    instead: str
    accepts: Callable[[Case], bool] | None = None  # where the fuzzer can meet it


def _out_of_bounds(case):
    return case.errors(IndexError, None) and case.says("out of bounds")


_MISTAKES = (  # what messages are about
    "broadcast|shape|dimension",
    r"Cannot cast|casting rule|not supported|[Ll]oop|No common|unsupported operand",
    "Python integer|too large|convert float|must be a string|too big",
    "out of bounds for axis|out of bounds with size|empty array|empty axes",
    "read-only",
    "too small|too deep|data points|not finite",
    "order real|no differences|real input|real numbers",
)


def _two_mistakes(case):
    """NumPy finds one thing wrong and we another."""
    if None in (case.found.error, case.found.got_error):
        return False
    texts = [str(case.found.error), str(case.found.got_error)]
    theirs, ours = ({m for m in _MISTAKES if re.search(m, t)} for t in texts)
    return bool(theirs and ours and not theirs & ours)


def _element_in_place(case):
    """x[0] += y is arithmetic of NumPy's scalars there."""
    augmented = re.match(r"\{(place|target)\}\S* \S+= ", case.row)
    return bool(augmented) and case.errors(None, TypeError | ValueError)


def _bfloat16(case):
    involved = [x.dtype.kind == "V" for x in case.operands]
    return any(involved) or "bfloat16" in case.step.text


def _objects(case):
    if case.says("object has no attribute"):
        return True
    if ".at(" in case.row and re.search(r"\d{19}", case.step.text):
        return True
    if case.errors(None, OverflowError):
        return "too large for an array" in str(case.found.got_error)
    if case.errors(None, TypeError):
        return "dtype('O')" in str(case.found.got_error)
    return False


def _of(case, kind, *names):
    """Whether one of these functions, or methods, differs so."""
    return case.found.kind == kind and case.row.lstrip(".") in names


def _integer_dtype(case):
    text = case.step.text
    return bool(re.search(r"dtype=(xp\.)?['\"]?(bool|\?|u?int|[bBhHiIlLqQ])", text))


_MOMENTS = ("mean", "nanmean", "average", "var", "std", "nanvar", "nanstd")
_QUANTILES = ("quantile", "percentile", "median", "nanmedian")


def _spread_in_integers(case):
    kinds = ("values", "error", "memory")
    named = any(_of(case, kind, *_MOMENTS) for kind in kinds)
    less = (
        any(a.dtype.kind == "c" for a in case.operands) and "dtype=" in case.step.text
    )
    return named and (_integer_dtype(case) or less or "out=" in case.step.text)


def _spread_of_halves(case):
    halves = any(a.dtype == np.float16 for a in case.operands)
    return halves and _of(case, "values", "var", "std", "nanvar", "nanstd")


def _complex_mean(case):
    """Of complex numbers that are not all finite."""
    made = "dtype=" in case.step.text
    odd = any(
        a.dtype.kind == "c" or (made and a.dtype.kind == "f")
        for a in case.operands
        if a.dtype.kind in "fc" and not np.isfinite(a).all()
    )
    return odd and _of(case, "values", *_MOMENTS, *_QUANTILES)


def _quantile_at_infinity(case):
    odd = any(a.dtype.kind == "f" and np.isinf(a).any() for a in case.operands)
    return odd and _of(case, "values", *_QUANTILES)


def _quantile_of_large_integers(case):
    large = any(
        a.dtype.kind in "iu"
        and a.size
        and float(a.max()) - float(a.min()) > min(np.iinfo(a.dtype).max, 2**31)
        for a in case.operands
    )
    return large and _of(case, "values", *_QUANTILES)


def _nan_of_bfloat16(case):
    named = case.row.startswith("nan") and case.found.kind in ("values", "dtype")
    return named and any(a.dtype.name == "bfloat16" for a in case.operands)


def _transformed_order(case):
    names = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "rfftn")
    others = ("trapezoid", "gradient", "quantile", "vecdot", "matvec", "vecmat")
    return _of(case, "order", *(f"fft.{n}" for n in names), *others)


_POOR_AXES = ("split", "array_split", "tril", "triu")


def _better_named(case):
    """NumPy's own code trips over the shape."""
    if _of(case, "error", *_MOMENTS) and case.errors(None, np.exceptions.AxisError):
        return True
    if _of(case, "error", *_POOR_AXES):
        return case.errors(IndexError | ValueError | TypeError, ValueError)
    axes = _of(case, "error", "trapezoid", "unwrap") or case.row.startswith("fft.")
    if axes and case.errors(IndexError | ValueError, np.exceptions.AxisError):
        return True
    products = _of(case, "error", "tensordot", "linalg.tensordot")
    return products and case.errors(IndexError, ValueError)


def _average_of_nothing(case):
    return _of(case, "error", "average") and case.errors(ZeroDivisionError, None)


def _shift_of_a_number(case):
    return _of(case, "error", "fft.fftshift", "fft.ifftshift") and case.says("unpack")


def _histogram_of_complex(case):
    return _of(case, "error", "histogram") and case.errors(None, TypeError)


def _einsum_view(case):
    return _of(case, "dtype", "einsum") and "dtype=" in case.step.text


def _negative_powers(case):
    said = f"{case.found.error} {case.found.got_error}"
    return case.found.kind == "error" and "negative integer powers" in said


def _whole(case):
    """Whether the call converts to integers what integers cannot hold."""
    numbers = [a for a in case.operands if values.is_inexact(a.dtype) and a.size]
    with np.errstate(all="ignore"):
        large = any(not (np.abs(a.astype("D")) < 2**7).all() for a in numbers)
        large = large or any(a.size == 0 for a in case.operands)  # 0 / 0
    text = case.step.text
    return large or bool(re.search(r"unsafe|nan|inf|e\+?\d|\d{4}|-\d", text))


def _equivalent_numbers(case):
    return "casting='equiv'" in case.step.text and case.errors(TypeError, None)


def _undefined_casts(case):
    shown = case.found.dtype
    into = shown is not None and (shown.kind in "iu" or _integer_dtype(case))
    return into and case.found.kind in ("values", "memory") and _whole(case)


def _weak_outer(case):
    return case.row.endswith(".outer") and (
        case.found.kind == "dtype" or case.errors(None, OverflowError)
    )


_CHECKED = "where at isin intersect1d union1d setdiff1d setxor1d isclose searchsorted"
_CHECKED += (
    " scatter_add scatter_max scatter_min choose select append copyto real array_equ"
)


def _checked_numbers(case):
    """NumPy makes int64 or objects of a number that the dtype does not hold."""
    named = any(name in case.step.text for name in _CHECKED.split())
    if any(a.dtype.kind == "u" and a.itemsize == 8 for a in case.operands):
        among = case.found.kind == "values" and "isin" in case.step.text
        at = case.found.kind == "memory" and re.search(r"scatter_|\.at\(", case.row)
        if among or at:
            return True
    return named and case.errors(None, OverflowError)


def _joined_numbers(case):
    named = any(name in case.step.text for name in ("concat", "pad(", "union1d("))
    return named and case.errors(None, OverflowError)


def _range_overflows(case):
    return _of(case, "error", "histogram") and case.errors(IndexError, ValueError)


def _integers_divided(case):
    named = _of(case, "error", "divide", "true_divide")
    strict = re.search("casting=.(no|equiv|safe)", case.step.text)
    return bool(named and strict) and case.errors(TypeError, None)


def _truth_of_large_numbers(case):
    return case.row.startswith("logical_") and case.errors(OverflowError, None)


def _close_to_large_numbers(case):
    small = any(a.dtype == np.float16 for a in case.operands)
    return (
        small
        and _of(case, "values", "isclose")
        and bool(re.search(r"e\+?300", case.step.text))
    )


def _sets_of_large_integers(case):
    named = any(_of(case, kind, *_SETS) for kind in ("values", "shape"))
    large = any(
        a.dtype.kind in "iu" and (abs(a.astype("d")) >= 2**53).any()
        for a in case.operands
    )
    return named and large and any(values.is_inexact(a.dtype) for a in case.operands)


_SETS = ("isin", "intersect1d", "setdiff1d", "setxor1d")


def _sinc_of_halves(case):
    if case.row != "sinc" or case.found.dtype != np.float16 or not case.found.arrays:
        return False
    return np.allclose(*case.found.arrays, rtol=0, atol=1e-3, equal_nan=True)


def _masked_out(case):
    """NumPy runs masked elements that overlap an operand through the other dtype."""
    text = case.step.text
    both = "where=" in text and "out=" in text
    return both and case.found.kind in ("values", "memory")


def _complex_limits(case):
    shown, bounded = case.found.dtype, case.step.row and case.step.row.bound.ulps
    if shown is None or shown.kind != "c" or not bounded:
        return False
    there, here = case.found.arrays
    with np.errstate(all="ignore"):
        odd = ~np.isfinite(there) | ~np.isfinite(here)
        near = np.abs(there - here) <= 1e-2 * np.abs(there) + 1e-6
        if any(
            a.size and not (np.abs(a.astype("D")) < 1e4).all() for a in case.operands
        ):
            turned = np.abs(np.abs(there) - np.abs(here)) <= 1e-2 * np.abs(there)
            near |= turned  # the angle of large numbers has no digits left
    return bool((odd | near).all())


def _order_of_products(case):
    odd = any(a.dtype.kind in "fc" and not np.isfinite(a).all() for a in case.operands)
    return odd and "einsum" in case.row and case.found.kind == "values"


def _layout_is_told(case):
    """Whether the call tells the memory order of its operand, which may be another."""
    if case.row == ".view" and case.found.kind == "error":
        return "contiguous" in f"{case.found.error} {case.found.got_error}"
    told = re.search("order=['\"][AK]", case.step.text)
    return bool(told) and case.found.kind in ("values", "type", "views", "order")


def _products_with_zero(case):
    odd = any(a.dtype.kind in "fc" and not np.isfinite(a).all() for a in case.operands)
    family = case.step.row.family if case.step.row else ""
    return odd and family == "products" and case.found.kind == "values"


def _clip_of_nan(case):
    odd = any(a.dtype.kind == "c" and np.isnan(a).any() for a in case.operands)
    return odd and _of(case, "values", "clip")


def _shape_in_place(case):
    if _layout_is_told(case):
        return True
    return case.row == "{unshared}.shape = {reshaped}" and case.found.kind == "error"


def _long_long(case):
    plain = re.sub(r",(\\n|\s)*dtype=int64", "", case.found.expected)
    return _of(case, "type", "array_repr") and case.found.got == plain


def _read_only(case):
    texts = f"{case.found.error} {case.found.got_error}"
    return case.found.kind == "error" and "read-only" in texts


def _one_element(case):
    place = case.row.startswith("{place}")
    return place and case.says("with a sequence|0-dimensional arrays can be converted")


def _mask_of_values(case):
    return case.says("NumPy boolean array indexing assignment requires")


def _real_of_real(case):
    return ".real = " in case.row


def _accident(case):
    """NumPy's error comes from what it is composed of."""
    if case.says("object is not callable"):
        return True
    bools = any(a.dtype == bool for a in case.operands)
    named = _of(case, "error", "round", "around")
    return bools and named and case.errors(TypeError, None)


def _all_nan(case):
    return _of(case, "error", "nanargmin", "nanargmax") and case.says("All-NaN")


def _own_dtype(case):
    """Whether the result of an operation on integers goes to another dtype."""
    shown = case.found.dtype
    whole = shown is not None and shown.kind in "iu"
    whole = whole or (shown is not None and shown.kind == "b")
    named = ".reduce" in case.row or case.row.lstrip(".") in (
        "max",
        "min",
        "sum",
        "prod",
    )
    return whole and named and "out=" in case.step.text


def _strict_out(case):
    said = str(case.found.got_error)
    return case.errors(None, ValueError) and "output parameter for reduction" in said


def _empties(case):
    empty = any(a.size == 0 for a in case.operands)
    mismatch = "shape mismatch" in str(case.found.got_error)
    return empty and case.errors(None, ValueError) and mismatch


def _numpys_signbit(case):
    named = case.row in ("signbit", "isnan", "isinf", "isfinite")
    return named and "out=" in case.step.text


def _i0_overflows(case):
    if case.row != "i0" or not case.found.arrays:
        return False
    there, here = case.found.arrays
    return bool(
        (np.isinf(there) | np.isclose(there, here, rtol=1e-2, equal_nan=True)).all()
    )


def _masked_in_order(case):
    text = case.step.text
    masked = (
        "True" in text or "False" in text or any(a.dtype == bool for a in case.operands)
    )
    named = any(n in case.row for n in ("putmask", "place(", "copyto"))
    named = named or (case.row == "{place} = {y}" and masked)
    return named and case.found.kind == "memory"


def _zeros(case):
    """Nothing differs but the signs of zeros, which elements are compared for."""
    ordered = "max|min|clip|unique|sort|partition|1d|median|percentile|quantile"
    if not re.search(ordered, case.step.text):
        return False
    return bool(case.found.arrays) and np.array_equal(
        *case.found.arrays, equal_nan=True
    )


def _halves_in_scans(case):
    scans = "multiply.accumulate add.accumulate cumsum cumprod prod multiply.reduce"
    shown = case.found.dtype
    half = shown is not None and (shown == np.float16 or "dtype='e'" in case.step.text)
    return half and case.row.lstrip(".") in scans.split()


TABLE = [
    Deliberate(
        "Reductions, and indices that pick one element, give arrays of no dimensions.",
        "NumPy",
        "The value stays on the device and nothing waits for it. Such an array from "
        "an index is a view: writing to it writes to the array, and `x[0] += y` is "
        "checked as an operation in place.",
        "`float(x.sum())`, `x.sum().item()` for a Python number; `x[0].copy()`.",
        _element_in_place,
    ),
    Deliberate(
        "`ascontiguousarray` and `asfortranarray` of a 0-d array have no dimensions.",
        "NumPy",
        "As CuPy. An array of no dimensions is contiguous as it is.",
        "`atleast_1d(x)`.",
        lambda case: (
            case.row in ("ascontiguousarray", "asfortranarray")
            and case.found.kind == "shape"
        ),
    ),
    Deliberate(
        "bfloat16 promotes as the floating dtypes of NumPy do: with a Python number "
        "it stays, with integers of 16 bits it becomes float32, of more float64.",
        "NumPy",
        "`ml_dtypes` knows no weak numbers and refuses some pairs of dtypes; sums are "
        "made in float32 here.",
        "`x.astype(dtype)` where another dtype is meant.",
        _bfloat16,
    ),
    Deliberate(
        "Of a call with two mistakes another may be told: of shapes that do not "
        "broadcast before a cast that is not allowed.",
        "both",
        "The checks are made in the order that costs least.",
        "Catch both.",
        _two_mistakes,
    ),
    Deliberate(
        "Integers have negative powers: `2 ** -1` is 0, `(-1) ** -1` is -1.",
        "NumPy",
        "To raise, a call would have to look at the values. CuPy answers too.",
        "`x.astype(float) ** n`.",
        _negative_powers,
    ),
    Deliberate(
        "`casting='equiv'` takes a Python number that `casting='no'` takes.",
        "NumPy",
        "What may be cast by the narrower rule may be by the wider one.",
        "Nothing.",
        _equivalent_numbers,
    ),
    Deliberate(
        "What becomes of NaN, infinities and numbers out of range in a conversion to "
        "integers is the device's matter.",
        "both",
        "C leaves it open; NumPy's answer differs from machine to machine as well.",
        "`cupric.nan_to_num`, `cupric.clip` before the conversion.",
        _undefined_casts,
    ),
    Deliberate(
        "A Python number in `ufunc.outer` is as weak as in the call itself.",
        "NumPy",
        "`add.outer(x, 2)` has the dtype of `x + 2`.",
        "`cupric.add.outer(x, cupric.asarray(2))`.",
        _weak_outer,
    ),
    Deliberate(
        "A Python integer that the dtype cannot hold is an `OverflowError` also in "
        "`where`, `ufunc.at`, `isin` and the like.",
        "NumPy",
        "NumPy converts it to int64 or to an object first, and wraps at times. `isin` "
        "and `ufunc.at` of uint64 go by float64 there, and round.",
        "An array of the dtype that is meant.",
        _checked_numbers,
    ),
    Deliberate(
        "Elements left out by `where=` are left alone in any `out=`.",
        "NumPy",
        "Where `out` overlaps an operand and has another dtype, NumPy converts its "
        "elements there and back.",
        "Nothing.",
        _masked_out,
    ),
    Deliberate(
        "Which parts of a complex result are infinite or NaN, where one is.",
        "both",
        "Formulas agree on the finite numbers alone; C's Annex G leaves the rest open.",
        "`cupric.isfinite` before.",
        _complex_limits,
    ),
    Deliberate(
        "Diagonals, and imaginary parts of real arrays, can be written to; what "
        "`broadcast_arrays` gives cannot.",
        "NumPy",
        "The first as CuPy. Elements of a broadcast array are one in memory, and "
        "NumPy means to refuse it too.",
        "`.copy()`.",
        _read_only,
    ),
    Deliberate(
        "`x[0] = y` takes a `y` of one element and any number of dimensions.",
        "NumPy",
        "As CuPy: it broadcasts as any assignment does.",
        "Nothing.",
        _one_element,
    ),
    Deliberate(
        "`x[mask] = y` takes a `y` of any number of dimensions that broadcasts.",
        "NumPy",
        "NumPy has a limit of one dimension for this kind of index only.",
        "Nothing.",
        _mask_of_values,
    ),
    Deliberate(
        "`x.real = y` is checked as `x[...] = y` is.",
        "NumPy",
        "NumPy wraps numbers that do not fit, without a word.",
        "Nothing.",
        _real_of_real,
    ),
    Deliberate(
        "`round` of bool answers.",
        "NumPy",
        "NumPy's error comes from a step inside.",
        "Nothing.",
        _accident,
    ),
    Deliberate(
        "`putmask`, `place`, `copyto(where=)` and `x[mask] = y` with operands that "
        "overlap the array use what was there before.",
        "NumPy",
        "NumPy reads elements that it has written, and a device has no order of them.",
        "Nothing.",
        _masked_in_order,
    ),
    Deliberate(
        "Scans and products of float16 are rounded at the end.",
        "NumPy",
        "They are computed in float32, as sums are; NumPy rounds at each step.",
        "Nothing.",
        _halves_in_scans,
    ),
    Deliberate(
        "`einsum` of three and more operands multiplies them in pairs.",
        "NumPy",
        "It takes fewer operations. Beside zeros infinities may become NaN.",
        "Nothing.",
        _order_of_products,
    ),
    Deliberate(
        "The memory order of results is NumPy's where all operands are C-contiguous, "
        "and of views; else it may be another, and `x.shape = …` be refused.",
        "both",
        "NumPy's follows from how its loops are nested.",
        "`cupric.ascontiguousarray(r)`, `r.reshape(…)`.",
        _shape_in_place,
    ),
    Deliberate(
        "`histogram` of numbers whose range overflows is a `ValueError`.",
        "NumPy",
        "NumPy trips over the index that it computes.",
        "`range=`.",
        _range_overflows,
    ),
    Deliberate(
        "`divide` of integers converts no operand: `casting='no'` allows it.",
        "NumPy",
        "As CuPy, where it is an operation of integers that gives floats.",
        "Nothing.",
        _integers_divided,
    ),
    Deliberate(
        "`logical_and` and its kin take any Python integer.",
        "NumPy",
        "NumPy converts it to int64 and raises where it does not fit.",
        "Nothing.",
        _truth_of_large_numbers,
    ),
    Deliberate(
        "`isclose` of float16 and a number that is too large for it is False.",
        "NumPy",
        "NumPy compares infinities, the number's and that of the difference.",
        "Nothing.",
        _close_to_large_numbers,
    ),
    Deliberate(
        "Sets of integers above 2**53 and of floats have only what is in both.",
        "NumPy",
        "NumPy finds integers to be in the other set that round to the same float.",
        "Nothing.",
        _sets_of_large_integers,
    ),
    Deliberate(
        "`sinc` of float16 is computed in float32.",
        "NumPy",
        "Pi has three digits in float16.",
        "Nothing.",
        lambda case: case.row == "sinc" and case.found.kind == "values",
    ),
    Deliberate(
        "Products with infinities and NaN.",
        "NumPy",
        "Its BLAS leaves out products with zero at times; here `inf * 0` is NaN.",
        "Nothing.",
        _products_with_zero,
    ),
    Deliberate(
        "`clip` of complex numbers to NaN is NaN.",
        "NumPy",
        "As `minimum` and `maximum` have it.",
        "Nothing.",
        _clip_of_nan,
    ),
    Deliberate(
        "`long long` is int64, and is shown so.",
        "NumPy",
        "NumPy keeps two types of 64 bits.",
        "Nothing.",
        _long_long,
    ),
    Deliberate(
        "`nanargmin` and `nanargmax` of a slice that is all NaN answer.",
        "NumPy",
        "To raise, the call would have to wait for the device.",
        "`cupric.isnan(x).all(axis)`.",
        _all_nan,
    ),
    Deliberate(
        "Reductions are computed in the operand's dtype whatever `out=` has.",
        "NumPy",
        "NumPy joins both dtypes: int64 and uint64 meet in float64, which rounds.",
        "`dtype=`.",
        _own_dtype,
    ),
    Deliberate(
        "`out=` of a scan or reduction has the shape of the result.",
        "NumPy",
        "NumPy gives some arrays without elements another shape.",
        "Nothing.",
        _strict_out,
    ),
    Deliberate(
        "What is assigned to no elements has to broadcast, too.",
        "NumPy",
        "NumPy does not look at it.",
        "Nothing.",
        _empties,
    ),
    Deliberate(
        "`signbit(x, out=y[::2])`, or `isinf`, of one element sets each element.",
        "NumPy",
        "NumPy 2.4 leaves some as they were.",
        "Nothing.",
        _numpys_signbit,
    ),
    Deliberate(
        "`i0` does not overflow on its way.",
        "NumPy",
        "NumPy multiplies by `exp(x)` first.",
        "Nothing.",
        _i0_overflows,
    ),
    Deliberate(
        "Which of 0.0 and -0.0 stays where they are equal: in minima, sets, `clip`.",
        "both",
        "The order in which elements meet is a device's matter.",
        "`x + 0.0` makes each 0.0.",
        _zeros,
    ),
    Deliberate(
        "Arrays are not converted to NumPy's by themselves: `np.asarray(x)` raises "
        "`TypeError`.",
        "NumPy",
        "It would be a copy from the device that the program does not show.",
        "`x.get()` or `cupric.asnumpy(x)`.",
    ),
    Deliberate(
        "A NumPy array beside a device array, as in `x + a`, raises `TypeError`: "
        "Unsupported type <class 'numpy.ndarray'>.",
        "NumPy",
        "It would be a copy to the device that the program does not show.",
        "`x + cupric.asarray(a)`.",
    ),
    Deliberate(
        "Integer arrays as indices wrap where they are out of bounds.",
        "NumPy",
        "To raise, a call would have to wait for the device. CuPy wraps too.",
        "`CUPRIC_CHECK=1` raises `IndexError` while a program is tried out.",
        _out_of_bounds,
    ),
    Deliberate(
        "`expm1` of a complex number of which `exp` overflows has the imaginary part 0 "
        "where it was 0; NumPy makes it NaN.",
        "NumPy",
        "It is what `exp` gives.",
        "Nothing.",
    ),
    Deliberate(
        "`ldexp` has no `reduce`, `accumulate` and `reduceat`.",
        "NumPy",
        "Its second operand is an integer, and what it gives is none.",
        "A loop over the axis.",
    ),
    Deliberate(
        "The same seed gives other random numbers.",
        "both",
        "They come from Philox, so that every device and release gives the same.",
        "docs/random.md computes them with NumPy.",
    ),
    Deliberate(
        "NumPy arrays of objects, texts and dates are refused with `TypeError`.",
        "NumPy",
        "Elements that point to Python's memory cannot live on a device.",
        "Convert to numbers first.",
        _objects,
    ),
    Deliberate(
        "`mean`, `var` and `std` with an integer `dtype=` are computed in float64 and "
        "then converted.",
        "NumPy",
        "NumPy rounds the mean and each difference to the integer type, so that the "
        "variance of 0, 0, 2 is 1, and `std` raises for short integers.",
        "`x.astype(dtype).var()`.",
        _spread_in_integers,
    ),
    Deliberate(
        "`var` and `std` of float16 do not overflow on the way.",
        "NumPy",
        "They are computed in float32, as the means are.",
        "Nothing; the result is float16 as before.",
        _spread_of_halves,
    ),
    Deliberate(
        "The mean of complex numbers divides each part by the count.",
        "NumPy",
        "NumPy divides by a complex count, which makes a NaN of the part beside an "
        "infinity.",
        "`x.sum() / complex(n)`.",
        _complex_mean,
    ),
    Deliberate(
        "A quantile that falls on an element is that element.",
        "both",
        "Between an infinity and itself others compute `inf - inf`.",
        "Nothing.",
        _quantile_at_infinity,
    ),
    Deliberate(
        "Quantiles of integers are interpolated in float64.",
        "NumPy",
        "NumPy subtracts them as integers, which wrap.",
        "Nothing.",
        _quantile_of_large_integers,
    ),
    Deliberate(
        "`nanmean` and its kin leave NaN out of bfloat16.",
        "NumPy",
        "NumPy does not take bfloat16, a type of another package, for floating point.",
        "`cupric.mean` keeps NaN.",
        _nan_of_bfloat16,
    ),
    Deliberate(
        "Fourier transforms, products, quantiles, gradients and integrals come in C "
        "order.",
        "NumPy",
        "The libraries that compute them write rows, and a copy would cost as much.",
        "`cupric.asfortranarray(r)`.",
        _transformed_order,
    ),
    Deliberate(
        "An axis that a 0-d array lacks is an `AxisError` in Fourier transforms and "
        "integrals; `tensordot` over more axes than there are is a `ValueError`.",
        "NumPy",
        "NumPy's own code raises IndexError from within.",
        "`except (IndexError, ValueError)`, of both of which AxisError is one.",
        _better_named,
    ),
    Deliberate(
        "`fft.fftshift` of a 0-d array is a copy of it.",
        "NumPy",
        "There is nothing to shift; NumPy trips over its own arguments.",
        "Nothing.",
        _shift_of_a_number,
    ),
    Deliberate(
        "`einsum(..., dtype=)` converts also where the result is a diagonal or a "
        "transpose of one operand.",
        "NumPy",
        "NumPy gives a view there and forgets the dtype.",
        "Leave `dtype` out for a view.",
        _einsum_view,
    ),
    Deliberate(
        "`average` without weights and without elements is an array without elements.",
        "NumPy",
        "NumPy divides by the size of the result, which may be 0.",
        "Nothing.",
        _average_of_nothing,
    ),
    Deliberate(
        "`histogram` takes a number of bins or edges, not the name of a rule.",
        "NumPy",
        "CuPy has none either.",
        "`numpy.histogram_bin_edges(x.get(), 'auto')`.",
    ),
    Deliberate(
        "`sinc` of float16 is computed in float32.",
        "NumPy",
        "NumPy rounds pi times x to float16, so that sinc(1) is 0.0003.",
        "Nothing; the result is float16 as before.",
        _sinc_of_halves,
    ),
    Deliberate(
        "A bin of `histogram` beside an edge that is NaN counts what the other edges "
        "leave to it.",
        "NumPy",
        "Nothing is between NaN and a number; NumPy's counts become negative.",
        "`edges[~cupric.isnan(edges)]`.",
    ),
    Deliberate(
        "`histogram` of complex numbers raises `TypeError`.",
        "NumPy",
        "They have no order; NumPy counts by the real parts. CuPy has none either.",
        "`cupric.histogram(x.real)`.",
        _histogram_of_complex,
    ),
    Deliberate(
        "`nanmean`, `nanvar` and `nanstd` of a slice that is all NaN do not warn; "
        "`nanmax`, `nanmin` and `nanmedian` do, and wait for the device to know.",
        "NumPy",
        "CuPy does likewise: a warning of a value costs a wait.",
        "`cupric.isnan(r).any()`.",
    ),
    Deliberate(
        "`linalg.eigh` and `eigvalsh` take float16, and answer in float32.",
        "NumPy",
        "CuPy takes it; single precision is what the eigenvalues are computed in.",
        "Nothing.",
    ),
    Deliberate(
        "`linalg.pinv` of an empty matrix of integers is float64.",
        "NumPy",
        "As of any other matrix of integers; NumPy keeps the integers there.",
        "`.astype(a.dtype)`.",
    ),
    Deliberate(
        "A Python integer that the result's dtype does not hold is an "
        "`OverflowError` in `where`, `concatenate(axis=None)`, `union1d` and `pad`, "
        "too.",
        "NumPy",
        "NumPy stores another number there, modulo the dtype's range, and raises "
        "elsewhere.",
        "`cupric.asarray(300).astype(x.dtype)` for the number modulo the range.",
        _joined_numbers,
    ),
    Deliberate(
        "Shifts, counts and places (`roll`, `repeat`, `take`, `put`) are whole "
        "numbers: fractions and texts are a `TypeError`.",
        "NumPy",
        "NumPy cuts the fraction off, and reads the text.",
        "`int(n)`.",
    ),
    Deliberate(
        "The functions that are one kernel (`where`, `clip`, `sinc`, `i0`, `angle`, "
        "`searchsorted`, all ufuncs) take arrays and numbers, no lists.",
        "NumPy",
        "As CuPy. A list is a copy to the device at every call.",
        "`cupric.asarray([1, 2])`, once.",
    ),
    Deliberate(
        "Operands on two devices raise `ValueError`; only `x[...] = y`, `copyto` and "
        "the like copy from one to the other.",
        "CuPy",
        "A copy would not be seen in the program. See docs/devices.md.",
        "`x.to_device(device)`.",
    ),
    Deliberate(
        "`put_along_axis(x, indices, values, None)` stores to arrays of any layout.",
        "NumPy",
        "NumPy refuses those that it cannot see as a vector.",
        "Nothing.",
    ),
    Deliberate(
        "`unique(axis=)` of float16 has its NaNs last, as of other floats.",
        "NumPy",
        "NumPy's order of rows of float16 has them first.",
        "Nothing.",
    ),
    Deliberate(
        "`interp` refuses complex places, with a period too.",
        "NumPy",
        "NumPy drops the imaginary parts there, with a warning.",
        "`cupric.interp(x.real, ...)`.",
    ),
    Deliberate(
        "`bincount` raises `MemoryError` before it counts more values than memory "
        "is free for.",
        "both",
        "Memory would be filled with zeros until it ends.",
        "`cupric.unique(x, return_counts=True)`.",
    ),
]


def explained(case):
    """The row that accepts the case, or None."""
    return next((row for row in TABLE if row.accepts and row.accepts(case)), None)


_PAGE = """\
# Differences

What cupric does otherwise than NumPy 2 or CuPy, on purpose, why, and what to write
instead. Everything else that differs is a defect. (Made by `python -m
tests.fuzz.differences` of the table in
[tests/fuzz/differences.py](../tests/fuzz/differences.py), by which `make fuzz` goes.)
"""


def page():
    """docs/differences.md."""
    parts = [_PAGE]
    for others, title in [
        ("NumPy", "From NumPy, as in CuPy"),
        ("CuPy", "From CuPy, as in NumPy"),
        ("both", "From both"),
    ]:
        rows = [row for row in TABLE if row.others == others]
        if rows:
            parts.append(f"## {title}\n")
            parts.append("| What | Why | Instead |\n| --- | --- | --- |")
            parts += [f"| {r.what} | {r.why} | {r.instead} |" for r in rows]
            parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
