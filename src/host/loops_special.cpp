/* The unit of loops named special in ops/columns.h. */
/* x86-64-v4 prefers vectors of 256 bits, for its clock; functions gain from all 512. */
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#define CUPRIC_ROWS "ops/special/batched.def"
#include "cupric/math/special.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(special, BATCHES_AROUND)
