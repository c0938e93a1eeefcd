"""Python functions that are compared with themselves, translated; and how.

`FUNCTIONS` and `GROUPS` are run by test_vectorize.py, and compiled by NVRTC in
tests/cuda/test_translated_functions_compile.py.
"""

import linecache
import math

import numpy as np

import cupric as cp

# ---- statements ----------------------------------------------------------------------


def collatz(n):
    """How many steps it takes to come to 1."""
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def branches(x, y):
    if x < 0:
        kind = 0
        value = -x
    elif x == y:
        kind, value = 1, x + y
    else:
        kind = 2
        value = x
        value *= 3
        value -= y
    return kind, value


def not_in_all_branches(x):
    if x > 0:
        y = 1
    elif x <= 0:
        y = 2.5
    return y


def several_returns(x):
    if x > 5:
        return 1
    if x > 2:
        return 0.5
    return x


def loops(x, n):
    total = 0.0
    for i in range(n):
        if i == 3:
            continue
        if i > 7:
            break
        total += x * i
    else:
        total = -total
    k = n
    while True:
        k -= 2
        if k < 0:
            break
    return total, k


def range_with_step(a, b, c):
    total = 0
    for i in range(a, b, c if c != 0 else 1):
        total += i * i
    return total


def counter_is_the_functions_own(x):
    for i in range(10):
        x += i
        i += 1
    for j in range(3, 8):  # noqa: B007
        pass
    return x + i * j


def changed_bound(x):
    total = 0
    for i in range(x):
        total += i
        x -= 1
    return total


def loop_with_else(x):
    n = 0
    while x > 0:
        x -= 3
        n += 1
        if n > 4:
            found = n * 100
            break
    else:
        found = -n
    return found


def nested_loops(n):
    total = 0
    for i in range(n):
        for j in range(i):
            if (i + j) % 3 == 0:
                continue
            if j > 4:
                break
            total += i * j
        else:
            total += 1000
    return total


def first_divisor(n):
    for d in range(2, n):
        if n % d == 0:
            return d
    return n


def tuples(x, y):
    x, y = y, x
    z = x, (y, 2)
    (a, (b, c)), z = z, x
    return a * a + b * c + z, len((a, b, c)), (a, b)[1]


def fibonacci(n):
    t = (0, 1)
    for _ in range(n):
        a, b = t
        t = b, a + b
    return t[0]


def number_becomes_float(x, n):
    total = 0
    for _ in range(n):
        total += x
    return total / 2


def dtypes_of_names(x):
    y = x  # of one dtype, and then of another
    y = y * 0.5
    z = y
    y = int(x) + 1
    return y, z


def names_of_others(double, x_1, I):  # noqa: E741
    sin = double + x_1
    float32 = sin - I
    truth = row_add = float32 * 2
    return truth + row_add


def helper(a, b=2, *, c=1):
    return a * b + c


def two(a):
    return a + 1, a - 1


def calls(x):
    up, down = two(x)
    return helper(x) + helper(x, c=3) + helper(b=x, a=up) + two(down)[0]


def power_by_recursion(x, n=3):
    return 1 if n == 0 else x * power_by_recursion(x, n - 1)


def known_assertion(x):
    assert LIMIT > 3, "of constants"
    return x + LIMIT


LIMIT = 7

# (function, letters of the arguments)
FUNCTIONS = [
    (collatz, "l"),
    (branches, "bb"),
    (not_in_all_branches, "l"),
    (several_returns, "f"),
    (loops, "dl"),
    (range_with_step, "lll"),
    (counter_is_the_functions_own, "i"),
    (changed_bound, "h"),
    (loop_with_else, "l"),
    (nested_loops, "B"),
    (first_divisor, "l"),
    (tuples, "ll"),
    (fibonacci, "l"),
    (number_becomes_float, "fl"),
    (dtypes_of_names, "l"),
    (names_of_others, "ddd"),
    (calls, "i"),
    (power_by_recursion, "f"),
    (known_assertion, "d"),
]

# ---- expressions ---------------------------------------------------------------------

