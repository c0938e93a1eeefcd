"""A statement for each line of the table of calls, tests/fuzz/calls.py.

The table says by a word what each argument is; here a word is an expression of `Data`'s
names. An argument that may be left out is. A line that would take n² for n elements,
or that says too little to be timed, has its statement in STATEMENTS; those in LEFT_OUT
have none, and a word that nothing is known of is an error.
"""

import contextlib
import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.fuzz import calls

WORDS = {
    # arrays: n elements, in one dimension
    **dict.fromkeys(("x", "xr", "xf", "xfd", "x1", "x1f", "some", "distinct"), "x"),
    **dict.fromkeys(("y", "yr", "yfd", "same", "alike", "vec_beside", "beside"), "y"),
    **dict.fromkeys(("vec", "vecr"), "x"),
    "xi": "i",
    "yi": "j",
    "xc": "z",
    "yc": "z",
    "whole": "i",
    "wholes": "j",
    **dict.fromkeys(("xb", "mask", "mask1", "mask_of"), "m"),
    **dict.fromkeys(("name", "unshared", "target", "updated", "updated_vec"), "t"),
    "several": "[x, y]",
    **dict.fromkeys(("sorted1", "sorted1r"), "ordered"),
    "naturals": "p",
    "keys": "xp.stack([x, y])",
    "choice": "i % 2",
    "one": "x[:1]",
    # matrices of n elements
    **dict.fromkeys(("x2", "xm", "mx", "img", "imgn", "imgf", "x2n"), "a"),
    **dict.fromkeys(("matrix", "matrix_beside", "matrix_of"), "a"),
    "imgi": "grains",
    "imgb": "blobs",
    "x3": "x[: x.size // 3 * 3].reshape(-1, 3)",
    "updated_square": "xp.zeros((a.shape[0],) * 2, a.dtype)",
    # short ones: √n elements
    **dict.fromkeys(("some1", "shorter", "divisor", "indices1"), "v"),
    **dict.fromkeys(("last", "row_beside", "vector", "yl", "yd"), "row"),
    **dict.fromkeys(("x1s", "column_beside", "updated_column"), "column"),
    "updated_row": "row",
    "x1n": "x",
    # linear algebra: a stack of matrices of 8 × 8, n elements in all; one of √n × √n
    **dict.fromkeys(("square", "definite"), "e"),
    **dict.fromkeys(("rhs", "rhs_of", "rhs_beside"), "e"),
    "square0": "q",
    "ym": "a.T",
    "matrix_after": "a.T",
    # numbers, shapes, options
    **dict.fromkeys(("scalar", "number", "positive"), "3"),
    **dict.fromkeys(("small", "count", "section", "reps", "width", "degree"), "2"),
    "numbers": "host",
    "numbers_as": "host",
    "numbers0": "host",
    "numbers_of": "[1.0, 2.0]",
    "index": "1:-1:2",
    "place": "t[1:-1:2]",
    "read": "x[p]",
    **dict.fromkeys(("places", "within", "within0", "places0"), "p"),
    "coordinates": "(p // 8, p % 8)",
    "dims": "(x.size, 8)",
    "perm": "()",
    "shape": "x.size",
    "shape1": "x.size",
    "larger": "(3, x.size)",
    "reshaped": "(-1, 4)",
    "axis": "0",
    "percent": "30",
    "fraction": "0.3",
    "dtype": "'f8'",
    "npdtype": "np.dtype('f4')",
    "order": "'F'",
    "corder": "'F'",
    "flag": "True",
    # images
    "labelled": "grains",
    "labels_wanted": "wanted",
    "several_labels": "wanted",
    "several_labels_or_none": "wanted",
    "weights1": "weights",
    "weightsn": "window",
    "structure": "window > 0",
    "heights": "window",
    "sigma": "1.5",
    "sigmas": "1.5",
    "nsize": "5",
    "nsizes": "5",
    "moves": "1.5",
    "zooms": "1.2",
    "coordinates_of": "places",
    "matrix_for": "turn",
}
KEYWORDS = {  # what writes its own keywords
    "window": ", size=3",
    **dict.fromkeys(("ufunc", "out", "around", "arounds", "beyond", "edges"), ""),
    **dict.fromkeys(("placed", "spline", "binary", "image_out"), ""),
}
MODULES = ("ndimage", "signal", "sfft", "special")
CONSTANT = re.compile(r"'|True$|False$|None$|float$|(xp|ndimage|slinalg|np)\.|-?\d")

