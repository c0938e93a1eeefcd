/* _selections.host.hpp: rows and words one after the other.
 */

template <class I, class T>
__global__ void
take_rows(const I *taken, const I *begins, const I *indices, const T *data,
          I *out_indices, T *out_data, take_sizes s)
{
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, s.nnz);
        each_row(taken, s.n, begin, end, [&](long long r, long long p, long long stop) {
            const long long by = (long long)begins[r] - (long long)taken[r];
            if (r + AHEAD < s.n) {
                __builtin_prefetch(indices + begins[r + AHEAD]);
                __builtin_prefetch(data + begins[r + AHEAD]);
            }
            for (long long q = p; q < stop; q++) out_indices[q] = indices[q + by];
            for (long long q = p; q < stop; q++) out_data[q] = data[q + by];
        });
    }
}

template <class I>
struct unsigned_index {
    typedef unsigned long long type;
};
template <>
struct unsigned_index<int> {
    typedef unsigned int type;
};

/* A bit for each of 32 elements that are in a range: without branches, for vectors. */
template <class I>
inline unsigned int
range_word(const I *x, long long low, long long high)
{
    typedef typename unsigned_index<I>::type U;
    const U first = (U)low, n = (U)(high - low);
    unsigned int word = 0;
    for (int k = 0; k < 32; k++) word |= (unsigned int)((U)x[k] - first < n) << k;
    return word;
}

/* The bits of up to 32 elements from p on. */
template <int KIND, class I>
inline unsigned int
word_of(const I *indices, const I *places, long long p, int n, const keep_rule &r)
{
    unsigned int word = 0;
    if (KIND == KEEP_RANGE && n == 32) {
        word = range_word(indices + p, r.low, r.high);
        if (r.step == 1 || word == 0) return word;
        word = 0;
    }
    for (int k = 0; k < n; k++) {
        const bool kept = is_kept<KIND>((long long)indices[p + k], 0, places, r);
        word |= (unsigned int)kept << k;
    }
    return word;
}

template <class I, int KIND>
__global__ void
mark(const I *indptr, const I *indices, const I *places, unsigned int *mask,
     keep_rule r)
{
    CUPRIC_EACH_BLOCK (tile, r.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, r.nnz);
        if (KIND == KEEP_RANGE || KIND == KEEP_PLACES) {
            for (long long p = begin; p < end; p += 32) {
                const int n = end - p < 32 ? (int)(end - p) : 32;
                mask[p / 32] = word_of<KIND>(indices, places, p, n, r);
            }
            continue;
        }
        for (long long p = begin; p < end; p += 32) mask[p / 32] = 0;
        each_row(indptr, r.n_major, begin, end,
                 [&](long long row, long long p, long long stop) {
                     for (; p < stop; p++) {
                         const bool kept =
                             is_kept<KIND>((long long)indices[p], row, places, r);
                         mask[p / 32] |= (unsigned int)kept << (p & 31);
                     }
                 });
    }
}

template <class I, class T>
__global__ void
compact(const unsigned int *mask, const I *rank, const I *indices, const T *data,
        const I *places, I *out_indices, T *out_data, keep_rule r)
{
    CUPRIC_EACH_BLOCK (tile, r.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, r.nnz);
        long long at = rank[begin / 32];
        for (long long p = begin; p < end; p += 32) {
            for (unsigned int word = mask[p / 32]; word; word &= word - 1) {
                const long long from = p + __ffs((int)word) - 1;
                out_indices[at] = renamed(indices[from], places, r);
                out_data[at++] = data[from];
            }
        }
    }
}

/* First whether the index is there, in vectors: mostly it is not. */
template <bool SORTED, class I, class T>
inline T
sum_in_row(const I *indices, const T *data, long long begin, long long end, long long j)
{
    const values_of<T> values;
    const I own = (I)j;
    T sum = values.identity();
    long long p = begin, stop = end;
    while (SORTED && stop - p > 2 * SHORT) {
        const long long middle = p + (stop - p) / 2;
        if (indices[middle] < own) {
            p = middle + 1;
        } else {
            stop = middle;
        }
    }
    bool there = false;
    for (long long q = p; q < stop; q++) there |= indices[q] == own;
    if (!there && (stop == end || indices[stop] != own)) return sum;
    for (; p < end && (!SORTED || indices[p] <= own); p++) {
        if (indices[p] == own) sum = values.combine(sum, data[p]);
    }
    return sum;
}

template <class I, class T, bool SORTED>
__global__ void
sum_points(const I *indptr, const I *indices, const T *data, const long long *i,
           const long long *j, T *y, point_sizes s)
{
    CUPRIC_EACH (k, s.n) {
        if (k + 2 * AHEAD < s.n) {
            const long long later = wrapped(i[k + 2 * AHEAD], s.n_major, nullptr);
            __builtin_prefetch(indptr + later);
        }
        if (k + AHEAD < s.n) {
            const long long next = wrapped(i[k + AHEAD], s.n_major, nullptr);
            __builtin_prefetch(indices + indptr[next]);
            __builtin_prefetch(data + indptr[next]);
        }
        const long long row = wrapped(i[k], s.n_major, nullptr);
        const long long minor = wrapped(j[k], s.n_minor, nullptr);
        y[k] = sum_in_row<SORTED>(indices, data, indptr[row], indptr[row + 1], minor);
    }
}

template <class I, class T, bool SORTED>
__global__ void
sum_diagonal(const I *indptr, const I *indices, const T *data, T *y, point_sizes s)
{
    CUPRIC_EACH (k, s.n) {
        const long long row = s.first_major + k;
        y[k] = sum_in_row<SORTED>(indices, data, indptr[row], indptr[row + 1],
                                  s.first_minor + k);
    }
}
