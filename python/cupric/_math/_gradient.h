/* _gradient.h: what kernels of _gradient.cuh take by value. */

/* Of `pieces`: on a GPU an element each; on the host a row of `inner` elements, or, where
 * that is 1, up to `run` along the axis. `second`: edges are of the second order. */
struct gradient_pieces {
    long long pieces, run;
    bool second;
};
