/* host/random.cpp: fills from Philox. What comes out is laid down in philox.hpp and
 * distributions.hpp of cuda/include/cupric; here it is only shared among threads.
 */
#include "host/parallel.hpp"
#include "host/random_fill.hpp"

namespace {

constexpr int64_t GRAIN = 64; /* chunks: some 8192 elements */

} // namespace

cu_status
cu_host_random(const cu_random *args, cu_stream *)
{
    cu_random_chunks *const chunks = CUPRIC_HOST_PICK(cu_random_chunks);
    const int64_t size = (int64_t)CU_RANDOM_LANES * cu_random_per_block(args);

    parallel((args->n + size - 1) / size, GRAIN,
             [=](int64_t begin, int64_t end) { chunks(args, begin, end); });
    return CUPRIC_OK;
}
