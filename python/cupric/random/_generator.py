"""NumPy's Generator interface."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import where_it_lives
from cupric._manipulation._transpose import moveaxis
from cupric.random._philox import BitGenerator, Philox4x3210
from cupric.random._sampler import Sampler

__all__ = [
    "Generator",
    "default_rng",
]


class Generator(Sampler):
    """Random numbers from a bit generator, in the manner of numpy.random.Generator.

    `default_rng` makes one of a seed.

    Parameters
    ----------
    bit_generator : BitGenerator

    Examples
    --------
    >>> rng = cp.random.Generator(cp.random.Philox4x3210(1))
    >>> cp.round(rng.random(3), 2)
    array([0.73, 0.35, 0.08])
    """

    _ordered = True

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, BitGenerator):
            raise TypeError(
                f"bit_generator must be a BitGenerator, not {bit_generator!r}"
            )
        self.bit_generator = bit_generator

    @property
    def _bits(self):
        return self.bit_generator

    def spawn(self, n_children):
        """Generators whose streams are independent of this one and of each other.

        Parameters
        ----------
        n_children : int

        Returns
        -------
        list of Generator

        Examples
        --------
        >>> first, second = cp.random.default_rng(1).spawn(2)
        >>> bool((first.random(3) == second.random(3)).any())
        False
        """
        return [type(self)(b) for b in self.bit_generator.spawn(n_children)]

    def random(self, size=None, dtype=float, out=None):
        """Uniform on [0, 1).

        Parameters
        ----------
        size : int or tuple of ints, optional
        dtype : data-type, optional
            float64, float32, float16 or bfloat16.
        out : cupric.ndarray, optional
            C-contiguous, of `dtype`; receives the numbers.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> import cupric as cp
        >>> cp.random.default_rng(1).random(2).shape
        (2,)
        """
        return self._uniform01(size, dtype, out)

    @where_it_lives
    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Uniform integers in [low, high), or [low, high] with `endpoint`.

        Parameters
        ----------
        low : int or array_like
            Without `high`: the upper end, from 0. Of floats the fraction is left out.
        high : int or array_like, optional
        size : int or tuple of ints, optional
        dtype : data-type, optional
            An integer one, or bool.
        endpoint : bool, optional

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.integers(0, 10, 5)
        array([3, 7, 8, 3, 5])
        """
        if high is None:
            low, high = 0, low
        return self._integers(low, high, size, dtype, bool(endpoint))

    @where_it_lives
    def permutation(self, x, axis=0):
        """A copy of an array, or of ``arange(x)``, shuffled along an axis.

        Parameters
        ----------
        x : int or cupric.ndarray
        axis : int, optional
            What lies across it stays together.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.permutation(cp.array([[1, 2, 3], [4, 5, 6]]), axis=1)
        array([[3, 2, 1],
               [6, 5, 4]])
        """
        if axis == 0 or isinstance(x, int | np.integer):
            return super().permutation(x)
        rows = moveaxis(_core.asarray(x), axis, 0)
        return moveaxis(super().permutation(rows), 0, axis)

    def shuffle(self, x, axis=0):
        """Shuffle an array's slices along an axis, in place.

        Parameters
        ----------
        x : cupric.ndarray
        axis : int, optional
            What lies across it stays together.

        Raises
        ------
        TypeError
            `x` is no array of a device, or has no axis.

        Examples
        --------
        >>> x = cp.array([[1, 2, 3], [4, 5, 6]])
        >>> cp.random.default_rng(1).shuffle(x, axis=1)
        >>> x
        array([[3, 2, 1],
               [6, 5, 4]])
        """
        if axis != 0 and isinstance(x, _core.ndarray):
            x = moveaxis(x, axis, 0)
        super().shuffle(x)

    @where_it_lives
    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """A random sample of an array's slices along an axis, or of ``arange(a)``.

        Parameters
        ----------
        a : int or cupric.ndarray
        size : int or tuple of ints, optional
            One slice by default.
        replace : bool, optional
            Whether a slice may come more than once.
        p : cupric.ndarray, optional
            Probabilities of the slices; equal by default.
        axis : int, optional
            What lies across it stays together.
        shuffle : bool, optional
            Taken for NumPy's sake: the order is random.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.choice(cp.array([[1, 2, 3], [4, 5, 6]]), 2, replace=False, axis=1)
        array([[3, 2],
               [6, 5]])
        """
        if not isinstance(a, int | np.integer):
            a = _core.asarray(a)
            if a.ndim > 1:
                axis = np.lib.array_utils.normalize_axis_index(axis, a.ndim)
                index = super().choice(a.shape[axis], size, replace, p)
                return a.take(index, axis)
            if a.ndim == 1:
                np.lib.array_utils.normalize_axis_index(axis, 1)
        return super().choice(a, size, replace, p)

    def multivariate_normal(
        self,
        mean,
        cov,
        size=None,
        check_valid="warn",
        tol=1e-08,
        *,
        method="svd",
        dtype=float,
    ):
        """Multivariate normal distribution.

        Unlike that of `RandomState` it looks at `cov`, which may be singular.

        Parameters
        ----------
        mean : array_like
            Of shape (n,).
        cov : array_like
            The covariance, (n, n), symmetric and positive semidefinite.
        size : int or tuple of ints, optional
            Of the draws: the result has one axis more, of length n.
        check_valid : {"warn", "raise", "ignore"}, optional
            What to do where `cov` is not so. Checking waits for the device.
        tol : float, optional
            Tolerance of this check.
        method : {"svd", "eigh", "cholesky"}, optional
            How the root of `cov` is found: the last is the fastest, and needs it
            positive definite.
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.multivariate_normal([0, 1], [[1, 0.5], [0.5, 2]]), 2)
        array([0.27, 0.15])
        """
        return super().multivariate_normal(
            mean, cov, size, check_valid, tol, method, dtype
        )

    def __repr__(self):
        return f"Generator({self.bit_generator!r})"


def default_rng(seed=None):
    """A Generator over Philox 4x32-10.

    Parameters
    ----------
    seed : int, sequence of ints, SeedSequence, BitGenerator or Generator, optional
        The same seed gives the same numbers on every device. Unpredictable by default.
        A Generator is returned as it is.

    Returns
    -------
    Generator

    Examples
    --------
    >>> rng = cp.random.default_rng(1)
    >>> rng.integers(0, 10, 5)
    array([3, 7, 8, 3, 5])
    """
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, BitGenerator):
        return Generator(seed)
    return Generator(Philox4x3210(seed))
