/* cupy/hip_workaround.cuh: nothing is needed here. */
