/* What only one thread may be in: it counts who has been, and how often that was not so. */
#include <camkes.h>
#include <fusee.h>
@header@

static volatile unsigned inside, turns, wrong, refused, died;

static void turn(unsigned instructions)
{
    int got = @lock@;
    if (got < 0) {
        refused++;
        return;
    }
    died += (unsigned)got;
    wrong += inside++ != 0;
    fusee_compute(instructions);
    wrong += --inside != 0;
    turns++;
    if (@unlock@ != 0) {
        refused++;
    }
}

void work_turn(int instructions)
{
    turn((unsigned)instructions);
}

unsigned work_seen(int what)
{
    return what == 0 ? turns : what == 1 ? wrong : what == 2 ? refused : died;
}

/* It locks what it has, unlocks what it has not, and gives its job up with the lock. */
int work_misuse(int how)
{
    if (how == 0) {
        return @unlock@;
    }
    int first = @lock@;
    if (how == 1) {
        int again = @lock@;
        @unlock@;
        return first >= 0 ? again : 1000;
    }
    return first;
}