STATEMENTS = {  # by the line's name
    "outer": "xp.outer(v, v)",
    "linalg.outer": "xp.linalg.outer(v, v)",
    "add.outer": "xp.add.outer(v, v)",
    "multiply.outer": "xp.multiply.outer(v, v)",
    "less.outer": "xp.less.outer(v, v)",
    "arctan2.outer": "xp.arctan2.outer(v, v)",
    "kron": "xp.kron(v, v)",
    "linalg.kron": ("xp.linalg.kron(v, v)", "xp.kron(v, v)"),
    "tensordot": "xp.tensordot(a, b)",
    "linalg.tensordot": "xp.linalg.tensordot(a, b)",
    "inner": "xp.inner(x, y)",
    "linalg.inner": ("xp.linalg.inner(x, y)", "xp.inner(x, y)"),
    "einsum": "xp.einsum('ij,ij->i', a, b)",
    "linalg.einsum": (
        "xp.linalg.einsum('ij,ij->i', a, b)",
        "xp.einsum('ij,ij->i', a, b)",
    ),
    "cov": "xp.cov(a[:8])",
    "corrcoef": "xp.corrcoef(a[:8])",
    "meshgrid": "xp.meshgrid(v, v)",
    "ix_": "xp.ix_(p[:9], p[:9])",
    "vander": "xp.vander(v, 8)",
    "diagflat": "xp.diagflat(v)",
    "diag": "xp.diag(v)",
    "vdot": "xp.vdot(x, y)",
    "convolve": "xp.convolve(x, x[:15])",
    "correlate": "xp.correlate(x, x[:15])",
    "signal.convolve": "signal.convolve(x, x[:15], method='direct')",
    "signal.correlate": "signal.correlate(x, x[:15], method='direct')",
    "signal.fftconvolve": "signal.fftconvolve(x, x)",
    "signal.oaconvolve": "signal.oaconvolve(x, v)",
    "signal.convolve2d": "signal.convolve2d(a, window)",
    "signal.correlate2d": "signal.correlate2d(a, window)",
    "linspace": "xp.linspace(0, 1, x.size)",
    "logspace": "xp.logspace(0, 1, x.size)",
    "geomspace": "xp.geomspace(1, 9, x.size)",
    "arange": "xp.arange(x.size)",
    "eye": "xp.eye(v.size)",
    "identity": "xp.identity(v.size)",
    "tri": "xp.tri(v.size)",
    "tril": "xp.tril(a)",
    "triu": "xp.triu(a)",
    "indices": "xp.indices(a.shape)",
    "bartlett": "xp.bartlett(x.size)",
    "blackman": "xp.blackman(x.size)",
    "hamming": "xp.hamming(x.size)",
    "hanning": "xp.hanning(x.size)",
    "kaiser": "xp.kaiser(x.size, 3.0)",
    "diag_indices": "xp.diag_indices(x.size)",
    "tril_indices": "xp.tril_indices(v.size)",
    "triu_indices": "xp.triu_indices(v.size)",
    "{target}.partition({count})": "t.partition(t.size // 2)",
    "xp.sort(xp.partition({some}, 0))": "xp.partition(x, x.size // 2)",
    "xp.sort(xp.argpartition({some}, 0))": "xp.argpartition(x, x.size // 2)",
    "xp.sort({some}.argpartition(0))": "x.argpartition(x.size // 2)",
    "xp.piecewise({x}, [{mask_of}, {mask_of}], [1, 2])": (
        "xp.piecewise(x, [m, ~m], [1, 2])"
    ),
    "lexsort": "xp.lexsort(xp.stack([x, y]))",
    "take_along_axis": "xp.take_along_axis(x, p, 0)",
    "xp.put_along_axis({target}, {places0}, {scalar}, 0)": (
        "xp.put_along_axis(t, p, 3, 0)"
    ),
    "add.reduceat": "xp.add.reduceat(x, steps)",
    "minimum.reduceat": "xp.minimum.reduceat(x, steps)",
    "interp": "xp.interp(x, ordered, y)",
    "histogram": "xp.histogram(x, bins=100)",
    "xp.histogramdd({xr}[..., :4], bins={count})[0]": (
        "xp.histogramdd(a[:, :2], bins=10)"
    ),
    "xp.histogram2d({x1}, {same}, bins={count})": "xp.histogram2d(x, y, bins=10)",
    "bincount": "xp.bincount(i)",
    "digitize": "xp.digitize(x, ordered[::100])",
    "percentile": "xp.percentile(x, 30)",
    "median": "xp.median(x)",
    "delete": "xp.delete(x, 2)",
    "apply_along_axis": "xp.apply_along_axis(xp.max, 1, a[:10])",
    "apply_over_axes": "xp.apply_over_axes(xp.sum, a, 0)",
    "xp.poly({x1}.ravel()[:40])": "xp.poly(x[:30])",
    "xp.roots({x1}.ravel()[:40])": "xp.roots(x[:30])",
    "polymul": "xp.polymul(v, v)",
    "xp.polyval({x1}.ravel(), {x})": "xp.polyval(x[:8], y)",
    "xp.poly1d({x1}).coeffs": "xp.poly1d(v).coeffs",
    "xp.polynomial.polynomial.polyval({xr}, {x1})": (
        "xp.polynomial.polynomial.polyval(x, y[:8])"
    ),
    "xp.polynomial.polynomial.polyvalfromroots({xr}, {x1})": (
        "xp.polynomial.polynomial.polyvalfromroots(x, y[:8])"
    ),
    "linalg.cross": "xp.linalg.cross(three, three)",
    "cross": "xp.cross(three, three)",
    "linalg.norm": "xp.linalg.norm(x)",
    "linalg.matrix_power": "xp.linalg.matrix_power(e, 5)",
    "linalg.tensorsolve": "xp.linalg.tensorsolve(q, q[0])",
    "xp.linalg.multi_dot([{square0}, {rhs}])": "xp.linalg.multi_dot([q, q, q])",
    "xp.linalg.lstsq({square0}, {rhs})[0]": "xp.linalg.lstsq(q, q[0])",
    "matvec": "xp.matvec(a, row)",
    "vecmat": "xp.vecmat(column, a)",
    "dot": "xp.dot(x, y)",
    "linalg.dot": ("xp.linalg.dot(x, y)", "xp.dot(x, y)"),
    "{xm}.dot({yd})": "a.dot(row)",
    "matmul": "xp.matmul(q, q)",
    "{xm} @ {ym}": "q @ q",
    "linalg.matmul": "xp.linalg.matmul(e, e)",
    "fft.fftfreq": "xp.fft.fftfreq(x.size, 0.5)",
    "fft.rfftfreq": "xp.fft.rfftfreq(x.size, 0.5)",
    "sfft.fftfreq": "sfft.fftfreq(x.size, 0.5)",
    "sfft.rfftfreq": "sfft.rfftfreq(x.size, 0.5)",
    "slinalg.toeplitz": "slinalg.toeplitz(v, v)",
    "slinalg.circulant": "slinalg.circulant(v)",
    "slinalg.hankel": "slinalg.hankel(v, v)",
    "slinalg.leslie": "slinalg.leslie(v, v[:-1])",
    "slinalg.convolution_matrix": "slinalg.convolution_matrix(v, 20)",
    "slinalg.block_diag": "slinalg.block_diag(q, q)",
    "slinalg.khatri_rao": "slinalg.khatri_rao(a[:4], b[:4])",
    "slinalg.bandwidth": "slinalg.bandwidth(q)",
    "slinalg.solve_triangular": "slinalg.solve_triangular(q, q)",
    "slinalg.lu_solve(slinalg.lu_factor({square}), {rhs}, {0|1|2})": (
        "slinalg.lu_solve(slinalg.lu_factor(q), q[0])"
    ),
    "slinalg.lu({square})[2]": "slinalg.lu(q)",
    "slinalg.lu_factor({square})[0]": "slinalg.lu_factor(q)",
    "cublas.ger": (
        "xp.cublas.ger(3, column, row, a.copy())",
        "a + 3 * xp.outer(column, row)",
    ),
    "cublas.geru": (
        "xp.cublas.geru(3, column, row, a.copy())",
        "a + 3 * xp.outer(column, row)",
    ),
    "ndimage.binary_hit_or_miss": "ndimage.binary_hit_or_miss(blobs)",
    "ndimage.rank_filter": "ndimage.rank_filter(a, 2, size=3)",
    "ndimage.histogram": "ndimage.histogram(a, 0, 1, 10)",
    "ndimage.fourier_gaussian": "ndimage.fourier_gaussian(spectrum, 1.5)",
    "ndimage.fourier_uniform": "ndimage.fourier_uniform(spectrum, 1.5)",
    "ndimage.fourier_ellipsoid": "ndimage.fourier_ellipsoid(spectrum, 1.5)",
    "ndimage.fourier_shift": "ndimage.fourier_shift(spectrum, 1.5)",
    **{f"{{name}} {op}= {{yi}}": f"u {op}= j" for op in ("&", "|", "^", "<<", ">>")},
    "diagonal": "xp.diagonal(a)",
    ".diagonal": "a.diagonal()",
    "trace": "xp.trace(a)",
    ".trace": "a.trace()",
    "fliplr": "xp.fliplr(a)",
    ".T": "a.T.copy()",
    ".mT": "a.mT.copy()",
    "swapaxes": "xp.swapaxes(a, 0, 1)",
    ".swapaxes": "a.swapaxes(0, 1)",
    "moveaxis": "xp.moveaxis(a, 0, 1)",
    "rollaxis": "xp.rollaxis(a, 1)",
    "dsplit": "xp.dsplit(e, 2)",
    "hsplit": "xp.hsplit(a, 2)",
    "vsplit": "xp.vsplit(a, 2)",
    "xp.fill_diagonal({target}, {scalar})": "xp.fill_diagonal(a, 3)",
    "extract": "xp.extract(m, x)",
    "xp.select([{xb}], [{y}])": "xp.select([m, ~m], [x, y])",
    "clip": "xp.clip(x, 0.6, 0.8)",
    ".clip": "x.clip(0.6, 0.8)",
    "where": "xp.where(m, x, y)",
    "xp.minimum.at({name}, np.array([0]), {numbers0})": "xp.minimum.at(t, p, y)",
    "{place} = {y}": "t[1:-1:2] = y[1:-1:2]",
    "{place} = {numbers}": "t[1:-1:2] = host[1:-1:2]",
    "{place} += {y}": "t[1:-1:2] += y[1:-1:2]",
    ".transpose": "a.transpose(1, 0)",
    "permute_dims": "xp.permute_dims(a, (1, 0))",
    "tile": "xp.tile(x, 2)",
    "pad": "xp.pad(a, 2)",
    "resize": "xp.resize(x, (3, x.size))",
    "matrix_transpose": "xp.matrix_transpose(a)",
    "unravel_index": "xp.unravel_index(p, (x.size // 8, 8))",
}
LEFT_OUT = {  # by why: parts of lines
    "bench_random.py has it": r"xp\.random\.",
    "compiles a function of the user's": (
        r"vectorize|fuse|generic_filter|lambda|comprehension"
    ),
    "does no work that grows with an array": (
        r"can_cast|_type|isdtype|issubdtype|typename|mintypecode|_shapes|base_repr"
        r"|binary_repr|format_float|_memory|iscomplexobj|isrealobj|isscalar|iterable"
        r"|frombuffer|fromstring|fromiter|hadamard|helmert|hilbert|slinalg\.dft|shape ="
        r"|_structure\(|tensorinv|isfortran|spawn|\.(dtype|shape|size|ndim|itemsize)$"
        r"|\.nbytes$|^(shape|ndim|size)\(|as_strided|sliding_window"
    ),
    "ends in lists of Python's": (
        r"tolist|_str\(|2string|_repr|_position|extrema|center_of_mass|value_indices"
        r"|find_objects|list\(ndimage|histogram\(\{img|iterate"
    ),
    "another line has the same work": (
        r"[mM]8|V[68]|i8,|cublas\.(gem|geam|sbmv|syrk|dgmm|gerc|batch)|mask_indices"
        r"|poly(fit|vander|utils|companion|div)|\+ xp\.poly1d|companion|fiedler"
        r"|\]\.sum\(-1|ravel_multi|unpackbits|\[1\]$|^\{name\}\[\.\.\.\]"
    ),
}
_LEFT_OUT = re.compile("|".join(LEFT_OUT.values()))


