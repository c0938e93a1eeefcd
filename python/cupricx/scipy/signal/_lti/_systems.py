"""Linear time-invariant systems: transfer functions, zeros and poles, state spaces."""

import numpy as np

from cupric import _core
from cupricx.scipy.signal._design._forms import normalize, tf2zpk, zpk2tf
from cupricx.scipy.signal._design._on_host import to_device, to_host
from cupricx.scipy.signal._lti import _frequencies, _simulation
from cupricx.scipy.signal._lti._discretize import discretized
from cupricx.scipy.signal._lti._matrices import block_diagonal
from cupricx.scipy.signal._lti._state_space import (
    abcd_normalize,
    ss2tf,
    ss2zpk,
    tf2ss,
    zpk2ss,
)

__all__ = [
    "LinearTimeInvariant",
    "StateSpace",
    "TransferFunction",
    "ZerosPolesGain",
    "dlti",
    "lti",
]


def _held(name, about):
    """An attribute of which the host has the array, and, once it is asked for, the
    device."""

    def get(self):
        if name not in self._copies:
            self._copies[name] = to_device(self._host[name], self._device)
        return self._copies[name]

    def put(self, value):
        devices = []
        value = to_host(value, devices)
        if self._device is None and devices:
            self._device = devices[0]
        self._copies.pop(name, None)
        self._host[name] = self._read(name, value)

    return property(get, put, doc=about)


class LinearTimeInvariant:
    """What all systems have.

    Attributes
    ----------
    inputs, outputs : int
        How many there are.

    Notes
    -----
    A system is a few numbers, which are kept on the host: conversions copy nothing. Its
    attributes are arrays of the device of the first array that it was made of, or of
    the current device.
    """

    _default_dt = None

    def __new__(cls, *system, **kwargs):
        if cls is LinearTimeInvariant:
            raise NotImplementedError(
                "The LinearTimeInvariant class is not meant to be used directly, use "
                "`lti` or `dlti` instead."
            )
        return super().__new__(cls)

    def __init__(self, *system, dt=None):  # forms keep the system
        self.inputs = None
        self.outputs = None
        self._device = None
        self._host, self._copies = {}, {}
        self._dt = self._default_dt if dt is None else dt

    @property
    def dt(self):
        """The sampling time of a discrete-time system; None of continuous ones."""
        return self._dt

    @dt.setter
    def dt(self, dt):
        self._dt = dt

    @property
    def zeros(self):
        """Zeros of the system."""
        return self.to_zpk().zeros

    @property
    def poles(self):
        """Poles of the system."""
        return self.to_zpk().poles

    def _as_ss(self):
        return self if isinstance(self, StateSpace) else self.to_ss()

    def _as_zpk(self):
        return self if isinstance(self, ZerosPolesGain) else self.to_zpk()

    def _as_tf(self):
        return self if isinstance(self, TransferFunction) else self.to_tf()

    def _parts(self):
        """What it is made of, on the host."""
        return tuple(self._host[name] for name in self._names)

    def _made(self, form, parts):
        """A system of arrays of the host, in the time and on the device of this one."""
        options = {} if self._dt is None else {"dt": self._dt}
        made = form(*parts, **options)
        made._device = self._device
        return made

    def _copied(self):
        return self._made(self._form, self._parts())

    def __deepcopy__(self, memo):
        return self._copied()

    def __getstate__(self):
        return {**self.__dict__, "_copies": {}, "_device": None}

    def __repr__(self):
        parts = "".join(f"{part!r},\n" for part in self._parts())
        return f"{type(self).__name__}(\n{parts}dt: {self.dt!r}\n)"

    def _take(self, system):
        """The device of the first array that is on one; arrays, on the host."""
        devices = []
        parts = to_host(tuple(system), devices)
        self._device = devices[0] if devices else None
        return parts


_COUNT = "`system` needs to be an instance of `{}` or have 2, 3 or 4 arguments."


