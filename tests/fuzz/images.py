"""Drawing what the functions of `ndimage` take: images, windows, modes, labels.

Images hold moderate numbers, and windows, origins and structures are ones that are
valid: with others SciPy goes by what C compilers make of it, or writes where it should
not. What is wrong, large or not finite is the matter of tests/cupricx/scipy/ndimage.
"""

import numpy as np

from . import indices, values
from .choices import count, flag
from .draw import kind

SMALL = 2500  # elements of an image
LARGEST = 1e5  # of its magnitudes
_MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]
_MODES += ["grid-mirror", "grid-constant", "grid-wrap"]


def image(d, codes):
    dtypes = {values.DTYPES[c] for c in codes}

    def fits(a):
        # SciPy knows no C `long long`, which on Linux is another `long`, and goes wrong
        # where elements repeat by strides of 0.
        if a.dtype not in dtypes or a.dtype.char in "qQ" or 0 in a.strides:
            return False
        if not 0 < a.size < SMALL or not 0 < a.ndim < 4:
            return False
        return a.dtype == bool or bool((abs(a.astype("D")) < LARGEST).all())

    found = [(n, a) for n, a in d.live.items() if fits(a)]
    if found and d.chance(0.8):
        text, a = d.one(found)
    else:
        shape = tuple(1 + d.below(9) for _ in range(1 + d.below(3)))
        code = d.code(codes)
        made = values.array(d.rng, shape, values.DTYPES[code], False)
        text = d.given(made.astype(code))
        a = d.live[text]
    if d.chance(0.3):
        view = indices.view(d.rng, a.ndim, False)
        seen = d.evaluate(text + view)
        if isinstance(seen, np.ndarray) and fits(seen):
            text, a = text + view, seen
    if d.first is d.nothing:
        d.first = a
    return text


@kind
def img(d):
    """An image of numbers that filters take."""
    return image(d, "bBhHiIlLfdfd")


@kind
def imgn(d):
    """Of numbers whose sums neither wrap nor are below what they can be."""
    return image(d, "ilfdfd")


@kind
def imgi(d):
    return image(d, "bBhHiIlL")


@kind
def imgb(d):
    """A binary image, or what can be taken for one."""
    return image(d, "???Bif")


@kind
def imgf(d):
    """Of floating numbers: of integers, the last digits decide where they are cut."""
    return image(d, "FDfdfd")


@kind
def distinct(d):
    """An image of which no two elements are equal."""
    shape = tuple(1 + d.below(5) for _ in range(1 + d.below(3)))
    made = np.arange(np.prod(shape)).reshape(shape)
    d.rng.shuffle(made.reshape(-1))
    d.first = made.astype(d.one("bild"))
    return d.given(d.first)


def _each(d, one):
    """A value for all axes, or one for each."""
    if d.chance(0.7):
        return one()
    return f"[{', '.join(one() for _ in range(d.first.ndim))}]"


def _mode(d):
    return repr(d.one(_MODES))


@kind
def nmode(d):
    return _mode(d)


@kind
def nsize(d):
    return str(2 + d.below(4))


@kind
def nsizes(d):
    return _each(d, lambda: nsize(d))


@kind
def shifteds(d):
    """Origins that all windows of two and more elements have."""
    return _each(d, lambda: d.one(["0", "-1"]))


@kind
def sigma(d):
    return d.one(["1", "0.5", "2", "1.3"])


@kind
def sigmas(d):
    return _each(d, lambda: sigma(d))


@kind
def naxis(d):
    return str(d.below(2 * max(d.first.ndim, 1)) - d.first.ndim)


@kind
def naxes(d):
    n = d.first.ndim
    found = [a for a in range(n) if d.chance(0.6)]
    d.rng.shuffle(found)
    return repr(tuple(a - n if d.chance(0.2) else a for a in found))


def _window(d, code):
    """At least one element is not zero: else SciPy may crash."""
    shape = tuple(2 + d.below(3) for _ in range(d.first.ndim))
    made = values.array(d.rng, shape, values.DTYPES[code], False)
    made.flat[:1] = 1
    return d.given(made)


@kind
def weights1(d):
    return d.one(["[1, 2, 1]", "[0.5, 0.25]", "[1.0, -1.0]", "[1, 0, -3, 1]", "[2]"])


@kind
def weightsn(d):
    return _window(d, d.one("dlf"))


@kind
def window(d):
    """A size or a footprint, as the keyword."""
    if d.chance(0.6):
        return f", size={nsizes(d)}"
    return f", footprint={footprint(d)}"


@kind
def footprint(d):
    return _window(d, "?")


@kind
def heights(d):
    return _window(d, d.one("dl") if d.first.dtype.kind == "f" else "l")


@kind
def neighbours(d):
    """A structure of 3 along each axis that is symmetric."""
    return f"ndimage.generate_binary_structure({d.first.ndim}, {1 + d.below(3)})"


