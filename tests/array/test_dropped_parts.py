"""ComplexWarning, wherever imaginary parts are dropped, and nowhere else."""

import warnings

import numpy as np
import pytest

import cupric as cp

# Of `x`, NumPy or cupric, and `c`, its array of complex numbers. NumPy says which warn.
CALLS = """
x.asarray(c, dtype=float)
x.array(c, dtype='f')
x.asarray(c, 'i')
x.asanyarray(c, dtype=float)
x.ascontiguousarray(c, dtype=float)
x.asfortranarray(c, dtype=float)
x.require(c, float)
x.array([c, c], float)
x.asarray(c, bool)
x.asarray(c, 'F')
c.astype(float)
c.astype(bool)
c.sum(dtype=float)
x.sum(c, dtype=float)
x.sum(c, dtype=int)
x.sum(c, dtype=bool)
c.prod(dtype=float)
c.mean(dtype=float)
c.var(dtype=float)
c.std(dtype=float)
c.cumsum(dtype=float)
c.cumprod(dtype=float)
x.cumulative_sum(c, dtype=float)
x.trace(c.reshape(1, 3), dtype=float)
x.nansum(c, dtype=float)
x.nanprod(c, dtype=float)
x.nanmean(c, dtype=float)
x.nanvar(c, dtype=float)
x.nanstd(c, dtype=float)
x.nancumsum(c, dtype=float)
x.nancumprod(c, dtype=float)
x.sum(c, out=x.ones(()))
x.add.reduce(c, dtype=float)
x.add.reduce(c, out=x.ones(()))
x.cumsum(c, out=x.ones(3))
x.add.accumulate(c, dtype=float)
x.add.accumulate(c, out=x.ones(3))
x.add.reduceat(c, x.array([0, 2]), dtype=float)
x.add(c, c, out=x.ones(3), casting='unsafe')
x.add(c, 1, out=x.ones(3), casting='unsafe')
x.add(c, c, out=x.ones(3, bool), casting='unsafe')
x.add(x.ones(3), 1j, out=x.ones(3), casting='unsafe')
x.add(c, c, dtype=float, casting='unsafe')
x.add(x.ones(3), 1j, dtype=float, casting='unsafe')
x.add(x.ones(3), np.complex64(1j), dtype=float, casting='unsafe')
x.sqrt(c, dtype=float, casting='unsafe')
x.sqrt(c, out=x.ones(3), casting='unsafe')
x.absolute(c, out=x.ones(3), casting='unsafe')
x.equal(c, c, out=x.ones(3), casting='unsafe')
x.multiply.outer(c, c, dtype=float, casting='unsafe')
x.add.at(x.ones(3), x.array([0, 1]), x.array([1j, 2j]))
x.concatenate([c, c], dtype=float, casting='unsafe')
x.concatenate([c, x.ones(3)], dtype=float, casting='unsafe')
x.concatenate([c, c], out=x.ones(6), casting='unsafe')
x.concatenate([x.ones(3), x.ones(3)], dtype=float, casting='unsafe')
x.stack([c, c], dtype=float, casting='unsafe')
x.stack([c, c], out=x.ones((2, 3)), casting='unsafe')
x.hstack([c, c], dtype=float, casting='unsafe')
x.vstack([c, c], dtype=float, casting='unsafe')
x.copyto(x.ones(3), c, casting='unsafe')
x.copyto(x.ones(3), c, casting='unsafe', where=x.array([True, False, True]))
x.copyto(x.ones(3), 1j, casting='unsafe')
x.put(x.ones(3), x.array([0]), c[:1])
x.putmask(x.ones(3), x.array([True, False, True]), c)
x.place(x.ones(3), x.array([True, False, True]), c)
x.insert(x.ones(3), 1, c[0])
x.insert(x.ones(3), 1, 1j)
x.fill_diagonal(x.ones((3, 3)), c)
x.put_along_axis(x.ones(3), x.array([0]), c[:1], 0)
x.ones(3).__setitem__(slice(None), c)
x.ones(3).__setitem__(0, c[0])
x.ones(3).__setitem__([0, 1], c[:2])
x.ones(3).__setitem__(x.array([True, False, True]), c[:2])
x.ones(3).fill(c[0])
x.ones(3).flat.__setitem__(slice(None), c)
setattr(x.ones(3), 'real', c)
setattr(x.ones(3), 'flat', c)
setattr(c.copy(), 'imag', c)
x.full(3, c[0], dtype=float)
x.full(3, 1j, dtype=float)
x.full_like(x.ones(3), c)
x.full_like(x.ones(3), 1j)
x.linspace(1j, 2j, 3, dtype=float)
x.logspace(1j, 2j, 3, dtype=float)
x.geomspace(1j, 2j, 3, dtype=float)
x.matmul(c, c, dtype=float, casting='unsafe')
x.matmul(c.reshape(1, 3), c.reshape(3, 1), out=x.ones((1, 1)), casting='unsafe')
x.einsum('i->', c, dtype=float, casting='unsafe')
x.einsum('i,i->i', c, c, dtype=float, casting='unsafe')
x.cov(c, dtype=float)
x.corrcoef(c, dtype=float)
x.asarray_chkfinite(c, float)
x.eye(2, dtype=float)
x.nan_to_num(c)
x.round(c, out=x.ones(3))
x.conjugate(c, out=x.ones(3), casting='unsafe')
x.where(x.array([True, False, True]), c, c).astype('i')
x.diff(c)
x.append(x.ones(3), c)
x.select([x.array([True, False, True])], [c]).astype('f')
x.average(c)
x.choose(x.array([0, 0, 0]), [c], out=x.ones(3), mode='wrap')
x.tri(3, dtype=float)
x.vander(c).astype('f')
x.bincount(x.array([0, 1, 2]), weights=c)
x.interp(c, x.arange(3.), x.arange(3.))
x.digitize(c, x.arange(3.))
x.unwrap(c)
x.linalg.norm(c)
x.nanmedian(c)
x.fromiter([1j], float)
x.mean(c, out=x.ones(()))
x.linalg.matmul(c, c)
x.astype(c, float)
x.isclose(c, c)
x.poly1d(c)
x.polyval(c, x.ones(2))
x.percentile(x.arange(3.), 50)
x.dot(c, c, out=x.ones(()))
x.sinc(c)
x.angle(c)
x.real_if_close(c)
x.tile(c, 2)
x.searchsorted(x.ones(3), c)
x.trapezoid(c)
""".strip().splitlines()


