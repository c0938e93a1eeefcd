/* _sparse_products.host.hpp: a piece is a run of rows, with a dense row of its own. */

/* The first row of a piece: pieces have as many products. */
inline long long
first_row(const long long *upto, long long piece, const sparse_sizes &s)
{
    if (piece == s.pieces) return s.rows;
    const long long all = upto[s.rows - 1];
    const long long target = all / s.pieces * piece + all % s.pieces * piece / s.pieces;
    long long low = 0, high = s.rows;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (upto[middle] <= target)
            low = middle + 1;
        else
            high = middle;
    }
    return piece == 0 ? 0 : low;
}

/* The columns of a row: a bit for each, a byte for each word of these that is not 0, and
 * one for 64 such words, so that they are found in their order. Nothing is asked: what is
 * new is not predicted. */
struct marked_columns {
    unsigned long long *words;
    unsigned char *used, *groups;
    long long n_groups;

    marked_columns(long long *own, long long columns)
        : words((unsigned long long *)own), n_groups((columns + 4095) / 4096)
    {
        used = (unsigned char *)(words + n_groups * 64);
        groups = used + n_groups * 64;
    }
    void mark(long long column) const
    {
        words[column / 64] |= 1ull << (column % 64);
        used[column / 64] = 1;
        groups[column / 4096] = 1;
    }
    /* f(64 w, bits) of each word that is not 0, and 0 henceforth. */
    template <class F>
    void take(const F &f) const
    {
        for (long long g = 0; g < n_groups; g++) {
            if (!groups[g]) continue;
            groups[g] = 0;
            for (long long first = g * 64; first < (g + 1) * 64; first += 8) {
                unsigned long long eight;
                __builtin_memcpy(&eight, used + first, 8);
                if (eight == 0) continue;
                __builtin_memset(used + first, 0, 8);
                for (; eight; eight &= eight - 1) {
                    const long long w = first + __builtin_ctzll(eight) / 8;
                    f(w * 64, words[w]);
                    words[w] = 0;
                }
            }
        }
    }
};

/* f(k, l, column) of each product of elements k of a and l of b of a row. */
template <class VIEWS, class F>
inline void
each_product(const VIEWS &m, long long row, const F &f)
{
    const auto *const a_indptr = m[0].data, *const a_indices = m[1].data;
    const auto *const b_indptr = m[2].data, *const b_indices = m[3].data;

    for (long long k = a_indptr[row]; k < a_indptr[row + 1]; k++) {
        const long long j = a_indices[k], stop = b_indptr[j + 1];
        for (long long l = b_indptr[j]; l < stop; l++) f(k, l, (long long)b_indices[l]);
    }
}

template <class I>
__global__ void
count_columns(Views<I, 1, 4> m, const long long *upto, long long *counts,
              long long *segments, long long *scratch, sparse_sizes s)
{
    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        unsigned long long *const words =
            (unsigned long long *)(scratch + piece * s.scratch);
        const long long end = first_row(upto, piece + 1, s);
        for (long long row = first_row(upto, piece, s); row < end; row++) {
            long long count = 0;
            each_product(m, row, [&](long long, long long, long long column) {
                const unsigned long long word = words[column / 64];
                count += !(word >> (column % 64) & 1);
                words[column / 64] = word | 1ull << (column % 64);
            });
            each_product(m, row, [&](long long, long long, long long column) {
                words[column / 64] = 0;
            });
            counts[row] = count;
            segments[row] = 0;
        }
    }
}

/* One row: what is written, and how many of its elements are 0. `dense` is all 0. */
template <class T, class I>
inline long long
fill_row(const Views<I, 1, 6> &m, const Views<T, 1, 3> &values, long long row,
         const marked_columns &marked, typename ring<T>::sum *dense)
{
    const T *const a = values[0].data, *const b = values[1].data;
    I *to = m[5].data + m[4].data[row];
    T *y = values[2].data + m[4].data[row];
    long long nothing = 0;

    each_product(m, row, [&](long long k, long long l, long long column) {
        dense[column] = ring<T>::add(
            dense[column], ring<T>::multiply(ring<T>::load(a, k), ring<T>::load(b, l)));
        marked.mark(column);
    });
    marked.take([&](long long first, unsigned long long bits) {
        for (; bits; bits &= bits - 1, to++, y++) {
            const long long column = first + __builtin_ctzll(bits);
            *to = (I)column;
            ring<T>::store(y, 0, dense[column]);
            nothing += !cupric::convert<bool>(cupric::load(y));
            dense[column] = ring<T>::zero();
        }
    });
    return nothing;
}

/* The same of a row of few products, by insertion. */
template <class T, class I>
inline long long
fill_short_row(const Views<I, 1, 6> &m, const Views<T, 1, 3> &values, long long row)
{
    typedef typename ring<T>::sum sum;
    const T *const a = values[0].data, *const b = values[1].data;
    I *const to = m[5].data + m[4].data[row];
    T *const y = values[2].data + m[4].data[row];
    sum sums[SHORT];
    long long nothing = 0;
    int n = 0;

    each_product(m, row, [&](long long k, long long l, long long column) {
        const sum x = ring<T>::multiply(ring<T>::load(a, k), ring<T>::load(b, l));
        int at = n;
        while (at > 0 && to[at - 1] > column) at--;
        if (at > 0 && to[at - 1] == column) {
            sums[at - 1] = ring<T>::add(sums[at - 1], x);
            return;
        }
        for (int i = n++; i > at; i--) {
            to[i] = to[i - 1];
            sums[i] = sums[i - 1];
        }
        to[at] = (I)column;
        sums[at] = x;
    });
    for (int i = 0; i < n; i++) {
        ring<T>::store(y, i, sums[i]);
        nothing += !cupric::convert<bool>(cupric::load(y + i));
    }
    return nothing;
}

template <class T, class I>
__global__ void
fill_rows(Views<I, 1, 6> m, Views<T, 1, 3> values, const long long *upto,
          unsigned long long *zeros, long long *scratch, sparse_sizes s)
{
    typedef typename ring<T>::sum sum;

    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        long long *const own = scratch + piece * s.scratch;
        const long long groups = (s.columns + 4095) / 4096;
        const long long bits = groups * 72 + (groups + 7) / 8; /* words of 8 bytes */
        const marked_columns marked(own, s.columns);
        sum *const dense = (sum *)(own + (bits + 1) / 2 * 2); /* 16 bytes at once */
        const long long end = first_row(upto, piece + 1, s);
        long long nothing = 0;
        for (long long row = first_row(upto, piece, s); row < end; row++) {
            nothing += products_of(upto, row) <= SHORT
                           ? fill_short_row(m, values, row)
                           : fill_row(m, values, row, marked, dense);
        }
        if (nothing) atomicAdd(zeros, (unsigned long long)nothing);
    }
}

template <class T, class I>
__global__ void
sum_segments(Views<I, 1, 6> m, Views<T, 1, 3> values, const long long *segments,
             unsigned long long *zeros, long long pieces, sparse_sizes s)
{
}
