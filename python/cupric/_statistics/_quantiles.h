/* _quantiles.h: what _quantiles.cuh and _quantiles.py share. */

enum {
    ITEMS = 8,     /* of a row that is sorted, for each of its threads */
    HELD = 16,     /* of a row by selection */
    THREADS = 512, /* of a block at most */
};

enum quantile_method {
    CONTINUOUS, /* those that alpha and beta tell apart */
    LINEAR,
    INVERTED_CDF,
    AVERAGED_INVERTED_CDF,
    CLOSEST_OBSERVATION,
    LOWER,
    HIGHER,
    NEAREST,
    MIDPOINT,
    MEDIAN /* of two in the middle the mean: half their sum */
};

/* What is done with a row: quantiles of `count` fractions, `only` where that is 1, by a
 * method, and whether NaNs are left out. */
struct quantile_rule {
    long long count;
    double only, alpha, beta;
    int method;
    bool skips_nans;
};
