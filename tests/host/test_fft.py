"""The engine of the host's Fourier transforms: lengths of every kind, rows in lanes and
one by one, any strides. NumPy in double precision is the reference."""

import numpy as np
import pytest
import scipy.fft

import cupric as cp
from cupricx.scipy import fft

# Small ones; of one pass, of halves, of large primes; a chirp; beyond what lanes take.
LENGTHS = [*range(1, 40), 61, 122, 127, 131, 254, 1000, 1016, 1953, 4096, 4099, 5000]


def close(got, want, dtype):
    bound = {"F": 1e-6, "D": 2e-15}[dtype] * (1 + np.log2(max(want.shape)))
    np.testing.assert_array_less(
        np.abs(got.get() - want).max(), bound * max(np.abs(want).max(), 1)
    )


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("rows", [1, 3, 5, 8, 13])
@pytest.mark.parametrize("n", LENGTHS)
def test_against_numpy(n, rows, dtype):
    random = np.random.default_rng(n)
    parts = random.standard_normal((2, rows, n))
    a = (parts[0] + 1j * parts[1]).astype(dtype)
    wide, real = a.astype("D"), a.real.copy()
    x, columns = cp.asarray(a), cp.asarray(a.T.copy())
    close(cp.fft.fft(x), np.fft.fft(wide), dtype)
    close(cp.fft.ifft(x), np.fft.ifft(wide), dtype)
    close(cp.fft.fft(columns, axis=0), np.fft.fft(wide).T, dtype)
    close(cp.fft.ifft(columns.T), np.fft.ifft(wide), dtype)
    close(cp.fft.fft(x[::-1, ::-1]), np.fft.fft(wide[::-1, ::-1]), dtype)
    close(cp.fft.fft2(x), np.fft.fft2(wide), dtype)
    want = np.fft.rfft(real.astype("d"))
    close(cp.fft.rfft(cp.asarray(real)), want, dtype)
    close(cp.fft.rfft(cp.asarray(real.T.copy()), axis=0), want.T, dtype)
    close(cp.fft.rfft(cp.asarray(np.repeat(real, 2, 1))[:, ::2]), want, dtype)
    half = a[:, : n // 2 + 1]
    want = np.fft.irfft(half.astype("D"), n)
    close(cp.fft.irfft(cp.asarray(half), n), want, dtype)
    close(cp.fft.irfft(cp.asarray(half.T.copy()), n, axis=0), want.T, dtype)


def test_long_row():
    a = np.random.default_rng(0).standard_normal(1 << 18).astype("F")
    x = cp.asarray(a)
    close(cp.fft.fft(x), np.fft.fft(a.astype("D")), "F")
    close(cp.fft.fft(x[:-5]), np.fft.fft(a[:-5].astype("D")), "F")
    close(cp.fft.irfft(x), np.fft.irfft(a.astype("D")), "F")


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("rows", [1, 3, 5, 8, 13])
@pytest.mark.parametrize("n", [*range(1, 40), 61, 127, 131, 262, 1000, 1953, 4100])
def test_cosines_and_sines(n, rows, dtype):
    a = np.random.default_rng(n).standard_normal((rows, n)).astype(dtype)
    wide, x, columns = a.astype("d"), cp.asarray(a), cp.asarray(a.T.copy())
    bound = {"f": "F", "d": "D"}[dtype]
    for name in ("dct", "dst"):
        ours, theirs = getattr(fft, name), getattr(scipy.fft, name)
        for type in (1, 2, 3, 4):
            if (name, type, n) == ("dct", 1, 1):
                continue
            want = theirs(wide, type)
            close(ours(x, type), want, bound)
            close(ours(columns, type, axis=0), want.T, bound)
            close(ours(columns.T, type), want, bound)
            both = ours(x + 1j * x[::-1], type)
            close(both, want + 1j * want[::-1], bound)
            want = theirs(wide[::-1, ::-1], type, norm="ortho")
            close(ours(x[::-1, ::-1], type, norm="ortho"), want, bound)


@pytest.mark.parametrize("name", ["dct", "dst", "dctn", "dstn"])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
def test_cosines_and_sines_of_long_rows_and_constants(name, type):
    a = np.random.default_rng(0).standard_normal((2, 1 << 16))
    for n in (1 << 16, 65535):
        want = getattr(scipy.fft, name)(a[:, :n], type)
        close(getattr(fft, name)(cp.asarray(a[:, :n]), type), want, "D")
    for n in (3, 4, 9, 12):
        for x in (np.zeros((9, n)), np.ones((9, n))):
            found = getattr(fft, name)(cp.asarray(x), type).get()
            want = getattr(scipy.fft, name)(x, type)
            negative = (found == 0) & np.signbit(found)
            assert not (negative & ~np.signbit(want)).any()
