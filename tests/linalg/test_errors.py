"""errstate: singular matrices as an error, or as NaNs."""

import threading

import numpy as np
import pytest

import cupric as cp
import cupricx

SINGULAR = np.array([np.eye(3), np.ones((3, 3)), np.diag([1.0, 2, 4])])
MIXED = cp.asarray(SINGULAR)


def test_raise_is_what_is_set():
    assert cupricx.geterr() == {
        **dict.fromkeys(("divide", "over", "under", "invalid"), "ignore"),
        "linalg": "raise",
    }
    with pytest.raises(np.linalg.LinAlgError):
        cp.linalg.inv(MIXED)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_ignored(dtype):
    x = MIXED.astype(dtype)
    b = cp.ones((3, 3, 2), dtype)
    with cupricx.errstate(linalg="ignore"):
        results = [cp.linalg.inv(x), cp.linalg.solve(x, b)]
        negative = cp.linalg.cholesky(cp.stack([x[0], -x[0], x[2]]))
        one = cp.linalg.inv(x[1])
    np.testing.assert_allclose(results[0][2].get(), np.diag([1, 0.5, 0.25]), rtol=1e-6)
    np.testing.assert_allclose(negative[2].get(), np.diag([1, 2**0.5, 2]), rtol=1e-6)
    for r in (*results, negative):
        assert r.dtype == dtype
        assert bool(cp.isnan(r[1].real).all())
        assert not bool(cp.isnan(r[[0, 2]]).any())
    assert bool(cp.isnan(one.real).all())


def test_what_is_wrong_otherwise_is_an_error_still():
    with cupricx.errstate(linalg="ignore"), pytest.raises(np.linalg.LinAlgError):
        cp.linalg.inv(cp.ones((2, 3)))


def test_blocks_and_threads():
    before = cupricx.seterr(linalg="ignore")
    try:
        assert before["linalg"] == "raise"
        with cupricx.errstate(linalg="raise", divide="ignore"):
            assert cupricx.geterr()["linalg"] == "raise"
        assert cupricx.geterr()["linalg"] == "ignore"
        seen = []
        thread = threading.Thread(target=lambda: seen.append(cupricx.geterr()))
        thread.start()
        thread.join()
        assert seen[0]["linalg"] == "raise"
    finally:
        cupricx.seterr(**before)
    assert cupricx.geterr() == before


@pytest.mark.parametrize(
    "given", [{"divide": "raise"}, {"over": "warn"}, {"linalg": "warn"}]
)
def test_what_cannot_be_reported(given):
    with pytest.raises(NotImplementedError, match=next(iter(given))):
        cupricx.seterr(**given)
    with pytest.raises(NotImplementedError), cupricx.errstate(**given):
        pass
    assert cupricx.geterr()["linalg"] == "raise"
