/* _searches.host.hpp: rows one after the other. */

/* Rows that are asked of memory before they are read: they lie anywhere. */
enum { AHEAD = 12 };

/* Calls each(row, begin, end) for the parts of rows between two elements. */
template <class I, class EACH>
inline void
each_row(const I *indptr, long long n, long long begin, long long end, const EACH &each)
{
    long long row = row_of(indptr, 0, n - 1, begin);
    for (long long p = begin; p < end; row++) {
        const long long next = indptr[row + 1], stop = next < end ? next : end;
        if (p < stop) each(row, p, stop);
        p = stop;
    }
}
