# %% image
import numpy as np

# Construct a subimage with all zeros and a single one in the middle
primary_unit = np.zeros((16, 16))
primary_unit[8, 8] = 1

# Now duplicate this subimage many times to construct a larger image
deltas = np.tile(primary_unit, (128, 128))
print(deltas.shape)

# %% show image
import pylab as pyl

# Display the image
# You can zoom in using the menu in the window that will appear
pyl.imshow(deltas[0:32, 0:32])
pyl.show()

# %% gauss
x, y = np.meshgrid(np.linspace(-2, 2, 15), np.linspace(-2, 2, 15))
dst = np.sqrt(x*x + y*y)
sigma = 1
muu = 0.000
gauss = np.exp(-((dst-muu)**2/(2.0 * sigma**2)))
pyl.imshow(gauss)
pyl.show()

# %% on the CPU
from scipy.signal import convolve2d as convolve2d_cpu

convolved_image_using_CPU = convolve2d_cpu(deltas, gauss)
# %timeit convolve2d_cpu(deltas, gauss)
pyl.imshow(convolved_image_using_CPU[0:32, 0:32])
pyl.show()

# %% to the GPU
import cupric as cp

deltas_gpu = cp.asarray(deltas)
gauss_gpu = cp.asarray(gauss)

# %% on the GPU
from cupricx.scipy.signal import convolve2d as convolve2d_gpu

convolved_image_using_GPU = convolve2d_gpu(deltas_gpu, gauss_gpu)
# %timeit convolve2d_gpu(deltas_gpu, gauss_gpu)

# %% NumPy arrays on the GPU
convolve2d_gpu(deltas, gauss)

# %% compare
np.allclose(convolved_image_using_GPU, convolved_image_using_CPU)

# %% with transfers
def transfer_compute_transferback():
    deltas_gpu = cp.asarray(deltas)
    gauss_gpu = cp.asarray(gauss)
    convolved_image_using_GPU = convolve2d_gpu(deltas_gpu, gauss_gpu)
    convolved_image_using_GPU_copied_to_host = cp.asnumpy(convolved_image_using_GPU)

# %timeit transfer_compute_transferback()

# %% GPU arrays on the CPU
convolve2d_cpu(deltas_gpu, gauss_gpu)

# %% 1-D on the CPU
deltas_1d = deltas.ravel()
gauss_1d = gauss.diagonal()
# %timeit np.convolve(deltas_1d, gauss_1d)

# %% 1-D on the GPU
deltas_1d_gpu = cp.asarray(deltas_1d)
gauss_1d_gpu = cp.asarray(gauss_1d)
# %timeit np.convolve(deltas_1d_gpu, gauss_1d_gpu)
