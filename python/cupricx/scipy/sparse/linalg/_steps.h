/* What the kernels of a solver's steps and their Python share. */
#include "_numbers.h"

enum { SUMS = 3 }; /* that a phase takes, at most */

/* qmr */
enum {
    QMR_XI = FIRST_OF_SOLVER,
    QMR_DELTA,
    QMR_EPSILON,
    QMR_GAMMA,
    QMR_ETA,
    QMR_THETA,
    QMR_OF_P, /* what the last p is multiplied by */
    QMR_OF_Q,
    QMR_OF_D
};

/* minres */
enum {
    MR_SHIFT = FIRST_OF_SOLVER,
    MR_FIRST_BETA,
    MR_OLD_BETA,
    MR_DBAR,
    MR_EPSLN,
    MR_OLD_EPSLN,
    MR_DELTA,
    MR_DENOM,
    MR_PHI,
    MR_PHIBAR,
    MR_SQUARES,
    MR_LARGEST,
    MR_SMALLEST,
    MR_COS,
    MR_SIN,
    MR_ROOT,
    MR_RTOL,
    MR_EPS,
    MR_ISTOP,
    MR_TEST1,
    MR_TEST2,
    MR_NORM,
    MR_COND,
    MR_GBAR,
    MR_X_NORM
};

/* lsqr and lsmr; what both have, in the first part */
enum {
    LS_ALPHA = FIRST_OF_SOLVER,
    LS_BETA,
    LS_DAMP,
    LS_ATOL,
    LS_BTOL,
    LS_CTOL,
    LS_B_NORM,
    LS_A_NORM,
    LS_A_COND,
    LS_R_NORM,
    LS_AR_NORM,
    LS_X_NORM,
    LS_TEST1,
    LS_TEST2,
    LS_TEST3,
    LS_TO_X, /* factors of the update of x and of the direction */
    LS_TO_W,
    LS_FIRST
};
enum {
    LSQR_RHOBAR = LS_FIRST,
    LSQR_PHIBAR,
    LSQR_RHO,
    LSQR_PHI,
    LSQR_THETA,
    LSQR_TAU,
    LSQR_D_NORM, /* squared, like the two below */
    LSQR_RES2,
    LSQR_XX_NORM,
    LSQR_Z,
    LSQR_COS2,
    LSQR_SIN2,
    LSQR_R1_NORM,
    LSQR_VAR /* 1: the variances are asked for */
};
enum {
    LSMR_ZETABAR = LS_FIRST,
    LSMR_ALPHABAR,
    LSMR_RHO,
    LSMR_RHOBAR,
    LSMR_CBAR,
    LSMR_SBAR,
    LSMR_BETADD,
    LSMR_BETAD,
    LSMR_RHOD,
    LSMR_TAUTILDE,
    LSMR_THETATILDE,
    LSMR_ZETA,
    LSMR_D,
    LSMR_SQUARES,
    LSMR_LARGEST,
    LSMR_SMALLEST,
    LSMR_RHOTEMP,
    LSMR_TO_HBAR
};

/* Rows of a solver's vectors. */
enum { X, R, CG_P, CG_ROWS };
enum { BICG_RT = 2, BICG_P, BICG_PT, BICG_ROWS };
enum { BS_RT = 2, BS_P, BS_V, BS_ROWS };
enum { CGS_RT = 2, CGS_P, CGS_U, CGS_Q, CGS_T, CGS_B, CGS_ROWS };
enum {
    QMR_V = 2,
    QMR_W,
    QMR_VT,
    QMR_WT,
    QMR_Y,
    QMR_Z,
    QMR_P,
    QMR_Q,
    QMR_D,
    QMR_S,
    QMR_ROWS
};
enum { MR_R1 = 1, MR_R2, MR_V, MR_Y, MR_W, MR_W2, MR_ROWS };
enum { LS_V = 1, LS_W, LS_VAR, LS_ROWS }; /* U alone is of the other length */
enum { LSMR_H = LS_W, LSMR_HBAR = LS_VAR };

enum {
    START,
    CG_ALPHA,
    CG_RESIDUAL,
    CG_RHO,
    CG_DIRECTION,
    BICG_ALPHA,
    BICG_UPDATE,
    BICG_RHO,
    BICG_DIRECTION,
    BS_ALPHA,
    BS_HALF,
    BS_OMEGA,
    BS_UPDATE,
    BS_DIRECTION,
    CGS_ALPHA,
    CGS_VECTORS,
    CGS_X,
    CGS_RESIDUAL,
    CGS_DIRECTION,
    QMR_SCALE,
    QMR_DIRECTION,
    QMR_BETA,
    QMR_VECTORS,
    QMR_NORMS,
    QMR_X,
    MR_VECTOR,
    MR_ALPHA,
    MR_RESIDUAL,
    MR_BETA,
    MR_X,
    LS_NEXT_U,
    LS_SCALE_U,
    LSQR_NEXT_V,
    LSQR_X,
    LSMR_NEXT_V,
    LSMR_X
};

/* n elements in parts of `part`; rows are `ld` elements apart. */
struct step_sizes {
    long long n, part, parts, ld;
};
