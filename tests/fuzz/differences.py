"""The deliberate differences from NumPy and from CuPy.

The fuzzer passes over exactly what a row accepts (predicates.py). docs/differences.md
is made of the table (`python -m tests.fuzz.differences > docs/differences.md`), which a
test checks.
"""

from collections.abc import Callable
from dataclasses import dataclass

from . import predicates
from .predicates import Case


@dataclass(frozen=True)
class Deliberate:
    what: str
    others: str  # NumPy, SciPy, CuPy, or both: who does it otherwise
    why: str
    instead: str
    accepts: Callable[[Case], bool] | None = None  # where the fuzzer can meet it


TABLE = [
    Deliberate(
        "Reductions, and indices that pick one element, give arrays of no dimensions.",
        "NumPy",
        "The value stays on the device and nothing waits for it. Such an array from "
        "an index is a view: writing to it writes to the array, and `x[0] += y` is "
        "checked as an operation in place.",
        "`float(x.sum())`, `x.sum().item()` for a Python number; `x[0].copy()`.",
        predicates.element_in_place,
    ),
    Deliberate(
        "`x[i], x[j] = x[j], x[i]` does not exchange two elements, and "
        "`random.shuffle(x)` of Python's library loses some.",
        "NumPy",
        "As CuPy. Both indices give views, and the second assignment reads what the "
        "first has written; of rows it is so in NumPy, too. `numpy.random.shuffle(x)` "
        "and NumPy's `Generator.shuffle` are refused with a TypeError, but where the "
        "program ignores warnings.",
        "`x[[i, j]] = x[[j, i]]`; `cupric.random.shuffle(x)`.",
    ),
    Deliberate(
        "bfloat16 promotes as the floating dtypes of NumPy do: with a Python number "
        "it stays, with integers of 16 bits it becomes float32, of more float64.",
        "NumPy",
        "`ml_dtypes` knows no weak numbers and refuses some pairs of dtypes, which "
        "NumPy compares as objects in searches; it has no "
        "order of NaN, sorts -0.0 before 0.0, rounds float64 by way of float32, and "
        "`round` multiplies bfloat16 by powers of ten, which are not among them.",
        "`x.astype(dtype)` where another dtype is meant.",
        predicates.bfloat16,
    ),
    Deliberate(
        "Of a call with two mistakes another may be told: of shapes that do not "
        "broadcast before a cast that is not allowed.",
        "both",
        "The checks are made in the order that costs least.",
        "Catch both.",
        predicates.two_mistakes,
    ),
    Deliberate(
        "Integers have negative powers: `2 ** -1` is 0, `(-1) ** -1` is -1.",
        "NumPy",
        "To raise, a call would have to look at the values. CuPy answers too.",
        "`x.astype(float) ** n`.",
        predicates.negative_powers,
    ),
    Deliberate(
        "`mgrid` of a range without elements is empty, as `ogrid`'s and `arange`'s is.",
        "NumPy",
        "NumPy raises `ValueError` for `mgrid[0:2, 5:0]`, not for `ogrid[0:2, 5:0]`.",
        "Nothing.",
    ),
    Deliberate(
        "`casting='equiv'` takes a Python number that `casting='no'` takes.",
        "NumPy",
        "What may be cast by the narrower rule may be by the wider one.",
        "Nothing.",
        predicates.equivalent_numbers,
    ),
    Deliberate(
        "What becomes of NaN, infinities and numbers out of range in a conversion to "
        "integers is the device's matter.",
        "both",
        "C leaves it open; NumPy's answer differs from machine to machine as well.",
        "`cupric.nan_to_num`, `cupric.clip` before the conversion.",
        predicates.undefined_casts,
    ),
    Deliberate(
        "A Python number in `ufunc.outer` and `ufunc.at` is as weak as in the call "
        "itself.",
        "NumPy",
        "`add.outer(x, 2)` has the dtype of `x + 2`.",
        "`cupric.add.outer(x, cupric.asarray(2))`.",
        predicates.weak_outer,
    ),
    Deliberate(
        "A Python integer that the dtype cannot hold is an `OverflowError` also in "
        "`ufunc.at`: `add.at(x, 0, 300)` of int8. With uint64 nothing is rounded.",
        "NumPy",
        "NumPy converts the number to int64 first, and wraps; uint64 and a number go "
        "by float64 there.",
        "`cupric.asarray(300).astype(x.dtype)` for the number modulo the range.",
        predicates.checked_numbers,
    ),
    Deliberate(
        "The NaNs that `unique` with `equal_nan=False` tells apart, and "
        "`unique_inverse`, are numbered in the order of their places.",
        "NumPy",
        "NumPy's sort of the places is not stable there.",
        "Nothing.",
        predicates.nans_in_order,
    ),
    Deliberate(
        "Elements left out by `where=` are left alone in any `out=`.",
        "NumPy",
        "Where `out` has another dtype than the computation, NumPy may convert its "
        "elements there and back.",
        "Nothing.",
        predicates.masked_out,
    ),
    Deliberate(
        "Whether `corrcoef` of equal numbers is NaN, and their variance 0; an "
        "`average` whose weights cancel.",
        "both",
        "Their mean may be a digit off, by the order of the additions; such rests "
        "correlate, and the square of one may be large.",
        "Nothing.",
        predicates.correlation_of_constants,
    ),
    Deliberate(
        "A sorted array of float16 is in order.",
        "NumPy",
        "NumPy 2.4 leaves some elements of long arrays out of order on CPUs with "
        "AVX-512 for float16.",
        "Nothing.",
        predicates.unsorted,
    ),
    Deliberate(
        "Which parts of a complex result are infinite or NaN, where one is or an "
        "operand is large; the angle of the result then.",
        "both",
        "Formulas agree on the finite numbers alone; C's Annex G leaves the rest open.",
        "`cupric.isfinite` before.",
        predicates.complex_limits,
    ),
    Deliberate(
        "What `diagonal` gives can be written to; what `broadcast_arrays` gives "
        "cannot.",
        "NumPy",
        "The first as CuPy. Elements of a broadcast array are one in memory, and "
        "NumPy means to refuse it too.",
        "`.copy()`.",
        predicates.read_only,
    ),
    Deliberate(
        "`x[0] = y` takes a `y` of one element and any number of dimensions.",
        "NumPy",
        "As CuPy: it broadcasts as any assignment does.",
        "Nothing.",
        predicates.one_element,
    ),
    Deliberate(
        "`x[mask] = y` takes a `y` of any number of dimensions that broadcasts.",
        "NumPy",
        "NumPy has a limit of one dimension for this kind of index only.",
        "Nothing.",
        predicates.mask_of_values,
    ),
    Deliberate(
        "`x.real = 300` of an int8 array raises `OverflowError`, as `x[...] = 300` "
        "does.",
        "NumPy",
        "NumPy wraps the number, without a word.",
        "Nothing.",
        predicates.real_of_real,
    ),
    Deliberate(
        "`round(x, 1)` of bools is float64.",
        "NumPy",
        "NumPy raises, as a step inside cannot store into bool.",
        "Nothing.",
        predicates.accident,
    ),
    Deliberate(
        "`putmask`, `place`, `copyto`, `x[mask] = y` and `x[::2] = x[:3]` with "
        "operands that overlap the array use what was there before.",
        "NumPy",
        "NumPy reads elements that it has written, and a device has no order of them.",
        "Nothing.",
        predicates.masked_in_order,
    ),
    Deliberate(
        "A byte of an array of bools that is neither 0 nor 1 is True, as any other.",
        "NumPy",
        "Such bytes come from `view` and `frombuffer`. NumPy's sorts, searches and "
        "comparisons with one bool tell them apart, its other functions do not; "
        "`ml_dtypes` takes the byte for the number beside bfloat16.",
        "`x != 0`.",
        predicates.odd_bools,
    ),
    Deliberate(
        "Scans and products of float16 and bfloat16 are rounded at the end.",
        "NumPy",
        "They are computed in float32, as sums are; NumPy rounds at each step, which "
        "shows in sums, too, that are written to integers.",
        "Nothing.",
        predicates.halves_in_scans,
    ),
    Deliberate(
        "`einsum` of three and more operands multiplies them in pairs.",
        "NumPy",
        "It takes fewer operations. Beside zeros infinities may become NaN.",
        "Nothing.",
        predicates.order_of_products,
    ),
    Deliberate(
        "The memory order of results is NumPy's where all operands are C-contiguous, "
        "and of views; else it may be another, and `x.shape = …` be refused.",
        "both",
        "NumPy's follows from how its loops are nested.",
        "`cupric.ascontiguousarray(r)`, `r.reshape(…)`.",
        predicates.shape_in_place,
    ),
    Deliberate(
        "`histogram(x, 1)` of numbers that are further apart than the largest float "
        "is a `ValueError`, too, as are `histogram2d` and `histogramdd`.",
        "NumPy",
        "As with more bins. NumPy raises `IndexError`, from an index that it computes, "
        "or has an edge that is NaN.",
        "`range=`, or `x / 4`.",
        predicates.range_overflows,
    ),
    Deliberate(
        "A comparison of bools with a Python integer beyond int64 answers.",
        "NumPy",
        "As for integers. NumPy converts the number to int64, and raises "
        "`OverflowError`.",
        "Nothing.",
    ),
    Deliberate(
        "The truth of an empty array is False, with a `DeprecationWarning`.",
        "NumPy",
        "As CuPy. NumPy 2.2 and later raise `ValueError`.",
        "`x.size > 0`.",
    ),
    Deliberate(
        "`x == y` of an object whose class has an `__eq__` of its own is what that "
        "returns for the array.",
        "NumPy",
        "NumPy asks it for each element, which lies on the device here.",
        "`cupric.asarray(x.get() == y)`.",
    ),
    Deliberate(
        "`logical_and` and its kin take any Python integer, also beyond 64 bits.",
        "NumPy",
        "NumPy converts it to int64 and raises where it does not fit.",
        "Nothing.",
        predicates.truth_of_large_numbers,
    ),
    Deliberate(
        "`isclose` of float16, or of float32, and a number that is too large for it is "
        "False.",
        "NumPy",
        "NumPy compares infinities, the number's and that of the difference.",
        "Nothing.",
        predicates.close_to_large_numbers,
    ),
    Deliberate(
        "Sets of integers above 2**53 and of floats, or of uint64 and int64, have only "
        "what is in both.",
        "NumPy",
        "NumPy compares them as float64, and finds large integers among the infinities "
        "of float16.",
        "Nothing.",
        predicates.sets_of_large_integers,
    ),
    Deliberate(
        "`logical_and` and its kin take a Python number in the array's dtype: 1e-30 is "
        "0 in float16.",
        "NumPy",
        "As the other operations do.",
        "`x != 0`, and a bool beside it.",
        predicates.truth_of_small_numbers,
    ),
    Deliberate(
        "A comparison with a Python integer that the array's dtype does not hold "
        "converts the array: `casting='no'` refuses it.",
        "NumPy",
        "NumPy has another loop for this.",
        "Leave `casting` out.",
        predicates.compared_beyond,
    ),
    Deliberate(
        "`fft.irfft` and `fft.hfft` of no elements are 0.",
        "NumPy",
        "NumPy shows what the memory held before.",
        "Nothing.",
        predicates.inverse_of_nothing,
    ),
    Deliberate(
        "A view whose elements do not lie at multiples of their size is a `TypeError`.",
        "both",
        "A GPU cannot read them, and a kernel that tries ends the program. `x[1:]` of "
        "bytes has no view as int32.",
        "`x.copy().view(dtype)`.",
        predicates.misaligned,
    ),
    Deliberate(
        "`power(x, 0.5)` is no square root, nor is `x ** y` by an array that holds "
        "0.5: of -inf it is inf.",
        "NumPy",
        "NumPy takes the square root, which is NaN there, where the exponent is one "
        "number. `x ** 0.5` is the root.",
        "`cupric.sqrt(x)` where the root is meant.",
        predicates.root_of_infinity,
    ),
    Deliberate(
        "The bits of a NaN: its sign and what else it carries.",
        "both",
        "Devices make NaNs of their own. They show in a view of another dtype.",
        "`cupric.isnan`.",
        predicates.bits_of_nan,
    ),
    Deliberate(
        "A matrix product adds up every product: where it meets `inf * 0` or NaN the "
        "sum is NaN.",
        "NumPy",
        "Its BLAS leaves out products with zero at times.",
        "Nothing.",
        predicates.products_with_zero,
    ),
    Deliberate(
        "`clip` of complex numbers to NaN is NaN.",
        "NumPy",
        "As `minimum` and `maximum` have it.",
        "Nothing.",
        predicates.clip_of_nan,
    ),
    Deliberate(
        "`long long` is int64, and is shown so.",
        "NumPy",
        "NumPy keeps two types of 64 bits.",
        "Nothing.",
        predicates.long_long,
    ),
    Deliberate(
        "`nanargmin` and `nanargmax` of a slice that is all NaN answer.",
        "NumPy",
        "To raise, the call would have to wait for the device.",
        "`cupric.isnan(x).all(axis)`.",
        predicates.all_nan,
    ),
    Deliberate(
        "`nanargmax` and `nanargmin` find an infinity where it is, also behind a NaN.",
        "NumPy",
        "NumPy puts an infinity of the other sign in the place of each NaN, and finds "
        "the NaN where the slice has nothing else.",
        "Nothing.",
        predicates.infinity_beside_nan,
    ),
    Deliberate(
        "Reductions are computed in the operand's dtype whatever `out=` has.",
        "NumPy",
        "NumPy converts elements towards `out` first: fractions go, negative numbers "
        "wrap before `max` compares them, and int64 meets uint64 in float64.",
        "`dtype=`.",
        predicates.own_dtype,
    ),
    Deliberate(
        "`out=` of a scan or reduction has the shape of the result.",
        "NumPy",
        "NumPy takes an `out` of another shape where the operand has no elements.",
        "`out=` of that shape.",
        predicates.strict_out,
    ),
    Deliberate(
        "What is assigned to no elements has to broadcast, too: "
        "`x[[]] = ones((2, 0))` raises `ValueError`.",
        "NumPy",
        "As for any index. NumPy does not look at values without elements.",
        "`ones(0)`, of the shape that `x[[]]` has.",
        predicates.empties,
    ),
    Deliberate(
        "`signbit(x, out=y[::2])`, or `isinf`, of one element sets each element.",
        "NumPy",
        "NumPy 2.4 leaves some as they were.",
        "Nothing.",
        predicates.numpys_signbit,
    ),
    Deliberate(
        "`log1p` of complex numbers near 0 has all its digits: `log1p(1e-20 + 0j)` is "
        "`1e-20 + 0j`.",
        "NumPy",
        "NumPy adds 1 first.",
        "`log(1 + z)` for what NumPy gives.",
        predicates.log1p_near_0,
    ),
    Deliberate(
        "`negative(x[::4], out=y[::2])` of int32 and float32, and `x[::8]` of 64 bits, "
        "negates those elements.",
        "NumPy",
        "NumPy 2.5 reads the elements beside them.",
        "Nothing.",
        predicates.numpys_negative,
    ),
    Deliberate(
        "`i0` of float16 and float32 is infinite where the result is beyond the dtype, "
        "and of an infinity.",
        "NumPy",
        "It is computed in float64. NumPy multiplies by `exp(x)`, which overflows "
        "before: its `i0(float32(89))` is infinite, and of an infinity NaN.",
        "Nothing.",
        predicates.i0_overflows,
    ),
    Deliberate(
        "`nanmedian` of an odd count of numbers is the middle one, if it is above half "
        "of the largest too.",
        "NumPy",
        "NumPy adds it to itself before it halves the sum.",
        "Nothing.",
        predicates.doubled_median,
    ),
    Deliberate(
        "Which of 0.0 and -0.0 stays where they are equal: in minima, sets, `clip`.",
        "both",
        "The order in which elements meet is a device's matter.",
        "`x + 0.0` makes each 0.0.",
        predicates.zeros,
    ),
    Deliberate(
        "Arrays are not converted to NumPy's by themselves: `np.asarray(x)` raises "
        "`TypeError`.",
        "NumPy",
        "It would be a copy from the device that the program does not show.",
        "`x.get()` or `cupric.asnumpy(x)`.",
    ),
    Deliberate(
        "A NumPy array in an operation, as in `x + a`, raises `TypeError`: "
        "Unsupported type <class 'numpy.ndarray'>.",
        "NumPy",
        "It would be a copy to the device that the program does not show. Functions "
        "that are composed of operations copy it, as in CuPy: see docs/from_cupy.md.",
        "`x + cupric.asarray(a)`.",
    ),
    Deliberate(
        "`min_scalar_type` of an array of no dimensions is the array's dtype.",
        "NumPy",
        "NumPy looks at the value, which lies on the device here. As CuPy.",
        "`cupric.min_scalar_type(x.item())`.",
    ),
    Deliberate(
        "Overflow, division by zero and invalid operations do not warn: "
        "`numpy.errstate` and `numpy.seterr` have no effect.",
        "NumPy",
        "The device computes after the call has returned. CuPy does not warn either.",
        "`cupric.isfinite(r).all()` where it matters.",
    ),
    Deliberate(
        "Integer arrays as indices wrap where they are out of bounds.",
        "NumPy",
        "To raise, a call would have to wait for the device. CuPy wraps too.",
        "`CUPRIC_CHECK=1` raises `IndexError` while a program is tried out.",
        predicates.out_of_bounds,
    ),
    Deliberate(
        "`expm1` of a complex64 number that overflows keeps an imaginary part of 0; "
        "NumPy makes it NaN.",
        "NumPy",
        "It is computed in double precision, in which `exp` is still finite.",
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
        "Wrong parameters in arrays of a device make NaN, integers -1, in `beta`, "
        "`binomial`, `gamma`, `poisson` and the other distributions with kernels of "
        "their own.",
        "NumPy",
        "To raise, a call would have to wait for the device. Numbers and arrays of the "
        "host raise `ValueError`.",
        "`cupric.isnan(r).any()` where it matters.",
    ),
    Deliberate(
        "NumPy arrays of objects and of texts raise `ValueError`: Unsupported dtype "
        "object.",
        "NumPy",
        "Elements that point to Python's memory cannot live on a device. CuPy raises "
        "it too; times and structures are taken.",
        "`cupric.asarray(a.astype(float))`, of the dtype that the elements have.",
        predicates.objects,
    ),
    Deliberate(
        "`mean`, `var` and `std` with an integer `dtype=` are computed in float64 and "
        "then converted.",
        "NumPy",
        "NumPy rounds the mean and each difference to the integer type, so that the "
        "variance of 0, 0, 2 is 1, and `std` raises for short integers.",
        "`x.astype(dtype).var()`.",
        predicates.spread_in_integers,
    ),
    Deliberate(
        "`var` and `std` of float16 do not overflow on the way.",
        "NumPy",
        "They are computed in float32, as the means are.",
        "Nothing; the result is float16 as before.",
        predicates.spread_of_halves,
    ),
    Deliberate(
        "The mean of complex numbers divides each part by the count.",
        "NumPy",
        "NumPy divides by a complex count, which makes a NaN of the part beside an "
        "infinity.",
        "`x.sum() / complex(n)`.",
        predicates.complex_mean,
    ),
    Deliberate(
        "A quantile that falls on an element is that element.",
        "both",
        "Between an infinity and itself others compute `inf - inf`, and an infinite "
        "distance between the smallest and the largest numbers.",
        "Nothing.",
        predicates.quantile_at_infinity,
    ),
    Deliberate(
        "The shape and dtype of `nanquantile` and `nanpercentile` follow from those of "
        "the arguments, also of no elements and of nothing but NaN.",
        "NumPy",
        "NumPy forgets that `q` has several there, and its dtype.",
        "Nothing.",
        predicates.quantiles_of_nothing,
    ),
    Deliberate(
        "Quantiles of integers are interpolated in float64.",
        "NumPy",
        "NumPy subtracts them as integers, which wrap.",
        "Nothing.",
        predicates.quantile_of_large_integers,
    ),
    Deliberate(
        "`nanmean` and its kin leave NaN out of bfloat16.",
        "NumPy",
        "NumPy does not take bfloat16, a type of another package, for floating point.",
        "`cupric.mean` keeps NaN.",
        predicates.nan_of_bfloat16,
    ),
    Deliberate(
        "`gradient` of bfloat16 subtracts in the dtype of the result.",
        "NumPy",
        "NumPy subtracts bfloat16 numbers, and rounds the differences.",
        "Nothing.",
        predicates.gradient_of_bfloat16,
    ),
    Deliberate(
        "Splines of `ndimage` begin at the edge with all the terms of their sum.",
        "NumPy",
        "SciPy leaves some out: `ndimage.shift(ones(8), 0, mode='reflect')` is off by "
        "2e-10 there.",
        "Nothing.",
        predicates.spline_edges,
    ),
    Deliberate(
        "Products, quantiles and integrals come in C order, gradients but for those of "
        "arrays in Fortran order.",
        "NumPy",
        "The libraries that compute them write rows, and a copy would cost as much.",
        "`cupric.asfortranarray(r)`.",
        predicates.products_order,
    ),
    Deliberate(
        "Real Fourier transforms of more than 65,536 numbers on a GPU come with the "
        "terms or numbers of each transform side by side: in C order along the last "
        "axes, in another along others.",
        "both",
        "The library that computes them writes rows, and a copy would cost as much.",
        "`cupric.ascontiguousarray(r)`.",
        predicates.transformed_by_rows,
    ),
    Deliberate(
        "Transforms of `fft` lie in memory as their operands do.",
        "CuPy",
        "As NumPy. CuPy's of one axis come in C order, or with that axis the fastest; "
        "only those of several keep Fortran order.",
        "`cupric.ascontiguousarray(r)`.",
    ),
    Deliberate(
        "Complex transforms of `cupricx.scipy.fft` over several axes keep Fortran "
        "order.",
        "NumPy",
        "As CuPy. SciPy's results are in C order.",
        "`cupric.ascontiguousarray(r)`.",
    ),
    Deliberate(
        "An axis that a 0-d array lacks is an `AxisError` in Fourier transforms and "
        "integrals; `tensordot` over more axes than there are is a `ValueError`.",
        "NumPy",
        "NumPy's own code raises IndexError from within.",
        "`except (IndexError, ValueError)`, of both of which AxisError is one.",
        predicates.better_named,
    ),
    Deliberate(
        "`irfft` and its kin in `cupricx.scipy.fft`, and `hfft`'s, of one term raise "
        "`ValueError` unless told the length of the result.",
        "NumPy",
        "The length would be 0. SciPy raises it for `n=None` of one axis; of several, "
        "and for `n=0`, it gives one element.",
        "`irfft(x, 1)`.",
        predicates.transform_of_length_0,
    ),
    Deliberate(
        "`cupricx.scipy.fft.fht` of no dimensions or elements is a `ValueError`, of "
        "complex numbers a `TypeError`.",
        "NumPy",
        "SciPy's own code raises IndexError or ZeroDivisionError from within.",
        "Nothing.",
        predicates.hankel_of_nothing,
    ),
    Deliberate(
        "Which terms of a Fourier transform are infinite or NaN, where an element is, "
        "or sums of them overflow.",
        "NumPy",
        "It follows from the order of the additions.",
        "Nothing.",
        predicates.transform_of_infinities,
    ),
    Deliberate(
        "`orthogonalize` of `cupricx.scipy.fft.dct` and its kin is for complex "
        "numbers, too.",
        "NumPy",
        "SciPy passes it on for real numbers alone.",
        "Nothing.",
    ),
    Deliberate(
        "`cupricx.scipy.fft.dct` of type 1 of one element raises `ValueError`.",
        "NumPy",
        "It is a wrong length; SciPy raises RuntimeError.",
        "`except (ValueError, RuntimeError)`.",
    ),
    Deliberate(
        "`cupricx.scipy.fft.next_fast_len` gives lengths with no prime factor beyond "
        "7, also for real transforms.",
        "NumPy",
        "As CuPy: these are the lengths for which cuFFT has kernels.",
        "`scipy.fft.next_fast_len` for SciPy's lengths.",
    ),
    Deliberate(
        "Fourier transforms of no elements, with `n`, are those of zeros.",
        "NumPy",
        "NumPy 2.4 leaves memory as it was there.",
        "Nothing.",
        predicates.transform_of_nothing,
    ),
    Deliberate(
        "`partition` and `argpartition` sort.",
        "NumPy",
        "As CuPy. NumPy leaves the order of the other elements open.",
        "Nothing.",
        predicates.sorts,
    ),
    Deliberate(
        "A sort of complex64 makes a NaN beside a number quiet, and its payload loses "
        "the last bit.",
        "NumPy",
        "Such numbers are sorted as codes of 64 bits, of which there are not enough "
        "for all payloads; all else comes back bit for bit.",
        "`x[x.argsort()]`.",
    ),
    Deliberate(
        "Sorts of float16 keep each element.",
        "NumPy",
        "NumPy's loses values where the CPU has AVX512-VBMI2 but no arithmetic of "
        "float16; medians and sets go by it.",
        "Nothing.",
        predicates.sort_of_halves,
    ),
    Deliberate(
        "`fft.fftshift` of a 0-d array is a copy of it.",
        "NumPy",
        "There is nothing to shift; NumPy trips over its own arguments.",
        "Nothing.",
        predicates.shift_of_a_number,
    ),
    Deliberate(
        "`einsum(..., dtype=)` converts also where the result is a diagonal or a "
        "transpose of one operand.",
        "both",
        "NumPy gives a view there and forgets the dtype.",
        "Leave `dtype` out for a view.",
        predicates.einsum_view,
    ),
    Deliberate(
        "`average` without weights and without elements is an array without elements.",
        "NumPy",
        "NumPy divides by the size of the result, which may be 0.",
        "Nothing.",
        predicates.average_of_nothing,
    ),
    Deliberate(
        "The rules for the number of bins, as `histogram(x, 'auto')`, do not overflow "
        "for float16.",
        "NumPy",
        "Deviations and moments are computed in float32; NumPy's are float16, and its "
        "rules `doane` and `scott` give other numbers of bins, or raise.",
        "Nothing.",
    ),
    Deliberate(
        "`sinc` of whole numbers is 0, and that of float16 is computed in float32.",
        "NumPy",
        "NumPy rounds pi times x, so that sinc(1.0) is 4e-17, of float16 0.0003.",
        "Nothing; the result is float16 as before.",
        lambda case: (
            predicates.sinc_of_halves(case)
            or (case.row == "sinc" and case.found.kind == "values")
        ),
    ),
    Deliberate(
        "`histogram` counts nothing where the first or the last edge is NaN.",
        "NumPy",
        "Nothing lies between NaN and a number; NumPy's counts are of its search, and "
        "negative at times.",
        "`edges[~cupric.isnan(edges)]`.",
    ),
    Deliberate(
        "`histogram2d` and `histogramdd` count integers above 2**53 that all have the "
        "same value.",
        "NumPy",
        "Their bins have no width in float64, with which NumPy compares the integers "
        "exactly.",
        "`range=`.",
        predicates.bins_without_width,
    ),
    Deliberate(
        "`cumprod` may be NaN behind a zero, where factors behind it overflow.",
        "both",
        "Parts are multiplied in parallel: `0 * inf` is NaN.",
        "`x / 2**10`.",
    ),
    Deliberate(
        "`histogram`, `histogram2d` and `histogramdd` of complex numbers raise "
        "`TypeError`.",
        "NumPy",
        "They have no order; NumPy counts by the real parts. CuPy has none either.",
        "`cupric.histogram(x.real)`.",
        predicates.histogram_of_complex,
    ),
    Deliberate(
        "`nanmean`, `nanvar` and `nanstd` of a slice that is all NaN do not warn; "
        "`nanmax`, `nanmin` and `nanmedian` do, and wait for the device to know.",
        "NumPy",
        "CuPy does likewise: a warning of a value costs a wait.",
        "`cupric.isnan(r).any()`.",
    ),
    Deliberate(
        "`linalg.eig` and `eigvals` give complex numbers.",
        "NumPy",
        "As NumPy 2.5 and CuPy. Before, NumPy gave real ones where no eigenvalue had "
        "an imaginary part, which only the values tell.",
        "`w.real`; `eigvalsh` of a symmetric matrix.",
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
        predicates.joined_numbers,
    ),
    Deliberate(
        "`pad` with a `reflect_type` that is neither 'even' nor 'odd' is a "
        "`ValueError`.",
        "NumPy",
        "It is a mistake in writing; NumPy takes it for 'even'.",
        "`reflect_type='even'`.",
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
    Deliberate(
        "Times are moved, viewed, converted and compared for equality; arithmetic, "
        "order, sorting, reductions and `nonzero` raise `TypeError`.",
        "NumPy",
        "No kernel computes with them; CuPy's arrays hold no times at all.",
        "`x.view('int64')`, and the result viewed back.",
    ),
    Deliberate(
        "Times convert between units of which one is a multiple of the other, not "
        "between months and days.",
        "NumPy",
        "The calendar would have to be on the device.",
        "`cupric.asarray(x.get().astype(dtype))`.",
    ),
    Deliberate(
        "Integers become times, floats and complex numbers do not.",
        "NumPy",
        "What becomes of fractions and of NaN is better said.",
        "`cupric.rint(x).astype('int64').view('m8[s]')`.",
        lambda case: (
            case.found.kind == "error"
            and "cannot convert elements" in str(case.found.got_error)
        ),
    ),
    Deliberate(
        "A field has a view where its elements lie at multiples of their size, a "
        "complex number's too; elsewhere reading `x['b']` raises `TypeError`.",
        "both",
        "No kernel could read the view. `x['b'] = v` works everywhere.",
        "`x.astype(cupric.make_aligned_dtype(x.dtype))['b']`.",
    ),
    Deliberate(
        "`x[['a', 'b']]` is a read-only view.",
        "NumPy",
        "Elements move as a whole, with the bytes of the fields between.",
        "`x[['a', 'b']] = v`, or a field at a time.",
    ),
    Deliberate(
        "`equal`, `not_equal` and comparison with a tuple answer for structures.",
        "NumPy",
        "As `==` and `!=` do.",
        "Nothing.",
    ),
    Deliberate(
        "Joining times or structures of different dtypes raises `TypeError`.",
        "NumPy",
        "The common dtype is the caller's to say.",
        "`x.astype(dtype)` first.",
    ),
    Deliberate(
        "Texts, objects, `V0`, structures with them and the other byte order are no "
        "dtypes of arrays: `zeros(3, '>i4')` raises `TypeError`. NumPy arrays of the "
        "other byte order are taken, and their elements turned round.",
        "NumPy",
        "As CuPy. Device code has none of them.",
        "`zeros(3, 'i4')`; `x.get().astype('>i4')` on the way out.",
    ),
    Deliberate(
        "A process may use 4064 different times, structures and plain bytes.",
        "both",
        "A dtype is a number in every array and stays known to the end.",
        "Fewer dtypes: fields of one structure instead of many structures.",
    ),
    Deliberate(
        "The size of memory (`x.data.mem.size`, `size()` of a pinned pointer) is what "
        "was asked for. A `PinnedMemoryPool` holds, and asks its allocator for, powers "
        "of two.",
        "CuPy",
        "`numpy.frombuffer(p, dtype)` has the elements that were meant. CuPy rounds "
        "up to 512 bytes; blocks of few sizes are more often used again.",
        "Nothing.",
    ),
    Deliberate(
        "A `MemoryPool` takes memory from the device 2 MiB and more at a time: "
        "`total_bytes`, `free_bytes` and the `alloc` events of memory hooks say so. "
        "Such an event comes when the memory has been taken.",
        "CuPy",
        "It is what the device lacks. `used_bytes` and the `malloc` and `free` events "
        "go by request, in blocks of 512 bytes, as in CuPy.",
        "`used_bytes()`; a pool over an allocator, `MemoryPool(f)`, asks for blocks.",
    ),
    Deliberate(
        "The `pmem_id` of memory hooks is a number of the memory, not the `id()` of "
        "`x.data.mem`.",
        "CuPy",
        "Arrays have no such object until it is asked for.",
        "`mem_ptr`.",
    ),
    Deliberate(
        "What `cupricx.profiler.benchmark` returns prints as a table of mean, median, "
        "minimum and maximum.",
        "CuPy",
        "A line of microseconds is hard to read where milliseconds are meant, and has "
        "no median.",
        "`result.to_str(show_gpu=True)` for CuPy's line.",
    ),
    Deliberate(
        "The report of a `LineProfileHook` has no lines of the package itself.",
        "CuPy",
        "The last line that is the program's is where the memory was wanted.",
        "Nothing.",
    ),
    Deliberate(
        "A call that a capture of a stream cannot record raises, and the capture goes "
        "on; so it does when another stream tries to end it.",
        "CuPy",
        "Such calls are stopped before they reach the driver, which ends a capture at "
        "the first: `end_capture` raises there.",
        "Nothing.",
    ),
    Deliberate(
        "Products, transforms and random numbers can be captured into graphs.",
        "CuPy",
        "CuPy raises `NotImplementedError` for cuBLAS and cuRAND; here, it is only "
        "raised for cuSOLVER, on a GPU.",
        "Nothing.",
    ),
    Deliberate(
        "`cuda.driver.CUDADriverError` is a `CUDARuntimeError`.",
        "CuPy",
        "Which of the two interfaces answered is not what a program wants to know.",
        "Nothing.",
    ),
    Deliberate(
        "After `with stream:` the current stream is what it was before, also where "
        "`use()` had set it.",
        "CuPy",
        "CuPy goes back to the stream of the `with` around it, or to the null stream.",
        "`cuda.Stream.null.use()`.",
    ),
    Deliberate(
        "`MemoryPool.free_all_blocks(stream=s)` returns what is free of all streams.",
        "CuPy",
        "What lies idle is any stream's here, and is joined over their borders.",
        "`free_all_blocks()`; a pool over an allocator goes by stream.",
    ),
    Deliberate(
        "`ndimage`'s splines of modes 'reflect' and 'nearest' go through their samples "
        "also where an axis has fewer than some 15.",
        "both",
        "SciPy sums up the first coefficient with itself instead of the first sample "
        "in its last term, by which coefficients of two samples are wrong by 1e-3.",
        "More samples, by `pad`, for SciPy's.",
        predicates.splines_of_few_samples,
    ),
    Deliberate(
        "`ndimage.zoom` knows `grid_mode` for complex images, too.",
        "both",
        "SciPy forgets it on the way to the real and the imaginary part.",
        "`grid_mode=False`.",
    ),
    Deliberate(
        "`ndimage.median` of a label that is not there is NaN.",
        "both",
        "SciPy answers with an element of another label, as its sort left them.",
        "Nothing.",
        predicates.median_of_nothing,
    ),
    Deliberate(
        "`ndimage.minimum_filter`, `maximum_filter` and the grey morphology made of "
        "them are NaN where a window has one; ranks have it behind all numbers.",
        "both",
        "SciPy's result depends on the order in which it compares the elements.",
        "`cupric.nan_to_num`.",
        predicates.windows_with_nan,
    ),
    Deliberate(
        "`ndimage.uniform_filter` and `uniform_filter1d` do not say what windows hold "
        "within `size` elements, or 64, after an infinity or NaN.",
        "NumPy",
        "Sums of long windows come of the sums before, from which an infinity cannot "
        "be taken away again. SciPy's are NaN up to the end of the line.",
        "`correlate1d` with weights of `1 / size`.",
        predicates.means_beside_infinity,
    ),
    Deliberate(
        "`ndimage.median_filter` and its kin of arrays of one axis convert to the "
        "dtype of `output`, and place a footprint as of others.",
        "NumPy",
        "SciPy 1.17 copies bytes of the dtype it computes in, closes the gaps of a "
        "footprint, and has zeros where a single element is mirrored.",
        "Nothing.",
        predicates.ranks_of_lines,
    ),
    Deliberate(
        "Binary morphology in `ndimage` with `iterations` and an `origin` is so many "
        "steps, one after the other.",
        "NumPy",
        "From the second step on SciPy looks at what has changed alone, which is not "
        "enough where an element of the image is not in its own window, and writes "
        "outside of its arrays.",
        "One step at a time, for SciPy to agree.",
    ),
    Deliberate(
        "Binary dilation in `ndimage` along axes that do not ascend has its structure "
        "of an even length turned around its own centre.",
        "NumPy",
        "SciPy moves the origin of another axis: it counts lengths as the structure "
        "has them, and origins as `axes` has them.",
        "`axes` in ascending order.",
    ),
    Deliberate(
        "Factors of `ndimage.fourier_gaussian` and its kin that float32 has no normal "
        "number for are 0 where the result is of float32 or complex64.",
        "NumPy",
        "They are below 1.2e-38 of the largest, and processors take a hundred times "
        "as long for such numbers.",
        "An input of float64 or complex128.",
    ),
    Deliberate(
        "`ndimage.laplace` with an output of integers adds up the second derivatives "
        "before it converts.",
        "NumPy",
        "SciPy converts that of each axis, and adds up integers.",
        "`laplace(x).astype(dtype)` is the same in both.",
    ),
    Deliberate(
        "`signal.lfilter` looks at an `a` that is an array of a GPU in its first call "
        "with it alone: where `a[0]` is set to zero later, results are not finite.",
        "NumPy",
        "To look at it is to wait for the device.",
        "Coefficients as NumPy arrays or lists, which are looked at in each call.",
    ),
    Deliberate(
        "`signal.lfilter` and its kin take float16.",
        "NumPy",
        "SciPy raises NotImplementedError. Sums are float64 here, the result is "
        "rounded once.",
        "`x.astype(cupric.float32)`, of which both give the same.",
    ),
    Deliberate(
        "`signal.filtfilt` and `sosfiltfilt` pad the signal in the result's dtype.",
        "NumPy",
        "SciPy pads integers as such: differences of unsigned ones wrap.",
        "`x.astype(float)` is the same in both.",
    ),
    Deliberate(
        "Splines of `signal`: a spline of one element has that value; `cspline1d` and "
        "`cspline2d` smooth by a `lamb` between 1/144 and 0.05; `symiirorder2` has a "
        "negative `r`, and an `omega` of pi; complex images are smoothed; points that "
        "are not finite have the value NaN.",
        "NumPy",
        "SciPy leaves out a factor, takes poles outside the unit circle, has wrong "
        "sums at the end, raises TypeError, and recurs without an end.",
        "The same in both, where none of these is asked for.",
    ),
    Deliberate(
        "What `signal.lfilter` gives behind an infinity may be NaN where SciPy's is an "
        "infinity, and the reverse; `float32` sums are float64.",
        "NumPy",
        "A long signal is filtered in pieces at once, each from the state that the one "
        "before it ends in, by powers of the filter, some of whose products are NaN.",
        "`cupric.nan_to_num` before.",
    ),
    Deliberate(
        "Filters that there are not are a `ValueError` in `signal`: elliptic ones with "
        "`rp` not below `rs`, bands of `buttord` and its kin of which neither lies "
        "within the other, `firwin_2d` without `fc`; and those of `remez` whose error "
        "is lost in rounding.",
        "NumPy",
        "SciPy gives NaN, negative orders or a filter that does not pass its bands.",
        "Nothing: what SciPy gives is of no use.",
    ),
    Deliberate(
        "`signal.buttord` and its kin of a band-stop filter have the passband that "
        "needs the lowest order exactly.",
        "NumPy",
        "It has a closed form. SciPy searches for it, and ends some 1e-5 off.",
        "Nothing: orders are the same.",
    ),
    Deliberate(
        "`signal.zpk2sos` makes sections of all zeros and poles that are paired.",
        "NumPy",
        "SciPy raises IndexError where it has used up the real zero of a last section.",
        "Nothing: where SciPy has a result, it is the same.",
    ),
    Deliberate(
        "`signal.firwin_2d` has `scale` and `pass_zero` in either form; "
        "`signal.invres` and `invresz` have `rtype`, and take residues with their "
        "poles, which need not be neighbours.",
        "NumPy",
        "As SciPy's documentation says; SciPy does not look at these.",
        "Defaults; poles in the order of their multiplicity.",
    ),
    Deliberate(
        "Of peaks of one height that are too close to each other, `signal.find_peaks` "
        "with a `distance` keeps the last.",
        "NumPy",
        "Which one SciPy keeps is the order of an unstable sort, of which NumPy has "
        "several, by processor.",
        "Heights that differ.",
    ),
    Deliberate(
        "`signal.lsim` and `dlsim` compute in float64, or complex128 where matrices, "
        "inputs or the state are complex; `impulse` takes a state of one axis.",
        "NumPy",
        "SciPy rounds the states of matrices of integers to integers, drops imaginary "
        "parts, and adds such a state to each column.",
        "Matrices of floats; complex inputs are the sum of two calls.",
    ),
    Deliberate(
        "Gains that `signal.place_poles` finds for several inputs are not SciPy's; `X` "
        "has eigenvectors of complex poles for any number of inputs.",
        "NumPy",
        "There are many such gains. Here a step takes the best of all pairs of "
        "eigenvectors. Where `B` is square, SciPy's `X` is the identity.",
        "Eigenvalues of `A - B @ gain_matrix` are the same.",
    ),
    Deliberate(
        "Frequencies of `signal.freqz` and its kin are real; coefficients of "
        "`signal.zpk2tf` are of float64 where roots are integers.",
        "NumPy",
        "SciPy has complex frequencies where coefficients are complex, and integers.",
        "`w.astype(complex)`; `a.astype(int)`.",
    ),
    Deliberate(
        "Spectra of float16 (`signal.stft`, `signal.welch`, …) are those of float32.",
        "NumPy",
        "SciPy takes the mean of a segment in float16, whose digits it loses.",
        "`x - x.mean()` of float16 before.",
    ),
    Deliberate(
        "`signal.spectrogram` of no elements is empty, as `signal.stft` is.",
        "NumPy",
        "SciPy asks for a window of no points, which is a ValueError.",
        "A check of `x.size`.",
    ),
    Deliberate(
        "`cupricx.signal.complex_cepstrum` gives a delay for each sequence.",
        "CuPy",
        "CuPy gives the same number for each element of the spectrum, and of several "
        "sequences one that mixes them. `inverse_complex_cepstrum` takes either.",
        "`cupric.broadcast_to(ndelay[..., None], ceps.shape)`.",
    ),
    Deliberate(
        "`ndimage.grey_erosion` and its kin of integers cut off fractions of sums.",
        "NumPy",
        "SciPy does so for the first element of a window; of others' heights it cuts "
        "them off before.",
        "`cupric.trunc(structure)`.",
    ),
    Deliberate(
        "`ndimage.grey_erosion` and its kin of unsigned integers: a difference below "
        "zero is smaller than all others.",
        "NumPy",
        "SciPy wraps such differences, but that of a window's first element.",
        "`x.astype(int)` is the same in both.",
    ),
    Deliberate(
        "`signal.detrend` makes NaN of a segment that has infinities or NaN.",
        "NumPy",
        "The elements lie on the device, and no call waits for them. SciPy raises "
        "ValueError.",
        "A check of `cupric.isfinite(x).all()`.",
    ),
    Deliberate(
        "`signal.envelope` of a band that begins at frequency 0 has a residual, and "
        "one that ends there an envelope.",
        "NumPy",
        "As SciPy documents them; there, the one and the other are 0.",
        "Nothing.",
    ),
    Deliberate(
        "`signal.wiener` squares in float64, and `signal.chirp`, `sawtooth` and their "
        "kin take times in it.",
        "NumPy",
        "SciPy does so in the dtype of the input, in which squares of small integers "
        "wrap and phases have few digits; its results are float64, too.",
        "Nothing.",
    ),
    Deliberate(
        "`signal.upfirdn` of one element: beyond it, in modes that need two, is that "
        "element.",
        "NumPy",
        "SciPy divides by zero, or reads memory beyond the signal.",
        "Nothing.",
    ),
    Deliberate(
        "`signal.resample` to 0 samples is a `ValueError`.",
        "NumPy",
        "As to -1. SciPy's error is that of its division by 0.",
        "Nothing.",
    ),
    Deliberate(
        "In binary morphology of `ndimage` a structure that is an int, or a tuple of "
        "an int for each axis, is the shape of a box.",
        "NumPy",
        "As CuPy. Of an image of one axis SciPy takes `(3,)` for the structure itself.",
        "A list: `binary_erosion(x, [3])`.",
    ),
    Deliberate(
        "Of equal elements of a label, `ndimage.minimum_position` gives the first, "
        "`maximum_position` the first where one label is asked for and else the last.",
        "both",
        "SciPy gives any: its sort is not stable.",
        "Nothing.",
    ),
    Deliberate(
        "`ndimage.minimum_position` and `maximum_position` of one label whose elements "
        "have a NaN give its place.",
        "both",
        "It is the minimum, as that of `min`. SciPy raises IndexError.",
        "`labels * ~cupric.isnan(x)` for the labels.",
    ),
    Deliberate(
        "`ndimage.variance` and `standard_deviation` are computed in float64.",
        "NumPy",
        "As for several labels there, too; of one, SciPy squares in the dtype of the "
        "elements, which overflows in float32.",
        "`cupric.var(x[labels == 1])`.",
    ),
    Deliberate(
        "`ndimage.histogram` of several labels is a list of arrays.",
        "NumPy",
        "No array holds objects here; SciPy's is one of them.",
        "`cupric.stack(found)` where all labels are there.",
    ),
    Deliberate(
        "`texture_memory` and `float64_coords` of `ndimage.affine_transform` change "
        "nothing.",
        "CuPy",
        "Coordinates are float64 and the result SciPy's in any case; a texture keeps 8 "
        "bits of a weight.",
        "`input.astype(cupric.float32)`, which is quick.",
    ),
    Deliberate(
        "Functions of `scipy.linalg` take stacks without matrices, promote the dtypes "
        "of arrays without elements, too, and take a number as a vector of one, but "
        "for `convolution_matrix`, where it is a ValueError.",
        "NumPy",
        "As for other shapes. SciPy refuses the first; of the second it returns the "
        "dtype of one array; its functions differ about the last, and CuPy's about "
        "`convolution_matrix` is that ValueError.",
        "Nothing.",
        predicates.nothing_in_linalg,
    ),
    Deliberate(
        "`scipy.linalg.expm` of a matrix with an infinity or a NaN is NaN.",
        "NumPy",
        "The other matrices of its stack are what they are by themselves.",
        "Nothing.",
    ),
    Deliberate(
        "`overwrite_a` and `overwrite_b` of `cupricx.scipy.linalg` change nothing, and "
        "`cupricx.lapack` leaves its arguments as they are, but the `b` of `gesv`, "
        "which becomes the solution.",
        "CuPy",
        "Nobody reads what CuPy leaves in the others.",
        "Nothing.",
    ),
    Deliberate(
        "In `solve_triangular`, `lu_solve` and `cho_solve` of `cupricx` a right side "
        "of the shape `a.shape[:-1]` has a vector for each matrix.",
        "NumPy",
        "As CuPy. SciPy takes the last two axes for columns whenever there are two.",
        "`b[None]` for the same columns for each of n matrices of shape (n, n).",
        predicates.vector_for_each_matrix,
    ),
    Deliberate(
        "`norm`, `matrix_norm` and `cond` by singular values are NaN for a matrix that "
        "has a NaN, and for it alone.",
        "NumPy",
        "As all other norms. NumPy raises `LinAlgError` for the whole stack.",
        "`cupric.linalg.svd(x)`, which raises.",
    ),
    Deliberate(
        "`check_finite` of `solve_triangular` and `cho_solve` looks at the triangle "
        "that is read.",
        "NumPy",
        "Numbers that are not read make no difference. SciPy refuses them.",
        "`cupric.isfinite(a).all()`.",
    ),
    Deliberate(
        "A zero on the diagonal in `cupricx.scipy.linalg.solve_triangular` is a "
        "`LinAlgError`.",
        "CuPy",
        "As SciPy. CuPy's result has infinities.",
        "`cupricx.errstate(linalg='ignore')`, with which nothing is looked at.",
    ),
    Deliberate(
        "Operands of a sparse array that are NumPy's arrays, sequences or SciPy's "
        "sparse arrays raise a `TypeError`, and so does a conversion to a dense array "
        "that nobody asked for.",
        "SciPy",
        "Each would be a copy between the host and the device that nobody sees. "
        "Constructors take all of these.",
        "`cupric.asarray(x)`, `cupricx.scipy.sparse.csr_array(x)`, `A.toarray()`, "
        "`A.get()`.",
    ),
    Deliberate(
        "`astype`, and a quotient by a number, of a sparse array keep elements that "
        "share their place; sums and differences of `coo_array` of more than two axes "
        "have added them up.",
        "SciPy",
        "The first would wait for the device, to know whether there are any; the "
        "elements of the matrix are the same.",
        "`A.sum_duplicates()`.",
    ),
    Deliberate(
        "`setdiag` keeps the dtype of a sparse array.",
        "SciPy",
        "SciPy's takes that of the values where most of the diagonal was not stored.",
        "`A.astype(dtype)` before.",
    ),
    Deliberate(
        "`argmax` and `argmin` of a sparse array give the place in the array with "
        "`explicit=True`, too, and that of the first zero where a stored one is the "
        "extreme.",
        "SciPy",
        "SciPy 1.17 gives the place among the stored elements in some of these cases.",
        "`A.data.argmax()` after `A.sum_duplicates()`.",
    ),
    Deliberate(
        "A `coo_array` of one row times a vector has one axis, and `mean` is the sum "
        "over the number of elements.",
        "SciPy",
        "As of csr, and of dense arrays; SciPy gives a scalar, and sums elements that "
        "were divided, which rounds once an element.",
        "",
    ),
    Deliberate(
        "`eigsh`, `eigs` and `svds` of `cupricx.scipy.sparse.linalg` start from the "
        "same random vector in each call.",
        "both",
        "So that results repeat to the bit. Each call of SciPy's draws another one.",
        "`rng=` or `v0=`.",
    ),
    Deliberate(
        "A basis of `eigsh`, `eigs` and `svds` has k + 64 vectors where `ncv` is not "
        "given, fewer where memory is short.",
        "both",
        "Fewer restarts, and products with the matrix, than with SciPy's 20 or "
        "2 k + 1 vectors, each of which would take a GPU as long.",
        "`ncv=max(2 * k + 1, 20)`, which takes less memory.",
    ),
    Deliberate(
        "`scipy.sparse.linalg.eigs` with a complex `sigma` computes in complex "
        "numbers, and `OPpart` changes nothing.",
        "SciPy",
        "Of a real matrix SciPy takes the real or the imaginary part of the inverse, "
        "and has to guess an eigenvalue from that of the part.",
        "Nothing.",
    ),
    Deliberate(
        "`svds` has no solver but ARPACK's method.",
        "SciPy",
        "The others find the same.",
        "`lobpcg` with `A.T @ A`.",
    ),
    Deliberate(
        "With constraints `Y` the residuals of `lobpcg` are those of the problem in "
        "their complement, and `restartControl` changes nothing.",
        "both",
        "Where A leads out of the complement, no other residual vanishes: SciPy's "
        "iteration goes on and ends with a warning. The basis is orthonormal at each "
        "step, so that there is nothing to restart from.",
        "Nothing.",
    ),
    Deliberate(
        "`spsolve_triangular` takes sparse matrices of any format without a warning, "
        "and does not read what is outside the triangle.",
        "SciPy",
        "As `solve_triangular`. SciPy warns of formats other than CSC and CSR, and of "
        "a matrix that is not triangular its result is that of none.",
        "`tril(A)`, `triu(A)`.",
    ),
    Deliberate(
        "`spsolve`, `splu`, `spilu`, `factorized`, `inv` and `lschol` factor sparse "
        "matrices on the host, by SciPy's SuperLU, which has to be installed.",
        "CuPy",
        "As CuPy's `splu`; its `spsolve` and `lschol` call cuSOLVER. SuperLU orders "
        "columns so that factors stay sparse, and says where a matrix is singular. "
        "Solutions with factors are computed on the device.",
        "Factor once, by `splu`, and solve often.",
    ),
    Deliberate(
        "Of a sparse array whose transposed product was asked for twice it is kept "
        "where elements are: writing into `indices` or `indptr` in place does not "
        "change what `A.T @ v` gives then. Elements, `data`, may change.",
        "both",
        "Products with the transposed array in a fixed order, so that they repeat to "
        "the bit, cost no more than others.",
        "Setting the arrays: `A.indices = indices`; or a new sparse array.",
    ),
    Deliberate(
        "The warnings of `cupricx.scipy.sparse`, `SparseWarning` and "
        "`SparseEfficiencyWarning`, are classes of its own.",
        "both",
        "To import SciPy's takes longer than to import this package, and SciPy need "
        "not be there.",
        "Filters for `cupricx.scipy.sparse.SparseEfficiencyWarning`, too.",
    ),
    Deliberate(
        "`maxiter` of `cupricx.scipy.sparse.linalg.gmres` counts cycles, its callback "
        "has SciPy's types, and the preconditioner is applied from the left.",
        "CuPy",
        "As SciPy. CuPy counts iterations, a cycle of them at a time.",
        "`maxiter=-(-n // restart)` for n iterations.",
    ),
    Deliberate(
        "`lsqr` and `lsmr` of `cupricx.scipy.sparse.linalg` return all that SciPy's "
        "do, with solutions of double precision, of matrices of any shape.",
        "CuPy",
        "As SciPy. CuPy's `lsqr` factorizes a square matrix, and returns None for "
        "all but the solution.",
        "`cupricx.scipy.sparse.linalg.spsolve`.",
    ),
    Deliberate(
        "The third parameter of `cupricx.scipy.sparse.linalg.lsmr` is `x0`; a number "
        "in its place is `damp`. `minres` has `shift` and `tol` behind it.",
        "SciPy",
        "As CuPy.",
        "Names for parameters behind the first two.",
    ),
    Deliberate(
        "A `LinearOperator` that is made of functions without a dtype calls `matvec` "
        "with ones of float64, whose dtype the result then has at least.",
        "SciPy",
        "SciPy passes int8, which is too short a buffer for a kernel of one's own that "
        "expects floats.",
        "`dtype=`.",
    ),
    Deliberate(
        "Iterative solvers of `cupricx.scipy.sparse.linalg` may apply a matrix and a "
        "preconditioner a few times more than there are iterations, and end when a "
        "residual has become NaN.",
        "both",
        "The device does not wait until the host has seen the residual. After a NaN "
        "there is nothing else.",
        "A callback, with which each iteration is waited for.",
    ),
    Deliberate(
        "`minres` of `cupricx.scipy.sparse.linalg` takes complex Hermitian matrices.",
        "SciPy",
        "SciPy leaves out the conjugation in products of vectors.",
        "Nothing.",
    ),
    Deliberate(
        "The signs that `onenormest` of `cupricx.scipy.sparse.linalg` begins with are "
        "the same in each call.",
        "SciPy",
        "An estimate repeats, and no global generator moves on.",
        "Nothing.",
    ),
    Deliberate(
        "`connected_components(…, connection='strong')` of "
        "`cupricx.scipy.sparse.csgraph` numbers components in the order of their first "
        "nodes.",
        "both",
        "As weak ones are, and on every device. SciPy's order is that of its search.",
        "Nothing: the parts are the same.",
    ),
    Deliberate(
        "Among paths of equal length, `predecessors` of `dijkstra`, `bellman_ford` and "
        "`johnson` are those of one with the fewest edges, then of the smallest nodes; "
        "among edges of equal length `minimum_spanning_tree` takes that which is "
        "stored first.",
        "SciPy",
        "So that each device finds the same, whichever edge it looks at first.",
        "Nothing: lengths are the same.",
    ),
    Deliberate(
        "`dijkstra` ends where edges have negative lengths, `bellman_ford` and "
        "`johnson` take a cycle for negative only beyond what sums round, and searches "
        "refuse a start that is no node.",
        "SciPy",
        "SciPy's `dijkstra` may go on for ever, and its searches read beyond the "
        "graph.",
        "`bellman_ford` for negative lengths.",
    ),
    Deliberate(
        "Random elements of `random_array`, `random` and `rand` of "
        "`cupricx.scipy.sparse` are sorted by their places, and drawn by generators of "
        "the device alone.",
        "SciPy",
        "A sorted array is converted sooner; numbers of NumPy's generators would have "
        "to be copied.",
        "`rng=` a seed, or a generator of `cupric.random`.",
    ),
    Deliberate(
        "A number that a kernel's parameter cannot hold is refused: an integer that "
        "is too large for a RawKernel's, a complex number for a real one of an "
        "ElementwiseKernel or a ReductionKernel.",
        "CuPy",
        "CuPy passes the lower bytes, and the real part. A RawKernel's parameters "
        "are looked at where the driver tells their sizes, from CUDA 12.4 on.",
        "`numpy.int32(x & 0xFFFFFFFF)`, `x.real`, where that is meant.",
    ),
    Deliberate(
        "`fuse` calls the function as it is: each operation is a kernel of its own, "
        "dtypes are those of the separate calls, and `if x > 0:` asks for the truth of "
        "the array, with an error where it has several elements.",
        "CuPy",
        "What the function returns does not depend on the decorator.",
        "`vectorize`, or an ElementwiseKernel, for one kernel.",
    ),
    Deliberate(
        "`vectorize` compiles the function, for a set of dtypes: the dtypes of the "
        "results follow from those of the arguments, not from the first element, "
        "integers wrap, nothing is raised for an element, and arrays may be empty.",
        "NumPy",
        "As CuPy. Elements have their arrays' dtypes throughout; NumPy's function sees "
        "Python's numbers.",
        "See [translation.md](translation.md).",
    ),
    Deliberate(
        "In functions that are translated, Python's numbers are weak also in variables "
        "and loops, a name may change its dtype, and values around the function are "
        "looked up at each call.",
        "CuPy",
        "As Python does it. In CuPy `y = 0` is an int64, to which no float32 can be "
        "assigned.",
        "`np.int64(0)` where a dtype is meant.",
    ),
    Deliberate(
        "`eigh` and `eigvalsh` of a matrix with a NaN or an infinity of up to 64 rows "
        "(53 of complex128) are a `LinAlgError` on a GPU; on the host they are what "
        "LAPACK makes of it, as NumPy's.",
        "NumPy",
        "LAPACK may give numbers without meaning; a kernel sees what is not finite.",
        "`cupric.isfinite(a).all()` before.",
    ),
    Deliberate(
        "A singular matrix, and a factorisation that fails, is a `LinAlgError`.",
        "CuPy",
        "As NumPy. CuPy leaves numbers without meaning, unless "
        '`cupyx.errstate(linalg="raise")` is set.',
        '`with cupricx.errstate(linalg="ignore")`: NaNs for each such matrix.',
    ),
    Deliberate(
        "Names that NumPy 2 removed (`in1d`, `float_`, `Inf`, ...) warn where they are "
        "asked for; `disp`, `find_common_type`, `get_array_wrap`, `safe_eval` and "
        "`set_string_function` are an `AttributeError`.",
        "both",
        "NumPy has none of them any more. CuPy has all: of the first most do not warn, "
        "the others can be asked for, and raise when they are called.",
        "What the message says.",
    ),
    Deliberate(
        "`lib.stride_tricks.sliding_window_view` is read-only, unless it is asked for "
        "`writeable=True`.",
        "CuPy",
        "As NumPy: windows overlap.",
        "`writeable=True`.",
    ),
    Deliberate(
        "`lib.stride_tricks.as_strided` of strides that leave the memory is a "
        "`ValueError`.",
        "both",
        "What lies there is somebody else's.",
        "Strides within the memory of the array.",
    ),
    Deliberate(
        "Within `with plan:` of a `cuda.cufft.PlanNd`, functions of `fft` refuse an "
        "array whose memory lies otherwise than the plan says, a `ValueError`.",
        "CuPy",
        "There only the lengths of the axes are compared: a plan for the last axes of "
        "an array, used for the first, transforms other numbers than were named.",
        "`plan.fft(a, out, direction)` runs a plan on memory of any kind.",
    ),
    Deliberate(
        "A plan of `cuda.cufft` is one GPU's, of float32, float64 and their complexes: "
        "several GPUs, cuFFT's callbacks and half precision in `XtPlanNd` are a "
        "`NotImplementedError`.",
        "CuPy",
        "A plan is a description of memory, which any device carries out, the CPU too; "
        "callbacks are code for cuFFT alone.",
        "An `ElementwiseKernel` before or after the transform; `x.astype('F')`; a "
        "transform of its part of the batch on each device.",
    ),
    Deliberate(
        "`cupricx.errstate` and `cupricx.seterr` take `linalg='raise'` and "
        "`linalg='ignore'`, and of `divide`, `over`, `under` and `invalid` nothing but "
        "'ignore': else a `NotImplementedError`.",
        "NumPy",
        "Devices do not tell what happens in their arithmetic.",
        "`isfinite` on the result.",
    ),
    Deliberate(
        "There is no ROCm: `cuda.get_rocm_path()` and `cuda.get_hipcc_path()` are "
        "None, `cuda.compiler.compile_using_hipcc` raises `HIPCCException`, and "
        "`cuda.runtime.is_hip` is False.",
        "CuPy",
        "The devices are CPUs and NVIDIA's GPUs.",
        "The host device, where the GPU is another.",
    ),
    Deliberate(
        "`erf`, `erfc`, `ndtr` and the spherical Bessel functions of "
        "`cupricx.scipy.special` take real numbers alone.",
        "SciPy",
        "As CuPy.",
        "`exp(-z * z) * wofz(1j * z)` for `erfc(z)`; `scipy.special` on the host: "
        "`cp.asarray(scipy.special.erf(x.get()))`.",
        predicates.complex_special,
    ),
    Deliberate(
        "Of bool, integers of 8 or 16 bits and float16 some functions of "
        "`cupricx.scipy.special` make float32 and others float64: `ber`, `bei`, `ker`, "
        "`kei` and their derivatives float64, `gammainc` and its kin, `gammasgn`, "
        "`loggamma`, `rgamma`, `zetac`, `voigt_profile` and `besselpoly` float32. "
        "`cbrt`, `exp2`, `expm1`, `log1p`, `round`, `sinc` and, of float16, `i0` go by "
        "NumPy's rules.",
        "SciPy",
        "SciPy, too, goes by the function, and changes that from one version to the "
        "next: since 1.18 it makes float32 of the short ones in all. Here results do "
        "not change with the SciPy on the host.",
        "`x.astype(cp.float32)` first.",
        predicates.wide_special,
    ),
    Deliberate(
        "`errstate` and `seterr` of `cupricx.scipy.special` are accepted and kept, and "
        "no function warns or raises: a result that does not exist is NaN or infinite.",
        "SciPy",
        "To raise, each call would have to wait for the device and look at the values.",
        "`cupric.isfinite(r).all()`.",
    ),
    Deliberate(
        "`tol` of `lambertw` changes nothing.",
        "SciPy",
        "The result is always that of full precision.",
        "Nothing.",
    ),
    Deliberate(
        "The second result of `y0_zeros` is the derivative of Y0 at its zeros, -Y1. "
        "`complex=True` of `y0_zeros`, `y1_zeros` and `y1p_zeros` is a "
        "`NotImplementedError`.",
        "SciPy",
        "SciPy 1.17 says that it is the derivative, and gives Y1. Complex zeros are "
        "not computed.",
        "`y1(z.real)`; `scipy.special.y0_zeros` on the host.",
    ),
    Deliberate(
        "Where SciPy's special functions lose digits, overflow on the way or are NaN, "
        "those of `cupricx.scipy.special` are right, and large parameters of a few "
        "functions are NaN.",
        "SciPy",
        "They are held to exact values: [special_functions.md](special_functions.md) "
        "has the errors of both, and says what is left out.",
        "`scipy.special` on the host for what is left out.",
    ),
    Deliberate(
        "`erfc`, `ndtr` and `expit` of `cupricx.scipy.special` have values "
        "down to the smallest subnormal number, `erfc(27.0)` is 5.2e-319; "
        "`gammaln(5e-324)` is 744.4.",
        "SciPy",
        "SciPy's are 0 below the smallest normal number, `gammaln` an infinity, and "
        "`gamma` is 0 beside its poles below -170.",
        "Nothing.",
        predicates.subnormal_special,
    ),
    Deliberate(
        "`psi` and `digamma` are right to the last digits beside the poles left of 0.",
        "SciPy",
        "SciPy's lose as many digits there as the distance to the pole has zeros.",
        "Nothing.",
        predicates.digamma_beside_poles,
    ),
    Deliberate(
        "Plans of transforms are kept for a device, not a thread, up to 32 of them.",
        "CuPy",
        "Threads share plans on one stream. CuPy keeps 16 for each thread and device.",
        "`fft.config.set_plan_cache_size(n)`.",
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
        ("SciPy", "From SciPy, as in CuPy"),
        ("CuPy", "From CuPy"),
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
