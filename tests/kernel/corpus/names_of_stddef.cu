//: x = np.zeros(4, dtype="i8")
//: k[1, 1](x)
//: x == [8, 8, 4, 1]
#include <cstddef>
#include <cstdint>
#include <stdint.h>
struct item { float a; int b; };
extern "C" __global__ void k(long long *x)
{
    std::size_t a = sizeof(std::ptrdiff_t);
    x[0] = a;
    x[1] = sizeof(int64_t) + sizeof(uint8_t) - sizeof(std::uint8_t);
    x[2] = offsetof(item, b);
    std::nullptr_t none = nullptr;
    x[3] = none == NULL;
}
