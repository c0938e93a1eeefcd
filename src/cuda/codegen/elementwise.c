/* cuda/codegen/elementwise.c: operations on elements. */
#include <stdio.h>

#include "cuda/codegen/families.h"
#include "device/backend.h"

/* What takes long to compute is in small blocks of threads with two vectors, so that loads
 * of some lie behind the arithmetic of others: on an H100 at 2**27 elements gammaln of
 * float32 takes 386 us, not 434, gammaln of float64 767, not 816, and what memory bounds
 * loses 0.5 %. */
#define SLOW_THREADS 64

/* So many such blocks have registers at once where what is rare is set apart, though that
 * would take more of them. */
#define SLOW_BLOCKS 16

/* Whether it is a function of one complex64: a thread's elements are computed as if none were
 * rare, all at once, and one by one if any is. On an H100 at 10**7 elements sin takes 57 us, as
 * a copy does, not 73, arcsinh 79, not 109. */
static bool
sets_rare_apart(const cu_kernel_key *key)
{
    cu_dtype types[CUPRIC_MAXSIGNATURE];

    if (key->op >= N_UFUNCS || !(cu_cuda_row_get(key->op)->traits & SETS_APART))
        return false;
    return cu_cuda_signature(key->op, key->sig, types) && types[0] == CUPRIC_COMPLEX64;
}

/* What a key stores in memory. */
typedef struct stored_operands {
    int count, widest; /* bytes */
    bool complex_too;
} stored_operands;

static stored_operands
operands_of(const cu_kernel_key *key)
{
    stored_operands all = {.widest = 1};

    for (int i = 0; i < CUPRIC_MAXSIGNATURE; i++) {
        if (stored(key, i) == CUPRIC_KEY_NO_TYPE || is_immediate(key, i)) continue;
        const int size = cu_dtypes[stored(key, i)].size;
        if (size > all.widest) all.widest = size;
        all.complex_too |= is_complex(stored(key, i));
        all.count++;
    }
    return all;
}

/* Large elements lie far apart as it is, so that more of them at a time are in each other's
 * way. */
cu_dense_shape
cu_cuda_strided_shape(const cu_kernel_key *key)
{
    const bool large = operands_of(key).widest > 8;

    return (cu_dense_shape){.vector = 1,
                            .unroll = large ? 1 : 4,
                            .threads = large ? CUPRIC_BLOCK / 2 : CUPRIC_BLOCK};
}

int
cu_cuda_tile_side(const cu_kernel_key *key)
{
    return CUPRIC_TILED_SIDE(operands_of(key).widest);
}

cu_dense_shape
cu_cuda_dense_shape(const cu_kernel_key *key)
{
    const stored_operands all = operands_of(key);
    cu_dense_shape shape = {.threads = CUPRIC_BLOCK};
    shape.vector = 16 / all.widest;
    shape.unroll = all.count <= 3 ? 2 : 1;
    if (cu_cuda_is_slow(key->op)) {
        if (shape.vector > 4) shape.vector = 4;
        if (cu_cuda_is_iterated(key->op)) {
            if (shape.vector > 2) shape.vector = 2;
            shape.unroll = 1;
        }
        if (key->layout == CUPRIC_LAYOUT_ROWS || (all.complex_too && all.widest > 8))
            shape.unroll = 1;
        else
            shape.threads = SLOW_THREADS;
    }
    if (key->flags & CUPRIC_KEY_MASKED && all.widest >= 8) {
        /* Neighbours are stored by neighbouring threads, as vectors have holes. */
        shape.unroll = all.widest == 8 ? 4 : 1;
        shape.vector = 1;
    }
    if (key->layout == CUPRIC_LAYOUT_UNALIGNED) {
        shape.vector = 1;
        shape.unroll = cu_cuda_is_slow(key->op) ? 2 : 4;
    }
    if (key->layout == CUPRIC_LAYOUT_SINGLE) shape.vector = shape.unroll = 1;
    return shape;
}

const char *
cu_math_header(int op, bool complex_too)
{
    static const char *const of_unit[CUPRIC_N_UNITS] = {
#define UNIT(name, cost) [CUPRIC_UNIT_##name] = "special/" #name,
        CUPRIC_FAMILIES(UNIT)
#undef UNIT
    };
    const cu_cuda_row *const row = cu_cuda_row_get(op);

    if (row->unit == CUPRIC_UNIT_special) return "math/special";
    if (of_unit[row->unit]) return of_unit[row->unit];
    return complex_too ? "math/complex" : "math/real";
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
    *nin = cu_cuda_row_get(key->op)->nin;
    *nout = cu_cuda_row_get(key->op)->nout;
    return cu_cuda_signature(key->op, key->sig, types);
}

static const char inputs[] = "ABCDEF", outputs[] = "RSTU";

