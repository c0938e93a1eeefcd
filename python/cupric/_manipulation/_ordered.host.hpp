/* _ordered.host.hpp: several elements are searched for, or compared, at once. */

template <class X, class T>
__global__ void
is_among(const X *x, const T *among, bool *flags, bool *out, long long n,
         long long length, long long capacity, int options)
{
    constexpr int W = 16; /* values that are searched for at once */
    const bool inverted = options & INVERTED, only_first = options & ONLY_FIRST;
    const long long groups = (n + W - 1) / W;
    const Flags table(flags, capacity, among, length);

    CUPRIC_EACH (g, groups) {
        const long long first = g * W;
        const int count = n - first < W ? (int)(n - first) : W;
        T values[W];
        bool found[W];
        for (int k = 0; k < W; k++)
            values[k] = cupric::convert<T>(x[first + (k < count ? k : 0)]);
        for (int k = 0; k < W; k++) found[k] = table.flags && table.has(values[k]);
        if (length > 0 && !table.flags) find<W>(among, length, values, found);
        for (int k = 0; k < count; k++) {
            const long long i = first + k;
            out[i] = found[k] != inverted &&
                     (!only_first || i == 0 || differs_from_last(x + i, true));
        }
    }
}

/* A flag as wide as an element: vectors of comparisons are not repacked for it. */
template <int SIZE>
struct Mark {
    typedef unsigned long long type;
};
template <>
struct Mark<1> {
    typedef unsigned char type;
};
template <>
struct Mark<2> {
    typedef unsigned short type;
};
template <>
struct Mark<4> {
    typedef unsigned int type;
};

template <class X, class T>
__global__ void
is_one_of(const X *x, const T *values, bool *out, long long n, long long length,
          long long x_step, long long step, bool inverted)
{
    constexpr int W = 256; /* elements of x that are compared at once */
    const long long groups = (n + W - 1) / W;

    CUPRIC_EACH (g, groups) {
        const long long first = g * W;
        const int count = n - first < W ? (int)(n - first) : W;
        T own[W];
        typename Mark<sizeof(T)>::type found[W] = {};
        for (int k = 0; k < count; k++)
            own[k] = cupric::convert<T>(x[(first + k) * x_step]);
        for (long long j = 0; j < length; j++) {
            const T value = values[j * step];
            for (int k = 0; k < count; k++) found[k] |= own[k] == value;
        }
        for (int k = 0; k < count; k++) out[first + k] = (found[k] != 0) != inverted;
    }
}
