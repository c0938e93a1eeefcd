/* host/parallel.hpp: cu_host_parallel for C++ callables. */
#ifndef CUPRIC_HOST_PARALLEL_HPP
#define CUPRIC_HOST_PARALLEL_HPP

#include "host/threads.h"

namespace {

/* Run fn(begin, end) over pieces of [0, n), as cu_host_parallel does. */
template <class F>
inline void
parallel(int64_t n, int64_t grain, const F &fn)
{
    cu_host_parallel(
        n, grain,
        [](void *arg, int64_t begin, int64_t end) {
            (*static_cast<const F *>(arg))(begin, end);
        },
        const_cast<F *>(&fn));
}

} // namespace

#endif