ARITHMETIC = ["x + y", "x - y", "x * y", "x / y", "x + 1", "2 * x", "1.5 + x", "x / 3"]
DIVISION = ["x // y", "x % y", "x // 3", "x % 3", "divmod(x, y)[1]", "x ** 2", "x ** 3"]
DIVISION += ["-7 % x", "x % 2.5", "x // 2.5"]
ORDER = [
    "x < y",
    "x <= y <= 3",
    "x == y != 2",
    "0 < x",
    "x > 1.5",
    "not x",
    "x != -1000",
]
ORDER += [
    "max(x, y)",
    "min(x, y, 2)",
    "x and y",
    "x or y",
    "x if y else 0",
    "x in (1, y)",
]
BITS = ["x & y", "x | y", "x ^ y", "~x", "x & 5"]
SHIFTS = ["x << 2", "x >> 1", "x << y % 9", "x >> y % 9"]
TO_NUMBERS = [
    "bool(x)",
    "float(x)",
    "np.float32(x)",
    "complex(x)",
    "abs(x)",
    "+x",
    "-x",
]
TO_INTS = ["int(x)", "round(x)", "math.floor(x)", "math.ceil(x)"]
PARTS = ["x.real", "x.imag", "x.conjugate()", "abs(x)", "x * 1j", "np.real(x)"]
ROUNDED = ["round(x, 1)", "round(x)", "x.is_integer()", "np.rint(x)", "np.trunc(x)"]
INEXACT = [
    "math.sin(x)",
    "math.exp(y)",
    "x * math.cos(y)",
    "np.sqrt(abs(x))",
    "x ** 0.5",
]
INEXACT += ["math.atan2(x, y)", "math.hypot(x, y, 2)", "np.add(x, y, dtype='d')"]
INEXACT += [
    "math.erf(y)",
    "math.log(x * x + 1, 2)",
    "np.pi * x",
]

GROUPS = [
    ("bb", [*ARITHMETIC, *DIVISION, *BITS, *SHIFTS]),
    ("bb", [*ORDER, *TO_NUMBERS, *TO_INTS]),
    ("ll", [*ARITHMETIC, *DIVISION, *BITS, *SHIFTS]),
    ("ll", [*ORDER, *TO_NUMBERS, *TO_INTS]),
    ("BB", [*ARITHMETIC, *BITS, *SHIFTS, "x // y", "x % y"]),
    ("LL", [*ARITHMETIC, *BITS, *SHIFTS, "x // y", "x % y"]),
    ("bl", [*ARITHMETIC, "x // y", "x % y", "x & y", "x < y", "x == y"]),
    ("fd", [*ARITHMETIC, "x // y", "x % y", "x < y", "x == y"]),
    ("??", ["x & y", "x | y", "x ^ y", "x + y", "x * y", "x + 1", "~x", "x < y"]),
    ("??", ["x and y", "not x", "(not x) + (not y)", "-(not x)", "x if y else not x"]),
    ("dd", [*ARITHMETIC, *DIVISION, *ROUNDED]),
    ("dd", [*ORDER, *TO_NUMBERS]),
    ("dd", [*TO_INTS, "math.trunc(x)"]),
    ("ff", [*ARITHMETIC, *DIVISION, *TO_NUMBERS, "round(x)", "x.is_integer()"]),
    ("ee", [*ARITHMETIC, *TO_NUMBERS, *ORDER]),
    ("FF", [*ARITHMETIC, *PARTS]),
    ("DD", [*ARITHMETIC, *PARTS]),
    ("dd", INEXACT),
    ("fi", INEXACT),
]


def function_of(text, parameters, **around):
    """A Python function that returns an expression, with a source to be found."""
    lines = [f"def function({', '.join(parameters)}):\n", f"    return {text}\n"]
    file = f"<{text}>"
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
    names = {"np": np, "cp": cp, "math": math, **around}
    exec(compile("".join(lines), file, "exec"), names)
    return names["function"]


def group_of(texts, parameters="xy"):
    """One function that returns the values of all expressions."""
    return function_of(f"({', '.join(texts)},)", parameters)
