/* matvec.cpp once more, compiled for x86-64-v3. */
#include "host/matvec.cpp"
