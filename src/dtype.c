/* dtype.c: properties of the element types, casting rules, and values by dtype.
 *
 * Casting follows NumPy. It is computed from kind and size instead of being listed: a
 * real floating type holds exactly the integers that fit its significand (NumPy counts
 * 64-bit integers as fitting float64), and everything else follows from that.
 */
#include "dtype.h"

#include <string.h>

cu_dtype_info cu_dtypes[CUPRIC_MAX_DTYPES] = {
#define DTYPE(NAME, name, ch, ctype, size, kind) {#name, #ctype, ch, kind, size},
#include "dtypes.def"
#undef DTYPE
};

cu_dtype
cu_dtype_register(const char *name, char kind, int size)
{
    static int next = CUPRIC_OPAQUE;

    if (next == CUPRIC_MAX_DTYPES) return CUPRIC_NO_DTYPE;
    cu_dtypes[next] = (cu_dtype_info){name, "void", 'V', kind, size};
    return (cu_dtype)next++;
}

cu_dtype
cu_dtype_from_letter(char letter)
{
    for (int t = 0; t < CUPRIC_N_DTYPES; t++) {
        if (cu_dtypes[t].letter == letter) return (cu_dtype)t;
    }
    /* NumPy has two letters for 64-bit integers where long and long long agree. */
    if (letter == 'q') return CUPRIC_INT64;
    if (letter == 'Q') return CUPRIC_UINT64;
    return CUPRIC_NO_DTYPE;
}

/* ---- casting ----------------------------------------------------------------------- */

static int
kind_rank(char kind)
{
    return kind == 'b' ? 0 : kind == 'u' ? 1 : kind == 'i' ? 2 : kind == 'f' ? 3 : 4;
}

static bool
integer_fits(cu_dtype from, cu_dtype to)
{
    int from_size = cu_itemsize(from), to_size = cu_itemsize(to);

    if (cu_dtypes[to].kind == cu_dtypes[from].kind) return from_size <= to_size;
    return cu_dtypes[to].kind == 'i' && from_size < to_size;
}

/* Whether real floating type `to` holds every value of the bool, integer or floating
 * type `from`. */
static bool
real_fits(cu_dtype from, cu_dtype to)
{
    int from_size = cu_itemsize(from), to_size = cu_itemsize(to);

    if (from == to) return true;
    if (cu_dtypes[from].kind == 'f') return from_size < to_size;
    if (to_size == 8) return true;
    return from_size < to_size;
}

bool
cu_can_cast_safely(cu_dtype from, cu_dtype to)
{
    char from_kind = cu_dtypes[from].kind, to_kind = cu_dtypes[to].kind;

    if (from == to) return true;
    if (cu_is_opaque(from) || cu_is_opaque(to)) return false;
    if (from_kind == 'b') return true;
    if (kind_rank(from_kind) > kind_rank(to_kind)) return false;
    if (to_kind == 'c') {
        if (from_kind == 'c') return cu_itemsize(from) <= cu_itemsize(to);
        return real_fits(from,
                         to == CUPRIC_COMPLEX64 ? CUPRIC_FLOAT32 : CUPRIC_FLOAT64);
    }
    return to_kind == 'f' ? real_fits(from, to) : integer_fits(from, to);
}

bool
cu_can_cast_same_kind(cu_dtype from, cu_dtype to)
{
    if (cu_is_opaque(from) || cu_is_opaque(to)) return from == to;
    return kind_rank(cu_dtypes[from].kind) <= kind_rank(cu_dtypes[to].kind);
}

cu_dtype
cu_promote(cu_dtype a, cu_dtype b)
{
    if (a == b) return a;
    if (cu_is_opaque(a) || cu_is_opaque(b)) return CUPRIC_NO_DTYPE;
    for (int t = 0; t < CUPRIC_N_DTYPES; t++) {
        if (cu_can_cast_safely(a, (cu_dtype)t) && cu_can_cast_safely(b, (cu_dtype)t)) {
            return (cu_dtype)t;
        }
    }
    return CUPRIC_COMPLEX128; /* unreachable: complex128 takes everything */
}

cu_dtype
cu_leading(cu_dtype a, cu_dtype b)
{
    const int higher = kind_rank(cu_dtypes[b].kind) - kind_rank(cu_dtypes[a].kind);

    if (higher == 0) return cu_itemsize(b) > cu_itemsize(a) ? b : a;
    return higher > 0 ? b : a;
}

/* ---- half precision ---------------------------------------------------------------- */

