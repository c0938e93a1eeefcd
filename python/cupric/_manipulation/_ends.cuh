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

/* out = `begin`, the n differences of neighbours in x, `end`. Of `pieces` of `run` elements
 * each. */
template <class T>
__global__ void
differences_with_ends(View<T, 1> x, long long n, View<T, 1> begin, long long before,
                      T first, bool one_first, View<T, 1> end, long long behind, T last,
                      bool one_last, T *out, long long pieces, long long run)
{
    const End<T> head = {begin, before, one_first, first};
    const End<T> tail = {end, behind, one_last, last};
    const long long from = before, to = before + n, all = to + behind;

    CUPRIC_EACH (piece, pieces) {
        long long i = piece * run;
        const long long stop = i + run < all ? i + run : all;
        for (; i < stop && i < from; i++) out[i] = head[i];
        for (const long long most = stop < to ? stop : to; i < most; i++)
            out[i] = T(x[i - from + 1] - x[i - from]);
        for (; i < stop; i++) out[i] = tail[i - to];
    }
}
