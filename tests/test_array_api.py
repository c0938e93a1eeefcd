"""The array API standard 2024.12: every name of it, and what NumPy's tests do not show.

https://data-apis.org/array-api/2024.12 says what a name takes; SIGNATURES has that as
data, in the standard's own notation. Functions that NumPy has too are compared with it.
"""

import inspect
import itertools
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

SIGNATURES = {
    "cupric": """
        arange(start, /, stop=None, step=1, *, dtype=None, device=None)
        asarray(obj, /, *, dtype=None, device=None, copy=None)
        empty(shape, *, dtype=None, device=None)
        empty_like(x, /, *, dtype=None, device=None)
        eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)
        from_dlpack(x, /, *, device=None, copy=None)
        full(shape, fill_value, *, dtype=None, device=None)
        full_like(x, /, fill_value, *, dtype=None, device=None)
        linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True)
        meshgrid(*arrays, indexing='xy')
        ones(shape, *, dtype=None, device=None)
        ones_like(x, /, *, dtype=None, device=None)
        tril(x, /, *, k=0)
        triu(x, /, *, k=0)
        zeros(shape, *, dtype=None, device=None)
        zeros_like(x, /, *, dtype=None, device=None)
        astype(x, dtype, /, *, copy=True, device=None)
        can_cast(from_, to, /)
        finfo(type, /)
        iinfo(type, /)
        isdtype(dtype, kind)
        result_type(*arrays_and_dtypes)
        broadcast_arrays(*arrays)
        broadcast_to(x, /, shape)
        concat(arrays, /, *, axis=0)
        expand_dims(x, /, *, axis=0)
        flip(x, /, *, axis=None)
        moveaxis(x, source, destination, /)
        permute_dims(x, /, axes)
        repeat(x, repeats, /, *, axis=None)
        reshape(x, /, shape, *, copy=None)
        roll(x, /, shift, *, axis=None)
        squeeze(x, /, axis)
        stack(arrays, /, *, axis=0)
        tile(x, repetitions, /)
        unstack(x, /, *, axis=0)
        take(x, indices, /, *, axis=None)
        take_along_axis(x, indices, /, *, axis=-1)
        argmax(x, /, *, axis=None, keepdims=False)
        argmin(x, /, *, axis=None, keepdims=False)
        count_nonzero(x, /, *, axis=None, keepdims=False)
        nonzero(x, /)
        searchsorted(x1, x2, /, *, side='left', sorter=None)
        where(condition, x1, x2, /)
        unique_all(x, /)
        unique_counts(x, /)
        unique_inverse(x, /)
        unique_values(x, /)
        argsort(x, /, *, axis=-1, descending=False, stable=True)
        sort(x, /, *, axis=-1, descending=False, stable=True)
        cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False)
        cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False)
        max(x, /, *, axis=None, keepdims=False)
        mean(x, /, *, axis=None, keepdims=False)
        min(x, /, *, axis=None, keepdims=False)
        prod(x, /, *, axis=None, dtype=None, keepdims=False)
        std(x, /, *, axis=None, correction=0.0, keepdims=False)
        sum(x, /, *, axis=None, dtype=None, keepdims=False)
        var(x, /, *, axis=None, correction=0.0, keepdims=False)
        all(x, /, *, axis=None, keepdims=False)
        any(x, /, *, axis=None, keepdims=False)
        diff(x, /, *, axis=-1, n=1, prepend=None, append=None)
        matmul(x1, x2, /)
        matrix_transpose(x, /)
        tensordot(x1, x2, /, *, axes=2)
        vecdot(x1, x2, /, *, axis=-1)
        clip(x, /, *, min=None, max=None)
        round(x, /)
        real(x, /)
        imag(x, /)
        __array_namespace_info__()
    """,
    "cupric.linalg": """
        cholesky(x, /, *, upper=False)
        cross(x1, x2, /, *, axis=-1)
        det(x, /)
        diagonal(x, /, *, offset=0)
        eigh(x, /)
        eigvalsh(x, /)
        inv(x, /)
        matmul(x1, x2, /)
        matrix_norm(x, /, *, keepdims=False, ord='fro')
        matrix_power(x, n, /)
        matrix_rank(x, /, *, rtol=None)
        matrix_transpose(x, /)
        outer(x1, x2, /)
        pinv(x, /, *, rtol=None)
        qr(x, /, *, mode='reduced')
        slogdet(x, /)
        solve(x1, x2, /)
        svd(x, /, *, full_matrices=True)
        svdvals(x, /)
        tensordot(x1, x2, /, *, axes=2)
        trace(x, /, *, offset=0, dtype=None)
        vecdot(x1, x2, /, *, axis=-1)
        vector_norm(x, /, *, axis=None, keepdims=False, ord=2)
    """,
    "cupric.fft": """
        fft(x, /, *, n=None, axis=-1, norm='backward')
        ifft(x, /, *, n=None, axis=-1, norm='backward')
        fftn(x, /, *, s=None, axes=None, norm='backward')
        ifftn(x, /, *, s=None, axes=None, norm='backward')
        rfft(x, /, *, n=None, axis=-1, norm='backward')
        irfft(x, /, *, n=None, axis=-1, norm='backward')
        rfftn(x, /, *, s=None, axes=None, norm='backward')
        irfftn(x, /, *, s=None, axes=None, norm='backward')
        hfft(x, /, *, n=None, axis=-1, norm='backward')
        ihfft(x, /, *, n=None, axis=-1, norm='backward')
        fftfreq(n, /, *, d=1.0, dtype=None, device=None)
        rfftfreq(n, /, *, d=1.0, dtype=None, device=None)
        fftshift(x, /, *, axes=None)
        ifftshift(x, /, *, axes=None)
    """,
    "cupric.ndarray": """
        __array_namespace__(self, /, *, api_version=None)
        __dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)
        __dlpack_device__(self, /)
        to_device(self, device, /, *, stream=None)
    """,
}
UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp
    expm1 floor isfinite isinf isnan log log1p log2 log10 logical_not negative positive
    reciprocal sign signbit sin sinh square sqrt tan tanh trunc"""
BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
    bitwise_xor copysign divide equal floor_divide greater greater_equal hypot less
    less_equal logaddexp logical_and logical_or logical_xor maximum minimum multiply
    nextafter not_equal pow remainder subtract"""
