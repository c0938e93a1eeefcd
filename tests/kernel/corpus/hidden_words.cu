//: x = np.zeros(1, dtype="i4")
//: k[1, 1](x)
//: x == 1
// extern "C" __global__ void commented(int *x) {
/* extern "C" __global__ void also(int *x) { */
__device__ const char *text = "extern \"C\" __global__ void quoted() { // ";
__device__ const char *raw = R"(extern "C" __global__ void raw() {{{ " )";
__device__ const char *tagged = R"end()" __global__ )end";
__device__ const char brace = '{', quote = '"', apostrophe = '\'';
#if 0
extern "C" __global__ void never(int *x) { it's nothing }
__device__ broken thing {
#endif
#ifdef UNDEFINED
__global__ void k(int *x, int *y) {}
#elif defined(__CUDACC__)
extern "C" __global__ void k(int *x) { *x = 1; } // } }
#else
#error "no CUDA"
#endif
