/* _iir.h: what kernels of recursive filters take by value. */

enum { IIR_ORDERS = 8 }; /* the highest order */
enum { IIR_SQUARE = IIR_ORDERS * IIR_ORDERS };

/* Places of the coefficients that `iir_powers` makes, in numbers: b[0] ... b[order], a[1]
 * ... a[order] from IIR_A, powers from IIR_TRANSITIONS, where an element takes two. */
enum { IIR_A = IIR_ORDERS + 1, IIR_TRANSITIONS = 2 * IIR_ORDERS + 2 };

/* How many coefficients b and a have, and which powers are needed. */
struct iir_sizes {
    int b, a, powers;
};
