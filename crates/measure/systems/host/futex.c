/*
 * What a mutex of the host's C library costs, which is a futex: in nanoseconds, uncontended and
 * with somebody who has to let go first, on one processor. It depends on the host and on its load.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define RUNS 2000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int held, asking;
static uint64_t left, entered;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void *other(void *unused)
{
    for (int run = 0; run < RUNS; run++) {
        while (atomic_load(&held) != run + 1) {
            sched_yield();
        }
        atomic_store(&asking, run + 1);
        pthread_mutex_lock(&mutex);
        entered = now();
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    uint64_t before = now();
    for (int run = 0; run < 1000 * RUNS; run++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    double uncontended = (double)(now() - before) / (1000.0 * RUNS);
    pthread_t thread;
    if (pthread_create(&thread, NULL, other, NULL) != 0) {
        return 1;
    }
    uint64_t sum = 0;
    for (int run = 0; run < RUNS; run++) {
        pthread_mutex_lock(&mutex);
        atomic_store(&held, run + 1);
        while (atomic_load(&asking) != run + 1) {
            sched_yield();
        }
        /* It is about to sleep. */
        for (int i = 0; i < 4; i++) {
            sched_yield();
        }
        left = now();
        entered = 0;
        pthread_mutex_unlock(&mutex);
        while (*(volatile uint64_t *)&entered == 0) {
            sched_yield();
        }
        sum += entered - left;
    }
    pthread_join(thread, NULL);
    printf("%.1f %.1f\n", uncontended, (double)sum / RUNS);
    return 0;
}