class lti(LinearTimeInvariant):
    """Linear time-invariant system in continuous time.

    Parameters
    ----------
    *system : array_like
        Two arguments are a `TransferFunction`, numerator and denominator; three are
        `ZerosPolesGain`; four a `StateSpace`, A, B, C and D.

    Returns
    -------
    TransferFunction, ZerosPolesGain or StateSpace
        Which is an `lti`, too.

    Examples
    --------
    >>> from cupricx.scipy.signal import lti
    >>> lti([3, 4], [1, 2])
    TransferFunctionContinuous(
    array([3., 4.]),
    array([1., 2.]),
    dt: None
    )
    """

    def __new__(cls, *system):
        if cls is not lti:
            return super().__new__(cls)
        made = {
            2: TransferFunctionContinuous,
            3: ZerosPolesGainContinuous,
            4: StateSpaceContinuous,
        }.get(len(system))
        if made is None:
            raise ValueError(_COUNT.format("lti"))
        return made.__new__(made, *system)

    def impulse(self, X0=None, T=None, N=None):
        """Impulse response, as `cupricx.scipy.signal.impulse`.

        Parameters
        ----------
        X0, T : array_like, optional
        N : int, optional

        Returns
        -------
        T, yout : cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import lti
        >>> t, y = lti([1.0], [1.0, 0.0]).impulse(T=[0.0, 1.0, 2.0])
        >>> y
        array([1., 1., 1.])
        """
        parts = self._as_ss()._parts()
        return _simulation.continuous_impulse(parts, self._device, X0, T, N)

    def step(self, X0=None, T=None, N=None):
        """Step response, as `cupricx.scipy.signal.step`.

        Parameters
        ----------
        X0, T : array_like, optional
        N : int, optional

        Returns
        -------
        T, yout : cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import lti
        >>> t, y = lti([1.0], [1.0, 0.0]).step(T=[0.0, 1.0, 2.0])
        >>> y
        array([0., 1., 2.])
        """
        parts = self._as_ss()._parts()
        return _simulation.continuous_step(parts, self._device, X0, T, N)

    def output(self, U, T, X0=None):
        """Output of an input, and states, as `cupricx.scipy.signal.lsim`.

        Parameters
        ----------
        U : array_like or None
        T : array_like
        X0 : array_like, optional

        Returns
        -------
        T, yout, xout : cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import lti
        >>> t, y, x = lti([1.0], [1.0, 0.0]).output([1.0, 1.0, 1.0], [0.0, 1.0, 2.0])
        >>> y
        array([0., 1., 2.])
        """
        parts = self._as_ss()._parts()
        return _simulation.continuous(parts, self._device, U, T, X0)

    def bode(self, w=None, n=100):
        """Magnitude and phase, as `cupricx.scipy.signal.bode`.

        Parameters
        ----------
        w : array_like, optional
        n : int, optional

        Returns
        -------
        w, mag, phase : cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import lti
        >>> w, mag, phase = lti([1.0], [1.0, 1.0]).bode(w=[1.0])
        >>> phase
        array([-45.])
        """
        return _frequencies.bode(_responding(self, "freqresp()"), w, n)

    def freqresp(self, w=None, n=10000):
        """Frequency response, as `cupricx.scipy.signal.freqresp`.

        Parameters
        ----------
        w : array_like, optional
        n : int, optional

        Returns
        -------
        w, H : cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import lti
        >>> w, h = lti([1.0], [1.0, 1.0]).freqresp(w=[0.0, 1.0])
        >>> h
        array([1. +0.j , 0.5-0.5j])
        """
        return _frequencies.continuous(_responding(self, "freqresp()"), w, n)

    def to_discrete(self, dt, method="zoh", alpha=None):
        """The system in discrete time, as of `cupricx.scipy.signal.cont2discrete`.

        Parameters
        ----------
        dt : float
        method : str, optional
        alpha : float, optional

        Returns
        -------
        TransferFunction, ZerosPolesGain or StateSpace

        Examples
        --------
        >>> from cupricx.scipy.signal import lti
        >>> lti([1.0, 1.0], [1.0, 2.0]).to_discrete(0.5, "euler").den
        array([1., 0.])
        """
        *parts, dt = discretized(self._parts(), dt, method, alpha)
        made = self._form(*parts, dt=dt)
        made._device = self._device
        return made


