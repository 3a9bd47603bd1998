/*
 * An honest task: says so at once when a byte of its memory is not what it left there.
 *
 * The pattern lies in three places, because they are protected by different page-table entries: constants,
 * initialised data, data that starts as zero.
 */

#include <camkes.h>
#include <stdio.h>

#define WORDS 128

static const unsigned constant[4] = {0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f};
static unsigned initialised[WORDS] = {1};
static unsigned zeroed[WORDS];
static unsigned jobs;

static unsigned expected(unsigned place)
{
    return constant[place % 4] * (place + jobs / WORDS + 1);
}

static void check(void)
{
    unsigned turn = jobs % WORDS;
    for (unsigned place = 0; place < 8; place++) {
        unsigned at = (turn + WORDS - 8 + place) % WORDS;
        unsigned age = jobs - 8 + place;
        if (age < jobs && initialised[at] != constant[at % 4] * (at + age / WORDS + 1)) {
            printf("initialised data changed at word %u\n", at);
        }
        if (age < jobs && zeroed[at] != ~initialised[at]) {
            printf("zeroed data changed at word %u\n", at);
        }
    }
    initialised[turn] = expected(turn);
    zeroed[turn] = ~initialised[turn];
    jobs++;
}

int run(void)
{
    check();
    account_deposit(share);
    if (&board != NULL) {
        ((volatile unsigned *)board)[jobs % WORDS] = jobs;
    }
    return 0;
}
