/* _state_space.h: what kernels of linear recurrences take by value. */

/* Threads of a block, and steps of a chunk. */
enum { RECURRENCE_THREADS = 64, RECURRENCE_CHUNK_BITS = 5 };
enum { RECURRENCE_CHUNK = 1 << RECURRENCE_CHUNK_BITS };

/* Rows of `steps` states of n numbers, in chunks of `length`. */
struct recurrence {
    long long rows, steps, length, chunks;
    int n;
    int is_first; /* of the levels: the matrix is the user's, not a power */
};
