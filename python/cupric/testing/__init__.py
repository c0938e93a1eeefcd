"""Assertions about arrays on a device, decorators of tests, arrays to test with."""

from cupric.testing._arrays import (
    shaped_arange,
    shaped_linspace,
    shaped_random,
    shaped_reverse_arange,
    shaped_sparse_random,
)
from cupric.testing._assertions import (
    assert_allclose,
    assert_array_almost_equal,
    assert_array_almost_equal_nulp,
    assert_array_equal,
    assert_array_less,
    assert_array_list_equal,
    assert_array_max_ulp,
)
from cupric.testing._compare import (
    numpy_cupy_allclose,
    numpy_cupy_array_almost_equal,
    numpy_cupy_array_almost_equal_nulp,
    numpy_cupy_array_equal,
    numpy_cupy_array_less,
    numpy_cupy_array_list_equal,
    numpy_cupy_array_max_ulp,
    numpy_cupy_equal,
    numpy_cupy_raises,
)
from cupric.testing._helpers import (
    AssertFunctionIsCalled,
    assert_warns,
    fix_random,
    generate_matrix,
    generate_seed,
    installed,
    multi_gpu,
    numpy_satisfies,
    slow,
    with_requires,
)
from cupric.testing._loops import (
    for_all_dtypes,
    for_all_dtypes_combination,
    for_CF_orders,
    for_complex_dtypes,
    for_contiguous_axes,
    for_dtypes,
    for_dtypes_combination,
    for_float_dtypes,
    for_int_dtypes,
    for_int_dtypes_combination,
    for_orders,
    for_signed_dtypes,
    for_signed_dtypes_combination,
    for_unsigned_dtypes,
    for_unsigned_dtypes_combination,
    parameterize,
    product,
    product_dict,
)

__all__ = [
    "AssertFunctionIsCalled",
    "assert_allclose",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_list_equal",
    "assert_array_max_ulp",
    "assert_warns",
    "fix_random",
    "for_CF_orders",
    "for_all_dtypes",
    "for_all_dtypes_combination",
    "for_complex_dtypes",
    "for_contiguous_axes",
    "for_dtypes",
    "for_dtypes_combination",
    "for_float_dtypes",
    "for_int_dtypes",
    "for_int_dtypes_combination",
    "for_orders",
    "for_signed_dtypes",
    "for_signed_dtypes_combination",
    "for_unsigned_dtypes",
    "for_unsigned_dtypes_combination",
    "generate_matrix",
    "generate_seed",
    "installed",
    "multi_gpu",
    "numpy_cupy_allclose",
    "numpy_cupy_array_almost_equal",
    "numpy_cupy_array_almost_equal_nulp",
    "numpy_cupy_array_equal",
    "numpy_cupy_array_less",
    "numpy_cupy_array_list_equal",
    "numpy_cupy_array_max_ulp",
    "numpy_cupy_equal",
    "numpy_cupy_raises",
    "numpy_satisfies",
    "parameterize",
    "product",
    "product_dict",
    "shaped_arange",
    "shaped_linspace",
    "shaped_random",
    "shaped_reverse_arange",
    "shaped_sparse_random",
    "slow",
    "with_requires",
]


_NAMES = {  # loaded when first asked for
    "NumpyAliasBasicTestBase": "_aliases",
    "NumpyAliasValuesTestBase": "_aliases",
}


def __getattr__(name):
    if name in _NAMES:
        import importlib

        module = importlib.import_module(f"cupric.testing.{_NAMES[name]}")
        return getattr(module, name)
    raise AttributeError(f"module 'cupric.testing' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_NAMES})
