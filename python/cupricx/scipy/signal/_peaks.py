"""Peaks of a signal: local maxima, their prominences and widths."""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.algorithms import plan_scan
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library

__all__ = ["PeakPropertyWarning", "find_peaks", "peak_prominences", "peak_widths"]

_library = Library(__file__)


class PeakPropertyWarning(RuntimeWarning):
    """Calculated property of a peak has unexpected value."""


def _example(xp):
    t = np.arange(5000.0)
    made = []
    for dtype in "fd":
        x = xp.asarray((np.cos(t * t / 700) * np.cos(t / 90)).astype(dtype))
        options = {"distance": 9, "prominence": 0.1, "width": (1, None)}
        peaks, properties = find_peaks(x, 0, plateau_size=1, **options)
        made += [peaks, *properties.values(), *peak_widths(x, peaks)]
    return made


def _declare(name, **how):
    return _library.kernel(name, **how, example=_example)


_TILES = {"blocks": "s.tiles", "threads": "SCAN_THREADS"}
_maxima = _declare("peak_maxima<T>", **_TILES, ships="f d")
_level = _declare("pyramid_level<T>", elements="items", ships="f d")
_highest = _declare("peak_highest<T>", elements="p.n", ships="f d")
_winners = _declare("peak_winners", **_TILES, ships="always")
_gaps = _declare("peak_gaps", elements="p.count", ships="always")
_prominences = _declare("peak_prominences<T>", elements="p.count", ships="f d")
_widths = _declare("peak_widths<T>", elements="p.count", ships="f d")
_within = _declare("peak_within", elements="count", ships="always")
_FAR = 2**62  # farther than any two elements are


# ---- arguments -----------------------------------------------------------------------


def _signal(x):
    """The signal, contiguous, of float32 or float64."""
    x = arguments.array(x, "x")
    if x.ndim != 1:
        raise ValueError(f"`x` must be a 1-D array, its shape is {x.shape}")
    dtype = np.float32 if x.dtype in (np.float32, np.float16) else np.float64
    return _core.ascontiguousarray(x.astype(dtype, copy=False))


def _indices(peaks, x):
    if not isinstance(peaks, (_core.ndarray, np.ndarray)):
        peaks = np.asarray(peaks)
    if peaks.size == 0:
        return _core.empty(0, np.int64)
    if not np.can_cast(peaks.dtype, np.int64, "safe"):
        raise TypeError(f"cannot safely cast `peaks` of {peaks.dtype} to dtype('intp')")
    if peaks.ndim != 1:
        raise ValueError(f"`peaks` must be a 1-D array, its shape is {peaks.shape}")
    return arguments.small(peaks, x, np.int64)


def _reach(wlen):
    """How far a window goes on either side."""
    if wlen is None:
        return _FAR
    if isinstance(wlen, _core.ndarray):
        wlen = wlen.item()
    if not wlen > 1:
        raise ValueError(f"`wlen` must be larger than 1, was {wlen}")
    return _FAR if wlen >= _FAR else math.ceil(wlen) // 2


def _borders(interval):
    """The least and the most of a condition: numbers, arrays or None."""
    try:
        least, most = interval
    except (TypeError, ValueError):
        least, most = interval, None
    return least, most


class _Conditions:
    """Conditions of peaks: struct peak_bounds, and the bounds that are arrays.

    Attributes
    ----------
    bounds : numpy.ndarray
    arrays : cupric.ndarray or None
    """

    __slots__ = ("arrays", "bounds")

    def __init__(self, x, intervals):
        enum, rows = _library.enum, []
        most = [enum.PEAK_CONDITIONS * [0.0] for _ in range(2)]
        at = [enum.PEAK_CONDITIONS * [enum.BOUND_NONE] for _ in range(2)]
        for k, interval in enumerate(intervals):
            if interval is None:
                continue
            names = ("lower", "upper")
            for side, (name, border) in enumerate(
                zip(names, _borders(interval), strict=True)
            ):
                if border is None:
                    continue
                if isinstance(border, (list, tuple)):
                    border = np.asarray(border)
                if isinstance(border, (np.ndarray, _core.ndarray)) and border.ndim:
                    if border.size != x.size:
                        raise ValueError(
                            f"array size of {name} interval border must match x: "
                            f"{border.size} and {x.size}"
                        )
                    at[side][k] = len(rows)
                    rows.append(arguments.small(border, x, np.float64).ravel())
                else:
                    at[side][k] = enum.BOUND_NUMBER
                    most[side][k] = float(border)
        self.arrays = _core.concatenate(rows) if rows else None
        self.bounds = _library.struct.peak_bounds(
            least=most[0],
            most=most[1],
            least_row=at[0],
            most_row=at[1],
            n=x.size,
            has=[int(max(a, b) != enum.BOUND_NONE) for a, b in zip(*at, strict=True)],
        )


