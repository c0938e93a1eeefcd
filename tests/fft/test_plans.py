"""cupric.cuda.cufft: plans; cupric.fft.config: what is kept of them."""

import pickle
import threading

import numpy as np
import pytest

import cupric as cp
from cupric.cuda import cufft
from cupric.fft import _current_plan, config

RNG = np.random.default_rng(0)
FORWARD, INVERSE = cufft.CUFFT_FORWARD, cufft.CUFFT_INVERSE
COMPLEX = [("F", cufft.CUFFT_C2C), ("D", cufft.CUFFT_Z2Z)]
TO_COMPLEX = [("f", cufft.CUFFT_R2C), ("d", cufft.CUFFT_D2Z)]
TO_REAL = [("F", cufft.CUFFT_C2R), ("D", cufft.CUFFT_Z2D)]


def draw(dtype, *shape):
    a = RNG.uniform(-1, 1, shape)
    return (a + 1j * RNG.uniform(-1, 1, shape) if dtype in "FD" else a).astype(dtype)


def agree(mine, numpy):
    rtol = 1e-4 if mine.dtype in (np.float32, np.complex64) else 1e-12
    np.testing.assert_allclose(mine.get(), numpy, rtol=rtol, atol=rtol)


@pytest.mark.parametrize(("dtype", "kind"), COMPLEX)
@pytest.mark.parametrize("n", [1, 8, 15])
def test_one_axis(dtype, kind, n):
    a = draw(dtype, 3, n)
    x = cp.asarray(a)
    plan = cufft.Plan1d(n, kind, 3)
    assert (plan.nx, plan.batch, plan.fft_type, plan.gpus) == (n, 3, kind, None)
    y = plan.get_output_array(x)
    assert (y.shape, y.dtype) == (a.shape, dtype)
    plan.check_output_array(x, y)
    plan.fft(x, y, FORWARD)
    agree(y, np.fft.fft(a))
    plan.fft(x, y, INVERSE)
    agree(y, np.fft.ifft(a) * n)
    plan.fft(x, x, FORWARD)  # in place
    agree(x, np.fft.fft(a))