/* The operands' types, as the operation has them and as they are stored. */
static void
emit_types(text *t, const cu_kernel_key *key, int nin, int nout, const cu_dtype *types)
{
    for (int i = 0; i < CUPRIC_MAXIN; i++) {
        const bool there = i < nin;
        cu_emit(t, "    typedef %s %c;\n", there ? type_name(types[i]) : "nothing",
                inputs[i]);
        cu_emit(t, "    typedef %s S%c;\n",
                there ? type_name(stored(key, i)) : "nothing", inputs[i]);
        cu_emit(t, "    enum : bool { I%c = %d };\n", inputs[i],
                there && is_immediate(key, i));
    }
    for (int i = 0; i < CUPRIC_MAXOUT; i++) {
        const bool there = i < nout;
        cu_emit(t, "    typedef %s %c;\n",
                there ? type_name(types[nin + i]) : "nothing", outputs[i]);
        cu_emit(t, "    typedef %s S%c;\n",
                there ? type_name(stored(key, nin + i)) : "nothing", outputs[i]);
    }
}

static bool
has_many(int nin, int nout)
{
    return nin > 4 || nout > 2;
}

/* "void run(const A a, …, R &r, …)". A call costs little beside a function with loops, and
 * a copy of it for each element of a thread takes minutes to compile. */
static void
emit_head(text *t, bool iterated, int nin, int nout)
{
    const bool many = has_many(nin, nout);

    cu_emit(t, "    static __device__ %s void run(",
            iterated ? "__noinline__" : "inline");
    for (int i = 0; i < (many ? CUPRIC_MAXIN : 4); i++)
        cu_emit(t, "const %c %c, ", inputs[i], inputs[i] - 'A' + 'a');
    for (int i = 0; i < (many ? CUPRIC_MAXOUT : 2); i++)
        cu_emit(t, "%s%c &%c", i ? ", " : "", outputs[i], outputs[i] - 'A' + 'a');
    cu_emit(t, ")\n    {\n");
}

static void
emit_expression(text *t, const cu_kernel_key *key, int nout)
{
    if (key->op == CUPRIC_OP_CONVERT)
        cu_emit(t, "        r = convert<R>(a);\n");
    else if (nout == 1)
        cu_emit(t, "        r = convert<R>(%s);\n", cu_cuda_row_get(key->op)->code);
    else
        cu_emit(t, "        %s;\n", cu_cuda_row_get(key->op)->code);
}

/* `run` of operands of another signature: they are converted around it, as on the host. */
static void
emit_around(text *t, int nin, int nout, const cu_dtype *wide)
{
    emit_head(t, false, nin, nout);
    for (int i = 0; i < nout; i++)
        cu_emit(t, "        computed::%c w%d;\n", outputs[i], i);
    cu_emit(t, "        computed::run(");
    for (int i = 0; i < (has_many(nin, nout) ? CUPRIC_MAXIN : 4); i++) {
        const char lower = (char)(inputs[i] - 'A' + 'a');
        if (i < nin)
            cu_emit(t, "convert<%s>(%c), ", type_name(wide[i]), lower);
        else
            cu_emit(t, "%c, ", lower);
    }
    for (int i = 0; i < (has_many(nin, nout) ? CUPRIC_MAXOUT : 2); i++) {
        const char lower = (char)(outputs[i] - 'A' + 'a');
        if (i < nout)
            cu_emit(t, "%sw%d", i ? ", " : "", i);
        else
            cu_emit(t, "%s%c", i ? ", " : "", lower);
    }
    cu_emit(t, ");\n");
    for (int i = 0; i < nout; i++)
        cu_emit(t, "        %c = convert<%c>(w%d);\n", outputs[i] - 'A' + 'a',
                outputs[i], i);
    cu_emit(t, "    }\n");
}

/* The operation in the signature that computes others. */
static void
emit_computed(text *t, const cu_kernel_key *key, int nin, int nout,
              const cu_dtype *wide)
{
    cu_emit(t, "    struct computed {\n");
    for (int i = 0; i < CUPRIC_MAXIN; i++)
        cu_emit(t, "    typedef %s %c;\n", i < nin ? type_name(wide[i]) : "nothing",
                inputs[i]);
    for (int i = 0; i < CUPRIC_MAXOUT; i++)
        cu_emit(t, "    typedef %s %c;\n",
                i < nout ? type_name(wide[nin + i]) : "nothing", outputs[i]);
    emit_head(t, true, nin, nout);
    emit_expression(t, key, nout);
    cu_emit(t, "    }\n    };\n");
}