@kind
def structure(d):
    return neighbours(d) if d.chance(0.5) else footprint(d)


@kind
def spacings(d):
    """How far elements are apart, for each axis."""
    return _each(d, lambda: d.one(["1", "0.5", "2"]))


@kind
def like(d):
    """A mask of the image's shape."""
    return d.new(d.first.shape, "?")


@kind
def image_out(d):
    """Where the result goes, or its dtype: in most calls neither."""
    if d.chance(0.75):
        return ""
    code = d.one("fd" if d.first.dtype.kind == "f" else "fdli")
    if d.chance(0.6):
        return f", output={code!r}"
    return f", output={d.new(d.first.shape, code)}"


def _at_times(d, **keywords):
    return "".join(f", {k}={draw()}" for k, draw in keywords.items() if d.chance(0.4))


@kind
def beyond(d):
    """What lies outside, and the output."""
    return _at_times(
        d, mode=lambda: _mode(d), cval=lambda: str(d.below(4))
    ) + image_out(d)


@kind
def edges(d):
    """What lies outside."""
    return _at_times(d, mode=lambda: _mode(d), cval=lambda: str(d.below(4)))


@kind
def around(d):
    """What lies outside, an origin, and the output."""
    return _at_times(d, origin=lambda: d.one(["0", "-1"])) + beyond(d)


@kind
def placed(d):
    """As `arounds`, without an output: SciPy's of ranks writes beyond others' ends."""
    return _at_times(
        d,
        origin=lambda: shifteds(d),
        mode=lambda: _mode(d),
        cval=lambda: str(d.below(4)),
    )


@kind
def arounds(d):
    return _at_times(d, origin=lambda: shifteds(d)) + beyond(d)


@kind
def spline(d):
    """The order of a spline, what lies outside, and what was done before."""
    return _at_times(
        d,
        order=lambda: degree(d),
        mode=lambda: _mode(d),
        cval=lambda: str(d.below(4)),
        prefilter=lambda: flag(d),
    )


@kind
def binary(d):
    """What the functions of binary morphology share. Not both iterations and an origin:
    SciPy's then write outside of their arrays."""
    either = (
        {"iterations": lambda: count(d)}
        if d.chance(0.5)
        else {"origin": lambda: shifteds(d)}
    )
    return _at_times(
        d, border_value=lambda: d.one("01"), mask=lambda: like(d), **either
    )


@kind
def copier(d):
    """A kernel that copies the first element of each window."""
    return (
        """xp.RawKernel('extern "C" __global__ void copier(double *x, ptrdiff_t n, """
        "double *y, ptrdiff_t m) { for (ptrdiff_t i = 0; i < m; i++) y[i] = x[i]; }', "
        "'copier')"
    )


@kind
def labelled(d):
    """A label for each element of the first array."""
    shape = d.first.shape
    if d.chance(0.2):
        shape = indices.broadcastable(d.rng, shape)
    data = values.array(d.rng, shape, values.DTYPES[d.code("bBilld")], False)
    return d.given(data % data.dtype.type(4))


@kind
def labels_wanted(d):
    return d.one(["[1, 2, 3]", "[2, 1, 9]", "2", "[0, 1]", "xp.array([3, 1])", "[1]"])


@kind
def several_labels(d):
    return d.one(["[1, 2, 3]", "[2, 1, 9]", "[0, 1]", "xp.array([3, 1])", "[1]"])


@kind
def several_labels_or_none(d):
    return d.one([several_labels(d), "None"])


@kind
def coordinates_of(d):
    """Places in the first array, for each axis."""
    shape = (d.first.ndim, 1 + d.below(5))
    return d.given(values.array(d.rng, shape, values.DTYPES[d.code("dfl")], False))


@kind
def moves(d):
    return _each(d, lambda: d.one(["0", "1", "-1.5", "0.3", "2"]))


@kind
def zooms(d):
    return _each(d, lambda: d.one(["1", "2", "0.5", "1.5"]))


@kind
def matrix_for(d):
    """Square, or one number for each axis. SciPy 1.18 divides by the latter, and
    crashes where the quotient is NaN."""
    n = d.first.ndim
    shape = d.one([(n, n), (n,), (n, n)])
    made = values.array(d.rng, shape, values.DTYPES["d"], False) / 8
    if made.ndim == 1:
        made[made == 0] = 1
    return d.given(made)


@kind
def degree(d):
    return str(d.below(6))


@kind
def x1n(d):
    """A signal."""
    return _signal(d, 1)


@kind
def x2n(d):
    """A signal of two axes."""
    return _signal(d, 2)


def _signal(d, ndim):
    """Of numbers of which sums of products are exact or within their bound."""
    shape = tuple(1 + d.below(9) for _ in range(ndim))
    made = values.array(d.rng, shape, values.DTYPES[d.code("ilfdfdFD")], False)
    d.first = made if d.first is d.nothing else d.first
    return d.given(made)