# ---- steps ---------------------------------------------------------------------------


def _local_maxima(x, conditions, edges):
    """The maxima that satisfy conditions on the plateau, the height and the threshold;
    and, where they are asked for, their first and last elements."""
    n = x.size
    room = max(0, (n - 1) // 2)
    if room == 0:
        none = _core.empty(0, np.int64)
        return none, none, none
    found = _core.empty(1 + room * (3 if edges else 1), np.int64)
    s, workspace = _tiles_of(x)
    _maxima[x.dtype](
        x=x,
        arrays=conditions.arrays,
        found=found,
        room=room,
        edges=int(edges),
        c=conditions.bounds,
        s=s,
        workspace=workspace,
    )
    count = int(found[0])
    parts = [found[1 + k * room :][:count].copy() for k in range(3 if edges else 1)]
    return parts if edges else (*parts, None, None)


def _tiles_of(x):
    """The layout of the scan for maxima, and its workspace."""
    n, enum = x.size, _library.enum
    if not _library.on_host(x):
        return plan_scan(_library, x, 1, n, 24)
    tiles = -(-n // enum.MAXIMA_TILE)
    states = enum.SCAN_HEAD + tiles
    layout = _library.struct.scan_layout(
        rows=1,
        n=n,
        length=enum.MAXIMA_TILE,
        together=1,
        per_row=tiles,
        tiles=tiles,
        nodes=tiles,
        states=states,
        pieces=1,
    )
    if tiles == 1:
        return layout, None
    return layout, _core.zeros(states + 2 * tiles, np.uint32)


class _Pyramid:
    """Minima and maxima of parts of an array (_pyramid.cuh).

    Attributes
    ----------
    x, memory : cupric.ndarray
    """

    __slots__ = ("_begin", "_counts", "memory", "x")

    def __init__(self, x):
        fan = _library.enum.PYRAMID_FAN
        self.x, self._begin, self._counts = x, [0], [x.size]
        size = 0
        while self._counts[-1] > fan:
            self._begin.append(size)
            self._counts.append(-(-self._counts[-1] // fan))
            size += 2 * self._counts[-1]
        self.memory = _core.empty(size, x.dtype)
        least = most = x
        for begin, n, items in zip(
            self._begin[1:], self._counts, self._counts[1:], strict=False
        ):
            made = self.memory[begin : begin + 2 * items]
            _level[x.dtype](least=least, most=most, made=made, n=n, items=items)
            least, most = made[:items], made[items:]

    def search(self, count, reach=0, rel_height=0.0):
        """struct peak_search."""
        begin, counts = self._begin, self._counts
        rest = [0] * (_library.enum.PYRAMID_LEVELS - len(begin))
        return _library.struct.peak_search(
            n=self.x.size,
            begin=begin + rest,
            counts=counts + rest,
            levels=len(begin),
            count=count,
            reach=reach,
            rel_height=rel_height,
        )


class _Marks:
    """Which peaks are kept, and what there is to say about them.

    Attributes
    ----------
    marks : cupric.ndarray
    """

    __slots__ = ("marks",)

    def __init__(self, count):
        head = _library.enum.MARK_HEAD
        self.marks = _core.empty(head + count, np.int64)
        self.marks.fill(1)
        self.marks[:head] = _core.array([2**63 - 1, 0, 0])

    def check(self, peaks, fault=None, stacklevel=4):
        """Waits. An exception for a peak that has a fault; warnings about others."""
        bad, *odd = self.marks[: _library.enum.MARK_HEAD].get().tolist()
        if bad < peaks.size:
            raise ValueError(fault.format(int(peaks[bad])))
        for is_odd, about in zip(odd, ("prominence", "width"), strict=True):
            if is_odd:
                warnings.warn(
                    f"some peaks have a {about} of 0", PeakPropertyWarning, stacklevel
                )

    def kept(self):
        """Their numbers. Waits."""
        return _core.nonzero(self.marks[_library.enum.MARK_HEAD :])[0]


def _keep_distant(x, peaks, distance, marks):
    heights = x[peaks]
    pyramid = _Pyramid(heights)
    n = peaks.size
    above = _core.empty((2, n), np.int64)
    _highest[x.dtype](
        heights=heights,
        memory=pyramid.memory,
        peaks=peaks,
        above=above,
        marks=marks.marks,
        p=pyramid.search(n, distance),
    )
    winners = _core.empty(n + 1, np.int64)
    s, workspace = plan_scan(_library, x, 1, n, 8)
    _winners[()](marks=marks.marks, winners=winners, s=s, workspace=workspace)
    _gaps[()](
        above=above,
        peaks=peaks,
        winners=winners,
        marks=marks.marks,
        p=pyramid.search(n + 1, distance),
    )


def _prominences_of(pyramid, peaks, reach, marks):
    n = peaks.size
    prominences, bases = _core.empty(n), _core.empty((2, n), np.int64)
    if n:
        _prominences[pyramid.x.dtype](
            x=pyramid.x,
            memory=pyramid.memory,
            peaks=peaks,
            prominences=prominences,
            bases=bases,
            marks=marks.marks,
            p=pyramid.search(n, reach),
        )
    return prominences, bases


def _widths_of(pyramid, peaks, prominences, bases, rel_height, marks):
    n = peaks.size
    made = _core.empty((4, n))
    if n:
        _widths[pyramid.x.dtype](
            x=pyramid.x,
            memory=pyramid.memory,
            peaks=peaks,
            prominences=prominences,
            bases=bases,
            made=made,
            marks=marks.marks,
            p=pyramid.search(n, 0, rel_height),
        )
    return made


def _keep_within(which, values, peaks, conditions, marks):
    _within[()](
        values=values,
        peaks=peaks,
        arrays=conditions.arrays,
        marks=marks.marks,
        c=conditions.bounds,
        which=which,
        count=peaks.size,
    )


# ---- public --------------------------------------------------------------------------


@where_it_lives
def peak_prominences(x, peaks, wlen=None):
    """Prominence of each peak of a signal.

    How much a peak stands out from its surroundings: its height above the higher of its
    two bases, the lowest points between it and the next higher element, or the end of
    the signal, on either side.

    Parameters
    ----------
    x : cupric.ndarray, one-dimensional
    peaks : cupric.ndarray of int, one-dimensional
        Where the peaks are.
    wlen : int, optional
        The length of a window around the peak, rounded up to an odd one, outside of
        which nothing is looked at.

    Returns
    -------
    prominences : cupric.ndarray
        float64.
    left_bases, right_bases : cupric.ndarray
        Where the bases are; of equal ones the next to the peak.

    Raises
    ------
    ValueError
        `x` or `peaks` has not one axis, `wlen` is not above 1, or one of `peaks` is no
        valid index.
    TypeError
        `peaks` cannot be cast to int64 safely.

    Warns
    -----
    PeakPropertyWarning
        A prominence is 0: what `peaks` names is no peak.

    Notes
    -----
    Waits for the device, as the exceptions and the warning depend on elements.

    Peaks are dealt with in parallel. Each is a walk over minima and maxima of 16, 256,
    … elements, which takes the logarithm of the distance to its bases.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import peak_prominences
    >>> x = cp.array([0.0, 3, 1, 4, 2, 5, 0])
    >>> peak_prominences(x, cp.array([1, 3, 5]))
    (array([2., 2., 5.]), array([0, 0, 0]), array([2, 4, 6]))
    """
    x = _signal(x)
    peaks = _indices(peaks, x)
    reach = _reach(wlen)
    if peaks.size == 0:
        return _core.empty(0), *_core.empty((2, 0), np.int64)
    prominences, bases = _checked_prominences(x, peaks, reach)
    return prominences, bases[0], bases[1]


_NO_INDEX = "peak {} is not a valid index for `x`"
_NO_BASES = "prominence data is invalid for peak {}"


def _checked_prominences(x, peaks, reach):
    marks = _Marks(peaks.size)
    made = _prominences_of(_Pyramid(x), peaks, reach, marks)
    marks.check(peaks, _NO_INDEX + f", of {x.size} elements")
    return made


def _bases_of(prominence_data, x):
    prominences, left, right = prominence_data
    bases = [arguments.small(b, x, np.int64) for b in (left, right)]
    return arguments.small(prominences, x, np.float64), bases


@where_it_lives
def peak_widths(x, peaks, rel_height=0.5, prominence_data=None, wlen=None):
    """Width of each peak of a signal.

    It is measured at a height that is `rel_height` of the peak's prominence below it,
    between the points on either side where the signal, interpolated linearly, crosses
    that height.

    Parameters
    ----------
    x : cupric.ndarray, one-dimensional
    peaks : cupric.ndarray of int, one-dimensional
        Where the peaks are.
    rel_height : float, optional
    prominence_data : tuple of cupric.ndarray, optional
        What `peak_prominences` returns for these peaks.
    wlen : int, optional
        As for `peak_prominences`, where `prominence_data` is not passed.

    Returns
    -------
    widths, width_heights, left_ips, right_ips : cupric.ndarray
        float64: the width of each peak, in elements, the height, and where it is
        crossed.

    Raises
    ------
    ValueError
        As `peak_prominences`; `rel_height` is below 0, or `prominence_data` does not
        fit.

    Warns
    -----
    PeakPropertyWarning
        A width is 0.

    Notes
    -----
    Waits for the device, as the exceptions and the warning depend on elements.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import peak_widths
    >>> x = cp.array([0.0, 3, 1, 4, 2, 5, 0])
    >>> widths, heights, left, right = peak_widths(x, cp.array([1, 5]))
    >>> widths
    array([0.83333333, 1.33333333])
    >>> heights
    array([2. , 2.5])
    """
    x = _signal(x)
    peaks = _indices(peaks, x)
    if rel_height < 0:
        raise ValueError(
            f"`rel_height` must be greater or equal to 0.0, was {rel_height}"
        )
    if prominence_data is None:
        reach = _reach(wlen)
        if peaks.size == 0:
            return tuple(_core.empty((4, 0)))
        prominences, bases = _checked_prominences(x, peaks, reach)
    else:
        prominences, bases = _bases_of(prominence_data, x)
        if not (peaks.size == prominences.size == bases[0].size == bases[1].size):
            raise ValueError(
                "arrays in `prominence_data` must match `peaks`: "
                f"{prominences.size}, {bases[0].size} and {bases[1].size} elements "
                f"for {peaks.size} peaks"
            )
        if peaks.size == 0:
            return tuple(_core.empty((4, 0)))
        bases = _core.concatenate([b.ravel() for b in bases])
    marks = _Marks(peaks.size)
    made = _widths_of(_Pyramid(x), peaks, prominences, bases, float(rel_height), marks)
    marks.check(peaks, _NO_BASES, stacklevel=3)
    return tuple(made)


@where_it_lives
def find_peaks(
    x,
    height=None,
    threshold=None,
    distance=None,
    prominence=None,
    width=None,
    wlen=None,
    rel_height=0.5,
    plateau_size=None,
):
    """Peaks of a signal: its local maxima that satisfy conditions.

    A maximum may have several equal elements, of which the middle one is the peak, or
    the one before the middle. Elements next to a NaN are none, nor are the first and
    the last.

    Parameters
    ----------
    x : cupric.ndarray, one-dimensional
    height, threshold, prominence, width, plateau_size : float or array_like, optional
        A condition each: the least value, or the least and the most, of which either
        may be None. Either may also be an array with an element for each of `x`. They
        are on ``x[peak]``; the difference from both neighbours; what `peak_prominences`
        and `peak_widths` say; and the number of equal elements.
    distance : float, optional
        The least distance between peaks, at least 1: the lower of two that are closer
        is removed, the lowest first.
    wlen : int, optional
        As for `peak_prominences`, for `prominence` and `width`.
    rel_height : float, optional
        As for `peak_widths`, for `width`.

    Returns
    -------
    peaks : cupric.ndarray
        Where they are.
    properties : dict
        For each condition that is passed what it is about, an array with an element for
        each peak: 'plateau_sizes', 'left_edges', 'right_edges'; 'peak_heights';
        'left_thresholds', 'right_thresholds'; 'prominences', 'left_bases',
        'right_bases'; 'widths', 'width_heights', 'left_ips', 'right_ips'.

    Raises
    ------
    ValueError
        `x` has not one axis, `distance` is below 1, or an array of a condition has not
        the size of `x`.

    Warns
    -----
    PeakPropertyWarning
        As of `peak_prominences` and `peak_widths`, where the window is short.

    Notes
    -----
    Conditions are looked at in the order in which the properties stand; `distance`
    comes after the thresholds. Those before it are a part of the scan that finds the
    maxima. Of peaks of the same height that are too close to each other the last is
    kept.

    Waits for the device: for the number of maxima, and for that of the peaks where
    there are conditions on their distance, prominence or width. No step goes from peak
    to peak. Of close peaks those that are the highest within `distance` are kept at
    once; what lies between two of them is decided by itself, at the same time.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import find_peaks
    >>> x = cp.array([0.0, 3, 1, 4, 4, 2, 5, 0])
    >>> find_peaks(x)
    (array([1, 3, 6]), {})
    >>> peaks, properties = find_peaks(x, height=(None, 4), prominence=1)
    >>> peaks
    array([1, 3])
    >>> properties["prominences"]
    array([2., 2.])
    """
    x = _signal(x)
    if distance is not None and distance < 1:
        raise ValueError(f"`distance` must be greater or equal to 1, was {distance}")
    intervals = [plateau_size, height, threshold, prominence, width]
    conditions = _Conditions(x, intervals)
    has_prominence = not (prominence is None and width is None)
    reach = _reach(wlen) if has_prominence else 0
    if width is not None and rel_height < 0:
        raise ValueError(
            f"`rel_height` must be greater or equal to 0.0, was {rel_height}"
        )
    peaks, left, right = _local_maxima(x, conditions, plateau_size is not None)
    later = {}
    if peaks.size and (distance is not None or has_prominence):
        marks = _Marks(peaks.size)
        if distance is not None:
            least = _FAR if distance >= _FAR else math.ceil(distance)
            _keep_distant(x, peaks, least, marks)
        if has_prominence:
            later = _prominent(x, peaks, conditions, reach, width, rel_height, marks)
        kept = marks.kept()
        peaks, left, right = (p if p is None else p[kept] for p in (peaks, left, right))
        later = {name: values[kept] for name, values in later.items()}
    elif has_prominence:
        later = _prominent(x, peaks, conditions, reach, width, rel_height, None)
    properties = _simple_properties(x, peaks, left, right, intervals)
    properties.update(later)
    return peaks, properties


def _prominent(x, peaks, conditions, reach, width, rel_height, marks):
    """The properties of all peaks; those that are not prominent or wide lose their
    marks."""
    enum = _library.enum
    pyramid = _Pyramid(x)
    prominences, bases = _prominences_of(pyramid, peaks, reach, marks)
    made = {
        "prominences": prominences,
        "left_bases": bases[0],
        "right_bases": bases[1],
    }
    if peaks.size:
        _keep_within(enum.PEAK_PROMINENCE, prominences, peaks, conditions, marks)
    if width is not None:
        widths = _widths_of(pyramid, peaks, prominences, bases, rel_height, marks)
        names = ("widths", "width_heights", "left_ips", "right_ips")
        made.update(zip(names, widths, strict=True))
        if peaks.size:
            _keep_within(enum.PEAK_WIDTH, widths[0], peaks, conditions, marks)
    if peaks.size and (width is not None or reach != _FAR):
        marks.check(peaks)
    return made


def _simple_properties(x, peaks, left, right, intervals):
    plateau_size, height, threshold = intervals[:3]
    made = {}
    if plateau_size is not None:
        made["plateau_sizes"] = right - left + 1
        made["left_edges"], made["right_edges"] = left, right
    if height is not None or threshold is not None:
        heights = x[peaks].astype(np.float64, copy=False)
    if height is not None:
        made["peak_heights"] = heights
    if threshold is not None:
        made["left_thresholds"] = heights - x[peaks - 1]
        made["right_thresholds"] = heights - x[peaks + 1]
    return made
