"""Run by test_placement.py with four devices: prints what is on the wrong one."""

import sys

import numpy as np

import cupric as cp
import cupricx.scipy.signal as signal

with cp.cuda.Device(2):
    x = cp.arange(12.0).reshape(3, 4) + 1
    square = cp.eye(4) * 2 + 1
    index = cp.asarray([2, 0])
    z = x + 1j
assert x.device == cp.cuda.Device(2)

CALLS = {
    "add scalar": lambda: x + 1,
    "add": lambda: x + x,
    "negative": lambda: -x,
    "reflected": lambda: 2.0 - x,
    "compare": lambda: x > 3,
    "numpy": lambda: np.add(x, x),
    "sin": lambda: cp.sin(x),
    "where": lambda: cp.where(x > 3, x, 0),
    "clip": lambda: cp.clip(x, 2, 5),
    "sum": lambda: x.sum(),
    "sum axis": lambda: x.sum(0),
    "mean": lambda: x.mean(1),
    "var": lambda: x.var(),
    "std": lambda: x.std(0),
    "max": lambda: x.max(),
    "argmax": lambda: x.argmax(),
    "any": lambda: (x > 3).any(),
    "sum where": lambda: x.sum(where=x > 3),
    "cumsum": lambda: x.cumsum(0),
    "reduce": lambda: cp.add.reduce(x),
    "accumulate": lambda: cp.add.accumulate(x),
    "reduceat": lambda: cp.add.reduceat(x, [0, 2], axis=1),
    "outer": lambda: cp.multiply.outer(x[0], x[0]),
    "astype": lambda: x.astype("f"),
    "ravel": lambda: x.T.ravel(),
    "slice": lambda: x[1:],
    "reshape": lambda: x.T.reshape(12),
    "fancy": lambda: x[index],
    "mask": lambda: x[x > 3],
    "take": lambda: cp.take(x, index, axis=1),
    "nonzero": lambda: x.nonzero()[0],
    "sort": lambda: cp.sort(x),
    "argsort": lambda: x.argsort(),
    "concatenate": lambda: cp.concatenate([x, x]),
    "stack": lambda: cp.stack([x, x]),
    "tile": lambda: cp.tile(x, 2),
    "repeat": lambda: cp.repeat(x, 2),
    "roll": lambda: cp.roll(x, 1),
    "flip": lambda: cp.flip(x),
    "pad": lambda: cp.pad(x, 1),
    "split": lambda: cp.split(x, 3)[0],
    "broadcast_to": lambda: cp.broadcast_to(x, (2, 3, 4)),
    "matmul": lambda: x @ square,
    "dot": lambda: cp.dot(x, square),
    "einsum": lambda: cp.einsum("ij,ij->i", x, x),
    "outer product": lambda: cp.outer(x, x),
    "trace": lambda: cp.trace(square),
    "norm": lambda: cp.linalg.norm(x),
    "det": lambda: cp.linalg.det(square),
    "inv": lambda: cp.linalg.inv(square),
    "solve": lambda: cp.linalg.solve(square, x.T),
    "svd": lambda: cp.linalg.svd(x)[1],
    "fft": lambda: cp.fft.fft(x),
    "ifftn": lambda: cp.fft.ifftn(z),
    "rfft": lambda: cp.fft.rfft(x, n=9),
    "convolve": lambda: cp.convolve(x[0], x[1]),
    "convolve2d": lambda: signal.convolve2d(x, square),
    "fftconvolve": lambda: signal.fftconvolve(x, square),
    "isclose": lambda: cp.isclose(x, x),
    "unique": lambda: cp.unique(x),
    "diff": lambda: cp.diff(x),
    "searchsorted": lambda: cp.searchsorted(x[0], x[1]),
    "imag": lambda: x.imag,
    "conj": lambda: z.conj(),
    "round": lambda: x.round(1),
    "diag": lambda: cp.diag(square),
    "tril": lambda: cp.tril(square),
    "percentile": lambda: cp.percentile(x, 30),
    "median": lambda: cp.median(x),
    "kernel": lambda: cp.ElementwiseKernel("T x", "T y", "y = x * 2")(x),
    "reduction kernel": lambda: cp.ReductionKernel(
        "T x", "T y", "x", "a + b", "y = a", "0"
    )(x),
}
wrong = []
with cp.cuda.Device(1):
    for name, call in CALLS.items():
        result = call()
        if result.device != x.device:
            wrong.append(f"{name}: {result.device}")
    here = cp.ones((3, 4))
    assert here.device == cp.cuda.Device(1)
    for name, call in {
        "add": lambda: x + here,
        "matmul": lambda: x @ here.T,
        "out": lambda: cp.add(x, x, out=here),
        "concatenate": lambda: cp.concatenate([x, here]),
        "where": lambda: cp.where(here > 0, x, x),
        "sum out": lambda: x.sum(0, out=cp.zeros(4)),
        "index": lambda: x.__setitem__(0, here[0]),
        "at": lambda: cp.add.at(here[0], index, 1),
        "at values": lambda: cp.add.at(x[0], index, here[0, :2]),
        "reduceat": lambda: cp.minimum.reduceat(here[0], index),
        "choose": lambda: cp.choose(index, [x[0, :2], here[0, :2]]),
        "choose out": lambda: cp.choose(index % 2, [x[0, :2]] * 2, out=here[0, :2]),
        "select": lambda: cp.select([x > 3], [here]),
        "select default": lambda: cp.select([x > 3], [x], here[0, 0]),
        "putmask": lambda: cp.putmask(x, x > 3, here),
        "place": lambda: cp.place(x, x > 3, here),
        "ix_": lambda: cp.ix_(x[0], here[0]),
        "insert": lambda: cp.insert(x, 0, here[0]),
        "insert at": lambda: cp.insert(here, index, 1),
        "delete": lambda: cp.delete(here, index),
        "repeat": lambda: cp.repeat(here[0], index),
        "roll": lambda: cp.roll(here, index[0]),
        "meshgrid": lambda: cp.meshgrid(x[0], here[0]),
        "append": lambda: cp.append(x, here),
        "stack out": lambda: cp.stack([x, x], out=cp.zeros((2, 3, 4))),
        "union1d": lambda: cp.union1d(x, here),
        "lexsort": lambda: cp.lexsort((x[0], here[0])),
        "bincount": lambda: cp.bincount(index, here[0, :2]),
        "digitize": lambda: cp.digitize(x, here[0]),
        "interp": lambda: cp.interp(x, here[0], here[0]),
        "gradient": lambda: cp.gradient(x[0], here[0]),
        "trapezoid": lambda: cp.trapezoid(x, here),
        "pad": lambda: cp.pad(x, 1, constant_values=here[0, 0]),
        "take_along_axis": lambda: cp.take_along_axis(here[0], index, 0),
        "put_along_axis": lambda: cp.put_along_axis(here[0], index, 1, 0),
        "cumulative_sum": lambda: cp.cumulative_sum(x[0], out=here[0]),
        "nan_to_num": lambda: cp.nan_to_num(x, nan=here),
    }.items():
        try:
            call()
            if name not in ("index", "concatenate"):
                wrong.append(f"{name}: no error for operands on two devices")
        except ValueError as error:
            if "device 1" not in str(error) or "device 2" not in str(error):
                wrong.append(f"{name}: {error}")
    copied = cp.asarray(x)
    assert copied.device == cp.cuda.Device(1)
    np.testing.assert_array_equal(copied.get(), x.get())
    assert x.copy().device == cp.cuda.Device(1)
    with cp.cuda.Device(0):
        x += 1
        x[0] = 5
        x[x > 6] = 0
print("\n".join(wrong))
sys.exit(bool(wrong))
