/* _choice.h: what kernels of _choice.cuh take by value. */

enum { CASES = 8 }; /* arrays that a launch chooses from */
enum choice_mode { CHOICE_RAISE, CHOICE_WRAP, CHOICE_CLIP };
enum { DEFAULT = CASES }; /* the place of what stands where no condition holds */

/* The axes of the result are (m0, m1, m2); its elements are made in `pieces`, each a run of
 * up to `run` elements of a row. */
struct choice_pieces {
    long long pieces, run, m1, m2;
};

/* Conditions and arrays of a launch. Bit k of `values` is set where a number stands for
 * array k. */
struct choice_cases {
    int count, values;
};

/* The numbers that stand for arrays. */
template <class T>
struct choice_numbers {
    T at[CASES + 1];
};

/* A launch chooses from arrays first to first + count of n. */
struct choice_range {
    long long n, first, count;
    int mode;
};
