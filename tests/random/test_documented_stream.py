"""The promise of docs/random.md: its program in NumPy gives cupric's numbers."""

import re
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

PAGE = Path(__file__).resolve().parents[2] / "docs" / "random.md"


@pytest.fixture(scope="module")
def page():
    if not PAGE.is_file():
        pytest.skip("the documents are not here")
    namespace = {}
    exec(re.search(r"(?s)```python\n(.*?)```", PAGE.read_text())[1], namespace)
    return namespace


@pytest.mark.parametrize("seed", [0, 1, 2026, 2**40, [1, 2, 3]])
def test_default_rng(page, seed):
    rng = cp.random.default_rng(seed)
    for fill, n in enumerate((1, 7, 1000)):
        np.testing.assert_array_equal(
            rng.random(n).get(), page["random"](seed, fill, n)
        )


def test_seed_of_the_functions(page):
    cp.random.seed(42)
    cp.random.rand(3)
    np.testing.assert_array_equal(cp.random.rand(5).get(), page["random"](42, 1, 5))


def test_a_longer_fill_begins_with_a_shorter():
    short = cp.random.default_rng(5).standard_normal(10, dtype=np.float32).get()
    long = cp.random.default_rng(5).standard_normal(10_001, dtype=np.float32).get()
    np.testing.assert_array_equal(long[:10], short)


def test_float32_takes_24_bits(page):
    key = int(np.random.SeedSequence(9).generate_state(1, np.uint64)[0])
    words = page["philox"](key, 0, 25).ravel()
    result = cp.random.default_rng(9).random(100, dtype=np.float32).get()
    np.testing.assert_array_equal(result, (words >> np.uint64(8)) / np.float64(2**24))
