/* cuda/general.c: see general.h. A signature is computed in the one that
 * cu_cuda_wide_signature gives. Where elements are stored in a third dtype they go by way
 * of the given one, so that they are rounded and wrapped as there.
 */
#include "cuda/general.h"

#include <string.h>

#include "cuda/graph.h"
#include "cuda/memory.h"
#include "cuda/nvrtc.h"
#include "cuda/services.h"

#define CHUNK (1 << 18) /* elements: what is between two launches stays in the cache */
#define ALIGNMENT 256   /* of scratch memory */
#define WIDEST 16       /* bytes of an element */
#define SIZES 5         /* of elements: 1, 2, 4, 8, 16 */

/* How a signature is computed. */
typedef struct plan {
    int nin, nout;
    cu_dtype given[CUPRIC_MAXSIGNATURE], wide[CUPRIC_MAXSIGNATURE];
    cu_kernel_key key;         /* of the operation on dense arrays of `wide` */
    const cu_kernels *kernels; /* its own */
} plan;

/* Elements [first, first + n) of an iteration. */
typedef struct chunk {
    const cu_iter *it;
    cu_stream *s;
    int64_t first, n;
    int64_t steps[SIZES]
                 [CUPRIC_MAXDIMS]; /* strides in C order, by the size of elements */
} chunk;

/* What a conversion reads or writes: an operand, or scratch memory in C order. */
typedef struct end {
    cu_slot slot;
    cu_dtype dtype;
    bool immediate;
    const int64_t *strides;
} end;

/* ---- what there are kernels for --------------------------------------------------------- */

static cu_kernel_key
conversion_key(cu_dtype to)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    key.op = CUPRIC_OP_CONVERT;
    key.layout = CUPRIC_LAYOUT_ANY;
    key.type[1] = (uint8_t)to;
    return key;
}

static bool
converts_to(cu_dtype to, const cu_stream *s)
{
    const cu_kernel_key key = conversion_key(to);
    const cu_kernels *found;
    return !cu_kernels_find(&key, s, &found) && found;
}

/* Whether all that the operation is made of comes compiled. */
static bool
make_plan(const cu_kernel_key *key, const cu_stream *s, plan *p)
{
    static const uint8_t layouts[] = {CUPRIC_LAYOUT_DENSE, CUPRIC_LAYOUT_SINGLE};
    const cu_cuda_row *row = cu_cuda_row_get(key->op);
    const int wide = cu_cuda_wide_signature(key->op, key->sig);

    if (!row || !cu_cuda_signature(key->op, key->sig, p->given)) return false;
    cu_cuda_signature(key->op, wide, p->wide);
    p->nin = row->nin;
    p->nout = row->nout;
    p->key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    p->key.op = key->op;
    p->key.sig = (uint8_t)wide;
    for (int k = 0; k < p->nin + p->nout; k++) p->key.type[k] = (uint8_t)p->wide[k];
    for (int i = 0; i < 2; i++) {
        p->key.layout = layouts[i];
        if (cu_kernels_find(&p->key, s, &p->kernels)) return false;
        if (p->kernels) return true;
    }
    return false;
}

static bool
is_possible(const cu_kernel_key *key, const cu_iter *it, const cu_stream *s)
{
    const int nstored = it->nops - it->masked;
    plan p;

    if (key->op == CUPRIC_OP_CONVERT) return converts_to(it->op[1].dtype, s);
    if (!make_plan(key, s, &p)) return false;
    for (int k = 0; k < nstored; k++) {
        if (!converts_to(p.given[k], s) || !converts_to(p.wide[k], s)) return false;
        if (k >= p.nin && !converts_to(it->op[k].dtype, s)) return false;
    }
    return true;
}

static bool
has_compiler(void)
{
    static int known = -1; /* a race would find the same */

    if (known < 0) known = cu_cuda_nvrtc_version() != 0;
    return known;
}

/* Whether CUPRIC_COMPILE says `now`. */
static bool
compiles_now(void)
{
    static int known = -1; /* as there */

    if (known < 0) {
        const char *said = cu_cuda_services->setting("CUPRIC_COMPILE");
        known = said && *said == 'n';
    }
    return known;
}

/* Whether nothing is waited for that has to be compiled. What is captured runs often: there
 * it is compiled, if it can be. */
