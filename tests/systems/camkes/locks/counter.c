#include <camkes.h>
#include <stdio.h>

static int sum;

static int add(int number)
{
    lock_lock();
    sum += number;
    int now = sum;
    lock_unlock();
    if (room_trywait() == 0 && once_trywait() == 0) {
        printf("first: %d\n", now);
    }
    return now;
}

int first_add(int number)
{
    return add(number);
}

int second_add(int number)
{
    return add(number);
}
