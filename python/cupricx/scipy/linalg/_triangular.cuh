/* The int at the address `word` is set where an element is zero. */
template <class T>
__global__ void
find_zero(View<T, 1> x, long long word)
{
    CUPRIC_EACH (i, x.shape()[0]) {
        if (x[i] == T(0)) *(int *)word = 1;
    }
}
