"""Solvers of square systems by Arnoldi's process: gmres and lgmres."""

import math
import operator
import warnings

import numpy as np

from cupric import _core
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library
from cupricx.scipy.sparse.linalg._steps import Check, initial_sums
from cupricx.scipy.sparse.linalg._systems import System, norm_of, tolerance

__all__ = ["gmres", "lgmres"]

_library = Library(__file__, "_arnoldi.cuh")
_enum = _library.enum


def _example(xp):
    results = []
    for dtype in "fdFD":
        n = 3000
        a = xp.asarray((np.arange(n) % 7 - 3).astype(dtype))
        cycle = Cycle(a, 3)
        cycle.begin(a, 0.0)
        for j in range(3):
            cycle.step(j, xp.roll(cycle.v[j], j + 1) * xp.asarray(a))
        x = xp.zeros(n, dtype)
        cycle.solve()
        cycle.combine(cycle.v, x, 0, 3)
        y = xp.zeros(n, dtype)
        cycle.combine(cycle.v, y, 0, 4, is_image=True)
        results += [x, y, cycle.state[: _enum.SLOTS]]
    return results


_PAIRS = "fd dd FD DD"


def _kernel(signature, **kwargs):
    kwargs.setdefault("ships", _PAIRS)
    if "elements" not in kwargs:
        kwargs["threads"] = "THREADS"
    return _library.kernel(signature, example=_example, **kwargs)


_norm = _kernel("arnoldi_norm<T, W>", blocks="s.parts")
_begin = _kernel("arnoldi_begin<T, W>", elements="n")
_multiply = _kernel("arnoldi_multiply<T, W>", blocks="s.parts")
_subtract = _kernel("arnoldi_subtract<T, W>", blocks="s.parts")
_rotate = _kernel("arnoldi_rotate<T, W>", blocks="pieces")
_solve = _kernel("arnoldi_solve<W>", blocks="blocks", ships="d D")
_image = _kernel("arnoldi_image<W>", elements="count", ships="d D")
_combine = _kernel("arnoldi_combine<T, W>", blocks="s.parts")

_LINE = 128  # bytes at which rows begin
_PART = 2048  # elements of a part at least: each adds to a sum for every vector
_EACH = 4  # steps between looks at the state


