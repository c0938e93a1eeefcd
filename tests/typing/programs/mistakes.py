"""Each line with `# wrong` is an error to a checker."""

import numpy as np

import cupric as cp
from cupricx.scipy import fft, linalg

x = cp.arange(3)
x.no_such_method()  # wrong
x.ndim = 2  # wrong
cp.no_such_function(x)  # wrong
cp.sum()  # wrong
x.sum(asix=0)  # wrong
cp.linalg.norm(x, axes=0)  # wrong
number: int = cp.sin(x)  # wrong
linalg.svdvals(x)  # wrong
linalg.expm(x, 2)  # wrong
fft.dct(x, typ=2)  # wrong
cp.cublas.nrm2(x, incx=1)  # wrong
cp.sum([1, 2])  # wrong
cp.sin(np.zeros(3))  # wrong
cp.zeros("3")  # wrong
cp.sum(x, axis=[0, 1])  # wrong
cp.zeros(3, order="D")  # wrong
cp.zeros(3, dtype=3)  # wrong
x + [1, 2]  # wrong
cp.maximum(x, "2")  # wrong
cp.maximum(x, 2, wear=x)  # wrong
cp.concatenate(x, axis="0")  # wrong
cp.linspace(0, 1).step()  # wrong
cp.linspace(0, 1, retstep=True).sum()  # wrong
cp.linalg.svd(x)[0].no_such_method()  # wrong
cp.linalg.qr(x, mode="R")  # wrong
cp.random.default_rng(1).norml()  # wrong
cp.random.default_rng(1).normal(size="3")  # wrong
cp.random.default_rng("1")  # wrong
cp.RawKernel(1, "k")  # wrong
fft.dct(x, type=5)  # wrong

stream = cp.cuda.Stream(nonblocking=True)  # wrong
stream.priority = 1  # wrong
stream.record(cp.cuda.Event()).wait()  # wrong
address: str = x.data.ptr  # wrong
pool = cp.cuda.MemoryPool().malloc(8) + "8"  # wrong
cp.cuda.get_elapsed_time(stream.record())  # wrong
cp.cuda.no_such_function()  # wrong
cp.testing.assert_allclose(x, x, rtoll=1)  # wrong
cp.testing.for_all_dtype()  # wrong

runtime = cp.cuda.runtime
runtime.malloc("64")  # wrong
runtime.memset(0, 0)  # wrong
direction = runtime.memcpyDefaults  # wrong
runtime.free(x)  # wrong
runtime.streamWaitEvent(stream, 0)  # wrong
kind = runtime.pointerGetAttributes(0).no_such_attribute  # wrong
text: str = runtime.getDevice()  # wrong
cp.cuda.memory.ManagedMemory("4096")  # wrong
cp.cuda.memory.malloc_managed(64, 8)  # wrong
cp.cuda.memory.PythonFunctionAllocator(print, 2)  # wrong
cp.cuda.memory.ManagedMemory(64).prefetch(0)  # wrong
cp.cuda.stream.get_elapsed_time(cp.cuda.Event(), stream)  # wrong
cp.cuda.stream.ExternalStream()  # wrong
