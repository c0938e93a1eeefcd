//: x = np.zeros((12, 32), dtype="i4")
//: k[1, 32](x)
//: x[0] == 3
//: x[1] == np.maximum(np.arange(32) - 1, 0)
//: x[2] == np.minimum(np.arange(32) + 1, 31)
//: x[3] == np.arange(32) ^ 1
//: x[4] == 15
//: x[5] == 1
//: x[6] == 0
//: x[7] == 16
//: x[8] == 496
//: x[9] == 31
//: x[10] == np.arange(32) // 8 * 8
//: x[11] == 32
extern "C" __global__ void k(int *x)
{
    const unsigned all = 0xffffffffu;
    const int t = threadIdx.x;
    x[t] = __shfl_sync(all, t, 3);
    x[32 + t] = __shfl_up_sync(all, t, 1);
    x[64 + t] = __shfl_down_sync(all, t, 1);
    x[96 + t] = __shfl_xor_sync(all, t, 1);
    x[128 + t] = __ballot_sync(all, t < 4);
    x[160 + t] = __any_sync(all, t == 9);
    x[192 + t] = __all_sync(all, t < 9);
    x[224 + t] = __popc(__match_any_sync(all, t & 1));
    x[256 + t] = __reduce_add_sync(all, t);
    x[288 + t] = __reduce_max_sync(all, t);
    x[320 + t] = __shfl_sync(all, (float)t, 0, 8);
    x[352 + t] = __popc(__activemask());
    __syncwarp();
}
