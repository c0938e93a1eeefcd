/* What the kernels of Arnoldi's process and their Python share. */
#include "_numbers.h"

enum { TILE = 512 }; /* elements that a core of the host works on at once */

enum {
    BLOCK = 8,                 /* vectors that are multiplied at once */
    AT_ONCE = 128,             /* rotations that are applied from shared memory */
    COLUMNS = FIRST_OF_SOLVER, /* steps that the cycle has taken */
    ENDED,                     /* 1: the cycle has */
    AGAIN,                     /* 1: this step orthogonalizes a second time */
    BEFORE,         /* norm of the new vector, before it is made orthogonal */
    AFTER,          /* and after */
    BREAKDOWN,      /* 1: the new vector depends on the others */
    ESTIMATE,       /* of the residual's norm, of the preconditioned system */
    ENOUGH,         /* the estimate that ends the cycle */
    PRECONDITIONED, /* norm of the preconditioned residual */
    EPSILON
};

/* Vectors of n elements in parts of `part`, rows `ld` elements apart; at most m steps a
 * cycle. `j`: the step, `pass`: which time it orthogonalizes. Of a combination, `count`
 * rows with coefficients from `first` on. */
struct arnoldi_sizes {
    long long n, part, parts, ld;
    int m, j, pass, first, count;
};
