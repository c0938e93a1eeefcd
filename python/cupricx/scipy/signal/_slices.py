"""Where the slices of a short-time Fourier transform touch a signal."""

import numbers

import numpy as np

from cupric import _core

__all__ = ["Slices"]


class Slices:
    """Windows that move over a signal: slice p has its centre at element ``p * hop``.

    Subclasses set `_values`, the window as NumPy's array, `_hop`, and `fs`.
    """

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
        used = np.flatnonzero(self._values)
        if used.size == 0:
            return self.m_num, self.m_num
        return int(used[0]), int(self.m_num - 1 - used[-1])

    def _first(self):
        """The first element of the first slice, and its number."""
        begin, p = -self.m_num_mid, 0
        while True:
            following = begin - self._hop
            # The window has as many zeros at its end as it sticks out to the left.
            if following + self.m_num <= 0 or -following <= self._zeros()[1]:
                return begin, p
            begin, p = following, p - 1

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
        zeros, p = self._zeros()[0], n // self._hop
        begin = p * self._hop - self.m_num_mid
        while True:
            following = begin + self._hop
            if following >= n or n - following <= zeros:
                return begin + self.m_num, p + 1
            begin, p = following, p + 1

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
        begin = -self.m_num_mid + self._zeros()[0]
        for p, k in enumerate(range(begin, self._hop + 1, self._hop)):
            if k + self._hop >= 0:
                return k + self.m_num, p + 1
        return 0, max(self.p_min, 0)

    def upper_border_begin(self, n):
        """The first element and the first slice that the signal's end touches.

        Parameters
        ----------
        n : int
            Elements of the signal, at least half of the window.

        Returns
        -------
        tuple of 2 ints

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> sft = signal.ShortTimeFFT(cp.ones(8), 4, fs=1.0)
        >>> sft.upper_border_begin(20)
        (16, 5)
        """
        self._check_length(n)
        zeros, p = self._zeros()[1], n // self._hop + 1
        while True:
            end = p * self._hop + self.m_num - self.m_num_mid
            if end <= n or end - n <= zeros:
                return (p + 1) * self._hop - self.m_num_mid, p + 1
            p -= 1

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
        tuple of 2 ints

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
            As of `stft`.

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
