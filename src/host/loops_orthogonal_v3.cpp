/* cupric-build: -fno-tree-slp-vectorize */
/* loops_orthogonal.cpp once more, compiled for x86-64-v3: it has fused operations. */
#include "host/loops_orthogonal.cpp"
