/* Bits to bytes and back, along the middle one of three axes, in C order. */

/* Of eight bytes, 1 for each that is not zero. */
__device__ inline unsigned long long
nonzero_bytes(unsigned long long x)
{
    const unsigned long long ones = 0x0101010101010101ull, low = (ones << 7) - ones;

    return ((x & low) + low | x) >> 7 & ones;
}

/* Eight bytes, each 0 or 1, of the bits of one; and the other way. A product moves all
 * bits at once: no two meet in one place. */
__device__ inline unsigned long long
spread_bits(unsigned byte, bool little)
{
    const unsigned long long ones = 0x0101010101010101ull;

    if (!little) return (byte * 0x8040201008040201ull & ones << 7) >> 7;
    /* The bits where they are, each in a byte of its own: not zero where it is set. */
    return nonzero_bytes(byte * ones & 0x8040201008040201ull);
}

__device__ inline unsigned
gather_bits(unsigned long long bytes, bool little)
{
    return (unsigned)(bytes *
                          (little ? 0x0102040810204080ull : 0x8040201008040201ull) >>
                      56);
}

#if defined(CUPRIC_HOST)

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

#endif

/* out (outer, (n + 7) / 8, inner): each byte from eight neighbours along n, which are not
 * zero where a bit is set; past the end all are zero. A thread makes a byte. */
template <class T>
__global__ void
pack_bits(const T *x, unsigned char *out, long long outer, long long n, long long inner,
          bool little)
{
    const long long bytes = (n + 7) / 8;

#if defined(CUPRIC_HOST)
    if (sizeof(T) == 1 && inner == 1) {
        const bool as_one = n % 8 == 0; /* rows that follow each other in whole bytes */
        pack_rows((const unsigned char *)x, out, as_one ? outer * n : n,
                  cupric::share_of(outer * bytes, blockIdx.x, gridDim.x),
                  cupric::share_of(outer * bytes, blockIdx.x + 1, gridDim.x), little);
        return;
    }
#endif
    CUPRIC_EACH (i, outer * bytes * inner) {
        const long long row = inner == 1 ? i : i / inner;
        const long long outside = outer == 1 ? 0 : row / bytes;
        const long long j = (row - outside * bytes) * 8;
        const T *const from = x + (outside * n + j) * inner + (i - row * inner);
        unsigned long long bits = 0;
        if (sizeof(T) == 1 && inner == 1 && n - j >= 8 &&
            (unsigned long long)from % 8 == 0) {
            bits = nonzero_bytes(*(const unsigned long long *)from);
        } else if (n - j >= 8) {
            for (int k = 0; k < 8; k++) {
                bits |= (unsigned long long)(from[k * inner] != T(0)) << 8 * k;
            }
        } else {
            for (int k = 0; k < n - j; k++) {
                bits |= (unsigned long long)(from[k * inner] != T(0)) << 8 * k;
            }
        }
        out[i] = (unsigned char)gather_bits(bits, little);
    }
}

/* out (outer, n, inner): the first n bits of x (outer, bytes, inner), 0 past its end. A
 * thread makes what eight bits there are of a byte, or of none. */
__global__ void
unpack_bits(const unsigned char *x, unsigned char *out, long long outer,
            long long bytes, long long n, long long inner, bool little)
{
    const long long parts = (n + 7) / 8;

#if defined(CUPRIC_HOST)
    if (inner == 1 && n == 8 * bytes) {
        const long long begin = cupric::share_of(outer * bytes, blockIdx.x, gridDim.x);
        const long long end =
            cupric::share_of(outer * bytes, blockIdx.x + 1, gridDim.x);
        (little ? unpack_run<true> : unpack_run<false>)(x, out, begin, end);
        return;
    }
#endif
    CUPRIC_EACH (i, outer * parts * inner) {
        const long long row = inner == 1 ? i : i / inner;
        const long long outside = outer == 1 ? 0 : row / parts;
        const long long part = row - outside * parts, within = i - row * inner;
        const unsigned byte =
            part < bytes ? x[(outside * bytes + part) * inner + within] : 0;
        const unsigned long long bits = spread_bits(byte, little);
        unsigned char *const to = out + (outside * n + part * 8) * inner + within;
        if (inner == 1 && n % 8 == 0) {
            *(unsigned long long *)to = bits; /* out is aligned as any array is */
            continue;
        }
        const int count = n - part * 8 < 8 ? (int)(n - part * 8) : 8;
        for (int k = 0; k < count; k++) to[k * inner] = (unsigned char)(bits >> 8 * k);
    }
}
