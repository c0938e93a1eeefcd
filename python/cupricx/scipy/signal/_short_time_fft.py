"""The short-time Fourier transform as an object, and its inverse."""

import math
import numbers
from types import GenericAlias

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, fft_to_real
from cupric.fft import fftfreq, fftshift, ifftshift, rfftfreq
from cupricx.scipy.signal import _dual_windows, _segments
from cupricx.scipy.signal._slices import Slices
from cupricx.scipy.signal.windows import get_window

__all__ = ["ShortTimeFFT", "closest_STFT_dual_window"]

_FFT_MODES = ("twosided", "centered", "onesided", "onesided2X")
_PADDINGS = {"zeros": "ZEROS", "edge": "EDGE", "even": "EVEN", "odd": "ODD"}
_NOWHERE = 1 << 62  # no zeros begin beyond a signal


def _finite(values, name):
    if not np.isfinite(values).all():
        raise ValueError(f"Parameter {name} must have finite entries!")


def closest_STFT_dual_window(win, hop, desired_dual=None, *, scaled=True):
    """The dual window of a short-time Fourier transform closest to a desired one.

    Parameters
    ----------
    win : array_like, shape (m,)
        The window.
    hop : int
        The step of windows.
    desired_dual : array_like, shape (m,), optional
        Ones by default.
    scaled : bool, optional
        Up to a factor, which is returned.

    Returns
    -------
    dual_win : cupric.ndarray, shape (m,)
        A dual window of ``alpha * win``.
    alpha : float or complex
        1 unless `scaled`.

    Raises
    ------
    ValueError
        Windows have other shapes, or elements that are not finite; `hop` is no integer
        from 1 to m; or there is no dual window.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import signal
    >>> win = signal.windows.bartlett(24, sym=False)
    >>> dual, alpha = signal.closest_STFT_dual_window(win, 6)
    >>> bool(cp.allclose(dual, alpha)), round(alpha, 6)
    (True, 0.5)
    """
    values = _dual_windows.on_host(win)
    desired = (
        np.ones_like(values)
        if desired_dual is None
        else _dual_windows.on_host(desired_dual, "desired_dual")
    )
    if values.ndim != 1 or values.shape != desired.shape:
        raise ValueError(
            "Parameters `win` and `desired_dual` are not 1d arrays of equal length "
            f"({values.shape} and {desired.shape})!"
        )
    _finite(values, "win")
    _finite(desired, "desired_dual")
    _dual_windows.hop_within(hop, len(values), "win")
    dual, alpha = _dual_windows.closest(values, int(hop), desired, scaled)
    return _on_device(dual, win), _python(alpha)


def _python(number):
    return number.item() if isinstance(number, np.generic) else number


def _on_device(values, like):
    """An array of the device of another, or of the current one; it is read-only."""
    device = like.device if isinstance(like, _core.ndarray) else None
    made = _core.array(values) if device is None else _core.array(values, device=device)
    made.flags.writeable = False
    return made


