"""Single cells: from counts of transcripts to each cell's nearest neighbours.

Cells of several kinds are drawn, most of whose transcripts are of genes that all kinds
have, and some of genes of their own. The steps are those of every analysis: counts are
normalised and their logarithms taken, the genes that vary most are chosen, principal
components computed without a dense matrix, and neighbours searched among those. The
neighbours of a cell should be of its kind.

    make run ARGS=examples/single_cell.py
    make run ARGS="examples/single_cell.py --cells 100000 --genes 20000"
"""

import argparse
import time

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph, linalg

OWN = 0.25  # of a cell's transcripts are of genes of its kind
CHUNK = 2048  # cells whose distances to all are in memory at once


def draw_counts(cells, genes, kinds, depth, seed=0):
    """How often each gene was found in each cell, and the kind of each cell."""
    rng = cp.random.default_rng(seed)
    kind = rng.integers(0, kinds, cells)
    cell = rng.integers(0, cells, cells * depth)
    common = (genes * rng.random(cell.size) ** 3).astype(cp.int64)
    own = kind[cell] + kinds * rng.integers(0, genes // (8 * kinds), cell.size)
    gene = cp.where(rng.random(cell.size) < OWN, own + genes // 2, common)
    # A transcript is an element 1; those of one gene in one cell add up.
    ones = cp.ones(cell.size, dtype=cp.float32)
    return sparse.coo_array((ones, (cell, gene)), shape=(cells, genes)).tocsr(), kind


def normalised(counts):
    """The logarithms of counts of cells that all have as many."""
    totals = counts.sum(axis=1)
    factors = cp.median(totals) / cp.maximum(totals, 1)
    return counts.multiply(factors[:, None]).tocsr().log1p()


def variable_genes(x, number):
    """The genes that vary most, compared with how much there is of them."""
    mean = x.mean(axis=0)
    variance = x.power(2).mean(axis=0) - mean**2
    ratio = cp.where(mean > 1e-3, variance / cp.maximum(mean, 1e-3), 0)
    return cp.sort(cp.argsort(-ratio)[:number])


def principal_components(x, number):
    """The components of x less its means: that is no sparse matrix, but it need not be
    made to be multiplied."""
    mean = x.mean(axis=0)
    by_genes = x.T.tocsr()
    centred = linalg.LinearOperator(
        shape=x.shape,
        matvec=lambda genes: x @ genes - mean @ genes,
        rmatvec=lambda cells: by_genes @ cells - mean * cells.sum(),
        dtype=x.dtype,
    )
    vectors, sizes, _ = linalg.svds(centred, k=number)
    return vectors * sizes


def nearest(points, number):
    """The numbers of the nearest other points, (points, number)."""
    squares = (points**2).sum(axis=1)
    found = []
    for first in range(0, len(points), CHUNK):
        some = points[first : first + CHUNK]
        distances = squares - 2 * some @ points.T
        own = cp.arange(len(some))
        distances[own, own + first] = cp.inf
        found.append(cp.argpartition(distances, number, axis=1)[:, :number])
    return cp.concatenate(found)


def neighbour_graph(neighbours):
    """Of each cell the edges to its neighbours."""
    cells, number = neighbours.shape
    indptr = cp.arange(0, cells * number + 1, number)
    ones = cp.ones(cells * number, dtype=cp.float32)
    arrays = ones, neighbours.ravel(), indptr
    return sparse.csr_array(arrays, shape=(cells, cells))


class Steps:
    """Runs steps one after the other, and prints how long each takes."""

    def __call__(self, name, function, *args):
        start = time.perf_counter()
        result = function(*args)
        cp.cuda.Device().synchronize()
        print(f"{name:22} {time.perf_counter() - start:8.3f} s")
        return result


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=3000)
    parser.add_argument("--genes", type=int, default=2000)
    parser.add_argument("--kinds", type=int, default=6)
    parser.add_argument("--depth", type=int, default=300, help="transcripts of a cell")
    return parser.parse_args()


def main():
    args, step = read_arguments(), Steps()
    sizes = args.cells, args.genes, args.kinds, args.depth
    counts, kind = step("counts", draw_counts, *sizes)
    print(f"{args.cells} cells, {args.genes} genes, {counts.nnz} counts")
    x = step("normalise, log1p", normalised, counts)
    genes = step("variable genes", variable_genes, x, args.genes // 10)
    x = step("their columns", lambda: x[:, genes])
    points = step("principal components", principal_components, x, 2 * args.kinds)
    neighbours = step("neighbours", nearest, points, 15)
    graph = step("graph", neighbour_graph, neighbours)
    parts, _ = step("connected parts", csgraph.connected_components, graph)
    same = float((kind[neighbours] == kind[:, None]).mean())
    print(f"{100 * same:.1f} % of the neighbours are of the same kind; {parts} parts")


if __name__ == "__main__":
    main()