CONSTANTS = "e inf nan newaxis pi"
DTYPES = """bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64
    complex64 complex128"""
METHODS = """__abs__ __add__ __and__ __bool__ __complex__ __eq__ __float__ __floordiv__
    __ge__ __getitem__ __gt__ __index__ __int__ __invert__ __le__ __lshift__ __lt__
    __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__ __pow__ __rshift__
    __setitem__ __sub__ __truediv__ __xor__ __radd__ __rand__ __rfloordiv__ __rlshift__
    __rmatmul__ __rmod__ __rmul__ __ror__ __rpow__ __rrshift__ __rsub__ __rtruediv__
    __rxor__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__
    __ior__ __ipow__ __irshift__ __isub__ __itruediv__ __ixor__
    T mT device dtype ndim shape size"""


def find(space):
    holder = cp
    for part in space.split(".")[1:]:
        holder = getattr(holder, part)
    return holder


def signatures():
    for space, lines in SIGNATURES.items():
        for line in lines.strip().splitlines():
            name, _, arguments = line.strip().partition("(")
            yield pytest.param(space, name, arguments[:-1], id=f"{space}.{name}")


def ways_to_call(standard):
    """Arguments that the standard allows: with and without what may be left out, by
    position and, where that is allowed, by name."""
    kinds = {
        kind: [p for p in standard.parameters.values() if p.kind == kind]
        for kind in inspect._ParameterKind
    }
    empty = inspect.Parameter.empty
    positional = kinds[inspect.Parameter.POSITIONAL_ONLY]
    either = kinds[inspect.Parameter.POSITIONAL_OR_KEYWORD]
    named = kinds[inspect.Parameter.KEYWORD_ONLY]
    required = sum(p.default is empty for p in positional)
    for count in range(required, len(positional) + 1):
        for by_name, all_given in itertools.product((False, True), repeat=2):
            given = [p for p in either if all_given or p.default is empty]
            args = [0] * (count + (0 if by_name else len(given)))
            kwargs = {p.name: 0 for p in named if all_given}
            kwargs |= {p.name: 0 for p in given} if by_name else {}
            yield args, kwargs


@pytest.mark.parametrize(("space", "name", "arguments"), list(signatures()))
def test_functions_take_what_the_standard_says(space, name, arguments):
    scope = {}
    exec(f"def standard({arguments}): pass", scope)
    ours = inspect.signature(getattr(find(space), name))
    for args, kwargs in ways_to_call(inspect.signature(scope["standard"])):
        ours.bind(*args, **kwargs)


@pytest.mark.parametrize("name", [*UNARY.split(), *BINARY.split()])
def test_elementwise_functions(name):
    count = 1 if name in UNARY.split() else 2
    assert getattr(cp, name).nin == count
    assert getattr(np, name).nin == count


