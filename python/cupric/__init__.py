"""NumPy on a device: arrays in the memory of a GPU, or of the CPU where there is none."""

from cupric._core import arange, array, asnumpy, empty, ndarray, zeros
