"""Transforms in place, and the memory order of results."""

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack

import cupric as cp
from cupricx.scipy import fft, fftpack

RANDOM = np.random.default_rng(3)
LIMIT = {"F": 1e-5, "D": 1e-13}
CALLS = [(name, {"axis": axis}) for name in ("fft", "ifft") for axis in (0, 1, -1)]
CALLS += [(name, {}) for name in ("fft2", "ifft2", "fftn", "ifftn")]
CALLS += [
    (name, {"axes": axes})
    for name in ("fftn", "ifftn")
    for axes in ((0,), (1, 0), (0, 2), (2, 1), (2, 0, 1))
]
LAYOUTS = {
    "C": lambda x: x.copy(),
    "Fortran": lambda x: x.T.copy().T,
    "swapped": lambda x: x.swapaxes(0, 1),
    "every other": lambda x: x[:, ::2],
    "reversed": lambda x: x[::-1, :, ::-1],
    "part": lambda x: x[1:, 3:, 2:7],
}


def numbers(shape, dtype):
    x = RANDOM.random(shape) + 1j * RANDOM.random(shape)
    return (x if np.dtype(dtype).kind == "c" else 9 * x.real).astype(dtype)


def agree(found, expected, dtype):
    limit = LIMIT[dtype] * max(abs(expected).max(), 1)
    assert found.dtype == dtype
    assert abs(found.get() - expected).max() <= limit


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", "FD")
@pytest.mark.parametrize("module", [fft, fftpack])
def test_in_place(module, dtype, layout):
    """Whatever the layout; nothing beside a view is written to."""
    reference = scipy.fft if module is fft else scipy.fftpack
    for shape in ((5, 6, 9), (34, 40, 45), (2, 131, 8)):
        a = numbers(shape, dtype)
        for name, kwargs in CALLS:
            whole = cp.array(a)
            x = LAYOUTS[layout](whole)
            before, rest = x.get(), whole.copy()
            view = LAYOUTS[layout](rest)
            expected = getattr(reference, name)(before, **kwargs)
            found = getattr(module, name)(x, overwrite_x=True, **kwargs)
            assert found is x, (name, kwargs)
            agree(x, expected, dtype)
            if layout not in ("C", "Fortran"):
                view[...] = x
                assert (rest == whole).all()


@pytest.mark.parametrize("n", [1, 2, 3, 97, 1024, 4099, 100_003])
def test_in_place_of_any_length(n):
    for dtype in "FD":
        a = numbers((3, n), dtype)
        x = cp.array(a)
        assert fft.fft(x, overwrite_x=True) is x
        agree(x, scipy.fft.fft(a), dtype)
        assert fft.ifft(x, overwrite_x=True, norm="backward") is x
        agree(x, a, dtype)


def test_in_place_needs_no_memory():
    x = cp.ones((512, 512), "D")
    fft.fftn(x, overwrite_x=True)  # what plans need
    pool = cp.get_default_memory_pool()
    used = pool.used_bytes()
    made = fft.fftn(x, overwrite_x=True)
    assert made is x
    assert pool.used_bytes() == used


@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "fftn", "ifftn"])
def test_not_in_place(name):
    """Of other dtypes, of another length, of memory that cannot be written to."""
    call, reference = getattr(fft, name), getattr(scipy.fft, name)
    for dtype in "fdiB?":
        a = numbers((6, 8), dtype)
        x = cp.array(a)
        found = call(x, overwrite_x=True)
        agree(found, reference(a), "F" if dtype == "f" else "D")
        np.testing.assert_array_equal(x.get(), a)
    a = numbers((6, 8), "D")
    size = "n" if name.endswith("fft") else "s"
    for lengths in (5, 11):
        x = cp.array(a)
        given = {size: lengths if size == "n" else (lengths, 4)}
        found = call(x, overwrite_x=True, **given)
        agree(found, reference(a, **given), "D")
        np.testing.assert_array_equal(x.get(), a)
    x = cp.broadcast_to(cp.array(a), (3, 6, 8))
    agree(call(x, overwrite_x=True), reference(x.get()), "D")
    np.testing.assert_array_equal(x[0].get(), a)


def test_left_alone_without_the_word():
    a = numbers((6, 8), "D")
    x = cp.array(a)
    for module in (fft, fftpack):
        for name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn"):
            assert getattr(module, name)(x) is not x
            np.testing.assert_array_equal(x.get(), a)


def test_in_place_by_a_plan():
    a = numbers((6, 8), "F")
    x = cp.array(a)
    plan = fft.get_fft_plan(x)
    assert fft.fftn(x, overwrite_x=True, plan=plan) is x
    agree(x, scipy.fft.fftn(a), "F")
    with pytest.raises(ValueError, match="plan"):
        fft.fft(x, overwrite_x=True, plan=plan)
    agree(x, scipy.fft.fftn(a), "F")


def test_memory_order(device):
    """SciPy's, which is C; of several axes Fortran's where it was, as in CuPy."""
    for shape in ((5, 6, 8), (41, 42, 43)):
        a = cp.array(numbers(shape, "D"))
        for make in (lambda x: x, cp.asfortranarray, lambda x: x.swapaxes(0, 1)):
            x = make(a)
            for name, kwargs in CALLS:
                found = getattr(fft, name)(x, **kwargs)
                several = len(kwargs.get("axes", "ab")) > 1 and "axis" not in kwargs
                is_fortran = several and x.flags.f_contiguous
                assert found.flags.f_contiguous == is_fortran, (name, kwargs)
                assert found.flags.c_contiguous != is_fortran
            if device == "cuda" and a.size > 1 << 16:
                continue  # by rows
            for axis in (0, 1, 2):
                for name in ("rfft", "ihfft"):
                    found = getattr(fft, name)(x.real, axis=axis)
                    assert found.flags.c_contiguous
                for name in ("irfft", "hfft"):
                    assert getattr(fft, name)(x, axis=axis).flags.c_contiguous
                assert fft.dct(x.real, axis=axis).flags.c_contiguous
                for name in ("rfft", "irfft"):
                    found = getattr(fftpack, name)(x.real, axis=axis)
                    assert found.flags.c_contiguous
                    expected = getattr(scipy.fftpack, name)(x.real.get(), axis=axis)
                    np.testing.assert_allclose(found.get(), expected, atol=1e-11)
