/* cooperative_groups.h: blocks, tiles of a warp, and what they do together. */
#ifndef CUPRIC_HOST_COOPERATIVE_GROUPS_H
#define CUPRIC_HOST_COOPERATIVE_GROUPS_H

namespace cooperative_groups {

struct thread_block {
    static void sync() { __syncthreads(); }
    static unsigned thread_rank() { return cupric_host::thread_rank(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    static void barrier_arrive() {}
    static void barrier_wait() { __syncthreads(); }
};
typedef thread_block thread_group_of_block;

inline thread_block this_thread_block() { return thread_block(); }

/* Lanes of one warp, by their mask. */
struct warp_group {
    unsigned mask;

    void sync() const { __syncwarp(mask); }
    unsigned size() const { return (unsigned)__popc(mask); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const
    {
        return (unsigned)__popc(mask & ((1u << cupric_host::lane()) - 1));
    }
    int any(int predicate) const { return __any_sync(mask, predicate); }
    int all(int predicate) const { return __all_sync(mask, predicate); }
    unsigned ballot(int predicate) const
    {
        return packed(__ballot_sync(mask, predicate));
    }
    template <class T>
    T shfl(T value, int rank) const
    {
        return cupric_host::shuffle(mask, value, lane_of(rank));
    }
    template <class T>
    T shfl_down(T value, unsigned delta) const
    {
        const unsigned rank = thread_rank() + delta;
        return shfl(value, (int)(rank < size() ? rank : thread_rank()));
    }
    template <class T>
    T shfl_up(T value, unsigned delta) const
    {
        const unsigned rank = thread_rank();
        return shfl(value, (int)(rank >= delta ? rank - delta : rank));
    }
    template <class T>
    T shfl_xor(T value, unsigned ranks) const
    {
        const unsigned rank = thread_rank() ^ ranks;
        return shfl(value, (int)(rank < size() ? rank : thread_rank()));
    }
    template <class T>
    unsigned match_any(T value) const
    {
        return packed(__match_any_sync(mask, value));
    }

  private:
    /* the lane of the rank-th member */
    int lane_of(int rank) const
    {
        unsigned rest = mask;
        for (unsigned i = (unsigned)rank % size(); i; i--) rest &= rest - 1;
        return __ffs((int)rest) - 1;
    }
    /* a mask of lanes as a mask of ranks */
    unsigned packed(unsigned lanes) const
    {
        unsigned out = 0, rank = 0;
        for (unsigned i = 0; i < 32; i++) {
            if (mask >> i & 1) out |= (lanes >> i & 1) << rank++;
        }
        return out;
    }
};

typedef warp_group coalesced_group;

inline coalesced_group coalesced_threads()
{
    coalesced_group g;
    g.mask = __activemask();
    return g;
}

/* Any of the groups: to sync, its size, and the caller's rank. */
struct thread_group {
    unsigned mask; /* of a warp's lanes; 0: the block */

    thread_group(const thread_block &) : mask(0) {}
    thread_group(const warp_group &g) : mask(g.mask) {}
    void sync() const
    {
        if (mask)
            __syncwarp(mask);
        else
            __syncthreads();
    }
    unsigned size() const
    {
        return mask ? (unsigned)__popc(mask) : thread_block::size();
    }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const
    {
        return mask ? warp_group{mask}.thread_rank() : thread_block::thread_rank();
    }
};

template <unsigned SIZE, class PARENT = void>
struct thread_block_tile : warp_group {
    thread_block_tile() = default;
    template <class OTHER>
    thread_block_tile(const thread_block_tile<SIZE, OTHER> &g) : warp_group(g)
    {
    }
    static constexpr unsigned size() { return SIZE; }
    static constexpr unsigned num_threads() { return SIZE; }
    unsigned thread_rank() const { return cupric_host::thread_rank() % SIZE; }
    unsigned meta_group_rank() const { return cupric_host::thread_rank() / SIZE; }
    unsigned meta_group_size() const
    {
        return (thread_block::size() + SIZE - 1) / SIZE;
    }
};

template <unsigned SIZE, class PARENT>
inline thread_block_tile<SIZE, PARENT> tiled_partition(const PARENT &)
{
    static_assert(SIZE <= 32 && (SIZE & (SIZE - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    thread_block_tile<SIZE, PARENT> tile;
    const unsigned first = cupric_host::lane() / SIZE * SIZE;
    tile.mask = (SIZE == 32 ? ~0u : (1u << SIZE) - 1) << first;
    return tile;
}

inline thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    const unsigned first = cupric_host::lane() / size * size;
    const unsigned mask = (size >= 32 ? ~0u : (1u << size) - 1) << first;
    return warp_group{parent.mask ? mask & parent.mask : mask};
}

/* The members of a group with the same label, and with the same truth. */
template <class GROUP>
inline coalesced_group labeled_partition(const GROUP &g, int label)
{
    return coalesced_group{__match_any_sync(g.mask, label)};
}
template <class GROUP>
inline coalesced_group binary_partition(const GROUP &g, bool predicate)
{
    const unsigned yes = __ballot_sync(g.mask, predicate);
    return coalesced_group{predicate ? yes : g.mask & ~yes};
}

struct grid_group {
    static unsigned long long thread_rank()
    {
        const unsigned long long block =
            blockIdx.x +
            gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
        return block * thread_block::size() + cupric_host::thread_rank();
    }
    static unsigned long long size()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z *
               thread_block::size();
    }
    static bool is_valid() { return gridDim.x * gridDim.y * gridDim.z == 1; }
    /* Blocks run one after another here, so only a grid of one block can meet. */
    static void sync()
    {
        if (!is_valid()) {
            cupric_host::trap("CUDA_ERROR_NOT_SUPPORTED: operation not supported",
                              "grid.sync() with several blocks on the host device");
        }
        __syncthreads();
    }
};

inline grid_group this_grid() { return grid_group(); }

template <class GROUP>
inline void sync(const GROUP &g)
{
    g.sync();
}

template <class T = void>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T = void>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class GROUP, class T, class F>
inline T reduce(const GROUP &g, T value, F f)
{
    return cupric_host::reduce(g.mask, value, f);
}

} // namespace cooperative_groups

#endif
