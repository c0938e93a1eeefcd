/* Eigenvectors of a small triangle, or one with blocks of two rows for conjugate eigenvalues,
 * and of the matrix that it was made of: by substitution, as LAPACK's trevc.
 */
#include "_small_balanced.cuh"

template <class R>
__device__ inline R
as_value(R, R re, R)
{
    return re;
}
template <class R>
__device__ inline complex<R>
as_value(complex<R>, R re, R im)
{
    return complex<R>(re, im);
}

/* The eigenvectors of the triangle, and of the whole: column k of y, whose elements are of
 * type L; complex ones of a real matrix lie in columns k and k + 1, real and imaginary
 * parts. */
template <class T, class L>
struct eigenvector {
    typedef typename real_of<T>::type R;
    const general<T> &h;
    L value; /* the eigenvalue */
    int k, top;

    static constexpr bool in_parts =
        cupric::is_complex<L>::value && !cupric::is_complex<T>::value;

    __device__ eigenvector(const general<T> &of, int column)
        : h(of), value(as_value(L(), of.re[column], of.im[column])), k(column),
          top(column + in_parts)
    {
    }

    __device__ L get(int i) const
    {
        const T *const at = h.y + i * h.ld + k;
        if constexpr (in_parts)
            return L(at[0], at[1]);
        else
            return at[0];
    }
    __device__ void put(int i, L value) const
    {
        T *const at = h.y + i * h.ld + k;
        if constexpr (in_parts) {
            at[0] = value.re;
            at[1] = value.im;
        } else {
            at[0] = value;
        }
    }
    /* What row i lacks, of the elements behind `from`. */
    __device__ L rest(int i, int from) const
    {
        L sum = L(0);
        EACH (j, from + 1, top + 1) sum -= L(h.at(i, j)) * get(j);
        return sum;
    }
    /* A divisor that is not too near 0: as large as the rounding of the eigenvalue. */
    __device__ L usable(L divisor) const
    {
        const R rounding = machine_epsilon<R>() * pivot_size(value);
        const R least = rounding > tiny<R>() ? rounding : tiny<R>();
        return pivot_size(divisor) < least ? L(least) : divisor;
    }
    /* y and *a, *b times a number, so that *a / divisor stays within bounds. */
    __device__ void bound(L divisor, int from, L *a, L *b) const
    {
        const R most = pivot_size(divisor) * (sizeof(R) == 4 ? R(0x1p40) : R(0x1p400));
        const R size = pivot_size(*a);
        if (!(size > most)) return;
        const R by = most / size;
        EACH (j, from, top + 1) put(j, scaled(get(j), by));
        *a = scaled(*a, by);
        *b = scaled(*b, by);
    }

    __device__ void substitute() const
    {
        if constexpr (in_parts) {
            put(k, L(h.at(k, k + 1)));
            put(k + 1, value - L(h.at(k, k)));
        } else {
            put(k, L(1));
        }
        for (int i = k - 1; i >= 0; i--) {
            L here = rest(i, i), above = L(0);
            const L diagonal = L(h.at(i, i)) - value;
            if (cupric::is_complex<T>::value || i == 0 || h.at(i, i - 1) == T(0)) {
                const L divisor = usable(diagonal);
                bound(divisor, i + 1, &here, &above);
                put(i, quotient(here, divisor));
                continue;
            }
            /* two rows at once: (p b; c d), by elimination with the larger of p and c */
            above = rest(i - 1, i);
            const L c = L(h.at(i, i - 1)), b = L(h.at(i - 1, i)),
                    p = L(h.at(i - 1, i - 1)) - value;
            const bool swaps = pivot_size(c) > pivot_size(p);
            const L pivot = usable(swaps ? c : p), beside = swaps ? diagonal : b;
            const L factor = quotient(swaps ? p : c, pivot);
            L upper = swaps ? here : above;
            L lower = (swaps ? above : here) - factor * upper;
            const L corner = usable((swaps ? b : diagonal) - factor * beside);
            bound(corner, i + 1, &lower, &upper);
            put(i, quotient(lower, corner));
            L first = upper - beside * get(i), none = L(0);
            bound(pivot, i, &first, &none);
            put(i - 1, quotient(first, pivot));
            i--;
        }
    }

    /* out[:, k] = the vector of the matrix that was given, of norm 1; of complex ones the
     * element that is largest is real. */
    __device__ void finish(complex<R> *out) const
    {
        R most = R(0), sum = R(0);
        L largest = L(1);
        const int n = h.n;

        EACH (j, 0, top + 1) {
            const R size = largest_of(get(j));
            most = size > most ? size : most;
        }
        const R by = R(1) / most;
        EACH (j, 0, top + 1) put(j, scaled(get(j), by));
        most = R(0);
        EACH (i, 0, n) {
            L row = L(0);
            EACH (j, 0, top + 1) row += L(h.q[i * h.ld + j]) * get(j);
            row = scaled(row, h.by[i]);
            const R size = modulus(row);
            if (size > most) largest = row;
            most = size > most ? size : most;
            out[h.place[i] * n + k] = complex<R>(row);
        }
        EACH (i, 0, n) sum += square(scaled(complex<R>(out[i * n + k]), R(1) / most));
        const R norm = R(1) / sqrt(sum);
        const complex<R> turned =
            cupric::is_complex<L>::value
                ? conjugate(scaled(complex<R>(largest), R(1) / most))
                : complex<R>(R(1));
        EACH (i, 0, n) {
            const complex<R> made =
                scaled(scaled(complex<R>(out[i * n + k]), R(1) / most) * turned, norm);
            out[i * n + k] = made;
            if (in_parts) out[i * n + k + 1] = conjugate(made);
        }
    }
};

template <class T, class L>
__device__ inline void
find_vector(const general<T> &h, int k, complex<typename real_of<T>::type> *out)
{
    const eigenvector<T, L> made(h, k);

    made.substitute();
    made.finish(out);
}
