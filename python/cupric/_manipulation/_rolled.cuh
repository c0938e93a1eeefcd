/* out, (m0, ..., m3), is x, each axis begun at b0, ..., b3 and continued at its first element. */
template <class T>
__global__ void
rolled(View<T, 4> x, T *out, long long n, long long m0, long long m1, long long m2,
       long long m3, long long b0, long long b1, long long b2, long long b3)
{
    CUPRIC_EACH (i, n) {
        const long long three = cupric::quotient(i, m3),
                        two = cupric::quotient(three, m2),
                        one = cupric::quotient(two, m1);
        const auto from = [](long long place, long long first, long long length) {
            return place + first < length ? place + first : place + first - length;
        };
        const cupric::extent at[] = {from(one, b0, m0), from(two - one * m1, b1, m1),
                                     from(three - two * m2, b2, m2),
                                     from(i - three * m3, b3, m3)};
        out[i] = x[at];
    }
}
