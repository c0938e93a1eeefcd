/* fork.h: locks that a child of fork finds free. */
#ifndef CUPRIC_FORK_H
#define CUPRIC_FORK_H

#include <pthread.h>

/* From now on a thread that forks holds `lock` while it does, so that the child, which has
 * that thread alone, finds it free and what it guards whole. For static locks that are
 * held briefly, without the GIL, and under which no other lock is taken: these are locked
 * last, after those of files with handlers of their own. Any thread. */
void cu_fork_hold(pthread_mutex_t *lock);

#endif
