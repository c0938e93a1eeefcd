/* A compiler for the driver without a device: it takes every program, and what it makes of
 * it is a byte. With the two a program runs through the CUDA backend on any machine, and
 * nothing depends on which kernels come compiled. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct program *program;
enum { SUCCESS };
static char something;

int
nvrtcVersion(int *major, int *minor)
{
    *major = FAKE_NVRTC_MAJOR;
    *minor = 0;
    return SUCCESS;
}

int
nvrtcCreateProgram(program *out, const char *source, const char *file, int nheaders,
                   const char *const *headers, const char *const *names)
{
    (void)source, (void)file, (void)nheaders, (void)headers, (void)names;
    *out = (program)&something;
    return SUCCESS;
}

int
nvrtcDestroyProgram(program *p)
{
    *p = NULL;
    return SUCCESS;
}

int
nvrtcAddNameExpression(program p, const char *name)
{
    (void)p, (void)name;
    return SUCCESS;
}

int
nvrtcCompileProgram(program p, int n, const char *const *options)
{
    (void)p, (void)n, (void)options;
    return SUCCESS;
}

/* The driver without a device has a function of every name. */
int
nvrtcGetLoweredName(program p, const char *name, const char **out)
{
    (void)p;
    *out = name;
    return SUCCESS;
}

int
nvrtcGetProgramLogSize(program p, size_t *n)
{
    (void)p;
    *n = 1;
    return SUCCESS;
}

int
nvrtcGetProgramLog(program p, char *out)
{
    (void)p;
    *out = '\0';
    return SUCCESS;
}

int
nvrtcGetCUBINSize(program p, size_t *n)
{
    return nvrtcGetProgramLogSize(p, n);
}

int
nvrtcGetCUBIN(program p, char *out)
{
    return nvrtcGetProgramLog(p, out);
}

int
nvrtcGetPTXSize(program p, size_t *n)
{
    return nvrtcGetProgramLogSize(p, n);
}

int
nvrtcGetPTX(program p, char *out)
{
    return nvrtcGetProgramLog(p, out);
}

int
nvrtcGetNumSupportedArchs(int *n)
{
    *n = 1;
    return SUCCESS;
}

int
nvrtcGetSupportedArchs(int *out)
{
    *out = 90;
    return SUCCESS;
}

const char *
nvrtcGetErrorString(int r)
{
    return r ? "an error" : "no error";
}
