/* host/reduce_plan.hpp: one reduction made ready: its axes, kept and reduced, where its
 * operands lie, and how elements get into buffers and results out of them.
 */
#ifndef CUPRIC_HOST_REDUCE_PLAN_HPP
#define CUPRIC_HOST_REDUCE_PLAN_HPP

#include <string.h>

#include "device/axes.h"
#include "host/loops.h"
#include "host/reducer.h"

namespace cupric_reduce {

constexpr int64_t LEAF = CUPRIC_REDUCE_LEAF;
constexpr int64_t LEAF_ROWS = 64;
constexpr int MAX_ITEMSIZE = 16;

/* Less work than this, in elements, is not worth waking a thread for. */
constexpr int64_t PARALLEL_ELEMENTS = 1 << 16;

enum operand { IN0, IN1, MASK, OUT, N_OPERANDS }; /* rows of a cu_axes */
static_assert(N_OPERANDS == CUPRIC_AXES_OPERANDS, "a row for each");

/* Of the last dimension, the fastest one. */
inline int64_t
inner_length(const cu_axes &a)
{
    return a.ndim ? a.shape[a.ndim - 1] : 1;
}

inline int64_t
inner_stride(const cu_axes &a, int op)
{
    return a.ndim ? a.stride[op][a.ndim - 1] : 0;
}

/* A position in axes, moved forward along the last dimension in runs. */
struct walk {
    const cu_axes *ax;
    int64_t at[CUPRIC_MAXDIMS];
    int64_t offset[N_OPERANDS]; /* bytes from the first element */

    walk(const cu_axes *a, int64_t flat);
    int64_t run() const { return ax->ndim ? inner_length(*ax) - at[ax->ndim - 1] : 1; }
    /* Along dimension d, behind which all are at their first. */
    void step(int d, int64_t n);
    void advance(int64_t n) { step(ax->ndim - 1, n); } /* n <= run() */
};

struct plan {
    const cu_reducer *r;
    int nin;
    bool has_mask;
    bool masked;          /* elements may be left out: by the mask, or as NaN */
    bool replaces_masked; /* these are loaded as `neutral`; else they are left out */
    bool tree;            /* operands may be regrouped: there are vector kernels */
    bool direct;          /* elements are accumulators as they lie in memory */
    bool counts_columns;  /* results need to know how many elements each had */
    bool has_start;
    bool
        start_commutes; /* it is the identity; where NaNs meet, the first is the result */
    double param;
    int64_t count; /* elements for each result, where nothing is masked */
    cu_axes kept, reduced;
    char *base[N_OPERANDS];
    cu_scalar imm[2];
    cu_dtype stored[N_OPERANDS];
    int size;         /* bytes of an accumulator */
    cu_loop *load[2]; /* to what map takes, or to the accumulator */
    cu_loop *store,
        *store_2;      /* from r->out; by way of r->result where it is narrower */
    cu_scalar start;   /* in the accumulator's type */
    cu_scalar neutral; /* what changes no other value, or start does */
};

/* Buffers of one thread at work; small enough for any stack. */
struct scratch {
    alignas(64) char input[2][LEAF * MAX_ITEMSIZE];
    alignas(64) char chunk[LEAF * MAX_ITEMSIZE];
    char usable[LEAF];
    int64_t counted; /* elements that took part in the last load */
    /* Of columns whose elements are counted: [j] grows where element j took no part. */
    int64_t *missing = nullptr;
};

/* Cast n elements. */
inline void
cast(cu_loop *loop, char *dst, int64_t dst_stride, const char *src, int64_t src_stride,
     int64_t n)
{
    char *const ptr[2] = {const_cast<char *>(src), dst};
    const int64_t stride[2] = {src_stride, dst_stride};
    loop(ptr, stride, n);
}

cu_loop *cast_loop(cu_dtype from, cu_dtype to);

/* `ordered`: the elements count in the order of the reduced axes, which stay as they
 * are. */
void plan_make(plan *p, const cu_reducer *r, const cu_reduce *args, bool ordered);

/* Put the longest kept dimension last, of `least` elements or more; false where there is
 * none, and nothing done. */
bool longest_kept_to_last(plan *p, int64_t least);

/* Up to LEAF elements at ptr, `stride` bytes apart, as accumulators in dst, those that do
 * not take part replaced or left out. Returns how many they are. */
int64_t load(const plan *p, scratch *s, char *dst, char *const *ptr,
             const int64_t *stride, int64_t n);

/* A piece of the reduced elements of one result, in memory or loaded. */
struct piece {
    const char *data;
    int64_t n;       /* accumulators */
    int64_t taken;   /* elements walked over */
    int64_t counted; /* those that took part */
};

/* The next of `left` elements: one run where they lie as they are needed, else as many runs
 * as fill s->chunk. */
piece next_piece(const plan *p, scratch *s, walk *w, char *const *base, int64_t left);

/* Whether load and combine are one call, for elements as they lie. */
inline bool
can_fold(const plan *p)
{
    for (int k = 0; k < p->nin; k++) {
        if (p->stored[k] != p->r->in[k]) return false;
    }
    return p->r->fold && !p->masked &&
           (p->reduced.ndim <= 1 || inner_length(p->reduced) >= LEAF / 16);
}

/* Whether rows follow each other as elements of a row do. */
inline bool
rows_are_one_run(const plan *p)
{
    for (int op = 0; op < p->nin; op++) {
        if (inner_stride(p->kept, op) !=
            p->reduced.size * inner_stride(p->reduced, op)) {
            return false;
        }
    }
    return true;
}

/* acc = up to LEAF elements combined, where can_fold. */
inline void
fold(const plan *p, char *acc, char *const *ptr, const int64_t *stride, int64_t n)
{
    p->r->fold(acc, ptr[IN0], stride[IN0], ptr[IN1], stride[IN1], n, p->param);
}

/* Results of n <= LEAF accumulators, which are used up, each of `count` elements; of any n
 * where `out` is `acc`. */
void emit(const plan *p, char *acc, int64_t n, char *out, int64_t out_stride,
          int64_t count);

/* The same where result j lacks missing[j] of the elements; `missing` may be NULL. */
void emit_lacking(const plan *p, char *acc, int64_t n, char *out, int64_t out_stride,
                  const int64_t *missing);

/* Write n <= LEAF values of r->out that stand in `src`. */
void store_results(const plan *p, const char *src, int64_t n, char *out,
                   int64_t out_stride);

/* Where the order of the reduced elements is theirs, the place of the extreme ones
 * (reduce_position.cpp). `columns`: the last kept dimension is the fastest. */
cu_status reduce_positions(plan *p, bool columns);
/* Of a few dense rows, without a plan; false where that does not apply. */
bool reduce_short_position(const cu_reducer *r, const cu_reduce *args);

/* The entries that a leaf_stack of so many leaves may need. */
inline int
stack_depth(int64_t leaves)
{
    int depth = 2;
    for (; leaves > 1; leaves >>= 1) depth++;
    return depth;
}

/* Partial results of `width` accumulators, paired up like a binary counter: an entry is
 * the combination of 2**i leaves, in order, and no two entries are of the same
 * number. */
struct leaf_stack {
    const cu_combiner *combine;
    char *memory;
    int64_t width, nbytes; /* accumulators and bytes of an entry */
    int top;               /* entries */
    int64_t leaves;