void
cu_emit_elementwise_op(text *t, const cu_kernel_key *key, int nin, int nout,
                       const cu_dtype *types)
{
    cu_dtype wide[CUPRIC_MAXSIGNATURE];

    cu_emit(t, "namespace cupric {\nstruct op {\n");
    cu_emit(t, "    enum { nin = %d, nout = %d };\n", nin, nout);
    cu_emit(t, "    enum : bool { masked = %d, has_many = %d };\n",
            (key->flags & CUPRIC_KEY_MASKED) != 0, has_many(nin, nout));
    cu_emit(t, "    enum : bool { sets_rare_apart = %d };\n", sets_rare_apart(key));
    cu_emit(t, "    enum : bool { second_at_zero = %d };\n",
            key->op < N_UFUNCS &&
                (cu_cuda_row_get(key->op)->traits & SECOND_AT_ZERO) != 0);
    emit_types(t, key, nin, nout, types);
    if (cu_cuda_computed(key->op, key->sig, wide)) {
        emit_computed(t, key, nin, nout, wide);
        emit_around(t, nin, nout, wide);
    } else {
        emit_head(t, cu_cuda_is_iterated(key->op), nin, nout);
        emit_expression(t, key, nout);
        cu_emit(t, "    }\n");
    }
    if (sets_rare_apart(key)) {
        cu_emit(t,
                "    static __device__ inline batched<R> ordinary(const batched<A> a)\n"
                "    {\n        typedef batched<op::R> R;\n        return %s;\n    }\n",
                cu_cuda_row_get(key->op)->code);
    }
    cu_emit(t, "};\n}\n");
}

static int
any_source(text *t, const cu_kernel_key *key)
{
    char params[64];

    if (key->op != CUPRIC_OP_CONVERT) return 0;
    cu_emit(t, "#include \"cupric/kernels/any.hpp\"\n");
    snprintf(params, sizeof params, "cupric::any_params<%d>", CUPRIC_MAXDIMS);
    cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
    cu_emit(t, "{ using namespace cupric; elementwise_any<%s>(p); }\n",
            type_name(stored(key, 1)));
    return 1;
}

int
cu_elementwise_source(text *t, const cu_kernel_key *key)
{
    cu_dtype types[CUPRIC_MAXSIGNATURE];
    char params[64];
    int nin, nout;
    bool complex_too = false;

    if (key->layout == CUPRIC_LAYOUT_ANY) return any_source(t, key);
    if (!elementwise_types(key, &nin, &nout, types)) return 0;
    const int nops = nin + nout + ((key->flags & CUPRIC_KEY_MASKED) != 0);
    for (int i = 0; i < nin + nout; i++) {
        complex_too |= is_complex(types[i]) || is_complex(stored(key, i));
    }
    if (key->op == CUPRIC_OP_CONVERT)
        cu_emit(t, "#include \"cupric/kernels/elementwise.hpp\"\n");
    else
        cu_emit_headers(t, cu_math_header(key->op, complex_too), "elementwise");
    cu_emit_elementwise_op(t, key, nin, nout, types);
    if (key->layout == CUPRIC_LAYOUT_TILED) {
        const bool tiles = key->rank[1] >= CUPRIC_TRANSPOSED_TILES;
        if (has_many(nin, nout) || (!tiles && nops != 2)) return 0;
        snprintf(params, sizeof params, "cupric::tiled_params<%d, %d>", nops,
                 key->rank[0]);
        cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
        if (tiles)
            cu_emit(t,
                    "{ using namespace cupric; elementwise_tiled<op, %d, %d>(p); }\n",
                    key->rank[1] - CUPRIC_TRANSPOSED_TILES, cu_cuda_tile_side(key));
        else if (key->rank[1] == CUPRIC_TRANSPOSED_SHORT)
            cu_emit(t, "{ using namespace cupric; transposed_short<op>(p); }\n");
        else
            cu_emit(t, "{ using namespace cupric; transposed_words<%d>(p); }\n",
                    4 / cu_dtypes[stored(key, 0)].size);
    } else if (key->layout == CUPRIC_LAYOUT_STRIDED) {
        const cu_dense_shape shape = cu_cuda_strided_shape(key);
        snprintf(params, sizeof params, "cupric::strided_params<%d, %d>", nops,
                 key->rank[0]);
        cu_emit_kernel(t, 0, shape.threads, params);
        cu_emit(t,
                "{ using namespace cupric; elementwise_strided<op, %d, %d, %s>(p); }\n",
                shape.threads, shape.unroll, index_type(key));
    } else if (key->layout == CUPRIC_LAYOUT_ROWS) {
        if (key->flags & CUPRIC_KEY_MASKED) return 0;
        const cu_dense_shape shape = cu_cuda_dense_shape(key);
        snprintf(params, sizeof params, "cupric::strided_params<%d, %d>", nops,
                 key->rank[0]);
        cu_emit_kernel(t, 0, shape.threads, params);
        cu_emit(t, "{ using namespace cupric; elementwise_rows<op, %d, %d, %s>(p); }\n",
                shape.unroll, shape.vector, index_type(key));
    } else {
        const cu_dense_shape shape = cu_cuda_dense_shape(key);
        snprintf(params, sizeof params, "cupric::dense_params<%d>", nops);
        cu_emit_bounded_kernel(t, 0, shape.threads,
                               sets_rare_apart(key) ? SLOW_BLOCKS : 0, params);
        cu_emit(t,
                "{ using namespace cupric; elementwise_dense<op, %d, %d, %d>(p); }\n",
                shape.threads, shape.unroll, shape.vector);
    }
    return 1;
}
