/* reduce_arg.cpp once more, compiled for x86-64-v3. */
#include "host/reduce_arg.cpp"