@pytest.mark.parametrize("name", [*CONSTANTS.split(), *DTYPES.split()])
def test_constants_and_dtypes_are_numpys(name):
    ours, theirs = getattr(cp, name), getattr(np, name)
    assert ours == theirs or (math.isnan(ours) and math.isnan(theirs))


@pytest.mark.parametrize("name", METHODS.split())
def test_arrays_have(name):
    assert hasattr(cp.ones((2, 2)), name)


def test_versions():
    assert cp.__array_api_version__ == "2024.12"
    x = cp.ones(1)
    for version in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        assert x.__array_namespace__(api_version=version) is cp
    for version in ("2020.12", "2024", "", 2024):
        with pytest.raises(ValueError, match="api_version="):
            x.__array_namespace__(api_version=version)


# ---- inspection ----------------------------------------------------------------------

INFO, NUMPYS = cp.__array_namespace_info__(), np.__array_namespace_info__()


def test_capabilities_and_dtypes_are_numpys():
    assert INFO.capabilities() == NUMPYS.capabilities()
    assert INFO.default_dtypes() == NUMPYS.default_dtypes()
    kinds = [None, "bool", "signed integer", "unsigned integer", "integral"]
    kinds += ["real floating", "complex floating", "numeric", (), ("bool", "integral")]
    for kind in kinds:
        assert INFO.dtypes(kind=kind) == NUMPYS.dtypes(kind=kind), kind
    for kind in ("float", 3, ("bool", "float"), ["bool"]):
        with pytest.raises(ValueError, match="kind="):
            INFO.dtypes(kind=kind)


def test_max_dimensions():
    most = INFO.capabilities()["max dimensions"]
    assert cp.ones((1,) * most).ndim == most
    with pytest.raises(ValueError, match="dimension"):
        cp.ones((1,) * (most + 1))


def test_devices_are_those_that_there_are():
    devices = INFO.devices()
    assert len(devices) == cp.cuda.runtime.getDeviceCount()
    assert INFO.default_device() == cp.cuda.Device() == cp.ones(1).device
    for device in devices:
        assert INFO.dtypes(device=device) == INFO.dtypes()
        assert INFO.default_dtypes(device=device) == INFO.default_dtypes()
        with device:
            assert INFO.default_device() == device
    for ask in (INFO.dtypes, INFO.default_dtypes):
        with pytest.raises(TypeError, match="a device is"):
            ask(device="cpu")


# ---- devices -------------------------------------------------------------------------

