"""The lesson that starts every course on GPU programming: blur an image.

An image of 2048 x 2048 pixels, black but for a regular grid of dots, is convolved with
a 15 x 15 Gaussian: by SciPy on the CPU, and by cupric on its device. The results are
compared, the times put side by side, and a corner of input, kernel and result drawn.

    python examples/gpu_lesson.py [--output gpu_lesson.png]
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy.signal import convolve2d as convolve2d_cpu

import cupric as cp
from cupricx.scipy.signal import convolve2d as convolve2d_device


def make_image():
    """2048 x 2048 zeros with a one in the middle of every 16 x 16 tile."""
    unit = np.zeros((16, 16))
    unit[8, 8] = 1
    return np.tile(unit, (128, 128))


def make_gauss():
    x, y = np.meshgrid(np.linspace(-2, 2, 15), np.linspace(-2, 2, 15))
    return np.exp(-(x * x + y * y) / 2)


def best_time(function, repeats):
    """Seconds of the fastest of `repeats` calls; the device has finished in each."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        cp.cuda.Device().synchronize()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(image, gauss, repeats):
    """The two results, and (what, seconds, seconds of the CPU) for each comparison."""
    image_device, gauss_device = cp.asarray(image), cp.asarray(gauss)
    row, row_gauss = image.ravel(), gauss.diagonal()
    row_device, row_gauss_device = cp.asarray(row), cp.asarray(row_gauss)
    results = []

    def on_cpu():
        results.append(convolve2d_cpu(image, gauss))

    def with_transfers():
        return cp.asnumpy(convolve2d_device(cp.asarray(image), cp.asarray(gauss)))

    two_d = best_time(on_cpu, 1)
    one_d = best_time(lambda: np.convolve(row, row_gauss), repeats)
    table = [
        ("convolve2d, SciPy", two_d, two_d),
        (
            "convolve2d, cupric",
            best_time(lambda: convolve2d_device(image_device, gauss_device), repeats),
            two_d,
        ),
        (
            "convolve2d, cupric, with both transfers",
            best_time(with_transfers, repeats),
            two_d,
        ),
        ("np.convolve of the flat image, NumPy", one_d, one_d),
        (
            "np.convolve of the flat image, cupric",
            best_time(lambda: np.convolve(row_device, row_gauss_device), repeats),
            one_d,
        ),
    ]
    return results[0], convolve2d_device(image_device, gauss_device), table


def device_name():
    """ "host" or "cuda", and what the device calls itself."""
    properties = cp.cuda.runtime.getDeviceProperties(cp.cuda.Device().id)
    name = properties["name"]
    return name.decode() if isinstance(name, bytes) else name


def draw(path, image, gauss, result):
    """The corner of the image, the kernel, and the corner of the result."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(10, 3.6), layout="constrained")
    pictures = [
        ("input (corner)", image[:32, :32]),
        ("kernel", gauss),
        ("result (corner)", result[:32, :32]),
    ]
    for axis, (title, picture) in zip(axes, pictures, strict=True):
        axis.imshow(picture)
        axis.set_title(title)
        axis.set_xticks([])
        axis.set_yticks([])
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path("gpu_lesson.png"))
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()

    image, gauss = make_image(), make_gauss()
    print(f"image {image.shape}, kernel {gauss.shape}, {image.dtype}")
    print(f"device: {device_name()}\n")
    on_cpu, on_device, table = measure(image, gauss, options.repeats)

    print(f"{'':42}{'time':>12}{'speed-up':>11}")
    for what, seconds, reference in table:
        speed_up = f"{reference / seconds:.1f}x" if seconds != reference else ""
        print(f"{what:42}{seconds * 1e3:>9.2f} ms{speed_up:>11}")

    same = bool(np.allclose(on_device, on_cpu))
    difference = np.abs(cp.asnumpy(on_device) - on_cpu).max()
    print(f"\nsame result: {same} (largest difference {difference:.1e})")
    draw(options.output, image, gauss, cp.asnumpy(on_device))
    print(f"picture: {options.output}")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
