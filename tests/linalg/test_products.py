"""Products of arrays against NumPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric as cp

RNG = np.random.default_rng(0)
DTYPES = ["?", "b", "B", "i", "l", "e", "f", "d", "F", "D"]


def sample(shape, dtype="d"):
    a = RNG.random(shape) * 4
    if np.dtype(dtype).kind == "c":
        a = a + 1j * RNG.random(shape)
    return (a > 2).astype(dtype) if dtype == "?" else a.astype(dtype)


def check(expected, actual, rtol=1e-10):
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == np.shape(expected)
    assert actual.dtype == expected.dtype
    if expected.dtype == np.float16:
        rtol = 5e-3
    elif expected.dtype in (np.float32, np.complex64):
        rtol = 1e-5
    np.testing.assert_allclose(actual.get(), expected, rtol=rtol, atol=rtol)


SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (4, 3, 2)),
    ((2, 3), (4, 3, 5)),
    ((2, 0), (0, 3)),
    ((0, 2), (2, 3)),
    ((1, 1), (1, 1)),
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHAPES)
def test_matmul(shapes, dtype):
    a, b = sample(shapes[0], dtype), sample(shapes[1], dtype)
    check(a @ b, cp.asarray(a) @ cp.asarray(b))


# On both sides of where a GPU takes another kernel: stacks of small matrices, thin and
# long ones, in one part and in several, tiles, cuBLAS.
KERNELS = [
    ((70, 4, 4), (70, 4, 4)),
    ((9, 3, 8), (8, 5)),
    ((5, 1, 16, 16), (4, 16, 16)),
    ((2, 17, 16), (2, 16, 17)),
    ((5, 7, 1), (5, 1, 7)),
    ((3000, 3), (3, 3)),
    ((2, 8), (8, 1003)),
    ((3000, 5), (5,)),
    ((3, 1000), (1000, 3)),
    ((2, 5000), (5000, 5)),
    ((3, 2, 1500), (1500, 2)),
    ((11, 5000), (5000,)),
    ((1, 3000), (3000, 1)),
    ((40, 3000), (3000, 21)),
    ((7000, 20), (20,)),
    ((300,), (300, 70)),
    ((300,), (300, 40_000)),
    ((2, 1, 3000), (2, 3000, 5)),
    ((7, 1, 90), (90, 1)),
    ((2, 7, 90), (2, 90, 6)),
    ((130, 3, 70), (130, 70, 2)),
    ((200, 90), (90,)),
    ((1, 90), (90, 130)),
    ((100, 20), (20, 128)),
    ((129, 30), (30, 129)),
    ((300, 8), (8, 50)),
    ((0, 3), (3, 2)),
    ((0, 90), (90, 2)),
    ((0, 3, 90), (0, 90, 4)),
    ((3, 90), (90, 0)),
]


@pytest.mark.parametrize("dtype", [*DTYPES, "h", "L"])
@pytest.mark.parametrize("shapes", KERNELS)
def test_matmul_by_any_kernel(shapes, dtype):
    """In C order, turned around, and every other element of larger ones."""
    a, b = (sample(s, dtype) for s in shapes)
    expected = a @ b
    if dtype == "e":
        expected = (a.astype("f") @ b.astype("f")).astype("e")
    x, y = cp.asarray(a), cp.asarray(b)
    check(expected, x @ y)
    check(expected, cp.asarray(a[..., ::-1].copy())[..., ::-1] @ y)
    check(expected, cp.asarray(a.T.copy()).T @ cp.asarray(b.T.copy()).T)
    check(expected, x.repeat(2, -1)[..., ::2] @ y.repeat(2, -1)[..., ::2])
    out = cp.zeros((*expected.shape[:-1], 2 * expected.shape[-1]), dtype)
    cp.matmul(x, y, out=out[..., 1::2])
    check(expected, out[..., 1::2].copy())
    assert not out[..., ::2].any()


def test_a_long_product_overflows_as_integers_do():
    a = np.full((2, 70_000), 200, "B")
    check(a @ a.T, cp.asarray(a) @ cp.asarray(a).T)
    assert cp.ones((1, 300), "?") @ cp.ones((300, 1), "?")


@given(
    types=st.tuples(st.sampled_from(DTYPES), st.sampled_from(DTYPES)),
    steps=st.tuples(*[st.sampled_from([1, -1, 2])] * 4),
    order=st.sampled_from(["C", "F"]),
)
def test_matmul_layouts_and_promotion(types, steps, order):
    a = np.asarray(sample((6, 8), types[0]), order=order)[:: steps[0], :: steps[1]]
    b = np.asarray(sample((8, 6), types[1]), order=order)[:: steps[1], :: steps[2]]
    b = b[: a.shape[1]]
    check(a @ b, cp.asarray(a) @ cp.asarray(b))
    check(a.T @ a, cp.asarray(a).T @ cp.asarray(a))


@pytest.mark.parametrize("dtype", ["f", "d", "F"])
@pytest.mark.parametrize("mkn", list(np.ndindex(3, 5, 5)), ids=str)
def test_matmul_of_stacks_of_tiny_matrices(mkn, dtype):
    m, k, n = (1 + x for x in mkn)
    a, b = sample((3, 6, 2 * m, k), dtype), sample((6, n, k), dtype)
    pairs = [
        (a, b.swapaxes(1, 2)),
        (a[::-1, :, ::2], b.reshape(6, k, n)),
        (a[:, :, :m, ::-1], b.reshape(6, k, n)[2]),
        (a[0, 3, :m], np.asfortranarray(b[1].T)),
        (np.broadcast_to(a[:, :1], a.shape), b.reshape(6, k, n)[::-1, :, ::-1]),
    ]
    for x, y in pairs:
        check(x @ y, cp.asarray(x) @ cp.asarray(y))


def test_matmul_broadcast_operands_without_copies():
    a = sample((4, 5))
    wide = cp.broadcast_to(cp.asarray(a), (3, 4, 5))
    check(np.broadcast_to(a, (3, 4, 5)) @ a.T, wide @ cp.asarray(a).T)


def test_matmul_out_with_axes_of_its_own():
    a, b = sample((2, 3)), sample((3, 2))
    for x, y, shape in [
        (a, b, (4, 2, 2)),
        (a, b[:, 0], (4, 2)),
        (a[0], b[:, 0], (2, 2)),
    ]:
        out, expected = cp.zeros(shape), np.zeros(shape)
        np.matmul(x, y, out=expected)
        cp.matmul(cp.asarray(x), cp.asarray(y), out=out)
        check(expected, out)
    cp.matmul(cp.asarray(a), cp.asarray(b), out=cp.zeros((0, 2, 2)))
    for shape in [(2, 2, 1), (1, 2), ()]:
        with pytest.raises(ValueError, match="output operand"):
            cp.matmul(cp.asarray(a), cp.asarray(b), out=cp.empty(shape))


def test_matmul_out():
    a, b = sample((3, 4)), sample((4, 2))
    out = cp.empty((3, 2))
    assert cp.matmul(cp.asarray(a), cp.asarray(b), out=out) is out
    check(a @ b, out)
    square = sample((3, 3))
    x = cp.asarray(square)
    cp.matmul(x, x, out=x)
    check(square @ square, x)
    y = cp.asarray(square)
    y @= y
    check(square @ square, y)
    with pytest.raises(ValueError, match="output operand"):
        cp.matmul(cp.asarray(a), cp.asarray(b), out=cp.empty((2, 3)))
    with pytest.raises(TypeError, match="Cannot cast"):
        cp.matmul(cp.asarray(a), cp.asarray(b), out=cp.empty((3, 2), "i"))


@pytest.mark.parametrize(
    "shapes", [((2, 3), (2, 3)), ((3,), (2,)), ((2, 2, 3), (3, 3, 2))]
)
def test_matmul_mismatch(shapes):
    a, b = np.ones(shapes[0]), np.ones(shapes[1])
    with pytest.raises(ValueError):
        a @ b
    with pytest.raises(ValueError, match="matmul|broadcast"):
        cp.asarray(a) @ cp.asarray(b)
    with pytest.raises(ValueError, match="enough dimensions"):
        cp.matmul(cp.asarray(a), cp.asarray(3.0))


@pytest.mark.parametrize("name", ["dot", "inner", "outer", "tensordot", "vdot", "kron"])
def test_functions(name):
    pairs = {
        "dot": [
            ((3,), (3,)),
            ((2, 3), (3,)),
            ((2, 3), (3, 4)),
            ((2, 3), (4, 3, 5)),
            ((), (3,)),
            ((5, 2, 3), (3,)),
        ],
        "inner": [((3,), (3,)), ((2, 3), (4, 3)), ((2, 2, 3), (3,)), ((), (2, 2))],
        "outer": [((3,), (4,)), ((2, 2), (3,))],
        "tensordot": [((2, 3, 4), (3, 4, 5)), ((3, 4), (3, 4))],
        "vdot": [((3,), (3,)), ((2, 3), (6,))],
        "kron": [((2, 3), (2, 2)), ((3,), (2, 2)), ((2, 2, 2), (3,))],
    }[name]
    for s1, s2 in pairs:
        for dtype in ("d", "D", "i"):
            a, b = sample(s1, dtype), sample(s2, dtype)
            expected = np.asarray(getattr(np, name)(a, b))
            check(expected, getattr(np, name)(cp.asarray(a), cp.asarray(b)))


@pytest.mark.parametrize("axes", [0, 1, ([1], [0]), ((0, 1), (1, 0)), (-1, 0)])
def test_tensordot_axes(axes):
    a, b = sample((3, 3)), sample((3, 3))
    check(
        np.asarray(np.tensordot(a, b, axes)),
        cp.tensordot(cp.asarray(a), cp.asarray(b), axes),
    )


def test_trace_cross_vecdot():
    a = sample((3, 4, 5))
    check(np.trace(a, 1, 2, 0), cp.asarray(a).trace(1, 2, 0))
    u, v = sample((4, 3)), sample((4, 3))
    check(np.cross(u, v), np.cross(cp.asarray(u), cp.asarray(v)))
    check(np.linalg.vecdot(u, v), cp.vecdot(cp.asarray(u), cp.asarray(v)))


EINSUMS = [
    ("ij,ij->i", (4, 5), (4, 5)),
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij->ji", (2, 3)),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("ij->", (2, 3)),
    ("ij,kl->ijkl", (2, 3), (2, 2)),
    ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)),
    ("...ij,...jk", (5, 2, 3), (3, 4)),
    ("ij,j", (2, 3), (3,)),
    ("i,i", (3,), (3,)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
    ("abc,cd,def->abef", (2, 3, 4), (4, 2), (2, 3, 2)),
    ("ijj->i", (2, 3, 3)),
    ("ij,ik,il->jkl", (2, 3), (2, 3), (2, 2)),
    ("i,j->ij", (1,), (3,)),
    ("ij,ij->ij", (1, 3), (2, 3)),
    ("ij,ij->", (2, 1), (2, 3)),
    ("a...a->...", (3, 2, 3)),
]


@pytest.mark.parametrize("case", EINSUMS, ids=[c[0] for c in EINSUMS])
@pytest.mark.parametrize("dtype", ["d", "F", "i", "e"])
def test_einsum(case, dtype):
    subscripts, *shapes = case
    arrays = [sample(s, dtype) for s in shapes]
    expected = np.asarray(np.einsum(subscripts, *arrays))
    devices = [cp.asarray(a) for a in arrays]
    check(expected, cp.einsum(subscripts, *devices), 1e-8)
    if dtype == "d":
        check(expected, np.einsum(subscripts, *devices, optimize=True), 1e-8)


@st.composite
def einsums(draw):
    """Subscripts, and the shapes of arrays that they fit."""
    length = {c: draw(st.sampled_from([0, 1, 2, 3, 4])) for c in "abcd"}
    term = st.lists(st.sampled_from("abcd"), max_size=3, unique=draw(st.booleans()))
    terms = draw(st.lists(term, min_size=1, max_size=3))
    used = sorted(set().union(*terms))
    target = draw(st.permutations(used))[: draw(st.integers(0, len(used)))]
    # A length of 1 is broadcast, but not on a diagonal.
    stretched = draw(st.sets(st.sampled_from("abcd"), max_size=1))
    once = [c for c in stretched if all(t.count(c) < 2 for t in terms)]
    shapes = [
        [1 if c in once and draw(st.booleans()) else length[c] for c in t]
        for t in terms
    ]
    return ",".join(map("".join, terms)) + "->" + "".join(target), shapes


@given(einsums(), st.sampled_from(DTYPES), st.booleans())
def test_einsum_of_any_letters(case, dtype, transposed):
    subscripts, shapes = case
    arrays = [
        sample(s[::-1], dtype).T if transposed else sample(s, dtype) for s in shapes
    ]
    expected = np.asarray(np.einsum(subscripts, *arrays))
    got = cp.einsum(subscripts, *[cp.asarray(a) for a in arrays])
    if dtype in "bB":  # in any order they wrap to the same
        np.testing.assert_array_equal(got.get(), expected)
    check(expected, got, 1e-8)


@pytest.mark.parametrize("types", ["fd", "if", "?B", "Fd", "eb", "lF"])
@pytest.mark.parametrize("subscripts", ["ij,ij->j", "ij,jk->i", "ij,j->ij", "ij,k->"])
def test_einsum_of_two_dtypes(subscripts, types):
    length = {"i": 3, "j": 4, "k": 2}
    terms = subscripts.partition("->")[0].split(",")
    a, b = (
        sample([length[c] for c in term], t)
        for term, t in zip(terms, types, strict=True)
    )
    expected = np.asarray(np.einsum(subscripts, a, b))
    check(expected, cp.einsum(subscripts, cp.asarray(a), cp.asarray(b)))


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ij,ij->i", [(2, 3), (2, 4)]),
        ("ij,jk->ik", [(2, 3), (2, 4)]),
        ("nij,njk->nik", [(2, 3, 4), (3, 4, 5)]),
        ("ijk,jk->i", [(2, 3, 4), (4, 3)]),
        ("ijk,kjl->il", [(2, 3, 4), (3, 4, 2)]),
        ("i,i->i", [(2,), (3,)]),
        ("ij,jk,ki->", [(2, 3), (3, 4), (4, 5)]),
    ],
)
def test_einsum_names_the_lengths_that_disagree(subscripts, shapes):
    arrays = [np.ones(s) for s in shapes]
    with pytest.raises(ValueError):
        np.einsum(subscripts, *arrays)
    with pytest.raises(ValueError, match="has length . along subscript"):
        cp.einsum(subscripts, *map(cp.asarray, arrays))


def test_einsum_forms_and_errors():
    a, b = sample((2, 3)), sample((3, 4))
    x, y = cp.asarray(a), cp.asarray(b)
    check(a @ b, cp.einsum(x, [0, 1], y, [1, 2], [0, 2]))
    out = cp.empty((2, 4))
    assert cp.einsum("ij,jk", x, y, out=out) is out
    check(a @ b, out)
    assert cp.einsum("ii->i", cp.eye(3)).base is not None  # a view
    for bad in ("ij", "ij,jk,kl", "ij,jk->iz", "ij,jk->ii", "i1,jk", "ijk,jk"):
        with pytest.raises(ValueError):
            cp.einsum(bad, x, y)
    with pytest.raises(ValueError, match="length"):
        cp.einsum("ij,ij->i", x, y)
    check(a @ b, cp.einsum("ij,jk", x, b))  # what lies on the host is copied


@pytest.mark.parametrize("dtypes", ["FF", "DD", "FD", "Ff", "fF", "Di"])
def test_the_first_vector_is_conjugated(dtypes):
    """Dense, strided, backwards, broadcast, of no element and of one."""
    rng = np.random.default_rng(0)

    def both(shape, dtype):
        a = rng.integers(-9, 9, (*shape, 2)) @ [1, 1j if dtype in "FD" else 0]
        a = a.astype(dtype)
        return a, cp.asarray(a)

    for n in (0, 1, 7, 300):
        (a, x), (b, y) = both((n,), dtypes[0]), both((n,), dtypes[1])
        (m, z), (many, w) = both((3, 1, n), dtypes[0]), both((5, n), dtypes[1])
        check(np.vdot(a, b), cp.vdot(x, y))
        check(np.vdot(a[::-2], b[::2]), cp.vdot(x[::-2], y[::2]))
        check(np.vecdot(a, b), cp.vecdot(x, y))
        check(np.vecdot(m, many), cp.vecdot(z, w))
        check(np.vecdot(many[:, ::-1], b), cp.vecdot(w[:, ::-1], y))
        check(np.vdot(m[:2], many[:2]), cp.vdot(z[:2], w[:2]))
    with pytest.raises(ValueError, match="7 and 8|different|mismatch"):
        cp.vdot(x[:7], y[:8])


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_vecdot_along_an_axis(axis):
    a, b = np.arange(24.0).reshape(2, 3, 4), np.arange(24.0)[::-1].reshape(2, 3, 4)
    got = cp.vecdot(cp.asarray(a), cp.asarray(b), axis=axis)
    np.testing.assert_array_equal(got.get(), np.vecdot(a, b, axis=axis))
    with pytest.raises(np.exceptions.AxisError):
        cp.vecdot(cp.asarray(a), cp.ones(1), axis=1)


ROWS = {
    "dense": lambda a: a,
    "apart": lambda a: a[::2],
    "backwards": lambda a: a[::-1],
    "of columns": lambda a: a[:, 1:],
    "elements apart": lambda a: a[:, ::-1],
    "one for all": lambda a: a[3],
    "a stack": lambda a: a[:6].reshape(2, 3, -1)[::-1],
}


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("dtype", [*"?bBhHiIlLqQefdFD"])
def test_vecdot_of_short_rows(dtype, rows):
    rng = np.random.default_rng(6)
    for n in (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 300):
        least, most = (0, 3) if dtype in "?eF" else (-128, 128)
        a, b = rng.integers(least, most, (2, 6, n + 1)).astype(dtype)
        if dtype == "?":
            a[:, :-2] = False
        x, y = cp.asarray(a), cp.asarray(b)
        a, b, x, y = ROWS[rows](a), ROWS["of columns"](b), ROWS[rows](x), y[:, 1:]
        if a.shape[-1] != b.shape[-1]:
            a, x = a[..., 1:], x[..., 1:]
        b, y = (
            b[: a.shape[-2]] if a.ndim > 1 else b,
            y[: x.shape[-2]] if x.ndim > 1 else y,
        )
        expected = np.vecdot(a, b)
        np.testing.assert_array_equal(cp.vecdot(x, y).get(), expected)
        np.testing.assert_array_equal(cp.vecdot(y, x).get().conj(), expected)
        if dtype not in "e?FD":
            got = cp.einsum("...i,...i->...", x, y)
            np.testing.assert_array_equal(got.get(), np.einsum("...i,...i->...", a, b))


@pytest.mark.parametrize("n", [5, 8, 13, 32, 50])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_vecdot_of_rows_with_nan(dtype, n):
    a = np.zeros((n + 3, n), dtype)
    b = np.ones((n + 3, n), dtype)
    a[np.arange(n), np.arange(n)] = np.nan  # each in its own row
    a[n + 1] = -0.0
    a[n + 2, -1], b[n + 2, -2] = np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        expected = np.vecdot(a, b)
    got = cp.vecdot(cp.asarray(a), cp.asarray(b)).get()
    np.testing.assert_array_equal(got, expected)
    assert not np.signbit(got[n : n + 2]).any()


@pytest.mark.parametrize("dtype", ["?", "b", "H", "i", "Q"])
def test_integer_matrices_by_vectors(dtype):
    a = (np.arange(7 * 40) * 37 % 101).reshape(7, 40).astype(dtype)
    x = cp.asarray(a)
    for n in (1, 3, 8, 40):
        for place in (np.s_[:, :n], np.s_[::-2, 40 - n :]):
            rows, given = a[place], x[place]
            v = rows[0]
            check(np.asarray(rows @ v), given @ given[0])
            check(np.asarray(np.matvec(rows, v)), cp.matvec(given, given[0]))
            stack, column = np.stack([rows, rows + 1]).astype(dtype), rows[:, :, None]
            got = cp.asarray(stack) @ cp.asarray(column[:2])
            check(stack @ column[:2], got)


def test_vecdot_into_another_precision():
    out = cp.zeros(2, "f")
    assert cp.vecdot(cp.ones((2, 3)), cp.ones(3), out=out) is out
    assert out.tolist() == [3, 3]
    with pytest.raises(TypeError, match="cast"):
        cp.vecdot(cp.ones((2, 3)), cp.ones(3), out=cp.zeros(2, "i"))


@pytest.mark.parametrize("shape", [(0, 2, 2), (2, 0, 0), (0, 0), (2, 3, 3)])
def test_matrix_power_zero(shape):
    a = np.ones(shape)
    got = cp.linalg.matrix_power(cp.asarray(a), 0)
    np.testing.assert_array_equal(got.get(), np.linalg.matrix_power(a, 0))


def test_trace_of_a_stack():
    a = np.arange(36.0).reshape(4, 3, 3)
    for options in ({}, {"offset": 1}, {"dtype": "f"}):
        got = cp.linalg.trace(cp.asarray(a), **options)
        expected = np.linalg.trace(a, **options)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got.get(), expected)
    np.testing.assert_array_equal(cp.trace(cp.asarray(a)).get(), np.trace(a))


def test_outer_of_matrices():
    a = np.ones((2, 2))
    assert cp.outer(cp.asarray(a), cp.asarray(a)).shape == (4, 4)
    for module, x in ((np, a), (cp, cp.asarray(a))):
        with pytest.raises(ValueError):
            module.linalg.outer(x, x)


def test_outputs_of_dot():
    a = cp.ones((2, 2))
    for out in (
        cp.zeros((2, 2), order="F"),
        cp.zeros((2, 4))[:, ::2],
        cp.zeros(4),
        cp.zeros((2, 2), "f"),
    ):
        with pytest.raises(ValueError, match="not acceptable"):
            cp.dot(a, a, out=out)
    for shape in ((), (1,)):
        out = cp.zeros(shape)
        assert cp.dot(a[0], a[1], out=out) is out
        assert out.item() == 2


@pytest.mark.parametrize(
    ("shapes", "axes"),
    [
        (((2, 3), (2, 4)), [(1, 0), (0, 1), (0, 1)]),
        (((2, 3), (3,)), [(0, 1), (0,), (0,)]),
        (((2, 3), (3,)), [(-2, -1), 0, 0]),
        (((3,), (3,)), [0, 0, ()]),
        (((5, 2, 3), (5, 3, 4)), [(1, 2), (1, 2), (0, 1)]),
        (((2, 3, 5), (5, 3, 4)), [(0, 1), (1, 2), (-1, 0)]),
    ],
)
def test_axes_of_matmul(shapes, axes):
    a, b = (np.arange(np.prod(s), dtype=float).reshape(s) for s in shapes)
    expected = np.asarray(np.matmul(a, b, axes=axes))
    got = cp.matmul(cp.asarray(a), cp.asarray(b), axes=axes)
    np.testing.assert_array_equal(got.get(), expected)
    out = cp.zeros(expected.shape, "f")
    assert cp.matmul(cp.asarray(a), cp.asarray(b), out=out, axes=axes) is out
    np.testing.assert_array_equal(out.get(), expected)


@pytest.mark.parametrize(
    "axes",
    [
        3,
        ((0, 1), (0, 1), (0, 1)),
        [(0, 1), (0, 1)],
        [(0, 2), (0, 1), (0, 1)],
        [(0, 0), (0, 1), (0, 1)],
        [(0,), (0, 1), (0, 1)],
        [0, (0, 1), (0, 1)],
        [(0, 1), (0, 1), (0,)],
        [(0, 1.5), (0, 1), (0, 1)],
    ],
)
def test_wrong_axes_of_matmul(axes):
    a, b = np.ones((2, 3)), np.ones((3, 4))
    with pytest.raises((TypeError, ValueError)) as expected:
        np.matmul(a, b, axes=axes)
    with pytest.raises(expected.type):
        cp.matmul(cp.asarray(a), cp.asarray(b), axes=axes)


def test_einsum_takes_numbers():
    x = np.arange(3, dtype="f")
    for args in ((",i", 3), (",i->i", 2.5), (",i", True)):
        expected = np.einsum(*args, x)
        got = cp.einsum(*args, cp.asarray(x))
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got.get(), expected)


@pytest.mark.parametrize("subscripts", ["ij->ji", "ii->i", "...ij->...ji", "ij"])
def test_einsum_of_one_operand_is_a_view(subscripts):
    x = cp.zeros((3, 3))
    view = cp.einsum(subscripts, x)
    view[...] = 1
    assert x.sum() == view.size


@pytest.mark.parametrize("dtype", ["?", "b", "B", "I", "e", "f", "F"])
def test_einsum_sums_in_its_dtype(dtype):
    x = np.ones((3, 4), dtype)
    for subscripts in ("ij->", "ij->i", "ij->j"):
        got, expected = cp.einsum(subscripts, cp.asarray(x)), np.einsum(subscripts, x)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got.get(), expected)


def test_the_first_power_is_the_matrix():
    x = cp.eye(3)
    assert cp.linalg.matrix_power(x, 1) is x


def test_dot_of_nothing():
    a, b = np.zeros((2, 0, 0)), np.zeros(0)
    assert cp.dot(cp.array(a), cp.array(b)).shape == np.dot(a, b).shape


@pytest.mark.parametrize("dtype", "bBilefdFD")
def test_cross_of_any_layout(dtype):
    rng = np.random.default_rng(2)
    shapes = [((3,), (3,)), ((4, 3), (3,)), ((2, 1, 3), (5, 3)), ((2, 3, 4, 3),) * 2]
    for one, other in [*shapes, ((2, 1, 2, 3, 3), (1, 2, 2, 1, 3)), ((0, 3), (0, 3))]:
        u, v = (rng.integers(0, 9, s).astype(dtype) for s in (one, other))
        check(np.cross(u, v), cp.cross(cp.asarray(u), cp.asarray(v)))
        for axis in range(min(u.ndim, v.ndim)):
            x, y = np.moveaxis(u, -1, axis), np.moveaxis(v, -1, axis)
            want = np.cross(x, y, axisa=axis, axisb=axis, axisc=0)
            got = cp.cross(cp.asarray(x), cp.asarray(y), axis, axis, 0)
            check(want, got)
        flat = u.copy()
        flat[..., 2] = 0  # what NumPy takes for it, before 2.5
        with pytest.warns(DeprecationWarning, match="2-dimensional"):
            got = cp.cross(cp.asarray(u)[..., :2], cp.asarray(v))
        check(np.cross(flat, v), got)
    a, b = np.ones((2, 3), "i"), np.arange(6.0).reshape(2, 3)
    check(np.cross(a, b), cp.cross(cp.asarray(a), cp.asarray(b)))


@pytest.mark.parametrize("dtype", "ilfdFD")
def test_cross_of_vectors_in_order(dtype):
    """Of three components each, side by side: of both arrays, and of one."""
    rng = np.random.default_rng(5)
    for shape in [(1, 3), (7, 3), (2, 5, 3), (300_001, 3)]:
        u, v = (rng.integers(-9, 9, shape).astype(dtype) for _ in range(2))
        d, e = cp.array(u), cp.array(v)
        check(np.cross(u, v), cp.cross(d, e))
        check(np.cross(u[::-1], v), cp.cross(d[::-1], e))
        check(np.cross(u, v[::-1]), cp.cross(d, e[::-1]))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("columns", [None, 1, 9])
def test_stacks_of_matrices_by_one(dtype, columns):
    """Whether their rows go on evenly or not, and in axes that broadcast."""
    b = sample((130,) if columns is None else (130, columns), dtype)
    a = sample((5, 40, 27, 130), dtype)
    for take in (
        lambda v, xp: v,
        lambda v, xp: xp.broadcast_to(v[0], (3, 40, 27, 130)),
        lambda v, xp: xp.broadcast_to(v[:, :1], (5, 7, 27, 130)),
        lambda v, xp: v[:, ::2],
        lambda v, xp: v[:, :, ::3],
        lambda v, xp: v[:, :, :1],
        lambda v, xp: v[:, ::-1, :1],
        lambda v, xp: v.swapaxes(1, 2),
    ):
        check(take(a, np) @ b, take(cp.array(a), cp) @ cp.array(b))
