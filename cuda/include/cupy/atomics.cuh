/* cupy/atomics.cuh: what it declares is known to every kernel already. */
