/* _ends.h: what differences_with_ends of _ends.cuh takes by value. */

/* n differences, and how many elements come before and behind them, each an array's or
 * one number. Of `pieces` of `run` elements each. */
struct ends_sizes {
    long long n, before, behind, pieces, run;
    bool one_first, one_last;
};
