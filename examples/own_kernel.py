"""A kernel of one's own: how heat spreads over a plate, in CUDA C++ and in NumPy.

    make run ARGS=examples/own_kernel.py

Each thread computes one point of the plate from its four neighbours. Source and launch
are the same on both devices: the CPU compiles the kernel by the system's C++ compiler.
"""

import numpy as np

import cupric as cp

STEP = cp.RawKernel(
    r"""
    extern "C" __global__
    void step(const float *old, float *next, int n)
    {
        int i = blockIdx.y * blockDim.y + threadIdx.y;
        int j = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return; // the rim stays
        float sum = old[(i - 1) * n + j] + old[(i + 1) * n + j]
                  + old[i * n + j - 1] + old[i * n + j + 1];
        next[i * n + j] = 0.25f * sum;
    }
    """,
    "step",
)


def plate(n):
    """Cold, but for one side that is kept at 100 degrees."""
    heat = np.zeros((n, n), np.float32)
    heat[0] = 100
    return heat


def by_kernel(heat, steps):
    n = len(heat)
    old, new = cp.asarray(heat), cp.asarray(heat)
    block = (16, 16)
    grid = (-(-n // block[0]), -(-n // block[1]))
    for _ in range(steps):
        STEP(grid, block, (old, new, np.int32(n)))
        old, new = new, old
    return old


def by_numpy(heat, steps):
    heat = heat.copy()
    for _ in range(steps):
        sides = heat[:-2, 1:-1] + heat[2:, 1:-1] + heat[1:-1, :-2] + heat[1:-1, 2:]
        heat[1:-1, 1:-1] = np.float32(0.25) * sides
    return heat


def main():
    start = plate(256)
    found = by_kernel(start, 200)
    np.testing.assert_allclose(found.get(), by_numpy(start, 200), rtol=1e-5, atol=1e-5)
    print(f"on {found.device}: the same as NumPy")
    for depth in (1, 10, 20):
        warmth = float(found[depth, 128])
        print(f"{depth:3} rows from the warm side: {warmth:5.1f} degrees")


if __name__ == "__main__":
    main()
