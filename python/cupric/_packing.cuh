/* _packing.cuh: bits to bytes and back, along the middle one of three axes, in C order. */
#include "_packing.h"

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

/* Byte i of out, from eight neighbours along n, which are not zero where a bit is set; past
 * the end all are zero. */
template <class T>
__device__ inline unsigned char
packed_byte(const T *x, const packing_sizes &p, long long i)
{
    const long long n = p.n, inner = p.inner;
    const long long row = inner == 1 ? i : i / inner;
    const long long outside = p.outer == 1 ? 0 : row / p.bytes;
    const long long j = (row - outside * p.bytes) * 8;
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
    return (unsigned char)gather_bits(bits, p.little);
}

/* out (outer, bytes, inner) from x (outer, n, inner), bytes = (n + 7) / 8. A thread makes a
 * byte. Launch: elements(p.pieces). */
template <class T>
__global__ void
pack_bits(const T *x, unsigned char *out, packing_sizes p)
{
    CUPRIC_EACH (i, p.pieces) {
        out[i] = packed_byte(x, p, i);
    }
}

/* What eight bits there are of a byte, or of none: piece i of (outer, parts, inner). */
__device__ inline void
unpack_byte(const unsigned char *x, unsigned char *out, const packing_sizes &p,
            long long parts, long long i)
{
    const long long n = p.n, inner = p.inner;
    const long long row = inner == 1 ? i : i / inner;
    const long long outside = p.outer == 1 ? 0 : row / parts;
    const long long part = row - outside * parts, within = i - row * inner;
    const unsigned byte =
        part < p.bytes ? x[(outside * p.bytes + part) * inner + within] : 0;
    const unsigned long long bits = spread_bits(byte, p.little);
    unsigned char *const to = out + (outside * n + part * 8) * inner + within;

    if (inner == 1 && n % 8 == 0) {
        *(unsigned long long *)to = bits; /* out is aligned as any array is */
        return;
    }
    const int count = n - part * 8 < 8 ? (int)(n - part * 8) : 8;
    for (int k = 0; k < count; k++) to[k * inner] = (unsigned char)(bits >> 8 * k);
}

/* out (outer, n, inner): the first n bits of x (outer, bytes, inner), 0 past its end.
 * Launch: elements(p.pieces), of which a thread makes up to eight bits. */
__global__ void
unpack_bits(const unsigned char *x, unsigned char *out, packing_sizes p)
{
    const long long parts = (p.n + 7) / 8;

    CUPRIC_EACH (i, p.pieces) {
        unpack_byte(x, out, p, parts, i);
    }
}
