"""A collection of Dask's whose blocks lie on several devices, a thread for each.

    CUPRIC_HOST_DEVICES=2 python examples/dask_devices.py

makes two devices of the CPU; with several GPUs it uses all of them.
"""

import dask
import dask.array as da
import numpy as np

import cupric as cp


def spread(block, block_info=None):
    """A block of NumPy's, on the device whose turn it is."""
    turn = block_info[0]["chunk-location"][0] % cp.cuda.runtime.getDeviceCount()
    with cp.cuda.Device(turn):
        return cp.asarray(block)


def standardize(block):
    """Work on a block, on the device that it lies on."""
    with block.device:
        return (block - block.mean(axis=1, keepdims=True)) / block.std(
            axis=1, keepdims=True
        )


def main():
    devices = cp.cuda.runtime.getDeviceCount()
    data = np.random.default_rng(0).normal(3, 2, (8_000, 64))
    x = da.from_array(data, chunks=(1_000, 64))
    on_devices = x.map_blocks(spread, meta=cp.empty((0, 0)))
    with dask.config.set(scheduler="threads", num_workers=devices):
        (rows,) = dask.persist(on_devices.map_blocks(standardize))
        used = {block.device.id for block in dask.compute(*rows.to_delayed().ravel())}
        means = rows.mean(axis=0).compute()  # partial results meet on one device
        gram = da.tensordot(rows, rows, axes=(0, 0)).compute()
    expected = (data - data.mean(axis=1, keepdims=True)) / data.std(
        axis=1, keepdims=True
    )
    np.testing.assert_allclose(means.get(), expected.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(gram.get(), expected.T @ expected, atol=1e-8)
    print(f"{devices} devices, blocks on {sorted(used)}")
    print(f"largest singular value: {float(cp.linalg.eigvalsh(gram)[-1]) ** 0.5:.3f}")


if __name__ == "__main__":
    main()
