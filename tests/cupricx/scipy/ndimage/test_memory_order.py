"""Results lie in memory as SciPy's, whatever the layout of the image: in C order."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

pytestmark = pytest.mark.filterwarnings("ignore")

COPY = cp.RawKernel(
    """extern "C" __global__ void
copy(double *line, ptrdiff_t length, double *result, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) result[i] = line[i];
}""",
    "copy",
)


# What a program reads that takes the elements in C order.
READ = cp.RawKernel(
    """extern "C" __global__ void
read(const double *x, double *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}""",
    "read",
)


def copy(line, result):
    result[...] = line[: len(result)]


def window(x, xp):
    return xp.ones((3,) * x.ndim)


CALLS = {
    "affine_transform": lambda x, xp: (x, xp.eye(3)),
    "convolve": lambda x, xp: (x, window(x, xp)),
    "correlate": lambda x, xp: (x, window(x, xp)),
    "gaussian_gradient_magnitude": lambda x, xp: (x, 1),
    "gaussian_laplace": lambda x, xp: (x, 1),
    "map_coordinates": lambda x, xp: (x, xp.ones((3, 4, 5))),
    "percentile_filter": lambda x, xp: (x, 20, 3),
    "rank_filter": lambda x, xp: (x, 1, 3),
    "shift": lambda x, xp: (x, 1.5),
    "zoom": lambda x, xp: (x, 1.5),
    "generic_filter": lambda x, xp: (x, xp.max, 3),
    "distance_transform_edt": lambda x, xp: (x > 2,),
    "label": lambda x, xp: (x > 2,),
}
for name in ("erosion", "dilation", "opening", "closing", "fill_holes", "propagation"):
    CALLS["binary_" + name] = lambda x, xp: (x > 2,)
for name in ("erosion", "dilation", "opening", "closing"):
    CALLS["grey_" + name] = lambda x, xp: (x, 3)
for name in (
    *("black_tophat", "white_tophat", "morphological_gradient"),
    *("morphological_laplace", "maximum_filter", "minimum_filter"),
    *("median_filter", "uniform_filter", "gaussian_filter"),
):
    CALLS[name] = lambda x, xp: (x, 3)
for name in ("ellipsoid", "gaussian", "shift", "uniform"):
    CALLS["fourier_" + name] = lambda x, xp: (x, 2)
for name in ("laplace", "spline_filter"):
    CALLS[name] = lambda x, xp: (x,)
CALLS = [(name, make, {}) for name, make in CALLS.items()]
for axis in (0, 1, 2):
    for name in ("prewitt", "sobel", "spline_filter1d"):
        CALLS.append((name, lambda x, xp: (x,), {"axis": axis}))
    for name in (
        *("uniform_filter1d", "maximum_filter1d", "minimum_filter1d"),
        "gaussian_filter1d",
    ):
        CALLS.append((name, lambda x, xp: (x, 3), {"axis": axis}))
    for name in ("correlate1d", "convolve1d"):
        CALLS.append((name, lambda x, xp: (x, xp.ones(3)), {"axis": axis}))
    CALLS.append(
        (
            "generic_filter1d",
            lambda x, xp: (x, COPY if xp is cp else copy, 3),
            {"axis": axis},
        )
    )
for axes in ((1, 0), (2, 0), (0, 2), (1, 2)):
    for order in (0, 1, 3):
        CALLS.append(("rotate", lambda x, xp: (x, 30), {"axes": axes, "order": order}))

LAYOUTS = {
    "C": lambda x: x,
    "Fortran": lambda x: x.transpose(2, 1, 0).copy().transpose(2, 1, 0),
    "moved": lambda x: x.transpose(1, 2, 0).copy().transpose(2, 0, 1),
    "every other": lambda x: x[:, ::2],
    "reversed": lambda x: x[::-1, :, ::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", "dfi")
def test_order(layout, dtype):
    a = np.random.default_rng(0).integers(0, 9, (7, 8, 9)).astype(dtype)
    x, y = LAYOUTS[layout](a), LAYOUTS[layout](cp.array(a))
    for name, make, kwargs in CALLS:
        expected = getattr(scipy.ndimage, name)(*make(x, np), **kwargs)
        found = getattr(ndimage, name)(*make(y, cp), **kwargs)
        if isinstance(expected, tuple):
            expected, found = expected[0], found[0]
        assert found.flags.c_contiguous, (name, kwargs)
        assert found.shape == expected.shape
        assert expected.flags.c_contiguous, (name, kwargs)
        if found.dtype == np.float64:
            seen = cp.empty(found.size)
            READ((-(-found.size // 64),), (64,), (found, seen, np.int32(found.size)))
            np.testing.assert_array_equal(seen.get(), found.get().ravel())
