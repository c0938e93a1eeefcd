"""Plans of Fourier transforms, as programs for cuFFT make them.

A plan says what transform is made of memory that lies in some way. It works on every
device; what cuFFT needs for it is kept by the device, see `cupric.fft.config`.
"""

import itertools
import weakref

import numpy as np

from cupric import _core
from cupric._creation._basic import empty
from cupric.cuda.memory import MemoryPointer, UnownedMemory
from cupric.fft import _current_plan
from cupric.fft._current_plan import get_current_plan
from cupric.lib.stride_tricks import as_strided

__all__ = [
    "CUFFT_C2C",
    "CUFFT_C2R",
    "CUFFT_CB_LD_COMPLEX",
    "CUFFT_CB_LD_COMPLEX_DOUBLE",
    "CUFFT_CB_LD_REAL",
    "CUFFT_CB_LD_REAL_DOUBLE",
    "CUFFT_CB_ST_COMPLEX",
    "CUFFT_CB_ST_COMPLEX_DOUBLE",
    "CUFFT_CB_ST_REAL",
    "CUFFT_CB_ST_REAL_DOUBLE",
    "CUFFT_D2Z",
    "CUFFT_FORWARD",
    "CUFFT_INVERSE",
    "CUFFT_R2C",
    "CUFFT_Z2D",
    "CUFFT_Z2Z",
    "CuFFTError",
    "Plan1d",
    "PlanNd",
    "XtExec",
    "XtPlanNd",
    "check_result",
    "create",
    "execC2C",
    "execC2R",
    "execD2Z",
    "execR2C",
    "execZ2D",
    "execZ2Z",
    "getVersion",
    "get_current_plan",
    "multi_gpu_execC2C",
    "multi_gpu_execZ2Z",
    "setAutoAllocation",
    "setCallback",
    "setJITCallback",
]

CUFFT_FORWARD = -1
CUFFT_INVERSE = 1

CUFFT_C2C = 0x29
CUFFT_R2C = 0x2A
CUFFT_C2R = 0x2C
CUFFT_Z2Z = 0x69
CUFFT_D2Z = 0x6A
CUFFT_Z2D = 0x6C

CUFFT_CB_LD_COMPLEX = 0
CUFFT_CB_LD_COMPLEX_DOUBLE = 1
CUFFT_CB_LD_REAL = 2
CUFFT_CB_LD_REAL_DOUBLE = 3
CUFFT_CB_ST_COMPLEX = 4
CUFFT_CB_ST_COMPLEX_DOUBLE = 5
CUFFT_CB_ST_REAL = 6
CUFFT_CB_ST_REAL_DOUBLE = 7

# type: (kind of the core, dtype of the input, of the output)
_TYPES = {
    CUFFT_C2C: (_core._C2C, "F", "F"),
    CUFFT_R2C: (_core._R2C, "f", "F"),
    CUFFT_C2R: (_core._C2R, "F", "f"),
    CUFFT_Z2Z: (_core._C2C, "D", "D"),
    CUFFT_D2Z: (_core._R2C, "d", "D"),
    CUFFT_Z2D: (_core._C2R, "D", "d"),
}
_RESULTS = {
    1: "CUFFT_INVALID_PLAN",
    2: "CUFFT_ALLOC_FAILED",
    3: "CUFFT_INVALID_TYPE",
    4: "CUFFT_INVALID_VALUE",
    5: "CUFFT_INTERNAL_ERROR",
    6: "CUFFT_EXEC_FAILED",
    7: "CUFFT_SETUP_FAILED",
    8: "CUFFT_INVALID_SIZE",
    9: "CUFFT_UNALIGNED_DATA",
}


def __dir__():
    return __all__


class CuFFTError(RuntimeError):
    """What cuFFT answered.

    Parameters
    ----------
    result : int
        cuFFT's number of it.
    """

    def __init__(self, result):
        super().__init__(_RESULTS.get(result, f"cuFFT's error {result}"))
        self.result = result

    def __reduce__(self):
        return type(self), (self.result,)


