/* _ridges.h: what kernels of ridge lines take by value. */

/* A step to row `row`, of n columns, of a matrix of which rows below `rows` have been gone
 * through: lines go on in columns up to `distance` away, after `gap` rows at most. */
struct ridge_step {
    long long n, row, rows, distance, lines;
    double gap;
};

/* Windows around columns, and which of their elements in order is asked for. */
struct ridge_windows {
    long long n, before, after, lines;
    double fraction;
    int bits;
};
