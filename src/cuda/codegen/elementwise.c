/* cuda/codegen/elementwise.c: operations on elements. */
#include <stdio.h>

#include "cuda/codegen/families.h"
#include "device/backend.h"

void
cu_cuda_vector_size(const cu_kernel_key *key, int *vector, int *unroll)
{
    int widest = 1, operands = 0;
    for (int i = 0; i < 6; i++) {
        if (stored(key, i) == CUPRIC_KEY_NO_TYPE || is_immediate(key, i)) continue;
        const int size = cu_dtypes[stored(key, i)].size;
        if (size > widest) widest = size;
        operands++;
    }
    *vector = 16 / widest;
    *unroll = operands <= 3 ? 2 : 1;
    if (cu_cuda_is_slow(key->op)) {
        if (*vector > 4) *vector = 4;
        *unroll = 1;
    }
    if (key->layout == CUPRIC_LAYOUT_UNALIGNED) {
        *vector = 1;
        *unroll = cu_cuda_is_slow(key->op) ? 2 : 4;
    }
    if (key->layout == CUPRIC_LAYOUT_SINGLE) *vector = *unroll = 1;
}

const char *
cu_math_header(int op, bool complex_too)
{
    if (cu_cuda_row_get(op)->is_special) return "special";
    return complex_too ? "complex" : "real";
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

void
cu_emit_elementwise_op(text *t, const cu_kernel_key *key, int nin, int nout,
                       const cu_dtype *types)
{
    static const char inputs[] = "ABCD", outputs[] = "RS";

    cu_emit(t, "namespace cupric {\nstruct op {\n");
    cu_emit(t, "    enum { nin = %d, nout = %d };\n", nin, nout);
    cu_emit(t, "    enum : bool { masked = %d };\n",
            (key->flags & CUPRIC_KEY_MASKED) != 0);
    for (int i = 0; i < 4; i++) {
        const bool there = i < nin;
        cu_emit(t, "    typedef %s %c;\n", there ? type_name(types[i]) : "nothing",
                inputs[i]);
        cu_emit(t, "    typedef %s S%c;\n",
                there ? type_name(stored(key, i)) : "nothing", inputs[i]);
        cu_emit(t, "    enum : bool { I%c = %d };\n", inputs[i],
                there && is_immediate(key, i));
    }
    for (int i = 0; i < 2; i++) {
        const bool there = i < nout;
        cu_emit(t, "    typedef %s %c;\n",
                there ? type_name(types[nin + i]) : "nothing", outputs[i]);
        cu_emit(t, "    typedef %s S%c;\n",
                there ? type_name(stored(key, nin + i)) : "nothing", outputs[i]);
    }
    cu_emit(t, "    static __device__ inline void run(const A a, const B b, const C c, "
               "const D d, R &r, S &s)\n    {\n");
    if (key->op == CUPRIC_OP_CONVERT)
        cu_emit(t, "        r = convert<R>(a);\n");
    else if (nout == 1)
        cu_emit(t, "        r = convert<R>(%s);\n", cu_cuda_row_get(key->op)->code);
    else
        cu_emit(t, "        %s;\n", cu_cuda_row_get(key->op)->code);
    cu_emit(t, "    }\n};\n}\n");
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
    int nin, nout, vector, unroll;
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
        if (nops != 2) return 0;
        snprintf(params, sizeof params, "cupric::tiled_params<%d>", key->rank[0]);
        cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
        if (key->rank[1] == CUPRIC_TRANSPOSED_TILES)
            cu_emit(t, "{ using namespace cupric; elementwise_tiled<op>(p); }\n");
        else if (key->rank[1] == CUPRIC_TRANSPOSED_SHORT)
            cu_emit(t, "{ using namespace cupric; transposed_short<op>(p); }\n");
        else
            cu_emit(t, "{ using namespace cupric; transposed_words<%d>(p); }\n",
                    4 / cu_dtypes[stored(key, 0)].size);
    } else if (key->layout == CUPRIC_LAYOUT_STRIDED) {
        snprintf(params, sizeof params, "cupric::strided_params<%d, %d>", nops,
                 key->rank[0]);
        cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
        cu_emit(t, "{ using namespace cupric; elementwise_strided<op, %s>(p); }\n",
                index_type(key));
    } else if (key->layout == CUPRIC_LAYOUT_ROWS) {
        if (key->flags & CUPRIC_KEY_MASKED) return 0;
        cu_cuda_vector_size(key, &vector, &unroll);
        snprintf(params, sizeof params, "cupric::strided_params<%d, %d>", nops,
                 key->rank[0]);
        cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
        cu_emit(t, "{ using namespace cupric; elementwise_rows<op, %d, %d, %s>(p); }\n",
                unroll, vector, index_type(key));
    } else {
        cu_cuda_vector_size(key, &vector, &unroll);
        snprintf(params, sizeof params, "cupric::dense_params<%d>", nops);
        cu_emit_kernel(t, 0, CUPRIC_BLOCK, params);
        cu_emit(t, "{ using namespace cupric; elementwise_dense<op, %d, %d>(p); }\n",
                unroll, vector);
    }
    return 1;
}
