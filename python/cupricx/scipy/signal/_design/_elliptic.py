"""Elliptic integrals and functions, and what the degree equation says of moduli.

Moduli stand beside their complements, k' = sqrt(1 - k**2), since both are wanted to all
digits where either is small.
"""

import math

import numpy as np

__all__ = ["complete", "incomplete_sc", "jacobi", "modulus_of_degree", "nome"]


def _duplicated(x, y, z):
    """Carlson's integral R_F of arguments of which at most one is zero.

    References
    ----------
    B. C. Carlson, "Numerical computation of real or complex elliptic integrals",
    Numerical Algorithms 10 (1995), 13-26.
    """
    while True:
        mean = (x + y + z) / 3
        dx, dy, dz = (1 - v / mean for v in (x, y, z))
        if max(abs(dx), abs(dy), abs(dz)) < 2e-3:
            break
        rx, ry, rz = math.sqrt(x), math.sqrt(y), math.sqrt(z)
        shift = rx * ry + ry * rz + rz * rx
        x, y, z = (x + shift) / 4, (y + shift) / 4, (z + shift) / 4
    e2, e3 = dx * dy - dz * dz, dx * dy * dz
    series = 1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44
    series += -5 * e2**3 / 208 + 3 * e3 * e3 / 104 + e2 * e2 * e3 / 16
    return series / math.sqrt(mean)


def complete(complement):
    """K, the quarter period, of the modulus with a complement > 0, by Gauss's mean."""
    a, b = 1.0, complement
    while abs(a - b) > 1e-9 * a:  # the next step squares this
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (a + b)


def incomplete_sc(x, complement):
    """u, for which sn(u) / cn(u) = x, of the modulus with this complement."""
    square = x * x
    return x * _duplicated(1.0, 1 + square, 1 + (complement * x) ** 2)


def jacobi(u, k, complement):
    """sn, cn and dn of real numbers, by the descending transformation of Landen."""
    u = np.asarray(u, float)
    moduli, a, b, c = [], 1.0, complement, k
    while abs(c) > 1e-9 * a:
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        moduli.append((a, c))
    phase = 2.0 ** len(moduli) * a * u
    for a, c in reversed(moduli):
        phase = (phase + np.arcsin(c / a * np.sin(phase))) / 2
    sn, cn = np.sin(phase), np.cos(phase)
    # dn as a root of a sum of squares: nothing cancels where sn is near 1.
    return sn, cn, np.sqrt(cn * cn + (complement * sn) ** 2)


def nome(k, complement):
    """The logarithm of the nome, -pi K' / K."""
    return -math.pi * complete(k) / complete(complement)


def modulus_of_degree(n, k1, complement1):
    """The modulus and its complement, for which K'/K is 1/n of that of modulus k1.

    Theta functions give the modulus of a nome. Of two complementary nomes one is at
    most exp(-pi), for which five terms have all digits.
    """
    log_nome = nome(k1, complement1) / n
    swapped = log_nome > -math.pi
    if swapped:
        log_nome = math.pi * math.pi / log_nome
    even = 1 + 2 * sum(math.exp(log_nome * j * j) for j in range(1, 6))
    odd = 1 + 2 * sum((-1) ** j * math.exp(log_nome * j * j) for j in range(1, 6))
    half = sum(math.exp(log_nome * (j * (j + 1) + 0.25)) for j in range(5))
    small, large = (2 * half / even) ** 2, (odd / even) ** 2
    return (large, small) if swapped else (small, large)
