/* _windows.cuh: window functions and steps of phases: one launch each. */
#include "cupric/math.hpp"

/* Windows of n elements are symmetric where they have as many elements as were asked for:
 * then the first `pieces` of them, half, are computed, and written twice. Launch of each: elements(pieces). */
__device__ inline void
place_twice(double *out, long long n, long long pieces, long long i, double y)
{
    out[i] = y;
    if (pieces < n) out[n - 1 - i] = y;
}

/* out[i] = w0 + w1 cos(x) + w2 cos(2 x), x from -pi to pi: (first + 2 i) * scale;
 * cos(2 x) = 2 cos(x)^2 - 1. */
__global__ void
cosine_window(double *out, long long n, long long pieces, double first, double scale,
              double w0, double w1, double w2)
{
    CUPRIC_EACH (i, pieces) {
        const double c = cupric::cos((first + 2.0 * double(i)) * scale);
        double y = w0 + w1 * c;
        if (w2 != 0) y = y + w2 * (2.0 * c * c - 1.0);
        place_twice(out, n, pieces, i, y);
    }
}

/* out[i] = 1 - |first + 2 i| / half */
__global__ void
triangular_window(double *out, long long n, long long pieces, double first, double half)
{
    CUPRIC_EACH (i, pieces) {
        const double y = 1.0 - cupric::absolute(first + 2.0 * double(i)) / half;
        place_twice(out, n, pieces, i, y);
    }
}

/* out[i] = i0(beta sqrt(1 - x**2)) / whole, x = (i - half) / half */
__global__ void
kaiser_window(double *out, long long n, long long pieces, double half, double beta,
              double whole)
{
    CUPRIC_EACH (i, pieces) {
        const double x = (double(i) - half) / half;
        const double y = cupric::i0(beta * cupric::sqrt(1.0 - x * x)) / whole;
        place_twice(out, n, pieces, i, y);
    }
}

/* out, (lines, n): what changes from each element of a line to the next beside whole
 * periods; nothing, -0, at the first, and where the elements differ by less than `limit`.
 * Launch: elements(of p). */
template <class T>
__global__ void
unwrapping_steps(View<T, 2> p, T *out, double period, double half, double limit)
{
    const long long n = p.shape()[1];
    const T turn = T(period), most = T(half);
    CUPRIC_EACH (i, p.size()) {
        const long long line = cupric::quotient(i, n), j = i - line * n;
        if (j == 0) {
            out[i] = -T(0);
            continue;
        }
        const cupric::extent at[] = {line, j}, before[] = {line, j - 1};
        const T jump = p[at] - p[before];
        T wrapped = cupric::remainder(T(jump + most), turn) - most;
        if (wrapped == -most && jump > T(0)) wrapped = most;
        out[i] = cupric::absolute(jump) < T(limit) ? T(0) : T(wrapped - jump);
    }
}
