/* Kinds of rounds, which all threads count in step. */
#pragma once

enum round { LOCK, UNLOCK, ROUNDS };

/* The kind of this job's round, from how many jobs there were before. */
static inline enum round round_of(unsigned *jobs)
{
    return (enum round)((*jobs)++ % ROUNDS);
}