def rows():
    """The lines that have a statement, by the families of the table."""
    for family, lines in calls.ROWS.items():
        for row in lines:
            if not _LEFT_OUT.search(row.spec):
                yield family, row


def _word(kind, matrix):
    """The expression that a word of the table stands for."""
    word = WORDS.get(kind)
    if matrix and word in ("x", "y", "i", "m", "z"):
        return word + "2"
    first = kind.split("|")[0]
    if word or CONSTANT.match(first):
        return word or first
    if "|" in kind:
        return repr(first)
    raise KeyError(f"the table of calls has {kind!r}, for which there is no word here")


def statement(row, axis=None):
    """What a line's call is, and what NumPy runs; along `axis` of matrices if one is
    given."""
    if row.name in STATEMENTS and axis is None:
        found = STATEMENTS[row.name]
        return found if isinstance(found, tuple) else (found, found)
    text, arguments = row.before, []
    for piece in row.pieces:
        goes_along = axis is not None and piece.kind in ("axis", "axes")
        if piece.kind in KEYWORDS:
            text += piece.before + KEYWORDS[piece.kind]
        elif piece.given == 1 or goes_along:
            word = str(axis) if goes_along else _word(piece.kind, axis is not None)
            arguments.append(word)
            text += piece.before + word
        text += piece.after
    text = (text + row.after).replace("(, ", "(")
    theirs = row.numpy_text(arguments) or text
    # What a special function is compared with is more than SciPy's, which is timed.
    return text, text if theirs.startswith("expected_of(") else theirs


