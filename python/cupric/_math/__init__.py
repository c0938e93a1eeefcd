"""Elementwise operations: the ufuncs of the core, and NumPy's other names for them."""

from cupric._core import (
    absolute,
    add,
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctan2,
    arctanh,
    around,
    bitwise_and,
    bitwise_count,
    bitwise_or,
    bitwise_xor,
    cbrt,
    ceil,
    conjugate,
    copysign,
    cos,
    cosh,
    deg2rad,
    divide,
    divmod,
    equal,
    exp,
    exp2,
    expm1,
    fabs,
    float_power,
    floor,
    floor_divide,
    fmax,
    fmin,
    fmod,
    frexp,
    gcd,
    greater,
    greater_equal,
    heaviside,
    hypot,
    invert,
    isfinite,
    isinf,
    isnan,
    lcm,
    ldexp,
    left_shift,
    less,
    less_equal,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logaddexp2,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    modf,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    power,
    rad2deg,
    reciprocal,
    remainder,
    right_shift,
    rint,
    round,
    sign,
    signbit,
    sin,
    sinh,
    spacing,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    trunc,
    ufunc,
)

abs = absolute
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_not = invert
bitwise_right_shift = right_shift
conj = conjugate
degrees = rad2deg
mod = remainder
pow = power
radians = deg2rad
true_divide = divide
fix = trunc

from cupric._math._calculus import (  # noqa: E402
    cumulative_prod,
    cumulative_sum,
    gradient,
    interp,
    trapezoid,
    unwrap,
)
from cupric._math._parts import (  # noqa: E402
    angle,
    i0,
    imag,
    nan_to_num,
    real,
    real_if_close,
    sinc,
)
from cupric._math._windows import (  # noqa: E402
    bartlett,
    blackman,
    hamming,
    hanning,
    kaiser,
)
