/* cuda/codegen.c: see codegen.h. A source is a struct `op`, made of the row's text, and
 * one line for each kernel that calls the template of cuda/include/cupric/kernels/ with
 * it.
 */
#include "cuda/codegen.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const cu_cuda_row rows[] = {
#define UFUNC(name, nin, nout, numpy, identity, signatures, ...)                       \
    {#name, nin, nout, CUPRIC_ID_##identity, signatures, #__VA_ARGS__, "", "", ""},
#include "ops/ufunc.def"
#undef UFUNC
#define REDUCE(name, nin, signatures, combine, map, finish)                            \
    {#name, nin, 1, CUPRIC_ID_NONE, signatures, "", #combine, #map, #finish},
#include "ops/reduce.def"
#undef REDUCE
};

enum {
#define UFUNC(name, ...) UFUNC_##name,
#include "ops/ufunc.def"
#undef UFUNC
    N_UFUNCS,
    N_ROWS = sizeof rows / sizeof *rows
};

/* ---- the tables ---------------------------------------------------------------------- */

const cu_cuda_row *
cu_cuda_row_get(int op)
{
    return op >= 0 && op < N_ROWS ? &rows[op] : NULL;
}

/* What a row combines with: a row of ufunc.def, or one of these. */
enum { BY_POSITION = -1, BY_MOMENTS = -2 };

static int16_t combiners[N_ROWS]; /* found once, as every launch asks */

__attribute__((constructor)) static void
find_combiners(void)
{
    for (int op = 0; op < N_ROWS; op++) {
        combiners[op] = (int16_t)op;
        if (op < N_UFUNCS) continue;
        combiners[op] =
            strcmp(rows[op].combine, "moments") == 0 ? BY_MOMENTS : BY_POSITION;
        for (int i = 0; i < N_UFUNCS; i++) {
            if (strcmp(rows[i].name, rows[op].combine) == 0) combiners[op] = (int16_t)i;
        }
    }
}

int
cu_cuda_combiner(int op)
{
    return combiners[op] < 0 ? -1 : combiners[op];
}

static bool
is_moments(int op)
{
    return combiners[op] == BY_MOMENTS;
}

int
cu_cuda_is_position(int op)
{
    return op >= 0 && op < N_ROWS && combiners[op] == BY_POSITION;
}

static cu_dtype
dtype_of(char letter)
{
    for (int t = 0; t < CUPRIC_N_DTYPES; t++) {
        if (cu_dtypes[t].letter == letter) return (cu_dtype)t;
    }
    return CUPRIC_NO_DTYPE;
}

int
cu_cuda_signature(int op, int sig, cu_dtype *types)
{
    const cu_cuda_row *row = cu_cuda_row_get(op);
    char letters[CUPRIC_MAXSIGNATURE];

    if (!row || !cu_sig_get(row->signatures, row->nin, row->nout, sig, letters))
        return 0;
    for (int i = 0; i < row->nin + row->nout; i++) {
        types[i] = dtype_of(letters[i]);
        if (types[i] == CUPRIC_NO_DTYPE) return 0;
    }
    return 1;
}

int
cu_cuda_rank(int ndim)
{
    if (ndim <= 4) return ndim < 1 ? 1 : ndim;
    return ndim <= 8 ? 8 : 32;
}

/* ---- text ---------------------------------------------------------------------------- */

typedef struct text {
    char *at;
    size_t nbytes, used;
    const char *name; /* of the kernels, without their numbers */
} text;

__attribute__((format(printf, 2, 3))) static void
say(text *t, const char *fmt, ...)
{
    va_list args;
    int n;

    if (t->used >= t->nbytes) return;
    va_start(args, fmt);
    n = vsnprintf(t->at + t->used, t->nbytes - t->used, fmt, args);
    va_end(args);
    t->used += (size_t)n;
}

static const char *
type_name(int t)
{
    return t < CUPRIC_N_DTYPES ? cu_dtypes[t].ctype : "nothing";
}

/* The type in which 16-bit floats are accumulated. */
static int
computed(int t)
{
    return t == CUPRIC_FLOAT16 || t == CUPRIC_BFLOAT16 ? CUPRIC_FLOAT32 : t;
}

static int
stored(const cu_kernel_key *key, int i)
{
    return key->type[i] & 0x7f;
}

static bool
is_immediate(const cu_kernel_key *key, int i)
{
    return (key->type[i] & CUPRIC_KEY_IMMEDIATE) != 0;
}

static const char *
index_type(const cu_kernel_key *key)
{
    return key->flags & CUPRIC_KEY_WIDE ? "long long" : "int";
}

static bool
is_complex(int t)
{
    return t < CUPRIC_N_DTYPES && cu_dtypes[t].kind == 'c';
}

/* The functions that expressions call; those of complex numbers take longest to read. */
static void
say_headers(text *t, bool complex_too, const char *kernels)
{
    say(t, "#include \"cupric/math/%s.hpp\"\n", complex_too ? "complex" : "real");
    say(t, "#include \"cupric/kernels/%s.hpp\"\n", kernels);
}

/* `blocks` of a processor at least, which limits registers; 0: as the compiler likes. */
static void
say_crowded_kernel(text *t, int k, int threads, int blocks, const char *params)
{
    say(t, "extern \"C\" __global__ void __launch_bounds__(%d", threads);
    if (blocks) say(t, ", %d", blocks);
    say(t, ") %s_%d(const __grid_constant__ %s p)\n", t->name, k, params);
}

static void
say_kernel(text *t, int k, int threads, const char *params)
{
    say_crowded_kernel(t, k, threads, 0, params);
}

/* ---- elementwise --------------------------------------------------------------------- */

/* Rows that cost more than reaching memory and take long to compile. */
static bool
is_slow(int op)
{
    return op >= UFUNC_floor_divide && op < N_UFUNCS;
}

int
cu_cuda_may_fuse(const cu_kernel_key *key)
{
    return key->family == CUPRIC_KERNEL_CONVOLVE;
}

void
cu_cuda_pack(const cu_kernel_key *key, int *pack, int *unroll)
{
    int widest = 1, operands = 0;
    for (int i = 0; i < 6; i++) {
        if (stored(key, i) == CUPRIC_KEY_NO_TYPE || is_immediate(key, i)) continue;
        const int size = cu_dtypes[stored(key, i)].size;
        if (size > widest) widest = size;
        operands++;
    }
    *pack = 16 / widest;
    *unroll = operands <= 3 ? 2 : 1;
    if (is_slow(key->op)) {
        if (*pack > 4) *pack = 4;
        *unroll = 1;
    }
    if (key->layout == CUPRIC_LAYOUT_UNALIGNED) {
        *pack = 1;
        *unroll = is_slow(key->op) ? 2 : 4;
    }
}

static int
elementwise_types(const cu_kernel_key *key, int *nin, int *nout, cu_dtype *types)
{
    if (key->op == CUPRIC_OP_CONVERT) {
        *nin = *nout = 1;
        types[0] = (cu_dtype)stored(key, 0);
        types[1] = (cu_dtype)stored(key, 1);
        return 1;
    }
    if (key->op >= N_UFUNCS) return 0;
    *nin = rows[key->op].nin;
    *nout = rows[key->op].nout;
    return cu_cuda_signature(key->op, key->sig, types);
}

static void
say_elementwise_op(text *t, const cu_kernel_key *key, int nin, int nout,
                   const cu_dtype *types)
{
    static const char inputs[] = "ABCD", outputs[] = "RS";

    say(t, "namespace cupric {\nstruct op {\n");
    say(t, "    enum { nin = %d, nout = %d };\n", nin, nout);
    say(t, "    static constexpr bool masked = %d;\n",
        (key->flags & CUPRIC_KEY_MASKED) != 0);
    for (int i = 0; i < 4; i++) {
        const bool there = i < nin;
        say(t, "    typedef %s %c;\n", there ? type_name(types[i]) : "nothing",
            inputs[i]);
        say(t, "    typedef %s S%c;\n", there ? type_name(stored(key, i)) : "nothing",
            inputs[i]);
        say(t, "    static constexpr bool I%c = %d;\n", inputs[i],
            there && is_immediate(key, i));
    }
    for (int i = 0; i < 2; i++) {
        const bool there = i < nout;
        say(t, "    typedef %s %c;\n", there ? type_name(types[nin + i]) : "nothing",
            outputs[i]);
        say(t, "    typedef %s S%c;\n",
            there ? type_name(stored(key, nin + i)) : "nothing", outputs[i]);
    }
    say(t, "    static __device__ inline void run(const A a, const B b, const C c, "
           "const D d, R &r, S &s)\n    {\n");
    if (key->op == CUPRIC_OP_CONVERT)
        say(t, "        r = convert<R>(a);\n");
    else if (nout == 1)
        say(t, "        r = convert<R>(%s);\n", rows[key->op].code);
    else
        say(t, "        %s;\n", rows[key->op].code);
    say(t, "    }\n};\n}\n");
}

static int
elementwise_source(text *t, const cu_kernel_key *key)
{
    cu_dtype types[CUPRIC_MAXSIGNATURE];
    char params[64];
    int nin, nout, pack, unroll;
    bool complex_too = false;

    if (!elementwise_types(key, &nin, &nout, types)) return 0;
    const int nops = nin + nout + ((key->flags & CUPRIC_KEY_MASKED) != 0);
    for (int i = 0; i < nin + nout; i++) {
        complex_too |= is_complex(types[i]) || is_complex(stored(key, i));
    }
    if (key->op == CUPRIC_OP_CONVERT)
        say(t, "#include \"cupric/kernels/elementwise.hpp\"\n");
    else
        say_headers(t, complex_too, "elementwise");
    say_elementwise_op(t, key, nin, nout, types);
    if (key->layout == CUPRIC_LAYOUT_TILED) {
        if (nops != 2) return 0;
        snprintf(params, sizeof params, "cupric::tiled_params<%d>", key->rank[0]);
        say_kernel(t, 0, 256, params);
        if (key->rank[1] == CUPRIC_TURNED_TILES)
            say(t, "{ using namespace cupric; elementwise_tiled<op>(p); }\n");
        else if (key->rank[1] == CUPRIC_TURNED_SHORT)
            say(t, "{ using namespace cupric; turned_short<op>(p); }\n");
        else
            say(t, "{ using namespace cupric; turned_words<%d>(p); }\n",
                4 / cu_dtypes[stored(key, 0)].size);
    } else if (key->layout == CUPRIC_LAYOUT_STRIDED) {
        snprintf(params, sizeof params, "cupric::strided_params<%d, %d>", nops,
                 key->rank[0]);
        say_kernel(t, 0, 256, params);
        say(t, "{ using namespace cupric; elementwise_strided<op, %s>(p); }\n",
            index_type(key));
    } else if (key->layout == CUPRIC_LAYOUT_ROWS) {
        if (key->flags & CUPRIC_KEY_MASKED) return 0;
        cu_cuda_pack(key, &pack, &unroll);
        snprintf(params, sizeof params, "cupric::strided_params<%d, %d>", nops,
                 key->rank[0]);
        say_kernel(t, 0, 256, params);
        say(t, "{ using namespace cupric; elementwise_rows<op, %d, %d, %s>(p); }\n",
            unroll, pack, index_type(key));
    } else {
        cu_cuda_pack(key, &pack, &unroll);
        snprintf(params, sizeof params, "cupric::dense_params<%d>", nops);
        say_kernel(t, 0, 256, params);
        say(t, "{ using namespace cupric; elementwise_dense<op, %d, %d>(p); }\n",
            unroll, pack);
    }
    return 1;
}

/* ---- reductions and scans ------------------------------------------------------------ */

#define REDUCE_ROOM 80 /* bytes of shared memory for a thread's partial results */

typedef struct reduction {
    int nin;
    int in[2], acc, computed_result, result; /* dtypes */
    int combiner;                            /* a row of ufunc.def, or -1 */
    bool position, skips_nan, moments;
    const cu_cuda_row *row;
} reduction;

static int
describe(const cu_kernel_key *key, reduction *r)
{
    cu_dtype types[CUPRIC_MAXSIGNATURE];

    if (key->op >= N_ROWS || !cu_cuda_signature(key->op, key->sig, types)) return 0;
    r->row = &rows[key->op];
    r->combiner = cu_cuda_combiner(key->op);
    r->position = cu_cuda_is_position(key->op);
    r->moments = is_moments(key->op);
    r->skips_nan = r->position && strncmp(r->row->combine, "nan", 3) == 0;
    if (key->op < N_UFUNCS) {
        if (r->row->nin != 2 || r->row->nout != 1) return 0;
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
    }
    return up_to(up_to(nbytes, 4) + 4, align > 4 ? align : 4);
}

int
cu_cuda_reduce_pack(const cu_kernel_key *key)
{
    reduction r;
    int pack;

    if (!describe(key, &r)) return 1;
    const int nbytes = partial_nbytes(key, &r);
    pack = 16 / cu_dtypes[stored(key, 0)].size;
    const int room = r.moments ? REDUCE_ROOM / 2 : REDUCE_ROOM;
    while (pack > 1 && pack * nbytes > room) pack /= 2;
    return pack;
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
    return r->combiner == UFUNC_gcd || r->combiner == UFUNC_hypot ||
           (r->combiner == UFUNC_add && (kind == 'f' || kind == 'c'));
}

/* map, combine, append, identity and the beginning of finish of the three kinds. */
static void
say_position(text *t, const cu_kernel_key *key, const reduction *r)
{
    const bool up = strstr(r->row->combine, "max") != NULL;
    say(t,
        "    static __device__ inline S map(const A a, const B b, const N param, "
        "const %s index)\n    { return S{convert<V>(%s), index}; }\n",
        index_type(key), r->row->map);
    say(t,
        "    static __device__ inline S combine(const S a, const S b) "
        "{ return furthest<%d, %d>(a, b); }\n"
        "    static __device__ inline S append(const S a, const S b) "
        "{ return furthest_so_far<%d, %d>(a, b); }\n",
        up, r->skips_nan, up, r->skips_nan);
    say(t, "    static __device__ inline S identity() { return S(); }\n");
    say(t,
        "    static __device__ inline OUT finish(const S x, const N count, "
        "const N param)\n    {\n        const long long s = %s;\n",
        r->skips_nan ? "is_nan(x.value) ? -1 : x.index" : "x.index");
}

/* The square of x - x is 0, or NaN where the element is not finite: so is its deviation
 * from the mean. */
static void
say_moments(text *t)
{
    say(t, "    static __device__ inline S map(const A a, const B b, const N param, "
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
say_plain(text *t, const char *map, int identity)
{
    say(t,
        "    static __device__ inline S map(const A a, const B b, const N param, "
        "long long)\n    { return convert<S>(%s); }\n",
        map);
    say(t,
        "    static __device__ inline S combine(const S a, const S b) "
        "{ return combiner::run(a, b); }\n"
        "    static __device__ inline S append(const S a, const S b) "
        "{ return combiner::run(a, b); }\n"
        "    static __device__ inline S identity() { return convert<S>(%s); }\n",
        identity_text(identity));
    say(t, "    static __device__ inline OUT finish(const S s, const N count, "
           "const N param)\n    {\n");
}

/* map, combine and finish, with the types that they are written in. */
static void
say_reduction_op(text *t, const cu_kernel_key *key, const reduction *r)
{
    const bool ufunc = key->op < N_UFUNCS;
    const char *acc = type_name(r->acc);

    say(t, "namespace cupric {\nstruct combiner {\n    typedef %s A, B, R;\n", acc);
    if (!r->position && !r->moments) {
        /* Dense scans call it in so many places that a long one is better called. */
        const bool called = key->family == CUPRIC_KERNEL_SCAN &&
                            key->layout >= CUPRIC_SCAN_DENSE && is_slow(r->combiner);
        say(t,
            "    static __device__ %s R run(const A a, const B b) "
            "{ return convert<R>(%s); }\n",
            called ? "__noinline__" : "inline", rows[r->combiner].code);
    }
    say(t, "};\nstruct op {\n");
    say(t, "    enum { nin = %d };\n", r->nin);
    say(t,
        "    static constexpr bool masked = %d, is_plain = %d, is_moments = %d, "
        "starts = %d, serial = %d;\n",
        (key->flags & CUPRIC_KEY_MASKED) != 0, !r->position && !r->moments, r->moments,
        !r->position && !r->moments && starts_at_identity(r),
        key->family == CUPRIC_KERNEL_REDUCE && key->layout == CUPRIC_REDUCE_SERIAL);
    say(t, "    typedef %s count_type;\n",
        key->flags & CUPRIC_KEY_MASKED ? "long long" : "int");
    say(t, "    typedef %s A;\n    typedef %s B;\n", type_name(r->in[0]),
        type_name(r->in[1]));
    say(t, "    typedef %s SA;\n    typedef %s SB;\n", type_name(stored(key, 0)),
        r->nin > 1 ? type_name(stored(key, 1)) : "nothing");
    say(t, "    static constexpr bool IA = %d, IB = %d;\n", is_immediate(key, 0),
        r->nin > 1 && is_immediate(key, 1));
    say(t, "    typedef %s V;\n", acc);
    if (r->position)
        say(t, "    typedef placed<V, %s> S;\n", index_type(key));
    else
        say(t, "    typedef %s S;\n", r->moments ? "moments<V>" : "V");
    say(t, "    typedef real_type<%s>::type N;\n",
        type_name(r->position ? r->computed_result : r->acc));
    say(t, "    typedef %s RC;\n    typedef %s RES;\n    typedef %s OUT;\n",
        type_name(r->computed_result), type_name(r->result),
        type_name(stored(key, r->nin)));
    if (r->position)
        say_position(t, key, r);
    else if (r->moments)
        say_moments(t);
    else
        say_plain(t, ufunc ? "a" : r->row->map, rows[r->combiner].identity);
    say(t,
        "        return convert<OUT>(convert<RES>(convert<RC>(%s)));\n    }\n};\n}\n",
        ufunc ? "s" : r->row->finish);
}

static int
reduce_source(text *t, const cu_kernel_key *key)
{
    static const char *const kernels[] = {"rows", "columns", "serial"};
    reduction r;
    char params[64];

    if (!describe(key, &r) || key->layout > CUPRIC_REDUCE_DENSE_COLUMNS) return 0;
    const bool dense = key->layout >= CUPRIC_REDUCE_DENSE_ROWS;
    if (dense && (r.nin != 1 || key->flags & CUPRIC_KEY_MASKED)) return 0;
    say(t, "#include \"cupric/reduce.hpp\"\n#include \"cupric/kernels/%s.hpp\"\n",
        dense ? "reduce_dense" : "reduce");
    say_reduction_op(t, key, &r);
    if (dense) {
        snprintf(params, sizeof params, "cupric::dense_reduce_params<%d>",
                 key->rank[0]);
    } else {
        snprintf(params, sizeof params, "cupric::reduce_params<%d, %d, %d>",
                 r.nin + 1 + ((key->flags & CUPRIC_KEY_MASKED) != 0), key->rank[0],
                 key->rank[1]);
    }
    say_kernel(t, 0, dense ? 512 : 256, params);
    if (key->layout == CUPRIC_REDUCE_DENSE_COLUMNS) {
        const int pack = cu_cuda_reduce_pack(key);
        say(t, "{ using namespace cupric; reduce_dense_columns<op, %s, %d>(p); }\n",
            index_type(key), pack);
        say_kernel(t, 1, 256, params);
        say(t, "{ using namespace cupric; reduce_dense_few<op, %s, %d, %d>(p); }\n",
            index_type(key), pack, CUPRIC_REDUCE_FEW_PACKS);
        return 2;
    }
    if (!dense) {
        say(t, "{ using namespace cupric; reduce_%s<op, %s>(p); }\n",
            kernels[key->layout], index_type(key));
        return 1;
    }
    say(t, "{ using namespace cupric; reduce_dense_rows<op, %s>(p); }\n",
        index_type(key));
    say_kernel(t, 1, 256, params);
    say(t, "{ using namespace cupric; reduce_dense_narrow<op, %s>(p); }\n",
        index_type(key));
    return 2;
}

static int
reduceat_source(text *t, const cu_kernel_key *key)
{
    reduction r;
    char params[64];

    if (!describe(key, &r) || r.nin != 1 || r.combiner < 0) return 0;
    say(t,
        "#include \"cupric/reduce.hpp\"\n#include \"cupric/kernels/reduceat.hpp\"\n");
    say_reduction_op(t, key, &r);
    snprintf(params, sizeof params, "cupric::reduceat_params<%d>", key->rank[0]);
    say_kernel(t, 0, 256, params);
    say(t, "{ using namespace cupric; reduceat_%s<op>(p); }\n",
        key->layout == CUPRIC_REDUCE_SERIAL ? "serial" : "rows");
    return 1;
}

int
cu_cuda_scan_tile(const cu_kernel_key *key)
{
    reduction r;

    if (!describe(key, &r)) return 1;
    const int in_size = cu_dtypes[stored(key, 0)].size,
              acc_size = cu_dtypes[r.acc].size;
    const int size = in_size > acc_size ? in_size : acc_size;
    return size <= 4 ? 8192 : size == 8 ? 4096 : 1024;
}

static int
scan_source(text *t, const cu_kernel_key *key)
{
    static const char *const headers[] = {"scan", "scan", "scan_dense", "scan_shared"};
    static const char *const kernels[] = {"totals", "carries", "apply"};
    static const char *const only[] = {NULL, "serial", "tiles", "shared_tiles"};
    const bool dense = key->layout >= CUPRIC_SCAN_DENSE;
    reduction r;
    char params[64];

    if (!describe(key, &r) || r.nin != 1 || r.combiner < 0) return 0;
    if (key->layout > CUPRIC_SCAN_SHARED) return 0;
    say(t, "#include \"cupric/reduce.hpp\"\n#include \"cupric/kernels/%s.hpp\"\n",
        headers[key->layout]);
    say_reduction_op(t, key, &r);
    snprintf(params, sizeof params, "cupric::%s<%d>",
             dense ? "dense_scan_params" : "scan_params", key->rank[0]);
    if (key->layout != CUPRIC_SCAN_BLOCKS) {
        say_crowded_kernel(t, 0, 256, dense ? CUPRIC_SCAN_CROWD : 0, params);
        say(t, "{ using namespace cupric; scan_%s<op>(p); }\n", only[key->layout]);
        return 1;
    }
    for (int k = 0; k < 3; k++) {
        say_kernel(t, k, 256, params);
        say(t, "{ using namespace cupric; scan_%s<op>(p); }\n", kernels[k]);
    }
    return 3;
}

/* ---- indexing ------------------------------------------------------------------------ */

/* rank[1] is the number of index arrays. */
static int
index_source(text *t, const cu_kernel_key *key)
{
    static const char *const kernels[][4] = {
        [CUPRIC_KERNEL_GATHER] = {"gather"},
        [CUPRIC_KERNEL_SCATTER] = {"scatter", "scatter_few", "scatter_note",
                                   "scatter_noted"},
        [CUPRIC_KERNEL_CHECK_INDEX] = {"check_index"},
    };
    char params[64];
    int k = 0;

    say(t, "#include \"cupric/kernels/index.hpp\"\n");
    snprintf(params, sizeof params, "cupric::index_params<%d, %d>", key->rank[1],
             key->rank[0]);
    for (; k < 4 && kernels[key->family][k]; k++) {
        say_kernel(t, k, k == 1 ? 1024 : 256, params);
        say(t, "{ using namespace cupric; %s<bytes_of_size, %d, %s>(p); }\n",
            kernels[key->family][k], cu_dtypes[stored(key, 0)].size, index_type(key));
    }
    return k;
}

static int
scatter_op_source(text *t, const cu_kernel_key *key)
{
    cu_dtype types[CUPRIC_MAXSIGNATURE];
    cu_kernel_key as_op = *key;
    char params[64];

    if (key->op >= N_UFUNCS || !cu_cuda_signature(key->op, key->sig, types)) return 0;
    const int nin = rows[key->op].nin;
    if (nin > 2 || rows[key->op].nout != 1) return 0;
    say_headers(t, is_complex(types[0]) || is_complex(stored(key, 0)), "index");
    as_op.flags &= (uint8_t)~CUPRIC_KEY_MASKED;
    as_op.type[nin] = key->type[0]; /* the result goes where the first operand was */
    if (nin == 1) as_op.type[1] = key->type[0];
    say_elementwise_op(t, &as_op, nin, 1, types);
    snprintf(params, sizeof params, "cupric::index_params<%d, %d>", key->rank[1],
             key->rank[0]);
    say_kernel(t, 0, 256, params);
    say(t, "{ using namespace cupric; scatter_op<op, %s, %d, %s>(p); }\n",
        type_name(stored(key, 1)), key->layout == CUPRIC_SCATTER_SERIAL,
        index_type(key));
    return 1;
}

/* ---- the others ---------------------------------------------------------------------- */

/* Of a mask; what is chosen is type[1], moved as it is, or coordinates. */
static int
select_source(text *t, const cu_kernel_key *key)
{
    const char *mask = type_name(stored(key, 0));
    const int type = stored(key, 1);
    const int size = type < CUPRIC_N_DTYPES ? cu_dtypes[type].size : 0;
    char params[64];

    say(t, "#include \"cupric/kernels/select.hpp\"\n");
    snprintf(params, sizeof params, "cupric::select_params<%d>", key->rank[0]);
    say_kernel(t, 0, 256, params);
    say(t, "{ using namespace cupric; select_count<%s>(p); }\n", mask);
    say_kernel(t, 1, 1024, params);
    say(t, "{ using namespace cupric; select_starts(p); }\n");
    say_kernel(t, 2, 256, params);
    say(t, "{ using namespace cupric; select_write<%s, %d>(p); }\n", mask, size);
    say_kernel(t, 3, 1024, params);
    say(t, "{ using namespace cupric; select_few<%s, %d>(p); }\n", mask, size);
    return 4;
}

static int
arange_source(text *t, const cu_kernel_key *key)
{
    say(t, "#include \"cupric/kernels/arange.hpp\"\n");
    say_kernel(t, 0, 256, "cupric::arange_params");
    say(t, "{ using namespace cupric; arange<%s>(p); }\n", type_name(stored(key, 0)));
    return 1;
}

static int
sort_source(text *t, const cu_kernel_key *key)
{
    static const char *const kernels[] = {"rows", "merge"};
    const int threads = cu_itemsize((cu_dtype)stored(key, 0)) > 8 ? 256 : 512;
    char params[64];

    say(t, "#include \"cupric/kernels/sort.hpp\"\n");
    snprintf(params, sizeof params, "cupric::sort_params<%d>", key->rank[0]);
    for (int k = 0; k < 2; k++) {
        say_kernel(t, k, threads, params);
        say(t, "{ using namespace cupric; sort_%s<%s, %s, %d>(p); }\n", kernels[k],
            type_name(stored(key, 0)),
            key->flags & CUPRIC_KEY_WIDE ? "long long" : "unsigned int",
            (key->flags & CUPRIC_KEY_ORDER) != 0);
    }
    return 2;
}

static int
search_source(text *t, const cu_kernel_key *key)
{
    char params[64];

    say(t, "#include \"cupric/kernels/search.hpp\"\n");
    snprintf(params, sizeof params, "cupric::search_params<%d>", key->rank[0]);
    say_kernel(t, 0, 256, params);
    say(t, "{ using namespace cupric; search<%s, %d>(p); }\n",
        type_name(stored(key, 0)), key->layout);
    return 1;
}

/* key->layout says that edges are even. */
static int
histogram_source(text *t, const cu_kernel_key *key)
{
    say(t, "#include \"cupric/kernels/histogram.hpp\"\n");
    say_kernel(t, 0, 256, "cupric::histogram_params");
    say(t, "{ using namespace cupric; histogram<%s, %s, %d, %d>(p); }\n",
        type_name(stored(key, 0)), type_name(stored(key, 1)),
        (key->flags & CUPRIC_KEY_WEIGHTED) != 0, key->layout);
    return 1;
}

/* key->op is the kind, key->layout says that integers take 64 random bits. */
static int
random_source(text *t, const cu_kernel_key *key)
{
    static const char *const kinds[] = {"bits", "uniform", "normal", "integers",
                                        "exponential"};
    if (key->op >= sizeof kinds / sizeof *kinds) return 0;
    say(t, "#include \"cupric/kernels/random.hpp\"\n");
    say_kernel(t, 0, 256, "cupric::random_params");
    say(t, "{ using namespace cupric; fill<random_%s<%s%s>>(p); }\n", kinds[key->op],
        type_name(stored(key, 0)),
        key->op != 3  ? ""
        : key->layout ? ", true"
                      : ", false");
    return 1;
}

static int
convolve_source(text *t, const cu_kernel_key *key)
{
    char params[64];

    say(t, "#include \"cupric/kernels/convolve.hpp\"\n");
    snprintf(params, sizeof params, "cupric::convolve_params<%d>", key->rank[0]);
    /* Unless told that one block at a time will do, ptxas keeps a tile of doubles or
     * complex numbers to 128 registers, and spills. */
    say_crowded_kernel(t, 0, key->layout ? 128 : 256, key->layout ? 1 : 0, params);
    say(t, "{ using namespace cupric; convolve_%s<%s>(p); }\n",
        key->layout ? "tile" : "any", type_name(stored(key, 0)));
    return 1;
}

static int
join_source(text *t, const cu_kernel_key *key)
{
    say(t, "#include \"cupric/kernels/join.hpp\"\n");
    say_kernel(t, 0, 256, "cupric::join_params");
    say(t, "{ using namespace cupric; join<%s, %s>(p); }\n", type_name(stored(key, 0)),
        index_type(key));
    return 1;
}

int
cu_cuda_source(const cu_kernel_key *key, char *source, size_t nbytes)
{
    static int (*const families[CUPRIC_N_FAMILIES])(text *, const cu_kernel_key *) = {
        [CUPRIC_KERNEL_ELEMENTWISE] = elementwise_source,
        [CUPRIC_KERNEL_REDUCE] = reduce_source,
        [CUPRIC_KERNEL_REDUCEAT] = reduceat_source,
        [CUPRIC_KERNEL_SCAN] = scan_source,
        [CUPRIC_KERNEL_GATHER] = index_source,
        [CUPRIC_KERNEL_SCATTER] = index_source,
        [CUPRIC_KERNEL_SCATTER_OP] = scatter_op_source,
        [CUPRIC_KERNEL_CHECK_INDEX] = index_source,
        [CUPRIC_KERNEL_SELECT] = select_source,
        [CUPRIC_KERNEL_ARANGE] = arange_source,
        [CUPRIC_KERNEL_SORT] = sort_source,
        [CUPRIC_KERNEL_SEARCH] = search_source,
        [CUPRIC_KERNEL_HISTOGRAM] = histogram_source,
        [CUPRIC_KERNEL_RANDOM] = random_source,
        [CUPRIC_KERNEL_CONVOLVE] = convolve_source,
        [CUPRIC_KERNEL_JOIN] = join_source,
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

    if (key->family != CUPRIC_KERNEL_ELEMENTWISE) say(&t, "%s", families[key->family]);
    if (key->op == CUPRIC_OP_CONVERT)
        say(&t, "convert");
    else if (named && row)
        say(&t, "%s%s", t.used ? "_" : "", row->name);
    for (int i = 0; i < 6; i++) {
        const int type = stored(key, i);
        if (type < CUPRIC_N_DTYPES) say(&t, "_%s", cu_dtypes[type].name);
    }
}
