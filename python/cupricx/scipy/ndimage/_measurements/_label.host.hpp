/* _label.host.hpp: members of sets are runs of elements; a piece is a share of the rows. */

/* The rows of a piece. */
struct rows_of_piece {
    long long first, end;

    rows_of_piece(long long piece, const label_sizes &s)
        : first(cupric::share_of(s.rows, (unsigned)piece, (unsigned)s.pieces)),
          end(cupric::share_of(s.rows, (unsigned)piece + 1, (unsigned)s.pieces))
    {
    }
};

/* The runs of a row. */
template <class U, class T>
inline long long
find_runs(const U *p, U mask, long long n, bool linked, T *edge)
{
    enum { BITS = 64 };
    long long k = 0;
    unsigned long long before = 0;

    for (long long j = 0; j < n; j += BITS) {
        const int count = n - j < BITS ? (int)(n - j) : (int)BITS;
        unsigned char is[BITS] = {0};
        if (count == BITS) {
            for (int c = 0; c < BITS; c++) is[c] = (p[j + c] & mask) != 0;
        } else {
            for (int c = 0; c < count; c++) is[c] = (p[j + c] & mask) != 0;
        }
        unsigned long long bits = 0;
        for (int c = 0; c < BITS; c += 8) {
            unsigned long long v;
            __builtin_memcpy(&v, is + c, 8);
            bits |= (v * 0x0102040810204080ull >> 56) << c; /* bit k: byte k */
        }
        if (linked) {
            unsigned long long ends = bits ^ (bits << 1 | before);
            before = bits >> 63;
            for (; ends; ends &= ends - 1) edge[k++] = (T)(j + __builtin_ctzll(ends));
        } else {
            for (; bits; bits &= bits - 1, k += 2) {
                edge[k] = (T)(j + __builtin_ctzll(bits));
                edge[k + 1] = edge[k] + 1;
            }
        }
    }
    if (before) edge[k++] = (T)n;
    return k;
}

/* Joins the runs of two rows that a link connects, alone or beside others. */
template <bool ALONE, class T>
inline void
merge_rows(T *parent, const T *edges, const T *counts, long long row, long long to,
           long long lo, long long hi, long long width, long long gap)
{
    enum { PAIRS = 512 };
    const long long na = counts[row], nb = counts[to];
    const T *const a = edges + row * width, *const b = edges + to * width;
    const long long own = row * (width / 2 - 1), other = to * (width / 2 - 1);

    T mine[PAIRS], theirs[PAIRS];

    for (long long p = 0, q = 0; p < na && q < nb;) {
        int pairs = 0; /* found first, without branches: any may touch */
        while (p < na && q < nb && pairs < PAIRS) {
            const bool touch = (b[q + 1] > a[p] + lo) & (b[q] < a[p + 1] + hi);
            const bool done = b[q + 1] + gap >= a[p + 1] + hi;
            mine[pairs] = (T)(own + p / 2);
            theirs[pairs] = (T)(other + q / 2);
            pairs += touch;
            p += 2 * (long long)done;
            q += 2 - 2 * (long long)done;
        }
        for (int k = 0; k < pairs; k++) {
            if (ALONE) {
                cupric::join_sets_alone(parent, mine[k], theirs[k]);
            } else {
                cupric::join_sets(parent, mine[k], theirs[k]);
            }
        }
    }
}

template <class U, class T>
__global__ void
label_runs(const U *x, T *parent, T *edges, T *counts, const long long *facts,
           label_sizes s)
{
    const U mask = (U)s.mask;
    const long long most = s.width / 2 - 1;

    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        const rows_of_piece own(piece, s);
        for (long long row = own.first; row < own.end; row++) {
            T *const runs = parent + row * most;
            const long long k =
                find_runs(x + row * s.n, mask, s.n, s.linked, edges + row * s.width);
            counts[row] = (T)k;
            for (long long r = 0; r < k / 2; r++) runs[r] = (T)(row * most + r);
            for (int l = 0; l < s.nlinks && k > 0; l++) {
                const long long *link = facts + s.ndim + (long long)l * (s.ndim + 1);
                const long long to = linked_row(row, link, facts, s.ndim);
                if (to < own.first) continue;
                merge_rows<true>(parent, edges, counts, row, to, link[s.ndim - 1],
                                 link[s.ndim], s.width, s.linked);
            }
        }
    }
}

