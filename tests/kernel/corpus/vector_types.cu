//: x = np.zeros(14)
//: k[1, 1](x)
//: x == [10, 3, 6, 10, 15, 1, 255, 65535, 9, 12, 16, 32, 8, 24]
extern "C" __global__ void k(double *x)
{
    float4 f = make_float4(1, 2, 3, 4);
    double2 d = make_double2(1, 2);
    int3 i = make_int3(1, 2, 3);
    double4 e = make_double4(1, 2, 3, 4);
    longlong2 l = make_longlong2(7, 8);
    char1 c = make_char1(1);
    uchar4 u = make_uchar4(255, 0, 0, 0);
    ushort2 s = make_ushort2(65535, 1);
    uint3 v = {4, 5, 0};
    x[0] = f.x + f.y + f.z + f.w;
    x[1] = d.x + d.y;
    x[2] = i.x + i.y + i.z;
    x[3] = e.x + e.y + e.z + e.w;
    x[4] = l.x + l.y;
    x[5] = c.x;
    x[6] = u.x;
    x[7] = s.x;
    x[8] = v.x + v.y;
    x[9] = sizeof(float3);
    x[10] = alignof(float4);
    x[11] = sizeof(double4);
    x[12] = alignof(float2);
    dim3 grid(2, 3);
    x[13] = grid.x * grid.y * grid.z * 4;
}
