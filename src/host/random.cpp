/* host/random.cpp: fills from Philox. What comes out is laid down in philox.hpp and
 * distributions.hpp of cuda/include/cupric; here it is only shared among threads.
 */
#include "host/parallel.hpp"
#include "host/random_fill.hpp"

namespace {

constexpr int64_t GRAIN = 64; /* chunks: some 8192 elements */

cu_status
check(const cu_random *args)
{
    const char kind = cu_dtypes[args->dtype].kind;
    const bool integral = kind != 'f' && kind != 'c';
    const bool wanted =
        args->kind == CUPRIC_RANDOM_BITS || args->kind == CUPRIC_RANDOM_INTEGERS;

    if (kind != 'c' && integral == wanted) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_TYPE, "random numbers of this kind cannot be %s",
                   cu_dtypes[args->dtype].name);
}

} // namespace

cu_status
cu_host_random(const cu_random *args, cu_stream *)
{
    static cu_random_chunks *const chunks = CUPRIC_HOST_PICK(cu_random_chunks);
    const int64_t size = (int64_t)CU_RANDOM_LANES * cu_random_per_block(args);
    cu_random fill = *args;
    cu_status st = check(args);

    if (st) return st;
    /* Bits of a bool: a number from 0 to 1. */
    if (args->dtype == CUPRIC_BOOL && args->kind == CUPRIC_RANDOM_BITS) {
        fill.kind = CUPRIC_RANDOM_INTEGERS;
        fill.lo = 0;
        fill.hi = 1;
    }
    parallel((args->n + size - 1) / size, GRAIN,
             [&fill](int64_t begin, int64_t end) { chunks(&fill, begin, end); });
    return CUPRIC_OK;
}
