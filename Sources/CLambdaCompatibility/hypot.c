// AWS Lambda's system has glibc 2.34. glibc 2.35 gave hypot and hypotf new symbol versions, and a program that is linked
// on a newer system asks for those and does not start there. These definitions are used instead. RealModule refers to
// both, and nothing here calls them.
#if defined(__linux__)
#include <math.h>

// Of a wider type, in which no intermediate result overflows.
double hypot(double x, double y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (double)sqrtl((long double)x * x + (long double)y * y);
}

float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * x + (double)y * y);
}
#endif
