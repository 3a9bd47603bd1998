/* A server that does nothing, so that only the way to it costs something. */
#include <camkes.h>
#include "measure.h"

void echo_empty(void)
{
}

uint64_t echo_stamp(void)
{
    return fusee_now();
}

void echo_words10(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, uint64_t *e, uint64_t *f, uint64_t *g,
                  uint64_t *h, uint64_t *i, uint64_t *j)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j;
}

/* When it returns, which is found in no cache. */
uint64_t echo_late(void)
{
    disturb();
    return fusee_now();
}
