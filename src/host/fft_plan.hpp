/* host/fft_plan.hpp: what a transform of a length needs, made once and kept.
 *
 *   lanes      the passes of the whole length
 *   one row    n = a b: those of both, and the twist between them
 *   a large prime in n: a convolution with a chirp, after Bluestein, by transforms of a
 *              length of small primes
 */
#ifndef CUPRIC_HOST_FFT_PLAN_HPP
#define CUPRIC_HOST_FFT_PLAN_HPP

#include <new>
#include <pthread.h>

#include "host/fft_passes.hpp"
#include "host/threads.h"

namespace {

constexpr int64_t LONGEST_COLUMN = 1 << 14; /* points of rows that are neighbours */

/* What is multiplied by roots beside the complex transform, of h points. */
enum twists {
    NO_TWISTS,
    OF_PAIRS,           /* a real transform of 2h points */
    OF_COSINES,         /* types 2 and 3 of 2h points */
    OF_COSINES_ODD,     /* types 2 and 3 of h points */
    OF_COSINES_OF_PAIRS /* type 4 of 2h points */
};

/* A complex transform of length n, by one way at least. */
template <class F>
struct plan {
    int owners = 1;
    int64_t n = 0;         /* complex points */
    bool has_line = false; /* `whole` is made */
    line_plan<F> whole;
    int64_t a = 0, b = 0; /* of one row: n = a b; 0: not so */
    line_plan<F> of_a, of_b;
    memory<lanes<F>> spread;         /* root(k l, n), l the lane, k < a */
    memory<point<double>> high, low; /* root((k << bits) | j) = high[k] low[j] */
    int bits = 0;
    memory<point<F>> twice; /* root(k, 2n), k <= n: of real rows */
    memory<point<F>> turns; /* of cosines: fft_dct.hpp */
    shared<plan> chirp;     /* of Bluestein's convolution */
    memory<point<F>> chirps, kernel;

    bool make(int64_t length, twists which);
    bool make_turns(int64_t count, int64_t stride, int64_t offset, int64_t of);
    bool make_halves();
    bool make_chirp();

    /* root(e, n), e < n */
    point<F> turn(int64_t e) const
    {
        const point<double> x = high[e >> bits] * low[e & ((1 << bits) - 1)];
        return {(F)x.re, (F)x.im};
    }
};

int64_t
without_small_primes(int64_t n)
{
    for (int p = 2; p <= LARGEST_RADIX; p++) {
        while (n % p == 0) n /= p;
    }
    return n;
}

/* The smallest length from n on of primes up to 5. */
int64_t
good_length(int64_t n)
{
    int64_t best = INT64_MAX;
    for (int64_t five = 1; five < best; five *= 5) {
        for (int64_t three = five; three < best; three *= 3) {
            int64_t two = three;
            while (two < n) two *= 2;
            if (two < best) best = two;
            if (three >= n) break;
        }
        if (five >= n) break;
    }
    return best;
}

template <class F>
bool
plan<F>::make_halves()
{
    constexpr int L = vectors<F>::L;
    for (int64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) a = d;
    }
    if (a < 4) {
        a = 0;
        return true;
    }
    b = n / a;
    while ((int64_t)1 << (2 * bits) < n) bits++;
    const int64_t nlow = (int64_t)1 << bits, nhigh = (n >> bits) + 1;
    spread = memory<lanes<F>>(a);
    high = memory<point<double>>(nhigh);
    low = memory<point<double>>(nlow);
    if (!of_a.make(a) || !of_b.make(b) || !spread || !high || !low) return false;
    for (int64_t k = 0; k < nhigh; k++) high[k] = root<double>((k << bits) % n, n);
    for (int64_t k = 0; k < nlow; k++) low[k] = root<double>(k % n, n);
    for (int64_t k = 0; k < a; k++) {
        for (int l = 0; l < L; l++) {
            const point<F> w = root<F>(k * l % n, n);
            element(spread[k], 0, l) = w.re;
            element(spread[k], 1, l) = w.im;
        }
    }
    return true;
}

/* turns[k] = root(stride k + offset, of), k < count */
template <class F>
bool
plan<F>::make_turns(int64_t count, int64_t stride, int64_t offset, int64_t of)
{
    turns = memory<point<F>>(count);
    if (!turns) return false;
    for (int64_t k = 0; k < count; k++) turns[k] = root<F>(stride * k + offset, of);
    return true;
}

template <class F>
bool
plan<F>::make(int64_t length, twists which)
{
    n = length;
    if (which == OF_COSINES && !make_turns(n + 1, 1, 0, 8 * n)) return false;
    if (which == OF_COSINES_ODD && !make_turns(n / 2 + 1, 1, 0, 4 * n)) return false;
    if (which == OF_COSINES_OF_PAIRS && !make_turns(n, 8, 1, 32 * n)) return false;
    if (which == OF_PAIRS || which == OF_COSINES) {
        twice = memory<point<F>>(n + 1);
        if (!twice) return false;
        for (int64_t k = 0; k <= n; k++) twice[k] = root<F>(k, 2 * n);
    }
    if (without_small_primes(n) != 1) return make_chirp();
    if (!make_halves()) return false;
    has_line = n <= cu_host_threshold(LONGEST_COLUMN, 16) || a == 0;
    return !has_line || whole.make(n);
}

/* ---- plans that are kept --------------------------------------------------------- */

constexpr int MAX_PLANS = 24;
constexpr int64_t MAX_POINTS = 1 << 22; /* of all that are kept but the newest */

/* While it lives the lock of all kept plans is held. */
class plans_locked
{
  public:
    plans_locked() { pthread_mutex_lock(&cu_fft_plans_lock); }
    ~plans_locked() { pthread_mutex_unlock(&cu_fft_plans_lock); }
    plans_locked(const plans_locked &) = delete;
};

/* Without a destructor: threads may use plans while the process ends. */
template <class F>
struct kept_plans {
    int count;
    struct {
        twists which;
        plan<F> *p;  /* owned */
    } at[MAX_PLANS]; /* the newest first */

    void to_front_locked(int i)
    {
        for (; i > 0; i--) {
            const auto passed = at[i - 1];
            at[i - 1] = at[i];
            at[i] = passed;
        }
    }

    void drop_last_locked() { shared<plan<F>>(at[--count].p); }

    shared<plan<F>> find(int64_t n, twists which)
    {
        const plans_locked held;
        for (int i = 0; i < count; i++) {
            if (at[i].p->n != n || at[i].which != which) continue;
            to_front_locked(i);
            return shared<plan<F>>::of(at[0].p);
        }
        return shared<plan<F>>();
    }

    void keep(const shared<plan<F>> &made, twists which)
    {
        const plans_locked held;
        if (count == MAX_PLANS) drop_last_locked();
        at[count++] = {which, shared<plan<F>>(made).release()};
        to_front_locked(count - 1);
        int64_t points = 0;
        for (int i = 1; i < count; i++) {
            points += at[i].p->n;
            if (points <= MAX_POINTS) continue;
            while (count > i) drop_last_locked();
        }
    }
};

/* Of n complex points; NULL where memory lacks. */
template <class F>
shared<plan<F>>
plan_get(int64_t n, twists which)
{
    static kept_plans<F> kept;
    const shared<plan<F>> found = kept.find(n, which);
    if (found) return found;
    const shared<plan<F>> made(new (std::nothrow) plan<F>());
    if (!made || !made->make(n, which)) return shared<plan<F>>();
    kept.keep(made, which);
    return made;
}

} // namespace

#endif
