"""Peaks by ridge lines of a wavelet transform."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.algorithms import plan_scan, scan
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library
from cupricx.scipy.signal._convolution import convolve
from cupricx.scipy.signal._extrema import is_extremum

__all__ = ["find_peaks_cwt"]

_library = Library(__file__)


def _example(xp):
    t = np.arange(800.0)
    x = xp.asarray(np.cos(t * t / 900) + np.cos(t / 9))
    return [find_peaks_cwt(x, np.arange(1, 9))]


_row = _library.kernel(
    "ridge_row",
    blocks="layout.tiles",
    threads="SCAN_THREADS",
    ships="always",
    example=_example,
)
_ends = _library.kernel(
    "ridge_ends", elements="s.lines", ships="always", example=_example
)
_place = _library.kernel("ridge_place", elements="n", ships="always", example=_example)
_zeros = _library.kernel("ridge_zeros", elements="n", ships="always", example=_example)
_noise = _library.kernel(
    "ridge_noise", elements="w.lines", ships="always", example=_example
)


def _mexican_hat(points, a):
    """The second derivative of a Gaussian, of norm 1."""
    t2 = (np.arange(0, points) - (points - 1.0) / 2) ** 2 / a**2
    return 2 / (math.sqrt(3 * a) * math.pi**0.25) * (1 - t2) * np.exp(-t2 / 2)


def _transformed(x, wavelet, widths):
    """The wavelet transform, (widths, n): float64 or complex128."""
    n = x.size
    made = None
    for k, width in enumerate(widths):
        width = width.item()
        w = arguments.small(wavelet(min(10 * width, n), width), x)
        if made is None:
            dtype = np.complex128 if w.dtype.kind == "c" else np.float64
            made = _core.empty((len(widths), n), dtype)
        w = w[::-1].conj() if w.dtype.kind == "c" else w[::-1]
        row = convolve(x, w.astype(dtype), mode="same")
        made[k] = row.real if dtype is np.float64 else row
    return made


class _Lines:
    """Ridge lines, as _ridges.cuh has them: `count` of them."""

    __slots__ = ("count", "ends", "sizes")

    def __init__(self, matrix, max_distances, gap):
        rows, n = matrix.shape
        maxima = is_extremum(matrix, _core.greater, axis=1)
        lines = int(maxima.sum())
        self.ends, self.sizes = _core.zeros((2, lines), np.int64)
        self.count = 0
        if lines == 0:
            return
        at = _core.empty(n, np.int64)
        at.fill(2**63 - 1)
        totals = _core.zeros(rows + 1, np.int64)
        for row in range(rows - 1, -1, -1):
            s = _library.struct.ridge_step(
                n=n,
                row=row,
                rows=rows,
                distance=min(n, math.floor(max_distances[row])),
                lines=lines,
                gap=gap,
            )
            layout, workspace = plan_scan(_library, matrix, 1, n, 8)
            _row[()](
                maxima=maxima[row],
                at=at,
                ends=self.ends,
                sizes=self.sizes,
                totals=totals,
                s=s,
                layout=layout,
                workspace=workspace,
            )
            _ends[()](ends=self.ends, totals=totals, at=at, s=s)
        self.count = int(totals[0])
        self.ends = self.ends[: self.count]
        self.sizes = self.sizes[: self.count]

    def places(self, rows):
        """Of each line its latest row, and the greatest column there."""
        return rows - (self.ends >> 32), self.ends & (2**32 - 1)

    def noise(self, row, window, percent):
        """A percentile of a window of a row around each line."""
        n = row.size
        order = row.argsort(kind="stable")
        ranks = _core.empty(n, np.int32)
        ranks[order] = _core.arange(n, dtype=np.int32)
        bits = max(1, (n - 1).bit_length())
        zeros = _core.empty((bits, n + 1), np.int32)
        for k, bit in enumerate(range(bits - 1, -1, -1)):
            _zeros[()](ranks=ranks, zeros=zeros[k], bit=bit, n=n)
            zeros[k] = scan(zeros[k], "sum")
            placed = _core.empty(n, np.int32)
            _place[()](ranks=ranks, zeros=zeros[k], placed=placed, bit=bit, n=n)
            ranks = placed
        between = _core.empty((2, self.count), np.int64)
        weights = _core.empty(self.count)
        half, odd = divmod(window, 2)
        w = _library.struct.ridge_windows(
            n=n,
            before=half,
            after=half + odd,
            lines=self.count,
            fraction=percent / 100.0,
            bits=bits,
        )
        _noise[()](ends=self.ends, zeros=zeros, ranks=between, weights=weights, w=w)
        ordered = row[order]
        return (1 - weights) * ordered[between[0]] + weights * ordered[between[1]]


@where_it_lives
def find_peaks_cwt(
    vector,
    widths,
    wavelet=None,
    max_distances=None,
    gap_thresh=None,
    min_length=None,
    min_snr=1,
    noise_perc=10,
    window_size=None,
):
    """Peaks of a signal, by its wavelet transform.

    The signal is transformed by wavelets of several widths. Relative maxima along a row
    of the transform are joined to lines from row to row, from the greatest width to the
    smallest. A line that is long, and of which the last point stands out from the
    smallest width's noise, is a peak.

    Parameters
    ----------
    vector : cupric.ndarray, one-dimensional
    widths : float or array_like, one-dimensional
        Of the wavelets. They should cover those of the peaks.
    wavelet : callable, optional
        Of a number of points and a width: a wavelet of norm 1, as an array of NumPy's
        or of a device. By default the Mexican hat.
    max_distances : array_like, optional
        For each of `widths` how far, in columns, a line may go from the row before. By
        default ``widths / 4``.
    gap_thresh : float, optional
        For how many rows a line may have no maximum. By default ``widths[0]``, rounded
        up.
    min_length : int, optional
        The least number of points of a line. By default a quarter of the widths'.
    min_snr : float, optional
        The least ratio of a line's last point to the noise.
    noise_perc : float, optional
        The percentile of the row of the smallest width, within a window around the
        line, that is called noise.
    window_size : int, optional
        By default a twentieth of the signal.

    Returns
    -------
    cupric.ndarray of int64
        Where the peaks are, in order.

    Raises
    ------
    ValueError
        `vector` has not one axis, `max_distances` has fewer elements than `widths`, or
        `noise_perc` is no percentage.

    Notes
    -----
    The method is that of Du, Kibbe and Lin. The maxima of a row are joined to lines in
    parallel, in two launches; percentiles of all windows come from one wavelet matrix.
    Waits for the device: for the number of maxima, and for that of the peaks.

    Of equally distant lines a maximum belongs to the one that began first. Of several
    maxima of a line in its last row the greatest column is the peak.

    References
    ----------
    P. Du, W. A. Kibbe and S. M. Lin, "Improved peak detection in mass spectrum by
    incorporating continuous wavelet transform-based pattern matching", Bioinformatics
    22 (17), 2006.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import find_peaks_cwt
    >>> x = cp.sin(cp.arange(0, 3.1415, 0.05))
    >>> find_peaks_cwt(x, cp.arange(1, 10))
    array([32])
    """
    x = arguments.array(vector, "vector")
    if x.ndim != 1:
        raise ValueError(f"`vector` must be a 1-D array, its shape is {x.shape}")
    widths = np.atleast_1d(_on_host(widths))
    distances = widths / 4.0 if max_distances is None else _on_host(max_distances)
    if len(distances) < len(widths):
        raise ValueError(
            f"max_distances has {len(distances)} elements for {len(widths)} widths"
        )
    if not 0 <= noise_perc <= 100:
        raise ValueError(
            f"percentile must be in the range [0, 100]: noise_perc={noise_perc}"
        )
    gap = np.ceil(widths[0]) if gap_thresh is None else gap_thresh
    if min_length is None:
        min_length = math.ceil(len(widths) / 4)
    if window_size is None:
        window_size = math.ceil(x.size / 20)
    matrix = _transformed(x, _mexican_hat if wavelet is None else wavelet, widths)
    lines = _Lines(matrix, distances, float(gap))
    if lines.count == 0:
        return _core.empty(0, np.int64)
    row, column = lines.places(len(widths))
    noise = lines.noise(matrix[0], int(window_size), float(noise_perc))
    ratio = _core.absolute(matrix[row, column] / noise)
    kept = (lines.sizes >= min_length) & ~(ratio < min_snr)
    found = column[kept]
    found.sort()
    return found


def _on_host(x):
    return x.get() if isinstance(x, _core.ndarray) else np.asarray(x)
