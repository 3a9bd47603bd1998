#include <camkes.h>

int programme_show(dataport_ptr_t place, int count)
{
    const int *flash = dataport_unwrap_ptr(place);
    if (flash == NULL || count < 0) {
        return -1;
    }
    flashes_acquire();
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += scaling_scale(flash[i]);
    }
    changed_emit();
    return sum;
}

void programme_brightness(int *level, const int *most)
{
    int wanted = scaling_scale(*level);
    *level = wanted < *most ? wanted : *most;
}
