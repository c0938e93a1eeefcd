/* _iir.h: what kernels of recursive filters take by value. */
#ifndef CUPRIC_SIGNAL_IIR_H
#define CUPRIC_SIGNAL_IIR_H

enum { IIR_ORDERS = 8 }; /* the highest order of a scan whose state is in registers */
enum { IIR_SQUARE = IIR_ORDERS * IIR_ORDERS };

/* Places of the coefficients that `iir_powers` makes, in numbers: b[0] ... b[order], a[1]
 * ... a[order] from IIR_A, the state of a signal of ones from IIR_STEADY, what that comes
 * to at IIR_GAIN, the greatest size of an element of powers at IIR_SIZE, powers from
 * IIR_TRANSITIONS, where an element takes two. */
enum {
    IIR_A = IIR_ORDERS + 1,
    IIR_STEADY = IIR_A + IIR_ORDERS,
    IIR_GAIN = IIR_STEADY + IIR_ORDERS,
    IIR_SIZE = IIR_GAIN + 1,
    IIR_TRANSITIONS = IIR_SIZE + 1
};

/* How many coefficients b and a have, and which powers are needed; numbers from one filter
 * to the next, of b and a, and of what is made of them. */
struct iir_sizes {
    int b, a, powers;
    long long step, c_step;
};

/* Where element i of a row lies: at first + row * x_row + i, or - i where the filter goes
 * backward; results of begin <= i < end are stored. `order`: numbers of a state of zi and
 * zf, or sections, the coefficients of which are c_step numbers apart. Where `is_steady`, rows begin as if they had been their first element
 * before. */
struct iir_signal {
    long long x_first, x_row, y_first, y_row;
    long long begin, end, c_step;
    int order, is_reversed, is_steady;
};

#endif
