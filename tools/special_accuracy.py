"""Write docs/special_functions.md: how exact special functions are, beside SciPy's.

    python -m tools.special_accuracy            # on the current device
    python -m tools.special_accuracy --check    # whether the page has every function

The exact values are those of tests/cupricx/scipy/special/exact/.
"""

import argparse
import sys
import textwrap
import warnings

import numpy as np
import scipy
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

from . import ROOT, rows

sys.path.append(str(ROOT))
from tests.cupricx.scipy.special import exact

PAGE = ROOT / "docs/special_functions.md"
HEAD = """# Accuracy of special functions

Each function of `cupricx.scipy.special` was compared with exact values at up to 200
points of its whole domain: spaced by powers of ten, of both signs, beside poles, roots
and where formulas meet. The values are mpmath's, of 40 and of 60 digits, where the two
agree. Errors are relative, of float64; of float32 they are units in the last place, of
the exact value of the same argument. An error in the subnormal range is counted in
units of the least number. What is smaller than half a unit, 1.1e-16, is the rounding
alone.

The bound is what the tests hold float64 to
(`tests/cupricx/scipy/special/test_exact.py`); "condition" means that eight times the
change is allowed, too, that rounding an argument makes. SciPy's errors are those of
SciPy {scipy} at the same points; a dash means that it has no such function, infinite
that it gives no number where there is one. `python -m tools.special_accuracy` writes
this page.

## What is left out

Names that SciPy has and this package has not, and CuPy neither:

- integrals of Bessel and Struve functions: `itj0y0`, `it2j0y0`, `iti0k0`, `it2i0k0`,
  `itstruve0`, `it2struve0`, `itmodstruve0`; Riccati's functions `riccati_jn` and
  `riccati_yn`; `lmbda`
- Lamé's functions `ellip_harm`, `ellip_harm_2`, `ellip_normal`; Mathieu's, `mathieu_*`;
  parabolic cylinder functions, `pb*`; spheroidal wave functions, `pro_*` and `obl_*`
- Legendre functions of the second kind, `lqn` and `lqmn`; `assoc_laguerre`
- inverses in parameters of noncentral distributions: `ncfdtridfd`, `ncfdtridfn`,
  `ncfdtrinc`, `nctdtridf`, `nctdtrinc`

Arguments that SciPy takes and this package refuses:

- complex numbers of `erf`, `erfc`, `ndtr` and the spherical Bessel functions
  (TypeError), and complex zeros, `y0_zeros(n, complex=True)` and its kin
  (NotImplementedError)
- more than 4000 things in `stirling2`, but for Python integers with `exact=True`
  (ValueError)

Arguments of which the result is NaN, though there is one:

- noncentralities above 1e9 in `chndtr`, `ncfdtr` and their inverses, and above 4e4 of
  either sign in `nctdtr` and its inverse
- degrees of `eval_*` above 2**24, but of Chebyshev polynomials
- complex `zeta` where the imaginary part is more than 3e6 of either sign
- orders of `struve` and `modstruve` beyond 600 in size: they give NaN

`cbrt`, `exp2`, `expm1`, `log1p`, `round`, `sinc` and, of float16, `i0` are NumPy's
functions, which leave float16 as it is; SciPy's convert it, but for `sinc`.

## Compiled when first used

On a GPU most functions come compiled. The kernels of these are the largest; NVRTC makes
one at the first call and keeps it on disk, so that later processes find it:

{later}

## Errors

| Function | float64 | at | SciPy's | float32, units | bound |
| --- | ---: | --- | ---: | ---: | --- |
"""


def as_tuple(found):
    return found if isinstance(found, tuple) else (found,)


def largest(results, values, units=False):
    """The largest error of all results, and the point's number."""
    worst, at = 0.0, 0
    for got, want in zip(results, values, strict=True):
        errors = exact.relative_errors(np.asarray(got), want)
        if units:
            real = np.finfo(got.dtype).dtype
            limits = np.finfo(real)
            size = np.clip(np.abs(want), limits.tiny, float(limits.max) / 2)
            with np.errstate(all="ignore"):
                overflown = np.isinf(want.astype(got.dtype)) & np.isinf(got)
            errors = errors / (np.spacing(size.astype(real)) / size)
            errors[overflown] = 0
        i = int(np.argmax(errors))
        if errors[i] > worst:
            worst, at = float(errors[i]), i
    return worst, at


def single(name, values):
    """The largest error of float32; None where there is no such function."""
    narrow = {"d": "f", "D": "F"}
    with np.errstate(all="ignore"):
        arguments = [
            a.astype(narrow.get(a.dtype.char, a.dtype)) for a in values.arguments
        ]
        same = np.logical_and.reduce(
            [a == b for a, b in zip(arguments, values.arguments, strict=True)]
        )
    if not same.any():
        return None
    results = as_tuple(
        getattr(special, name)(*[cp.asarray(a[same]) for a in arguments])
    )
    if results[0].dtype.char not in "fF":
        return None
    return largest([a.get() for a in results], [v[same] for v in values.results], True)


def scipys(name, values):
    function = getattr(theirs, name, None)
    if function is None:
        return None
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return largest(as_tuple(function(*values.arguments)), values.results)[0]
        except (TypeError, ValueError):
            return None


def shown(x):
    if x is None:
        return "–"
    return "infinite" if np.isinf(x) else f"{x:.1e}" if x else "0"


def line(key, function, values):
    name = key.split()[0]
    results = as_tuple(getattr(special, name)(*map(cp.asarray, values.arguments)))
    worst, i = largest([a.get() for a in results], values.results)
    point = ", ".join(f"{a[i]:.6g}" for a in values.arguments)
    units = single(name, values)
    bound = f"{function.bound:g}" + (", condition" if function.condition else "")
    if function.reason:
        bound += f": {function.reason}"
    return " | ".join(
        [
            f"| {key}",
            shown(worst),
            f"{point}" if worst else "",
            shown(scipys(name, values)),
            "–" if units is None else f"{units[0]:.2f}",
            f"{bound} |",
        ]
    )


def compiled_later():
    """The functions of which no kernel ships, in lines of the page."""
    names = [
        name
        for row in rows.read("special")
        if row["ships"] == "LATER"
        for name in row["names"].split()
    ]
    text = ", ".join(f"`{name}`" for name in sorted(names))
    return textwrap.fill(text, 88, break_long_words=False)


def lines():
    found = {}
    for family, module in exact.families().items():
        kept = exact.load(family)
        for key, function in module.FUNCTIONS.items():
            if key in kept:
                found[key] = line(key, function, kept[key])
    return [found[key] for key in sorted(found, key=str.lower)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        PAGE.write_text(
            HEAD.format(scipy=scipy.__version__, later=compiled_later())
            + "\n".join([*lines(), ""])
        )
        return
    page = PAGE.read_text()
    keys = [k for m in exact.families().values() for k in m.FUNCTIONS]
    lacking = [k for k in keys if f"\n| {k} | " not in page]
    if lacking:
        sys.exit(
            f"python -m tools.special_accuracy: the page lacks {', '.join(lacking)}"
        )


if __name__ == "__main__":
    main()
