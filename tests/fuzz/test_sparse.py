"""Programs over sparse arrays: some, and that a difference is found."""

import pytest

from . import sparse

pytest.importorskip("scipy.sparse")


@pytest.mark.parametrize("start", range(0, 200, 40))
def test_programs_agree(start):
    shown = []
    assert sparse.fuzz(2026, start, 40, shown.append) == 0, "\n".join(shown)


def test_a_difference_is_found_and_shrunk(monkeypatch):
    """One side whose sums are wrong."""
    from cupricx.scipy.sparse import csr_array

    monkeypatch.setattr(csr_array, "trace", lambda self: 7)
    statements = [
        "v0 = sp.csr_array(xp.array([[1, 2], [3, 4]]))",
        "v1 = v0.tocsc()",
        "v0.trace()",
    ]
    fewer, text = sparse.shrunk(statements)
    assert fewer == [statements[0], statements[2]]
    assert "7" in text
