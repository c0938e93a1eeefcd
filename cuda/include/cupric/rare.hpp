/* rare.hpp: functions that few elements need, for the code of kernel libraries. */
#ifndef CUPRIC_RARE_HPP
#define CUPRIC_RARE_HPP

/* Of a function that few threads call: it is not inlined on a GPU, so that it costs the
 * others neither registers nor instructions. */
#if defined(CUPRIC_HOST)
#define CUPRIC_RARE inline
#else
#define CUPRIC_RARE __noinline__
#endif

#endif
