/* math.hpp: the functions that the expressions of src/ops/ufunc.def are written in. */
#ifndef CUPRIC_MATH_HPP
#define CUPRIC_MATH_HPP

#include "cupric/math/arithmetic.hpp"
#include "cupric/math/complex.hpp"
#include "cupric/math/division.hpp"
#include "cupric/math/real.hpp"

#endif
