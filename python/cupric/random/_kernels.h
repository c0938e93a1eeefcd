/* _kernels.h: the distributions of _kernels.cuh, and what its kernels take by value. */

enum distribution {
    DISTRIBUTION_BETA,
    DISTRIBUTION_BINOMIAL,
    DISTRIBUTION_CHISQUARE,
    DISTRIBUTION_F,
    DISTRIBUTION_GAMMA,
    DISTRIBUTION_GEOMETRIC,
    DISTRIBUTION_HYPERGEOMETRIC,
    DISTRIBUTION_LOGSERIES,
    DISTRIBUTION_NEGATIVE_BINOMIAL,
    DISTRIBUTION_NONCENTRAL_CHISQUARE,
    DISTRIBUTION_NONCENTRAL_F,
    DISTRIBUTION_POISSON,
    DISTRIBUTION_STANDARD_T,
    DISTRIBUTION_VONMISES,
    DISTRIBUTION_WALD,
    DISTRIBUTION_ZIPF,
    DISTRIBUTION_GUMBEL,
    DISTRIBUTION_LAPLACE,
    DISTRIBUTION_LOGISTIC,
    DISTRIBUTION_LOGNORMAL,
    DISTRIBUTION_PARETO,
    DISTRIBUTION_POWER,
    DISTRIBUTION_RAYLEIGH,
    DISTRIBUTION_STANDARD_CAUCHY,
    DISTRIBUTION_TRIANGULAR,
    DISTRIBUTION_WEIBULL,
};

/* Rows of k counts, whose sums are as parameter n says (_fill.h); the probabilities have
 * p_rows rows, which are repeated. */
struct multinomial_plan {
    unsigned long long key, counter;
    long long rows, k;
    double n;
    long long n_repeat, n_period, p_rows;
};