@pytest.mark.parametrize("n", [8, 15])
def test_real_axis(n):
    for (dtype, there), (other, back) in zip(TO_COMPLEX, TO_REAL, strict=True):
        a = draw(dtype, 3, n)
        x = cp.asarray(a)
        plan = cufft.Plan1d(n, there, 3)
        y = plan.get_output_array(x)
        assert (y.shape, y.dtype) == ((3, n // 2 + 1), other)
        plan.fft(x, y, FORWARD)
        agree(y, np.fft.rfft(a))
        plan = cufft.Plan1d(n, back, 3)
        z = plan.get_output_array(cp.empty((3, n)))
        assert (z.shape, z.dtype) == ((3, n), dtype)
        plan.fft(y, z, INVERSE)
        agree(z, a * n)


@pytest.mark.parametrize(("dtype", "kind"), COMPLEX)
def test_several_axes(dtype, kind):
    a = draw(dtype, 2, 4, 3, 5)
    plan = cufft.PlanNd((4, 3, 5), None, 1, 60, None, 1, 60, kind, 2, "C", None, None)
    x = cp.asarray(a)
    y = plan.get_output_array(x)
    plan.fft(x, y, FORWARD)
    agree(y, np.fft.fftn(a, axes=(1, 2, 3)))
    plan.check_output_array(x, y)
    with pytest.raises(ValueError, match="out has shape"):
        plan.check_output_array(x, y[0])
    with pytest.raises(ValueError, match="out has dtype"):
        plan.check_output_array(x, y.astype("F" if dtype == "D" else "D"))


def test_several_axes_of_real_numbers():
    a = draw("d", 4, 6)
    plan = cufft.PlanNd(
        *((4, 6), None, 1, 24, None, 1, 16, cufft.CUFFT_D2Z, 1, "C", 1, 4)
    )
    x = cp.asarray(a)
    y = plan.get_output_array(x)
    plan.fft(x, y, FORWARD)
    agree(y, np.fft.rfftn(a))
    back = cufft.PlanNd(
        *((4, 6), None, 1, 16, None, 1, 24, cufft.CUFFT_Z2D, 1, "C", 1, 6)
    )
    z = back.get_output_array(y)
    back.fft(y, z, INVERSE)
    agree(z, a * 24)


def test_memory_that_does_not_lie_dense():
    """A matrix of 3 x 4 within one of 5 x 8, every other element."""
    a = draw("D", 2, 5, 8)
    given = (5, 4), 2, 40
    out = cp.zeros((2, 3, 4), "D")
    plan = cufft.PlanNd(
        (3, 4), *given, (3, 4), 1, 12, cufft.CUFFT_Z2Z, 2, "C", None, None
    )
    plan.fft(cp.asarray(a), out, FORWARD)
    agree(out, np.fft.fftn(a[:, :3, ::2], axes=(1, 2)))
    # One axis of many, with the batch along the memory.
    b = draw("D", 6, 4)
    plan = cufft.PlanNd(
        *((6,), (6,), 4, 1, (6,), 4, 1, cufft.CUFFT_Z2Z, 4, "C", None, None)
    )
    y = cp.empty((6, 4), "D")
    plan.fft(cp.asarray(b), y, FORWARD)
    agree(y, np.fft.fft(b, axis=0))


def test_plans_by_dtypes():
    a = draw("D", 3, 8)
    plan = cufft.XtPlanNd(
        *((8,), None, 1, 8, "D", None, 1, 8, "D", 3, "D"),
        order="C",
        last_axis=None,
        last_size=None,
    )
    x, y = cp.asarray(a), cp.empty((3, 8), "D")
    plan.fft(x, y, FORWARD)
    agree(y, np.fft.fft(a))
    assert (plan.itype, plan.otype, plan.etype) == ("D", "D", "D")
    cufft.XtExec(plan.handle, x.data.ptr, y.data.ptr, INVERSE)
    agree(y, np.fft.ifft(a) * 8)
    with pytest.raises(NotImplementedError, match="'E'"):
        cufft.XtPlanNd(
            *((8,), None, 1, 8, "E", None, 1, 8, "E", 3, "E"),
            order="C",
            last_axis=None,
            last_size=None,
        )


def test_handles_and_addresses():
    for (dtype, kind), run in zip(COMPLEX, (cufft.execC2C, cufft.execZ2Z), strict=True):
        a = draw(dtype, 3, 8)
        x, y = cp.asarray(a), cp.empty((3, 8), dtype)
        handle = cufft.create()
        plan = cufft.Plan1d(8, kind, 3, prealloc_plan=handle)
        assert plan.handle == handle
        cufft.setAutoAllocation(handle, True)
        run(handle, x.data.ptr, y.data.ptr, FORWARD)
        agree(y, np.fft.fft(a))
    runs = zip(
        *(TO_COMPLEX, TO_REAL, (cufft.execR2C, cufft.execD2Z)),
        (cufft.execC2R, cufft.execZ2D),
        strict=True,
    )
    for (dtype, kind), (other, back), there, and_back in runs:
        a = draw(dtype, 3, 8)
        x, y, z = cp.asarray(a), cp.empty((3, 5), other), cp.empty((3, 8), dtype)
        plan, inverse = cufft.Plan1d(8, kind, 3), cufft.Plan1d(8, back, 3)
        there(plan.handle, x.data.ptr, y.data.ptr)
        agree(y, np.fft.rfft(a))
        and_back(inverse.handle, y.data.ptr, z.data.ptr)
        agree(z, a * 8)
        with pytest.raises(cufft.CuFFTError, match="INVALID_TYPE"):
            there(inverse.handle, x.data.ptr, y.data.ptr)
    with pytest.raises(cufft.CuFFTError, match="INVALID_PLAN"):
        cufft.execC2C(-1, 0, 0, FORWARD)


def test_blocks():
    plan, inner = (cufft.Plan1d(8, cufft.CUFFT_C2C, 1) for _ in range(2))
    seen = []
    with plan as entered:
        assert entered is plan is cufft.get_current_plan()
        agree(cp.fft.fft(cp.ones(8, "F")), np.fft.fft(np.ones(8)))
        with inner, plan:
            assert cufft.get_current_plan() is plan
        thread = threading.Thread(target=lambda: seen.append(cufft.get_current_plan()))
        thread.start()
        thread.join()
    assert seen == [None]
    assert cufft.get_current_plan() is None


def nd(shape, kind, batch=1, order="C", given=None, made=None):
    """A PlanNd; `given`, `made`: (lengths, step, distance)."""
    dense = None, 1, 0
    return cufft.PlanNd(
        *(shape, *(given or dense), *(made or given or dense), kind, batch, order),
        *(None, None),
    )


Z2Z, D2Z, Z2D, C2C = cufft.CUFFT_Z2Z, cufft.CUFFT_D2Z, cufft.CUFFT_Z2D, cufft.CUFFT_C2C
A = draw("D", 2, 4, 6)
# What fits: plan, what is called with A or its real part, and its other arguments.
FIT = {
    "one axis": (lambda: cufft.Plan1d(6, Z2Z, 8), "fft", A, {}),
    "inverse": (lambda: cufft.Plan1d(6, Z2Z, 8), "ifft", A, {"norm": "ortho"}),
    "another axis": (lambda: cufft.Plan1d(4, Z2Z, 12), "fft", A, {"axis": 1}),
    "length": (lambda: cufft.Plan1d(9, Z2Z, 8), "fft", A, {"n": 9}),
    "axes of one length": (lambda: cufft.Plan1d(4, Z2Z, 4), "fft2", A[0, :, :4], {}),
    "to complex": (lambda: cufft.Plan1d(6, D2Z, 8), "rfft", A.real, {}),
    "to real": (lambda: cufft.Plan1d(10, Z2D, 8), "irfft", A, {}),
    "odd": (lambda: cufft.Plan1d(11, Z2D, 8), "irfft", A, {"n": 11}),
    "Hermitian": (lambda: cufft.Plan1d(10, Z2D, 8), "hfft", A, {}),
    "twice": (lambda: cufft.Plan1d(6, Z2Z, 8), "fftn", A, {"axes": (2, 2)}),
    "all axes": (lambda: nd((2, 4, 6), Z2Z), "fftn", A, {}),
    "F": (lambda: nd((6, 4, 2), Z2Z, order="F"), "fftn", A.copy("F"), {}),
    "last axes": (lambda: nd((4, 6), Z2Z, 2), "ifft2", A, {}),
    "in any order": (lambda: nd((4, 6), Z2Z, 2), "fftn", A, {"axes": (2, 1)}),
    "first axes": (
        lambda: nd((2, 4), Z2Z, 6, given=((2, 4), 6, 1)),
        *("fftn", A, {"axes": (0, 1)}),
    ),
    "last axes in order F": (
        lambda: nd((6, 4), Z2Z, 2, "F", given=((6, 4), 2, 1)),
        *("fftn", A.copy("F"), {"axes": (1, 2)}),
    ),
    "real axes": (lambda: nd((2, 4, 6), D2Z), "rfftn", A.real, {}),
    "real last axes": (lambda: nd((4, 10), Z2D, 2), "irfft2", A, {}),
    "real first axes": (
        lambda: nd((2, 4), D2Z, 6, given=((2, 4), 6, 1), made=((2, 3), 6, 1)),
        *("rfftn", A.real, {"axes": (0, 1)}),
    ),
}


@pytest.mark.parametrize("name", FIT)
def test_blocks_make_the_transforms_of_their_plan(name):
    make, function, a, kwargs = FIT[name]
    with make():
        made = getattr(cp.fft, function)(cp.asarray(a), **kwargs)
    agree(made, getattr(np.fft, function)(a, **kwargs))


# What does not: as above, and what the error says.
REFUSED = {
    "dtype": (lambda: cufft.Plan1d(6, C2C, 8), "fft", A, {}, "not from complex128"),
    "kind": (lambda: cufft.Plan1d(6, Z2Z, 8), "rfft", A.real, {}, "not from float64"),
    "length": (lambda: cufft.Plan1d(7, Z2Z, 8), "fft", A, {}, "of length 6"),
    "batch": (lambda: cufft.Plan1d(6, Z2Z, 7), "fft", A, {}, "there are 8"),
    "empty": (lambda: cufft.Plan1d(6, Z2Z, 1), "fft", A[:0], {}, "there are 0"),
    "axes": (lambda: cufft.Plan1d(6, Z2Z, 8), "fftn", A, {}, "along axis 0"),
    "one of several": (lambda: cufft.Plan1d(6, D2Z, 8), "rfft2", A.real, {}, "PlanNd"),
    "shape": (lambda: nd((2, 4, 5), Z2Z), "fftn", A, {}, r"\(2, 4, 6\)"),
    "order": (lambda: nd((2, 4, 6), Z2Z), "fftn", A.copy("F"), {}, "in order 'F'"),
    "number": (lambda: nd((4, 6), Z2Z, 3), "fft2", A, {}, "of 3 transforms"),
    "other axes": (lambda: nd((4, 6), Z2Z, 2), "fft", A, {}, r"\(6,\)"),
    "first axes": (
        lambda: nd((4, 4), Z2Z, 4),
        *("fftn", draw("D", 4, 4, 4), {"axes": (0, 1)}, "lies otherwise"),
    ),
    "between": (
        lambda: nd((4,), Z2Z, 12),
        *("fft", A, {"axis": 1}, "lies otherwise"),
    ),
    "real": (
        lambda: nd((4, 10), Z2D, 2, given=((4, 6), 2, 1)),
        *("irfft2", A, {}, "lies otherwise"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_blocks_refuse_other_transforms(name):
    make, function, a, kwargs, words = REFUSED[name]
    call, x = getattr(cp.fft, function), cp.asarray(a)
    with make() as plan:
        with pytest.raises(ValueError, match=words):
            call(x, **kwargs)
        assert cufft.get_current_plan() is plan
    agree(call(x, **kwargs), getattr(np.fft, function)(a, **kwargs))


def test_plans_as_arguments():
    x, plan = cp.asarray(A), cufft.Plan1d(6, Z2Z, 8)
    with _current_plan.using(plan):
        assert cufft.get_current_plan() is plan
        with pytest.raises(ValueError, match="of length 5"):
            cp.fft.fft(x[..., :5])
        with pytest.raises(RuntimeError, match="two plans"), _current_plan.using(plan):
            pass
        with _current_plan.using(None):
            assert cufft.get_current_plan() is plan
    with _current_plan.using(None):
        assert cufft.get_current_plan() is None


X = cp.ones(8, "F")
BAD = {
    "type": (cufft.CuFFTError, lambda: cufft.Plan1d(8, 7, 1), "INVALID_TYPE"),
    "batch": (cufft.CuFFTError, lambda: cufft.Plan1d(8, 0x29, 0), "INVALID_SIZE"),
    "length": (cufft.CuFFTError, lambda: cufft.Plan1d(0, 0x29, 1), "INVALID_SIZE"),
    "direction": (
        cufft.CuFFTError,
        lambda: cufft.Plan1d(8, 0x29, 1).fft(X, X, 0),
        "INVALID_VALUE",
    ),
    "dtype": (
        TypeError,
        lambda: cufft.Plan1d(8, 0x69, 1).fft(X, X, 1),
        "a is of complex64, the plan of complex128",
    ),
    "memory": (
        ValueError,
        lambda: cufft.Plan1d(8, 0x29, 2).fft(X, X, 1),
        "does not fit",
    ),
    "GPUs": (
        NotImplementedError,
        lambda: cufft.Plan1d(8, 0x29, 2, devices=[0, 1]),
        "2 GPUs",
    ),
    "several": (NotImplementedError, lambda: config.set_cufft_gpus(2), "2 GPUs"),
    "callbacks": (NotImplementedError, config.set_cufft_callbacks, "ElementwiseKernel"),
    "setCallback": (
        NotImplementedError,
        lambda: cufft.setCallback(0, 0, True),
        "ElementwiseKernel",
    ),
    "multi": (
        NotImplementedError,
        lambda: cufft.multi_gpu_execC2C(0, X, X, 1),
        "several GPUs",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused(name):
    error, call, words = BAD[name]
    with pytest.raises(error, match=words):
        call()


def test_errors():
    cufft.check_result(0)
    with pytest.raises(cufft.CuFFTError, match="CUFFT_ALLOC_FAILED") as raised:
        cufft.check_result(2)
    assert pickle.loads(pickle.dumps(raised.value)).result == 2
    assert isinstance(cufft.getVersion(), int)


# ---- what is kept --------------------------------------------------------------------


@pytest.fixture
def limits():
    """The limits as they were, afterwards."""
    config.clear_plan_cache()
    size, memsize = config.get_plan_cache_size(), config.get_plan_cache_max_memsize()
    yield
    config.set_plan_cache_size(size)
    config.set_plan_cache_max_memsize(memsize)


def kept():
    return config.get_plan_cache().get_curr_size()


@pytest.mark.usefixtures("limits")
def test_limits():
    assert (config.get_plan_cache_size(), config.get_plan_cache_max_memsize()) == (
        32,
        -1,
    )
    config.set_plan_cache_size(5)
    config.set_plan_cache_max_memsize(1 << 20)
    cache = config.get_plan_cache()
    assert (cache.get_size(), cache.get_memsize()) == (5, 1 << 20)
    config.set_plan_cache_size(-1)
    assert config.get_plan_cache_size() == 256
    for call in (config.set_plan_cache_size, config.set_plan_cache_max_memsize):
        with pytest.raises(ValueError, match="-1, for no limit"):
            call(-2)
        with pytest.raises(TypeError):
            call(1.5)


@pytest.mark.usefixtures("limits")
def test_plans_are_kept_and_dropped():
    x = cp.ones((2, 1024), "F")
    on_gpu = cp.cuda.is_available()
    for n in range(10, 20):
        agree(cp.fft.fft(x, n), np.fft.fft(x.get(), n))
    assert kept() == (10 if on_gpu else 0)
    config.set_plan_cache_size(4)
    assert kept() == (4 if on_gpu else 0)
    agree(cp.fft.fft(x, 30), np.fft.fft(x.get(), 30))
    assert kept() == (4 if on_gpu else 0)
    config.set_plan_cache_size(0)
    agree(cp.fft.fft(x, 31), np.fft.fft(x.get(), 31))
    assert kept() == config.get_plan_cache().get_curr_memsize() == 0
    config.set_plan_cache_size(8)
    config.set_plan_cache_max_memsize(0)
    big = cp.ones(1000003, "F")  # a prime: cuFFT needs memory to work in
    agree(cp.fft.fft(big)[:1], np.array([1000003.0]))
    assert config.get_plan_cache().get_curr_memsize() == 0
    config.set_plan_cache_max_memsize(-1)
    cp.fft.fft(big)
    assert (config.get_plan_cache().get_curr_memsize() > 0) == on_gpu
    config.clear_plan_cache()
    assert kept() == 0
    assert config.get_plan_cache_size() == 8


@pytest.mark.usefixtures("limits")
def test_what_is_shown(capsys):
    config.set_plan_cache_size(7)
    config.set_plan_cache_max_memsize(4096)
    config.show_plan_cache_info()
    shown = capsys.readouterr().out
    assert "at most 7" in shown
    assert "at most 4096" in shown


def test_settings_without_effect():
    with pytest.warns(DeprecationWarning, match="no effect"):
        assert config.enable_nd_planning
    with pytest.warns(DeprecationWarning, match="no effect"):
        config.enable_nd_planning = False
    with pytest.warns(DeprecationWarning, match="no effect") as seen:
        assert not config.enable_nd_planning
    assert seen[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="no effect"):
        config.enable_nd_planning = True
    config.set_cufft_gpus([0])
    assert config.devices == [0]
    config.set_cufft_gpus(0)
    assert config.devices is None
    assert config.get_current_callback_manager() is None
    assert config.use_multi_gpus is False
