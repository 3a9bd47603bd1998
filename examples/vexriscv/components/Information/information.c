#include <camkes.h>

#define TOPICS 32

static int values[TOPICS];

/* Puts a value into the bus, and looks through it for whoever has subscribed. */
int bus_publish(int topic, int value)
{
    if (topic < 0 || topic >= TOPICS) {
        return 0;
    }
    values[topic] = value;
    fusee_compute(15000);
    return 1;
}

/* How many of these topics, a bit for each, have a value. */
int bus_select(int topics)
{
    int known = 0;
    for (int topic = 0; topic < TOPICS; topic++) {
        known += (topics >> topic & 1) && values[topic] != 0;
    }
    fusee_compute(70000);
    return known;
}
