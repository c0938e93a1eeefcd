"""Write what calls of the commonest functions ask of the driver.

    python -m tools.launches               what `make launches` does
    python -m tools.launches --check       say what is not up to date; exit status 1
    python -m tools.launches --peer cupy   count CuPy's on a GPU, too
    python -m tools.launches --real        print the page as counted on a GPU

docs/launches.md is written: launches, copies and waits. driver_calls.c counts, for us
as for CuPy, whose figures are kept in benchmarks/results/launches_cupy.json. What we
launch does not depend on there being a device, so our calls run under a driver and a
compiler that do nothing, tests/cuda/fake_driver.c and fake_nvrtc.c. There all results
are zeros, and NVIDIA's other libraries are missing: a call that goes on otherwise, or
calls these, has no figures.

Each line is called a few times before it is counted, so that kernels are loaded, plans
made and memory allocated.
"""

import ctypes
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from . import ROOT, generated

PAGE = ROOT / "docs/launches.md"
PEER = ROOT / "benchmarks/results/launches_cupy.json"
LIBRARIES = ("cublas", "cufft", "cusolver")
WARM_UP = 3
KINDS = ("launches", "copies", "waits")
LAYOUTS = ("dense", "strided")

# Of x, y: 1000 float32, dense; or 1000 float64, every other one of an array. a, b: as
# matrices of 25 × 40. s: a square one of 32. i: indices. m: a mask. p, q: Booleans. n:
# integers. e: a stack of 100 matrices of 8 × 8. z: complex numbers. host: NumPy's.
CALLS = """
empty           xp.empty(1000)
zeros           xp.zeros(1000)
ones            xp.ones(1000)
full            xp.full(1000, 7.0)
empty_like      xp.empty_like(x)
zeros_like      xp.zeros_like(x)
ones_like       xp.ones_like(x)
full_like       xp.full_like(x, 7)
arange          xp.arange(1000)
linspace        xp.linspace(0, 1, 1000)
logspace        xp.logspace(0, 1, 1000)
geomspace       xp.geomspace(1, 2, 1000)
mgrid           xp.mgrid[0:25, 0:40]
eye             xp.eye(32)
identity        xp.identity(32)
tri             xp.tri(32)
tril            xp.tril(a)
triu            xp.triu(a)
tril_indices    xp.tril_indices(32)
diag            xp.diag(x[:32])
diagonal        xp.diagonal(a)
meshgrid        xp.meshgrid(x[:32], y[:32])
indices         xp.indices((25, 40))
array           xp.array(x)
asarray         xp.asarray(host)
asarray         xp.asarray(x, dtype="i4")
ascontiguousarray xp.ascontiguousarray(a.T)
copy            x.copy()
astype          x.astype("i8")
asnumpy         xp.asnumpy(x)
item            x[3].item()
float           float(x[3])
tolist          x.tolist()
reshape         a.reshape(40, 25)
ravel           xp.ravel(a)
flatten         a.flatten()
transpose       xp.transpose(a)
moveaxis        xp.moveaxis(a, 0, 1)
squeeze         xp.squeeze(x[None])
expand_dims     xp.expand_dims(x, 0)
broadcast_to    xp.broadcast_to(x, (3, 1000))
concatenate     xp.concatenate([x, y])
stack           xp.stack([x, y])
stack           xp.stack([x, y], axis=-1)
vstack          xp.vstack([a, b])
hstack          xp.hstack([a, b])
column_stack    xp.column_stack([x, y])
split           xp.split(x, 4)
tile            xp.tile(a, (2, 2))
repeat          xp.repeat(a, 2, axis=1)
flip            xp.flip(x)
roll            xp.roll(x, 3)
roll            xp.roll(a, (1, 2), axis=(0, 1))
rot90           xp.rot90(a)
pad             xp.pad(a, 1)
pad             xp.pad(a, 1, mode="edge")
append          xp.append(x, y)
delete          xp.delete(x, 3)
resize          xp.resize(x, (3, 700))
getitem         x[i]
getitem         a[1:5, ::2]
getitem         x[m]
setitem         x[i] = 0
setitem         x[m] = 0
setitem         a[1:5] = b[2:6]
take            xp.take(a, i, axis=1)
put             xp.put(x, i, 0)
take_along_axis xp.take_along_axis(a, n[:, :3], axis=1)
compress        xp.compress(m, x)
extract         xp.extract(m, x)
where           xp.where(m, x, y)
where           xp.where(m)
nonzero         xp.nonzero(x)
flatnonzero     xp.flatnonzero(x)
argwhere        xp.argwhere(a)
choose          xp.choose(n[0] % 2, [a[0], b[0]])
select          xp.select([m, p], [x, y], 0)
piecewise       xp.piecewise(x, [m, p], [1, 2, 3])
searchsorted    xp.searchsorted(x, y)
unravel_index   xp.unravel_index(i, (25, 40))
ravel_multi_index xp.ravel_multi_index((i, i), (25, 40))
fill_diagonal   xp.fill_diagonal(s, 0)
add             x + y
subtract        x - 1
multiply        x * y
divide          x / y
floor_divide    x // 2
remainder       x % 3
power           x ** 2
power           x ** y
divmod          xp.divmod(x, y)
iadd            x += y
negative        -x
abs             abs(x)
sqrt            xp.sqrt(x)
square          xp.square(x)
exp             xp.exp(x)
expm1           xp.expm1(x)
log             xp.log(x)
log2            xp.log2(x)
log10           xp.log10(x)
log1p           xp.log1p(x)
sin             xp.sin(x)
cos             xp.cos(x)
tan             xp.tan(x)
arctan2         xp.arctan2(x, y)
tanh            xp.tanh(x)
hypot           xp.hypot(x, y)
floor           xp.floor(x)
ceil            xp.ceil(x)
round           xp.round(x)
round           xp.round(x, 2)
sign            xp.sign(x)
maximum         xp.maximum(x, y)
minimum         xp.minimum(x, 1)
clip            xp.clip(x, 0, 1)
clip            xp.clip(x, y, None)
clip            xp.clip(x, y, y)
isnan           xp.isnan(x)
isfinite        xp.isfinite(x)
isinf           xp.isinf(x)
nan_to_num      xp.nan_to_num(x)
logical_and     xp.logical_and(m, p)
logical_not     xp.logical_not(m)
bitwise_and     m & p
greater         x > y
equal           x == 0
isclose         xp.isclose(x, y)
allclose        xp.allclose(x, y)
array_equal     xp.array_equal(x, y)
interp          xp.interp(x, y, y)
interp          xp.interp(x, y, y, period=3)
angle           xp.angle(z)
real            xp.real(z)
conj            xp.conj(z)
iscomplex       xp.iscomplex(z)
sinc            xp.sinc(x)
deg2rad         xp.deg2rad(x)
sum             x.sum()
sum             a.sum(axis=0)
sum             a.sum(axis=1)
prod            x.prod()
mean            x.mean()
mean            a.mean(axis=0)
std             x.std()
std             a.std(axis=0)
var             x.var()
max             x.max()
min             a.min(axis=1)
argmax          x.argmax()
argmin          a.argmin(axis=1)
any             m.any()
all             m.all()
ptp             xp.ptp(x)
median          xp.median(x)
percentile      xp.percentile(x, 30)
quantile        xp.quantile(a, [0.1, 0.5], axis=1)
average         xp.average(x)
average         xp.average(x, weights=y)
nansum          xp.nansum(x)
nanmean         xp.nanmean(x)
nanstd          xp.nanstd(x)
nanmax          xp.nanmax(x)
nanargmax       xp.nanargmax(x)
nancumsum       xp.nancumsum(x)
nanmedian       xp.nanmedian(x)
count_nonzero   xp.count_nonzero(x)
cumsum          xp.cumsum(x)
cumprod         xp.cumprod(x)
diff            xp.diff(x)
diff            xp.diff(x, n=2)
ediff1d         xp.ediff1d(x)
ediff1d         xp.ediff1d(x, to_begin=0, to_end=y[:2])
gradient        xp.gradient(x)
gradient        xp.gradient(x, y)
trapezoid       xp.trapezoid(x)
trapezoid       xp.trapezoid(x, y)
unwrap          xp.unwrap(x)
histogram       xp.histogram(x, bins=10, range=(0, 1))
histogram       xp.histogram(x, bins=10)
histogram2d     xp.histogram2d(x, y)
histogram2d     xp.histogram2d(x, y, density=True, range=[(0, 1)] * 2)
histogramdd     xp.histogramdd(a[:, :3], range=[(0, 1)] * 3)
bincount        xp.bincount(i)
digitize        xp.digitize(x, y[:10])
corrcoef        xp.corrcoef(a)
cov             xp.cov(a)
convolve        xp.convolve(x, y[:5])
correlate       xp.correlate(x, y[:5])
hamming         xp.hamming(1000)
kaiser          xp.kaiser(1000, 14)
sort            xp.sort(x)
argsort         xp.argsort(x)
lexsort         xp.lexsort(xp.stack([x, y]))
partition       xp.partition(x, 10)
argpartition    xp.argpartition(x, 10)
unique          xp.unique(x)
isin            xp.isin(n, i)
union1d         xp.union1d(x, y)
intersect1d     xp.intersect1d(x, y)
dot             xp.dot(x, y)
matmul          a @ b.T
matmul          a @ x[:40]
inner           xp.inner(x, y)
outer           xp.outer(x[:32], y[:32])
vdot            xp.vdot(x, y)
tensordot       xp.tensordot(a, b, ([1], [1]))
einsum          xp.einsum("ij,ij->i", a, b)
einsum          xp.einsum("ii", s)
kron            xp.kron(s[:4, :4], s[4:8, 4:8])
cross           xp.cross(a[:, :3], b[:, :3])
trace           xp.trace(a)
norm            xp.linalg.norm(x)
norm            xp.linalg.norm(a, axis=1)
norm            xp.linalg.norm(a, ord=1)
det             xp.linalg.det(e)
slogdet         xp.linalg.slogdet(e)
inv             xp.linalg.inv(e)
solve           xp.linalg.solve(e, e)
cholesky        xp.linalg.cholesky(e)
qr              xp.linalg.qr(e)
eigh            xp.linalg.eigh(e)
svd             xp.linalg.svd(e)
pinv            xp.linalg.pinv(e)
lstsq           xp.linalg.lstsq(e[0], e[1, :, 0], rcond=None)
matrix_power    xp.linalg.matrix_power(e, 5)
matrix_rank     xp.linalg.matrix_rank(e)
fft             xp.fft.fft(x)
rfft            xp.fft.rfft(x)
ifft            xp.fft.ifft(z)
fftshift        xp.fft.fftshift(x)
polyval         xp.polyval(x[:4], y)
polyfit         xp.polyfit(x, y, 2)
vander          xp.vander(x[:32], 4)
random          xp.random.random(1000)
rand            xp.random.rand(25, 40)
randn           xp.random.randn(25, 40)
randint         xp.random.randint(0, 10, 1000)
uniform         xp.random.uniform(0, 1, 1000)
normal          xp.random.normal(0, 1, 1000)
exponential     xp.random.exponential(1, 1000)
permutation     xp.random.permutation(1000)
shuffle         xp.random.shuffle(x)
choice          xp.random.choice(1000, 10)
standard_normal rng.standard_normal(1000)
integers        rng.integers(0, 10, 1000)
"""


