//: x = np.zeros(1, dtype="i4")
//: k[1, 1](x)
//: x == 1
extern "C" __global__ void sampled(cudaTextureObject_t t, float *x) { *x = tex2D<float>(t, 0.5f, 0.5f); }
extern "C" __global__ void fetched(cudaTextureObject_t t, float4 *x) { *x = tex1Dfetch<float4>(t, 2); }
extern "C" __global__ void written(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4, 1); }
extern "C" __global__ void k(int *x) { *x = 1; }
