/* _choice.cuh: elements of one of several arrays each, up to CASES of them in a launch.
 * Arrays have three axes, those of the result. A thread makes a piece of one element.
 */
#include "_choice.h"

/* Where a piece lies: its row of the result, and what is of it there. */
struct Place {
    long long row, begin, end;
    cupric::extent at[3]; /* of the first element */
};

__device__ inline Place
place_of_piece(long long piece, const choice_pieces &p)
{
    const long long runs = p.run == 1 ? p.m2 : (p.m2 + p.run - 1) / p.run;
    const long long row = cupric::quotient(piece, runs),
                    one = cupric::quotient(row, p.m1);
    const long long begin = (piece - row * runs) * p.run;
    const long long end = begin + p.run < p.m2 ? begin + p.run : p.m2;
    return {row, begin, end, {one, row - one * p.m1, begin}};
}

/* out = x_k, k the first of the conditions c that holds, or x_DEFAULT where none does.
 * Launch: elements(p.pieces). */
template <class T>
__global__ void
select_first(T *out, choice_pieces p, choice_cases cases, Views<bool, 3, CASES> c,
             Views<T, 3, CASES + 1> x,
             const __grid_constant__ choice_numbers<T> numbers)
{
    CUPRIC_EACH (piece, p.pieces) {
        const Place place = place_of_piece(piece, p);
        int k = 0;
        /* A bool may be any byte. */
        while (k < cases.count && *(const unsigned char *)&c[k][place.at] == 0) k++;
        if (k == cases.count) k = DEFAULT;
        out[piece] = cases.values >> k & 1 ? numbers.at[k] : x[k][place.at];
    }
}

/* Which of n arrays a number chooses; -1 where it may not. */
__device__ inline long long
number_of(long long which, const choice_range &r)
{
    if (which >= 0 && which < r.n) return which;
    if (r.mode == CHOICE_RAISE) return -1;
    if (r.mode == CHOICE_CLIP) return which < 0 ? 0 : r.n - 1;
    const long long rest = which % r.n;
    return rest < 0 ? rest + r.n : rest;
}

/* out = x_k where `which` chooses array r.first + k, k one of r.count; else it stays.
 * *is_outside = 1 where a number chooses none. Launch: elements(p.pieces). */
template <class I, class T>
__global__ void
choose_from(T *out, int *is_outside, choice_pieces p, choice_range r, View<I, 3> which,
            Views<T, 3, CASES> x)
{
    CUPRIC_EACH (piece, p.pieces) {
        const Place place = place_of_piece(piece, p);
        const long long i = number_of((long long)which[place.at], r), k = i - r.first;
        if (i < 0) *is_outside = 1;
        if (i >= 0 && k >= 0 && k < r.count) out[piece] = x[(int)k][place.at];
    }
}
