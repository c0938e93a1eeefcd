/* _rolled.h: what rolled of _rolled.cuh takes by value. */

enum { NDIM = 4 };

/* The lengths of the axes of the result, n elements in all, and where in x each begins. */
struct rolled_axes {
    long long n, lengths[NDIM], begins[NDIM];
};
