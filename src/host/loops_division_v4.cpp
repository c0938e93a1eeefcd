/* loops_division.cpp once more, compiled for x86-64-v4. */
#include "host/loops_division.cpp"
