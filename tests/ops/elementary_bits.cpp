/* Reads numbers, applies an elementary function, writes the results (of a function of two
 * numbers, to each and the one that is as far from the end): for
 * test_elementary.py, which compiles this for several instruction sets.
 *
 *   elementary_bits NAME float|double|complex < numbers > results
 */
#include <stdio.h>
#include <string.h>
#include <vector>

#include "cupric/math/complex.hpp"
#include "cupric/math/special.hpp"

template <class F, class FUNCTION>
static int
apply(FUNCTION function)
{
    std::vector<F> x(1 << 16);
    for (;;) {
        const size_t n = fread(x.data(), sizeof(F), x.size(), stdin);
        if (n == 0) return 0;
        for (size_t i = 0; i < n; i++) x[i] = function(x[i]);
        fwrite(x.data(), sizeof(F), n, stdout);
    }
}

template <class F, class FUNCTION>
static int
apply_pairs(FUNCTION function)
{
    std::vector<F> x, r;
    F next;
    while (fread(&next, sizeof next, 1, stdin) == 1) x.push_back(next);
    const size_t n = x.size();
    r.resize(n);
    for (size_t i = 0; i < n; i++) r[i] = function(x[i], x[n - 1 - i]);
    fwrite(r.data(), sizeof(F), n, stdout);
    return 0;
}

/* The operations on complex<float>. */
static int
main_complex(const char *wanted)
{
    typedef cupric::complex<float> complex64;
    using namespace cupric;
#define COMPLEX(name)                                                                  \
    if (!strcmp(wanted, #name))                                                        \
        return apply<complex64>([](complex64 z) { return name(z); });
    COMPLEX(sqrt)
    COMPLEX(exp)
    COMPLEX(exp2)
    COMPLEX(expm1)
    COMPLEX(log)
    COMPLEX(log2)
    COMPLEX(log10)
    COMPLEX(log1p)
    COMPLEX(sin)
    COMPLEX(cos)
    COMPLEX(tan)
    COMPLEX(asin)
    COMPLEX(acos)
    COMPLEX(atan)
    COMPLEX(sinh)
    COMPLEX(cosh)
    COMPLEX(tanh)
    COMPLEX(asinh)
    COMPLEX(acosh)
    COMPLEX(atanh)
    if (!strcmp(wanted, "power"))
        return apply_pairs<complex64>(
            [](complex64 a, complex64 b) { return power(a, b); });
    return 2;
}

int
main(int argc, char **argv)
{
    if (argc != 3) return 2;
    if (!strcmp(argv[2], "complex")) return main_complex(argv[1]);
    const bool single = !strcmp(argv[2], "float");
#define FUNCTION(name)                                                                 \
    if (!strcmp(argv[1], #name)) {                                                     \
        if (single)                                                                    \
            return apply<float>([](float x) { return cupric::elementary::name(x); });  \
        return apply<double>([](double x) { return cupric::elementary::name(x); });    \
    }
    FUNCTION(exp)
    FUNCTION(exp2)
    FUNCTION(expm1)
    FUNCTION(log)
    FUNCTION(log2)
    FUNCTION(log10)
    FUNCTION(log1p)
    FUNCTION(cbrt)
    FUNCTION(sin)
    FUNCTION(cos)
    FUNCTION(tan)
    FUNCTION(asin)
    FUNCTION(acos)
    FUNCTION(atan)
    FUNCTION(sinh)
    FUNCTION(cosh)
    FUNCTION(tanh)
    FUNCTION(asinh)
    FUNCTION(acosh)
    FUNCTION(atanh)
    FUNCTION(erf)
    FUNCTION(erfc)
    FUNCTION(ndtr)
    FUNCTION(logit)
    FUNCTION(gamma)
    FUNCTION(gammaln)
    FUNCTION(sinc)
    FUNCTION(i0)
#define PAIRS(name)                                                                    \
    if (!strcmp(argv[1], #name)) {                                                     \
        if (single)                                                                    \
            return apply_pairs<float>(                                                 \
                [](float x, float y) { return cupric::elementary::name(x, y); });      \
        return apply_pairs<double>(                                                    \
            [](double x, double y) { return cupric::elementary::name(x, y); });        \
    }
    PAIRS(pow)
    PAIRS(atan2)
    PAIRS(hypot)
    PAIRS(logaddexp)
    PAIRS(logaddexp2)
    return 2;
}
