#include <camkes.h>
#include <stdio.h>

int run(void)
{
    point_t a = {2, 4, "start"}, b = {6, 10, "goal"};
    point_t m = p_middle(a, b);
    printf("%s at %d, %d; shared: %s, %zu bytes\n", m.label, m.x, m.y, last->label, last_get_size());
    return 0;
}
