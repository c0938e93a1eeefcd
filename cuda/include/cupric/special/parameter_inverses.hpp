/* special/parameter_inverses.hpp: the argument or parameter of a distribution that gives a
 * probability, of double, by monotone_root.hpp. NaN where there is none.
 */
#ifndef CUPRIC_SPECIAL_PARAMETER_INVERSES_HPP
#define CUPRIC_SPECIAL_PARAMETER_INVERSES_HPP

#include "cupric/special/monotone_root.hpp"
#include "cupric/special/noncentral.hpp"
#include "cupric/special/noncentral_t.hpp"

CUPRIC_BEGIN

namespace elementary {

/* The logarithm of how far the smaller tail of D is from what is wanted, rising. D says by
 * FALLS whether the distribution function falls in its parameter. */
template <class D>
struct parameter_mismatch {
    D of;
    double p, q;

    CUPRIC_MATH double operator()(double t) const
    {
        const bool upper = q < p;
        const double value = of.tail(t, upper), wanted = upper ? q : p;
        const double off = value > 0 ? log(value / wanted) : value == 0 ? -1e3 : value;
        return upper == D::FALLS ? off : -off;
    }
};

template <class D>
CUPRIC_MATH double
parameter_root(const D &of, double p, double start)
{
    const double limit = 230; /* of the logarithm: 1e100 */
    if (!(p > 0 && p < 1)) return nan<double>();
    start = start > 1e-30 ? start < 1e30 ? start : 1e30 : 1e-30;
    return monotone_root(parameter_mismatch<D>{of, p, 1 - p}, start, limit);
}

CUPRIC_MATH double
beta_tail(double a, double b, double x, bool upper)
{
    return incomplete_beta_anywhere(a, b, x, 1 - x, upper);
}

CUPRIC_MATH bool
is_fraction(double x)
{
    return x > 0 && x < 1;
}

#define CUPRIC_DISTRIBUTION(name, fields, falls, expression)                           \
    struct name {                                                                      \
        static constexpr bool FALLS = falls;                                           \
        double fields;                                                                 \
        CUPRIC_MATH double tail(double t, bool upper) const { return expression; }     \
    };
#define CUPRIC_AND ,

CUPRIC_DISTRIBUTION(beta_in_a, b CUPRIC_AND x, true, beta_tail(t, b, x, upper))
CUPRIC_DISTRIBUTION(beta_in_b, a CUPRIC_AND x, false, beta_tail(a, t, x, upper))
CUPRIC_DISTRIBUTION(binomial_in_k, n CUPRIC_AND p, false,
                    t < n ? beta_tail(t + 1, n - t, p, !upper) : !upper)
CUPRIC_DISTRIBUTION(binomial_in_n, k CUPRIC_AND p, true, beta_tail(k + 1, t, p, !upper))
CUPRIC_DISTRIBUTION(negative_in_k, n CUPRIC_AND p, false, beta_tail(n, t + 1, p, upper))
CUPRIC_DISTRIBUTION(negative_in_n, k CUPRIC_AND p, true, beta_tail(t, k + 1, p, upper))
CUPRIC_DISTRIBUTION(f_in_dfd, dfn CUPRIC_AND x, false, f_distribution(dfn, t, x, upper))
CUPRIC_DISTRIBUTION(student_in_df, t_below, true,
                    upper ? 1 - student_tail(t, t_below) : student_tail(t, t_below))
CUPRIC_DISTRIBUTION(chi_square_in_x, df CUPRIC_AND nc, false,
                    upper ? 1 - chndtr(t, df, nc) : chndtr(t, df, nc))
CUPRIC_DISTRIBUTION(chi_square_in_df, x CUPRIC_AND nc, true,
                    upper ? 1 - chndtr(x, t, nc) : chndtr(x, t, nc))
CUPRIC_DISTRIBUTION(chi_square_in_nc, x CUPRIC_AND df, true,
                    upper ? 1 - chndtr(x, df, t) : chndtr(x, df, t))
CUPRIC_DISTRIBUTION(noncentral_f_in_f, dfn CUPRIC_AND dfd CUPRIC_AND nc, false,
                    upper ? 1 - ncfdtr(dfn, dfd, nc, t) : ncfdtr(dfn, dfd, nc, t))
CUPRIC_DISTRIBUTION(noncentral_t_above, df CUPRIC_AND nc, false,
                    upper ? nctdtr(df, -nc, -t) : nctdtr(df, nc, t))
CUPRIC_DISTRIBUTION(noncentral_t_below, df CUPRIC_AND nc, true,
                    upper ? nctdtr(df, -nc, t) : nctdtr(df, nc, -t))

} /* namespace elementary */

