/* cuda/driver.c: opening libcuda, and the driver's failures in words. */
#include "cuda/driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cuda/launches.h"

#define TEXT(x) #x
#define EXPANDED(x) TEXT(x) /* cuda.h renames functions to their present version */

cu_driver cu_driver_table;

static const struct {
    const char *present, *plain;
    size_t field;
} functions[] = {
#define DRIVER(name)                                                                   \
    {EXPANDED(cu##name), TEXT(cu) TEXT(name), offsetof(cu_driver, name)},
#include "cuda/driver.def"
#undef DRIVER
};

/* Functions that older drivers lack and callers do without. */
static bool
is_optional(const char *name)
{
    return strncmp(name, "cuFuncGetParamInfo", 18) == 0;
}

static void *library; /* static, for ever once it is opened */

void *
cu_cuda_driver_symbol(const char *name)
{
    return dlsym(library, name);
}

cu_status
cu_cuda_driver_open(void)
{
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorInsufficientDriver: there is no CUDA "
                       "driver here (%s)",
                       dlerror());
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(library, functions[i].present);
        if (!address) address = dlsym(library, functions[i].plain);
        if (!address && !is_optional(functions[i].plain)) {
            cu_fail(CUPRIC_ERR_DEVICE,
                    "cudaErrorInsufficientDriver: the CUDA driver is "
                    "too old: it has no %s",
                    functions[i].present);
            dlclose(library);
            return CUPRIC_ERR_DEVICE;
        }
        memcpy((char *)&cu_driver_table + functions[i].field, &address, sizeof address);
    }
    return CUPRIC_OK;
}

/* ---- failures ------------------------------------------------------------------------ */

/* The runtime library's names, which programs look for; the numbers are the driver's. */
static const struct {
    CUresult code;
    const char *name;
} runtime_names[] = {
    {CUDA_ERROR_INVALID_VALUE, "cudaErrorInvalidValue"},
    {CUDA_ERROR_OUT_OF_MEMORY, "cudaErrorMemoryAllocation"},
    {CUDA_ERROR_NOT_INITIALIZED, "cudaErrorInitializationError"},
    {CUDA_ERROR_DEINITIALIZED, "cudaErrorCudartUnloading"},
    {CUDA_ERROR_NO_DEVICE, "cudaErrorNoDevice"},
    {CUDA_ERROR_INVALID_DEVICE, "cudaErrorInvalidDevice"},
    {CUDA_ERROR_INVALID_CONTEXT, "cudaErrorDeviceUninitialized"},
    {CUDA_ERROR_ECC_UNCORRECTABLE, "cudaErrorECCUncorrectable"},
    {CUDA_ERROR_INVALID_HANDLE, "cudaErrorInvalidResourceHandle"},
    {CUDA_ERROR_NOT_READY, "cudaErrorNotReady"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "cudaErrorIllegalAddress"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "cudaErrorLaunchOutOfResources"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "cudaErrorLaunchTimeout"},
    {CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "cudaErrorPeerAccessUnsupported"},
    {CUDA_ERROR_ASSERT, "cudaErrorAssert"},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, "cudaErrorHardwareStackError"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "cudaErrorIllegalInstruction"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "cudaErrorMisalignedAddress"},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, "cudaErrorInvalidAddressSpace"},
    {CUDA_ERROR_INVALID_PC, "cudaErrorInvalidPc"},
    {CUDA_ERROR_LAUNCH_FAILED, "cudaErrorLaunchFailure"},
    {CUDA_ERROR_NOT_SUPPORTED, "cudaErrorNotSupported"},
    {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "cudaErrorSystemDriverMismatch"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "cudaErrorStreamCaptureUnsupported"},
    {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "cudaErrorStreamCaptureInvalidated"},
    {CUDA_ERROR_STREAM_CAPTURE_MERGE, "cudaErrorStreamCaptureMerge"},
    {CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "cudaErrorStreamCaptureUnmatched"},
    {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "cudaErrorStreamCaptureUnjoined"},
    {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "cudaErrorStreamCaptureIsolation"},
    {CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "cudaErrorStreamCaptureImplicit"},
    {CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "cudaErrorStreamCaptureWrongThread"},
    {CUDA_ERROR_CAPTURED_EVENT, "cudaErrorCapturedEvent"},
    {CUDA_ERROR_ILLEGAL_STATE, "cudaErrorIllegalState"},
    {CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "cudaErrorPeerAccessAlreadyEnabled"},
    {CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "cudaErrorPeerAccessNotEnabled"},
    {CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "cudaErrorHostMemoryAlreadyRegistered"},
    {CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "cudaErrorHostMemoryNotRegistered"},
    {CUDA_ERROR_UNKNOWN, "cudaErrorUnknown"},
};

/* Failures after which the context is of no more use: a kernel caused them. */
static bool
is_fault(CUresult r)
{
    switch (r) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED: return true;
    default: return false;
    }
}

static cu_status
fail_as(CUresult r, const char *name, const char *what)
{
    const char *text = NULL;
    char kernels[1024] = "";
    cu_status st =
        r == CUDA_ERROR_OUT_OF_MEMORY ? CUPRIC_ERR_MEMORY : CUPRIC_ERR_DEVICE;

    if (cu_drv()->GetErrorString(r, &text)) text = "unrecognized error code";
    if (is_fault(r)) cu_cuda_launched_names(kernels, sizeof kernels);
    return cu_fail(st, "%s: %s%s%s%s%s%s", name, text, what ? " (" : "",
                   what ? what : "", what ? ")" : "",
                   kernels[0] ? "; kernels launched last, newest first: " : "",
                   kernels);
}

cu_status
cu_cuda_fail_driver(CUresult r, const char *what)
{
    const char *name = NULL;

    if (cu_drv()->GetErrorName(r, &name)) name = "CUDA_ERROR_UNKNOWN";
    return fail_as(r, name, what);
}

cu_status
cu_cuda_fail(CUresult r, const char *what)
{
    for (size_t i = 0; i < sizeof runtime_names / sizeof *runtime_names; i++) {
        if (runtime_names[i].code == r) return fail_as(r, runtime_names[i].name, what);
    }
    return cu_cuda_fail_driver(r, what);
}
