/* _packing.h: what kernels of _packing.cuh take by value. */

/* Elements (outer, n, inner), of which n are bits of `bytes` bytes. */
struct packing_sizes {
    long long pieces, outer, n, bytes, inner;
    bool little;
};
