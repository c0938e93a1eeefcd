"""The generator and the distributions as code: cuda/include/cupric/philox.hpp.

The numbers below are promised: the same seed gives them in every release, on every
device. A change here breaks programs that rely on it.
"""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

ROOT = Path(__file__).resolve().parents[2]

# Random123's known answers for philox4x32 with 10 rounds: counter, key, block.
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip

PROGRAM = r"""
#include <stdio.h>
#include "cupric/distributions.hpp"

using namespace cupric;

static void hex(const char *name, unsigned long long bits) {
    printf(", \"%s\": \"%llx\"", name, bits);
}

int main() {
    printf("{\"answers\": [");
    const unsigned c[3][6] = {{0, 0, 0, 0, 0, 0},
        {~0u, ~0u, ~0u, ~0u, ~0u, ~0u},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0}};
    for (int i = 0; i < 3; i++) {
        const philox_block b = philox4x32_10(c[i][0], c[i][1], c[i][2], c[i][3],
                                             c[i][4], c[i][5]);
        printf("%s\"%08x %08x %08x %08x\"", i ? ", " : "", b.word[0], b.word[1],
               b.word[2], b.word[3]);
    }
    printf("]");
    const philox_block b = random_block(42, 7, 3, 0);
    float f0, f1;
    double d0, d1;
    normal_pair(b.word[0], b.word[1], &f0, &f1);
    normal_pair(b.word[0], b.word[1], b.word[2], b.word[3], &d0, &d1);
    hex("uniform f", bits_of(fraction(b.word[0], 24)));
    hex("uniform d", bits_of(fraction(b.word[1], b.word[0])));
    hex("normal f0", bits_of(f0));
    hex("normal f1", bits_of(f1));
    hex("normal d0", bits_of(d0));
    hex("normal d1", bits_of(d1));
    hex("exponential f", bits_of(log_uniform(b.word[0])));
    hex("exponential d", bits_of(log_uniform(b.word[1], b.word[0])));
    hex("below 1000", random_below(42, 7, 12, 1000u, rejected_below(1000u)));
    const unsigned long long wide = 3ull << 62;
    hex("below 3 * 2**62", random_below(42, 7, 6, wide, rejected_below(wide)));
    printf("}\n");
}
"""

# Of block 3 of key 42, counter 7, as bits.
PROMISED = {
    "uniform f": "3f145bca",
    "uniform d": "3fdf90b55ca2de56",
    "normal f0": "bf8594bd",
    "normal f1": "3d368caa",
    "normal d0": "3ff2f769a7b3a8e8",
    "normal d1": "bfb78f6eef6bd9eb",
    "exponential f": "3f0ba8dc",
    "exponential d": "3fe69e50eeea05e2",
    "below 1000": "243",
    "below 3 * 2**62": "5eb2201a6f44d823",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("philox")
    source, binary = folder / "philox.cpp", folder / "philox"
    source.write_text(PROGRAM)
    flags = ["-std=c++17", "-O2", "-ffp-contract=off", f"-I{ROOT / 'cuda/include'}"]
    subprocess.run([compiler, *flags, source, "-o", binary], check=True)
    return json.loads(subprocess.run([binary], capture_output=True, check=True).stdout)


def test_known_answers(program):
    assert program["answers"] == [block for _, _, block in KNOWN_ANSWERS]


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_promised_values(program, name):
    assert program[name] == PROMISED[name]


# What a program sees. Floats as hexadecimal, to the last bit.
DRAWS = {
    "random": "0x1.155d74509aae0p-4 0x1.5d97c3c3aa2ffp-1 0x1.a6c69792dc548p-3",
    "random float32": "0x1.426ab80000000p-3 0x1.155d700000000p-4 0x1.d517e00000000p-5",
    "standard_normal": (
        "-0x1.e6e4ae80de86bp-1 -0x1.0ef0e641756b6p+1 0x1.054e68729b91dp+0"
    ),
    "standard_normal float32": (
        "0x1.c05fd00000000p+0 0x1.965d360000000p-1 -0x1.f5d3600000000p-1"
    ),
    "standard_exponential": (
        "0x1.58a19990271adp+1 0x1.86b67b5c401aap-2 0x1.93e933048ed9ep+0"
    ),
    "integers": "157 67 57 682 573",
    "integers of 64 bits": "468427937995882670 3151021251721401604 1428009546970996675",
    "legacy rand": "0x1.1fe2f547d1e8fp-1 0x1.bb70f82293602p-1 0x1.3ce214bae8f32p-1",
    "legacy randn": "0x1.ec3c5bdde47aep-1 0x1.769faf00da9eap+0 0x1.f092206f4906ep-2",
    "legacy randint": "23 69 99 52 50",
}


def draws():
    """The first numbers of a new generator, for each kind."""
    import cupric as cp

    def start():
        return cp.random.default_rng(42)

    yield "random", start().random(3)
    yield "random float32", start().random(3, dtype="f")
    yield "standard_normal", start().standard_normal(3)
    yield "standard_normal float32", start().standard_normal(3, dtype="f")
    yield "standard_exponential", start().standard_exponential(3)
    yield "integers", start().integers(0, 1000, 5)
    yield "integers of 64 bits", start().integers(0, 3 * 2**61, 3)
    cp.random.seed(0)
    yield "legacy rand", cp.random.rand(3)
    yield "legacy randn", cp.random.randn(3)
    yield "legacy randint", cp.random.randint(0, 100, 5)


def as_text(array):
    return " ".join(x.hex() if isinstance(x, float) else str(x) for x in array.tolist())


@pytest.mark.parametrize("name", sorted(DRAWS))
def test_promised_draws(name):
    assert as_text(dict(draws())[name]) == DRAWS[name]


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("_UNIFORM", "i4"), ("_NORMAL", "?"), ("_BITS", "f4"), ("_INTEGERS", "d")]
    + [("_NORMAL", "F"), ("_BITS", "F"), ("_EXPONENTIAL", "u1")],
)
def test_a_kind_has_its_dtypes(kind, dtype):
    """The core checks it, for every device."""
    dtype = np.dtype(dtype)
    with pytest.raises(TypeError, match=f"kind cannot be {dtype.name}"):
        cp._core._random(getattr(cp._core, kind), (3,), dtype, 1, 2, 0.0, 1.0, 0, 5)