def calls():
    """(function, line) in the order of the page."""
    for line in CALLS.strip().splitlines():
        name, _, call = line.partition(" ")
        yield name, call.strip()


def names(xp, layout):
    """What the lines use."""
    import numpy as np

    if layout == "dense":
        x, y = (xp.zeros(1000, "f4") for _ in range(2))
        a, b = (xp.zeros((25, 40), "f4") for _ in range(2))
        s = xp.zeros((32, 32), "f4")
        e = xp.zeros((100, 8, 8), "f4")
    else:
        x, y = (xp.zeros(2000)[::2] for _ in range(2))
        a, b = (xp.zeros((25, 80))[:, ::2] for _ in range(2))
        s = xp.zeros((32, 64))[:, ::2]
        e = xp.zeros((100, 8, 16))[:, :, ::2]
    e += xp.eye(8, dtype=e.dtype)
    step = slice(None, None, 1 if layout == "dense" else 2)
    bools = xp.zeros(1000 * (step.step or 1), "?")
    return {
        **dict(xp=xp, x=x, y=y, a=a, b=b, s=s, e=e),
        "m": bools[step],
        "p": bools.copy()[step],
        "z": xp.zeros(1000 * step.step, "F" if layout == "dense" else "D")[step],
        "i": xp.asarray(np.array([1, 3, 5] * step.step))[step],
        "n": xp.zeros((25, 40 * step.step), "i8")[:, step],
        "host": np.zeros(1000, x.dtype),
        "rng": xp.random.default_rng(0),
    }