static bool
goes_without(const cu_stream *s)
{
    const bool waits = compiles_now() || cu_cuda_is_captured(cu_cuda_stream(s));
    return !waits || !has_compiler();
}

bool
cu_general_serves(bool exact, const cu_stream *s)
{
    return exact ? goes_without(s) : !has_compiler();
}

cu_status
cu_general_kernels(const cu_kernel_key *key, const cu_iter *it, const cu_stream *s,
                   const cu_kernels **out)
{
    cu_status st = cu_kernels_find(key, s, out);
    if (CUPRIC_LIKELY(st || *out)) return st;
    if (!goes_without(s) || !is_possible(key, it, s))
        return cu_kernels_get(key, s, out);
    cu_kernels_order(key, s);
    return CUPRIC_OK;
}

/* ---- conversions ------------------------------------------------------------------------ */

static int
size_index(cu_dtype t)
{
    return __builtin_ctz((unsigned)cu_itemsize(t));
}

static void
find_steps(chunk *c)
{
    for (int i = 0; i < SIZES; i++) {
        int64_t step = INT64_C(1) << i;
        for (int d = c->it->ndim - 1; d >= 0; d--) {
            c->steps[i][d] = step;
            step *= c->it->shape[d];
        }
    }
}

static end
operand_end(const cu_operand *op)
{
    static const int64_t none[CUPRIC_MAXDIMS];
    return (end){cu_slot_of(op), op->dtype, op->ptr == NULL,
                 op->ptr ? op->strides : none};
}

/* Scratch memory that holds the chunk. */
static end
scratch_end(const chunk *c, const char *at, cu_dtype dtype)
{
    const uintptr_t origin = (uintptr_t)at - (uintptr_t)(c->first * cu_itemsize(dtype));
    return (end){cu_slot_at((const void *)origin), dtype, false,
                 c->steps[size_index(dtype)]};
}

static cu_status
convert(const chunk *c, const end *from, const end *to, const cu_operand *mask)
{
    static const int64_t none[CUPRIC_MAXDIMS];
    const cu_kernel_key key = conversion_key(to->dtype);
    const int64_t *const strides[] = {from->strides, to->strides,
                                      mask ? mask->strides : none};
    const cu_any_head head = {
        .op = {from->slot, to->slot, mask ? cu_slot_of(mask) : (cu_slot){{0, 0}}},
        .dtype = from->dtype,
        .immediate = from->immediate,
        .masked = mask != NULL,
        .first = c->first,
        .n = c->n,
    };
    const cu_kernels *kernels;
    cu_params p;
    cu_status st = cu_kernels_get(&key, c->s, &kernels);

    if (st) return st;
    cu_params_start(&p, &head, sizeof head);
    cu_params_space(&p, CUPRIC_MAXDIMS, c->it->ndim, c->it->shape, 3, strides);
    return cu_kernels_launch(kernels, 0, cu_blocks_of(c->n, 4 * CUPRIC_BLOCK), 1, &p,
                             c->s);
}

/* By way of a third dtype, in `between`, unless that loses nothing on the way. */
static cu_status
convert_by(const chunk *c, const end *from, cu_dtype way, const char *between,
           const end *to, const cu_operand *mask)
{
    const end middle = scratch_end(c, between, way);
    cu_status st;

    if (way == from->dtype || way == to->dtype) return convert(c, from, to, mask);
    st = convert(c, from, &middle, NULL);
    return st ? st : convert(c, &middle, to, mask);
}

/* ---- the operation ---------------------------------------------------------------------- */

/* Whether the operation can read or write the operand where it is. */
static bool
is_as_computed(const plan *p, const cu_iter *it, int k)
{
    const cu_operand *op = &it->op[k];
    return op->ptr && it->contiguous && op->dtype == p->wide[k] &&
           p->given[k] == p->wide[k] && (uintptr_t)op->ptr % 16 == 0 &&
           !(k >= p->nin && it->masked);
}

