/* _packing.host.hpp: bytes that follow each other are packed by vectors. */

/* The CPU's loops over bytes that follow each other, from begin on up to end, without a
 * test of where each is. */
template <bool LITTLE>
inline void
pack_run(const unsigned char *x, unsigned char *out, long long begin, long long end)
{
    long long i = begin;
#if defined(__AVX2__) && defined(__GNUC__)
    /* Four bytes at a time: one instruction takes the sign bits of 32, the first lowest. */
    typedef char lanes __attribute__((vector_size(32)));
    const lanes backwards = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8,
                             7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
    for (; i + 4 <= end; i += 4) {
        lanes v;
        __builtin_memcpy(&v, x + 8 * i, sizeof v);
        if (!LITTLE) v = (lanes)__builtin_ia32_pshufb256(v, backwards);
        /* the signs are of what is zero: one instruction less */
        const unsigned bits = ~(unsigned)__builtin_ia32_pmovmskb256((lanes)(v == 0));
        __builtin_memcpy(out + i, &bits, sizeof bits);
    }
#endif
    for (; i < end; i++) {
        unsigned long long bytes;
        __builtin_memcpy(&bytes, x + 8 * i, sizeof bytes);
        out[i] = (unsigned char)gather_bits(nonzero_bytes(bytes), LITTLE);
    }
}

/* The same of bytes of rows of n elements, the last one of which may be in part. */
inline void
pack_rows(const unsigned char *x, unsigned char *out, long long n, long long begin,
          long long end, bool little)
{
    const long long bytes = (n + 7) / 8, whole = n / 8;

    for (long long i = begin, next; i < end; i = next) {
        const long long row = i / bytes, first = i - row * bytes;
        const unsigned char *const from = x + row * n;
        unsigned char *const to = out + row * bytes;
        next = (row + 1) * bytes < end ? (row + 1) * bytes : end;
        const long long last = next - row * bytes;
        (little ? pack_run<true> : pack_run<false>)(from, to, first,
                                                    last < whole ? last : whole);
        if (last <= whole) continue;
        unsigned long long rest = 0;
        for (int k = 0; k < n % 8; k++) {
            rest |= (unsigned long long)(from[whole * 8 + k] != 0) << 8 * k;
        }
        to[whole] = (unsigned char)gather_bits(rest, little);
    }
}

template <bool LITTLE>
inline void
unpack_run(const unsigned char *x, unsigned char *out, long long begin, long long end)
{
    for (long long i = begin; i < end; i++) {
        unsigned long long bits = spread_bits(x[i], false);
        if (LITTLE) bits = __builtin_bswap64(bits);
        __builtin_memcpy(out + 8 * i, &bits, sizeof bits);
    }
}

template <class T>
__global__ void
pack_bits(const T *x, unsigned char *out, packing_sizes p)
{
    if (sizeof(T) == 1 && p.inner == 1) {
        const bool as_one = p.n % 8 == 0; /* rows follow each other in whole bytes */
        pack_rows((const unsigned char *)x, out, as_one ? p.outer * p.n : p.n,
                  cupric::share_of(p.pieces, blockIdx.x, gridDim.x),
                  cupric::share_of(p.pieces, blockIdx.x + 1, gridDim.x), p.little);
        return;
    }
    CUPRIC_EACH (i, p.pieces) {
        out[i] = packed_byte(x, p, i);
    }
}

__global__ void
unpack_bits(const unsigned char *x, unsigned char *out, packing_sizes p)
{
    const long long parts = (p.n + 7) / 8;

    if (p.inner == 1 && p.n == 8 * p.bytes) {
        const long long begin = cupric::share_of(p.pieces, blockIdx.x, gridDim.x);
        const long long end = cupric::share_of(p.pieces, blockIdx.x + 1, gridDim.x);
        (p.little ? unpack_run<true> : unpack_run<false>)(x, out, begin, end);
        return;
    }
    CUPRIC_EACH (i, p.pieces) {
        unpack_byte(x, out, p, parts, i);
    }
}
