"""Distributions over a bit generator, shared by Generator and RandomState.

What Philox's kernels draw themselves is uniform, normal, exponential and integer;
others here are functions of one of those. Integers are in `_integers`; those that are
made by rejection, or of several, in `_continuous`, `_discrete` and `_multivariate`.
"""

import numpy as np

from cupric import _core
from cupric._manipulation._args import where_it_lives
from cupric.random._arguments import float_dtype, read_shape
from cupric.random._continuous import Continuous
from cupric.random._discrete import Discrete
from cupric.random._distributions import kernels
from cupric.random._integers import Integers
from cupric.random._multivariate import Multivariate

__all__ = [
    "Sampler",
]

# `choice` without replacement sorts all there is, unless it takes less than one in so
# many of more than this.
_FEW, _SORTED = 16, 1 << 16


def _any(condition):
    return bool(condition.any()) if isinstance(condition, _core.ndarray) else condition


def _require_not_negative(name, value):
    if _any(value < 0):
        raise ValueError(f"{name} < 0")


def _require_positive(name, value):
    if _any(value <= 0):
        raise ValueError(f"{name} <= 0")


class Sampler(Continuous, Discrete, Integers, Multivariate):
    """The distributions; subclasses have `_bits`, a BitGenerator."""

    _ordered = False  # whether uniform() wants its limits in order

    def _standard(self, kind, size, dtype, out=None, p0=0.0):
        dtype = float_dtype(dtype)
        shape = read_shape(size)
        if out is not None:
            if shape is not None and shape != out.shape:
                raise ValueError("size must match out.shape when used together")
            shape = out.shape
        return self._bits._fill(kind, shape, dtype, p0, 1.0, out=out)

    def _uniform01(self, size, dtype, out=None):
        return self._standard(_core._UNIFORM, size, dtype, out)

    def _parameters(self, size, *values):
        """The shape that array parameters and `size` give, and the parameters."""
        arrays = [v for v in values if isinstance(v, _core.ndarray)]
        values = [
            _core.asarray(v) if isinstance(v, (list, tuple, np.ndarray)) else v
            for v in values
        ]
        arrays = [v for v in values if isinstance(v, _core.ndarray)]
        shape = read_shape(size)
        if not arrays:
            return shape, values
        common = _core.broadcast_shapes(*(a.shape for a in arrays))
        if shape is None:
            return common, values
        if _core.broadcast_shapes(common, shape) != shape:
            raise ValueError(
                f"parameters of shape {common} do not broadcast to the size {shape}"
            )
        return shape, values

    @where_it_lives
    def uniform(self, low=0.0, high=1.0, size=None, dtype=float):
        """Uniform on [low, high).

        Parameters
        ----------
        low, high : float or array_like, optional
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.uniform(1, 2, 3), 2)
        array([1.73, 1.35, 1.08])
        """
        dtype = float_dtype(dtype)
        shape, (low, high) = self._parameters(size, low, high)
        span = high - low
        finite = _core.isfinite(span) if isinstance(span, _core.ndarray) else None
        if not (bool(finite.all()) if finite is not None else np.isfinite(span)):
            raise OverflowError("high - low range exceeds valid bounds")
        if self._ordered and _any(high < low):
            raise ValueError("high - low < 0")
        if not isinstance(low, _core.ndarray) and not isinstance(high, _core.ndarray):
            return self._bits._fill(
                _core._UNIFORM, shape, dtype, float(low), float(high)
            )
        u = self._uniform01(shape, dtype)
        return (low + (high - low) * u).astype(dtype, copy=False)

    @where_it_lives
    def normal(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Normal distribution of mean `loc` and standard deviation `scale`.

        Parameters
        ----------
        loc, scale : float or array_like, optional
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.normal(10, 2, 3), 2)
        array([ 9.09, 11.3 ,  5.69])
        """
        dtype = float_dtype(dtype)
        shape, (loc, scale) = self._parameters(size, loc, scale)
        _require_not_negative("scale", scale)
        if not isinstance(loc, _core.ndarray) and not isinstance(scale, _core.ndarray):
            return self._bits._fill(
                _core._NORMAL, shape, dtype, float(loc), float(scale)
            )
        z = self._standard(_core._NORMAL, shape, dtype)
        return (loc + scale * z).astype(dtype, copy=False)

    def standard_normal(self, size=None, dtype=float, out=None):
        """Normal distribution of mean 0 and standard deviation 1.

        Parameters
        ----------
        size : int or tuple of ints, optional
        dtype : data-type, optional
        out : cupric.ndarray, optional
            C-contiguous, of `dtype`; receives the numbers.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.standard_normal(3), 2)
        array([-0.46,  0.65, -2.15])
        """
        return self._standard(_core._NORMAL, size, dtype, out)

    def standard_exponential(self, size=None, dtype=float, method="inv", out=None):
        """Exponential distribution of mean 1.

        Parameters
        ----------
        size : int or tuple of ints, optional
        dtype : data-type, optional
        method : ignored
        out : cupric.ndarray, optional

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.standard_exponential(3), 2)
        array([0.31, 1.06, 2.49])
        """
        return self._standard(_core._EXPONENTIAL, size, dtype, out, p0=1.0)

    @where_it_lives
    def exponential(self, scale=1.0, size=None, dtype=float):
        """Exponential distribution of mean `scale`; see `standard_exponential`.

        Parameters
        ----------
        scale : float or array_like
            Not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.exponential(2, 3), 2)
        array([0.63, 2.11, 4.97])
        """
        shape, (scale,) = self._parameters(size, scale)
        _require_not_negative("scale", scale)
        if not isinstance(scale, _core.ndarray):
            return self._standard(_core._EXPONENTIAL, shape, dtype, p0=float(scale))
        e = self.standard_exponential(shape, dtype)
        return (scale * e).astype(e.dtype, copy=False)

    def _transform(self, name, shape, dtype, *values):
        """Of a standard number each, by a kernel; parameters have been looked at."""
        values = [v if isinstance(v, _core.ndarray) else float(v) for v in values]
        return self._floats(name, shape, dtype, values)

    def lognormal(self, mean=0.0, sigma=1.0, size=None, dtype=float):
        """Exponential of a normal distribution with these parameters.

        Parameters
        ----------
        mean, sigma : float or array_like
            Of the normal distribution; `sigma` is not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.lognormal(0, 1, 3), 2)
        array([0.63, 1.91, 0.12])
        """
        shape, (mean, sigma) = self._parameters(size, mean, sigma)
        _require_not_negative("sigma", sigma)
        return self._transform("lognormal", shape, dtype, mean, sigma)

    def laplace(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Laplace distribution: an exponential variate of either sign.

        Parameters
        ----------
        loc : float or array_like
            Where the center is.
        scale : float or array_like
            Not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.laplace(0, 1, 3), 2)
        array([-0.31,  1.06, -2.49])
        """
        shape, (loc, scale) = self._parameters(size, loc, scale)
        _require_not_negative("scale", scale)
        return self._transform("laplace", shape, dtype, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Logistic distribution, by inversion.

        Parameters
        ----------
        loc : float or array_like
            Where the center is.
        scale : float or array_like
            Not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.logistic(0, 1, 3), 2)
        array([ 0.99, -0.63, -2.4 ])
        """
        shape, (loc, scale) = self._parameters(size, loc, scale)
        _require_not_negative("scale", scale)
        return self._transform("logistic", shape, dtype, loc, scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None, dtype=float):
        """Gumbel distribution: minus the logarithm of an exponential variate.

        Parameters
        ----------
        loc : float or array_like
            The mode.
        scale : float or array_like
            Not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.gumbel(0, 1, 3), 2)
        array([ 1.16, -0.06, -0.91])
        """
        shape, (loc, scale) = self._parameters(size, loc, scale)
        _require_not_negative("scale", scale)
        return self._transform("gumbel", shape, dtype, loc, scale)

    def rayleigh(self, scale=1.0, size=None, dtype=float):
        """Rayleigh distribution: the root of twice an exponential variate.

        Parameters
        ----------
        scale : float or array_like
            Not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.rayleigh(1, 3), 2)
        array([0.79, 1.45, 2.23])
        """
        shape, (scale,) = self._parameters(size, scale)
        _require_not_negative("scale", scale)
        return self._transform("rayleigh", shape, dtype, scale)

    def weibull(self, a, size=None, dtype=float):
        """Weibull distribution of shape `a`.

        Parameters
        ----------
        a : float or array_like
            The shape, not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.weibull(2, 3), 2)
        array([0.56, 1.03, 1.58])
        """
        shape, (a,) = self._parameters(size, a)
        _require_not_negative("a", a)
        return self._transform("weibull", shape, dtype, a)

    def pareto(self, a, size=None, dtype=float):
        """Pareto II (Lomax) distribution of shape `a`.

        Parameters
        ----------
        a : float or array_like
            The shape, positive.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.pareto(3, 3), 2)
        array([0.11, 0.42, 1.29])
        """
        shape, (a,) = self._parameters(size, a)
        _require_positive("a", a)
        return self._transform("pareto", shape, dtype, a)

    def power(self, a, size=None, dtype=float):
        """Distribution on [0, 1] with density ``a * x**(a - 1)``.

        Parameters
        ----------
        a : float or array_like
            The shape, positive.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.power(3, 3), 2)
        array([0.9 , 0.7 , 0.44])
        """
        shape, (a,) = self._parameters(size, a)
        _require_positive("a", a)
        return self._transform("power", shape, dtype, a)

    def standard_cauchy(self, size=None, dtype=float):
        """Cauchy distribution: the cotangent of a uniform angle.

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
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.standard_cauchy(3), 2)
        array([ 0.13, -0.7 ,  1.73])
        """
        return self._transform("standard_cauchy", read_shape(size), dtype)

    def triangular(self, left, mode, right, size=None, dtype=float):
        """Triangular distribution on [left, right] with its peak at `mode`.

        Parameters
        ----------
        left, mode, right : float or array_like
            In this order; `left` is less than `right`.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one, float64 by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.triangular(0, 1, 3, 3), 2)
        array([1.73, 1.02, 0.5 ])
        """
        shape, (left, mode, right) = self._parameters(size, left, mode, right)
        for wrong, words in (
            (left > mode, "left > mode"),
            (mode > right, "mode > right"),
            (left == right, "left == right"),
        ):
            if _any(wrong):
                raise ValueError(words)
        return self._transform("triangular", shape, dtype, left, mode, right)

    def bytes(self, length):
        """Random bytes.

        Parameters
        ----------
        length : int

        Returns
        -------
        bytes

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> len(rng.bytes(10))
        10
        """
        words = self._bits._fill(_core._BITS, (-(-length // 4),), np.uint32)
        return words.get().tobytes()[:length]

    def _order(self, n):
        """A random permutation of 0 … n - 1, by sorting random words."""
        words = self._bits._fill(_core._BITS, (n,), np.uint64)
        return words.argsort()

    @where_it_lives
    def permutation(self, a):
        """A shuffled copy of an array's rows, or of ``arange(a)``.

        Parameters
        ----------
        a : int or cupric.ndarray

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.permutation(5)
        array([2, 1, 3, 4, 0])
        """
        if isinstance(a, (int, np.integer)):
            return self._order(int(a))
        a = _core.asarray(a)
        if a.ndim == 0:
            raise IndexError(
                "a is an integer, or an array of one axis at least, not one without "
                f"axes of {a.dtype}"
            )
        return a[self._order(len(a))]

    @where_it_lives
    def shuffle(self, a):
        """Shuffle an array along its first axis, in place.

        Parameters
        ----------
        a : cupric.ndarray
            Its rows change places, and stay as they are.

        Raises
        ------
        TypeError
            `a` is no array of a device, or has no axis.

        Examples
        --------
        >>> x = cp.arange(6).reshape(3, 2)
        >>> cp.random.RandomState(1).shuffle(x)
        >>> x
        array([[4, 5],
               [2, 3],
               [0, 1]])
        """
        if not isinstance(a, _core.ndarray):
            raise TypeError("The array must be cupric.ndarray")
        if a.ndim == 0:
            raise TypeError("An array whose ndim is 0 is not supported")
        a[...] = a[self._order(len(a))]

    @where_it_lives
    def choice(self, a, size=None, replace=True, p=None):
        """A random sample of an array, or of ``arange(a)``.

        Parameters
        ----------
        a : int or cupric.ndarray, one-dimensional
        size : int or tuple of ints, optional
            One element by default.
        replace : bool, optional
            Whether an element may come more than once.
        p : cupric.ndarray, optional
            Probabilities of the elements; equal by default.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.choice(5, 3, replace=False)
        array([2, 1, 3])
        """
        if not isinstance(a, (int, np.integer)):
            a = _core.asarray(a)
            if a.ndim == 0 and a.dtype.kind in "iub":
                a = int(a)
        if isinstance(a, (int, np.integer)):
            population, values = int(a), None
        else:
            values = a
            if values.ndim != 1:
                raise ValueError("a must be 1-dimensional or an integer")
            population = values.size
        shape = read_shape(size)
        count = 1 if shape is None else int(np.prod(shape))
        if population <= 0 < count:
            raise ValueError(
                "a must be greater than 0" if values is None else "a must be non-empty"
            )
        if p is not None:
            p = _probabilities(p, population)
        population = max(population, 1)  # of which no element is taken where it is 0
        if replace:
            index = self._with_replacement(population, count, p)
        else:
            if count > population:
                raise ValueError(
                    "Cannot take a larger sample than population when 'replace=False'"
                )
            index = self._without_replacement(population, count, p)
        index = index.reshape(() if shape is None else shape)
        return index if values is None else values[index]

    def _with_replacement(self, population, count, p):
        if p is None:
            return self._integers(0, population, (count,), np.int64, False)
        edges = p.cumsum()
        edges /= edges[-1]
        u = self._uniform01((count,), np.float64)
        return _core.minimum(_core.searchsorted(edges, u, side="right"), population - 1)

    def _without_replacement(self, population, count, p):
        if p is None and count < population // _FEW and population > _SORTED:
            index = _core.empty(count, np.int64)
            kernels().fill_order(index, self._bits._next_place(), population)
            return index
        if p is None:
            return self._order(population)[:count].copy()
        # The order of exponential variates over their rates is a weighted permutation
        # (Efraimidis and Spirakis, 2006).
        if int((p > 0).sum()) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        keys = self.standard_exponential((population,)) / p
        return keys.argsort()[:count].copy()


def _probabilities(p, population):
    p = _core.asarray(p, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if p.size != population:
        raise ValueError("a and p must have same size")
    if not bool((p >= 0).all()):
        raise ValueError("probabilities are not non-negative")
    if abs(float(p.sum()) - 1) > 1e-8:
        raise ValueError("probabilities do not sum to 1")
    return p