class Cycle:
    """Arnoldi's process from one vector, up to `m` steps of it.

    Parameters
    ----------
    like : cupric.ndarray
        A vector: the others are of its length, dtype and device.
    m : int

    Attributes
    ----------
    v : list of cupric.ndarray
        The orthonormal vectors.
    state : cupric.ndarray
    """

    def __init__(self, like, m):
        self.n, self.m = n, m = like.size, int(m)
        self.dtype, device = like.dtype, like.device
        self._pair = self.dtype, np.promote_types(self.dtype, np.float64)
        line = _LINE // self.dtype.itemsize
        self._ld = -(-n // line) * line
        self._rows = _core.empty((m + 1, self._ld), self.dtype, device=device)
        self.v = [row[:n] for row in self._rows]
        self.state = _core.zeros(_enum.SLOTS, np.complex128, device=device)
        self.state[_enum.EPSILON] = float(np.finfo(self.dtype).eps)
        small = 2 * m * (m + 1) + 5 * m + 4 + (m + 2) * _enum.PARTS
        self._small = _core.zeros(small, self._pair[1], device=device)
        part = max(_PART, -(-n // _enum.PARTS))
        part = -(-part // _enum.THREADS) * _enum.THREADS
        self._layout = {"n": n, "part": part, "parts": -(-n // part), "ld": self._ld}
        self._steps = {}

    def _sizes(self, j=0, again=0, first=0, count=0):
        key = j, again, first, count
        sizes = self._steps.get(key)
        if sizes is None:
            sizes = self._steps[key] = _library.struct.arnoldi_sizes(
                **self._layout,
                m=self.m,
                j=j,
                **{"pass": again},
                first=first,
                count=count,
            )
        return sizes

    def norm(self, y, slot):
        """Puts the norm of a vector into a slot of the state."""
        _norm[self._pair](
            y=y, h=self._small, state=self.state, s=self._sizes(), slot=slot
        )

    def begin(self, y, enough, is_scaled=False):
        """Begins a cycle with a vector, whose norm is in the slot PRECONDITIONED. It
        ends when the estimate of the residual, which `is_scaled` relates to that norm,
        is no larger than `enough`."""
        _begin[self._pair](
            y=y,
            v=self._rows,
            h=self._small,
            state=self.state,
            n=self.n,
            s=self._sizes(),
            enough=enough,
            is_scaled=is_scaled,
        )

    def step(self, j, w):
        """Step j, with the product of the matrix."""
        v, h, state = self._rows, self._small, self.state
        for again in (0, 1):
            s = self._sizes(j, again)
            _multiply[self._pair](y=w, v=v, h=h, state=state, s=s)
            _subtract[self._pair](y=w, v=v, h=h, state=state, s=s)
        s = self._sizes(j)
        pieces = self._layout["parts"] + 1
        _rotate[self._pair](v=v, h=h, state=state, s=s, pieces=pieces)

    def solve(self, scale=1.0):
        """The coefficients of the solution, times `scale`."""
        wide = self._pair[1]
        _solve[wide](h=self._small, state=self.state, m=self.m, scale=scale, blocks=1)

    def image(self):
        """The coefficients of what the matrix makes of the solution."""
        wide = self._pair[1]
        _image[wide](h=self._small, state=self.state, m=self.m, count=self.m + 1)

    def combine(self, vectors, x, first, count, is_image=False):
        """Adds to `x` a combination of `count` neighbouring vectors, of which the first
        has coefficient number `first`."""
        if count == 0:
            return
        if is_image:
            self.image()
        _combine[self._pair](
            v=vectors[0],
            x=x,
            h=self._small,
            state=self.state,
            s=self._sizes(first=first, count=count),
            is_image=is_image,
        )

    def look(self):
        """The state on the host; waits for it."""
        return self.state.get()


class _Watch:
    """Says whether the cycle has ended, without a wait where the device computes ahead:
    there it knows of steps a few launches ago."""

    def __init__(self, cycle, after=None):
        self._cycle, self._after = cycle, after
        self._waits = after is not None or cycle.state.device.backend == "host"
        self._checks = []

    def has_ended(self, j):
        if self._waits:
            state = self._cycle.look()
            if self._after is not None:
                self._after(state)
            return state[_enum.ENDED] != 0
        if j % _EACH == _EACH - 1:
            self._checks.append(Check(self._cycle.state))
        if len(self._checks) < 2:
            return False
        return self._checks.pop(0).wait()[_enum.ENDED] != 0


@where_it_lives
def gmres(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    restart=None,
    maxiter=None,
    M=None,
    callback=None,
    callback_type=None,
):
    """Solve ``A x = b`` by the generalized minimal residual method.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    rtol, atol : float, optional
        The iterations end where ``norm(b - A @ x) <= max(rtol * norm(b), atol)``.
    restart : int, optional
        The number of iterations of a cycle, 20 by default. As many vectors are kept.
    maxiter : int, optional
        The most cycles, ``10 * N`` by default. (With a callback of the type 'legacy',
        the most iterations.)
    M : cupric.ndarray, sparse matrix or LinearOperator, optional
        The preconditioner, which approximates the inverse of `A`.
    callback : callable, optional
        It is called after each iteration, or cycle, which is waited for.
    callback_type : {'x', 'pr_norm', 'legacy'}, optional
        What `callback` gets: 'x': the solution, after each cycle; 'pr_norm': the norm
        of the preconditioned residual relative to that of `b`, after each iteration;
        'legacy', the default: as 'pr_norm'.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0 where the tolerance was met, else `maxiter`.

    Notes
    -----
    Vectors are made orthogonal by the classical Gram-Schmidt process, a second time
    where cancellation asks for it, which keeps them as orthogonal as SciPy's modified
    process does or more.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import gmres
    >>> A = cp.array([[3.0, 2, 0], [1, -1, 0], [0, 5, 1]])
    >>> x, info = gmres(A, cp.array([5.0, 0, 6]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    kind = _callback_type(callback, callback_type)
    system = System(A, b, x0, M)
    r = system.residual()
    Mb = system.precondition(system.b)
    b2, r2, _ = initial_sums(system.b, r, r)
    Mb2 = b2 if system.direct else initial_sums(Mb, Mb, Mb)[0]
    b_norm, r_norm = norm_of(b2), norm_of(r2)
    limit = tolerance("gmres", b_norm, rtol, atol)
    if b_norm == 0:
        return system.zeros(), 0
    if r_norm < limit:
        return system.x, 0
    n = len(r)
    maxiter = 10 * n if maxiter is None else int(maxiter)
    restart = min(20 if restart is None else operator.index(restart), n)
    solve = _Gmres(system, restart, kind, callback, b_norm, limit, maxiter)
    return solve.run(r, norm_of(Mb2))


def _callback_type(callback, kind):
    if callback is not None and kind is None:
        warnings.warn(
            "gmres called with a callback, but without callback_type: it is 'legacy', "
            "which may change. Pass callback_type='pr_norm', 'x' or 'legacy'.",
            DeprecationWarning,
            stacklevel=4,
        )
    kind = "legacy" if kind is None else kind
    if kind not in ("x", "pr_norm", "legacy"):
        raise ValueError(f"Unknown callback_type: {kind!r}")
    return None if callback is None else kind


class _Gmres:
    """The cycles of gmres."""

    def __init__(self, system, restart, kind, callback, b_norm, limit, maxiter):
        self._system, self._cycle = system, Cycle(system.b, restart)
        self._kind, self._callback = kind, callback
        self._b_norm, self._limit, self._maxiter = b_norm, limit, maxiter
        self._inner = 0  # iterations

    def run(self, r, Mb_norm):
        system, cycle, limit = self._system, self._cycle, self._limit
        eps = float(np.finfo(system.dtype).eps)
        x, factor, r_norm = system.x, 1.0, math.inf
        enough = Mb_norm * min(factor, limit / self._b_norm)
        for _ in range(self._maxiter):
            r = self._run_cycle(r, x, enough)
            cycle.norm(r, _enum.RESIDUAL)
            state = cycle.look()
            r_norm, estimate = (state[k].real for k in (_enum.RESIDUAL, _enum.ESTIMATE))
            if self._kind == "legacy" and self._inner >= self._maxiter:
                break
            if self._kind == "x":
                self._callback(x)
            if r_norm <= limit or state[_enum.BREAKDOWN] != 0 or math.isnan(r_norm):
                break
            if estimate <= enough:
                factor = max(eps, 0.25 * factor)
            else:
                factor = min(1.0, 1.5 * factor)
            enough = estimate * min(factor, limit / r_norm)
        return x, 0 if r_norm <= limit else self._maxiter

    def _run_cycle(self, r, x, enough):
        """A cycle from the residual: updates x, and returns the next residual."""
        system, cycle = self._system, self._cycle
        z = system.precondition(r)
        cycle.norm(z, _enum.PRECONDITIONED)
        cycle.begin(z, enough)
        watch = _Watch(cycle, self._after_step())
        for j in range(cycle.m):
            w = system.product(system.A.matvec, cycle.v[j])
            cycle.step(j, system.precondition(w))
            if watch.has_ended(j):
                break
            if self._kind == "legacy" and self._inner == self._maxiter:
                break
        cycle.solve()
        cycle.combine(cycle.v, x, 0, cycle.m)
        return system.b - system.product(system.A.matvec, x)

    def _after_step(self):
        if self._kind not in ("legacy", "pr_norm"):
            return None

        def after(state):
            self._inner += 1
            self._callback(state[_enum.ESTIMATE].real / self._b_norm)

        return after


@where_it_lives
def lgmres(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    maxiter=1000,
    M=None,
    callback=None,
    inner_m=30,
    outer_k=3,
    outer_v=None,
    store_outer_Av=True,
    prepend_outer_v=False,
):
    """Solve ``A x = b`` by LGMRES, which carries errors of cycles over to the next.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    rtol, atol : float, optional
        The iterations end where ``norm(b - A @ x) <= max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most cycles.
    M : cupric.ndarray, sparse matrix or LinearOperator, optional
        The preconditioner, which approximates the inverse of `A`.
    callback : callable, optional
        ``callback(xk)`` is called before each cycle.
    inner_m : int, optional
        The iterations of a cycle, besides one for each vector carried over.
    outer_k : int, optional
        How many vectors are carried over.
    outer_v : list of tuple, optional
        Pairs ``(v, Av)``, of which `Av` may be None: vectors to begin with. The list
        is changed to those that a next call may begin with.
    store_outer_Av : bool, optional
        Whether the products with the vectors that are carried over are kept, too.
    prepend_outer_v : bool, optional
        Whether a cycle begins with these vectors, instead of ending with them.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0 where the tolerance was met, else the number of cycles.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import lgmres
    >>> A = cp.array([[3.0, 2, 0], [1, -1, 0], [0, 5, 1]])
    >>> x, info = lgmres(A, cp.array([5.0, 0, 6]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    system = System(A, b, x0, M)
    r = system.residual()
    b2, r2, _ = initial_sums(system.b, r, r)
    b_norm = norm_of(b2)
    if not math.isfinite(b_norm) and not bool(_core.isfinite(system.b).all()):
        raise ValueError("RHS must contain only finite numbers")
    limit = tolerance("lgmres", b_norm, rtol, atol)
    if b_norm == 0:
        return system.zeros(), 0
    outer_v = [] if outer_v is None else outer_v
    cycle = Cycle(system.b, inner_m + max(outer_k, len(outer_v)))
    x, factor, r_norm = system.x, 1.0, norm_of(r2)
    for k in range(maxiter):
        if callback is not None:
            callback(x)
        if r_norm <= limit:
            return x, 0
        z = system.precondition(r)
        cycle.norm(z, _enum.PRECONDITIONED)
        enough = min(factor, limit / r_norm)
        steps = _lgmres_steps(inner_m, outer_v, prepend_outer_v)
        dx, state = _lgmres_cycle(system, cycle, z, steps, enough)
        if dx is None:
            return x, k + 1
        if state[_enum.ESTIMATE].real > enough:
            factor = min(1.0, 1.5 * factor)
        else:
            factor = max(1e-16, 0.25 * factor)
        x += dx
        r = system.b - system.product(system.A.matvec, x)
        r_norm = norm_of(initial_sums(dx, r, r)[1])
        product = system.zeros() if store_outer_Av else None
        _carry_over(cycle, dx, product, outer_v, outer_k)
    return x, maxiter


def _lgmres_steps(inner_m, outer_v, is_first):
    """What each step multiplies: the number of a vector of the cycle, or a pair that is
    carried over."""
    own, carried = list(range(inner_m)), list(outer_v)
    if not is_first:
        return own + carried
    after = [len(carried) + j for j in range(1, inner_m)]
    return [*carried, 0, *after]


def _lgmres_cycle(system, cycle, z, steps, enough):
    """The correction of x that a cycle finds, or None where it finds none, and the
    state."""
    cycle.begin(z, enough, is_scaled=True)
    watch = _Watch(cycle)
    for j, at in enumerate(steps):
        v, w = (cycle.v[at], None) if isinstance(at, int) else at
        if w is None:
            w = system.precondition(system.product(system.A.matvec, v))
        cycle.step(j, w)
        if watch.has_ended(j):
            break
    state = cycle.look()
    norm = state[_enum.PRECONDITIONED].real
    if norm == 0:
        raise RuntimeError(
            "Preconditioner returned a zero vector: its product with a residual that "
            "is not 0 is 0"
        )
    cycle.solve(norm)
    dx = system.zeros()
    for j, at in enumerate(steps):
        # Vectors of the cycle that follow each other are taken together.
        if not isinstance(at, int):
            cycle.combine([at[0]], dx, j, 1)
        elif j == 0 or not isinstance(steps[j - 1], int) or steps[j - 1] != at - 1:
            count = 1
            while j + count < len(steps) and steps[j + count] == at + count:
                count += 1
            cycle.combine(cycle.v[at:], dx, j, count)
    if not math.isfinite(norm_of(initial_sums(dx, dx, dx)[0])):
        return None, state
    return dx, state


def _carry_over(cycle, dx, product, outer_v, outer_k):
    """Adds a pair to the list: the correction and, where `product` is zeros,
    not None, its product with the matrix, both over the norm of the correction."""
    norm = norm_of(initial_sums(dx, dx, dx)[0])
    if norm > 0:
        if product is not None:
            cycle.combine(cycle.v, product, 0, cycle.m + 1, is_image=True)
            product *= 1 / norm
        outer_v.append((dx * (1 / norm), product))
    del outer_v[: max(0, len(outer_v) - outer_k)]