static cu_status
run_chunk(const plan *p, const chunk *c, char *const *scratch, const char *between)
{
    const cu_iter *it = c->it;
    const cu_dense_head head = {.n = c->n};
    const cu_operand *mask = it->masked ? &it->op[it->nops - 1] : NULL;
    const cu_dense_shape each = cu_cuda_dense_shape(&p->key);
    const cu_shape shape = {.blocks = cu_blocks_of(c->n, cu_elements_of_block(each)),
                            .threads = each.threads};
    cu_params params;
    cu_status st = CUPRIC_OK;

    cu_params_start(&params, &head, sizeof head);
    for (int k = 0; k < p->nin + p->nout && !st; k++) {
        const bool there = is_as_computed(p, it, k);
        const char *at =
            there ? it->op[k].ptr + c->first * cu_itemsize(p->wide[k]) : scratch[k];
        const cu_slot slot = cu_slot_at(at);
        cu_params_add(&params, &slot, sizeof slot);
        if (there || k >= p->nin) continue;
        const end from = operand_end(&it->op[k]);
        const end to = scratch_end(c, scratch[k], p->wide[k]);
        st = convert_by(c, &from, p->given[k], between, &to, NULL);
    }
    if (st) return st;
    st = cu_kernels_launch_shaped(p->kernels, 0, &shape, &params, c->s);
    for (int k = p->nin; k < p->nin + p->nout && !st; k++) {
        if (is_as_computed(p, it, k)) continue;
        const end from = scratch_end(c, scratch[k], p->wide[k]);
        const end to = operand_end(&it->op[k]);
        st = convert_by(c, &from, p->given[k], between, &to, mask);
    }
    return st;
}

/* Scratch memory for a chunk of n: of each operand that needs some, and one more. */
static size_t
divide_scratch(const plan *p, const cu_iter *it, int64_t n, char *base, char **scratch,
               char **between)
{
    size_t used = 0;
    for (int k = 0; k < p->nin + p->nout; k++) {
        const size_t nbytes = (size_t)n * (size_t)cu_itemsize(p->wide[k]);
        scratch[k] = base + used;
        if (is_as_computed(p, it, k)) continue;
        used += (nbytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    *between = base + used;
    return used + (size_t)n * WIDEST;
}

cu_status
cu_general_run(const cu_kernel_key *key, const cu_iter *it, cu_stream *s)
{
    chunk c = {.it = it, .s = s, .n = it->size};
    char *scratch[CUPRIC_MAXSIGNATURE], *between;
    void *memory;
    size_t nbytes;
    plan p;
    cu_status st;

    if (key->op == CUPRIC_OP_CONVERT) {
        const end from = operand_end(&it->op[0]), to = operand_end(&it->op[1]);
        return convert(&c, &from, &to, it->masked ? &it->op[2] : NULL);
    }
    if (!make_plan(key, s, &p))
        return cu_fail(CUPRIC_ERR_DEVICE, "the general kernels are gone");
    find_steps(&c);
    c.n = it->size < CHUNK ? it->size : CHUNK;
    nbytes = divide_scratch(&p, it, c.n, NULL, scratch, &between);
    st = cu_cuda_scratch_get(nbytes, &memory, s);
    if (st) return st;
    divide_scratch(&p, it, c.n, memory, scratch, &between);
    for (; c.first < it->size && !st; c.first += CHUNK) {
        if (c.n > it->size - c.first) c.n = it->size - c.first;
        st = run_chunk(&p, &c, scratch, between);
    }
    cu_cuda_scratch_put(memory, nbytes, s);
    return st;
}

/* ---- operands as dense arrays ----------------------------------------------------------- */

bool
cu_general_converts(cu_dtype from, cu_dtype by, cu_dtype to, const cu_stream *s)
{
    return (by == from || converts_to(by, s)) && converts_to(to, s);
}

cu_status
cu_general_gather(const cu_iter *it, int operand, cu_dtype by, cu_dtype to, char *dense,
                  char *between, cu_stream *s)
{
    chunk c = {.it = it, .s = s, .n = it->size};

    find_steps(&c);
    const end from = operand_end(&it->op[operand]), there = scratch_end(&c, dense, to);
    return convert_by(&c, &from, by, between, &there, NULL);
}

cu_status
cu_general_spread(const cu_iter *it, int operand, cu_dtype by, cu_dtype from,
                  char *dense, char *between, cu_stream *s)
{
    chunk c = {.it = it, .s = s, .n = it->size};

    find_steps(&c);
    const end there = scratch_end(&c, dense, from), to = operand_end(&it->op[operand]);
    return convert_by(&c, &there, by, between, &to, NULL);
}
