"""Write cuda/host/curand/jumps.inc: what takes cuRAND's generators far ahead at once.

    python -m tools.random_jumps

Of XORWOW, whose state of 160 bits changes linearly over GF(2), the polynomials x**n
modulo the characteristic one, for the steps n that are powers of two, and 2**67 times
powers of two: a state n steps ahead is the sum of those of the next 160 states that the
polynomial names. Of MRG32k3a the matrices of 2**76 steps.

References: G. Marsaglia, "Xorshift RNGs" (2003); P. L'Ecuyer, "Good parameters and
implementations for combined multiple recursive random number generators" (1999);
H. Haramoto et al., "Efficient jump ahead for F2-linear random number generators"
(2008).
"""

from pathlib import Path

FILE = Path(__file__).parents[1] / "cuda/host/curand/jumps.inc"
BITS = 160
SEQUENCE = 67  # a sequence is 2**67 numbers after the one before
SUBSEQUENCE = 76  # of MRG32k3a
MASK = 0xFFFFFFFF
# Of MRG32k3a: the modulus and the step's matrix of each half.
HALVES = [
    (4294967087, [[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]]),
    (4294944443, [[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]]),
]


def bits_of_xorwow(n):
    v = [1, 2, 3, 4, 5]
    for _ in range(n):
        t = v[0] ^ (v[0] >> 2)
        last = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))
        v = [*v[1:], last & MASK]
        yield v[4] & 1


def characteristic():
    """By Berlekamp's and Massey's algorithm, as the bits of a number: bit k of x**k."""
    bits = list(bits_of_xorwow(2 * BITS + 64))
    found, before, length, since = 1, 1, 0, 1
    for n in range(len(bits)):
        wrong = 0
        for k in range(length + 1):
            wrong ^= (found >> k & 1) & bits[n - k]
        if not wrong:
            since += 1
        elif 2 * length <= n:
            found, before = found ^ (before << since), found
            length, since = n + 1 - length, 1
        else:
            found ^= before << since
            since += 1
    assert length == BITS
    return int(bin(found)[2:].zfill(BITS + 1)[::-1], 2)  # the reciprocal


def square(p, modulus):
    wide = sum(1 << (2 * k) for k in range(p.bit_length()) if p >> k & 1)
    for k in range(wide.bit_length() - 1, BITS - 1, -1):
        if wide >> k & 1:
            wide ^= modulus << (k - BITS)
    return wide


def powers():
    """x**(2**k) for k from 0 on."""
    modulus, p = characteristic(), 2
    for _ in range(SEQUENCE + 64):
        yield [p >> (32 * i) & MASK for i in range(5)]
        p = square(p, modulus)


def table(name, rows):
    lines = [f"    {{{', '.join(f'{w:#010x}' for w in row)}}}," for row in rows]
    head = f"static const unsigned {name}[{len(rows)}][{len(rows[0])}] = {{"
    return "\n".join([head, *lines, "};"])


def dot(row, column):
    return sum(a * b for a, b in zip(row, column, strict=True))


def matrices():
    for modulus, m in HALVES:
        for _ in range(SUBSEQUENCE):
            m = [
                [
                    sum(a * m[k][j] for k, a in enumerate(row)) % modulus
                    for j in range(3)
                ]
                for row in m
            ]
        yield m


def main():
    listed = list(powers())
    text = [
        "/* jumps.inc: written by tools/random_jumps.py: change that. */",
        "// clang-format off",
        "/* XORWOW: x**(2**k), k < 64 */",
        table("xorwow_steps", listed[:64]),
        f"/* XORWOW: x**(2**({SEQUENCE} + k)), k < 64 */",
        table("xorwow_sequences", listed[SEQUENCE:]),
        f"/* MRG32k3a: 2**{SUBSEQUENCE} steps of either half */",
        *(table(f"mrg_subsequence_{i}", m) for i, m in enumerate(matrices(), 1)),
    ]
    FILE.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
