# %% import
import cupric as cp

# %% arange
cp.arange(4).reshape(2,2)

# %% zeros
cp.zeros((3,3)).astype(cp.float32)

# %% ones
cp.ones((3,3)).astype(cp.float16)

# %% import numpy
import time
import numpy as np

# %% size
size=10000

# %% load numpy
''' Load numpy variables '''
p = np.load(f'data/mnist1_{size}.npy').astype(np.float32)
q = np.load(f'data/mnist2_{size}.npy').astype(np.float32)
assert p.shape[0] == q.shape[0]
assert p.shape[1] == 784
assert q.shape[1] == 784

n = p.shape[0]
pixels = p.shape[1]

# %% distances numpy
start = time.time()

result_ein = np.sqrt(np.einsum('ij,ij->i',q,q)[:,np.newaxis] - 2*q@p.T + np.einsum('ij,ij->i',p,p))

print(f'Exec. time: {time.time() - start} for {n}x{n}')
print(result_ein[0,:5])

# %% load cupric
''' Load cupy variables '''

p = cp.load(f'data/mnist1_{size}.npy').astype(cp.float16)
q = cp.load(f'data/mnist2_{size}.npy').astype(cp.float16)
assert p.shape[0] == q.shape[0]
assert p.shape[1] == 784
assert q.shape[1] == 784

n = p.shape[0]
pixels = p.shape[1]

# %% distances cupric
start = time.time()

result_ein = cp.sqrt(cp.einsum('ij,ij->i',q,q)[:,cp.newaxis] - 2*q@p.T + cp.einsum('ij,ij->i',p,p))

print(f'Exec. time: {time.time() - start} for {n}x{n}')
print(result_ein[0,:5])

# %% x
x = np.arange(36).reshape(9,4)
x

# %% split
np.split(x, 3)

# %% quadratic form
x = np.random.random(20)
Q = np.random.random((20,20))
c = np.arange(20)
x.shape, Q.shape, c.shape

# %% at once
x@Q@x + c@x

# %% in chunks
result = x@Q
del Q
result = result@x
result += c@x
del c, x
result