template <class T>
__global__ void
label_merge(T *parent, const T *edges, const T *counts, const long long *facts,
            label_sizes s)
{
    const int ndim = s.ndim;

    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        const rows_of_piece own(piece, s);
        for (int l = 0; l < s.nlinks; l++) {
            const long long *link = facts + ndim + (long long)l * (ndim + 1);
            long long behind = 0, stride = 1; /* rows that lie between the two */
            for (int d = ndim - 2; d >= 0; d--) {
                behind -= link[d] * stride;
                stride *= facts[d];
            }
            for (long long row = own.first; row < own.end && row < own.first + behind;
                 row++) {
                const long long to = linked_row(row, link, facts, ndim);
                if (to < 0 || counts[row] == 0) continue;
                merge_rows<false>(parent, edges, counts, row, to, link[ndim - 1],
                                  link[ndim], s.width, s.linked);
            }
        }
    }
}

template <class T>
__global__ void
label_count(T *parent, T *edges, const T *counts, T *found, label_sizes s)
{
    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        const rows_of_piece rows(piece, s);
        T roots = 0;
        for (long long row = rows.first; row < rows.end; row++) {
            const T first = (T)(row * (s.width / 2 - 1)), count = counts[row] / 2;
            const T *const own = parent + first;
            for (T r = 0; r < count; r++) roots += own[r] == first + r;
        }
        found[piece + 1] = roots;
        if (piece == 0) found[0] = 0;
    }
}

template <class T>
__global__ void
label_sums(T *found, long long n)
{
    CUPRIC_EACH_BLOCK (one, 1) {
        T sum = 0;
        for (long long k = 0; k < n; k++) found[k] = sum = (T)(sum + found[k]);
    }
}

template <class T>
__global__ void
label_number(T *parent, const T *edges, const T *counts, const T *found, label_sizes s)
{
    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        const rows_of_piece rows(piece, s);
        const T start = (T)(rows.first * (s.width / 2 - 1));
        T number = found[piece];
        for (long long row = rows.first; row < rows.end; row++) {
            const T first = (T)(row * (s.width / 2 - 1)), count = counts[row] / 2;
            for (T r = first; r < first + count; r++) {
                /* Parents come before: one in the piece has its number. Without
                 * branches, as any may be a root. */
                const T p = parent[r], known = parent[p < start ? r : p];
                const T root = p == r;
                number += root;
                parent[r] = known ^ ((known ^ (-1 - number)) & -root);
            }
        }
    }
}

/* out[at] ... out[end - 1], and what follows in the row of n, which is written later: most
 * runs take one step. */
template <class T>
inline void
fill_to(T *out, long long at, long long end, long long n, T value)
{
    enum { STEP = 8 };
    for (; at < end && at + STEP <= n; at += STEP) {
        for (int c = 0; c < STEP; c++) out[at + c] = value;
    }
    for (; at < end; at++) out[at] = value;
}

template <class T>
__global__ void
label_write(const T *parent, const T *edges, const T *counts, T *y, label_sizes s)
{
    const long long n = s.n, width = s.width;

    CUPRIC_EACH_BLOCK (row, s.rows) {
        const T *const edge = edges + row * width, *const own =
                                                       parent + row * (width / 2 - 1);
        T *const out = y + row * n;
        long long at = 0;
        for (long long k = 0; k < counts[row]; k += 2) {
            T p = own[k / 2];
            while (p >= 0) p = parent[p];
            fill_to(out, at, (long long)edge[k], n, (T)0);
            fill_to(out, (long long)edge[k], (long long)edge[k + 1], n, -1 - p);
            at = edge[k + 1];
        }
        fill_to(out, at, n, n, (T)0);
    }
}