CUPRIC_APART double
btdtria(double p, double b, double x)
{
    using namespace elementary;
    if (!(b > 0 && is_fraction(x))) return nan<double>();
    return parameter_root(beta_in_a{b, x}, p, b * x / (1 - x));
}

CUPRIC_APART double
btdtrib(double a, double p, double x)
{
    using namespace elementary;
    if (!(a > 0 && is_fraction(x))) return nan<double>();
    return parameter_root(beta_in_b{a, x}, p, a * (1 - x) / x);
}

CUPRIC_APART double
bdtrik(double y, double n, double p)
{
    using namespace elementary;
    if (!(n > 0 && is_fraction(p) && y >= 0 && y <= 1)) return nan<double>();
    if (y == 1) return n;
    if (beta_tail(1, n, p, true) >= y) return 0;
    return parameter_root(binomial_in_k{n, p}, y, n * p);
}

CUPRIC_APART double
bdtrin(double k, double y, double p)
{
    using namespace elementary;
    if (!(k >= 0 && is_fraction(p))) return nan<double>();
    return k + parameter_root(binomial_in_n{k, p}, y, (k + 1) / p - k);
}

CUPRIC_APART double
nbdtrik(double y, double n, double p)
{
    using namespace elementary;
    if (!(n > 0 && is_fraction(p) && y >= 0 && y < 1)) return nan<double>();
    if (beta_tail(n, 1, p, false) >= y) return 0;
    return parameter_root(negative_in_k{n, p}, y, n * (1 - p) / p);
}

CUPRIC_APART double
nbdtrin(double k, double y, double p)
{
    using namespace elementary;
    if (!(k >= 0 && is_fraction(p))) return nan<double>();
    return parameter_root(negative_in_n{k, p}, y, (k + 1) * p / (1 - p));
}

CUPRIC_APART double
fdtridfd(double dfn, double p, double x)
{
    using namespace elementary;
    if (!(dfn > 0 && x > 0)) return nan<double>();
    return parameter_root(f_in_dfd{dfn, x}, p, 5);
}

CUPRIC_APART double
stdtridf(double p, double t)
{
    using namespace elementary;
    if (t == 0 || !(p > 0 && p < 1)) return nan<double>();
    return parameter_root(student_in_df{without_sign(t)}, t > 0 ? 1 - p : p, 5);
}

CUPRIC_APART double
chndtrix(double p, double df, double nc)
{
    using namespace elementary;
    if (p == 0 && df > 0 && is_noncentrality(nc)) return 0;
    if (p == 1 && df > 0 && is_noncentrality(nc)) return infinity<double>();
    if (!(df < 1e100)) return nan<double>();
    return parameter_root(chi_square_in_x{df, nc}, p, df + nc);
}

CUPRIC_APART double
chndtridf(double x, double p, double nc)
{
    using namespace elementary;
    if (!(x > 0 && is_noncentrality(nc))) return nan<double>();
    return parameter_root(chi_square_in_df{x, nc}, p, x > nc + 1 ? x - nc : 1);
}

CUPRIC_APART double
chndtrinc(double x, double df, double p)
{
    using namespace elementary;
    if (!(x > 0 && df > 0) || !(chndtr(x, df, 0) > p)) return nan<double>();
    return parameter_root(chi_square_in_nc{x, df}, p, x > df + 1 ? x - df : 1);
}

CUPRIC_APART double
ncfdtri(double dfn, double dfd, double nc, double p)
{
    using namespace elementary;
    const double limit = infinity<double>();
    if (!(dfn > 0 && dfd > 0 && is_noncentrality(nc) && dfn < limit && dfd < limit))
        return nan<double>();
    if (p == 0 || p == 1) return p == 0 ? 0 : limit;
    return parameter_root(noncentral_f_in_f{dfn, dfd, nc}, p, (dfn + nc) / dfn);
}

CUPRIC_APART double
nctdtrit(double df, double nc, double p)
{
    using namespace elementary;
    if (!(df > 0 && p >= 0 && p <= 1)) return nan<double>();
    if (p == 0 || p == 1) return p == 0 ? -infinity<double>() : infinity<double>();
    const double start = without_sign(nc) + 1, middle = elementary::ndtr(-nc);
    if (p == middle) return 0;
    if (p > middle) return parameter_root(noncentral_t_above{df, nc}, p, start);
    return -parameter_root(noncentral_t_below{df, nc}, p, start);
}

CUPRIC_END

#undef CUPRIC_DISTRIBUTION
#undef CUPRIC_AND

#endif
