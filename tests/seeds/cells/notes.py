# %% sum
import cupric as cp
x = cp.arange(6).reshape(2, 3).astype('f')
print(x, x.sum(axis=1))

# %% kernel
x = cp.arange(6, dtype='f').reshape(2, 3)
y = cp.arange(3, dtype='f')
kernel = cp.ElementwiseKernel(
    'float32 x, float32 y', 'float32 z',
    '''if (x - 2 > y) {
      z = x * y;
    } else {
      z = x + y;
    }''',
    'my_kernel')
kernel(x, y)

# %% conversion
import cupric as cp
import numpy as np

cupy_data = cp.arange(6).reshape(2, 3)

#cupy->numpy
numpy_data = cp.asnumpy(cupy_data)

#numpy->cupy
cupy_data = cp.asarray(numpy_data)

# %% torch
from cupric.core.dlpack import toDlpack
from cupric.core.dlpack import fromDlpack
from torch.utils.dlpack import to_dlpack
from torch.utils.dlpack import from_dlpack
import torch

tensor_data = torch.arange(6).reshape(2, 3)

#pytorch->cupy
cupy_data = fromDlpack(to_dlpack(tensor_data))

#cupy->pytorch
tensor_data = from_dlpack(toDlpack(cupy_data))

# %% torch and numpy
import numpy as np
import torch

#pytorch->numpy
numpy_data = tensor_data.numpy()

#numpy->pytorch
tensor_data = torch.from_numpy(numpy_data)

# %% both ways
data1 = np.ndarray((2, 3))
data1[...] = 7
# np -> cp
data1_cp = cp.asarray(data1)

data2 = cp.ndarray((2, 3))
data2[...] = 7
# cp -> np
data2_np = cp.asnumpy(data2)