# ---- counting, in a process of its own -----------------------------------------------


def counter(xp):
    """A function that gives the launches, copies and waits so far, and the waits by our
    own count, as a kernel may tell the host a number by way of its memory, where it is
    seen without a call of the driver."""
    counts = (ctypes.c_uint64 * 3).in_dll(ctypes.CDLL(None), "driver_calls_counts")
    waits = getattr(getattr(xp, "_core", None), "_wait_count", lambda: 0)
    return lambda: (*counts, waits())


def count(library):
    """Print {layout: {call: [launches, copies, waits], or an error's words}}."""
    xp = importlib.import_module(library)
    if "CUPRIC_TEST_CAPABILITY" in os.environ:
        xp.cuda.set_allocator(None)  # memory is zeros, not what was there before
    warnings.simplefilter("ignore")
    so_far = counter(xp)
    found = {}
    for layout in LAYOUTS:
        rows = found[layout] = {}
        for _, call in calls():
            try:
                rows[call] = count_call(compile(call, call, "exec"), xp, layout, so_far)
            except Exception as error:  # of a function that the library lacks, too
                rows[call] = f"{type(error).__name__}: {error}".partition("\n")[0]
    print(json.dumps({"version": xp.__version__, "counts": found}))


def count_call(code, xp, layout, so_far):
    known = names(xp, layout)
    for _ in range(WARM_UP):
        exec(code, known)
    before = so_far()
    exec(code, known)
    *made, own_waits = [b - a for a, b in zip(before, so_far(), strict=True)]
    return [*made[:2], max(made[2], own_waits)]