    char *entry(int i) { return memory + i * nbytes; }
    char *next() { return entry(top); } /* where the next leaf is put before push */
    void push()
    {
        top++;
        for (int64_t bit = leaves++; bit & 1; bit >>= 1) fold();
    }
    char *result() /* of all leaves, at least one */
    {
        while (top > 1) fold();
        return memory;
    }

  private:
    void fold()
    {
        top--;
        combine->zip(entry(top - 1), entry(top), width);
    }
};

/* Whether no other element changes a result. */
bool is_absorbed(const plan *p, const char *acc);

/* acc = reduced elements [begin, end) of the result at base, in leaves; returns how
 * many took part. If none, acc is untouched. Needs p->tree. */
int64_t reduce_tree(const plan *p, scratch *s, char *const *base, int64_t begin,
                    int64_t end, char *acc);
/* The same strictly from left to right, after the start if there is one. */
int64_t reduce_run(const plan *p, scratch *s, char *const *base, int64_t begin,
                   int64_t end, char *acc);

/* Buffers of one thread: a stack of tiles and, where elements have to be loaded, rows, and
 * where they are counted, how many each column lacks. */
struct column_buffers {
    scratch s;
    char *stack, *rows;
    int64_t *missing; /* or NULL */
};

/* For tiles of so many columns and at most `rows` rows; free with free. NULL: no
 * memory. */
column_buffers *column_buffers_new(const plan *p, int64_t width, int64_t rows);

/* The results of `width` columns from base on, over reduced rows [first, last),
 * in leaves. In the buffers. Needs p->tree. */
char *tile_tree(const plan *p, column_buffers *b, char *const *base, int64_t width,
                int64_t first, int64_t last);
/* The same strictly in order: row after row onto the start. */
char *tile_run(const plan *p, column_buffers *b, char *const *base, int64_t width,
               int64_t first, int64_t last);

} /* namespace cupric_reduce */
#endif
