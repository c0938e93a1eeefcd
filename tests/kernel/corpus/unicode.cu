//: x = np.zeros(2, dtype="f4")
//: k[1, 1](x)
//: x == [3, 2]
// Größe, 大きさ, “quotes” — {
extern "C" __global__ void k(float *x)
{
    const char text[] = "µ → ∞";
    x[0] = 3; /* ∂ */
    x[1] = text[0] != 0 ? 2 : 0;
}
