/* How far the elements of each row that are not 0 lie from the diagonal.
 *
 * a: (rows, n), of matrices of m rows; reach, (2, rows): how many places to the left and
 * to the right of the diagonal the outermost are, 0 where there are none. A thread a row,
 * which looks from both ends: of a full matrix two elements are read.
 */
template <class T>
__global__ void
row_reach(const T *a, long long *reach, long long rows, long long m, long long n)
{
    CUPRIC_EACH (r, rows) {
        const T *row = a + r * n;
        const long long i = r % m;
        long long first = 0, last = n - 1;
        while (first < i && first < n && row[first] == T(0)) first++;
        while (last > i && row[last] == T(0)) last--;
        reach[r] = first < n ? i - first : 0;
        reach[rows + r] = last > i ? last - i : 0;
    }
}
