/* cuda/codegen/source.c: see cuda/codegen.h. A source is a struct `op`, made of the row's
 * text, and one line for each kernel that calls the template of
 * cuda/include/cupric/kernels/ with it.
 */
#include "cuda/codegen/families.h"

int
cu_cuda_may_fuse(const cu_kernel_key *key)
{
    return key->family == CUPRIC_KERNEL_CONVOLVE;
}

int
cu_cuda_source(const cu_kernel_key *key, char *source, size_t nbytes)
{
    static int (*const families[CUPRIC_N_FAMILIES])(text *, const cu_kernel_key *) = {
        [CUPRIC_KERNEL_ELEMENTWISE] = cu_elementwise_source,
        [CUPRIC_KERNEL_REDUCE] = cu_reduce_source,
        [CUPRIC_KERNEL_REDUCEAT] = cu_reduceat_source,
        [CUPRIC_KERNEL_SCAN] = cu_scan_source,
        [CUPRIC_KERNEL_GATHER] = cu_index_source,
        [CUPRIC_KERNEL_SCATTER] = cu_index_source,
        [CUPRIC_KERNEL_SCATTER_OP] = cu_scatter_op_source,
        [CUPRIC_KERNEL_CHECK_INDEX] = cu_index_source,
        [CUPRIC_KERNEL_SELECT] = cu_select_source,
        [CUPRIC_KERNEL_ARANGE] = cu_arange_source,
        [CUPRIC_KERNEL_SORT] = cu_sort_source,
        [CUPRIC_KERNEL_SEARCH] = cu_search_source,
        [CUPRIC_KERNEL_HISTOGRAM] = cu_histogram_source,
        [CUPRIC_KERNEL_RANDOM] = cu_random_source,
        [CUPRIC_KERNEL_CONVOLVE] = cu_convolve_source,
        [CUPRIC_KERNEL_JOIN] = cu_join_source,
    };
    char name[CUPRIC_KERNEL_NAME_NBYTES];
    text t = {source, nbytes, 0, name};

    if (key->family >= CUPRIC_N_FAMILIES) return 0;
    cu_cuda_kernel_name(key, name, sizeof name);
    const int kernels = families[key->family](&t, key);
    return t.used < nbytes ? kernels : 0;
}

void
cu_cuda_kernel_name(const cu_kernel_key *key, char *name, size_t nbytes)
{
    static const char *const families[CUPRIC_N_FAMILIES] = {
        "elementwise", "reduce",      "reduceat",  "scan",   "gather", "scatter",
        "scatter",     "check_index", "select",    "arange", "sort",   "search",
        "random",      "convolve",    "histogram", "join",
    };
    const cu_cuda_row *row = cu_cuda_row_get(key->op);
    const bool named =
        key->family <= CUPRIC_KERNEL_SCAN || key->family == CUPRIC_KERNEL_SCATTER_OP;
    text t = {name, nbytes, 0, NULL};

    if (key->family != CUPRIC_KERNEL_ELEMENTWISE)
        cu_emit(&t, "%s", families[key->family]);
    if (key->op == CUPRIC_OP_CONVERT)
        cu_emit(&t, "convert");
    else if (named && row)
        cu_emit(&t, "%s%s", t.used ? "_" : "", row->name);
    for (int i = 0; i < 6; i++) {
        const int type = stored(key, i);
        if (type < CUPRIC_N_DTYPES) cu_emit(&t, "_%s", cu_dtypes[type].name);
    }
}
