/* _conversions.host.hpp: a tile is a run of rows, or of elements. */

template <class I>
__global__ void
expand_rows(const I *indptr, I *major, element_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = p.n / p.tiles * t;
        const long long end = t + 1 < p.tiles ? p.n / p.tiles * (t + 1) : p.n;
        long long r = upper_bound(indptr, p.n_major + 1, begin) - 1;
        for (long long i = begin; i < end; r++) {
            const long long stop = indptr[r + 1] < end ? indptr[r + 1] : end;
            for (; i < stop; i++) major[i] = (I)r;
        }
    }
}

template <class I>
__global__ void
begin_rows(const I *major, I *indptr, long long n, long long starts)
{
    long long i = -1;
    CUPRIC_EACH (r, starts) {
        if (i < 0) i = upper_bound(major, n, r - 1);
        while (i < n && major[i] < r) i++;
        indptr[r] = (I)i;
    }
}

template <class I>
__global__ void
count_order(const I *indptr, const I *indices, unsigned long long *counts,
            element_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const row_share<I> own(indptr, p, t);
        unsigned long long below = 0, same = 0;
        for (long long r = own.row; r < own.end; r++) {
            const long long end = indptr[r + 1];
            for (long long i = indptr[r] + 1; i < end; i++) {
                below += indices[i] < indices[i - 1];
                same += indices[i] == indices[i - 1];
            }
        }
        counts[2 * t] = below;
        counts[2 * t + 1] = same;
    }
}

template <class I>
__global__ void
count_coo_order(const I *major, const I *minor, unsigned long long *counts,
                element_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = p.n / p.tiles * t;
        const long long end = t + 1 < p.tiles ? p.n / p.tiles * (t + 1) : p.n;
        unsigned long long below = 0, same = 0;
        for (long long i = begin > 0 ? begin : 1; i < end; i++) {
            const bool is_row = major[i] == major[i - 1];
            below += (major[i] < major[i - 1]) | (is_row & (minor[i] < minor[i - 1]));
            same += is_row & (minor[i] == minor[i - 1]);
        }
        counts[2 * t] = below;
        counts[2 * t + 1] = same;
    }
}

template <class I, class V>
__global__ void
count_nonzero(const I *indptr, const V *data, long long *counts, element_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const row_share<I> own(indptr, p, t);
        long long count = 0;
        for (long long i = indptr[own.row]; i < indptr[own.end]; i++)
            count += is_nonzero(data[i], p.mask);
        counts[t] = count;
    }
}

template <class I, class V>
__global__ void
keep_nonzero(const I *indptr, const I *indices, const V *data, const long long *places,
             I *indptr_to, I *indices_to, V *data_to, element_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const row_share<I> own(indptr, p, t);
        long long to = places[t];
        if (t == 0) indptr_to[0] = 0;
        for (long long r = own.row; r < own.end; r++) {
            for (long long i = indptr[r]; i < indptr[r + 1]; i++) {
                if (!is_nonzero(data[i], p.mask)) continue;
                indices_to[to] = indices[i];
                data_to[to++] = data[i];
            }
            indptr_to[r + 1] = (I)to;
        }
    }
}

template <class V>
__global__ void
count_dense(const V *x, long long *counts, dense_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = p.rows * t / p.tiles * p.columns;
        const long long end = p.rows * (t + 1) / p.tiles * p.columns;
        long long count = 0;
        for (long long i = begin; i < end; i++) count += is_nonzero(x[i], p.mask);
        counts[t] = count;
    }
}

template <class I, class V>
__global__ void
keep_dense(const V *x, const long long *places, I *indptr, I *indices, V *data,
           dense_tiles p)
{
    enum { GROUP = 16 };
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        long long to = places[t];
        if (t == 0) indptr[0] = 0;
        for (long long r = p.rows * t / p.tiles; r < p.rows * (t + 1) / p.tiles; r++) {
            const V *const row = x + r * p.columns;
            long long j = 0;
            for (; j < p.columns; j += GROUP) {
                const long long left = p.columns - j;
                const int count = left < GROUP ? (int)left : (int)GROUP;
                bool any = count < GROUP;
                if (!any)
                    for (int k = 0; k < GROUP; k++)
                        any |= is_nonzero(row[j + k], p.mask);
                for (int k = 0; any && k < count; k++) {
                    if (!is_nonzero(row[j + k], p.mask)) continue;
                    indices[to] = (I)(j + k);
                    data[to++] = row[j + k];
                }
            }
            indptr[r + 1] = (I)to;
        }
    }
}

template <class I, class V>
__global__ void
put_elements(const I *indptr, const I *major, const I *indices, const V *data, V *out,
             dense_places p, long long pieces)
{
    CUPRIC_EACH (r, pieces) {
        V *const row = out + r * p.major_stride;
        for (long long i = indptr[r]; i < indptr[r + 1]; i++)
            row[indices[i] * p.minor_stride] = data[i];
    }
}
