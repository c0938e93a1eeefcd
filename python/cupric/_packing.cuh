/* Bits to bytes and back, along the middle one of three axes, in C order. */

/* The bit of a byte that element k of its eight is. */
__device__ inline int
bit_of(long long k, bool little)
{
    return little ? (int)k : 7 - (int)k;
}

/* out (outer, (n + 7) / 8, inner): each byte from eight neighbours along n, which are not
 * zero where a bit is set; past the end all are zero. A thread makes a byte. */
template <class T>
__global__ void
pack_bits(const T *x, unsigned char *out, long long outer, long long n, long long inner,
          bool little)
{
    const long long bytes = (n + 7) / 8;

    CUPRIC_EACH (i, outer * bytes * inner) {
        const long long row = i / inner, j = row % bytes * 8;
        const long long count = n - j < 8 ? n - j : 8;
        const T *const from = x + (row / bytes * n + j) * inner + i % inner;
        unsigned byte = 0;
        for (long long k = 0; k < count; k++) {
            byte |= (unsigned)(from[k * inner] != T(0)) << bit_of(k, little);
        }
        out[i] = (unsigned char)byte;
    }
}

/* out (outer, n, inner): the first n bits of x (outer, bytes, inner), 0 past its end. A
 * thread makes a bit: neighbours read one byte. */
__global__ void
unpack_bits(const unsigned char *x, unsigned char *out, long long outer,
            long long bytes, long long n, long long inner, bool little)
{
    CUPRIC_EACH (i, outer * n * inner) {
        const long long row = i / inner, j = row % n;
        const bool there = j < 8 * bytes;
        const long long at = (row / n * bytes + j / 8) * inner + i % inner;
        out[i] = there ? (unsigned char)(x[at] >> bit_of(j % 8, little) & 1) : 0;
    }
}
