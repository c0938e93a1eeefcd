/* Reads numbers, applies an elementary function, writes the results: for
 * test_elementary.py, which compiles this for several instruction sets.
 *
 *   elementary_bits NAME float|double < numbers > results
 */
#include <stdio.h>
#include <string.h>
#include <vector>

#include "cupric/math/elementary.hpp"

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

int
main(int argc, char **argv)
{
    if (argc != 3) return 2;
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
    return 2;
}
