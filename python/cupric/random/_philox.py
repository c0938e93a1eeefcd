"""The bit generator: a key, and a counter of the fills made so far.

Element j of a fill depends on (key, counter, j) alone, so a seed gives the same numbers
on every device; docs/random.md and cuda/include/cupric/philox.hpp have the layout.
"""

import operator
import os
import threading

import numpy as np

from cupric import _core

__all__ = [
    "BitGenerator",
    "MRG32k3a",
    "Philox4x3210",
    "XORWOW",
]

_LARGEST = 2**64 - 1  # counters begin again

# Of all generators: held while a number is drawn from a counter. A child of fork, whose
# other threads are gone, finds it free.
_lock = threading.Lock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)

# numpy.random takes 10 ms to import, by the first generator. A fork waits for the end
# of that, since its child would wait for ever.
_importing = threading.RLock()
os.register_at_fork(
    before=_importing.acquire,
    after_in_parent=_importing.release,
    after_in_child=_importing.release,
)


class BitGenerator:
    """Source of random bits, of which a `Generator` makes numbers.

    Parameters
    ----------
    seed : int, sequence of ints or numpy.random.SeedSequence, optional
        Not negative. Unpredictable by default.
    size : int
        Has no effect: CuPy's number of states that a generator has.

    Examples
    --------
    >>> bits = cp.random.Philox4x3210(1)
    >>> isinstance(bits, cp.random.BitGenerator)
    True
    >>> rng = cp.random.Generator(bits)
    """

    def __init__(self, seed=None, *, size=-1):
        with _importing:
            sequence = np.random.SeedSequence
        if not isinstance(seed, sequence):
            if seed is not None:
                seed = _as_entropy(seed)
            seed = sequence(seed)
        self.seed_seq = seed
        self.lock = _lock
        self._key = int(seed.generate_state(1, np.uint64)[0])
        self._counter = 0

    @property
    def _seed_seq(self):  # CuPy's and NumPy's name, from which Dask spawns
        return self.seed_seq

    def _fill(self, kind, shape, dtype, p0=0.0, p1=1.0, lo=0, hi=0, out=None):
        """An array of the next draws; the state moves on by one fill."""
        return _core._random(
            kind, shape, dtype, *self._next_place(), p0, p1, lo, hi, out
        )

    def _next_place(self):
        """The key and the counter of the next fill; the state moves on by it."""
        with self.lock:
            counter = self._counter
            self._counter = counter + 1 & _LARGEST
            return self._key, counter

    def random_raw(self, size=None, output=True):
        """Random 64-bit words.

        Parameters
        ----------
        size : int or tuple of ints, optional
            One word by default.
        output : bool, optional
            False only moves the state on.

        Returns
        -------
        cupric.ndarray of uint64, or None

        Examples
        --------
        >>> cp.random.Philox4x3210(1).random_raw(2)
        array([13465995902159247485,  6411633685487470712], dtype=uint64)
        """
        words = self._fill(_core._BITS, size, np.uint64)
        return words if output else None

    def spawn(self, n):
        """`n` generators whose streams are independent of this one and of each other.

        Parameters
        ----------
        n : int

        Returns
        -------
        list of BitGenerator

        Examples
        --------
        >>> first, second = cp.random.Philox4x3210(1).spawn(2)
        >>> bool(first.random_raw() == second.random_raw())
        False
        """
        return [type(self)(s) for s in self.seed_seq.spawn(n)]

    def jumped(self, jumps=1):
        """A generator of the same key, farther on: by 2**40 fills for each jump.

        Parameters
        ----------
        jumps : int, optional

        Returns
        -------
        BitGenerator

        Examples
        --------
        >>> bits = cp.random.Philox4x3210(1)
        >>> bits.jumped(2).state["state"]["counter"] == 2 * 2**40
        True
        """
        other = type(self)(self.seed_seq)
        with self.lock:
            counter = self._counter + (operator.index(jumps) << 40)
            other._key, other._counter = self._key, counter & _LARGEST
        return other

    @property
    def state(self):
        """The key and the counter, as a dictionary. Settable."""
        return {
            "bit_generator": type(self).__name__,
            "state": {"key": self._key, "counter": self._counter},
        }

    @state.setter
    def state(self, value):
        if value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state must be for a {type(self).__name__} generator")
        with self.lock:
            self._key = int(value["state"]["key"])
            self._counter = int(value["state"]["counter"])

    def __getstate__(self):
        return {"seed_seq": self.seed_seq, "state": self.state}

    def __setstate__(self, saved):
        self.seed_seq = saved["seed_seq"]
        self.lock = _lock
        self.state = saved["state"]

    def __repr__(self):
        return f"<{type(self).__name__} key=0x{self._key:016x} fills={self._counter}>"


class Philox4x3210(BitGenerator):
    """Philox 4x32-10, the one algorithm behind all random numbers here.

    Parameters
    ----------
    seed : int, sequence of ints or numpy.random.SeedSequence, optional
        Not negative. Unpredictable by default.
    size : int
        Has no effect.

    References
    ----------
    J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as
    easy as 1, 2, 3", SC'11.

    Examples
    --------
    >>> bits = cp.random.Philox4x3210(1)
    >>> cp.round(cp.random.Generator(bits).random(3), 2)
    array([0.73, 0.35, 0.08])
    """


class XORWOW(Philox4x3210):
    """CuPy's name for its default generator: Philox 4x32-10 here.

    Parameters
    ----------
    seed : int, sequence of ints or numpy.random.SeedSequence, optional
        Not negative. Unpredictable by default.
    size : int
        Has no effect.

    Examples
    --------
    >>> x, y = cp.random.XORWOW(1), cp.random.Philox4x3210(1)
    >>> bool(x.random_raw() == y.random_raw())
    True
    """


class MRG32k3a(Philox4x3210):
    """CuPy's name for another generator: Philox 4x32-10 here.

    Parameters
    ----------
    seed : int, sequence of ints or numpy.random.SeedSequence, optional
        Not negative. Unpredictable by default.
    size : int
        Has no effect.

    Examples
    --------
    >>> x, y = cp.random.MRG32k3a(1), cp.random.Philox4x3210(1)
    >>> bool(x.random_raw() == y.random_raw())
    True
    """


def _as_entropy(seed):
    """An int of any size, or a list of these."""
    if isinstance(seed, _core.ndarray):
        seed = seed.get()
    if isinstance(seed, int | np.integer | np.bool_):
        words = [int(seed)]
    else:
        words = [_as_int(s) for s in np.asarray(seed, dtype=object).ravel()]
    if any(w < 0 for w in words):
        raise ValueError("expected non-negative integer")
    return words[0] if np.ndim(seed) == 0 else words


def _as_int(seed):
    if isinstance(seed, float | np.floating) and float(seed).is_integer():
        return int(seed)
    try:
        return operator.index(seed)
    except TypeError:
        raise TypeError(
            f"SeedSequence expects int or sequence of ints for entropy, not {seed!r}"
        ) from None
