/* ptx.hpp: what stands for an asm() in device code, which is PTX. */
#ifndef CUPRIC_HOST_PTX_HPP
#define CUPRIC_HOST_PTX_HPP

namespace cupric_host {

[[noreturn]] __attribute__((noinline, cold, unused)) static void
inline_ptx(const char *file, int line)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "%s:%d: asm() is PTX, which only a GPU runs. For the host device write the "
        "same in C++ under #if defined(CUPRIC_HOST)",
        file, line);
    trap("CUDA_ERROR_NOT_SUPPORTED: operation not supported", text);
}

} // namespace cupric_host

#endif
