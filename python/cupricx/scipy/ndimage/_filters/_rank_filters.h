/* _rank_filters.h: what kernels of _rank_filters.cuh take by value. */

enum { FEW = 64 };
enum { RANK_THREADS = 128 };

/* The numbers in the window of those elements that count. */
struct few_numbers {
    int number[FEW];
};

/* The element of a rank among `taps`, the constant of a mode, and what keys are made of. */
struct rank_choice {
    double fill;
    int taps, rank, kind;
};

/* `rows` rows of keys, of ndim axes; a GPU's piece is a tile of `across` elements of
 * RANK_THREADS / across rows. */
struct padded_rows {
    long long rows;
    int ndim, across;
};
