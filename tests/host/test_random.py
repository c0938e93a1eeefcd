"""Fills of random numbers on the host device: the stream that philox.hpp promises."""

import host_plugin as hp
import numpy as np
import pytest

BITS, UNIFORM, NORMAL, INTEGERS, EXPONENTIAL = range(5)
KEY, COUNTER = 0x123456789ABCDEF0, 0xFEEDFACE12345678
N = 10007  # not a multiple of anything


def fill(host, kind, dtype, n=N, param=(0, 1), low=0, high=0):
    out = np.empty(n, dtype)
    args = hp.Random(kind, hp.number(dtype), out.ctypes.data, n, KEY, COUNTER)
    args.param[:] = param
    args.lo, args.hi = low % 2**64, high % 2**64
    host.call("random", args, None)
    return out


def philox(counter, key):
    """Ten rounds in 64-bit NumPy integers; words come as arrays."""
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    c = [np.asarray(x, "L") for x in counter]
    k0, k1 = key
    for _ in range(10):
        p, q = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [
            (q >> shift) ^ c[1] ^ np.uint64(k0),
            q & low,
            (p >> shift) ^ c[3] ^ np.uint64(k1),
            p & low,
        ]
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return c


def words(n, attempt=0):
    """The first n words of the fill, in order."""
    block = np.arange(n // 4 + 1, dtype="L")
    same = np.ones_like(block)
    counter = [
        block,
        same * (attempt << 16),
        same * (COUNTER % 2**32),
        same * (COUNTER >> 32),
    ]
    return np.stack(philox(counter, (KEY % 2**32, KEY >> 32)), 1).ravel()[:n]


@pytest.fixture(scope="module")
def w32():
    return words(N)


@pytest.fixture(scope="module")
def high_low():
    w = words(2 * N)
    return w[1::2], w[::2]


def test_the_reference_knows_the_published_vectors():
    assert [int(x) for x in philox([0] * 4, (0, 0))] == [
        0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8
    ]  # fmt: skip


def test_bits(host, w32, high_low):
    assert (fill(host, BITS, "I") == w32).all()
    high, low = high_low
    assert (fill(host, BITS, "L") == (high << np.uint64(32) | low)).all()


@pytest.mark.parametrize(("dtype", "bits"), [("e", 11), ("f", 24)])
def test_uniform(host, w32, dtype, bits):
    expected = (w32 >> np.uint64(32 - bits)).astype("d") / 2**bits
    assert (fill(host, UNIFORM, dtype) == expected).all()


def test_uniform_double(host, high_low):
    high, low = high_low
    whole = (high >> np.uint64(5)) * 2.0**26 + (low >> np.uint64(6))
    assert (fill(host, UNIFORM, "d") == whole / 2**53).all()
    moved = fill(host, UNIFORM, "d", param=(-2, 6))
    assert (moved == -2 + 8 * (whole / 2**53)).all()


def test_normal_double(host, high_low):
    high, low = high_low
    u = ((high >> np.uint64(5)) * 2.0**26 + (low >> np.uint64(6)) + 1) / 2**53
    angle = 2 * np.pi * (high + low / 2**32) / 2**32
    radius = np.sqrt(-2 * np.log(u[: N - 1 : 2]))
    got = fill(host, NORMAL, "d", param=(1, 1)) - 1
    np.testing.assert_allclose(
        got[: N - 1 : 2], radius * np.cos(angle[1::2]), atol=2e-14
    )
    np.testing.assert_allclose(got[1::2], radius * np.sin(angle[1::2]), atol=2e-14)


def test_normal_and_exponential_float(host, w32):
    u = ((w32 >> np.uint64(1)) + 0.5) / 2**31
    angle = 2 * np.pi * w32 / 2**32
    radius = np.sqrt(-2 * np.log(u[: N - 1 : 2]))
    got = fill(host, NORMAL, "f")
    np.testing.assert_allclose(
        got[: N - 1 : 2], radius * np.cos(angle[1::2]), atol=2e-6
    )
    np.testing.assert_allclose(got[1::2], radius * np.sin(angle[1::2]), atol=2e-6)
    got = fill(host, EXPONENTIAL, "f", param=(2, 0))
    np.testing.assert_allclose(got, -2 * np.log(u), atol=4e-6)


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("?", 0, 1),
        ("b", -5, 7),
        ("B", 0, 255),
        ("h", -300, 300),
        ("i", -(2**31), 2**31 - 1),
        ("i", -(2**30), 2**31 - 1),  # a quarter is rejected
        ("l", 0, 9),
        ("l", -(2**63), 2**63 - 1),
        ("l", -(2**40), 2**40 + 12345),
        ("L", 0, 3 * 2**62),  # so it is here
        ("L", 5, 2**33),
    ],
)
def test_integers(host, dtype, low, high):
    n, span = 1001, high - low + 1
    size = 64 if span > 2**32 else 32
    expected, todo, attempt = [None] * n, range(n), 0
    while todo:
        w = [int(x) for x in words(n * size // 32, attempt)]
        if size == 64:
            w = [a | b << 32 for a, b in zip(w[::2], w[1::2], strict=True)]
        rejected = [j for j in todo if w[j] * span % 2**size < 2**size % span]
        for j in todo:
            expected[j] = low + (w[j] * span >> size)
        todo, attempt = rejected, attempt + 1
    got = fill(host, INTEGERS, dtype, n, low=low, high=high)
    assert [int(x) for x in got] == expected


@pytest.mark.parametrize("kind", range(5))
def test_an_element_depends_on_its_number_alone(host, kind):
    dtype, span = ("L", (0, 3 << 60)) if kind in (BITS, INTEGERS) else ("d", (0, 1))
    long = fill(host, kind, dtype, 300001, low=span[0], high=span[1])
    short = fill(host, kind, dtype, 77, low=span[0], high=span[1])
    assert (long[:77] == short).all()