# ---- the processes -------------------------------------------------------------------


def compiled(sources, target, *flags):
    command = ["cc", "-O2", "-w", "-shared", "-fPIC", *flags, "-o", target, *sources]
    subprocess.run([*command, "-ldl"], check=True)


def interposer(folder):
    """Compile driver_calls.c into a folder."""
    target = Path(folder, "driver_calls.so")
    compiled([ROOT / "tools/driver_calls.c"], target, "-fvisibility=hidden")
    return target


def fake_driver(folder):
    """Compile the driver without a device, libcuda.so.1, into a folder."""
    given = (ROOT / "src/cuda/driver.def").read_text()
    rest = Path(folder, "rest.c")
    rest.write_text(
        "".join(
            f"__attribute__((weak)) int cu{name}(void) {{ return 0; }}\n"
            for name in re.findall(r"^DRIVER\((\w+)\)", given, re.M)
            if name != "FuncGetParamInfo"  # older drivers lack it; nothing is checked
        )
    )
    driver = ROOT / "tests/cuda/fake_driver.c"
    compiled([driver, rest], Path(folder, "libcuda.so.1"))


def fake_libraries(folder):
    """Compile a compiler that makes nothing, and libraries that have nothing."""
    empty = Path(folder, "empty.c")
    empty.write_text("int nothing;\n")
    for major in (11, 12, 13):
        for name in LIBRARIES:
            compiled([empty], Path(folder, f"lib{name}.so.{major}"))
        nvrtc = ROOT / "tests/cuda/fake_nvrtc.c"
        given = f"-DFAKE_NVRTC_MAJOR={major}"
        compiled([nvrtc], Path(folder, f"libnvrtc.so.{major}"), given)


