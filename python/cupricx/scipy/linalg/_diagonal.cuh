/* The word is set where an element is zero. */
template <class T>
__global__ void
find_zero(View<T, 1> x, int *word)
{
    CUPRIC_EACH (i, x.shape()[0]) {
        if (x[i] == T(0)) *word = 1;
    }
}