class dlti(LinearTimeInvariant):
    """Linear time-invariant system in discrete time.

    Parameters
    ----------
    *system : array_like
        Two arguments are a `TransferFunction`, numerator and denominator; three are
        `ZerosPolesGain`; four a `StateSpace`, A, B, C and D.
    dt : float, optional
        The sampling time; True, the default, where it is not known.

    Returns
    -------
    TransferFunction, ZerosPolesGain or StateSpace
        Which is a `dlti`, too.

    Examples
    --------
    >>> from cupricx.scipy.signal import dlti
    >>> dlti([3, 4], [1, 2], dt=0.1)
    TransferFunctionDiscrete(
    array([3., 4.]),
    array([1., 2.]),
    dt: 0.1
    )
    """

    _default_dt = True

    def __new__(cls, *system, **kwargs):
        if cls is not dlti:
            return super().__new__(cls)
        made = {
            2: TransferFunctionDiscrete,
            3: ZerosPolesGainDiscrete,
            4: StateSpaceDiscrete,
        }.get(len(system))
        if made is None:
            raise ValueError(_COUNT.format("dlti"))
        return made.__new__(made, *system, **kwargs)

    def impulse(self, x0=None, t=None, n=None):
        """Impulse response, as `cupricx.scipy.signal.dimpulse`.

        Parameters
        ----------
        x0, t : array_like, optional
        n : int, optional

        Returns
        -------
        tout : cupric.ndarray
        yout : tuple of cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import dlti
        >>> t, (y,) = dlti([1.0], [1.0, -0.5]).impulse(n=4)
        >>> y.ravel()
        array([0.  , 1.  , 0.5 , 0.25])
        """
        parts = self._as_ss()._parts()
        return _simulation.discrete_impulse(parts, self.dt, self._device, x0, t, n)

    def step(self, x0=None, t=None, n=None):
        """Step response, as `cupricx.scipy.signal.dstep`.

        Parameters
        ----------
        x0, t : array_like, optional
        n : int, optional

        Returns
        -------
        tout : cupric.ndarray
        yout : tuple of cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import dlti
        >>> t, (y,) = dlti([1.0], [1.0, -0.5]).step(n=4)
        >>> y.ravel()
        array([0.  , 1.  , 1.5 , 1.75])
        """
        parts = self._as_ss()._parts()
        return _simulation.discrete_step(parts, self.dt, self._device, x0, t, n)

    def output(self, u, t, x0=None):
        """Output of an input, as `cupricx.scipy.signal.dlsim`.

        Parameters
        ----------
        u : array_like
        t : array_like or None
        x0 : array_like, optional

        Returns
        -------
        tuple of cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import dlti
        >>> t, y = dlti([1.0], [1.0, -0.5]).output([1.0, 1.0, 1.0, 1.0], None)
        >>> y.ravel()
        array([0.  , 1.  , 1.5 , 1.75])
        """
        parts = self._as_ss()._parts()
        made = _simulation.discrete(parts, self.dt, self._device, u, t, x0)
        return made if isinstance(self, StateSpace) else made[:2]

    def bode(self, w=None, n=100):
        """Magnitude and phase, as `cupricx.scipy.signal.dbode`.

        Parameters
        ----------
        w : array_like, optional
        n : int, optional

        Returns
        -------
        w, mag, phase : cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import dlti
        >>> w, mag, phase = dlti([1.0], [1.0, 0.0], dt=0.5).bode(w=[1.0])
        >>> w, mag
        (array([2.]), array([0.]))
        """
        system = _responding(self, "dfreqresp")
        w, magnitude, phase = _frequencies.bode(system, w, n)
        return w / self.dt, magnitude, phase

    def freqresp(self, w=None, n=10000, whole=False):
        """Frequency response, as `cupricx.scipy.signal.dfreqresp`.

        Parameters
        ----------
        w : array_like, optional
        n : int, optional
        whole : bool, optional

        Returns
        -------
        w, H : cupric.ndarray

        Examples
        --------
        >>> from cupricx.scipy.signal import dlti
        >>> w, h = dlti([1.0], [1.0, -0.5]).freqresp(w=[0.0])
        >>> h
        array([2.+0.j])
        """
        return _frequencies.discrete(_responding(self, "dfreqresp"), w, n, whole)


def _responding(system, name):
    """A form of which the response at frequencies can be told."""
    if isinstance(system, StateSpace):
        system = system.to_tf()
    if system.inputs != 1 or system.outputs != 1:
        raise ValueError(
            f"{name} requires a SISO (single input, single output) system, this has "
            f"{system.inputs} inputs and {system.outputs} outputs."
        )
    return system


def _one_system(system):
    return len(system) == 1 and isinstance(system[0], LinearTimeInvariant)


