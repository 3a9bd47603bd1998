/* What only one thread may be in: it counts who has been, and how often that was not so. */
#include <camkes.h>
#include <fusee.h>
@header@

static volatile unsigned inside, turns, wrong, refused;

static void turn(unsigned instructions)
{
    if (@lock@ != 0) {
        refused++;
        return;
    }
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
    return what == 0 ? turns : what == 1 ? wrong : refused;
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
        return first == 0 ? again : 1000;
    }
    return first;
}
