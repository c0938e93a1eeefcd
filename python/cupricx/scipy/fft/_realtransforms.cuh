/* _realtransforms.cuh: discrete cosine and sine transforms before and after an FFT.
 *
 * A transform of n numbers, x[0], ..., x[n - 1], is one FFT (J. Makhoul, "A fast cosine
 * transform in one and two dimensions", IEEE Trans. ASSP 28, 1980), with w(p, q) =
 * exp(-i pi p / q):
 *
 *   type 1     the real FFT of the even (odd) extension to 2(n - 1) (2(n + 1)) numbers. One of
 *              n - 1 numbers would do, but loses digits as n grows.
 *   type 2     v = (x[0], x[2], ..., x[3], x[1]), V its real FFT, and with k <= n / 2
 *              y[k] = 2 Re(w(k, 2n) V[k]), y[n - k] = -2 Im(w(k, 2n) V[k]).
 *   type 3     the inverse of that.
 *   type 4     n even: z[j] = (x[2j] + i x[n - 1 - 2j]) w(4j + 1, 4n), Z its FFT of n / 2
 *              complex numbers; y[2k] = 2 Re(w(k, n) Z[k]), y[n - 1 - 2k] = -2 Im(same).
 *              n odd: the kernel cos(2 pi a b / 8n) of odd a, b is a product of one modulo 8
 *              and one modulo n (Good, 1958). Of a, -a, 4n + a and 4n - a, which are the same
 *              x up to sign, one is 1 modulo 8, so that the real FFT of n numbers is left.
 *
 * A sine transform of type 2 is the cosine transform of (-1)^j x[j], backwards; of types 3 and
 * 4, that of x backwards, times (-1)^k.
 *
 * What the FFT transforms is (outer, ..., inner), as x is. Complex numbers are two real ones,
 * inner. Zeros that a change of sign makes negative are made positive: 0 is added.
 * Launch: elements(total), those of the result.
 */
#include "_realtransforms.h"

__device__ inline double
pi()
{
    return 3.141592653589793;
}

/* Where element `e` of (outer, length, inner) is. */
struct place {
    long long length, inner, outer_index, i, inner_index;

    __device__ place(long long e, long long n, long long within)
        : length(n), inner(within)
    {
        const long long row = e / inner;
        inner_index = e - row * inner;
        outer_index = row / length;
        i = row - outer_index * length;
    }

    /* The same outer and inner index, in an axis of another length. */
    __device__ long long at(long long index, long long n) const
    {
        return (outer_index * n + index) * inner + inner_index;
    }
};

/* exp(-i pi p / q), in the first two quadrants. */
template <class T>
__device__ inline void
rotation(double p, double q, T *cosine, T *sine)
{
    const T angle = (T)(pi() * (p / q));
    *cosine = cos(angle);
    *sine = sin(angle);
}

/* x[src] of n, m of which are there; the element `edge` and, `both`, the last one scaled. */
template <class T>
__device__ inline T
element(const T *x, const place &p, long long src, long long m, long long n, bool both,
        long long edge, T scale)
{
    if (src >= m) return 0;
    const T value = x[p.at(src, m)];
    return src == edge || (both && src == n - 1) ? value * scale : value;
}

/* Modulo 8n, n odd: the number that is 1 modulo 8 and 8 i modulo n. */
__device__ inline long long
odd_representative(long long i, long long n)
{
    return (8 * i + n * (n % 8)) % (8 * n);
}

/* v: (outer, length, inner), what the real FFT of types 1, 2 and 4 transforms. `sine`: of a
 * sine transform; `scale`: of the first and the last element, of type 1. */
template <class T>
__global__ void
fold(const T *x, T *v, long long total, transform_sizes size, double scale)
{
    CUPRIC_EACH (e, total) {
        const place p(e, size.length, size.inner);
        long long src = p.i;
        bool negative = false, zero = false;
        if (size.how == EXTENSION_EVEN) {
            src = p.i < size.n ? p.i : size.length - p.i;
        } else if (size.how == EXTENSION_ODD) {
            zero = p.i == 0 || p.i == size.n + 1;
            negative = p.i > size.n + 1;
            src = p.i <= size.n ? p.i - 1 : size.length - p.i - 1;
        } else if (size.how == EVENS_FIRST) {
            const bool even = p.i < (size.n + 1) / 2;
            src = even ? 2 * p.i : 2 * (size.n - p.i) - 1;
            negative = size.sine && !even;
        } else {
            long long a = odd_representative(p.i, size.n);
            if (a > 4 * size.n) a = 8 * size.n - a;
            negative = a > 2 * size.n;
            if (negative) a = 4 * size.n - a;
            src = (a - 1) / 2;
            if (size.sine) src = size.n - 1 - src;
        }
        const bool ends = size.how == EXTENSION_EVEN;
        const T value =
            zero ? T(0)
                 : element(x, p, src, size.m, size.n, ends, ends ? 0 : -1, (T)scale);
        v[e] = negative ? -value : value;
    }
}

