//: i = np.array([9, 9, 0, 0, -1, 0, 0, 0], dtype="i4")
//: u = np.zeros(4, dtype="u4")
//: l = np.array([0, 99, 0, 0, 2**40, 0], dtype="u8")
//: f = np.zeros(2, dtype="f4")
//: d = np.zeros(1)
//: k[1, 32](i, u, l, f, d)
//: i == [0, 31, -32, 3, -2, 0, 5, 64]
//: u == [2, 8, 32, 31]
//: l == [32, 0, 31, 7, 0, 1]
//: f == [16, 2]
//: d == [8]
extern "C" __global__ void k(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    const int t = threadIdx.x;
    atomicMin(&i[0], t);
    atomicMax(&i[1], t);
    atomicSub(&i[2], 1);
    atomicOr(&i[3], t & 3);
    atomicAnd(&i[4], -2);
    atomicXor(&i[5], t);
    atomicExch(&i[6], 5);
    for (int old = i[7], seen;;) {
        seen = old;
        old = atomicCAS(&i[7], seen, seen + 2);
        if (old == seen) break;
    }
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicAdd_block(&u[2], 1u);
    atomicMax_system(&u[3], (unsigned)t);
    atomicAdd(&l[0], 1ull);
    atomicMin(&l[1], (unsigned long long)t);
    atomicMax(&l[2], (unsigned long long)t);
    atomicOr(&l[3], 7ull);
    atomicAnd(&l[4], 1ull);
    atomicExch(&l[5], 1ull);
    atomicAdd(&f[0], 0.5f);
    atomicExch(&f[1], 2.f);
    atomicAdd(d, 0.25);
}
