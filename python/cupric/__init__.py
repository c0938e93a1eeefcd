"""NumPy on a device: arrays in the memory of a GPU, or of the CPU where there is none.

>>> import cupric as cp
>>> x = cp.arange(6.0).reshape(2, 3)
>>> x.sum(axis=1)
array([ 3., 12.])
"""

from numpy import (
    base_repr,
    binary_repr,
    bool_,
    broadcast_shapes,
    byte,
    cdouble,
    complex64,
    complex128,
    complexfloating,
    csingle,
    double,
    dtype,
    e,
    euler_gamma,
    finfo,
    float16,
    float32,
    float64,
    floating,
    generic,
    half,
    iinfo,
    inexact,
    inf,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    isdtype,
    isscalar,
    issubdtype,
    iterable,
    long,
    longlong,
    mintypecode,
    nan,
    ndindex,
    newaxis,
    number,
    pi,
    promote_types,
    short,
    signedinteger,
    single,
    typename,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
)
from numpy import bool_ as bool
from numpy import nan as NAN
from numpy.exceptions import (
    AxisError,
    ComplexWarning,
    ModuleDeprecationWarning,
    RankWarning,
    TooHardError,
    VisibleDeprecationWarning,
)

from cupric import cuda, exceptions, fft, linalg, random, testing
from cupric._convolution import convolve, correlate
from cupric._core import (
    ElementwiseKernel,
    RawKernel,
    RawModule,
    ReductionKernel,
    arange,
    array,
    asnumpy,
    empty,
    matmul,
    ndarray,
    ufunc,
    zeros,
)
from cupric._creation import *
from cupric._dispatch import (
    astype,
    can_cast,
    common_type,
    get_array_module,
    isfortran,
    may_share_memory,
    min_scalar_type,
    result_type,
    shares_memory,
)
from cupric._indexing import *
from cupric._io import *
from cupric._logic import *
from cupric._manipulation import *
from cupric._math import *
from cupric._memoize import clear_memo, memoize
from cupric._padding import *
from cupric._sorting import *
from cupric._statistics import *
from cupric.cuda import (
    get_default_memory_pool,
    get_default_pinned_memory_pool,
    is_available,
)
from cupric.linalg import (
    dot,
    einsum,
    inner,
    kron,
    outer,
    tensordot,
    trace,
    vdot,
    vecdot,
)
from cupric.linalg.products import cross, matvec, vecmat

__version__ = "0.1.0"
