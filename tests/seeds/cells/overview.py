# %% import
import os, sys
from time import time
import numpy as np
import cupric as cp

# %% timer
class Timer(object):
    def __init__(self, description=None):
        self.description = description
        self.steps = {}
    def __call__( self, step_name=None):
        if step_name not in self.steps.keys():
            self.steps[step_name] = 0
        return self
    def __enter__(self):
        self.start = time()
    def __exit__(self, type, value, traceback):
        self.end = time()
        val = self.end - self.start
        key = self._last_key()
        if key:
            self.steps[key] += val
        print(f"{val}")
    def _last_key(self):
        return list(self.steps.keys())[-1] if len(self.steps.keys()) > 0 else None
    @property
    def total(self):
        return sum(list(self.steps.values()))

# %% det
x_gpu0 = cp.array([1, 2, 3, 4, 5])
arr = cp.vstack([x_gpu0]*5)
print('array:\n', arr)
print('det:', cp.linalg.det(arr))

# %% current device
x_gpu0 = cp.array([1, 2, 3, 4, 5])
print(f'x_gpu0 device: {x_gpu0.device}\n')

cp.cuda.Device(1).use()
x_gpu1 = cp.array([1, 2, 3, 4, 5])

with cp.cuda.Device(1):
    x_gpu1 = cp.array([1, 2, 3, 4, 5])

with cp.cuda.Device(0):
    x_gpu0 * 2

with cp.cuda.Device(1):
    try:
        x_gpu0 * 2 # error
    except:
        print(f'{sys.exc_info()[0].__name__}: {sys.exc_info()[1]}')

# %% host to device
x_cpu = np.array([1, 2, 3])
x_gpu = cp.asarray(x_cpu)

# %% device to host
tmp1 = cp.asnumpy(x_gpu)
# or
tmp2 = x_gpu.get()

# %% memory
# Device 1
mempool = cp.get_default_memory_pool()
pinned_mempool = cp.get_default_pinned_memory_pool()
print(f'Used memory on device 1 [bytes]: {mempool.used_bytes()}')
# print(f'Pinned memory [bytes]: {pinned_mempool.}')

# %% vectors
timer = Timer('add_vec')
vec_size = int(5e7)

# Create random GPU vectors
with timer("GPU_create_random_vectors"):
    vec_a_gpu = cp.random.random(vec_size, dtype=cp.float64)
    vec_b_gpu = cp.random.random(vec_size, dtype=cp.float64)
    vec_c_gpu = cp.empty(vec_size, dtype=np.float64)
with timer("CPU_create_random_vectors"):
    vec_a_cpu = np.random.random(vec_size)
    vec_b_cpu = np.random.random(vec_size)
print(f'Used mem: {vec_a_gpu.nbytes/1024**3*3} GB')

# %% elementwise kernel
add_vec_elem = cp.ElementwiseKernel(
    'float64 x, float64 y',
    'float64 z',
    'z = x + y',
    'add_vec_elem')

# %% execute
with timer("GPU_add_vectors"):
    vec_c_gpu = add_vec_elem(vec_a_gpu, vec_b_gpu)
with timer("CPU_add_vectors"):
    vec_c_cpu = np.add(vec_a_cpu, vec_b_cpu)

# %% steps
timer.steps

# %% clear CPU
# CPU
del vec_a_cpu
del vec_b_cpu
del vec_c_cpu

# %% clear GPU
# GPU: When the array goes out of scope, the allocated device memory is released and kept in the pool for future reuse.
del vec_a_gpu
del vec_b_gpu
del vec_c_gpu
print(f'Used [bytes]: {mempool.used_bytes()}')
print(f'Allocated [bytes]: {mempool.total_bytes()}')

# %% free all blocks
# clear the memory pool
mempool.free_all_blocks()

print(f'Allocated [bytes]: {mempool.total_bytes()}')

# %% big array
batch = tuple([1024]*3)
cp.cuda.Device(0).use()
mempool = cp.get_default_memory_pool()
timer = Timer('smth_big')

with timer("GPU_create_random_array"):
    x_gpu = cp.random.random(batch)
print(f'Used [GB]: {mempool.used_bytes()/1024**3}')

# %% big array on the CPU
with timer("CPU_create_random_array"):
    x_cpu = np.random.random(batch)

# %% do stuff
with timer("GPU_do_stuff"):
    x_gpu *= 3
    x_gpu *= x_gpu
with timer("CPU_do_stuff"):
    x_cpu *= 3
    x_gpu *= x_gpu

# %% delete
del x_cpu
del x_gpu
mempool.free_all_blocks()
timer.steps

# %% layers
timer = Timer('raw_kernel')
z_dim = 4096
yx_dims = (512, 512)
# layer = np.arange(1,XY**2+1, dtype=np.float).reshape(XY,XY)
with timer("CPU_create_array"):
    layer = np.random.rand(*yx_dims)
    arr = np.stack([layer]*z_dim, axis=0)

# %% grid
warp_size = 32

g_size = tuple((d//warp_size+int(bool(d%warp_size)) for d in yx_dims[::-1]))
b_size = (warp_size, warp_size)
print(f'Grid size: {g_size}\nBlock size: {b_size}')

# %% raw kernels
mul_kernel = cp.RawKernel(r'''
    extern "C" __global__
    void mul(const double* in, double* out, const int Z, const int Y, const int X) {
        int x = blockDim.x * blockIdx.x + threadIdx.x;
        int y = blockDim.y * blockIdx.y + threadIdx.y;
        if (x < X && y < Y) {
            double tmp = 1.;
            out[y*X+x] = 1.;
            for (int z = 0; z < Z; z++)
                out[y*X+x] = out[y*X+x] * in[z*Y*X+y*X+x];
            //out[y*X+x] = tmp;
        }
    }
    ''', 'mul')
mul_kernel.compile()

mul_kernel_reg = cp.RawKernel(r'''
    extern "C" __global__
    void mulReg(const double* in, double* out, const int Z, const int Y, const int X) {
        int x = blockDim.x * blockIdx.x + threadIdx.x;
        int y = blockDim.y * blockIdx.y + threadIdx.y;
        if (x < X && y < Y) {
            double tmp = 1.;
            for (int z = 0; z < Z; z++)
                tmp = tmp * in[z*Y*X+y*X+x];
            out[y*X+x] = tmp;
        }
    }
    ''', 'mulReg')
mul_kernel_reg.compile()

# %% copy to device
dev = 0
with timer("copy host-->dev"):
    in_arr = cp.asarray(arr, dtype=cp.double)

# %% multiply
out_arr_reg = cp.empty(yx_dims, dtype=cp.double)

with timer("GPU__create_empty_output_array"):
    out_arr = cp.empty(yx_dims, dtype=cp.double)

with timer("GPU_calc_mul"):
    mul_kernel(g_size, b_size, (in_arr, out_arr, *in_arr.shape))
with Timer():
    mul_kernel_reg(g_size, b_size, (in_arr, out_arr_reg, *in_arr.shape))

# %% copy to host
with timer("copy dev-->host"):
    out_gpu = cp.asnumpy(out_arr)

# %% on the CPU
with timer("CPU_calc"):
    out_cpu = np.ones_like(layer)
    for l in arr[:]:
        out_cpu *= l

# %% compare
np.testing.assert_array_almost_equal(out_gpu, out_cpu)

# %% raw steps
timer.steps
