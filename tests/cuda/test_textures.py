"""cupric.cuda.texture, and the runtime's functions that it is made of."""

import ctypes
import gc
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric import cuda
from cupric.cuda import runtime, texture
from cupric.cuda._runtime import _host_textures, _texture_types, _textures

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tools import cuda as toolkit  # noqa: E402

HAS_PLUGIN = Path(cp.__file__).with_name("_cuda.so").exists()
WRAP, CLAMP, MIRROR, BORDER = range(4)
POINT, LINEAR = range(2)
SIGNED, UNSIGNED, FLOAT = range(3)
LAYERED, SURFACE = 1, runtime.cudaArraySurfaceLoadStore

SAMPLE = r"""
template <typename T>
__global__ void sample1(cudaTextureObject_t t, const float *x, T *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1D<T>(t, x[i]);
}
template <typename T>
__global__ void sample2(cudaTextureObject_t t, const float *x, T *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2D<T>(t, x[i], x[n + i]);
}
template <typename T>
__global__ void sample3(cudaTextureObject_t t, const float *x, T *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex3D<T>(t, x[i], x[n + i], x[2 * n + i]);
}
template <typename T>
__global__ void layers1(cudaTextureObject_t t, const float *x, T *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1DLayered<T>(t, x[i], (int)x[n + i]);
}
template <typename T>
__global__ void layers2(cudaTextureObject_t t, const float *x, T *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2DLayered<T>(t, x[i], x[n + i], (int)x[2 * n + i]);
}
template <typename T>
__global__ void fetch(cudaTextureObject_t t, const int *x, T *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<T>(t, x[i]);
}
"""
KERNELS = ("sample1", "sample2", "sample3", "layers1", "layers2", "fetch")
TYPES = ("float", "float2", "float4", "uchar4", "int", "short2")
NAMES = [f"{kernel}<{t}>" for kernel in KERNELS for t in TYPES]

SURFACES = r"""
extern "C" {
__global__ void write1(cudaSurfaceObject_t s, int dx)
{
    const int x = threadIdx.x;
    surf1Dwrite<float>(1.5f + x, s, 4 * (x + dx), cudaBoundaryModeZero);
}
__global__ void write2(cudaSurfaceObject_t s, int dx)
{
    const int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(make_float2(x, y), s, 8 * (x + dx), y, cudaBoundaryModeZero);
}
__global__ void write3(cudaSurfaceObject_t s, int dx)
{
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    surf3Dwrite((unsigned char)(x + 10 * y + 100 * z), s, x + dx, y, z,
                cudaBoundaryModeZero);
}
__global__ void write_layers(cudaSurfaceObject_t s, int dx)
{
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    surf2DLayeredwrite((unsigned char)(x + 10 * y + 100 * z), s, x + dx, y, z,
                       cudaBoundaryModeZero);
}
__global__ void read_zero(cudaSurfaceObject_t s, float *out)
{
    const int i = threadIdx.x;
    out[i] = surf2Dread<float>(s, 4 * (i - 2), i - 2, cudaBoundaryModeZero);
}
__global__ void read_clamped(cudaSurfaceObject_t s, float *out)
{
    const int i = threadIdx.x;
    surf2Dread(&out[i], s, 4 * (i - 2), i - 2, cudaBoundaryModeClamp);
}
__global__ void read_trapped(cudaSurfaceObject_t s, float *out)
{
    out[threadIdx.x] = surf2Dread<float>(s, 4 * (int)threadIdx.x, 0);
}
}
"""


@pytest.fixture(scope="module")
def kernels():
    return cp.RawModule(code=SAMPLE, name_expressions=NAMES)


@pytest.fixture(scope="module")
def surfaces():
    return cp.RawModule(code=SURFACES)


@pytest.fixture(autouse=True)
def _freed():
    """What a test makes is gone at its end."""
    tables = _textures._arrays, _textures._textures, _textures._surfaces
    before = [len(table) for table in tables]
    yield
    gc.collect()
    assert [len(table) for table in tables] == before


def form_of(dtype, channels=1):
    dtype = np.dtype(dtype)
    kind = {"i": SIGNED, "u": UNSIGNED, "f": FLOAT}[dtype.kind]
    bits = [dtype.itemsize * 8 * (c < channels) for c in range(4)]
    return texture.ChannelFormatDescriptor(*bits, kind)


