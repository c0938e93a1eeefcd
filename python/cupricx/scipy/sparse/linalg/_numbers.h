/* The state of a solver, which the kernels of all solvers share with their Python. */

enum {
    THREADS = 256,
    PART = 1024,  /* elements of a part at least */
    PARTS = 1024, /* at most */
    SLOTS = 64
};

/* Where a solver's numbers stand in its state, whichever solver it is. */
enum {
    ARRIVED,    /* how many blocks of a launch have left their sums */
    STOPPED,    /* 1: the phases that follow do nothing */
    PENDING,    /* 1: the solver stops when this step is complete */
    ITERATIONS, /* complete ones */
    INFO,       /* what the solver returns */
    RESIDUAL,   /* norm of the residual */
    TOLERANCE,  /* the solver stops below it */
    MAXITER,
    TINY,   /* a number is a breakdown below it */
    DIRECT, /* 1: there is no preconditioner */
    RHO,
    ALPHA,
    BETA,
    OMEGA,
    HALF, /* bicgstab: 1 where half a step is enough */
    FIRST_OF_SOLVER
};