def has_axis(row):
    """Whether it goes along an axis of an array of any shape."""
    kinds = [piece.kind for piece in row.pieces]
    along = any(p.kind in ("axis", "axes") and "axis=" in p.before for p in row.pieces)
    other = {"mask1", "places", "within"} & set(kinds) or row.name == "squeeze"
    return along and not other and kinds[0] in ("x", "xr", "xf", "some")


# ---- data ----------------------------------------------------------------------------


class Data(dict):
    """Arrays of a library by name, made when they are first asked for."""

    def __init__(self, lib, n, dtype="f4", layout="dense"):
        super().__init__(xp=lib.xp, np=np)
        modules = {"slinalg": lib.linalg, "cupricx": lib.own}
        modules |= {name: getattr(lib, name) for name in MODULES}
        self.update(modules)
        self.lib, self.n, self.dtype, self.layout = lib, n, np.dtype(dtype), layout
        self.side = 1 << max(int(np.log2(n)) // 2, 2)  # of an image, near √n

    def _numbers(self, low, high, n=None, seed=0):
        numbers = np.random.default_rng(seed).uniform(low, high, n or self.n)
        if self.dtype.kind == "c":
            return (numbers + 0.5j * numbers).astype(self.dtype)
        if self.dtype.kind in "iu":
            numbers = 1 + numbers * 100
        return numbers.astype(self.dtype)

    def _host(self, name):
        n, side = self.n, self.side
        random = np.random.default_rng(1)
        rows = n // (n // side)
        columns = n // rows
        matrix = rows, columns
        if name[-1] == "2" and name != "2":  # the first elements, as a matrix
            return self._host(name[0])[: rows * columns].reshape(matrix)
        if name in ("x", "t", "host"):
            return self._numbers(0.5, 1)
        if name == "y":
            return self._numbers(0.6, 1, seed=2)
        if name in ("i", "j", "u"):
            return random.integers(1, 31, n, "i4")
        if name == "m":
            return random.random(n) < 0.5
        if name == "z":
            return (random.random(n) + 1j * random.random(n)).astype("c8")
        if name == "ordered":
            return np.sort(self._numbers(0.5, 1))
        if name == "p":
            return random.integers(0, n, n)
        if name == "steps":
            return np.arange(0, n, max(n // 1000, 1))
        if name in ("v", "row", "column"):
            size = {"v": side, "row": columns, "column": rows}[name]
            return self._numbers(0.5, 1, size)
        if name == "three":
            return self._numbers(0.5, 1, n // 3 * 3).reshape(-1, 3)
        if name in ("a", "b"):
            return self._numbers(0.5, 1, rows * columns).reshape(matrix)
        if name == "q":
            whole = min(side, 512)
            square = random.random((whole, whole)) / whole + 4 * np.eye(whole)
            return square.astype("f4")
        if name == "e":
            stack = random.random((max(n // 64, 1), 8, 8), "f4")
            return stack @ stack.swapaxes(1, 2) + np.eye(8, dtype="f4")
        if name == "blobs":
            return random.random(matrix) < 0.5
        if name == "grains":
            return random.integers(0, 20, matrix, "i4")
        if name == "wanted":
            return np.arange(1, 20)
        if name == "weights":
            return np.arange(1, 6, dtype="f4")
        if name == "window":
            return np.arange(9, dtype="f4").reshape(3, 3)
        if name == "spectrum":
            return self._numbers(0.5, 1, rows * columns).reshape(matrix) + 0j
        if name == "places":
            return random.uniform(0, rows, (2, *matrix)).astype("f4")
        if name == "turn":
            return np.array([[0.8, -0.6], [0.6, 0.8]])
        raise KeyError(name)

    def named(self, text):
        """What the names in a statement stand for."""
        found = {}
        for name in compile(text, text, "exec").co_names:
            with contextlib.suppress(KeyError):
                found[name] = self[name]
        return found

    def __missing__(self, name):
        host = self._host(name)
        if name == "host":
            return host
        made = self.lib.asarray(host)
        if self.layout == "strided" and name in ("x", "y", "i", "j", "m", "z"):
            made = self.lib.asarray(np.repeat(host, 2))[::2]
        if name not in ("t", "u"):  # which are written to
            self[name] = made
        return made
