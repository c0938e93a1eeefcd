/* _ends.cuh: differences of neighbours, with what is put around them. */
#include "_ends.h"

/* What comes before or behind differences: n elements, or one number. */
template <class T>
struct End {
    const View<T, 1> &elements;
    long long n;
    bool is_number;
    T number;

    __device__ T operator[](long long i) const
    {
        return is_number ? number : elements[i];
    }
};

/* out = `begin`, or `first`, the differences of neighbours in x, `end` or `last`.
 * Launch: elements(p.pieces). */
template <class T>
__global__ void
differences_with_ends(View<T, 1> x, View<T, 1> begin, T first, View<T, 1> end, T last,
                      T *out, ends_sizes p)
{
    const End<T> head = {begin, p.before, p.one_first, first};
    const End<T> tail = {end, p.behind, p.one_last, last};
    const long long run = p.run, from = p.before, to = from + p.n, all = to + p.behind;

    CUPRIC_EACH (piece, p.pieces) {
        long long i = piece * run;
        const long long stop = i + run < all ? i + run : all;
        for (; i < stop && i < from; i++) out[i] = head[i];
        for (const long long most = stop < to ? stop : to; i < most; i++)
            out[i] = T(x[i - from + 1] - x[i - from]);
        for (; i < stop; i++) out[i] = tail[i - to];
    }
}
