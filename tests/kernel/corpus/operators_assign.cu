//: x = np.arange(8, dtype="f4")
//: k[1, 2](x)
//: x == [4, 6, 12, 18, 4, 5, 6, 7]
// Operators of vectors as in the samples that everyone copies.
inline __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
inline __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }
inline __device__ void operator-=(float2 &a, float2 b) { a.x -= b.x; a.y -= b.y; }
inline __device__ void operator*=(float2 &a, float b) { a.x *= b; a.y *= b; }
inline __device__ void operator/=(float2 &a, float b) { a.x /= b; a.y /= b; }
inline __device__ bool operator==(float2 a, float2 b) { return a.x == b.x && a.y == b.y; }
inline __device__ bool operator!=(float2 a, float2 b) { return !(a == b); }
inline __device__ bool operator<=(float2 a, float2 b) { return a.x <= b.x; }
inline __device__ bool operator>=(float2 a, float2 b) { return a.x >= b.x; }

extern "C" __global__ void k(float2 *x)
{
    if (threadIdx.x == 0) {
        x[0] += x[2];
    } else if (x[1] != x[2] && x[1] <= x[2]) {
        x[1] = make_float2(4, 6);
        x[1] *= 3;
    }
}
