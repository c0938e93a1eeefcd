"""get_fft_plan, and the plans of calls."""

import numpy as np
import pytest

import cupric as cp
from cupric.cuda import cufft
from cupricx.scipy import fft


def spectrum(*shape, dtype="D"):
    rng = np.random.default_rng(0)
    return cp.array(
        (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
    )


@pytest.mark.parametrize("dtype", "FD")
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((8,), None),
        ((3, 8), 1),
        ((3, 8), (-1,)),
        ((4, 6), None),
        ((3, 4, 6), (1, 2)),
        ((4, 6, 3), (0, 1)),
        ((2, 3, 4, 6), (2, 3)),
        ((2, 3, 4), None),
    ],
)
def test_plan_is_of_the_transform(shape, axes, dtype):
    x = spectrum(*shape, dtype=dtype)
    plan = fft.get_fft_plan(x, axes=axes)
    expected = fft.fftn(x, axes=axes)
    y = fft.fftn(x, axes=axes, plan=plan)
    with plan:
        z = fft.fftn(x, axes=axes)
        w = cp.fft.ifftn(z, axes=None if axes is None else np.atleast_1d(axes))
    np.testing.assert_array_equal(y.get(), expected.get())
    np.testing.assert_array_equal(z.get(), expected.get())
    np.testing.assert_allclose(w.get(), x.get(), atol=1e-5)


def test_plan_runs_by_itself():
    for shape, axes in (((4, 6, 3), (0, 1)), ((3, 4, 6), (1, 2)), ((5, 7), None)):
        x = spectrum(*shape)
        plan = fft.get_fft_plan(x, axes=axes)
        out = cp.empty_like(x)
        plan.fft(x, out, cufft.CUFFT_FORWARD)
        np.testing.assert_array_equal(out.get(), fft.fftn(x, axes=axes).get())


def test_fortran_order():
    x = cp.asfortranarray(spectrum(3, 4, 6))
    for axes in (None, (0, 1), (1, 2)):
        plan = fft.get_fft_plan(x, axes=axes)
        assert plan.order == "F"
        y = fft.fftn(x, axes=axes, plan=plan)
        np.testing.assert_array_equal(y.get(), fft.fftn(x, axes=axes).get())


def test_real_transforms():
    x = spectrum(4, 6).real.copy()
    plan = fft.get_fft_plan(x, value_type="R2C")
    y = fft.rfftn(x, plan=plan)
    np.testing.assert_array_equal(y.get(), fft.rfftn(x).get())
    back = fft.get_fft_plan(y, value_type="C2R")
    np.testing.assert_allclose(fft.irfftn(y, plan=back).get(), x.get(), atol=1e-14)
    odd = fft.get_fft_plan(y, shape=(4, 7), value_type="C2R")
    assert fft.irfftn(y, (4, 7), plan=odd).shape == (4, 7)
    one = fft.get_fft_plan(x, axes=1, value_type="R2C")
    np.testing.assert_array_equal(fft.rfft(x, plan=one).get(), fft.rfft(x).get())
    np.testing.assert_array_equal(fft.ihfft(x, plan=one).get(), fft.ihfft(x).get())


def test_shape_of_a_plan():
    x = spectrum(3, 8)
    plan = fft.get_fft_plan(x, shape=5, axes=1)
    assert (plan.nx, plan.batch) == (5, 3)
    assert fft.fft(x, 5, plan=plan).shape == (3, 5)


def test_what_does_not_fit():
    x = spectrum(3, 8)
    plan = fft.get_fft_plan(x, axes=1)
    for call in (
        lambda: fft.fft(x, 5, plan=plan),
        lambda: fft.fft(x[:2], plan=plan),
        lambda: fft.fft(x.astype("F"), plan=plan),
        lambda: fft.rfft(x.real, plan=plan),
    ):
        with pytest.raises(ValueError, match="plan"):
            call()
    with plan, pytest.raises(RuntimeError, match="two plans"):
        fft.fft(x, plan=plan)


def test_errors():
    x = spectrum(3, 4, 5)
    with pytest.raises(ValueError, match="contiguous"):
        fft.get_fft_plan(x[:, ::2])
    with pytest.raises(ValueError, match="first or the last"):
        fft.get_fft_plan(x, axes=(0, 2))
    with pytest.raises(ValueError, match="value_type"):
        fft.get_fft_plan(x, value_type="R2R")
    with pytest.raises(ValueError, match="same length"):
        fft.get_fft_plan(x, shape=(1, 2), axes=0)
    with pytest.raises(ValueError, match="at least 1 axis"):
        fft.get_fft_plan(x, axes=())
    with pytest.raises(ValueError, match="C order"):
        fft.get_fft_plan(cp.asfortranarray(x.real), value_type="R2C")
    with pytest.raises(TypeError, match="real"):
        fft.get_fft_plan(x, value_type="R2C")
    with pytest.raises(TypeError, match="Unsupported type"):
        fft.get_fft_plan([1.0, 2.0])
    with pytest.raises(TypeError, match="of numbers"):
        fft.get_fft_plan(np.array(["a", "b"]))


@pytest.mark.parametrize("axes", [(1, 0), (-1, -2), (0, -1)])
def test_axes_are_sorted(axes):
    x = spectrum(4, 6)
    plan = fft.get_fft_plan(x, axes=axes)
    assert plan.shape == (4, 6)
    found = fft.fftn(x, axes=axes, plan=plan)
    np.testing.assert_allclose(found.get(), np.fft.fftn(x.get()), atol=1e-12)
    with plan:
        fft.fftn(x, axes=axes)
    shaped = fft.get_fft_plan(x, shape=(3, 5), axes=axes)
    ascending = axes == (0, -1)
    assert shaped.shape == ((3, 5) if ascending else (5, 3))
    back = fft.get_fft_plan(x, axes=axes, value_type="C2R")
    assert back.shape == (4, 10)
    assert fft.irfftn(x, axes=(0, 1), plan=back).shape == (4, 10)


def test_plans_by_arrays_of_the_host():
    """Only the shape, dtype and order are needed."""
    x = spectrum(3, 4, 6)
    for order in "CF":
        a = np.array(x.get(), order=order)
        y = cp.array(x, order=order)
        for kwargs in ({}, {"axes": (0, 1)}, {"axes": 2}, {"shape": (5, 7)}):
            plan, same = fft.get_fft_plan(a, **kwargs), fft.get_fft_plan(y, **kwargs)
            assert type(plan) is type(same)
            assert vars(plan) | {"handle": 0} == vars(same) | {"handle": 0}
    plan = fft.get_fft_plan(x.get())
    assert (fft.fftn(x, plan=plan) == fft.fftn(x)).all()
    with pytest.raises(ValueError, match="contiguous"):
        fft.get_fft_plan(x.get()[:, ::2])
