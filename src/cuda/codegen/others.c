/* cuda/codegen/others.c: indexing, selection, sorting, and all that has one kernel. */
#include <stdio.h>

#include "cuda/codegen/families.h"

/* ---- indexing ------------------------------------------------------------------------ */

/* rank[1] is the number of index arrays. */
int
cu_index_source(text *t, const cu_kernel_key *key)
{
    static const char *const kernels[][CUPRIC_KERNEL_ENTRIES] = {
        [CUPRIC_KERNEL_GATHER] = {"gather"},
        [CUPRIC_KERNEL_SCATTER] = {"scatter", "scatter_few", "scatter_note",
                                   "scatter_noted", "scatter_mark", "scatter_marked"},
        [CUPRIC_KERNEL_CHECK_INDEX] = {"check_index"},
    };
    char params[64];
    int k = 0;

    cu_emit(t, "#include \"cupric/kernels/index.hpp\"\n");
    snprintf(params, sizeof params, "cupric::index_params<%d, %d>", key->rank[1],
             key->rank[0]);
    for (; k < CUPRIC_KERNEL_ENTRIES && kernels[key->family][k]; k++) {
        cu_emit_kernel(t, k, k == 1 ? CUPRIC_SCATTER_FEW : CUPRIC_BLOCK, params);
        cu_emit(t, "{ using namespace cupric; %s<bytes_of_size, %d, %s>(p); }\n",
                kernels[key->family][k], cu_dtypes[stored(key, 0)].size,
                index_type(key));
    }
    return k;
}

int
cu_scatter_op_source(text *t, const cu_kernel_key *key)
{
    cu_dtype types[CUPRIC_MAXSIGNATURE];
    cu_kernel_key as_op = *key;
    char params[64];

    if (key->op >= N_UFUNCS || !cu_cuda_signature(key->op, key->sig, types)) return 0;
    const int nin = cu_cuda_row_get(key->op)->nin;
    if (nin > 2 || cu_cuda_row_get(key->op)->nout != 1) return 0;
    const bool complex_too = is_complex(types[0]) || is_complex(stored(key, 0));
    cu_emit_headers(t, cu_math_header(key->op, complex_too), "index");
    as_op.flags &= (uint8_t)~CUPRIC_KEY_MASKED;
    as_op.type[nin] = key->type[0]; /* the result goes where the first operand was */
    if (nin == 1) as_op.type[1] = key->type[0];
    cu_emit_elementwise_op(t, &as_op, nin, 1, types);
    snprintf(params, sizeof params, "cupric::index_params<%d, %d>", key->rank[1],
             key->rank[0]);
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
    cu_emit(t, "{ using namespace cupric; scatter_op<op, %s, %d, %d, %s>(p); }\n",
            type_name(stored(key, 1)), key->layout == CUPRIC_SCATTER_SERIAL,
            (cu_cuda_row_get(key->op)->traits & SUMS) != 0, index_type(key));
    return 1;
}

/* ---- the others ---------------------------------------------------------------------- */

/* Of a mask; what is chosen is type[1], moved as it is, or coordinates. */
int
cu_select_source(text *t, const cu_kernel_key *key)
{
    const char *mask = type_name(stored(key, 0));
    const int type = stored(key, 1);
    const int size = type < CUPRIC_N_DTYPES ? cu_dtypes[type].size : 0;
    char params[64];

    cu_emit(t, "#include \"cupric/kernels/select.hpp\"\n");
    snprintf(params, sizeof params, "cupric::select_params<%d>", key->rank[0]);
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
    cu_emit(t, "{ using namespace cupric; select_count<%s>(p); }\n", mask);
    cu_emit_kernel(t, 1, CUPRIC_SELECT_ONE, params);
    cu_emit(t, "{ using namespace cupric; select_starts(p); }\n");
    cu_emit_kernel(t, 2, CUPRIC_BLOCK, params);
    cu_emit(t, "{ using namespace cupric; select_write<%s, %d>(p); }\n", mask, size);
    cu_emit_kernel(t, 3, CUPRIC_SELECT_ONE, params);
    cu_emit(t, "{ using namespace cupric; select_few<%s, %d>(p); }\n", mask, size);
    return 4;
}

