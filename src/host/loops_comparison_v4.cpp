/* loops_comparison.cpp once more, compiled for x86-64-v4. */
#include "host/loops_comparison.cpp"
