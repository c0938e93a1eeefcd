"""The kernel texts of corpus/ compile and do what their first lines say."""

import pytest

import cupric as cp

from .corpus_texts import TEXTS


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_text(text, device):
    assert text.kernels()
    expected = (text.host if device == "host" else None) or text.error
    if expected is None:
        text.run(cp)
        return
    kind = cp.cuda.compiler.CompileException
    if expected.startswith("launch: "):
        kind, expected = RuntimeError, expected.removeprefix("launch: ")
    with pytest.raises(kind) as info:
        text.run(cp)
    assert expected in str(info.value).splitlines()[0]