/* Round |x| to a binary float of `exponent_bits` and `fraction_bits`, ties to even. */
static uint16_t
small_float_from_double(double x, int exponent_bits, int fraction_bits)
{
    uint64_t bits;
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint16_t infinity = (uint16_t)(((1 << exponent_bits) - 1) << fraction_bits);
    uint16_t sign;
    uint64_t fraction, rest, half;
    int exponent, drop;

    memcpy(&bits, &x, sizeof bits);
    sign = (uint16_t)(bits >> 48 & 0x8000);
    exponent = (int)(bits >> 52 & 0x7ff);
    fraction = bits & 0xfffffffffffff;
    if (exponent == 0x7ff) {
        uint16_t payload = (uint16_t)(fraction >> (52 - fraction_bits));
        if (fraction && !payload) payload = 1;
        return (uint16_t)(sign | infinity | payload);
    }
    if (exponent == 0) return sign; /* a subnormal double is far below the smallest */
    exponent += bias - 1023;
    if (exponent >= (1 << exponent_bits) - 1) return (uint16_t)(sign | infinity);
    drop = 52 - fraction_bits;
    if (exponent <= 0) { /* subnormal result: the leading one becomes explicit */
        fraction |= (uint64_t)1 << 52;
        drop += 1 - exponent;
        exponent = 0;
        if (drop > 53) return sign;
    }
    rest = fraction & (((uint64_t)1 << drop) - 1);
    half = (uint64_t)1 << (drop - 1);
    fraction = (fraction >> drop) + ((uint64_t)exponent << fraction_bits);
    /* A carry out of the fraction moves into the exponent, and from the largest finite
     * number to infinity, as it should. */
    if (rest > half || (rest == half && (fraction & 1))) fraction++;
    return (uint16_t)(sign | fraction);
}

