//: x = np.zeros(64, dtype="i4")
//: y = np.zeros(5, dtype="i4")
//: k[1, 64](x, y)
//: x == np.repeat(np.arange(64).reshape(4, 16).sum(1), 16)
//: y == [64, 32, 32, 5, 64]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <typename G>
__device__ int sum_of(const G &group, int v)
{
    for (int half = group.size() / 2; half > 0; half /= 2) v += group.shfl_xor(v, half);
    return v;
}
extern "C" __global__ void k(int *x, int *y)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    const int t = block.thread_rank();
    x[t] = sum_of(tile, t);
    auto warp = cg::tiled_partition<32>(block);
    if (t == 0) {
        y[0] = block.size();
        y[1] = warp.num_threads();
    }
    cg::sync(block);
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) y[2] = active.size();
    block.sync();
    cg::thread_group four = cg::tiled_partition(block, 4);
    four.sync();
    if (t == 5) y[3] = four.thread_rank() + four.size();
    cg::thread_group all = block;
    if (t == 5) y[4] = all.size();
}
