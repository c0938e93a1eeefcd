/* cupric-build: -falign-loops=64 */
/* argsort_counts.cpp once more, compiled for x86-64-v3. */
#include "host/argsort_counts.cpp"