MAKERS = {
    "arange": lambda **k: cp.arange(3, **k),
    "array": lambda **k: cp.array([1, 2], **k),
    "asarray": lambda **k: cp.asarray(np.arange(3), **k),
    "asanyarray": lambda **k: cp.asanyarray([[1], [2]], **k),
    "empty": lambda **k: cp.empty((2, 3), **k),
    "empty_like": lambda **k: cp.empty_like(cp.ones(2), **k),
    "eye": lambda **k: cp.eye(3, **k),
    "fftfreq": lambda **k: cp.fft.fftfreq(4, **k),
    "from_dlpack": lambda **k: cp.from_dlpack(cp.ones(2), **k),
    "full": lambda **k: cp.full(3, 7, **k),
    "full_like": lambda **k: cp.full_like(cp.ones(2), 7, **k),
    "linspace": lambda **k: cp.linspace(0, 1, 3, **k),
    "ones": lambda **k: cp.ones(3, **k),
    "ones_like": lambda **k: cp.ones_like(cp.ones(2), **k),
    "rfftfreq": lambda **k: cp.fft.rfftfreq(4, **k),
    "zeros": lambda **k: cp.zeros(3, **k),
    "zeros_like": lambda **k: cp.zeros_like(cp.ones(2), **k),
    "astype": lambda **k: cp.astype(cp.ones(2), cp.int8, **k),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_device_is_a_device_or_its_number(make):
    here = cp.cuda.Device()
    for device in (None, here, here.id):
        made = make(device=device)
        assert made.device == here
        assert made.dtype == make().dtype
    with pytest.raises(TypeError):
        make(device="cpu")
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
        make(device=1000)


@pytest.mark.only_on("host")
def test_arrays_are_made_on_the_device_asked_for():
    """On four devices that one CPU plays."""
    folder = Path(__file__).parent
    environment = os.environ | {
        "CUPRIC_HOST_DEVICES": "4",
        "CUPRIC_DEVICE": "host",
        "PYTHONPATH": os.pathsep.join(
            [str(Path(cp.__file__).resolve().parents[1]), str(folder)]
        ),
    }
    done = subprocess.run(
        [sys.executable, "-c", "import test_array_api as t; t.make_everywhere()"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def make_everywhere():
    """What the process of the test above does."""
    one, two = cp.cuda.Device(1), cp.cuda.Device(2)
    assert len(INFO.devices()) == 4
    for name, make in MAKERS.items():
        for device in (two, 2):
            made = make(device=device)
            assert made.device == two, name
            assert cp.cuda.Device().id == 0, name
            wanted = make()
            assert wanted.device.id == 0, name
            if not name.startswith("empty"):
                np.testing.assert_array_equal(made.get(), wanted.get())
    with one:
        x = cp.arange(6.0).reshape(2, 3).T
    for like in (cp.empty_like, cp.zeros_like, cp.ones_like):
        assert like(x).device == one
        assert like(x).strides == x.strides
        assert like(x, device=2).device == two
    assert cp.full_like(x, 3).device == one
    moved = cp.asarray(x, device=two)
    assert moved.device == two
    np.testing.assert_array_equal(moved.get(), x.get())
    assert cp.asarray(x, device=one) is x
    for move in (cp.asarray, cp.from_dlpack):
        with pytest.raises(ValueError, match="avoid copy"):
            move(x, device=two, copy=False)
    cast = cp.astype(x, cp.int8, device=two)
    assert (cast.device, cast.dtype) == (two, cp.int8)
    assert cp.astype(x, x.dtype, copy=False, device=one) is x
    assert x.to_device(one) is x
    assert x.to_device(two).device == two
    for part in cp.unstack(x):
        assert part.device == one
    assert cp.sort(x, descending=True).device == one
    assert cp.argsort(x, descending=True).device == one


# ---- sorting -------------------------------------------------------------------------


def numbers(dtype, shape, seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 9, shape).astype(dtype)
    return x + 1j * rng.integers(0, 3, shape) if np.dtype(dtype).kind == "c" else x


@pytest.mark.parametrize("dtype", ["?", "b", "u8", "i4", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (50,), (4, 33), (3, 0), (2, 3, 5000)]
)
def test_descending(dtype, shape):
    x = numbers(dtype, shape, 3).astype(dtype)
    for axis in (None, *range(-len(shape), len(shape))):
        line = x.ravel() if axis is None else x
        along = 0 if axis is None else axis
        want = np.flip(np.sort(line, along), along)
        got = cp.sort(cp.asarray(x), axis=axis, descending=True)
        np.testing.assert_array_equal(got.get(), want)
        assert got.dtype == want.dtype
        assert got.flags.c_contiguous
        last = line.shape[along] - 1
        turned = np.argsort(np.flip(line, along), along, kind="stable")
        got = cp.argsort(cp.asarray(x), axis=axis, descending=True)
        np.testing.assert_array_equal(got.get(), last - np.flip(turned, along))
        assert got.dtype == np.int64


def test_descending_puts_nan_first_and_keeps_the_order_of_zeros():
    x = cp.array([0.0, math.nan, -0.0, 1.0, 0.0])
    np.testing.assert_array_equal(
        cp.sort(x, descending=True).get(), [math.nan, 1, 0, 0, 0]
    )
    stable = cp.sort(x, descending=True, stable=True)
    assert cp.argsort(x, descending=True).tolist() == [1, 3, 0, 2, 4]
    assert sorted(cp.signbit(stable[2:]).tolist()) == [False, False, True]


def test_descending_with_bad_arguments():
    for sort in (cp.sort, cp.argsort):
        with pytest.raises(np.exceptions.AxisError):
            sort(cp.ones(3), axis=1, descending=True)
        with pytest.raises(np.exceptions.AxisError):
            sort(cp.ones(()), descending=True, axis=0)
        with pytest.raises(TypeError, match="Unsupported type"):
            sort(np.ones(3), descending=True)
        with pytest.raises(ValueError, match="kind"):
            sort(cp.ones(3), kind="other", descending=True)


def test_argsort_is_stable_unless_told_otherwise():
    x = np.random.default_rng(1).integers(0, 5, 5000)
    want = np.argsort(x, kind="stable")
    for made in (cp.argsort(cp.asarray(x)), cp.asarray(x).argsort()):
        np.testing.assert_array_equal(made.get(), want)


# ---- named tuples, shapes, dtypes ----------------------------------------------------

NAMED = {
    "unique_all": ("values", "indices", "inverse_indices", "counts"),
    "unique_counts": ("values", "counts"),
    "unique_inverse": ("values", "inverse_indices"),
    "linalg.eigh": ("eigenvalues", "eigenvectors"),
    "linalg.qr": ("Q", "R"),
    "linalg.slogdet": ("sign", "logabsdet"),
    "linalg.svd": ("U", "S", "Vh"),
}


@pytest.mark.parametrize("name", NAMED)
def test_results_have_names(name):
    a = np.array([[2.0, 1], [1, 3]])
    got = find(f"cupric.{name}")(cp.asarray(a))
    want = eval(f"np.{name}")(a)
    assert type(got).__name__ == type(want).__name__
    assert got._fields == want._fields == NAMED[name]
    for i, field in enumerate(NAMED[name]):
        assert getattr(got, field) is got[i]


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_cholesky_upper_has_zeros_below(dtype):
    rng = np.random.default_rng(1)
    a = rng.random((3, 4, 4)) + (1j * rng.random((3, 4, 4)) if dtype in "FD" else 0)
    a = (a @ a.conj().swapaxes(-1, -2) + np.eye(4)).astype(dtype)
    got = cp.linalg.cholesky(cp.asarray(a), upper=True).get()
    want = np.linalg.cholesky(a, upper=True)
    np.testing.assert_allclose(got, want, rtol=1e-4 if dtype in "fF" else 1e-12)
    below = got[np.broadcast_to(np.tri(4, k=-1, dtype=bool), got.shape)]
    for part in (below.real, below.imag):
        assert not np.signbit(part).any()


def test_reshape():
    x = cp.arange(6)
    for made in (cp.reshape(x, (2, 3)), cp.reshape(x, shape=(2, 3))):
        np.testing.assert_array_equal(made.get(), np.arange(6).reshape(2, 3))
        assert cp.shares_memory(made, x)
    np.testing.assert_array_equal(cp.reshape(x, newshape=6).get(), np.arange(6))
    assert not cp.shares_memory(cp.reshape(x, (2, 3), copy=True), x)
    with pytest.raises(ValueError, match="avoid"):
        cp.reshape(x.reshape(2, 3).T, 6, copy=False)
    with pytest.raises(TypeError, match="not both"):
        cp.reshape(x, 6, newshape=6)
    with pytest.raises(TypeError, match="missing"):
        cp.reshape(x)


@pytest.mark.parametrize("shape", [(1,), (0,), (3, 0), (2, 3), (4, 1, 2)])
def test_unstack(shape):
    x = np.arange(math.prod(shape)).reshape(shape)
    d = cp.asarray(x)
    for axis in range(-len(shape), len(shape)):
        got, want = cp.unstack(d, axis=axis), np.unstack(x, axis=axis)
        assert type(got) is type(want) is tuple
        assert len(got) == len(want)
        for a, b in zip(got, want, strict=True):
            np.testing.assert_array_equal(a.get(), b)
            assert a.size == 0 or cp.shares_memory(a, d)
    with pytest.raises(np.exceptions.AxisError):
        cp.unstack(d, axis=len(shape))
    with pytest.raises(ValueError, match="none"):
        cp.unstack(cp.ones(()))


def test_axes_that_may_be_left_out():
    x = np.arange(12).reshape(3, 4)
    d = cp.asarray(x)
    index = np.array([[3, 0], [1, 1], [2, 0]])
    np.testing.assert_array_equal(
        cp.take_along_axis(d, cp.asarray(index)).get(), np.take_along_axis(x, index)
    )
    assert cp.take_along_axis(d, cp.asarray([3]), None).tolist() == [3]
    assert cp.expand_dims(d).shape == (1, 3, 4)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(name):
    ours, theirs = getattr(cp.fft, name), getattr(np.fft, name)
    for dtype in (None, "f4", "f8"):
        got = ours(9, 0.5, dtype=dtype)
        np.testing.assert_array_equal(got.get(), theirs(9, 0.5).astype(dtype or "f8"))
        assert got.dtype == (dtype or "f8")
    with pytest.raises(TypeError, match="floating"):
        ours(9, dtype="i4")


def test_numbers_of_an_array_of_one_element():
    assert bool(cp.asarray(True)) is True
    assert int(cp.asarray(3)) == 3
    assert float(cp.asarray(2.5)) == 2.5
    assert complex(cp.asarray(1j)) == 1j
    assert [1, 2, 3][cp.asarray(1)] == 2
    for convert in (float, int):
        with pytest.raises(TypeError):
            convert(cp.asarray(1j))
    with pytest.raises(TypeError):
        [1, 2][cp.asarray(1.0)]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(cp.ones(2))
