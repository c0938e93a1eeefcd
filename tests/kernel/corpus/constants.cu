//: x = np.zeros(9, dtype="f4")
//: k[1, 1](x)
//: x == [2, 3, 0, 4, 5, 6, 0, 8, 9]
struct point { float x, y; };
__constant__ float table[3] = {1, 2, 3};
extern "C" __constant__ float linked[4];
extern "C" { __constant__ int filled = 4; }
__device__ __constant__ const float both[] = {5, 6};
static __constant__ struct point origin;
const __device__ float eight = 8;
__constant__ float2 pair = {9, 1};
extern "C" __global__ void k(float *x)
{
    x[0] = table[1];
    x[1] = table[2];
    x[2] = linked[3];
    x[3] = filled;
    x[4] = both[0];
    x[5] = both[1];
    x[6] = origin.y;
    x[7] = eight;
    x[8] = pair.x;
}
