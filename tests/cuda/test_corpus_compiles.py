"""The kernel texts of tests/kernel/corpus/ compile for a GPU, by way of the CUDA device
on a driver that does nothing."""

import sys
import textwrap
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_device_code_compiles import find_nvrtc, skip_without_toolkit

KERNEL = Path(__file__).resolve().parents[1] / "kernel"
PROGRAM = textwrap.dedent(
    f"""
    import sys
    sys.path.insert(0, {str(KERNEL)!r})
    import cupric as cp
    from corpus_texts import TEXTS

    failed = 0
    for text in TEXTS[PART::PARTS]:
        try:
            module = text.module(cp)
            for name in text.kernels():
                module.get_function(name)
            said = None
        except cp.cuda.compiler.CompileException as error:
            said = str(error).splitlines()[0]
        if said != text.error and not (text.error and said and text.error in said):
            failed += 1
            print("FAILED", text.name, said)
    print(failed, "failed")
    """
)
PARTS = 2


@pytest.mark.parametrize("part", range(PARTS))
def test_texts_compile_for_a_gpu(run, part):
    if find_nvrtc() is None:
        skip_without_toolkit("needs libnvrtc")
    done = run(PROGRAM.replace("PARTS", str(PARTS)).replace("PART", str(part)))
    assert "FAILED" not in done.stdout, done.stdout
    assert done.stdout.endswith("0 failed\n")
