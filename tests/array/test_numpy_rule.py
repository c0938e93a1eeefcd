"""Which functions take NumPy's arrays: the rule of docs/from_cupy.md, over the table of
calls."""

import ast
import warnings

import pytest

import cupric as cp
import cupricx.scipy.signal

from ..fuzz import examples


def words(text):
    return set(text.split())


# Operations of a device: one call of the core, which refuses to copy unasked.
REFUSED = words(
    """
    all any alltrue sometrue ptp count_nonzero cumsum cumprod nansum nanprod nanmax
    nanmin nanmean nanstd nanvar nanargmax nanargmin nancumsum nancumprod angle sinc
    i0 nan_to_num isneginf isposinf where select astype copyto nonzero flatnonzero
    argwhere take_along_axis put_along_axis searchsorted digitize bincount histogram
    interp packbits unpackbits sort partition msort sort_complex concatenate concat
    stack column_stack union1d matmul inner outer vdot vecdot matvec vecmat
    tensordot kron convolve correlate moveaxis rollaxis expand_dims broadcast_to
    matrix_transpose split array_split vsplit hsplit dsplit unstack vectorize rsqrt
    as_strided sliding_window_view trimseq
    """
)
# Modules whose functions are such operations, but for these.
REFUSING = {
    "linalg",
    "fft",
    "cublas",
    "special",
    "signal",
    "ndimage",
    "slinalg",
    "sfft",
}
COPIED_THERE = {"cross", "einsum", "fftshift", "ifftshift"}
COPIED_THERE |= {"dlsim"}  # inputs of a system, which the host may have
OF_A_MATRIX = {"cond", "bandwidth", "khatri_rao"}  # that is small: they may copy it
OWN_THERE = {"dot", "matrix_transpose", "trace"}
# What only calls a method of its array: the array's own answers.
OWN = words(
    """
    reshape ravel transpose permute_dims swapaxes squeeze diagonal flip fliplr
    flipud rot90 sum prod max min amax amin mean std var argmax argmin trace round
    around clip argsort argpartition repeat take compress choose dot copy
    fill_diagonal broadcast_arrays shares_memory may_share_memory fromDlpack
    """
)
# What is written to is never a copy.
WRITTEN = {"copyto", "put", "put_along_axis", "putmask", "place", "at"}
WRITTEN |= {"scatter_add", "scatter_max", "scatter_min"}


def name_of(call):
    """The function of a call of a module, and the module; or None."""
    path, f = [], call.func
    while isinstance(f, ast.Attribute):
        path.append(f.attr)
        f = f.value
    if not isinstance(f, ast.Name) or f.id not in MODULES:
        return None
    return path[0], [f.id, *path[:0:-1]]


MODULES = {"xp", "special", "signal", "ndimage", "slinalg", "sfft", "cupricx"}


def derives(node, name):
    """Whether an expression is the array of that name, or a view or copy of it."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Subscript | ast.Attribute):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        else:
            return False
    return node.id == name


def takers(source, name):
    """The calls of functions that get the array, and in which place."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or name_of(call) is None:
            continue
        for place, argument in enumerate(call.args):
            items = getattr(argument, "elts", [argument])
            if any(derives(item, name) for item in items):
                yield *name_of(call), place
        for keyword in call.keywords:
            if derives(keyword.value, name):
                yield *name_of(call), keyword.arg


def rule(function, modules, place):
    if place == "out" or (function in WRITTEN and place == 0):
        return "written"
    target = cp
    for part in modules[1:]:
        target = getattr(target, part, None)
    made = getattr(target, function, None) if modules[0] == "xp" else None
    if isinstance(made, cp.ufunc) or isinstance(target, cp.ufunc):
        return "refused"
    if "ndimage" in modules and place != 0:
        return "parameter"  # weights, structures and the like; labels are refused
    if function in OF_A_MATRIX:
        return "parameter"
    if function in COPIED_THERE:
        return "copied"
    if "linalg" in modules and function in OWN_THERE:
        return "own"
    if REFUSING & set(modules) or function in REFUSED:
        return "refused"
    return "own" if function in OWN else "copied"


def cases():
    for spec, example in examples.every().items():
        source = example.call.source
        for name in sorted({step.target for step in example.steps} - {""}):
            found = list(takers(source, name))
            if found and "random" not in source:
                rules = {rule(*taker) for taker in found}
                yield spec, example, name, rules


CASES = [case for case in cases() if len(case[3]) == 1]


def run(example, names):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(example.code, names)
    return examples.contents(names[example.call.target])


@pytest.mark.parametrize(
    ("spec", "example", "name", "rules"),
    CASES,
    ids=[f"{source.call.source} of {name}" for _, source, name, _ in CASES],
)
def test_rule(spec, example, name, rules):
    names = example.arrays()
    if not isinstance(names[name], cp.ndarray):
        pytest.skip("it is no array")
    expected = run(example, names)
    names = example.arrays()
    names[name] = names[name].get()
    if rules == {"copied"}:
        assert run(example, names) == expected
    elif rules == {"refused"}:
        with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
            run(example, names)
    elif rules == {"written"}:
        with pytest.raises(TypeError):
            run(example, names)


def test_lists_are_of_functions():
    linalg, tricks = cp.linalg, cp.lib.stride_tricks
    places = (cp, linalg, cupricx, cp.fft, tricks, cp.polynomial.polyutils)
    places += (cupricx.scipy.signal,)
    for name in {*REFUSED, *OWN, *COPIED_THERE, *OWN_THERE}:
        assert any(hasattr(place, name) for place in places), name
