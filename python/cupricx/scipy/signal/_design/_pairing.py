"""Second-order sections: which poles and zeros share one.

A pair of conjugates stands as its member of the upper half plane; what follows from it
has both. The choices are those of the documentation of scipy.signal.zpk2sos.
"""

import numpy as np

__all__ = ["sections_of", "upper_half_and_real"]


def upper_half_and_real(roots):
    """A list of the pairs of conjugates, each as the complex number of the upper half
    plane, and after them of the real numbers; both in ascending order.

    Raises
    ------
    ValueError
        A complex number has no conjugate, as far as rounding allows.
    """
    roots = np.asarray(roots)
    if not np.iscomplexobj(roots):
        return [float(r) for r in np.sort(roots)]
    roots = roots.astype(np.complex128)
    tolerance = 100 * np.finfo(roots.dtype).eps
    is_real = np.abs(roots.imag) <= tolerance * np.abs(roots)
    real = np.sort(roots[is_real].real)
    upper = np.sort_complex(roots[~is_real & (roots.imag > 0)])
    lower = list(roots[~is_real & ~(roots.imag > 0)].conj())
    pairs = []
    for r in upper:
        distance = np.abs(np.array(lower) - r) if lower else np.array([np.inf])
        nearest = int(np.argmin(distance))
        if not distance[nearest] <= tolerance * abs(r):
            raise ValueError(
                f"Complex value {r} has no matching conjugate among the rest"
            )
        pairs.append(complex((r + lower.pop(nearest)) / 2))
    if lower:
        raise ValueError(
            f"Complex value {lower[0].conj()} has no matching conjugate among the rest"
        )
    return pairs + [float(r) for r in real]


def _is_complex(root):
    return isinstance(root, complex)


def _take(roots, target, kind=None):
    """Remove the one that is closest to a point, and return it: of those of a type, if
    any; None where there is none."""
    fitting = [i for i, r in enumerate(roots) if kind is None or isinstance(r, kind)]
    if not fitting:
        return None
    return roots.pop(min(fitting, key=lambda i: abs(roots[i] - target)))


def _take_critical(poles, analog, kind=None):
    """Remove the pole that is closest to where a filter becomes unstable."""

    def margin(i):
        return abs(complex(poles[i]).real) if analog else abs(1 - abs(poles[i]))

    fitting = [i for i, p in enumerate(poles) if kind is None or isinstance(p, kind)]
    return poles.pop(min(fitting, key=margin)) if fitting else None


def _next_section(zeros, poles, analog):
    """The zeros and the poles of one section, which are removed from the lists."""
    pole = _take_critical(poles, analog)
    real_poles = sum(not _is_complex(p) for p in poles)
    real_zeros = sum(not _is_complex(r) for r in zeros)
    if not _is_complex(pole) and real_poles == 0:
        zero = _take(zeros, pole, float)  # a section of the first order
        return [zero] if zero is not None else [], [pole]
    # One real zero is left for that section, wherever there are others.
    spared = real_zeros == 1 and real_poles % 2 == int(_is_complex(pole))
    zero = _take(zeros, pole, complex) if spared else None
    if zero is None:
        zero = _take(zeros, pole)
    if _is_complex(pole):
        other = pole.conjugate()
    else:
        other = _take_critical(poles, analog, float)
    if zero is None:
        return [], [pole, other]
    if _is_complex(zero):
        return [zero, zero.conjugate()], [pole, other]
    second = _take(zeros, pole, float)
    return [zero] if second is None else [zero, second], [pole, other]


def _coefficients(roots, aligned_left):
    """Of the polynomial of up to two roots, in three places."""
    c = np.poly(roots).real if roots else np.ones(1, float)
    empty = np.zeros(3 - c.size, float)
    return np.concatenate([c, empty] if aligned_left else [empty, c])


def sections_of(zeros, poles, gain, analog, aligned_left):
    """An array of sections, the first with the gain.

    zeros, poles : lists of `upper_half_and_real` aligned_left : what has fewer than two
    roots has its zeros behind it, as a polynomial
        of 1 / z; else before it, as one of s.
    """
    zeros, poles = list(zeros), list(poles)
    rows = []
    while poles or not rows:
        row = _next_section(zeros, poles, analog) if poles else ([], [])
        rows.append(np.concatenate([_coefficients(r, aligned_left) for r in row]))
    sos = np.array(rows[::-1])
    sos[0, :3] *= gain
    return sos
