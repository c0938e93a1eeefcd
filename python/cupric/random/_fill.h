/* _fill.h: what kernels of _fill.cuh share with Python. */

enum { RUN = 128 };     /* threads of a block */
enum { MOST_EACH = 8 }; /* elements of a thread */

/* Elements 0 to n of the stream of `key` from `counter` on, `each` of a thread; they are
 * stored as the narrower type of their kind if `narrow`. a, b and c are the parameters that
 * are numbers. */
struct fill_plan {
    unsigned long long key, counter;
    long long n;
    double a, b, c;
    int each;
    bool narrow;
};

/* Of those that are arrays: element i has element i / repeat % period. */
struct fill_spread {
    long long repeat[3], period[3];
};