def counted(library="cupric", real=False):
    """What `count` prints, in a process whose driver's functions count."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"LD_PRELOAD": str(interposer(folder))}
        environment["CUPRIC_COMPILE"] = "now"  # no general kernels
        if library == "cupric":
            environment["CUPRIC_DEVICE"] = "cuda"
        if not real:
            fake_driver(folder)
            fake_libraries(folder)
            path = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
            environment |= {
                "LD_LIBRARY_PATH": path,
                "CUPRIC_CACHE_DIR": f"{folder}/cache",
                "CUPRIC_TEST_CAPABILITY": "90",
            }
        command = [sys.executable, "-m", "tools.launches", "--count", library]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True
        )
    return json.loads(done.stdout)


# ---- the page ------------------------------------------------------------------------

PAGE_HEAD = """\
# Launches, copies and waits

Written by `make launches` (`tools/launches.py`, which says how it is counted). What a
call asks of the CUDA driver once it has been called before: kernels launched, copies
and fills of memory, and how often the host waits for the device. `x` and `y` have 1000
elements, `a` and `b` are matrices of 25 × 40, `e` is a stack of 100 matrices of 8 × 8;
the rest is in `names` there. The arrays are float32 and dense, then float64 and
strided: "1 / 2" where the two differ.

*Library*: a library of NVIDIA's is called, which launches what it chooses. *Values*:
what is launched depends on values, and zeros are no example.

"""


def page(ours, peer):
    """The text of docs/launches.md."""
    title = f"CuPy {peer['version']}" if peer else "CuPy"
    lines = [f"| Function | Call | Launches | Copies | Waits | {title} |", "| --- " * 6]
    lines[1] += "|"
    above = 0
    for function, call in calls():
        mine = [ours["counts"][layout][call] for layout in LAYOUTS]
        other = [peer["counts"][layout][call] for layout in LAYOUTS] if peer else []
        cells = [cell([row_part(row, k) for row in mine]) for k in range(len(KINDS))]
        if peer:
            worse = exceeds(mine, other)
            above += worse
            theirs = ", ".join(
                cell([row_part(row, k) for row in other]) for k in range(len(KINDS))
            )
            cells.append(f"**{theirs}**" if worse else theirs)
        else:
            cells.append("")
        shown = call.replace("|", "\\|")
        lines.append(f"| `{function}` | `{shown}` | " + " | ".join(cells) + " |")
    words = ""
    if peer:
        words = (
            "CuPy's are launches, copies, waits; bold where a call of ours asks for "
            "more launches and copies, or waits more often: "
            f"{above} of {len(lines) - 2} calls. They wait once, whatever the stack: "
            "factorisations to raise `LinAlgError` (`cupricx.errstate(linalg="
            '"ignore")` spares that), `nanmedian` to warn of slices that are all NaN, '
            "`digitize` to raise `ValueError` where bins do not ascend or descend. "
            "CuPy's do none of these.\n\n"
        )
    return PAGE_HEAD + words + "\n".join(lines) + "\n"


def exceeds(mine, other):
    """Whether a call asks for more launches and copies, or waits more often, than the
    peer's."""
    pairs = [p for p in zip(mine, other, strict=True) if str not in map(type, p)]
    return any(m[0] + m[1] > o[0] + o[1] or m[2] > o[2] for m, o in pairs)


def row_part(row, k):
    """Element k of a call's figures, or why there are none."""
    if isinstance(row, list):
        return str(row[k])
    words = row.lower()
    if row.startswith(("AttributeError", "NotImplementedError")):
        return "none"
    return "*library*" if any(name in words for name in LIBRARIES) else "*values*"


def cell(parts):
    return parts[0] if len(set(parts)) == 1 else " / ".join(parts)


def main():
    if "--count" in sys.argv:
        count(sys.argv[-1])
        return 0
    if "--peer" in sys.argv:
        found = counted(sys.argv[sys.argv.index("--peer") + 1], real=True)
        PEER.write_text(json.dumps(found, indent=1) + "\n")
    peer = json.loads(PEER.read_text()) if PEER.exists() else None
    if "--real" in sys.argv:
        print(page(counted(real=True), peer))
        return 0
    return generated.write([(PAGE, page(counted(), peer))])


if __name__ == "__main__":
    raise SystemExit(main())
