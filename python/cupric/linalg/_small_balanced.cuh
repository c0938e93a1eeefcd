/* A small square matrix of a group of threads, balanced: Parlett and Reinsch, "Balancing a
 * matrix for calculation of eigenvalues and eigenvectors", 1969.
 */
#include "_small_groups.cuh"

template <class T>
struct general {
    typedef typename real_of<T>::type R;
    T *x, *q, *y; /* (n, ld): the matrix, the product of reflections, eigenvectors */
    T *v;         /* n: a reflection */
    R *by;        /* n: what balancing multiplied rows by */
    R *re, *im;   /* n: the eigenvalues */
    int *place;   /* n: where rows were before balancing */
    int n, ld;
    small_group g;

    __device__ general(const small_group &group, int rows, bool vectors)
        : x((T *)group.memory), n(rows), ld(rows | 1), g(group)
    {
        q = x + (vectors ? n * ld : 0);
        y = q + (vectors ? n * ld : 0);
        v = y + n * ld;
        by = (R *)(v + n);
        re = by + n;
        im = re + n;
        place = (int *)(im + n);
    }
    __device__ T &at(int i, int j) const { return x[i * ld + j]; }
};

/* The largest element is about 1: numbers below this count as zero beside the diagonal, and
 * none smaller is divided by. */
template <class R>
__device__ inline R
tiny()
{
    return sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-900);
}

/* a / b, where the square of b may be too small. */
template <class R>
__device__ inline R
quotient(R a, R b)
{
    return a / b;
}
template <class R>
__device__ inline complex<R>
quotient(complex<R> a, complex<R> b)
{
    const R size = pivot_size(b);
    return scaled(a, R(1) / size) / scaled(b, R(1) / size);
}

/* x = the matrix times the power of two that makes its largest element about 1: *exponent of
 * its inverse. False, and zeros, where an element is not finite. */
template <class T>
__device__ inline bool
read_general(const general<T> &h, const matrix_place &from, bool vectors, int *exponent)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    const int n = h.n;
    R most = R(0);

    fetch(from, n, n, h.x, h.ld, g.lane, g.lanes);
    __syncwarp();
    EACH_OWN (h.g, i, 0, n) {
        EACH (j, 0, n) {
            const R size = largest_of(h.at(i, j));
            most = size > most ? size : most;
            if (vectors) h.q[i * h.ld + j] = T(i == j);
        }
        h.by[i] = R(1);
        h.place[i] = i;
    }
    most = group_max(most, g.lanes);
    const bool finite = most < infinity<R>();
    *exponent = exponent_of(most);
    const R by = scalbn(R(1), -*exponent);
    EACH_OWN (h.g, i, 0, n)
        EACH (j, 0, n) h.at(i, j) = finite ? scaled(h.at(i, j), by) : T(0);
    __syncwarp();
    return finite;
}

/* Rows and columns a and b change places, if `swaps`. */
template <class T>
__device__ inline void
exchange_rows(const general<T> &h, int a, int b, bool swaps)
{
    const small_group &g = h.g;

    EACH_OWN (h.g, j, 0, swaps ? h.n : 0) exchange(h.at(a, j), h.at(b, j));
    __syncwarp();
    EACH_OWN (h.g, i, 0, swaps ? h.n : 0) exchange(h.at(i, a), h.at(i, b));
    if (swaps && g.lane == 0) exchange(h.place[a], h.place[b]);
    __syncwarp();
}

/* One more than a row of low to high without elements beside its diagonal there, or a column;
 * 0 where there is none. All groups of the warp call it. */
template <class T>
__device__ inline int
isolated(const general<T> &h, int low, int high, bool column)
{
    int found = 0;

    EACH_OWN (h.g, i, low, high + 1) {
        bool alone = true;
        EACH (j, low, high + 1)
            alone &= i == j || (column ? h.at(j, i) : h.at(i, j)) == T(0);
        found = alone ? i + 1 : found;
    }
    return group_max(found, h.g.lanes);
}

/* The factor, a power of two, that brings the sum of a column's elements beside the diagonal
 * near that of the row's; 1 where that would change little. */
template <class R>
__device__ inline R
balance_of(R column, R row)
{
    R f = R(1), c = column;

    if (!(column > R(0)) || !(row > R(0))) return R(1);
    for (; c < row * R(0.5); c *= R(4)) f *= R(2);
    for (; c >= row * R(2); c *= R(0.25)) f *= R(0.5);
    return (c + row) / f < R(0.95) * (column + row) ? f : R(1);
}

/* Eigenvalues that stand alone in their row or column go to the ends, where they stay to the
 * last bit; rows and columns of the rest get sums of one size. */
template <class T>
__device__ inline void
balance(const general<T> &h)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    int low = 0, high = h.n - 1;

    EACH (column, 0, 2) {
        for (;;) {
            const int alone = isolated(h, low, high, column);
            const int found = low < high ? alone : 0;
            if (!__any_sync(~0u, found != 0)) break;
            const int to = column ? low : high;
            exchange_rows(h, found - 1, to, found != 0 && found - 1 != to);
            if (found && column) low++;
            if (found && !column) high--;
        }
    }
    EACH (round, 0, 10) {
        bool uneven = false;
        EACH_OWN (h.g, i, low, high + 1) {
            R column = R(0), row = R(0);
            EACH (j, low, high + 1) {
                column += i == j ? R(0) : pivot_size(h.at(j, i));
                row += i == j ? R(0) : pivot_size(h.at(i, j));
            }
            uneven |= balance_of(column, row) != R(1);
        }
        if (!__any_sync(~0u, uneven)) break;
        EACH (i, 0, h.n) {
            R column = R(0), row = R(0);
            EACH_OWN (h.g, j, low, high + 1) {
                column += i == j ? R(0) : pivot_size(h.at(j, i));
                row += i == j ? R(0) : pivot_size(h.at(i, j));
            }
            column = group_sum(column, g.lanes);
            row = group_sum(row, g.lanes);
            const R f = i < low || i > high ? R(1) : balance_of(column, row);
            __syncwarp();
            if (f != R(1)) {
                EACH_OWN (h.g, j, 0, h.n) {
                    if (j != i) h.at(i, j) = scaled(h.at(i, j), R(1) / f);
                    if (j != i) h.at(j, i) = scaled(h.at(j, i), f);
                }
                if (g.lane == 0) h.by[i] *= f;
            }
            __syncwarp();
        }
    }
}
