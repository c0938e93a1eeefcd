"""NumPy's legacy interface: RandomState, and the functions over a state per device."""

import numpy as np

from cupric._manipulation._args import where_it_lives
from cupric.random._philox import BitGenerator, Philox4x3210
from cupric.random._sampler import Sampler

__all__ = [
    "RandomState",
]


class RandomState(Sampler):
    """Random numbers in the manner of numpy.random.RandomState.

    The algorithm is Philox's, so that the numbers are not NumPy's; they are the same on
    every device. `Generator` is the newer interface.

    Parameters
    ----------
    seed : int, sequence of ints or BitGenerator, optional
        Unpredictable by default.
    method : ignored
        CuPy's choice of an algorithm.

    Examples
    --------
    >>> rs = cp.random.RandomState(1)
    >>> cp.round(rs.normal(size=3), 2)
    array([-0.46,  0.65, -2.15])
    """

    def __init__(self, seed=None, method=None):
        self._bits = seed if isinstance(seed, BitGenerator) else Philox4x3210(seed)

    def seed(self, seed=None):
        """Start again from `seed`.

        Parameters
        ----------
        seed : int or sequence of ints, optional
            Not negative. Unpredictable by default.

        Examples
        --------
        >>> rs = cp.random.RandomState()
        >>> rs.seed(1)
        >>> cp.round(rs.rand(2), 2)
        array([0.73, 0.35])
        """
        self._bits = Philox4x3210(seed)

    def get_state(self):
        """The state, for `set_state`.

        Returns
        -------
        dict
            The algorithm's name, the key that the seed gives, and the counter of draws.

        Examples
        --------
        >>> rs = cp.random.RandomState(1)
        >>> state = rs.get_state()
        >>> x = rs.rand(3)
        >>> rs.set_state(state)
        >>> bool((rs.rand(3) == x).all())
        True
        """
        return self._bits.state

    def set_state(self, state):
        """Return to a state that `get_state` gave.

        Parameters
        ----------
        state : dict
            Of this algorithm: ValueError for another's.

        Examples
        --------
        >>> rs = cp.random.RandomState(1)
        >>> other = cp.random.RandomState(2)
        >>> other.set_state(rs.get_state())
        >>> bool(other.rand() == rs.rand())
        True
        """
        self._bits.state = state

    def random_sample(self, size=None, dtype=float):
        """Uniform on [0, 1).

        Parameters
        ----------
        size : int or tuple of ints, optional
            By default one number.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> cp.round(cp.random.RandomState(1).random_sample(3), 2)
        array([0.73, 0.35, 0.08])
        """
        return self._uniform01(size, dtype)

    random = ranf = sample = random_sample

    def rand(self, *size, dtype=float):
        """Uniform on [0, 1), with the shape in separate arguments.

        Parameters
        ----------
        *size : int
            Lengths of the axes; none for one number.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> cp.round(cp.random.RandomState(1).rand(3), 2)
        array([0.73, 0.35, 0.08])
        """
        return self._uniform01(size or None, dtype)

    def randn(self, *size, dtype=float):
        """Standard normal, with the shape in separate arguments.

        Parameters
        ----------
        *size : int
            Lengths of the axes; none for one number.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> cp.round(cp.random.RandomState(1).randn(3), 2)
        array([-0.46,  0.65, -2.15])
        """
        return self.standard_normal(size or None, dtype)

    @where_it_lives
    def randint(self, low, high=None, size=None, dtype=int):
        """Uniform integers in [low, high), or [0, low).

        Parameters
        ----------
        low, high : int or array_like
            Of floats the fraction is left out.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> cp.random.RandomState(1).randint(0, 10, 5)
        array([3, 7, 8, 3, 5])
        """
        if high is None:
            low, high = 0, low
        return self._integers(low, high, size, dtype, False)

    def random_integers(self, low, high=None, size=None):
        """Uniform integers in [low, high], or [1, low].

        Parameters
        ----------
        low : int or array_like
            The least, or the largest without `high`.
        high : int or array_like, optional
            The largest.
        size : int or tuple of ints, optional
            By default that of the parameters.

        Returns
        -------
        cupric.ndarray of int64

        Examples
        --------
        >>> cp.random.RandomState(1).random_integers(1, 6, 5)
        array([3, 5, 6, 3, 4])
        """
        if high is None:
            low, high = 1, low
        return self._integers(low, high, size, np.int64, True)

    def tomaxint(self, size=None):
        """Uniform integers from 0 to the largest int64.

        Parameters
        ----------
        size : int or tuple of ints, optional
            By default one number.

        Returns
        -------
        cupric.ndarray of int64

        Examples
        --------
        >>> cp.random.RandomState(1).tomaxint().dtype
        dtype('int64')
        """
        return self._integers(0, 2**63, size, np.int64, False)
