"""Clusters of points by k-means: a program for CuPy, which does not know of cupric.

make run ARGS="-m cupric examples/says_cupy.py"
"""

import cupy as cp
import cupyx

CENTERS = [[-4, 1], [0, -3], [3, 3], [5, -1]]

squared_distance = cp.ElementwiseKernel(
    "T px, T py, T cx, T cy",
    "T d",
    "T dx = px - cx, dy = py - cy; d = dx * dx + dy * dy",
    "squared_distance",
)


def distances(points, centers):
    """Of each point, a row, to each center, a column."""
    px, py = points.T[:, :, None]
    cx, cy = centers.T[:, None, :]
    return squared_distance(px, py, cx, cy)


def first_centers(points, k):
    """Points that are far from each other."""
    centers = points[:1]
    for _ in range(1, k):
        farthest = distances(points, centers).min(axis=1).argmax()
        centers = cp.concatenate([centers, points[farthest][None]])
    return centers


def k_means(points, k, rounds=20):
    centers = first_centers(points, k)
    for _ in range(rounds):
        label = distances(points, centers).argmin(axis=1)
        total = cp.zeros_like(centers)
        cupyx.scatter_add(total, label, points)
        centers = total / cp.bincount(label, minlength=k)[:, None]
    return centers


def main():
    rng = cp.random.default_rng(0)
    around = cp.array(CENTERS, dtype=cp.float64)
    points = around[cp.arange(100_000) % len(CENTERS)]
    points += 0.5 * rng.standard_normal(points.shape)
    found = cp.asnumpy(k_means(points, len(CENTERS)))
    print("centers:", *sorted(found.round().astype(int).tolist()))


if __name__ == "__main__":
    main()
