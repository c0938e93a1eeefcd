/* The permutations that exchanges of rows amount to.
 *
 * pivots: (batch, k), the row that row i was exchanged with, in the order of i; rows of
 * (batch, m): where each row came from; with `inverse`, where it went to. A thread a
 * matrix: the exchanges follow each other.
 */
template <class T>
__global__ void
permutations(const T *pivots, T *rows, long long batch, long long k, long long m,
             int inverse)
{
    CUPRIC_EACH (b, batch) {
        const T *pivot = pivots + b * k;
        T *row = rows + b * m;
        for (long long i = 0; i < m; i++) row[i] = (T)i;
        for (long long i = 0; i < k; i++) {
            const long long x = inverse ? k - 1 - i : i, y = pivot[x];
            if (y < 0 || y >= m) continue;
            const T kept = row[x];
            row[x] = row[y];
            row[y] = kept;
        }
    }
}