def check_result(result):
    """Raise `CuFFTError` unless `result` is 0.

    Parameters
    ----------
    result : int
        What a function of cuFFT returned, a cufftResult.

    Raises
    ------
    CuFFTError
        With the name of the error.

    Examples
    --------
    >>> cp.cuda.cufft.check_result(0)
    >>> cp.cuda.cufft.check_result(8)
    Traceback (most recent call last):
        ...
    cupric.cuda.cufft.CuFFTError: CUFFT_INVALID_SIZE
    """
    if result != 0:
        raise CuFFTError(result)


def getVersion():
    """The version of cuFFT.

    Returns
    -------
    int
        11203 for 11.2.3; 0 on the host device, which does not use it.

    Examples
    --------
    >>> version = cp.cuda.cufft.getVersion()
    >>> major, minor = version // 1000, version % 1000 // 100
    """
    for name, version, _ in _core._components():
        if name == "cuFFT" and version:
            major, minor, patch = ([int(p) for p in version.split(".")] + [0, 0])[:3]
            return major * 1000 + minor * 100 + patch
    return 0


# ---- plans ---------------------------------------------------------------------------

_handles = itertools.count(1)
_plans = weakref.WeakValueDictionary()  # by handle


class _Plan:
    """What plans have in common: lengths, and how input and output lie in memory.

    In a plan's ``with`` block, the functions of `cupric.fft` make transforms that it
    describes, and raise ValueError for others.
    """

    _takes_one_axis = False
    gpus = None
    work_area = None  # the device's own

    def _set(self, fft_type, lengths, batch, given, made, handle):
        """`given`, `made`: (lengths of the memory, step along the last axis, step from
        one transform to the next), in elements."""
        if fft_type not in _TYPES:
            raise CuFFTError(3)
        if batch < 1 or not lengths or any(n < 1 for n in lengths):
            raise CuFFTError(8)
        self.fft_type = fft_type
        self._kind, given_dtype, made_dtype = _TYPES[fft_type]
        self._dtypes = np.dtype(given_dtype), np.dtype(made_dtype)
        self._lengths, self._batch = lengths, batch
        half = (*lengths[:-1], lengths[-1] // 2 + 1)
        sizes = (
            half if self._kind == _core._C2R else lengths,
            half if self._kind == _core._R2C else lengths,
        )
        self._layouts = [
            self._layout(inside, dtype, *of)
            for inside, dtype, of in zip(
                sizes, self._dtypes, (given, made), strict=True
            )
        ]
        self.handle = handle or create()
        _plans[self.handle] = self

    def __repr__(self):
        shape = "x".join(map(str, self._lengths))
        given, made = self._dtypes
        return (
            f"<{type(self).__name__}: {shape}, {given} to {made}, batch {self._batch}>"
        )

    def _layout(self, inside, dtype, embed, stride, dist):
        """Shape and strides, the batch first."""
        if embed is None:  # dense; cuFFT does not read the steps either
            embed, stride, dist = inside, 1, int(np.prod(inside))
        steps = [
            dist,
            *(stride * int(np.prod(embed[d + 1 :])) for d in range(len(inside))),
        ]
        return (self._batch, *inside), [s * dtype.itemsize for s in steps]

    def __enter__(self):
        _current_plan.enter(self)
        return self

    def __exit__(self, *_):
        _current_plan.leave()

    def fft(self, a, out, direction):
        """Transform what lies in `a` into what lies in `out`, without a factor.

        Parameters
        ----------
        a, out : cupric.ndarray
            Of the plan's dtypes; their shapes do not matter. They may be one array.
        direction : {CUFFT_FORWARD, CUFFT_INVERSE}
            Of transforms from complex numbers to complex numbers.

        Raises
        ------
        TypeError
            An array is of another dtype.
        ValueError
            The memory is too small for the plan.

        Examples
        --------
        >>> from cupric.cuda import cufft
        >>> x, y = cp.ones(4, "F"), cp.empty(4, "F")
        >>> cufft.Plan1d(4, cufft.CUFFT_C2C, 1).fft(x, y, cufft.CUFFT_FORWARD)
        >>> y
        array([4.+0.j, 0.+0.j, 0.+0.j, 0.+0.j], dtype=complex64)
        """
        if direction not in (CUFFT_FORWARD, CUFFT_INVERSE):
            raise CuFFTError(4)
        for name, x, dtype in zip(("a", "out"), (a, out), self._dtypes, strict=True):
            if x.dtype != dtype:
                raise TypeError(f"{name} is of {x.dtype}, the plan of {dtype}")
        source = as_strided(a, *self._layouts[0])
        target = as_strided(out, *self._layouts[1])
        inverse = self._kind == _core._C2R or (
            self._kind == _core._C2C and direction == CUFFT_INVERSE
        )
        axes = tuple(range(1, source.ndim))
        target[...] = _core._fft(
            *(source, self._dtypes[1], target.shape, self._kind, inverse),
            *(axes, self._lengths[-1], 1.0, "C", False),
        )

    def _check(self, a, out, want):
        for what, has, needs in (
            ("shape", out.shape, want.shape),
            ("dtype", out.dtype, want.dtype),
        ):
            if has != needs:
                raise ValueError(f"out has {what} {has}, the transform {needs}")
        if not (out.flags.c_contiguous or out.flags.f_contiguous):
            raise ValueError("out must be contiguous")


class Plan1d(_Plan):
    """A batch of transforms of one axis, dense in memory.

    Parameters
    ----------
    nx : int
        Length of the axis, that of the real side.
    fft_type : int
        ``CUFFT_C2C`` and its like.
    batch : int
        How many transforms.
    devices : list of int, optional
        At most one.
    out : cupric.ndarray, optional
        Has no effect.
    prealloc_plan : int
        A handle that `create` gave.

    Examples
    --------
    >>> x = cp.arange(8, dtype="c8").reshape(2, 4)
    >>> plan = cp.cuda.cufft.Plan1d(4, cp.cuda.cufft.CUFFT_C2C, 2)
    >>> y = plan.get_output_array(x)
    >>> plan.fft(x, y, cp.cuda.cufft.CUFFT_FORWARD)
    >>> bool(cp.allclose(y, cp.fft.fft(x)))
    True

    Within its block, functions of `cupric.fft` take what fits it.

    >>> with plan:
    ...     z = cp.fft.fft(x)
    >>> bool((z == y).all())
    True
    """

    _takes_one_axis = True
    batch_share = gather_events = gather_streams = None
    scatter_events = scatter_streams = xtArr = xtArr_buffer = None

    def __init__(self, nx, fft_type, batch, *, devices=None, out=None, prealloc_plan=0):
        if devices is not None and len(devices) > 1:
            raise NotImplementedError(f"a transform over {len(devices)} GPUs")
        dense = None, 1, 0
        self._set(fft_type, (int(nx),), int(batch), dense, dense, prealloc_plan)
        self.nx, self.batch = int(nx), int(batch)

    def get_output_array(self, a):
        """A new array for the transform of `a`.

        Parameters
        ----------
        a : cupric.ndarray
            Its last axis is transformed.

        Returns
        -------
        cupric.ndarray
            Of `a`'s shape, but for the last axis, and of the plan's dtype; its
            elements are not set.

        Examples
        --------
        >>> from cupric.cuda import cufft
        >>> plan = cufft.Plan1d(8, cufft.CUFFT_D2Z, 3)
        >>> y = plan.get_output_array(cp.ones((3, 8)))
        >>> y.shape, y.dtype
        ((3, 5), dtype('complex128'))
        """
        n = self._layouts[1][0][-1]
        return empty((*a.shape[:-1], n), self._dtypes[1])

    def check_output_array(self, a, out):
        """Check that `out` can hold the transform of `a`.

        Parameters
        ----------
        a, out : cupric.ndarray

        Raises
        ------
        ValueError
            `out` has another shape or dtype than `get_output_array` gives, or is not
            contiguous.

        Examples
        --------
        >>> from cupric.cuda import cufft
        >>> plan = cufft.Plan1d(8, cufft.CUFFT_D2Z, 3)
        >>> plan.check_output_array(cp.ones((3, 8)), cp.empty((3, 5), complex))
        """
        self._check(a, out, self.get_output_array(a))


class PlanNd(_Plan):
    """A batch of transforms of several axes, of memory that lies as cuFFT describes it.

    Parameters
    ----------
    shape : tuple of int
        Lengths of the axes, those of the real side.
    inembed, onembed : tuple of int or None
        Lengths of the memory that input and output are parts of; None: dense.
    istride, ostride : int
        Elements from one to the next along the last axis.
    idist, odist : int
        Elements from one transform of the batch to the next.
    fft_type : int
        ``CUFFT_C2C`` and its like.
    batch : int
        How many transforms.
    order : {'C', 'F'}
        That of the arrays.
    last_axis, last_size : int or None
        The axis that is halved, and its length in the output.
    prealloc_plan : int
        A handle that `create` gave.

    Examples
    --------
    Two transforms of 2 by 4 numbers, one after the other in memory:

    >>> from cupric.cuda import cufft
    >>> x = cp.arange(16, dtype="F").reshape(2, 2, 4)
    >>> dense = None, 1, 8
    >>> plan = cufft.PlanNd((2, 4), *dense, *dense, cufft.CUFFT_C2C, 2, "C", 2, 4)
    >>> y = plan.get_output_array(x)
    >>> plan.fft(x, y, cufft.CUFFT_FORWARD)
    >>> bool(cp.allclose(y, cp.fft.fft2(x)))
    True
    """

    def __init__(
        self,
        shape,
        inembed,
        istride,
        idist,
        onembed,
        ostride,
        odist,
        fft_type,
        batch,
        order,
        last_axis,
        last_size,
        *,
        prealloc_plan=0,
    ):
        lengths = tuple(int(n) for n in shape)
        given, made = (inembed, istride, idist), (onembed, ostride, odist)
        self._set(fft_type, lengths, int(batch), given, made, prealloc_plan)
        self.shape, self.order = lengths, order
        self.last_axis, self.last_size = last_axis, last_size

    def get_output_array(self, a, order="C"):
        """A new array for the transform of `a`.

        Parameters
        ----------
        a : cupric.ndarray
        order : {'C', 'F'}

        Returns
        -------
        cupric.ndarray
            Of `a`'s shape, but for the axis that is halved, and of the plan's dtype;
            its elements are not set.

        Examples
        --------
        >>> from cupric.cuda import cufft
        >>> dense = None, 1, 0
        >>> plan = cufft.PlanNd((2, 8), *dense, *dense, cufft.CUFFT_R2C, 1, "C", 1, 5)
        >>> plan.get_output_array(cp.ones((2, 8), "f")).shape
        (2, 5)
        """
        shape = list(a.shape)
        if self._kind != _core._C2C and self.last_axis is not None:
            shape[self.last_axis] = self.last_size
        return empty(tuple(shape), self._dtypes[1], order)

    def check_output_array(self, a, out):
        """Check that `out` can hold the transform of `a`.

        Parameters
        ----------
        a, out : cupric.ndarray

        Raises
        ------
        ValueError
            `out` has another shape or dtype than `get_output_array` gives, or is not
            contiguous.

        Examples
        --------
        >>> from cupric.cuda import cufft
        >>> dense = None, 1, 0
        >>> plan = cufft.PlanNd((2, 8), *dense, *dense, cufft.CUFFT_R2C, 1, "C", 1, 5)
        >>> plan.check_output_array(cp.ones((2, 8), "f"), cp.empty((2, 5), "F"))
        """
        self._check(a, out, self.get_output_array(a))


class XtPlanNd(PlanNd):
    """`PlanNd` by dtypes in place of a type.

    Parameters
    ----------
    shape, inembed, istride, idist, onembed, ostride, odist, batch : optional
        As for `PlanNd`.
    idtype, odtype, edtype : str
        Of the input, of the output and of the computation: those of a transform's type.
    order, last_axis, last_size, prealloc_plan : optional
        As for `PlanNd`.

    Raises
    ------
    NotImplementedError
        Half precision.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> dense = None, 1, 0
    >>> order = {"order": "C", "last_axis": 0, "last_size": 4}
    >>> plan = cufft.XtPlanNd((4,), *dense, "F", *dense, "F", 1, "F", **order)
    >>> x, y = cp.ones(4, "F"), cp.empty(4, "F")
    >>> plan.fft(x, y, cufft.CUFFT_FORWARD)
    >>> y
    array([4.+0.j, 0.+0.j, 0.+0.j, 0.+0.j], dtype=complex64)
    """

    def __init__(
        self,
        shape,
        inembed,
        istride,
        idist,
        idtype,
        onembed,
        ostride,
        odist,
        odtype,
        batch,
        edtype,
        *,
        order,
        last_axis,
        last_size,
        prealloc_plan=0,
    ):
        chars = idtype, odtype
        found = [t for t, (_, *dtypes) in _TYPES.items() if tuple(dtypes) == chars]
        if not found:
            raise NotImplementedError(
                f"a transform from {idtype!r} to {odtype!r}: of float32, float64, and "
                "their complexes there are"
            )
        super().__init__(
            *(shape, inembed, istride, idist, onembed, ostride, odist),
            *(found[0], batch, order, last_axis, last_size),
            prealloc_plan=prealloc_plan,
        )
        self.itype, self.otype, self.etype = idtype, odtype, edtype


# ---- by handles and addresses --------------------------------------------------------


def create():
    """A handle for a plan to be made with, as its `prealloc_plan`.

    Returns
    -------
    int

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> handle = cufft.create()
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_C2C, 1, prealloc_plan=handle)
    >>> plan.handle == handle
    True
    """
    return next(_handles)


def _plan(handle):
    plan = _plans.get(handle)
    if plan is None:
        raise CuFFTError(1)
    return plan


def _memory(address, layout, dtype):
    """The memory at an address, as an array that is as long as a layout needs."""
    shape, strides = layout
    steps = zip(shape, strides, strict=True)
    nbytes = sum((n - 1) * s for n, s in steps) + dtype.itemsize
    memory = UnownedMemory(address, nbytes, None)
    return _core.ndarray((nbytes // dtype.itemsize,), dtype, MemoryPointer(memory, 0))


def _execute(handle, idata, odata, direction, fft_type):
    plan = _plan(handle)
    if fft_type not in (None, plan.fft_type):
        raise CuFFTError(3)
    arrays = [
        _memory(address, layout, dtype)
        for address, layout, dtype in zip(
            (idata, odata), plan._layouts, plan._dtypes, strict=True
        )
    ]
    plan.fft(*arrays, direction)


def execC2C(plan, idata, odata, direction):
    """Transform complex64 to complex64 by a plan, in memory given by its addresses.

    Parameters
    ----------
    plan : int
        The handle of a plan of this type.
    idata, odata : int
        Addresses of complex64, laid out as the plan says; they may be one.
    direction : int
        `CUFFT_FORWARD` or `CUFFT_INVERSE`; neither divides by the length.

    Raises
    ------
    CuFFTError
        The plan is of another type, or its handle of none.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_C2C, 1)
    >>> x, y = cp.ones(4, "F"), cp.empty(4, "F")
    >>> cufft.execC2C(plan.handle, x.data.ptr, y.data.ptr, cufft.CUFFT_FORWARD)
    >>> y
    array([4.+0.j, 0.+0.j, 0.+0.j, 0.+0.j], dtype=complex64)
    """
    _execute(plan, idata, odata, direction, CUFFT_C2C)


def execR2C(plan, idata, odata):
    """Transform float32 to complex64 by a plan, in memory given by its addresses.

    Parameters
    ----------
    plan : int
        The handle of a plan of this type.
    idata, odata : int
        Addresses of float32, and of complex64, n // 2 + 1 of each n along the last
        axis, laid out as the plan says; they may be one.

    Raises
    ------
    CuFFTError
        The plan is of another type, or its handle of none.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_R2C, 1)
    >>> x, y = cp.ones(4, "f"), cp.empty(3, "F")
    >>> cufft.execR2C(plan.handle, x.data.ptr, y.data.ptr)
    >>> y
    array([4.+0.j, 0.+0.j, 0.+0.j], dtype=complex64)
    """
    _execute(plan, idata, odata, CUFFT_FORWARD, CUFFT_R2C)


def execC2R(plan, idata, odata):
    """Transform complex64 to float32 by a plan, in memory given by its addresses.

    Parameters
    ----------
    plan : int
        The handle of a plan of this type.
    idata, odata : int
        Addresses of complex64, n // 2 + 1 of each n along the last axis, and of
        float32, laid out as the plan says; they may be one.

    Raises
    ------
    CuFFTError
        The plan is of another type, or its handle of none.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_C2R, 1)
    >>> x, y = cp.ones(3, "F"), cp.empty(4, "f")
    >>> cufft.execC2R(plan.handle, x.data.ptr, y.data.ptr)
    >>> y
    array([4., 0., 0., 0.], dtype=float32)
    """
    _execute(plan, idata, odata, CUFFT_INVERSE, CUFFT_C2R)


def execZ2Z(plan, idata, odata, direction):
    """Transform complex128 to complex128 by a plan, in memory given by its addresses.

    Parameters
    ----------
    plan : int
        The handle of a plan of this type.
    idata, odata : int
        Addresses of complex128, laid out as the plan says; they may be one.
    direction : int
        `CUFFT_FORWARD` or `CUFFT_INVERSE`; neither divides by the length.

    Raises
    ------
    CuFFTError
        The plan is of another type, or its handle of none.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_Z2Z, 1)
    >>> x, y = cp.ones(4, "D"), cp.empty(4, "D")
    >>> cufft.execZ2Z(plan.handle, x.data.ptr, y.data.ptr, cufft.CUFFT_FORWARD)
    >>> y
    array([4.+0.j, 0.+0.j, 0.+0.j, 0.+0.j])
    """
    _execute(plan, idata, odata, direction, CUFFT_Z2Z)


def execD2Z(plan, idata, odata):
    """Transform float64 to complex128 by a plan, in memory given by its addresses.

    Parameters
    ----------
    plan : int
        The handle of a plan of this type.
    idata, odata : int
        Addresses of float64, and of complex128, n // 2 + 1 of each n along the last
        axis, laid out as the plan says; they may be one.

    Raises
    ------
    CuFFTError
        The plan is of another type, or its handle of none.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_D2Z, 1)
    >>> x, y = cp.ones(4, "d"), cp.empty(3, "D")
    >>> cufft.execD2Z(plan.handle, x.data.ptr, y.data.ptr)
    >>> y
    array([4.+0.j, 0.+0.j, 0.+0.j])
    """
    _execute(plan, idata, odata, CUFFT_FORWARD, CUFFT_D2Z)


def execZ2D(plan, idata, odata):
    """Transform complex128 to float64 by a plan, in memory given by its addresses.

    Parameters
    ----------
    plan : int
        The handle of a plan of this type.
    idata, odata : int
        Addresses of complex128, n // 2 + 1 of each n along the last axis, and of
        float64, laid out as the plan says; they may be one.

    Raises
    ------
    CuFFTError
        The plan is of another type, or its handle of none.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_Z2D, 1)
    >>> x, y = cp.ones(3, "D"), cp.empty(4, "d")
    >>> cufft.execZ2D(plan.handle, x.data.ptr, y.data.ptr)
    >>> y
    array([4., 0., 0., 0.])
    """
    _execute(plan, idata, odata, CUFFT_INVERSE, CUFFT_Z2D)


def XtExec(plan, idata, odata, direction):
    """Transform by a plan of any type, in memory given by its addresses.

    Parameters
    ----------
    plan : int
        The handle of a plan.
    idata, odata : int
        Addresses of numbers of the plan's types, laid out as it says.
    direction : int
        `CUFFT_FORWARD` or `CUFFT_INVERSE`, of complex numbers.

    Raises
    ------
    CuFFTError
        The handle is of no plan.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_Z2Z, 1)
    >>> x, y = cp.ones(4, "D"), cp.empty(4, "D")
    >>> cufft.XtExec(plan.handle, x.data.ptr, y.data.ptr, cufft.CUFFT_INVERSE)
    >>> y
    array([4.+0.j, 0.+0.j, 0.+0.j, 0.+0.j])
    """
    _execute(plan, idata, odata, direction, None)


def setAutoAllocation(plan, autoAllocate):
    """Has no effect: a plan's memory is always its device's.

    Parameters
    ----------
    plan : int
        The handle of a plan.
    autoAllocate : bool

    Raises
    ------
    CuFFTError
        The handle is of no plan.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_C2C, 1)
    >>> cufft.setAutoAllocation(plan.handle, False)
    """
    _plan(plan)


def _several_gpus():
    return NotImplementedError(
        "a transform over several GPUs: transform the parts of a batch on each, within "
        "`with cupric.cuda.Device(i)`"
    )


def multi_gpu_execC2C(plan, idata, odata, direction):
    """A transform over several GPUs, which there is not.

    Parameters
    ----------
    plan, idata, odata, direction : ignored
        Have no effect.

    Raises
    ------
    NotImplementedError
        Always.

    Examples
    --------
    >>> cp.cuda.cufft.multi_gpu_execC2C(0, 0, 0, cp.cuda.cufft.CUFFT_FORWARD)
    Traceback (most recent call last):
        ...
    NotImplementedError: a transform over several GPUs: transform the parts ...
    """
    raise _several_gpus()


def multi_gpu_execZ2Z(plan, idata, odata, direction):
    """A transform over several GPUs, which there is not.

    Parameters
    ----------
    plan, idata, odata, direction : ignored
        Have no effect.

    Raises
    ------
    NotImplementedError
        Always.

    Examples
    --------
    >>> cp.cuda.cufft.multi_gpu_execZ2Z(0, 0, 0, cp.cuda.cufft.CUFFT_FORWARD)
    Traceback (most recent call last):
        ...
    NotImplementedError: a transform over several GPUs: transform the parts ...
    """
    raise _several_gpus()


def setCallback(plan, cb_type, is_load, aux_arr=0):
    """cuFFT's callbacks, which are not supported: apply functions before and after.

    Parameters
    ----------
    plan, cb_type, is_load, aux_arr : ignored
        Have no effect.

    Raises
    ------
    NotImplementedError
        Always.

    Examples
    --------
    >>> cp.cuda.cufft.setCallback(0, cp.cuda.cufft.CUFFT_CB_LD_COMPLEX, True)
    Traceback (most recent call last):
        ...
    NotImplementedError: cuFFT's callbacks: apply an ElementwiseKernel ...
    """
    raise _no_callbacks()


def setJITCallback(plan, callback_name, callback, callback_type, caller_info):
    """cuFFT's callbacks, which are not supported: apply functions before and after.

    Parameters
    ----------
    plan, callback_name, callback, callback_type, caller_info : ignored
        Have no effect.

    Raises
    ------
    NotImplementedError
        Always.

    Examples
    --------
    >>> cp.cuda.cufft.setJITCallback(0, "load", b"", 0, None)
    Traceback (most recent call last):
        ...
    NotImplementedError: cuFFT's callbacks: apply an ElementwiseKernel ...
    """
    raise _no_callbacks()


def _no_callbacks():
    return NotImplementedError(
        "cuFFT's callbacks: apply an ElementwiseKernel before or after the transform"
    )
