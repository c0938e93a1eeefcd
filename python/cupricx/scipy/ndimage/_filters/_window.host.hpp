/* _window.host.hpp: rows of elements, as loops over those that lie one after the other. */

/* f(j, element j + first of a row of n) for j of [0, count): plain loops over elements that
 * lie one after the other, also outside, up or down. `row` is NULL where all are outside;
 * its elements lie `inner` apart. */
template <class X, class V, class F>
inline void
each_of_row(const X *row, long long first, int count, long long n, int mode, V fill,
            const F &f, long long inner = 1)
{
    const auto least = [](long long a, long long b) { return (int)(a < b ? a : b); };

    for (int j = 0; j < count;) {
        const long long i = first + j;
        if (row && i >= 0 && i < n) {
            const int end = least(count, n - first);
            const X *p = row + first * inner;
            for (; j < end; j++) f(j, V(p[j * inner]));
            continue;
        }
        const int most = row && i < 0 ? least(count, j - i) : count;
        const long long k = row ? boundary(i, n, mode) : -1;
        if (k < 0 || mode == NEAREST) {
            const V v = k < 0 ? fill : V(row[k * inner]);
            for (; j < most; j++) f(j, v);
            continue;
        }
        const long long step = boundary(i + 1, n, mode) - k;
        if (step == 1) {
            const int end = least(most, j + n - k);
            const X *p = row + (k - j) * inner;
            for (; j < end; j++) f(j, V(p[j * inner]));
        } else {
            const int end = least(most, step == -1 ? j + k + 1 : j + 1);
            const X *p = row + (k + j) * inner;
            for (; j < end; j++) f(j, V(p[-j * inner]));
        }
    }
}
