/* host_view_begin.hpp: until host_view_end.hpp headers are read as the host's are, on the
 * host device, where kernels have the names of CUDA's compiler defined. No guard: it is
 * included wherever there is need.
 */
#if defined(CUPRIC_HOST)
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDACC_RTC__")
#undef __CUDA_ARCH__
#undef __CUDACC__
#undef __CUDACC_RTC__
#endif
