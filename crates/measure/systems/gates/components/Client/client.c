/* Calls every server, round after round. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

/* The time between two readings of the clock around an action, the reading left out. */
#define MEASURE(path, action)                     \
    do {                                          \
        disturb();                                \
        uint64_t before = fusee_now();            \
        action;                                   \
        count(path, fusee_now() - before - 1);    \
    } while (0)

/* There, back, and a server that reads the clock. */
#define PROTOCOL(name)                                                   \
    do {                                                                 \
        struct path empty = {0}, ten = {0}, invoke = {0}, back = {0};    \
        for (int run = 0; run < RUNS; run++) {                           \
            MEASURE(&empty, name##_empty());                             \
            uint64_t w[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};            \
            MEASURE(&ten, name##_words10(w, w + 1, w + 2, w + 3, w + 4,  \
                                         w + 5, w + 6, w + 7, w + 8, w + 9)); \
            disturb();                                                   \
            uint64_t before = fusee_now();                               \
            uint64_t inside = name##_stamp();                            \
            count(&invoke, inside - before - 1);                         \
            inside = name##_late();                                      \
            uint64_t after = fusee_now();                                \
            count(&back, after - inside - 1);                            \
        }                                                                \
        print_path("round_trip." #name, &empty);                         \
        print_path("round_trip.words10." #name, &ten);                   \
        print_path("invoke." #name, &invoke);                            \
        print_path("return." #name, &back);                              \
    } while (0)

int run(void)
{
    struct path clock = {0};
    for (int run = 0; run < RUNS; run++) {
        MEASURE(&clock, (void)0);
    }
    print_path("clock", &clock);
    PROTOCOL(propagated);
    PROTOCOL(fixed);
    PROTOCOL(inherited);
    PROTOCOL(fifo);
    deep_go();
    return 0;
}
