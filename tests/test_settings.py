"""Settings of the environment: what they cannot mean is refused, by name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupric as cp

PACKAGE = Path(cp.__file__).resolve().parents[1]
PROGRAM = "import cupric as cp; print((cp.ones(3) + 1).tolist())"


def run(**settings):
    env = dict(os.environ, PYTHONPATH=str(PACKAGE), **settings)
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CUPRIC_DEVICE", "abacus"),
        ("CUPRIC_NUM_THREADS", "many"),
        ("CUPRIC_NUM_THREADS", "0"),
        ("CUPRIC_NUM_THREADS", "-2"),
        ("CUPRIC_NUM_THREADS", "2x"),
        ("CUPRIC_NUM_THREADS", "99999999999999999999"),
        ("CUPRIC_POOL", "pages!"),
        ("CUPRIC_POOL", "Plain"),
        ("CUPRIC_DEBUG", "verbose"),
        ("CUPRIC_DEBUG", "4"),
        ("CUPRIC_DEBUG", "-1"),
        ("CUPRIC_DEBUG", "launches"),
        ("CUPRIC_CHECK", "yes"),
        ("CUPRIC_CHECK", "2"),
        ("CUPRIC_AVAILABLE", "host"),
        ("CUPRIC_HOST_DEVICES", "0"),
        ("CUPRIC_HOST_DEVICES", "65"),
        ("CUPRIC_HOST_DEVICES", "1.5"),
    ],
)
def test_rubbish_is_refused(name, value):
    done = run(**{name: value})
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f'ValueError: the environment variable {name} is "{value}"')
    assert "it can be" in last


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CUPRIC_NUM_THREADS", "1"),
        ("CUPRIC_POOL", "plain"),
        ("CUPRIC_DEBUG", "0"),
        ("CUPRIC_DEBUG", "3"),
        ("CUPRIC_DEBUG", "launch"),
        ("CUPRIC_DEBUG", "2,launch"),
        ("CUPRIC_CHECK", "0"),
        ("CUPRIC_CHECK", "1"),
        ("CUPRIC_AVAILABLE", "cuda"),
        ("CUPRIC_AVAILABLE", "any"),
        ("CUPRIC_HOST_DEVICES", "2"),
        ("CUPRIC_NUM_THREADS", ""),
    ],
)
def test_values_of_the_table(name, value):
    assert run(**{name: value}).stdout == "[2.0, 2.0, 2.0]\n"
