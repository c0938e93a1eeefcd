"""Where the slices of a short-time Fourier transform touch a signal."""

import numbers

import numpy as np

from cupric import _core

__all__ = ["Slices"]


class Slices:
    """Windows that move over a signal: slice p has its centre at element ``p * hop``.

    Subclasses set `_values`, the window as NumPy's array, `_hop`, and `fs`.
    """

    _zero_counts = None  # of the window, once they are known

    @property
    def hop(self):
        """The step from slice to slice, in elements."""
        return self._hop

    @property
    def T(self):
        """The sampling interval."""
        return 1 / self._fs

    @T.setter
    def T(self, v):
        if not v > 0:
            raise ValueError(f"Sampling interval T={v} must be positive!")
        self._fs = 1 / v

    @property
    def fs(self):
        """The sampling frequency."""
        return self._fs

    @fs.setter
    def fs(self, v):
        if not v > 0:
            raise ValueError(f"Sampling frequency fs={v} must be positive!")
        self._fs = v

    @property
    def m_num(self):
        """The length of the window."""
        return len(self._values)

    @property
    def m_num_mid(self):
        """The element of the window that is its centre."""
        return self.m_num // 2

    @property
    def delta_t(self):
        """The time from slice to slice."""
        return self.T * self._hop

    def _zeros(self):
        """How many elements of the window are 0 at its begin and at its end."""
        if self._zero_counts is None:
            used = np.flatnonzero(self._values)
            if used.size == 0:
                self._zero_counts = self.m_num, self.m_num
            else:
                self._zero_counts = int(used[0]), int(self.m_num - 1 - used[-1])
        return self._zero_counts

    def _first(self):
        """The first element of the first slice, and its number.

        The slice before it would not reach the signal, or stick out of it by no more
        elements than the window has zeros at its end.
        """
        mid, hop = self.m_num_mid, self._hop
        steps = 0
        if mid + hop > self._zeros()[1]:
            steps = max(-(-(self.m_num - mid) // hop) - 1, 0)
        return -mid - steps * hop, -steps

    @property
    def k_min(self):
        """The first element that a slice reaches, at most 0."""
        return self._first()[0]

    @property
    def p_min(self):
        """The number of the first slice, at most 0."""
        return self._first()[1]

    def _check_length(self, n):
        least = self.m_num - self.m_num_mid
        if not n >= least:
            raise ValueError(f"Parameter n={n} must be >= ceil(m_num/2) = {least}!")

    def _last(self, n):
        """The element behind the last slice, and the number behind its number."""
        self._check_length(n)
        hop, p = self._hop, n // self._hop
        begin = p * hop - self.m_num_mid
        steps = max(-(-(n - self._zeros()[0] - begin) // hop) - 1, 0)
        return begin + steps * hop + self.m_num, p + steps + 1

    def k_max(self, n):
        """The element behind the last slice.

        Parameters
        ----------
        n : int
            Elements of the signal, at least half of the window.

        Returns
        -------
        int

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.k_max(20)
        24
        """
        return self._last(n)[0]

    def p_max(self, n):
        """The number behind that of the last slice.

        Parameters
        ----------
        n : int
            Elements of the signal, at least half of the window.

        Returns
        -------
        int

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.p_max(20)
        6
        """
        return self._last(n)[1]

    def p_num(self, n):
        """The number of slices.

        Parameters
        ----------
        n : int
            Elements of the signal, at least half of the window.

        Returns
        -------
        int

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.p_min, sft.p_num(20)
        (0, 6)
        """
        return self.p_max(n) - self.p_min

    @property
    def lower_border_end(self):
        """The first element and slice that the signal's begin does not touch."""
        begin = self._zeros()[0] - self.m_num_mid
        if begin > self._hop:
            return 0, max(self.p_min, 0)
        steps = max(-(begin // self._hop) - 1, 0)
        return begin + steps * self._hop + self.m_num, steps + 1

    def upper_border_begin(self, n):
        """The first element and the first slice that the signal's end touches.

        Parameters
        ----------
        n : int
            Elements of the signal, at least half of the window.

        Returns
        -------
        tuple of two ints

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.upper_border_begin(20)
        (16, 5)
        """
        self._check_length(n)
        beyond = self.m_num - self.m_num_mid  # a slice from its centre on
        p = min((n + self._zeros()[1] - beyond) // self._hop, n // self._hop + 1)
        return (p + 1) * self._hop - self.m_num_mid, p + 1

    def p_range(self, n, p0=None, p1=None):
        """The range of slices, or ValueError.

        Parameters
        ----------
        n : int
            Elements of the signal.
        p0, p1 : int, optional
            The first slice, and that behind the last one.

        Returns
        -------
        tuple of two ints

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.p_range(20), sft.p_range(20, 0, 3)
        ((0, 6), (0, 3))
        """
        low, high = self.p_min, self.p_max(n)
        first = low if p0 is None else p0
        last = high if p1 is None else p1
        if not low <= first < last <= high:
            raise ValueError(
                f"Invalid Parameter p0={p0}, p1={p1}, i.e., self.p_min={low} <= p0 < "
                f"p1 <= p_max={high} does not hold for signal length n={n}!"
            )
        return first, last

    def t(self, n, p0=None, p1=None, k_offset=0):
        """The times of slices.

        Parameters
        ----------
        n : int
            Elements of the signal.
        p0, p1, k_offset
            As of `cupricx.scipy.signal.ShortTimeFFT.stft`.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.t(20)
        array([ 0.,  4.,  8., 12., 16., 20.])
        """
        if not (isinstance(n, numbers.Integral) and n > 0):
            raise ValueError(f"Parameter n={n!r} is not a positive integer!")
        p0, p1 = self.p_range(n, p0, p1)
        return _core.arange(p0, p1) * self.delta_t + k_offset * self.T

    def nearest_k_p(self, k, left=True):
        """The nearest element that is a slice's centre.

        Parameters
        ----------
        k : int
        left : bool, optional
            One that is not beyond k; else one that is not before it.

        Returns
        -------
        int

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.nearest_k_p(9), sft.nearest_k_p(9, left=False)
        (8, 12)
        """
        return k // self._hop * self._hop if left else -(-k // self._hop) * self._hop