class TransferFunction(LinearTimeInvariant):
    """System as a transfer function: two polynomials.

    Parameters
    ----------
    *system : object
        A system, which is converted; or the numerator and the denominator, the highest
        power first, normalized. The numerator may have a row for each output.
    dt : float, optional
        The sampling time; None, the default, of a system in continuous time. True where
        it is not known.

    Examples
    --------
    >>> from cupricx.scipy.signal import TransferFunction
    >>> s = TransferFunction([1, 3, 3], [2, 4, 2])
    >>> s.num
    array([0.5, 1.5, 1.5])
    """

    _names = ("num", "den")

    def __new__(cls, *system, **kwargs):
        if _one_system(system):
            return system[0].to_tf()
        if cls is TransferFunction:
            is_discrete = kwargs.get("dt") is not None
            form = (
                TransferFunctionDiscrete if is_discrete else TransferFunctionContinuous
            )
            return form.__new__(form, *system, **kwargs)
        return super().__new__(cls)

    def __init__(self, *system, **kwargs):
        if _one_system(system):
            return
        super().__init__(**kwargs)
        if len(system) != 2:
            raise TypeError(
                "a transfer function is a numerator and a denominator, not "
                f"{len(system)} arguments"
            )
        num, den = normalize.on_host(*self._take(system))
        self.num = num[0] if num.ndim == 2 and len(num) == 1 else num
        self.den = den

    @property
    def _form(self):
        return TransferFunction

    num = _held("num", "Numerator of the transfer function.")
    den = _held("den", "Denominator of the transfer function.")

    def _read(self, name, value):
        value = np.atleast_1d(value)
        if name == "num":
            self.outputs, self.inputs = value.shape if value.ndim > 1 else (1, 1)
        return value

    def to_tf(self):
        """A copy.

        Returns
        -------
        TransferFunction

        Examples
        --------
        >>> from cupricx.scipy.signal import TransferFunction
        >>> s = TransferFunction([1.0], [1.0, 3.0, 2.0])
        >>> s.to_tf() is s
        False
        """
        return self._copied()

    def to_zpk(self):
        """The system as `ZerosPolesGain`.

        Returns
        -------
        ZerosPolesGain

        Examples
        --------
        >>> from cupricx.scipy.signal import TransferFunction
        >>> TransferFunction([1.0], [1.0, 3.0, 2.0]).to_zpk().poles
        array([-2., -1.])
        """
        return self._made(ZerosPolesGain, tf2zpk.on_host(*self._parts()))

    def to_ss(self):
        """The system as `StateSpace`.

        Returns
        -------
        StateSpace

        Examples
        --------
        >>> from cupricx.scipy.signal import TransferFunction
        >>> TransferFunction([1.0], [1.0, 3.0, 2.0]).to_ss().A
        array([[-3., -2.],
               [ 1.,  0.]])
        """
        return self._made(StateSpace, tf2ss.on_host(*self._parts()))


class ZerosPolesGain(LinearTimeInvariant):
    """System as zeros, poles and a gain.

    Parameters
    ----------
    *system : object
        A system, which is converted; or zeros, poles and gain.
    dt : float, optional
        The sampling time; None, the default, of a system in continuous time. True where
        it is not known.

    Examples
    --------
    >>> from cupricx.scipy.signal import ZerosPolesGain
    >>> ZerosPolesGain([1, 2], [3, 4], 5).to_tf()
    TransferFunctionContinuous(
    array([  5., -15.,  10.]),
    array([ 1., -7., 12.]),
    dt: None
    )
    """

    _names = ("zeros", "poles", "gain")

    def __new__(cls, *system, **kwargs):
        if _one_system(system):
            return system[0].to_zpk()
        if cls is ZerosPolesGain:
            is_discrete = kwargs.get("dt") is not None
            form = ZerosPolesGainDiscrete if is_discrete else ZerosPolesGainContinuous
            return form.__new__(form, *system, **kwargs)
        return super().__new__(cls)

    def __init__(self, *system, **kwargs):
        if _one_system(system):
            return
        super().__init__(**kwargs)
        if len(system) != 3:
            raise ValueError(
                f"zeros, poles and a gain are three arguments, not {len(system)}"
            )
        self.zeros, self.poles, self.gain = self._take(system)

    @property
    def _form(self):
        return ZerosPolesGain

    zeros = _held("zeros", "Zeros of the system.")
    poles = _held("poles", "Poles of the system.")
    gain = _held("gain", "Gain of the system.")

    def _read(self, name, value):
        if name == "gain":
            return value
        value = np.atleast_1d(value)
        if name == "zeros":
            self.outputs, self.inputs = value.shape if value.ndim > 1 else (1, 1)
        return value

    def to_tf(self):
        """The system as a `TransferFunction`.

        Returns
        -------
        TransferFunction

        Examples
        --------
        >>> from cupricx.scipy.signal import ZerosPolesGain
        >>> ZerosPolesGain([], [-1.0, -2.0], 1.0).to_tf().den
        array([1., 3., 2.])
        """
        return self._made(TransferFunction, zpk2tf.on_host(*self._parts()))

    def to_zpk(self):
        """A copy.

        Returns
        -------
        ZerosPolesGain

        Examples
        --------
        >>> from cupricx.scipy.signal import ZerosPolesGain
        >>> s = ZerosPolesGain([], [-1.0, -2.0], 1.0)
        >>> s.to_zpk() is s
        False
        """
        return self._copied()

    def to_ss(self):
        """The system as `StateSpace`.

        Returns
        -------
        StateSpace

        Examples
        --------
        >>> from cupricx.scipy.signal import ZerosPolesGain
        >>> ZerosPolesGain([], [-1.0, -2.0], 1.0).to_ss().A
        array([[-3., -2.],
               [ 1.,  0.]])
        """
        return self._made(StateSpace, zpk2ss.on_host(*self._parts()))


