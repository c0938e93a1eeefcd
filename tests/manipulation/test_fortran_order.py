"""What is made of arrays in Fortran order is in that order, where NumPy's is."""

import numpy as np
import pytest

import cupric as cp

CALLS = """
xp.cumsum(f, 0); xp.cumsum(f, 1); xp.cumprod(f, 0); xp.nancumsum(f, 1)
xp.maximum.accumulate(f, 0); xp.roll(f, 1, 0); xp.roll(f, -2, 1); xp.roll(f, 3)
xp.roll(f, (1, 2), (0, 1)); xp.fft.fftshift(f); xp.fft.ifftshift(f, 0)
xp.insert(f, 1, 7, axis=0); xp.insert(f, 1, f[0].copy(), axis=0)
xp.insert(f, -1, f[:, 0].copy(), axis=1); xp.stack([f, f]); xp.concatenate([f, f])
xp.concatenate([f, f], 1); xp.packbits(f > 3, axis=0); xp.packbits(f > 3, axis=-1)
xp.packbits(f > 3); xp.unpackbits(f.astype("u1"), axis=0)
xp.unpackbits(f.astype("u1"), axis=1, count=3)
"""
OF_LONGER_AXES = """
xp.gradient(f, axis=0); xp.gradient(f)[1]; xp.gradient(f, 2.0, axis=1)
xp.gradient(f, f[0].copy() ** 2, axis=1); xp.insert(f, [1, 2], 7, axis=1)
xp.delete(f, 1, 0); xp.delete(f, [1, 3], -1); xp.delete(f, slice(0, 4, 2), 0)
"""
LONGER = [(4, 5), (70, 33)]


def cases():
    for text, shapes in (CALLS, [*LONGER, (1, 6), (6, 1)]), (OF_LONGER_AXES, LONGER):
        for call in text.strip().replace("\n", "; ").split("; "):
            yield from ((call, shape) for shape in shapes)


@pytest.mark.parametrize(("call", "shape"), cases())
def test_results(call, shape):
    f = np.asfortranarray(np.arange(float(np.prod(shape))).reshape(shape))
    want = eval(call, {"xp": np, "f": f})
    got = eval(call, {"xp": cp, "f": cp.asfortranarray(cp.asarray(f))})
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-14 if "prod" in call else 0)
    assert got.flags.c_contiguous == want.flags.c_contiguous
    assert got.flags.f_contiguous == want.flags.f_contiguous


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_stacks(axis):
    f = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
    parts = [f, f + 1, f + 2]
    got = cp.stack([cp.asfortranarray(cp.asarray(p)) for p in parts], axis)
    np.testing.assert_array_equal(got.get(), np.stack(parts, axis))
    assert got.size * got.itemsize == max(
        n * s for n, s in zip(got.shape, got.strides, strict=True)
    )