def outcome(call, x):
    c = x.array([1j, 2 + 1j, 3])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            result = eval(call, {"np": np, "x": x, "c": c})
        except (TypeError, ValueError) as error:
            result = type(error)
    return result, any(w.category is np.exceptions.ComplexWarning for w in seen)


@pytest.mark.parametrize("call", CALLS)
def test_warning_is_numpys(call):
    expected, warns = outcome(call, np)
    result, warned = outcome(call, cp)
    assert warned == warns
    if isinstance(result, cp.ndarray):
        np.testing.assert_allclose(result.get(), expected, rtol=1e-12, strict=True)
    elif isinstance(expected, type):
        assert result is expected


@pytest.mark.parametrize("call", [s for s in CALLS if outcome(s, np)[1]])
def test_as_an_error_it_stops_the_call(call):
    c = cp.array([1j, 2 + 1j, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        with pytest.raises(np.exceptions.ComplexWarning):
            eval(call, {"np": np, "x": cp, "c": c})


def test_nothing_is_written_then():
    c, out = cp.array([1j, 2 + 1j, 3]), cp.full(3, 7.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for call in (
            lambda: cp.add(c, c, out=out, casting="unsafe"),
            lambda: cp.cumsum(c, out=out),
            lambda: cp.add.at(out, cp.array([0]), 1j),
            lambda: cp.concatenate([c[:2], c[:1]], out=out, casting="unsafe"),
            lambda: cp.copyto(out, c, casting="unsafe"),
        ):
            with pytest.raises(np.exceptions.ComplexWarning):
                call()
    assert out.tolist() == [7, 7, 7]


@pytest.mark.parametrize("dtype", ["f", "d", "F", None])
@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_spread_of_complex_numbers_in_a_real_dtype(name, dtype):
    n = np.random.default_rng(0).standard_normal((4, 5, 2)) @ [1, 1j]
    if name.startswith("nan"):
        n[1, 2] = np.nan
    for options in (
        {},
        {"axis": 0, "ddof": 1},
        {"axis": (0, 1), "keepdims": True},
        {"axis": 1, "mean": np.arange(4.0)[:, None]},
        {"axis": 1, "where": np.arange(5) > 1},
    ):
        there = {
            k: cp.array(v) if isinstance(v, np.ndarray) else v
            for k, v in options.items()
        }
        np.testing.assert_allclose(
            getattr(cp, name)(cp.array(n), dtype=dtype, **there).get(),
            getattr(np, name)(n, dtype=dtype, **options),
            rtol=1e-6 if dtype in ("f", "F") else 1e-12,
        )
