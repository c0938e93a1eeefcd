/* _radix.host.hpp: a tile is a share of the elements, and digits are longer. */

template <class I>
__global__ void
radix_count(const I *key, long long *counts, radix_pass p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * p.tile;
        const long long end = begin + p.tile < p.n ? begin + p.tile : p.n;
        const int digits = 1 << p.bits;
        long long count[1 << RADIX_MOST_BITS];
        for (int d = 0; d < digits; d++) count[d] = 0;
        for (long long i = begin; i < end; i++) count[digit_of(key[i], p)]++;
        for (int d = 0; d < digits; d++) counts[d * p.tiles + t] = count[d];
    }
}

template <class I, class V>
__global__ void
radix_move(const I *key, const I *other, const V *value, I *key_to, I *other_to,
           V *value_to, const long long *places, radix_pass p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * p.tile;
        const long long end = begin + p.tile < p.n ? begin + p.tile : p.n;
        long long place[1 << RADIX_MOST_BITS];
        for (int d = 0; d < 1 << p.bits; d++) place[d] = places[d * p.tiles + t];
        for (long long i = begin; i < end; i++) {
            const long long to = place[digit_of(key[i], p)]++;
            key_to[to] = key[i];
            other_to[to] = other[i];
            value_to[to] = value[i];
        }
    }
}
