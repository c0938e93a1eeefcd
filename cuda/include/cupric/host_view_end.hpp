/* host_view_end.hpp: see host_view_begin.hpp. */
#if defined(CUPRIC_HOST)
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
#pragma pop_macro("__CUDACC_RTC__")
#endif