class ShortTimeFFT(Slices):
    """A short-time Fourier transform and its inverse.

    Slice p of the transform is the spectrum of the signal times the conjugate of the
    window, whose centre is at element ``p * hop``. The first slice, `p_min`, is the
    first one whose window touches the signal.

    Parameters
    ----------
    win : array_like, shape (m,)
        The window, real or complex; NumPy's arrays, too.
    hop : int
        The step from slice to slice, in elements.
    fs : float
        The sampling frequency.
    fft_mode : {'onesided', 'onesided2X', 'twosided', 'centered'}, optional
        Frequencies that are not negative, which may be doubled, or all; 0 first or in
        the middle.
    mfft : int, optional
        The length of transforms, by default m; windows are padded with zeros.
    dual_win : array_like, shape (m,), optional
        The window of the inverse: by default that of least energy.
    scale_to : {'magnitude', 'psd'}, optional
        Scale the window, see `scale_to`.
    phase_shift : int or None, optional
        By how many elements segments are rolled; 0 is that the phase is relative to
        the centre of the window, and None that it is to its first element.

    Attributes
    ----------
    win, dual_win : cupric.ndarray
    hop, mfft, m_num, m_num_mid, f_pts, k_min, p_min : int
    fs, T, delta_t, delta_f, fac_magnitude, fac_psd : float
    fft_mode, scaling : str
    f : cupric.ndarray
    invertible, onesided_fft : bool
    lower_border_end : tuple of ints
    phase_shift : int or None

    Notes
    -----
    All slices are gathered by one launch, and are the rows of one transform; the
    inverse sums up, for each element, the slices that reach it. Results are of float64
    or complex128.

    References
    ----------
    Karlheinz Gröchenig, Foundations of Time-Frequency Analysis, Birkhäuser, 2001.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import signal
    >>> x = cp.cos(cp.arange(64) * cp.pi / 4)
    >>> sft = signal.ShortTimeFFT(signal.windows.hann(16, sym=False), 8, fs=1.0)
    >>> z = sft.stft(x)
    >>> z.shape
    (9, 9)
    >>> bool(cp.allclose(sft.istft(z, k1=64), x))
    True
    """

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(
        self,
        win,
        hop,
        fs,
        *,
        fft_mode="onesided",
        mfft=None,
        dual_win=None,
        scale_to=None,
        phase_shift=0,
    ):
        values = _dual_windows.on_host(win)
        if values.ndim != 1 or values.size == 0:
            raise ValueError(f"Parameter win must be 1d, but win.shape={values.shape}!")
        _finite(values, "win")
        if not (isinstance(hop, numbers.Integral) and hop >= 1):
            raise ValueError(f"Parameter hop={hop!r} is not an integer >= 1!")
        self._like, self._values, self._hop = win, values, int(hop)
        self._dual = self._scaling = None
        self._forget()
        self.fs = fs
        self.mfft = len(values) if mfft is None else mfft
        if dual_win is not None:
            dual = _dual_windows.on_host(dual_win, "dual_win")
            if dual.shape != values.shape:
                raise ValueError(
                    f"dual_win.shape={dual.shape} must equal win.shape={values.shape}!"
                )
            _finite(dual, "dual_win")
            self._dual = dual
        if scale_to is not None:
            self.scale_to(scale_to)
        self.fft_mode, self.phase_shift = fft_mode, phase_shift

    def _forget(self):
        """Windows of the device, which are made when they are needed."""
        self._win = self._dual_win = self._taper = self._dual_taper = None

    # ---- other ways to make one ------------------------------------------------------

    @classmethod
    def from_dual(
        cls,
        dual_win,
        hop,
        fs,
        *,
        fft_mode="onesided",
        mfft=None,
        scale_to=None,
        phase_shift=0,
    ):
        """The transform whose inverse has a window.

        Parameters
        ----------
        dual_win : array_like, shape (m,)
        hop, fs, fft_mode, mfft, scale_to, phase_shift
            As of `cupricx.scipy.signal.ShortTimeFFT`.

        Returns
        -------
        ShortTimeFFT

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> dual = signal.ShortTimeFFT.from_dual(cp.ones(8), 4, fs=1.0).win
        >>> dual
        array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
        """
        values = _dual_windows.on_host(dual_win, "dual_win")
        win = _on_device(_dual_windows.canonical(values, hop), dual_win)
        return cls(
            *(win, hop, fs),
            fft_mode=fft_mode,
            mfft=mfft,
            dual_win=dual_win,
            scale_to=scale_to,
            phase_shift=phase_shift,
        )

    @classmethod
    def from_window(
        cls,
        win_param,
        fs,
        nperseg,
        noverlap,
        *,
        symmetric_win=False,
        fft_mode="onesided",
        mfft=None,
        scale_to=None,
        phase_shift=0,
    ):
        """The transform with a window of `get_window`.

        Parameters
        ----------
        win_param : str, tuple or float
            What `get_window` takes.
        fs : float
        nperseg, noverlap : int
            The length of the window, and what neighbouring ones share.
        symmetric_win : bool, optional
            A symmetric window; else a periodic one.
        fft_mode, mfft, scale_to, phase_shift
            As of `cupricx.scipy.signal.ShortTimeFFT`.

        Returns
        -------
        ShortTimeFFT

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT.from_window("hann", 1.0, 8, 4)
        >>> sft.m_num, sft.hop
        (8, 4)
        """
        win = get_window(win_param, nperseg, fftbins=not symmetric_win)
        return cls(
            *(win, nperseg - noverlap, fs),
            fft_mode=fft_mode,
            mfft=mfft,
            scale_to=scale_to,
            phase_shift=phase_shift,
        )

    @classmethod
    def from_win_equals_dual(
        cls,
        desired_win,
        hop,
        fs,
        *,
        fft_mode="onesided",
        mfft=None,
        scale_to=None,
        phase_shift=0,
    ):
        """The transform whose window is its own dual, up to a factor.

        Parameters
        ----------
        desired_win : array_like, shape (m,)
            What the window is closest to.
        hop, fs, fft_mode, mfft, phase_shift
            As of `cupricx.scipy.signal.ShortTimeFFT`.
        scale_to : {'magnitude', 'psd', 'unitary'}, optional
            'unitary' keeps energies.

        Returns
        -------
        ShortTimeFFT

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT.from_win_equals_dual(cp.ones(8), 2, 1.0)
        >>> bool(cp.allclose(sft.win, sft.dual_win)), float(sft.win[0])
        (True, 0.5)
        """
        values = _dual_windows.on_host(desired_win, "desired_win")
        if values.ndim != 1 or values.size == 0:
            raise ValueError(
                f"Parameter desired_win is not 1d, but its shape is {values.shape}!"
            )
        if values.dtype.kind not in "fc":
            raise ValueError(
                f"Parameter desired_win cannot be of integer type, but {values.dtype} "
                "=> cast to float | complex"
            )
        _finite(values, "desired_win")
        _dual_windows.hop_within(hop, len(values), "desired_win")
        if scale_to not in ("magnitude", "psd", "unitary", None):
            raise ValueError(
                f"Parameter {scale_to=} not in ['magnitude', 'psd', 'unitary', None]!"
            )
        mfft = len(values) if mfft is None else mfft
        factor = math.sqrt(mfft) if scale_to == "unitary" else 1
        win = _dual_windows.equal(values, int(hop))
        made = cls(
            *(_on_device(win / factor, desired_win), hop, fs),
            fft_mode=fft_mode,
            mfft=mfft,
            dual_win=_on_device(win * factor, desired_win),
            phase_shift=phase_shift,
            scale_to=None if scale_to == "unitary" else scale_to,
        )
        if scale_to == "unitary":
            made._scaling = scale_to
        return made

    # ---- windows ---------------------------------------------------------------------

    @property
    def win(self):
        """The window, which cannot be written to."""
        if self._win is None:
            self._win = _on_device(self._values, self._like)
        return self._win

    @property
    def dual_win(self):
        """The window of the inverse, which cannot be written to; ValueError where there
        is none."""
        if self._dual_win is None:
            self._dual_win = _on_device(self._dual_values(), self._like)
        return self._dual_win

    def _dual_values(self):
        if self._dual is None:
            self._dual = _dual_windows.canonical(self._values, self._hop)
        return self._dual

    @property
    def invertible(self):
        """Whether there is an inverse."""
        try:
            self._dual_values()
        except ValueError:
            return False
        return True

    @property
    def scaling(self):
        """What the window was scaled to: 'magnitude', 'psd', 'unitary' or None."""
        return self._scaling

    @property
    def fac_magnitude(self):
        """By what a window is multiplied to be scaled to 'magnitude'."""
        return 1 if self._scaling == "magnitude" else float(1 / abs(self._values.sum()))

    @property
    def fac_psd(self):
        """By what a window is multiplied to be scaled to 'psd'."""
        if self._scaling == "psd":
            return 1
        squares = (self._values.real**2 + self._values.imag**2).sum()
        return float(1 / np.sqrt(squares / self.T))

    def scale_to(self, scaling):
        """Scale the window, and its dual by the inverse.

        Parameters
        ----------
        scaling : {'magnitude', 'psd'}
            Slices are spectra of amplitudes, or roots of spectral densities.

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.scale_to("magnitude")
        >>> sft.win
        array([0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125])
        """
        if scaling not in ("magnitude", "psd"):
            raise ValueError(f"{scaling=} not in ['magnitude', 'psd']!")
        if self._scaling == scaling:
            return
        factor = self.fac_psd if scaling == "psd" else self.fac_magnitude
        self._values = self._values * factor
        if self._dual is not None:
            self._dual = self._dual / factor
        self._scaling = scaling
        self._forget()

    # ---- the transform's parameters --------------------------------------------------

    @property
    def fft_mode(self):
        """'twosided', 'centered', 'onesided' or 'onesided2X'."""
        return self._fft_mode

    @fft_mode.setter
    def fft_mode(self, t):
        if t not in _FFT_MODES:
            raise ValueError(f"fft_mode={t!r} not in {_FFT_MODES}!")
        if t.startswith("onesided") and self._values.dtype.kind == "c":
            raise ValueError(
                f"One-sided spectra, i.e., fft_mode={t!r}, are not allowed for "
                "complex-valued windows!"
            )
        if t == "onesided2X" and self._scaling is None:
            raise ValueError(
                f"For scaling is None, fft_mode={t!r} is invalid! Do scale_to('psd') "
                "or scale_to('magnitude')!"
            )
        self._fft_mode = t

    @property
    def mfft(self):
        """The length of transforms."""
        return self._mfft

    @mfft.setter
    def mfft(self, n_):
        if not n_ >= self.m_num:
            raise ValueError(
                f"Attribute mfft={n_} needs to be at least the window length "
                f"m_num={self.m_num}!"
            )
        self._mfft = n_

    @property
    def phase_shift(self):
        """By how many elements segments are rolled, or None."""
        return self._phase_shift

    @phase_shift.setter
    def phase_shift(self, v):
        if v is not None and not isinstance(v, numbers.Integral):
            raise ValueError(
                f"phase_shift={v} has the unit samples. Hence it needs to be an int or "
                "it may be None!"
            )
        if v is not None and not -self.mfft < v < self.mfft:
            raise ValueError(
                f"-mfft < phase_shift < mfft does not hold for mfft={self.mfft}, "
                f"phase_shift={v}!"
            )
        self._phase_shift = v

    @property
    def _roll(self):
        """By how many elements segments are rolled, of those of the window."""
        if self._phase_shift is None:
            return 0
        return (self._phase_shift + self.m_num_mid) % self.m_num

    @property
    def onesided_fft(self):
        """Whether there are only frequencies that are not negative."""
        return self._fft_mode in ("onesided", "onesided2X")

    @property
    def f_pts(self):
        """The number of frequencies."""
        return self.mfft // 2 + 1 if self.onesided_fft else self.mfft

    @property
    def delta_f(self):
        """The step of frequencies."""
        return 1 / (self.mfft * self.T)

    @property
    def f(self):
        """The frequencies, an array."""
        if self.onesided_fft:
            return rfftfreq(self.mfft, self.T)
        f = fftfreq(self.mfft, self.T)
        return fftshift(f) if self._fft_mode == "centered" else f

    def extent(self, n, axes_seq="tf", center_bins=False):
        """The corners of a picture of the transform.

        Parameters
        ----------
        n : int
            Elements of the signal.
        axes_seq : {'tf', 'ft'}, optional
            Times first, or frequencies.
        center_bins : bool, optional
            Values are at the centres of pixels.

        Returns
        -------
        tuple of four floats
            ``(t0, t1, f0, f1)``, or ``(f0, f1, t0, t1)``.

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.extent(20)
        (0.0, 24.0, 0.0, 0.625)
        """
        if axes_seq not in ("tf", "ft"):
            raise ValueError(f"Parameter {axes_seq=} not in ['tf', 'ft']!")
        if self._fft_mode == "twosided":
            raise ValueError(
                f"Attribute fft_mode={self._fft_mode} must be in ['centered', "
                "'onesided', 'onesided2X']"
            )
        q0 = 0 if self.onesided_fft else -(self.mfft // 2)
        half = 0.5 if center_bins else 0
        times = [self.delta_t * (p - half) for p in (self.p_min, self.p_max(n))]
        frequencies = [self.delta_f * (q - half) for q in (q0, q0 + self.f_pts)]
        pairs = (times, frequencies) if axes_seq == "tf" else (frequencies, times)
        return (*pairs[0], *pairs[1])

    # ---- the transform and its inverse -----------------------------------------------

    def stft(self, x, p0=None, p1=None, *, k_offset=0, padding="zeros", axis=-1):
        """The transform.

        Parameters
        ----------
        x : cupric.ndarray
            Real, or complex if `fft_mode` is 'twosided' or 'centered'.
        p0, p1 : int, optional
            The first slice, and that behind the last one; all by default.
        k_offset : int, optional
            The element of `x` that is at time 0.
        padding : {'zeros', 'edge', 'even', 'odd'}, optional
            What is outside: zeros, the elements at the ends, or the signal reflected,
            about its ends for 'odd'.
        axis : int, optional
            That of time.

        Returns
        -------
        cupric.ndarray of complex128
            Of frequencies where time was, with slices along the last axis.

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> z = sft.stft(cp.ones(20))
        >>> z.shape
        (5, 6)
        >>> abs(z[:, 2])
        array([8., 0., 0., 0., 0.])
        """
        return self.stft_detrend(
            x, None, p0, p1, k_offset=k_offset, padding=padding, axis=axis
        )

    def stft_detrend(
        self, x, detr, p0=None, p1=None, *, k_offset=0, padding="zeros", axis=-1
    ):
        """The transform of segments without their trends.

        Parameters
        ----------
        x : cupric.ndarray
        detr : {'linear', 'constant'}, callable or None
            A line or the mean, or what a function of a segment takes from it.
        p0, p1, k_offset, padding, axis
            As of `cupricx.scipy.signal.ShortTimeFFT.stft`.

        Returns
        -------
        cupric.ndarray of complex128

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> z = sft.stft_detrend(cp.arange(20.0), "linear")
        >>> bool(cp.allclose(z[:, 1:-1], 0))
        True
        """
        x = arguments.array(x, "x")
        with x.device:
            spectra = self._slices(x, detr, (p0, p1), k_offset, padding, axis)
            return self._with_frequencies_at(spectra, axis)

    def spectrogram(
        self,
        x,
        y=None,
        detr=None,
        *,
        p0=None,
        p1=None,
        k_offset=0,
        padding="zeros",
        axis=-1,
    ):
        """The squares of the transform's magnitude, or its product with another's.

        Parameters
        ----------
        x : cupric.ndarray
        y : cupric.ndarray, optional
            Another signal, the conjugate of whose transform is multiplied by.
        detr, p0, p1, k_offset, padding, axis
            As of `cupricx.scipy.signal.ShortTimeFFT.stft_detrend`.

        Returns
        -------
        cupric.ndarray
            float64, or complex128 with another signal.

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.spectrogram(cp.ones(20))[:, 2]
        array([64.,  0.,  0.,  0.,  0.])
        """
        x = arguments.array(x, "x")
        options = (detr, (p0, p1), k_offset, padding, axis)
        with x.device:
            spectra = self._slices(x, *options)
            if y is None or y is x:
                product = _segments.power(spectra, None, self.mfft, False)
            else:
                others = self._slices(arguments.array(y, "y"), *options)
                product = spectra * others.conj()
            return self._with_frequencies_at(product, axis)

    def _with_frequencies_at(self, spectra, axis):
        """(..., slices, frequencies) with frequencies at an axis, and slices last."""
        ndim = spectra.ndim
        order = list(range(ndim - 2))
        order.insert(axis % (ndim - 1), ndim - 1)
        return spectra.transpose([*order, ndim - 2])

    def _check_signal(self, x, axis):
        if self.onesided_fft and x.dtype.kind == "c":
            raise ValueError(
                f"Complex-valued `x` not allowed for fft_mode={self._fft_mode!r}! Set "
                "property `fft_mode` to 'twosided' or 'centered'."
            )
        least = self.m_num - self.m_num_mid
        if x.shape[axis] < least:
            raise ValueError(
                f"x, of shape {x.shape}, must have at least ceil(m_num/2) = {least} "
                f"elements along axis {axis}!"
            )

    def _slices(self, x, detr, slices, k_offset, padding, axis):
        """The spectra of all slices, (..., slices, frequencies)."""
        arguments.axis(axis, x.ndim)
        self._check_signal(x, axis)
        if not (detr is None or isinstance(detr, str) or callable(detr)):
            raise ValueError(f"Parameter {detr=} is not a str, function or None!")
        n = x.shape[axis]
        p0, p1 = self.p_range(n, *slices)
        if padding not in _PADDINGS:
            raise ValueError(f"Parameter {padding=} not in {list(_PADDINGS)}!")
        is_complex = "c" in (x.dtype.kind, self._values.dtype.kind)
        rows = _segments.rows_of(x, axis, np.complex128 if is_complex else np.float64)
        first = p0 * self._hop - self.m_num_mid + k_offset
        end = first + (p1 - p0) * self._hop + self.m_num
        rows, first = self._reflected(rows, first, end, padding)
        y = _segments.tapered(
            *(rows, self._conjugate(), first, self._hop, p1 - p0, self.mfft),
            shift=self._roll,
            outside=(_PADDINGS[padding], _NOWHERE),
            detrend=detr,
            by_segment=True,
        )
        return self._transformed(y)

    @staticmethod
    def _reflected(rows, first, end, padding):
        """As in SciPy, only elements that slices reach are reflected, which matters
        where so many are reflected that they are again."""
        n = rows.shape[-1]
        low, high = max(first, 0), min(end, n)
        beyond = max(-first, end - n, 0)
        if padding in ("zeros", "edge") or beyond < high - low or high <= low:
            return rows, first
        return _core.ascontiguousarray(rows[..., low:high]), first - low

    def _conjugate(self):
        """What slices are multiplied by."""
        if self._taper is None:
            is_complex = self._values.dtype.kind == "c"
            dtype = np.complex128 if is_complex else np.float64
            self._taper = _on_device(self._values.conj().astype(dtype), self._like)
        return self._taper

    def _doubling(self):
        """By what onesided2X multiplies the frequencies that stand for two."""
        return math.sqrt(2) if self._scaling == "psd" else 2.0

    def _inner(self):
        return slice(1, -1 if self.mfft % 2 == 0 else None)

    def _transformed(self, y):
        z = _segments.spectra(y, self.mfft, self.onesided_fft)
        if self._fft_mode == "centered":
            return fftshift(z, axes=-1)
        if self._fft_mode == "onesided2X":
            z[..., self._inner()] *= self._doubling()
        return z

    def _segments_of(self, z):
        """The inverse: segments, (..., slices, mfft), of spectra."""
        axes = (z.ndim - 1,)
        if self._fft_mode == "centered":
            z = ifftshift(z, axes=-1)
        if self._fft_mode == "onesided2X":
            z = z.copy()
            z[..., self._inner()] /= self._doubling()
        if self.onesided_fft:
            return fft_to_real(z, [self.mfft], axes, None, "C")
        return complex_fft(z, [self.mfft], axes, None, True, "C")

    def istft(self, S, k0=0, k1=None, *, f_axis=-2, t_axis=-1):
        """The inverse.

        Parameters
        ----------
        S : cupric.ndarray
            The transform, whose first slice is `p_min`.
        k0, k1 : int, optional
            The first element, and that behind the last one: as many as there can be by
            default.
        f_axis, t_axis : int, optional
            The axes of frequencies and of slices.

        Returns
        -------
        cupric.ndarray
            float64, or complex128 if `fft_mode` is 'twosided' or 'centered'.

        Raises
        ------
        ValueError
            There is no inverse, or shapes and ranges do not fit.

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> z = sft.stft(cp.arange(20.0))
        >>> sft.istft(z, k1=20)[3:8]
        array([3., 4., 5., 6., 7.])
        """
        z = arguments.array(S, "S")
        f_axis, t_axis = (arguments.axis(a, z.ndim) for a in (f_axis, t_axis))
        if f_axis == t_axis:
            raise ValueError(f"{f_axis=} may not be equal to {t_axis=}!")
        if z.shape[f_axis] != self.f_pts:
            raise ValueError(
                f"S, of shape {z.shape}, must have f_pts={self.f_pts} frequencies "
                f"along axis {f_axis}!"
            )
        k0, k1, low, high = self._range(z.shape, t_axis, k0, k1)
        with z.device:
            others = [k for k in range(z.ndim) if k not in (f_axis, t_axis)]
            z = z.transpose([*others, t_axis, f_axis]).astype(np.complex128, copy=False)
            z = z[..., low - self.p_min : high - self.p_min, :]
            dual = self._dual_for(z)
            first = low * self._hop - self.m_num_mid - k0
            x = _segments.overlap_added(
                _core.ascontiguousarray(self._segments_of(z)),
                *(dual, k1 - k0, first, self._hop, self._roll, None),
            )
        order = list(range(x.ndim - 1))
        order.insert(f_axis if f_axis < x.ndim else t_axis, x.ndim - 1)
        return x.transpose(order)

    def _range(self, shape, t_axis, k0, k1):
        """The elements of the result, and the slices that reach them."""
        least = self.m_num - self.m_num_mid
        slices, needed = shape[t_axis], self.p_num(least)
        if slices < needed:
            raise ValueError(
                f"S, of shape {shape}, needs to have at least {needed} slices along "
                f"axis {t_axis}!"
            )
        behind = slices + self.p_min
        k_max = (behind - 1) * self._hop + self.m_num - self.m_num_mid
        k1 = k_max if k1 is None else k1
        if not self.k_min <= k0 < k1 <= k_max:
            raise ValueError(
                f"(self.k_min={self.k_min}) <= (k0={k0}) < (k1={k1}) <= "
                f"(k_max={k_max}) is false!"
            )
        if k1 - k0 < least:
            raise ValueError(
                f"(k1={k1}) - (k0={k0}) = {k1 - k0} has to be at least the half the "
                f"window length {least}!"
            )
        low = k0 // self._hop + (self.p_min if k0 >= 0 else 0)
        return k0, k1, max(low, self.p_min), min(self.p_max(k1), behind)

    def _dual_for(self, z):
        if self._dual_taper is None:
            values = self._dual_values()
            is_complex = values.dtype.kind == "c"
            if is_complex and self.onesided_fft:
                raise TypeError("a one-sided transform needs a real dual window")
            dtype = np.complex128 if is_complex else np.float64
            self._dual_taper = _on_device(values.astype(dtype), self._like)
        return self._dual_taper
