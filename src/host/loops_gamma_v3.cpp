/* cupric-build: -fno-tree-slp-vectorize */
/* loops_gamma.cpp once more, compiled for x86-64-v3: it has fused operations. */
#include "host/loops_gamma.cpp"
