"""Headers that kernels and Python share: enumerations and structures."""

import re
import struct
import subprocess

import numpy as np
import pytest

from cupric._lib.kernels._declarations import Declarations, blank, constant

HEADER = """
/* struct in_a_comment { */
#ifndef X
#define X
enum { FEW = 1 << 2, MORE, MASK = (FEW * MORE - 1) | 0x40, HALF = MASK / 2 };
enum mode : int { REFLECT, WRAP = -3, LAST };
struct place {
    char where; // one byte
    double at[2];
};
struct sizes {
    long long shape[FEW], n;
    int window[FEW][2], step;
    bool plain;
    place first, others[2];
    complex<float> fill;
};
template <class T>
struct weights {
    int n;
    T w[FEW + 1];
};
#endif
"""


def test_enumerators():
    enum = Declarations(HEADER).enum
    assert [enum.FEW, enum.MORE, enum.MASK, enum.HALF] == [4, 5, 83, 41]
    assert [enum.REFLECT, enum.WRAP, enum.LAST] == [0, -3, -2]
    with pytest.raises(AttributeError, match="declare no enumerator 'NONE'"):
        _ = enum.NONE


def test_packed_fields():
    c = Declarations(HEADER).struct
    first = c.place(where=3, at=(0.5, -1))
    made = c.sizes(
        shape=(7, 8),
        n=-1,
        window=((1, 2), (3, 4)),
        step=9,
        plain=True,
        first=first,
        others=[first],
        fill=1 - 2j,
    )[0]
    np.testing.assert_array_equal(made["shape"], [7, 8, 0, 0])
    np.testing.assert_array_equal(made["window"], [[1, 2], [3, 4], [0, 0], [0, 0]])
    assert (made["n"], made["step"], made["plain"], made["fill"]) == (
        -1,
        9,
        True,
        1 - 2j,
    )
    assert made["first"]["where"] == made["others"][0]["where"] == 3
    np.testing.assert_array_equal(made["others"]["at"], [[0.5, -1], [0, 0]])


def test_fields_of_numbers_alone_in_any_order():
    plan = Declarations("struct plan { int each; double a; bool narrow; };").struct.plan
    made = plan(each=-2, a=0.5, narrow=True)
    assert made == plan(narrow=True, a=0.5, each=-2)
    assert made[0].tolist() == (-2, 0.5, True)
    with pytest.raises(OverflowError, match=re.escape("plan.each")):
        plan(each=1 << 31, a=0.5, narrow=True)
    with pytest.raises(TypeError, match="struct plan has no field 'b'"):
        plan(each=1, b=0.5, narrow=True)
    with pytest.raises(TypeError, match="struct plan lacks a, narrow"):
        plan(each=1)


@pytest.mark.parametrize("dtype", "?bBhHiIlLqQefdFD")
def test_templates_have_a_structure_for_each_dtype(dtype):
    c = Declarations(HEADER).struct
    made = c.weights[np.dtype(dtype)](n=2, w=[1, 0])
    assert made["w"].dtype == dtype
    np.testing.assert_array_equal(made["w"][0], [1, 0, 0, 0, 0])


def test_layout_is_the_compilers(tmp_path):
    c = Declarations(HEADER)
    checks = [
        line
        for name in ("place", "sizes")
        for line in getattr(c.struct, name).checks(name)
    ]
    complexes = (
        "template <class T> struct alignas(2 * sizeof(T)) complex { T re, im; };"
    )
    (tmp_path / "x.cpp").write_text("\n".join([complexes, HEADER, *checks]))
    done = subprocess.run(
        ["c++", "-std=c++17", "-fsyntax-only", "x.cpp"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(checks) == 2 + 2 + 8


@pytest.mark.parametrize(
    ("fields", "error", "says"),
    [
        ({"where": 1}, TypeError, "struct place lacks at"),
        ({"where": 1, "at": (), "on": 2}, TypeError, "has no field 'on'"),
        ({"where": 1, "at": (1, 2, 3)}, ValueError, "at has 2 elements, not 3"),
        ({"where": 128, "at": ()}, OverflowError, "place.where"),
        ({"where": 1.5, "at": ()}, OverflowError, "place.where"),
    ],
)
def test_wrong_fields(fields, error, says):
    with pytest.raises(error, match=re.escape(says)):
        Declarations(HEADER).struct.place(**fields)


@pytest.mark.parametrize(
    "text",
    ["int x;", "struct a { float *p; };", "enum { A = f(2) };", "struct a { T x; };"],
)
def test_what_a_header_may_not_have(text):
    with pytest.raises(ValueError, match=r"not understood|alone"):
        Declarations(text)


def test_comments_and_strings_are_blanked_in_place():
    text = 'a /* "b */ "c // d" // e\nf'
    assert blank(text) == "a" + " " * (len(text) - 3) + "\nf"


def test_constants():
    assert constant("N << 3 | 1ull", {"N": 2}) == 17
    assert struct.calcsize("=q") == constant("(7 + 9) / 2 % 9", {})
