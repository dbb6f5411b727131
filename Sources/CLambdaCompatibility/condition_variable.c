// AWS Lambda's system has the C++ library of GCC 11. GCC 12 gave std::condition_variable::wait a new symbol version, and
// a program that is linked on a newer system does not start there. This definition is used instead, and has the same
// effect: both classes begin with the C library's object, and the lock with a pointer to its mutex. Foundation's ICU
// calls it.
#if defined(__linux__)
#include <pthread.h>

struct unique_lock {
    pthread_mutex_t *mutex;
};

void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(pthread_cond_t *condition, struct unique_lock *lock) {
    pthread_cond_wait(condition, lock->mutex);
}
#endif
