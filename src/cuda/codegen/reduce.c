/* cuda/codegen/reduce.c: reductions and scans. */
#include <stdio.h>
#include <string.h>

#include "cuda/codegen/families.h"

#define REDUCE_SHARED_NBYTES                                                           \
    80 /* bytes of shared memory for a thread's partial results */

typedef struct reduction {
    int nin;
    int in[2], acc, computed_result, result; /* dtypes */
    int combiner;                            /* a row of ufunc.def, or -1 */
    bool position, skips_nan, moments, extremes;
    bool plain; /* none of these: an accumulator is a number */
    const cu_cuda_row *row;
} reduction;

static int
describe(const cu_kernel_key *key, reduction *r)
{
    cu_dtype types[CUPRIC_MAXSIGNATURE];

    if (key->op >= N_ROWS || !cu_cuda_signature(key->op, key->sig, types)) return 0;
    r->row = cu_cuda_row_get(key->op);
    r->combiner = cu_cuda_combiner(key->op);
    r->position = cu_cuda_is_position(key->op);
    r->moments = cu_cuda_is_moments(key->op);
    r->extremes = cu_cuda_is_extremes(key->op);
    r->plain = !r->position && !r->moments && !r->extremes;
    r->skips_nan = r->position && r->row->skips_nans;
    if (key->op < N_UFUNCS) {
        if (r->row->nin != 2 || r->row->nout != 1 || r->row->is_special) return 0;
        if (types[0] != types[1] || types[0] != types[2]) return 0;
        r->nin = 1;
        r->result = types[2];
    } else {
        r->nin = r->row->nin;
        r->result = types[r->nin];
    }
    r->in[0] = computed(types[0]);
    r->in[1] = r->nin > 1 ? computed(types[1]) : CUPRIC_KEY_NO_TYPE;
    r->computed_result = computed(r->result);
    r->acc = r->position || r->moments ? r->in[0] : r->computed_result;
    if (r->moments) r->in[1] = r->in[0];
    return 1;
}