def array_of(a, channels=1, flags=0):
    """A CUDAarray of the elements of `a`, whose last axis has all channels."""
    shape = (a.shape[-1] // channels, *a.shape[-2::-1])
    if flags & LAYERED and a.ndim == 2:
        shape = (shape[0], 0, shape[1])
    array = texture.CUDAarray(form_of(a.dtype, channels), *shape, flags=flags)
    array.copy_from(a)
    return array


def texture_of(array, *args, **kwargs):
    kind = runtime.cudaResourceTypeArray
    resource = texture.ResourceDescriptor(kind, cuArr=array)
    return texture.TextureObject(resource, texture.TextureDescriptor(*args, **kwargs))


def look(kernels, name, t, coordinates, out):
    coordinates = np.asarray(coordinates)
    given = coordinates.astype("i4" if name.startswith("fetch") else "f4")
    n = out.shape[0]
    blocks = ((n + 63) // 64,)
    kernel = kernels.get_function(name)
    kernel(blocks, (64,), (t, cp.asarray(given), out, np.int32(n)))
    return out.get()


# ---- what NumPy says ---------------------------------------------------------------


def place(i, n, mode):
    """Indices along an axis, -1 where the border is."""
    if mode == WRAP:
        return i % n
    if mode == MIRROR:
        i = i % (2 * n)
        return np.where(i < n, i, 2 * n - 1 - i)
    if mode == CLAMP:
        return np.clip(i, 0, n - 1)
    return np.where((i < 0) | (i >= n), -1, i)


def model(a, coordinates, modes, is_linear, is_normalized, border=0.0):
    """`a` at coordinates x, y, …, of which x is of the last axis."""
    sizes = a.shape[::-1]
    if is_normalized:
        coordinates = [x * n for x, n in zip(coordinates, sizes, strict=True)]
    else:
        modes = [CLAMP if mode in (WRAP, MIRROR) else mode for mode in modes]
    padded = np.pad(a.astype("f8"), [(0, 1)] * a.ndim, constant_values=border)
    near = []
    for x, n, mode in zip(coordinates, sizes, modes, strict=True):
        first = np.floor(x - 0.5 * is_linear)
        weight = np.rint((x - 0.5 - first) * 256) / 256 if is_linear else np.zeros(1)
        places = [place(first.astype(int) + k, n, mode) for k in (0, 1)]
        near.append([(places[0], 1 - weight), (places[1], weight)])
    total = 0.0
    for corner in itertools.product(*near):
        weights = np.prod(np.broadcast_arrays(*(w for _, w in corner)), axis=0)
        total = total + weights * padded[tuple(i for i, _ in corner[::-1])]
    return total


def places_for(rng, sizes, is_linear, is_normalized, n=500):
    """Coordinates in and around an array. Those of a point filter are not where the
    nearest element changes."""
    out = []
    for size in sizes:
        x = rng.integers(-2 * size, 3 * size, n).astype("f8")
        x += rng.uniform(0, 1, n) if is_linear else rng.uniform(0.2, 0.8, n)
        out.append((x / size if is_normalized else x).astype("f4").astype("f8"))
    return out


def assert_close(found, expected, a, is_linear, device):
    span = float(np.ptp(a)) + 1.0
    if device == "host" or not is_linear:  # a GPU may round a weight the other way
        bound = 2e-4 if device == "host" and is_linear else 1e-6
    else:
        bound = 3 / 256
    np.testing.assert_allclose(found, expected, rtol=0, atol=bound * span)


# ---- sampling ------------------------------------------------------------------------

MODES = [
    *((mode, True) for mode in (WRAP, CLAMP, MIRROR, BORDER)),
    *((mode, False) for mode in (WRAP, CLAMP, BORDER)),
]


@pytest.mark.parametrize("shape", [(13,), (6, 9), (4, 5, 7)])
@pytest.mark.parametrize("is_linear", [POINT, LINEAR])
@pytest.mark.parametrize(("mode", "is_normalized"), MODES)
def test_floats(kernels, device, shape, is_linear, mode, is_normalized):
    rng = np.random.default_rng(3)
    a = rng.uniform(-1, 1, shape).astype("f4")
    modes = [mode, CLAMP, mode][: a.ndim]
    t = texture_of(array_of(a), modes, is_linear, normalizedCoords=is_normalized)
    at = places_for(rng, shape[::-1], is_linear, is_normalized)
    if is_normalized and mode in (WRAP, MIRROR):
        # x * n is rounded on a GPU, too: not where a weight's last bit depends on it.
        at = [np.rint(x * 512) / 512 + 1 / 2048 if is_linear else x for x in at]
    found = look(kernels, f"sample{a.ndim}<float>", t, at, cp.empty(500, "f4"))
    expected = model(a, at, modes, is_linear, is_normalized)
    assert_close(found, expected, a, is_linear, device)


def test_elements_themselves(kernels):
    """At the centre of an element both filters give it, to the bit."""
    a = np.random.default_rng(1).standard_normal((5, 8)).astype("f4")
    y, x = np.indices(a.shape).reshape(2, -1) + 0.5
    for how in (POINT, LINEAR):
        t = texture_of(array_of(a), [CLAMP, CLAMP], how)
        found = look(kernels, "sample2<float>", t, (x, y), cp.empty(a.size, "f4"))
        np.testing.assert_array_equal(found, a.ravel())


def test_border_colours(kernels, device):
    a = np.arange(1, 13, dtype="f4").reshape(3, 4)
    modes = [BORDER, BORDER]
    for how in (POINT, LINEAR):
        t = texture_of(array_of(a), modes, how, borderColors=[100.0])
        at = [[-0.75, 1.25, 4.25, 9.5, 2.25], [1.25, 3.25, 1.5, 9.5, -0.25]]
        at = [np.array(x) for x in at]
        found = look(kernels, "sample2<float>", t, at, cp.empty(5, "f4"))
        expected = model(a, at, modes, how, False, border=100.0)
        assert_close(found, expected, np.array([0, 100.0]), how, device)
        assert found[3] == 100.0


@pytest.mark.parametrize("channels", [2, 4])
def test_channels(kernels, device, channels):
    rng = np.random.default_rng(4)
    a = rng.uniform(0, 10, (6, 7 * channels)).astype("f4")
    t = texture_of(array_of(a, channels), [CLAMP, CLAMP], LINEAR)
    at = places_for(rng, (7, 6), True, False)
    out = cp.empty((500, channels), "f4")
    found = look(kernels, f"sample2<float{channels}>", t, at, out)
    for c in range(channels):
        part = a[:, c::channels]
        expected = model(part, at, [CLAMP, CLAMP], True, False)
        assert_close(found[:, c], expected, part, True, device)


def test_integers(kernels):
    rng = np.random.default_rng(5)
    at = places_for(rng, (7, 6), False, False)
    for dtype, channels, name in (
        ("u1", 4, "uchar4"),
        ("i2", 2, "short2"),
        ("i4", 1, "int"),
    ):
        limits = np.iinfo(dtype)
        a = rng.integers(limits.min, limits.max, (6, 7 * channels), dtype)
        t = texture_of(array_of(a, channels), [CLAMP, CLAMP])
        out = cp.empty((500, channels), dtype)
        found = look(kernels, f"sample2<{name}>", t, at, out)
        for c in range(channels):
            expected = model(a[:, c::channels], at, [CLAMP, CLAMP], False, False)
            np.testing.assert_array_equal(found[:, c], expected)


def test_half_floats(kernels):
    a = np.array([0, 1.5, -2.25, 65504, 6e-8, np.inf, 1e-3, -0.0], "f2")
    t = texture_of(array_of(a), [CLAMP])
    found = look(kernels, "sample1<float>", t, [np.arange(8) + 0.5], cp.empty(8, "f4"))
    np.testing.assert_array_equal(found, a.astype("f4"))


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i2"])
@pytest.mark.parametrize("how", [POINT, LINEAR])
def test_integers_as_fractions(kernels, dtype, how):
    limits = np.iinfo(dtype)
    a = np.array([limits.min, 0, 1, limits.max // 3, limits.max], dtype)
    read = runtime.cudaReadModeNormalizedFloat
    t = texture_of(array_of(a), [CLAMP], how, read)
    x = np.array([0.5, 1.5, 2.5, 3.5, 4.5, 1.0, 4.0])
    found = look(kernels, "sample1<float>", t, [x], cp.empty(7, "f4"))
    fractions = np.maximum(a / float(limits.max), -1)
    expected = model(fractions, [x], [CLAMP], how, False)
    np.testing.assert_allclose(found, expected, atol=1e-6 if how == POINT else 1 / 200)


def test_srgb(kernels):
    a = np.arange(256, dtype="u1")
    read = runtime.cudaReadModeNormalizedFloat
    t = texture_of(array_of(a), [CLAMP], POINT, read, sRGB=True)
    x = np.arange(256) + 0.5
    found = look(kernels, "sample1<float>", t, [x], cp.empty(256, "f4"))
    v = a / 255
    expected = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(found, expected, atol=2**-8)  # a GPU's has 8 bits


def test_far_away(kernels):
    """No coordinate leaves the memory of a texture."""
    a = np.arange(1, 5, dtype="f4")
    far = np.array([1e30, -1e30, 3e9, -3e9, np.inf, -np.inf])
    for mode in (CLAMP, BORDER):
        for how in (POINT, LINEAR):
            t = texture_of(array_of(a), [mode], how)
            found = look(kernels, "sample1<float>", t, [far], cp.empty(6, "f4"))
            expected = [4, 1] * 3 if mode == CLAMP else [0] * 6
            assert found.tolist() == expected
    for mode in (WRAP, MIRROR):
        t = texture_of(array_of(a), [mode], LINEAR, normalizedCoords=True)
        x = [*far[:4], np.nan]
        found = look(kernels, "sample1<float>", t, [x], cp.empty(5, "f4"))
        assert ((found >= 0) & (found <= 4)).all()


def test_layers(kernels, device):
    rng = np.random.default_rng(6)
    a = rng.uniform(0, 1, (3, 5, 6)).astype("f4")
    layer = rng.integers(-1, 4, 500)
    shown = np.minimum(layer.astype("u4"), 2)  # numbers of layers are unsigned
    t = texture_of(array_of(a, flags=LAYERED), [CLAMP, CLAMP], LINEAR)
    at = places_for(rng, (6, 5), True, False)
    found = look(kernels, "layers2<float>", t, [*at, layer], cp.empty(500, "f4"))
    expected = [model(one, at, [CLAMP, CLAMP], True, False) for one in a]
    assert_close(found, np.choose(shown, expected), a, True, device)

    t = texture_of(array_of(a[0], flags=LAYERED), [CLAMP], LINEAR)
    layer, shown = layer + 1, np.clip(layer + 1, 0, 4)
    found = look(kernels, "layers1<float>", t, [at[0], layer], cp.empty(500, "f4"))
    expected = [model(one, at[:1], [CLAMP], True, False) for one in a[0]]
    assert_close(found, np.choose(shown, expected), a, True, device)


# ---- memory of arrays ----------------------------------------------------------------


def test_linear_memory(kernels):
    x = cp.arange(32, dtype="f4")
    kind = runtime.cudaResourceTypeLinear
    resource = texture.ResourceDescriptor(
        kind, arr=x, chDesc=form_of("f4"), sizeInBytes=x.nbytes
    )
    t = texture.TextureObject(resource, texture.TextureDescriptor())
    at = [np.array([0, 31, 7, -1, 32, 1 << 20])]
    found = look(kernels, "fetch<float>", t, at, cp.empty(6, "f4"))
    assert found.tolist() == [0, 31, 7, 0, 0, 0]
    x *= 2  # the texture has no copy
    found = look(kernels, "fetch<float>", t, at, cp.empty(6, "f4"))
    assert found.tolist() == [0, 62, 14, 0, 0, 0]


def test_linear_memory_of_pairs(kernels):
    x = cp.arange(16, dtype="i2")
    resource = texture.ResourceDescriptor(
        runtime.cudaResourceTypeLinear,
        arr=x,
        chDesc=form_of("i2", 2),
        sizeInBytes=x.nbytes,
    )
    t = texture.TextureObject(resource, texture.TextureDescriptor())
    out = cp.empty((3, 2), "i2")
    found = look(kernels, "fetch<short2>", t, [[0, 7, 8]], out)
    assert found.tolist() == [[0, 1], [14, 15], [0, 0]]


def test_rows_of_memory(kernels, device):
    x = cp.random.RandomState(0).uniform(0, 1, (6, 64)).astype("f4")
    width, height = 50, 6
    resource = texture.ResourceDescriptor(
        runtime.cudaResourceTypePitch2D,
        arr=x,
        chDesc=form_of("f4"),
        width=width,
        height=height,
        pitchInBytes=x.strides[0],
    )
    how = texture.TextureDescriptor([CLAMP, CLAMP], LINEAR)
    t = texture.TextureObject(resource, how)
    at = places_for(np.random.default_rng(8), (width, height), True, False)
    found = look(kernels, "sample2<float>", t, at, cp.empty(500, "f4"))
    a = x.get()[:, :width]
    expected = model(a, at, [CLAMP, CLAMP], True, False)
    assert_close(found, expected, a, True, device)


# ---- surfaces ------------------------------------------------------------------------


def surface_of(array):
    kind = runtime.cudaResourceTypeArray
    return texture.SurfaceObject(texture.ResourceDescriptor(kind, array))


def test_surfaces_are_written(surfaces):
    line = array_of(np.zeros(8, "f4"), flags=SURFACE)
    surfaces.get_function("write1")((1,), (8,), (surface_of(line), np.int32(2)))
    out = np.empty(8, "f4")
    line.copy_to(out)
    assert out.tolist() == [0, 0, *(1.5 + np.arange(6))]

    plane = array_of(np.full((3, 8), 9, "f4"), 2, SURFACE)
    surfaces.get_function("write2")((1,), (4, 3), (surface_of(plane), np.int32(-1)))
    out = np.empty((3, 8), "f4")
    plane.copy_to(out)
    y, x = np.indices((3, 4))
    expected = np.stack([x + 1, y], axis=-1).astype("f4")
    expected[:, 3] = 9
    np.testing.assert_array_equal(out.reshape(3, 4, 2), expected)


@pytest.mark.parametrize("name", ["write3", "write_layers"])
def test_boxes_are_written(surfaces, name):
    flags = SURFACE | (LAYERED if name == "write_layers" else 0)
    box = array_of(np.zeros((2, 3, 4), "u1"), flags=flags)
    surfaces.get_function(name)((1,), (4, 3, 2), (surface_of(box), np.int32(0)))
    out = np.empty((2, 3, 4), "u1")
    box.copy_to(out)
    z, y, x = np.indices(out.shape)
    np.testing.assert_array_equal(out, x + 10 * y + 100 * z)


def test_surfaces_are_read(surfaces):
    a = np.arange(16, dtype="f4").reshape(4, 4) + 1
    s = surface_of(array_of(a, flags=SURFACE))
    out = cp.full(8, 7, "f4")
    surfaces.get_function("read_zero")((1,), (8,), (s, out))
    assert out.tolist() == [0, 0, 1, 6, 11, 16, 0, 0]
    surfaces.get_function("read_clamped")((1,), (8,), (s, out))
    assert out.tolist() == [1, 1, 1, 6, 11, 16, 16, 16]


@pytest.mark.only_on("host")  # on a GPU the process could not go on
def test_accesses_out_of_bounds_fail(surfaces):
    s = surface_of(array_of(np.zeros((4, 4), "f4"), flags=SURFACE))
    with pytest.raises(runtime.CUDARuntimeError, match="out of its bounds"):
        surfaces.get_function("read_trapped")((1,), (8,), (s, cp.empty(8, "f4")))


def test_a_surface_is_sampled_afterwards(kernels, surfaces):
    line = array_of(np.zeros(8, "f4"), flags=SURFACE)
    surfaces.get_function("write1")((1,), (8,), (surface_of(line), np.int32(0)))
    t = texture_of(line, [CLAMP])
    found = look(kernels, "sample1<float>", t, [np.arange(8) + 0.5], cp.empty(8, "f4"))
    assert found.tolist() == (1.5 + np.arange(8)).tolist()


# ---- copies --------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(12,), (5, 12), (3, 5, 12)])
@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("dtype", ["u1", "i2", "f2", "f4", "i4"])
def test_copies(shape, channels, dtype):
    a = np.random.default_rng(2).integers(0, 100, shape).astype(dtype)
    out, there = np.zeros_like(a), cp.zeros(shape, dtype)
    array = array_of(a, channels)
    assert array.ndim == a.ndim
    array.copy_to(out)
    np.testing.assert_array_equal(out, a)
    array.copy_to(there)
    np.testing.assert_array_equal(there.get(), a)
    there += 1
    array.copy_from(there)
    array.copy_to(out)
    np.testing.assert_array_equal(out, a + 1)


def test_copies_on_a_stream():
    stream = cuda.Stream(non_blocking=True)
    with stream:
        x = cp.arange(20, dtype="f4").reshape(4, 5) * 2
        y = cp.zeros((4, 5), "f4")
    array = texture.CUDAarray(form_of("f4"), 5, 4)
    array.copy_from(x, stream=stream)
    array.copy_to(y, stream)
    del x
    stream.synchronize()
    np.testing.assert_array_equal(y.get(), np.arange(20).reshape(4, 5) * 2)


def test_parts_are_copied():
    a = np.arange(40, dtype="i2").reshape(5, 8)
    array = array_of(np.zeros((5, 8), "i2"))
    h2d, d2h = runtime.memcpyHostToDevice, runtime.memcpyDeviceToHost
    runtime.memcpy2DToArray(array.ptr, 4, 1, a.ctypes.data, 16, 6, 3, h2d)
    expected = np.zeros((5, 8), "i2")
    expected[1:4, 2:5] = a[:3, :3]
    out = np.zeros((5, 8), "i2")
    array.copy_to(out)
    np.testing.assert_array_equal(out, expected)

    part = np.zeros((2, 5), "i2")
    runtime.memcpy2DFromArray(part.ctypes.data, 10, array.ptr, 2, 2, 8, 2, d2h)
    np.testing.assert_array_equal(part[:, :4], expected[2:4, 1:5])
    assert part[:, 4].tolist() == [0, 0]

    there = cp.zeros((2, 5), "i2")
    d2d = runtime.memcpyDeviceToDevice
    args = there.data.ptr, 10, array.ptr, 2, 2, 8, 2, d2d
    runtime.memcpy2DFromArrayAsync(*args, 0)
    np.testing.assert_array_equal(there.get(), part)
    runtime.memcpy2DToArrayAsync(array.ptr, 0, 4, there.data.ptr, 10, 10, 1, d2d, 0)
    array.copy_to(out)
    np.testing.assert_array_equal(out[4, :5], part[0])


def test_boxes_are_copied():
    a = np.arange(60, dtype="f4").reshape(3, 4, 5)
    array, other = array_of(a), array_of(np.zeros_like(a))
    p = _texture_types.CopyParameters(
        srcArray=array.ptr, dstArray=other.ptr, kind=runtime.memcpyDeviceToDevice
    )
    p.srcPos.x, p.srcPos.y, p.srcPos.z = 1, 2, 1
    p.dstPos.x, p.dstPos.y, p.dstPos.z = 0, 1, 0
    p.extent.width, p.extent.height, p.extent.depth = 3, 2, 2
    runtime.memcpy3D(ctypes.addressof(p))
    expected, out = np.zeros_like(a), np.zeros_like(a)
    expected[:2, 1:3, :3] = a[1:3, 2:4, 1:4]
    other.copy_to(out)
    np.testing.assert_array_equal(out, expected)


def test_boxes_are_copied_to_memory():
    a = np.arange(60, dtype="f4").reshape(3, 4, 5)
    array, x = array_of(a), cp.zeros((2, 3, 8), "f4")
    p = _texture_types.CopyParameters(
        srcArray=array.ptr, kind=runtime.memcpyDeviceToDevice
    )
    p.srcPos.z = 1
    p.dstPtr.ptr, p.dstPtr.pitch, p.dstPtr.ysize = x.data.ptr, 32, 3
    p.dstPos.x = 8  # bytes, of memory
    p.extent.width, p.extent.height, p.extent.depth = 4, 3, 2
    runtime.memcpy3DAsync(ctypes.addressof(p), 0)
    cuda.Device().synchronize()
    expected = np.zeros(x.shape, "f4")
    expected[:, :, 2:6] = a[1:3, :3, :4]
    np.testing.assert_array_equal(x.get(), expected)


# ---- other kernels, errors, what is kept ---------------------------------------------


def test_elementwise_kernels():
    a = np.array([0, 10, 20, 30], "f4")
    t = texture_of(array_of(a), [CLAMP], LINEAR)
    sample = cp.ElementwiseKernel(
        "T x, U t", "T y", "y = tex1D<T>(t, x)", "sample_a_texture"
    )
    found = sample(cp.array([0.5, 1.0, 3.0, 9.0], "f4"), t)
    assert found.tolist() == [0, 5, 25, 30]


@pytest.mark.parametrize(
    "bits", [(32, 32, 32, 0), (8, 16, 0, 0), (0, 8, 0, 0), (12, 0, 0, 0), (0, 0, 0, 0)]
)
def test_formats_that_there_are_not(bits):
    desc = texture.ChannelFormatDescriptor(*bits, UNSIGNED)
    with pytest.raises(runtime.CUDARuntimeError):
        texture.CUDAarray(desc, 4)


def test_how_textures_cannot_be_sampled():
    kind = runtime.cudaResourceTypeArray
    floats, ints = array_of(np.zeros(4, "f4")), array_of(np.zeros(4, "u1"))
    read = runtime.cudaReadModeNormalizedFloat
    for array, how in (
        (floats, {"readMode": read}),
        (array_of(np.zeros(4, "i4")), {"readMode": read}),
        (ints, {"filterMode": LINEAR}),
        (floats, {"filterMode": 2}),
        (floats, {"addressModes": [4]}),
    ):
        resource = texture.ResourceDescriptor(kind, array)
        with pytest.raises(runtime.CUDARuntimeError):
            texture.TextureObject(resource, texture.TextureDescriptor(**how))
    with pytest.raises(runtime.CUDARuntimeError):  # no surface
        texture.SurfaceObject(texture.ResourceDescriptor(kind, floats))


def test_wrong_arguments():
    desc = form_of("f4")
    array = texture.CUDAarray(desc, 4, 3)
    with pytest.raises(ValueError, match="width"):
        texture.CUDAarray(desc, 0)
    with pytest.raises(ValueError, match="height"):
        texture.CUDAarray(desc, 4, 0, 2)
    with pytest.raises(TypeError):
        texture.CUDAarray(None, 4)
    for wrong in (
        np.zeros((3, 5), "f4"),
        np.zeros(12, "f4"),
        np.zeros((3, 4), "f8"),
        cp.zeros((3, 8), "f4")[:, ::3],
    ):
        with pytest.raises(ValueError, match=r"of shape \(3, 4\)"):
            array.copy_from(wrong)
    with pytest.raises(TypeError):
        array.copy_to([0.0] * 12)
    with pytest.raises(ValueError, match="type"):
        texture.ResourceDescriptor(1)
    with pytest.raises(TypeError):
        texture.ResourceDescriptor(0)
    with pytest.raises(TypeError):
        texture.ResourceDescriptor(runtime.cudaResourceTypeLinear, sizeInBytes=4)
    with pytest.raises(ValueError, match="bytes"):
        texture.ResourceDescriptor(
            runtime.cudaResourceTypeLinear,
            arr=cp.zeros(4, "f4"),
            chDesc=desc,
            sizeInBytes=17,
        )
    with pytest.raises(ValueError, match="modes"):
        texture.TextureDescriptor([1] * 4)
    with pytest.raises(TypeError):
        texture.TextureObject(None, texture.TextureDescriptor())
    with pytest.raises(TypeError):
        texture.SurfaceObject(array)


STRIDED = {
    "transposed": lambda xp: xp.arange(12, dtype="f4").reshape(4, 3).T,
    "stepped": lambda xp: xp.arange(24, dtype="f4").reshape(3, 8)[:, ::2],
    "reversed": lambda xp: xp.arange(12, dtype="f4").reshape(3, 4)[::-1],
    "broadcast": lambda xp: xp.broadcast_to(xp.arange(4, dtype="f4"), (3, 4)),
}


@pytest.mark.parametrize("layout", STRIDED)
@pytest.mark.parametrize("of", ["host", "device"])
@pytest.mark.parametrize("queued", [False, True])
def test_arrays_of_any_strides_are_copied(layout, of, queued):
    x = STRIDED[layout](np if of == "host" else cp)
    array = texture.CUDAarray(form_of("f4"), 4, 3)
    stream = cuda.Stream() if queued else None
    array.copy_from(x, stream)
    whole = (np if of == "host" else cp).zeros((4, 6), "f4")
    out = whole.T[::2]
    array.copy_to(out, stream)
    if queued:
        stream.synchronize()
    np.testing.assert_array_equal(cp.asnumpy(out), cp.asnumpy(x))
    np.testing.assert_array_equal(cp.asnumpy(whole)[:, 1::2], 0)
    if of == "host" and layout != "broadcast":
        x[...] = -1  # what was copied has been
        array.copy_to(out)
        assert out.min() >= 0


def test_handles():
    desc = form_of("f4")
    ptr = runtime.mallocArray(desc.ptr, 4, 2)
    assert ptr
    runtime.freeArray(ptr)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.freeArray(ptr)
    runtime.freeArray(0)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.destroyTextureObject(12345)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.destroySurfaceObject(12345)


def test_descriptors_tell_what_they_were_given():
    desc = form_of("u1", 4)
    assert desc.get_channel_format() == {"x": 8, "y": 8, "z": 8, "w": 8, "f": UNSIGNED}
    array = texture.CUDAarray(desc, 4, 3, 2)
    kind = runtime.cudaResourceTypeArray
    assert texture.ResourceDescriptor(kind, array).get_resource_desc() == {
        "resType": kind,
        "array": array.ptr,
    }
    x, kind = cp.zeros((4, 32), "u1"), runtime.cudaResourceTypePitch2D
    resource = texture.ResourceDescriptor(kind, None, x, desc, 0, 8, 4, 32)
    assert resource.get_resource_desc()["pitch2D"] == {
        "ptr": x.data.ptr,
        "desc": desc.get_channel_format(),
        "width": 8,
        "height": 4,
        "pitchInBytes": 32,
    }
    how = texture.TextureDescriptor([1, 3], 1, 1, True, (0.5, 1), True, 4)
    assert how.get_texture_desc() == {
        "addressMode": [1, 3, 0],
        "filterMode": 1,
        "readMode": 1,
        "sRGB": 1,
        "borderColor": [0.5, 1, 0, 0],
        "normalizedCoords": 1,
        "maxAnisotropy": 4,
    }


def test_a_texture_keeps_its_array(kernels):
    t = texture_of(array_of(np.arange(4, dtype="f4")), [CLAMP])
    gc.collect()
    found = look(kernels, "sample1<float>", t, [np.arange(4) + 0.5], cp.empty(4, "f4"))
    assert found.tolist() == [0, 1, 2, 3]


def test_memory_is_freed():
    """10000 arrays of 16 MiB are more than there is."""
    device = cuda.Device()
    desc = form_of("f4")
    gc.collect()  # what other tests left
    before = set(_textures._arrays)
    free = device.mem_info[0]
    rounds = min(10000, free // (16 << 20) + 10) if device.id == 0 else 10
    for _ in range(int(rounds)):
        array = texture.CUDAarray(desc, 2048, 2048)
        t = texture_of(array, [CLAMP, CLAMP])
        del array, t
    assert set(_textures._arrays) <= before


# ---- the driver's functions ----------------------------------------------------------

ON_A_DRIVER = """
import gc
import numpy as np
from cupric import cuda
from cupric.cuda import _driver, runtime, texture

pair = texture.ChannelFormatDescriptor(16, 16, 0, 0, 0)
a = np.arange(48, dtype="i2").reshape(2, 3, 8)
surface = runtime.cudaArraySurfaceLoadStore
array = texture.CUDAarray(pair, 4, 3, 2, surface)
array.copy_from(a)
out = np.zeros_like(a)
array.copy_to(out)
assert (out == a).all()
part = np.zeros((2, 4), "i2")
runtime.memcpy2DFromArray(part.ctypes.data, 8, array.ptr, 4, 1, 8, 2, 2)
assert (part == a[0, 1:, 2:6]).all()
kind = runtime.cudaResourceTypeArray
resource = texture.ResourceDescriptor(kind, array)
how = texture.TextureDescriptor(
    [1, 1, 1], runtime.cudaFilterModeLinear, runtime.cudaReadModeNormalizedFloat,
    normalizedCoords=True,
)
t, s = texture.TextureObject(resource, how), texture.SurfaceObject(resource)
assert (t.ptr, s.ptr) == (77, 78)
assert _driver.answer("cuTestLive") == 3
del array, resource, t, s
gc.collect()
assert _driver.answer("cuTestLive") == 0
print("done")
"""


@pytest.mark.only_on("host")  # on a GPU all of the tests call them
@pytest.mark.skipif(not HAS_PLUGIN, reason="built without the CUDA device")
def test_what_the_driver_is_asked_for(run):
    """Arrays of a driver without a device; its structures are tested below."""
    assert run(ON_A_DRIVER).stdout == "done\n"


# ---- structures ----------------------------------------------------------------------

STRUCTURES = {
    "CUDA_ARRAY3D_DESCRIPTOR": _texture_types.ArrayDescriptor,
    "CUDA_MEMCPY3D": _texture_types.Copy,
    "CUDA_RESOURCE_DESC": _texture_types.ResourceDescription,
    "CUDA_TEXTURE_DESC": _texture_types.TextureDescription,
    "struct cudaChannelFormatDesc": _texture_types.ChannelFormat,
    "struct cudaResourceDesc": _texture_types.ResourceParameters,
    "struct cudaTextureDesc": _texture_types.TextureParameters,
    "struct cudaMemcpy3DParms": _texture_types.CopyParameters,
}
INNER = {
    "CUDA_RESOURCE_DESC": {
        "res.linear.sizeInBytes": ("res", "linear", "sizeInBytes"),
        "res.linear.numChannels": ("res", "linear", "numChannels"),
        "res.pitch2D.pitchInBytes": ("res", "pitch2D", "pitchInBytes"),
        "res.pitch2D.format": ("res", "pitch2D", "format"),
    },
    "struct cudaResourceDesc": {
        "res.linear.sizeInBytes": ("res", "linear", "sizeInBytes"),
        "res.pitch2D.width": ("res", "pitch2D", "width"),
        "res.pitch2D.pitchInBytes": ("res", "pitch2D", "pitchInBytes"),
    },
    "struct cudaMemcpy3DParms": {
        "dstPtr.ysize": ("dstPtr", "ysize"),
        "srcPos.z": ("srcPos", "z"),
        "extent.depth": ("extent", "depth"),
    },
}
RENAMED = {"srcReserved": "reserved0", "dstReserved": "reserved1"}


def offset_of(structure, path):
    total = 0
    for name in path:
        total += getattr(structure, name).offset
        structure = dict((f[0], f[1]) for f in structure._fields_)[name]
    return total


def test_structures_are_those_of_the_headers(tmp_path):
    include = toolkit.include()
    if include is None:
        pytest.skip("there are no headers of CUDA")
    lines, expected = [], []
    for name, structure in STRUCTURES.items():
        lines.append(f"sizeof({name})")
        expected.append(ctypes.sizeof(structure))
        for field in (f[0] for f in structure._fields_):
            lines.append(f"offsetof({name}, {RENAMED.get(field, field)})")
            expected.append(getattr(structure, field).offset)
        for inner, path in INNER.get(name, {}).items():
            lines.append(f"offsetof({name}, {inner})")
            expected.append(offset_of(structure, path))
    program = "".join(f'printf("%zu\\n", (size_t){line});\n' for line in lines)
    source = tmp_path / "layouts.c"
    source.write_text(
        "#include <cuda.h>\n#include <driver_types.h>\n#include <texture_types.h>\n"
        "#include <stddef.h>\n#include <stdio.h>\n"
        f"int main(void) {{\n{program}return 0;\n}}\n"
    )
    binary = tmp_path / "layouts"
    subprocess.run(["cc", f"-I{include}", str(source), "-o", str(binary)], check=True)
    found = subprocess.run([str(binary)], capture_output=True, text=True, check=True)
    found = dict(zip(lines, map(int, found.stdout.split()), strict=True))
    assert found == dict(zip(lines, expected, strict=True))


@pytest.mark.only_on("host")
def test_the_host_describes_textures_as_its_header_does():
    fields = [f[0] for f in _host_textures.Description._fields_]
    offsets = ", ".join(
        f"__builtin_offsetof(cupric_host::texture, {name})" for name in fields
    )
    kernel = cp.RawKernel(
        'extern "C" __global__ void layout(long long *out)\n'
        "{ /* tex1D */ const long long all[] = "
        f"{{sizeof(cupric_host::texture), {offsets}}};\n"
        "out[threadIdx.x] = all[threadIdx.x]; }",
        "layout",
    )
    out = cp.empty(len(fields) + 1, "i8")
    kernel((1,), (len(fields) + 1,), (out,))
    described = _host_textures.Description
    expected = [ctypes.sizeof(described)]
    expected += [getattr(described, name).offset for name in fields]
    assert out.tolist() == expected
