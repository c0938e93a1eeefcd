/* fork.c: see fork.h.
 *
 * What pthread_atfork runs before a fork it runs in the order opposite to registration:
 * the registry enters itself as this library is loaded, before anybody else.
 */
#include "fork.h"

#include <assert.h>

#define MAX_LOCKS 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list; taken first */
static pthread_mutex_t *held[MAX_LOCKS];
static int n_held;

static void
before_fork(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_held; i++) pthread_mutex_lock(held[i]);
}

static void
after_fork(void)
{
    for (int i = n_held; i-- > 0;) pthread_mutex_unlock(held[i]);
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor(101))) static void
begin(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

void
cu_fork_hold(pthread_mutex_t *m)
{
    pthread_mutex_lock(&lock);
    assert(n_held < MAX_LOCKS);
    held[n_held++] = m;
    pthread_mutex_unlock(&lock);
}