static int
up_to(int n, int multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

/* sizeof(partial<op>) */
static int
partial_nbytes(const cu_kernel_key *key, const reduction *r)
{
    const int size = cu_dtypes[r->acc].size,
              part = is_complex(r->acc) ? size / 2 : size;
    const int index = key->flags & CUPRIC_KEY_WIDE ? 8 : 4;
    int align = part, nbytes = size;
    if (r->position) {
        if (index > align) align = index;
        nbytes = up_to(up_to(size, index) + index, align);
    } else if (r->moments) {
        nbytes = size + 2 * part;
    } else if (r->extremes) {
        nbytes = 2 * size;
    }
    return up_to(up_to(nbytes, 4) + 4, align > 4 ? align : 4);
}

/* Columns of small elements are joined at greater length than they are read, so that a thread
 * has few of them: on an H200 any(axis=0) of bool, 1000 x 16775, takes 28 us with vectors of
 * 8 columns, 19 with 4, 13 with 2; max of uint16 21 with 8, 15 with 4, 21 with 2. */
#define COLUMNS_OF_BYTES 2
#define COLUMNS_OF_HALVES 4

int
cu_cuda_reduce_vector_size(const cu_kernel_key *key)
{
    reduction r;
    int vector;

    if (!describe(key, &r)) return 1;
    const int nbytes = partial_nbytes(key, &r);
    const int size = cu_dtypes[stored(key, 0)].size;
    vector = 16 / size;
    if (key->layout == CUPRIC_REDUCE_DENSE_COLUMNS) {
        if (size == 1) vector = COLUMNS_OF_BYTES;
        if (size == 2) vector = COLUMNS_OF_HALVES;
    }
    const int limit = r.moments ? REDUCE_SHARED_NBYTES / 2 : REDUCE_SHARED_NBYTES;
    while (vector > 1 && vector * nbytes > limit) vector /= 2;
    return vector;
}

static const char *
identity_text(int identity)
{
    switch (identity) {
    case CUPRIC_ID_ONE: return "1.0";
    case CUPRIC_ID_MINUS_ONE: return "-1.0";
    case CUPRIC_ID_MINUS_INFINITY: return "-double_of(0x7ff0000000000000ull)";
    default: return "0.0";
    }
}

/* NumPy starts at the identity, which shows in the sum of negative zeros, and where the
 * operation drops the sign of a single element. */
static bool
starts_at_identity(const reduction *r)
{
    const char kind = cu_dtypes[r->acc].kind;
    const int traits = cu_cuda_row_get(r->combiner)->traits;
    return traits & DROPS_SIGN ||
           (traits & SIGNED_ZERO && (kind == 'f' || kind == 'c'));
}

/* map, combine, append, identity and the beginning of finish of the four kinds. */
static void
emit_position(text *t, const cu_kernel_key *key, const reduction *r)
{
    const bool up = strstr(r->row->combine, "max") != NULL;
    cu_emit(t,
            "    static __device__ inline S map(const A a, const B b, const N param, "
            "const %s index)\n    { return S{convert<V>(%s), index}; }\n",
            index_type(key), r->row->map);
    cu_emit(t,
            "    static __device__ inline S combine(const S a, const S b) "
            "{ return extreme<%d, %d>(a, b); }\n"
            "    static __device__ inline S append(const S a, const S b) "
            "{ return extreme_in_order<%d, %d>(a, b); }\n",
            up, r->skips_nan, up, r->skips_nan);
    cu_emit(t, "    static __device__ inline S identity() { return S(); }\n");
    cu_emit(t,
            "    static __device__ inline OUT finish(const S x, const N count, "
            "const N param)\n    {\n        const long long s = %s;\n",
            r->skips_nan ? "is_nan(x.value) ? -1 : x.index" : "x.index");
}

/* The square of x - x is 0, or NaN where the element is not finite: so is its deviation
 * from the mean. */
static void
emit_moments(text *t)
{
    cu_emit(t,
            "    static __device__ inline S map(const A a, const B b, const N param, "
            "long long)\n    { const A x = a - b; "
            "return S{x, square_magnitude(x - x), N(1)}; }\n"
            "    static __device__ inline S combine(const S a, const S b) "
            "{ return join_moments(a, b); }\n"
            "    static __device__ inline S append(const S a, const S b) "
            "{ return join_moments(a, b); }\n"
            "    static __device__ inline S identity() { return S(); }\n"
            "    static __device__ inline OUT finish(const S x, const N count, "
            "const N param)\n    {\n        const N s = x.squares;\n");
}

static void
emit_extremes(text *t)
{
    cu_emit(t,
            "    static __device__ inline S map(const A a, const B b, const N param, "
            "long long)\n    { return S{a, a}; }\n"
            "    static __device__ inline S combine(const S a, const S b) "
            "{ return join_extremes(a, b); }\n"
            "    static __device__ inline S append(const S a, const S b) "
            "{ return join_extremes(a, b); }\n"
            "    static __device__ inline S identity() { return S(); }\n"
            "    static __device__ inline OUT finish(const S s, const N count, "
            "const N param)\n    {\n");
}

static void
emit_plain(text *t, const char *map, int identity)
{
    cu_emit(t,
            "    static __device__ inline S map(const A a, const B b, const N param, "
            "long long)\n    { return convert<S>(%s); }\n",
            map);
    cu_emit(t,
            "    static __device__ inline S combine(const S a, const S b) "
            "{ return combiner::run(a, b); }\n"
            "    static __device__ inline S append(const S a, const S b) "
            "{ return combiner::run(a, b); }\n"
            "    static __device__ inline S identity() { return convert<S>(%s); }\n",
            identity_text(identity));
    cu_emit(t, "    static __device__ inline OUT finish(const S s, const N count, "
               "const N param)\n    {\n");
}

/* map, combine and finish, with the types that they are written in. */
static void
emit_reduction_op(text *t, const cu_kernel_key *key, const reduction *r)
{
    const bool ufunc = key->op < N_UFUNCS;
    const char *acc = type_name(r->acc);

    cu_emit(t, "namespace cupric {\nstruct combiner {\n    typedef %s A, B, R;\n", acc);
    if (r->plain) {
        /* Loops over neighbours are unrolled, so that a long one would stand in dozens of
         * places, and take seconds to compile. */
        const int dense = key->family == CUPRIC_KERNEL_SCAN ? CUPRIC_SCAN_DENSE_RUN
                                                            : CUPRIC_REDUCE_DENSE_ROWS;
        const bool called = key->layout >= dense && cu_cuda_is_slow(r->combiner);
        cu_emit(t,
                "    static __device__ %s R run(const A a, const B b) "
                "{ return convert<R>(%s); }\n",
                called ? "__noinline__" : "inline", cu_cuda_row_get(r->combiner)->code);
    }
    cu_emit(t, "};\nstruct op {\n");
    cu_emit(t, "    enum { nin = %d };\n", r->nin);
    cu_emit(t,
            "    enum : bool { masked = %d, is_plain = %d, is_moments = %d, "
            "starts = %d, serial = %d, skips = %d };\n",
            (key->flags & CUPRIC_KEY_MASKED) != 0, r->plain, r->moments,
            r->plain && starts_at_identity(r),
            key->family == CUPRIC_KERNEL_REDUCE && key->layout == CUPRIC_REDUCE_SERIAL,
            cu_cuda_skips(key->op));
    cu_emit(t, "    typedef %s count_type;\n",
            key->flags & CUPRIC_KEY_MASKED || cu_cuda_skips(key->op) ? "long long"
                                                                     : "int");
    cu_emit(t, "    typedef %s A;\n    typedef %s B;\n", type_name(r->in[0]),
            type_name(r->in[1]));
    cu_emit(t, "    typedef %s SA;\n    typedef %s SB;\n", type_name(stored(key, 0)),
            r->nin > 1 ? type_name(stored(key, 1)) : "nothing");
    cu_emit(t, "    enum : bool { IA = %d, IB = %d };\n", is_immediate(key, 0),
            r->nin > 1 && is_immediate(key, 1));
    cu_emit(t, "    typedef %s V;\n", acc);
    if (r->position)
        cu_emit(t, "    typedef placed<V, %s> S;\n", index_type(key));
    else
        cu_emit(t, "    typedef %s S;\n",
                r->moments    ? "moments<V>"
                : r->extremes ? "extremes<V>"
                              : "V");
    cu_emit(t, "    typedef real_type<%s>::type N;\n",
            type_name(r->position ? r->computed_result : r->acc));
    cu_emit(t, "    typedef %s RC;\n    typedef %s RES;\n    typedef %s OUT;\n",
            type_name(r->computed_result), type_name(r->result),
            type_name(stored(key, r->nin)));
    if (r->position)
        emit_position(t, key, r);
    else if (r->moments)
        emit_moments(t);
    else if (r->extremes)
        emit_extremes(t);
    else
        emit_plain(t, ufunc ? "a" : r->row->map,
                   cu_cuda_row_get(r->combiner)->identity);
    cu_emit(
        t,
        "        return convert<OUT>(convert<RES>(convert<RC>(%s)));\n    }\n};\n}\n",
        ufunc ? "s" : r->row->finish);
}

int
cu_reduce_source(text *t, const cu_kernel_key *key)
{
    static const char *const kernels[] = {
        [CUPRIC_REDUCE_ROWS] = "rows",
        [CUPRIC_REDUCE_COLUMNS] = "columns",
        [CUPRIC_REDUCE_SERIAL] = "serial",
        [CUPRIC_REDUCE_DENSE_ROWS] = "dense_rows",
        [CUPRIC_REDUCE_DENSE_NARROW] = "dense_narrow",
        [CUPRIC_REDUCE_DENSE_COLUMNS] = "dense_columns",
        [CUPRIC_REDUCE_DENSE_FEW] = "dense_few",
    };
    reduction r;
    char params[64];

    if (!describe(key, &r) || key->layout > CUPRIC_REDUCE_DENSE_FEW) return 0;
    const bool dense = key->layout >= CUPRIC_REDUCE_DENSE_ROWS;
    if (dense &&
        (r.nin != 1 || key->flags & CUPRIC_KEY_MASKED || cu_cuda_skips(key->op))) {
        return 0;
    }
    cu_emit(
        t,
        "#include \"cupric/reduce.hpp\"\n#include \"cupric/kernels/reduce%s%s.hpp\"\n",
        dense ? "_dense" : "",
        !dense                                       ? ""
        : key->layout >= CUPRIC_REDUCE_DENSE_COLUMNS ? "_columns"
                                                     : "_rows");
    emit_reduction_op(t, key, &r);
    if (dense) {
        snprintf(params, sizeof params, "cupric::dense_reduce_params<%d>",
                 key->rank[0]);
    } else {
        snprintf(params, sizeof params, "cupric::reduce_params<%d, %d, %d>",
                 r.nin + 1 + ((key->flags & CUPRIC_KEY_MASKED) != 0), key->rank[0],
                 key->rank[1]);
    }
    const bool large = key->layout == CUPRIC_REDUCE_DENSE_ROWS ||
                       key->layout == CUPRIC_REDUCE_DENSE_COLUMNS;
    cu_emit_bounded_kernel(t, 0, large ? CUPRIC_REDUCE_DENSE_BLOCK : CUPRIC_BLOCK,
                           large ? CUPRIC_REDUCE_MIN_BLOCKS : 0, params);
    cu_emit(t, "{ using namespace cupric; reduce_%s<op, %s", kernels[key->layout],
            index_type(key));
    if (key->layout >= CUPRIC_REDUCE_DENSE_COLUMNS) {
        cu_emit(t, ", %d", cu_cuda_reduce_vector_size(key));
    }
    if (key->layout == CUPRIC_REDUCE_DENSE_FEW) {
        cu_emit(t, ", %d", CUPRIC_REDUCE_FEW_VECTORS);
    }
    cu_emit(t, ">(p); }\n");
    return 1;
}

int
cu_reduceat_source(text *t, const cu_kernel_key *key)
{
    reduction r;
    char params[64];

    if (!describe(key, &r) || r.nin != 1 || r.combiner < 0) return 0;
    cu_emit(
        t,
        "#include \"cupric/reduce.hpp\"\n#include \"cupric/kernels/reduceat.hpp\"\n");
    emit_reduction_op(t, key, &r);
    snprintf(params, sizeof params, "cupric::reduceat_params<%d>", key->rank[0]);
    if (key->layout == CUPRIC_REDUCE_SERIAL) {
        cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
        cu_emit(t, "{ using namespace cupric; reduceat_serial<op>(p); }\n");
        return 1;
    }
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
    cu_emit(t, "{ using namespace cupric; reduceat_rows<op>(p); }\n");
    cu_emit_kernel(t, 1, CUPRIC_BLOCK, params);
    cu_emit(t, "{ using namespace cupric; reduceat_queued<op>(p); }\n");
    return 2;
}

int
cu_cuda_scan_tile(const cu_kernel_key *key)
{
    reduction r;

    if (!describe(key, &r)) return 1;
    const int in_size = cu_dtypes[stored(key, 0)].size,
              acc_size = cu_dtypes[r.acc].size;
    const int size = in_size > acc_size ? in_size : acc_size;
    return CUPRIC_BLOCK * CUPRIC_SCAN_EACH(size);
}

int
cu_scan_source(text *t, const cu_kernel_key *key)
{
    static const char *const headers[] = {"scan", "scan", "scan_dense", "scan_dense",
                                          "scan_shared"};
    static const char *const kernels[] = {"totals", "carries", "apply"};
    static const char *const only[] = {
        [CUPRIC_SCAN_SERIAL] = "serial<op>",
        [CUPRIC_SCAN_DENSE_RUN] = "tiles<op, scan_of_run>",
        [CUPRIC_SCAN_DENSE_COLUMNS] = "tiles<op, scan_of_columns>",
        [CUPRIC_SCAN_SHARED] = "shared_tiles<op>",
    };
    const bool dense = key->layout >= CUPRIC_SCAN_DENSE_RUN;
    reduction r;
    char params[64];

    if (!describe(key, &r) || r.nin != 1 || r.combiner < 0) return 0;
    if (key->layout > CUPRIC_SCAN_SHARED) return 0;
    cu_emit(t, "#include \"cupric/reduce.hpp\"\n#include \"cupric/kernels/%s.hpp\"\n",
            headers[key->layout]);
    emit_reduction_op(t, key, &r);
    snprintf(params, sizeof params, "cupric::%s<%d>",
             dense ? "dense_scan_params" : "scan_params", key->rank[0]);
    if (key->layout != CUPRIC_SCAN_BLOCKS) {
        cu_emit_bounded_kernel(t, 0, CUPRIC_BLOCK, dense ? CUPRIC_SCAN_MIN_BLOCKS : 0,
                               params);
        cu_emit(t, "{ using namespace cupric; scan_%s(p); }\n", only[key->layout]);
        return 1;
    }
    for (int k = 0; k < 3; k++) {
        cu_emit_kernel(t, k, CUPRIC_BLOCK, params);
        cu_emit(t, "{ using namespace cupric; scan_%s<op>(p); }\n", kernels[k]);
    }
    return 3;
}
