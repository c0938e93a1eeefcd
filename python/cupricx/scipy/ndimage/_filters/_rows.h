/* _rows.h: what `correlate_rows` of _rows.cuh takes by value. */

enum { ROW_LANES = 32, ROW_WARPS = 8, ROW_THREADS = ROW_LANES * ROW_WARPS };

/* x, y: (rows, n); windows of taps <= FEW begin `before` elements before their outputs. */
struct row_filter {
    long long rows, n;
    double fill;
    int taps, before, mode;
};
