"""Kernels and modules have the driver's handles, which its functions and other
libraries take. Without a GPU the driver is one that knows its own and does nothing."""

PROGRAM = r"""
import cupric as cp
from cupric.cuda import driver
code = 'extern "C" __global__ void f(int *x) { x[0] = 1; }'
module = cp.RawModule(code=code)
kernels = cp.RawKernel(code, "f").kernel, module.get_function("f").kernel
own = driver.moduleGetFunction(module.module, "f")
for function in (*(k.ptr for k in kernels), own):
    assert driver.occupancyMaxActiveBlocksPerMultiprocessor(function, 128, 0) >= 1
    which = driver.CU_FUNC_ATTRIBUTE_NUM_REGS
    assert driver.funcGetAttribute(which, function) >= 0
assert cp.cuda.Module().ptr == 0
for call in (
    lambda: driver.moduleGetFunction(module.module + 8, "f"),
    lambda: driver.occupancyMaxActiveBlocksPerMultiprocessor(own + 8, 128, 0),
):
    if IS_FAKE:
        try:
            call()
            raise SystemExit("taken")
        except driver.CUDADriverError:
            pass
"""


def test_kernels_and_modules(run, device):
    run(f"IS_FAKE = {device != 'cuda'}\n{PROGRAM}")
