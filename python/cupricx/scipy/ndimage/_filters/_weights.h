/* _weights.h: weights of a filter that kernels take by value. */

enum { FEW = 64 }; /* others are in memory */

template <class W>
struct few_weights {
    W w[FEW];
};
