//: x = np.zeros(4, dtype="f4")
//: k[1, 1](x)
//: x == [1, 5, 3, 4]
// Short names that any program may have.
template <class T> struct is_integer { static const bool value = false; };
template <class T, class R> struct if_float { typedef R type; };
template <bool, class R> struct only_if { typedef R type; };
template <class T> struct is_real {};
template <class T> struct plain {};
struct length { float v; };
struct word { int v; };
struct half_turns { int v; };
enum { lane, bits, warp_group, numbers, kernel, place };
namespace norms { __device__ int square_length(int v) { return v * v; } }
__device__ float norm2(float a, float b) { return sqrtf(a * a + b * b); }
__device__ int reduce(int v) { return v; }
__device__ int match(int v) { return v; }
__device__ int saturated(int v) { return v; }
__device__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
extern "C" __global__ void k(float *x)
{
    x[0] = norms::square_length(1) + is_integer<int>::value;
    x[1] = norm2(3, 4);
    x[2] = reduce(match(saturated(3)));
    x[3] = length{4}.v + half_turns{0}.v + word{0}.v + lane + lerp(0, 0, 0);
}