class StateSpace(LinearTimeInvariant):
    """System as matrices of its states: ``x' = A x + B u``, ``y = C x + D u``.

    In discrete time it is ``x[k+1]`` in place of the derivative.

    Parameters
    ----------
    *system : object
        A system, which is converted; or A, B, C and D.
    dt : float, optional
        The sampling time; None, the default, of a system in continuous time. True where
        it is not known.

    Notes
    -----
    Systems can be added and multiplied, which is one behind the other, the second
    first, and with matrices and numbers.

    Examples
    --------
    >>> from cupricx.scipy.signal import StateSpace
    >>> s = StateSpace([[0, 1], [0, 0]], [[0], [1]], [[1, 0]], [[0]])
    >>> (2 * s).C
    array([[2, 0]])
    """

    _names = ("A", "B", "C", "D")
    __array_priority__ = 100.0  # before NumPy's arrays
    __array_ufunc__ = None

    def __new__(cls, *system, **kwargs):
        if _one_system(system):
            return system[0].to_ss()
        if cls is StateSpace:
            is_discrete = kwargs.get("dt") is not None
            form = StateSpaceDiscrete if is_discrete else StateSpaceContinuous
            return form.__new__(form, *system, **kwargs)
        return super().__new__(cls)

    def __init__(self, *system, **kwargs):
        if _one_system(system):
            return
        super().__init__(**kwargs)
        if len(system) > 4:
            raise TypeError(f"A, B, C and D are four arguments, not {len(system)}")
        self.A, self.B, self.C, self.D = abcd_normalize.on_host(*self._take(system))

    @property
    def _form(self):
        return StateSpace

    A = _held("A", "State matrix of the system.")
    B = _held("B", "Input matrix of the system.")
    C = _held("C", "Output matrix of the system.")
    D = _held("D", "Feedthrough matrix of the system.")

    def _read(self, name, value):
        value = np.atleast_2d(value)
        if name == "B":
            self.inputs = value.shape[-1]
        elif name == "C":
            self.outputs = value.shape[0]
        return value

    def to_tf(self, **kwargs):
        """The system as a `TransferFunction`, of one of the inputs.

        Parameters
        ----------
        input : int, optional
            Which of the inputs, by default the first.

        Returns
        -------
        TransferFunction

        Examples
        --------
        >>> from cupricx.scipy.signal import StateSpace
        >>> StateSpace([[-1.0]], [[1.0]], [[2.0]], [[1.0]]).to_tf().den
        array([1., 1.])
        """
        return self._made(TransferFunction, ss2tf.on_host(*self._parts(), **kwargs))

    def to_zpk(self, **kwargs):
        """The system as `ZerosPolesGain`, of one of the inputs.

        Parameters
        ----------
        input : int, optional
            Which of the inputs, by default the first.

        Returns
        -------
        ZerosPolesGain

        Examples
        --------
        >>> from cupricx.scipy.signal import StateSpace
        >>> StateSpace([[-1.0]], [[1.0]], [[2.0]], [[1.0]]).to_zpk().poles
        array([-1.])
        """
        return self._made(ZerosPolesGain, ss2zpk.on_host(*self._parts(), **kwargs))

    def to_ss(self):
        """A copy.

        Returns
        -------
        StateSpace

        Examples
        --------
        >>> from cupricx.scipy.signal import StateSpace
        >>> s = StateSpace([[-1.0]], [[1.0]], [[2.0]], [[1.0]])
        >>> s.to_ss() is s
        False
        """
        return self._copied()

    def _operand(self, other):
        """A number or matrix on the host; None where there is no arithmetic with it."""
        if isinstance(other, (np.ndarray, np.number, float, complex, int)):
            return other
        if isinstance(other, _core.ndarray):
            if self._device is None:
                self._device = other.device
            return other.get()
        return None

    def _require_same_time(self, other, what):
        if self.dt != other.dt:
            raise TypeError(f"Cannot {what} systems with different `dt`.")

    def __mul__(self, other):
        a, b, c, d = self._parts()
        if isinstance(other, StateSpace):
            if type(other) is not type(self):
                return NotImplemented
            self._require_same_time(other, "multiply")
            a2, b2, c2, d2 = other._parts()
            both = block_diagonal(a, a2).astype(np.result_type(a, a2, b, c2))
            both[: len(a), len(a) :] = b @ c2
            parts = (
                both,
                np.vstack([b @ d2, b2]),
                np.hstack([c, d @ c2]),
                d @ d2,
            )
            return self._made(StateSpace, _of_one_dtype(parts))
        other = self._operand(other)
        if other is None:
            return NotImplemented
        return self._made(
            StateSpace, _of_one_dtype((a, np.dot(b, other), c, np.dot(d, other)))
        )

    def __rmul__(self, other):
        other = self._operand(other)
        if other is None:
            return NotImplemented
        a, b, c, d = self._parts()
        parts = (a, b, np.dot(other, c), np.dot(other, d))
        return self._made(StateSpace, _of_one_dtype(parts))

    def __neg__(self):
        a, b, c, d = self._parts()
        return self._made(StateSpace, (a, b, -c, -d))

    def __add__(self, other):
        a, b, c, d = self._parts()
        if isinstance(other, StateSpace):
            if type(other) is not type(self):
                raise TypeError(f"Cannot add {type(self)} and {type(other)}")
            self._require_same_time(other, "add")
            a2, b2, c2, d2 = other._parts()
            parts = (
                block_diagonal(a, a2),
                np.vstack([b, b2]),
                np.hstack([c, c2]),
                d + d2,
            )
            return self._made(StateSpace, _of_one_dtype(parts))
        other = self._operand(other)
        if other is None:
            return NotImplemented
        other = np.atleast_2d(other)
        if d.shape != other.shape:
            raise ValueError(
                "Cannot add systems with incompatible dimensions "
                f"({d.shape} and {other.shape})"
            )
        return self._made(StateSpace, _of_one_dtype((a, b, c, d + other)))

    def __sub__(self, other):
        if not isinstance(other, StateSpace):
            other = self._operand(other)
            if other is None:
                return NotImplemented
        return self.__add__(-other)

    def __radd__(self, other):
        return self.__add__(other)

    def __rsub__(self, other):
        return (-self).__add__(other)

    def __truediv__(self, other):
        if isinstance(other, StateSpace):
            return NotImplemented
        other = self._operand(other)
        if other is None:
            return NotImplemented
        if isinstance(other, np.ndarray) and other.ndim > 0:
            raise ValueError("Cannot divide StateSpace by non-scalar numpy arrays")
        return self.__mul__(1 / other)


def _of_one_dtype(parts):
    dtype = np.result_type(*(part.dtype for part in parts))
    return tuple(part.astype(dtype) for part in parts)


class TransferFunctionContinuous(TransferFunction, lti):
    """Transfer function in continuous time."""


class TransferFunctionDiscrete(TransferFunction, dlti):
    """Transfer function in discrete time."""


class ZerosPolesGainContinuous(ZerosPolesGain, lti):
    """Zeros, poles and gain in continuous time."""


class ZerosPolesGainDiscrete(ZerosPolesGain, dlti):
    """Zeros, poles and gain in discrete time."""


class StateSpaceContinuous(StateSpace, lti):
    """State space in continuous time."""


class StateSpaceDiscrete(StateSpace, dlti):
    """State space in discrete time."""
