/* rare.hpp: functions that few elements need, for the code of kernel libraries. */
#ifndef CUPRIC_RARE_HPP
#define CUPRIC_RARE_HPP

/* Of a function that few threads call: it is not inlined on a GPU, so that it costs the
 * others neither registers nor instructions. */
#if defined(__CUDA_ARCH__)
#define CUPRIC_RARE __noinline__
#else
#define CUPRIC_RARE inline
#endif

#endif
