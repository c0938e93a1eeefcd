/* mma.h: tensor cores, which a CPU does not have. */
#error                                                                                 \
    "<mma.h> is not available on the host device: its functions are a GPU's tensor cores. Launch this kernel on a GPU, or choose another where __CUDACC_RTC__ and CUPRIC_HOST are defined"