/* y: (outer, n, inner) of V: (outer, length, inner), the FFT of types 1, 2 and 4 with n odd;
 * times `scale`, and `edge`: that of type 1's first and last, of type 2's constant term. */
template <class T>
__global__ void
unfold(const complex<T> *V, T *y, long long total, transform_sizes size, double scale,
       double edge)
{
    CUPRIC_EACH (e, total) {
        const place p(e, size.n, size.inner);
        T value;
        bool scaled = false;
        if (size.how == EXTENSION_EVEN) {
            value = V[p.at(p.i, size.length)].real();
            scaled = p.i == 0 || p.i == size.n - 1;
        } else if (size.how == EXTENSION_ODD) {
            value = -V[p.at(p.i + 1, size.length)].imag();
        } else if (size.how == EVENS_FIRST) {
            const long long k = size.sine ? size.n - 1 - p.i : p.i;
            const bool low = k <= size.n / 2;
            T c, s;
            rotation((double)(low ? k : size.n - k), 2 * (double)size.n, &c, &s);
            const complex<T> z = V[p.at(low ? k : size.n - k, size.length)];
            value =
                2 * (low ? c * z.real() + s * z.imag() : s * z.real() - c * z.imag());
            scaled = k == 0;
        } else {
            const long long b = 2 * p.i + 1;
            const int r = (int)(b % 8);
            const bool mirrored = r == 7 || r == 3, negative = r == 5 || r == 3;
            const long long j = mirrored ? (size.n - b % size.n) % size.n : b % size.n;
            const complex<T> z = V[p.at(j <= size.n / 2 ? j : size.n - j, size.length)];
            const T imag = j <= size.n / 2 ? z.imag() : -z.imag();
            const int v = (int)(size.n % 8); /* the inverse of n modulo 8: of pi / 4 */
            const T root = (T)1.4142135623730951;
            value = (v == 1 || v == 7 ? root : -root) * z.real() +
                    (v == 1 || v == 3 ? root : -root) * imag;
            if (negative != (size.sine && p.i % 2)) value = -value;
        }
        y[e] = value * (T)(scaled ? scale * edge : scale) + T(0);
    }
}

/* V: (outer, n / 2 + 1, inner), of x what type 3 transforms; `edge`: of the constant term. */
template <class T>
__global__ void
rotate(const T *x, complex<T> *V, long long total, transform_sizes size, double edge)
{
    CUPRIC_EACH (e, total) {
        const place p(e, size.n / 2 + 1, size.inner);
        const long long k = p.i, last = size.sine ? size.n - 1 : 0;
        const T a = element(x, p, size.sine ? last - k : k, size.m, size.n, false, last,
                            (T)edge);
        const T b = k == 0 ? T(0)
                           : element(x, p, size.sine ? k - 1 : size.n - k, size.m,
                                     size.n, false, last, (T)edge);
        T c, s;
        rotation((double)k, 2 * (double)size.n, &c, &s);
        V[e] = complex<T>(a * c + b * s, a * s - b * c);
    }
}

/* y: (outer, n, inner) of v: the same, the inverse FFT of type 3, times `scale`. */
template <class T>
__global__ void
interleave(const T *v, T *y, long long total, transform_sizes size, double scale)
{
    CUPRIC_EACH (e, total) {
        const place p(e, size.n, size.inner);
        const bool odd = p.i % 2 != 0;
        const T value = v[p.at(odd ? size.n - 1 - p.i / 2 : p.i / 2, size.n)];
        y[e] = value * (T)(size.sine && odd ? -scale : scale) + T(0);
    }
}

/* z: (outer, n / 2, inner), of x what type 4 transforms, n even. */
template <class T>
__global__ void
pair(const T *x, complex<T> *z, long long total, transform_sizes size)
{
    CUPRIC_EACH (e, total) {
        const place p(e, size.n / 2, size.inner);
        const long long even = 2 * p.i, odd = size.n - 1 - even;
        const T a =
            element(x, p, size.sine ? odd : even, size.m, size.n, false, -1, T(1));
        const T b =
            element(x, p, size.sine ? even : odd, size.m, size.n, false, -1, T(1));
        T c, s;
        rotation((double)(4 * p.i + 1), 4 * (double)size.n, &c, &s);
        z[e] = complex<T>(a * c + b * s, b * c - a * s);
    }
}

/* y: (outer, n, inner) of Z: (outer, n / 2, inner), the FFT of type 4; times `scale`. */
template <class T>
__global__ void
unpair(const complex<T> *Z, T *y, long long total, transform_sizes size, double scale)
{
    CUPRIC_EACH (e, total) {
        const place p(e, size.n, size.inner);
        const bool odd = p.i % 2 != 0;
        const long long k = odd ? (size.n - 1 - p.i) / 2 : p.i / 2;
        const complex<T> z = Z[p.at(k, size.n / 2)];
        T c, s;
        rotation((double)k, (double)size.n, &c, &s);
        const T value = odd ? s * z.real() - c * z.imag() : c * z.real() + s * z.imag();
        y[e] = value * (T)(size.sine && odd ? -2 * scale : 2 * scale) + T(0);
    }
}
