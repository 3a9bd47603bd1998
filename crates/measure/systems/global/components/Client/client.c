/* Calls every server, round after round. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

/* There, back, both, and the gate below. */
#define PROTOCOL(name)                                                          \
    do {                                                                        \
        struct path empty = {0}, invoke = {0}, back = {0}, in = {0}, out = {0}; \
        for (int run = 0; run < RUNS; run++) {                                  \
            disturb();                                                          \
            uint64_t before = fusee_now();                                      \
            name##_empty();                                                     \
            count(&empty, fusee_now() - before - 1);                            \
            disturb();                                                          \
            before = fusee_now();                                               \
            uint64_t inside = name##_stamp();                                   \
            count(&invoke, inside - before - 1);                                \
            inside = name##_late();                                             \
            uint64_t after = fusee_now();                                       \
            count(&back, after - inside - 1);                                   \
            count(&in, name##_way_in());                                        \
            count(&out, name##_way_back());                                     \
        }                                                                       \
        print_path("round_trip." #name "@kind@", &empty);                       \
        print_path("invoke." #name "@kind@", &invoke);                          \
        print_path("return." #name "@kind@", &back);                            \
        print_path("pass.in." #name "@kind@", &in);                             \
        print_path("pass.out." #name "@kind@", &out);                           \
    } while (0)

int run(void)
{
    PROTOCOL(msrp);
    PROTOCOL(mrsp);
    PROTOCOL(mpcp);
    return 0;
}