static double
small_float_to_double(uint16_t h, int exponent_bits, int fraction_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = h >> fraction_bits & ((1 << exponent_bits) - 1);
    uint64_t fraction = h & ((1u << fraction_bits) - 1);
    uint64_t bits = (uint64_t)(h & 0x8000) << 48;
    double x;

    if (exponent == (1 << exponent_bits) - 1) {
        bits |= (uint64_t)0x7ff << 52 | fraction << (52 - fraction_bits);
    } else if (exponent) {
        bits |= (uint64_t)(exponent - bias + 1023) << 52;
        bits |= fraction << (52 - fraction_bits);
    } else if (fraction) {
        int shift = 0;
        while (!(fraction >> fraction_bits)) {
            fraction <<= 1;
            shift++;
        }
        fraction &= (1u << fraction_bits) - 1;
        bits |= (uint64_t)(1 - shift - bias + 1023) << 52;
        bits |= fraction << (52 - fraction_bits);
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint16_t
cu_half_from_double(double x)
{
    return small_float_from_double(x, 5, 10);
}

double
cu_half_to_double(uint16_t h)
{
    return small_float_to_double(h, 5, 10);
}

uint16_t
cu_bfloat16_from_double(double x)
{
    return small_float_from_double(x, 8, 7);
}

double
cu_bfloat16_to_double(uint16_t h)
{
    return small_float_to_double(h, 8, 7);
}

/* ---- one value of any dtype -------------------------------------------------------- */

static void
set_real(unsigned char *out, cu_dtype t, double x)
{
    float f = (float)x;
    uint16_t h;

    switch (t) {
    case CUPRIC_FLOAT16:
        h = cu_half_from_double(x);
        memcpy(out, &h, 2);
        break;
    case CUPRIC_BFLOAT16:
        h = cu_bfloat16_from_double(x);
        memcpy(out, &h, 2);
        break;
    case CUPRIC_FLOAT32: memcpy(out, &f, 4); break;
    default: memcpy(out, &x, 8); break;
    }
}

static double
get_real(const unsigned char *in, cu_dtype t)
{
    float f;
    double d;
    uint16_t h;

    switch (t) {
    case CUPRIC_FLOAT16: memcpy(&h, in, 2); return cu_half_to_double(h);
    case CUPRIC_BFLOAT16: memcpy(&h, in, 2); return cu_bfloat16_to_double(h);
    case CUPRIC_FLOAT32: memcpy(&f, in, 4); return f;
    default: memcpy(&d, in, 8); return d;
    }
}

/* The low bytes of an integer, on either byte order. */
static void
set_integer(cu_scalar *out, cu_dtype t, uint64_t value)
{
    uint8_t v8 = (uint8_t)value;
    uint16_t v16 = (uint16_t)value;
    uint32_t v32 = (uint32_t)value;

    switch (cu_itemsize(t)) {
    case 1: memcpy(out->bytes, &v8, 1); break;
    case 2: memcpy(out->bytes, &v16, 2); break;
    case 4: memcpy(out->bytes, &v32, 4); break;
    default: memcpy(out->bytes, &value, 8); break;
    }
}

void
cu_scalar_set_int(cu_scalar *out, cu_dtype t, int64_t value)
{
    memset(out, 0, sizeof *out);
    switch (cu_dtypes[t].kind) {
    case 'b': out->b = value != 0; break;
    case 'i':
    case 'u': set_integer(out, t, (uint64_t)value); break;
    default:
        /* Straight to float: by way of double it would round twice. */
        if (t == CUPRIC_FLOAT32 || t == CUPRIC_COMPLEX64) {
            out->f = (float)value;
        } else {
            cu_scalar_set_complex(out, t, (double)value, 0);
        }
    }
}

void
cu_scalar_set_uint(cu_scalar *out, cu_dtype t, uint64_t value)
{
    memset(out, 0, sizeof *out);
    switch (cu_dtypes[t].kind) {
    case 'b': out->b = value != 0; break;
    case 'i':
    case 'u': set_integer(out, t, value); break;
    default:
        if (t == CUPRIC_FLOAT32 || t == CUPRIC_COMPLEX64) {
            out->f = (float)value;
        } else {
            cu_scalar_set_complex(out, t, (double)value, 0);
        }
    }
}

/* A double as an integer without undefined behaviour: truncated; out of range and NaN
 * give what x86 gives, the smallest int64, except that uint64's upper half is kept. */
static uint64_t
integer_from_double(double x)
{
    if (x >= -9223372036854775808.0 && x < 9223372036854775808.0) {
        return (uint64_t)(int64_t)x;
    }
    if (x > 0 && x < 18446744073709551616.0) return (uint64_t)x;
    return (uint64_t)1 << 63;
}

void
cu_scalar_set_complex(cu_scalar *out, cu_dtype t, double re, double im)
{
    memset(out, 0, sizeof *out);
    switch (cu_dtypes[t].kind) {
    case 'b': out->b = re != 0 || im != 0; break;
    case 'i':
    case 'u': set_integer(out, t, integer_from_double(re)); break;
    case 'f': set_real(out->bytes, t, re); break;
    default: {
        cu_dtype part = t == CUPRIC_COMPLEX64 ? CUPRIC_FLOAT32 : CUPRIC_FLOAT64;
        set_real(out->bytes, part, re);
        set_real(out->bytes + cu_itemsize(part), part, im);
    }
    }
}

static uint64_t
get_integer(const cu_scalar *s, cu_dtype t)
{
    bool negative = cu_dtypes[t].kind == 'i';
    uint16_t v16;
    uint32_t v32;
    uint64_t v64;

    switch (cu_itemsize(t)) {
    case 1: return negative ? (uint64_t)(int8_t)s->bytes[0] : s->bytes[0];
    case 2: memcpy(&v16, s->bytes, 2); return negative ? (uint64_t)(int16_t)v16 : v16;
    case 4: memcpy(&v32, s->bytes, 4); return negative ? (uint64_t)(int32_t)v32 : v32;
    default: memcpy(&v64, s->bytes, 8); return v64;
    }
}

double
cu_scalar_get_double(const cu_scalar *s, cu_dtype t, double *im)
{
    if (im) *im = 0;
    switch (cu_dtypes[t].kind) {
    case 'b': return s->b;
    case 'i': return (double)(int64_t)get_integer(s, t);
    case 'u': return (double)get_integer(s, t);
    case 'f': return get_real(s->bytes, t);
    default: {
        cu_dtype part = t == CUPRIC_COMPLEX64 ? CUPRIC_FLOAT32 : CUPRIC_FLOAT64;
        if (im) *im = get_real(s->bytes + cu_itemsize(part), part);
        return get_real(s->bytes, part);
    }
    }
}

int64_t
cu_scalar_get_int(const cu_scalar *s, cu_dtype t)
{
    switch (cu_dtypes[t].kind) {
    case 'b': return s->b;
    case 'i':
    case 'u': return (int64_t)get_integer(s, t);
    default: return (int64_t)integer_from_double(cu_scalar_get_double(s, t, NULL));
    }
}
