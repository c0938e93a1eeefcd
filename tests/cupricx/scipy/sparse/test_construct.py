"""New matrices of diagonals, blocks, products and parts, against SciPy."""

import warnings

import numpy as np
import pytest
import scipy.sparse

import cupric as cp
from cupricx.scipy import sparse

A = np.array([[1, 0], [0, 2]])
D = np.array([[1, 2], [3, 0]])


def names(package, asarray, xp):
    """What expressions are about: an array in three formats, a matrix, and dense."""
    return dict(
        sp=package,
        xp=xp,
        A=package.csr_array(A),
        C=package.csc_array(A),
        O=package.coo_array(A),
        M=package.csr_matrix(A),
        V=package.coo_array(np.array([1, 0, 2])),
        T=package.coo_array(np.ones((1, 2, 3))),
        W=package.csr_array((2, 3)),
        D=asarray(D),
    )


def on_host():
    """New ones, as permute_dims of SciPy's changes what it is given."""
    return names(scipy.sparse, np.asarray, np)


def on_device():
    return names(sparse, cp.asarray, cp)


def outcome(expression, given):
    """The class, dtype, shape, number of elements, dtype of indices and elements; of an
    error its type."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = eval(expression, dict(given))
        except (ValueError, TypeError) as error:
            return type(error).__name__
    if isinstance(made, tuple):
        return [(x.dtype, x.tolist()) for x in made]
    index = made.indices.dtype if hasattr(made, "indices") else None
    dense = made.toarray().tolist()
    return type(made).__name__, made.dtype, made.shape, made.nnz, index, dense


def check(expression):
    assert outcome(expression, on_device()) == outcome(expression, on_host())


BLOCKS = """
bmat([[A, None], [None, A]])
bmat([[M, None], [None, M]])
bmat([[M, None], [None, A]])
bmat([[D, None], [None, D]])
bmat([A, A])
bmat([[A], [A, A]])
block_array([[D, None], [None, D]])
block_array([[M, None], [None, M]])
block_array([[A], [A]])
block_array([[A, A]])
block_array([[A, A], [A, A]])
block_array([[C, C], [C, C]])
block_array([[A, C]])
block_array([[A], [None]])
block_array([[None, None]])
block_array([[A, xp.ones((3, 2))]])
block_array([[A], [xp.ones((2, 3))]])
block_array([[A, A]], format='csc', dtype='f4')
block_array([[A, A.astype('f4')], [A.astype('i2'), A]])
hstack([A, A])
hstack([A, M])
hstack([M, M])
hstack([C, C])
hstack([A, D])
hstack([A, W])
hstack([A, sp.csr_array((3, 2))])
hstack([V, V])
hstack([A, A, A], format='coo')
hstack((A, A), 'csr', 'c8')
vstack([A, A])
vstack([A, C])
vstack([A.astype('f4'), A], format='coo')
vstack([C, C])
vstack([M, M], 'csc')
vstack([A, O])
vstack([A])
vstack([])
vstack([A, W])
vstack([V, V])
vstack([sp.csr_array(xp.asarray([1, 0])), sp.csr_array(xp.asarray([2, 3]))])
vstack([sp.coo_array(xp.asarray([1, 0])), A])
block_diag([A, A])
block_diag([M, M])
block_diag([M, A])
block_diag([D, 3, [1, 2]])
block_diag([M, 3])
block_diag([])
block_diag([A, A], format='csr', dtype='f4')
block_diag([xp.ones((2, 0)), xp.ones((1, 1))])
"""

DIAGONALS = """
diags([1, 2, 3])
diags([1, 2, 3], dtype=None)
diags([[1, 2, 3], [4, 5]], [0, 1])
diags([1, -2, 1], [-1, 0, 1], shape=(4, 4))
diags([1, 2, 3], format='csr')
diags([[1, 2, 3]], [0], dtype='f4')
diags([[1, 2], [3]], [0, 0])
diags([[1, 2], [3]], [0, 5], shape=(2, 2))
diags([[1, 2], [3]], [0], shape=(2, 2))
diags([[1, 2, 3], [3]], [0, 1], shape=(2, 2))
diags([[1]], [0], shape=(3, 3))
diags([1.5, 2], [0, 1], shape=(3, 3), dtype=int)
diags(xp.ones((2, 3)), [0, -1])
diags([xp.arange(3), xp.arange(2)], [0, -1], dtype=None)
diags_array([1, -2, 1], offsets=[-1, 0, 1], shape=(4, 4))
diags_array([[1, 2, 3], [4, 5]], offsets=[0, 1])
diags_array([1, 2, 3], offsets=1)
diags_array([1, 2, 3], offsets=-1, shape=(4, 5))
diags_array([[1, 2], [1]], offsets=[0, 2], shape=(2, 3))
diags_array([[1, 2, 3], [1, 2]], offsets=[0, -2], shape=(3, 3))
diags_array([[1, 2, 3], [1, 2]], offsets=[0, -1], shape=(4, 4))
diags_array([[]], offsets=[0], shape=(3, 3))
diags_array([1, 2, 3], format='csr')
diags_array([[1 + 1j]], offsets=[1])
diags_array(xp.ones((2, 3), 'f4'), offsets=[0, -1])
diags_array(xp.ones((2, 3), 'f4'), offsets=[0, -1], shape=(3, 3))
diags_array(xp.ones(2, bool))
diags_array(xp.ones(2, bool), dtype=bool)
spdiags([[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]], [0, -1, 2], 4, 4)
spdiags([[1, 2, 3, 4]], 0, (4, 5))
spdiags([1, 2, 3, 4], 1, 4, 4, format='csr')
spdiags([[1, 2, 3, 4]], 0)
spdiags(xp.ones((2, 4)), [0, 1], 4, 4)
eye(3)
eye(3, 4, 1)
eye(3, dtype=int, format='csr')
eye(3, format='csc')
eye(3, format='coo')
eye(3, k=5)
eye(3, 4, k=1, format='csr')
eye(0)
eye(-1)
eye_array(3)
eye_array(3, 4, k=-1, format='csr')
eye_array(3, format='csr')
eye_array(2, k=2)
eye_array(2, 3, k=2)
eye_array(2.5)
identity(3)
identity(3, dtype='f4', format='csr')
"""

PRODUCTS = """
kron(A, A, format='csr')
kron(A, D, 'csc')
kron(A, xp.ones((2, 2)), format='coo')
kron(A, W)
kron(W, A, 'coo')
kron(V, V)
kron(A, V)
kron(V, A, 'coo')
kron(M, sp.eye(3, format='csr'))
kron(A, sp.eye(3, format='csr'))
kronsum(A, A)
kronsum(M, M, format='csc')
kronsum(A, D)
kronsum(A, sp.csr_array(xp.asarray([[1.0]])))
kronsum(A, W)
kronsum(W, A)
kronsum(A, V)
"""

PARTS = """
tril(A)
tril(M)
tril(D)
tril(A, -1)
tril(C, 1, 'csc')
triu(D, 1)
triu(A, format='csr')
triu(V)
find(A)
find(sp.coo_array(([1, 2, 0, -3, 3], ([0, 0, 1, 1, 1], [1, 1, 0, 0, 0])), shape=(2, 2)))
find(D)
find(V)
permute_dims(A)
permute_dims(A, (1, 0))
permute_dims(M)
permute_dims(C, (0, 1))
permute_dims(O, (1, 0), copy=True)
permute_dims(T, (2, 0, 1))
permute_dims(A, (0, 0))
permute_dims(A, (0, 2))
permute_dims(A, (-1, 0))
permute_dims(A, (0,))
permute_dims(A, 1)
swapaxes(A, 0, 1)
swapaxes(A, 0, 2)
swapaxes(O, 0, -1)
swapaxes(T, 0, 2)
expand_dims(A)
expand_dims(A, axis=1)
expand_dims(V, axis=-1)
expand_dims(A, axis=3)
"""


def each(lines):
    calls = [f"sp.{line}" for line in lines.strip().splitlines()]
    return pytest.mark.parametrize("expression", calls)


@each(BLOCKS)
def test_blocks(expression):
    check(expression)


@each(DIAGONALS)
def test_diagonals(expression):
    check(expression)


@each(PRODUCTS)
def test_products(expression):
    check(expression)


@each(PARTS)
def test_parts(expression):
    check(expression)


@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_kron_of_dense_blocks(kind):
    x, y = A, np.array([[1.0, 2, 0], [3, 4, 5]])
    host, own = (getattr(p, f"csr_{kind}") for p in (scipy.sparse, sparse))
    expected = scipy.sparse.kron(host(x), host(y))
    found = sparse.kron(own(x), own(y))
    assert type(found).__name__ == type(expected).__name__ == f"bsr_{kind}"
    for name in ("indptr", "indices", "data"):
        a, b = getattr(found, name), getattr(expected, name)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.get(), b)


# ---- blocks of one compressed format -------------------------------------------------


def random_blocks(format, shapes, dtype, wide=False, seed=0):
    rng = np.random.default_rng(seed)
    for k, shape in enumerate(shapes):
        x = scipy.sparse.random_array(shape, density=0.3, rng=rng, format=format)
        x.data = np.ceil(x.data * 9)
        x = x.astype(dtype)
        if wide and k:
            x.indptr, x.indices = x.indptr.astype("i8"), x.indices.astype("i8")
        own = getattr(sparse, f"{format}_array")._of(
            tuple(cp.asarray(a) for a in (x.indptr, x.indices, x.data)), x.shape
        )
        yield x, own


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("dtype", "?bhilfdFD")
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("name", ["hstack", "vstack"])
def test_stacks_of_one_format(format, dtype, wide, name):
    shapes = [(7, 5), (7, 0), (7, 1), (7, 9)]
    shapes = shapes if name == "hstack" else [s[::-1] for s in shapes]
    pairs = list(random_blocks(format, shapes, dtype, wide))
    expected = getattr(scipy.sparse, name)([a for a, _ in pairs])
    found = getattr(sparse, name)([b for _, b in pairs])
    assert (found.format, found.shape) == (format, expected.shape)
    assert found.indptr.dtype == (np.int64 if wide else np.int32)
    for part in ("indptr", "indices", "data"):
        a, b = getattr(found, part), getattr(expected, part)
        np.testing.assert_array_equal(a.get(), b)
    assert found.dtype == expected.dtype


def test_order_is_known_where_that_of_all_blocks_is():
    x = sparse.csr_array(cp.asarray(D))
    for made in (sparse.hstack([x, x]), sparse.vstack([x, x])):
        assert made._has_canonical_format is True
    y = sparse.csr_array((cp.ones(2), cp.array([1, 0]), cp.array([0, 2, 2])), (2, 2))
    for made in (sparse.hstack([x, y]), sparse.vstack([x, y])):
        assert not made.has_sorted_indices
        assert not made.has_canonical_format


def test_blocks_share_no_memory():
    x = sparse.csr_array(cp.asarray(D))
    for name in ("hstack", "vstack"):
        made = getattr(sparse, name)([x])
        made.data[...] = 0
        assert x.toarray().tolist() == D.tolist()


def test_blocks_of_arrays_of_the_host():
    found = sparse.hstack([sparse.csr_array(cp.asarray(A)), scipy.sparse.csr_array(D)])
    assert found.toarray().tolist() == np.hstack([A, D]).tolist()


def test_a_single_array_is_not_a_sequence_of_blocks():
    with pytest.raises(TypeError, match="sequence"):
        sparse.hstack(on_device()["A"])


# ---- single cases --------------------------------------------------------------------


def test_diagonals_of_integers_warn():
    with pytest.warns(FutureWarning, match="cast to float64"):
        sparse.diags_array([1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sparse.diags_array([1, 2], dtype=None).dtype == np.int64
        assert sparse.diags_array([1.0, 2]).dtype == np.float64


def test_data_of_diagonals():
    for offsets in ([0, 2], [-1, 1], [-2], [2]):
        for shape in ((4, 4), (3, 6), (6, 3)):
            values = [[7.0]] * len(offsets)
            args = dict(offsets=offsets, shape=shape)
            expected = scipy.sparse.diags_array(values, **args)
            found = sparse.diags_array(values, **args)
            np.testing.assert_array_equal(found.data.get(), expected.data)
            np.testing.assert_array_equal(found.offsets.get(), expected.offsets)
            assert found.offsets.dtype == expected.offsets.dtype


def test_half_precision():
    x = sparse.csr_array(cp.asarray(A, "e"))
    assert sparse.vstack([x, x]).dtype == np.float16
    assert sparse.kron(x, x, "csr").toarray().tolist() == np.kron(A, A).tolist()
    assert sparse.eye_array(3, dtype="e").dtype == np.float16


def test_matrix_transpose():
    assert sparse.matrix_transpose(on_device()["T"]).shape == (1, 3, 2)
    found = sparse.matrix_transpose(sparse.csr_array(cp.asarray(D)))
    assert found.toarray().tolist() == D.T.tolist()
    with pytest.raises(ValueError, match="two axes"):
        sparse.matrix_transpose(on_device()["V"])
    with pytest.raises(TypeError, match="sparse array"):
        sparse.matrix_transpose(D)


def test_permuted_without_copy_shares_memory():
    x = sparse.csr_array(cp.asarray(D))
    assert sparse.permute_dims(x, (0, 1)) is x
    made = sparse.permute_dims(x, (0, 1), copy=True)
    assert made is not x
    made.data[...] = 0
    assert x.data.tolist() == [1, 2, 3]
