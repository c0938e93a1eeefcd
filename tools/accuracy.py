"""The rows of docs/accuracy.md: the largest errors of the elementary functions, in
units in the last place, ours and NumPy's.

    python -m tools.accuracy                                 every function, in full
    python -m tools.accuracy exp sin                         these
    python -m tools.accuracy --step 101 --count 1000000      fewer arguments
    python -m tools.accuracy --cuda                          float32, on a GPU

Ours is measured by accuracy.cpp, which this compiles: float32 over all 2**32 arguments
against the function of float64, and float64 on random arguments against the C library's
of long double, which has 11 bits more on x86-64. So float32's truth is float64's own
function, whose error is measured beside it; with --step it is the C library's. Of
functions of two arguments, both are random. NumPy's errors are of 2**21 random
arguments, against its own functions of the wider type.

The program takes 10 to 60 seconds a function on a core that has nothing else to do. A
GPU goes through the same 2**32 arguments, or 10**10 pairs, in less than one:
accuracy.cu compares with the toolkit's functions of double, as it does those of float,
which other packages call.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
FUNCTIONS = [
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "sin", "cos"),
    *("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("erf", "erfc", "ndtr", "logit", "gamma", "gammaln", "sinc", "i0"),
]
PAIRS = {
    "pow": "power",
    "atan2": "arctan2",
    "hypot": "hypot",
    "logaddexp": "logaddexp",
    "logaddexp2": "logaddexp2",
}
FLAGS = [
    *("-std=c++17", "-O3", "-ffp-contract=off", "-fno-math-errno"),
    *("-fno-trapping-math", "-fwrapv", f"-I{ROOT / 'cuda/include'}"),
]


def compiled(folder: Path, *flags: str) -> Path:
    """The program; its instruction set is this machine's unless `flags` say another."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise SystemExit("tools/accuracy.py needs a C++ compiler")
    binary = folder / "accuracy"
    source = ROOT / "tools/accuracy.cpp"
    command = [compiler, *FLAGS, *(flags or ["-march=native"]), source, "-o", binary]
    subprocess.run([*map(str, command), "-lm"], check=True)
    return binary


def measured(binary: Path, name: str, kind: str, amount: int) -> tuple[float, int]:
    """The largest error, and how many results are wrong otherwise."""
    command = [str(binary), name, kind, str(amount)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    error, at, wrong, wrong_at = done.stdout.split()
    print(f"{name} {kind}: {error} at {at}; {wrong} wrong, {wrong_at}", file=sys.stderr)
    return float(error), int(wrong)


def arguments(dtype: np.dtype, count: int) -> np.ndarray:
    """Arguments for NumPy: bits at random, and numbers of ordinary size."""
    rng = np.random.default_rng(12)
    unsigned = np.uint32 if dtype == np.float32 else np.uint64
    bits = rng.integers(0, np.iinfo(unsigned).max, count, unsigned, endpoint=True)
    any_size = bits.view(dtype)
    usual = rng.uniform(-1, 1, count) * 2.0 ** rng.integers(-20, 10, count)
    return np.concatenate([any_size, usual.astype(dtype)])


def of_numpy(name: str, dtype: np.dtype, count: int) -> float:
    """NumPy's largest error, where the exact result is a normal number; NaN of what
    it lacks."""
    if name in PAIRS:
        name = PAIRS[name]
    elif name[0] == "a":
        name = "arc" + name[1:]
    if not isinstance(getattr(np, name, None), np.ufunc):
        return float("nan")
    function, x = getattr(np, name), [arguments(dtype, count)]
    if name in PAIRS.values():
        x.append(x[0][::-1])
    with np.errstate(all="ignore"):
        got = function(*x)
        wide = np.float64 if dtype == np.float32 else np.longdouble
        exact = function(*(v.astype(wide) for v in x))
        info = np.finfo(dtype)
        size = abs(exact)
        if name.startswith("loga"):
            size = np.fmax(size, abs(exact - np.maximum(*x)))
        normal = (size >= info.tiny) & (size <= info.max) & np.isfinite(got)
        exact, got, size = exact[normal], got[normal], size[normal]
        unit = np.exp2(np.floor(np.log2(size)) - info.nmant)
        return float((abs(got.astype(wide) - exact) / unit).max(initial=0))


def on_cuda(names: list[str], pairs: int) -> list[str]:
    """Print the rows of float32 as a GPU computes it; the functions that fail."""
    import cupric as cp

    code = (ROOT / "tools/accuracy.cu").read_text()
    options = ("-std=c++17", f"-I{ROOT / 'cuda/include'}")
    module = cp.RawModule(code=code, options=options)
    failed = []
    print("| Function | arguments | float32 | CUDA's |\n| --- | ---: | ---: | ---: |")
    for name in names:
        count = pairs if name in PAIRS else 2**32
        worst = cp.zeros(6, np.uint64)
        module.get_function(f"worst_{name}")((4096,), (256,), (worst, np.uint64(count)))
        most, wrong, wrong_at, of_cuda, *_ = (int(v) for v in worst.get())
        error, theirs = (
            float(np.uint32(bits >> 32).view(np.float32)) for bits in (most, of_cuda)
        )
        argument = float(np.uint32(most & 0xFFFFFFFF).view(np.float32))
        note = f"at {argument.hex()}; {wrong} wrong, {wrong_at:#x}"
        print(f"| {name} | {count:,} | {error:.3f} | {theirs:.3f} | {note}", flush=True)
        if error > 1 or wrong:
            failed.append(name)
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--step", type=int, default=1, help="every STEP-th float32")
    parser.add_argument(
        "--count", type=int, default=10**7, help="random float64s, and pairs"
    )
    parser.add_argument("--cuda", action="store_true", help="float32 on a GPU")
    given = parser.parse_args()
    names = given.names or [*FUNCTIONS, *PAIRS]
    if given.cuda:
        failed = on_cuda(names, 10**10)
        raise SystemExit(f"more than one unit off, or wrong: {failed}" if failed else 0)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        binary = compiled(Path(folder))
        print("| Function | float32 | NumPy's | float64 | NumPy's |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for name in names:
            row = [name]
            steps = given.count if name in PAIRS else given.step
            for kind, amount in (("float", steps), ("double", given.count)):
                error, wrong = measured(binary, name, kind, amount)
                dtype = np.dtype("float32" if kind == "float" else "float64")
                theirs = of_numpy(name, dtype, 2**20)
                row += [f"{error:.3f}", f"{theirs:.3f}".replace("nan", "")]
                if error > 1 or wrong:
                    failed.append(f"{name} of {kind}")
            print("|", " | ".join(row), "|", flush=True)
    if failed:
        raise SystemExit("more than one unit off, or wrong: " + ", ".join(failed))


if __name__ == "__main__":
    main()
