/* entries.hpp: the loops over blocks and threads, and the table that names the kernels. */
#ifndef CUPRIC_HOST_ENTRIES_HPP
#define CUPRIC_HOST_ENTRIES_HPP

namespace cupric_host {

template <unsigned... I>
struct numbers {
};
#if defined(__clang__)
template <class T, T... I>
struct numbers_from {
    typedef numbers<I...> type;
};
template <unsigned N>
using count_to = typename __make_integer_seq<numbers_from, unsigned, N>::type;
#else
template <unsigned N>
using count_to = numbers<__integer_pack(N)...>;
#endif

template <class T>
struct plain {
    typedef T type;
};
template <class T>
struct plain<const T> {
    typedef T type;
};

template <auto KERNEL>
struct kernel;

template <class... A, void (*KERNEL)(A...)>
struct kernel<KERNEL> {
    static constexpr unsigned nparams = sizeof...(A);
    static constexpr unsigned param_nbytes[nparams + 1] = {sizeof(A)..., 0};

    static inline __attribute__((always_inline)) void
    run_blocks(const cupric_job *job, long long begin, long long end, A... a)
    {
        cupric_place &p = *here();
        const cupric_index block = job->block, grid = job->grid;
        p.block_dim = block;
        p.grid_dim = grid;
        p.dynamic_shared = job->dynamic_shared;
        for (long long b = begin; b < end; b++) {
            p.block.x = (unsigned)(b % grid.x);
            p.block.y = (unsigned)(b / grid.x % grid.y);
            p.block.z = (unsigned)(b / grid.x / grid.y);
            for (unsigned z = 0; z < block.z; z++) {
                for (unsigned y = 0; y < block.y; y++) {
                    for (unsigned x = 0; x < block.x; x++) {
                        p.thread = cupric_index{x, y, z};
                        KERNEL(a...);
                    }
                }
            }
        }
    }

    template <unsigned... I>
    static inline __attribute__((always_inline)) void
    unpack_run(const cupric_job *job, long long begin, long long end, numbers<I...>)
    {
        run_blocks(job, begin, end, *(const typename plain<A>::type *)job->args[I]...);
    }
    template <unsigned... I>
    static inline __attribute__((always_inline)) void unpack_thread(void *const *args,
                                                                    numbers<I...>)
    {
        (void)args;
        KERNEL(*(const typename plain<A>::type *)args[I]...);
    }

    static void run(const cupric_job *job, long long begin, long long end)
    {
        unpack_run(job, begin, end, count_to<nparams>());
    }
    static void thread(void *const *args) { unpack_thread(args, count_to<nparams>()); }
};

template <auto KERNEL, bool WAITS>
constexpr cupric_entry kernel_entry(const char *name)
{
    if constexpr (WAITS) {
        return {name,
                0,
                kernel<KERNEL>::thread,
                kernel<KERNEL>::param_nbytes,
                kernel<KERNEL>::nparams,
                0,
                0};
    } else {
        return {name,
                kernel<KERNEL>::run,
                0,
                kernel<KERNEL>::param_nbytes,
                kernel<KERNEL>::nparams,
                0,
                0};
    }
}

/* Of a name that may be no kernel's: then an entry that nobody finds. */
struct absent {
};
template <class F>
struct is_kernel {
    static constexpr bool value = false;
};
template <class... A>
struct is_kernel<void (*)(A...)> {
    static constexpr bool value = true;
};
template <>
struct is_kernel<void (*)(absent)> {
    static constexpr bool value = false;
};
template <auto KERNEL>
constexpr cupric_entry requested_entry(const char *name)
{
    if constexpr (is_kernel<decltype(KERNEL)>::value) {
        return kernel_entry<KERNEL, true>(name);
    } else {
        return {"", 0, 0, 0, 0, 0, 0};
    }
}

template <class T>
inline cupric_entry global_entry(const char *name, T &variable)
{
    return {name, 0, 0, 0, 0, (void *)&variable, sizeof(T)};
}

static cupric_place *get_place() { return here(); }

} // namespace cupric_host

#endif