int
cu_arange_source(text *t, const cu_kernel_key *key)
{
    cu_emit(t, "#include \"cupric/kernels/arange.hpp\"\n");
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, "cupric::arange_params");
    cu_emit(t, "{ using namespace cupric; arange<%s>(p); }\n",
            type_name(stored(key, 0)));
    return 1;
}

int
cu_sort_source(text *t, const cu_kernel_key *key)
{
    static const char *const kernels[] = {"rows", "merge"};
    const int threads = CUPRIC_SORT_THREADS(cu_itemsize((cu_dtype)stored(key, 0)));
    char params[64];

    cu_emit(t, "#include \"cupric/kernels/sort.hpp\"\n");
    snprintf(params, sizeof params, "cupric::sort_params<%d>", key->rank[0]);
    for (int k = 0; k < 2; k++) {
        cu_emit_kernel(t, k, threads, params);
        cu_emit(t, "{ using namespace cupric; sort_%s<%s, %s, %d>(p); }\n", kernels[k],
                type_name(stored(key, 0)),
                key->flags & CUPRIC_KEY_WIDE ? "long long" : "unsigned int",
                (key->flags & CUPRIC_KEY_ORDER) != 0);
    }
    return 2;
}

int
cu_search_source(text *t, const cu_kernel_key *key)
{
    char params[64];

    cu_emit(t, "#include \"cupric/kernels/search.hpp\"\n");
    snprintf(params, sizeof params, "cupric::search_params<%d>", key->rank[0]);
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
    cu_emit(t, "{ using namespace cupric; search<%s, %d>(p); }\n",
            type_name(stored(key, 0)), key->layout);
    return 1;
}

/* key->layout says that edges are even. */
int
cu_histogram_source(text *t, const cu_kernel_key *key)
{
    cu_emit(t, "#include \"cupric/kernels/histogram.hpp\"\n");
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, "cupric::histogram_params");
    cu_emit(t, "{ using namespace cupric; histogram<%s, %s, %d, %d>(p); }\n",
            type_name(stored(key, 0)), type_name(stored(key, 1)),
            (key->flags & CUPRIC_KEY_WEIGHTED) != 0, key->layout);
    return 1;
}

/* key->op is the kind, key->layout says that integers take 64 random bits. */
int
cu_random_source(text *t, const cu_kernel_key *key)
{
    static const char *const kinds[] = {"bits", "uniform", "normal", "integers",
                                        "exponential"};
    if (key->op >= sizeof kinds / sizeof *kinds) return 0;
    cu_emit(t, "#include \"cupric/kernels/random.hpp\"\n");
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, "cupric::random_params");
    cu_emit(t, "{ using namespace cupric; fill<random_%s<%s%s>>(p); }\n",
            kinds[key->op], type_name(stored(key, 0)),
            key->op != 3  ? ""
            : key->layout ? ", true"
                          : ", false");
    return 1;
}

int
cu_convolve_source(text *t, const cu_kernel_key *key)
{
    char params[64];

    cu_emit(t, "#include \"cupric/kernels/convolve.hpp\"\n");
    snprintf(params, sizeof params, "cupric::convolve_params<%d>", key->rank[0]);
    const bool tiled = key->layout;
    /* Unless told that one block at a time will do, ptxas keeps a tile of doubles or
     * complex numbers to 128 registers, and spills. */
    cu_emit_bounded_kernel(t, 0, tiled ? CUPRIC_CONVOLVE_BLOCK : CUPRIC_BLOCK, tiled,
                           params);
    cu_emit(t, "{ using namespace cupric; convolve_%s<%s>(p); }\n",
            tiled ? "tile" : "any", type_name(stored(key, 0)));
    return 1;
}

int
cu_join_source(text *t, const cu_kernel_key *key)
{
    cu_emit(t, "#include \"cupric/kernels/join.hpp\"\n");
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, "cupric::join_params");
    cu_emit(t, "{ using namespace cupric; join<%s, %s>(p); }\n",
            type_name(stored(key, 0)), index_type(key));
    return 1;
}
