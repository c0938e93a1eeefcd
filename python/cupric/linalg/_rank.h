/* _rank.h: what kernels of _rank.cuh take by value. */

/* What solve_by_factors makes: `columns` columns, of b where `has_b`, with the singular
 * values above `share` of the largest. */
struct rank_solution {
    double share;
    long long columns;
    bool has_b;
};
