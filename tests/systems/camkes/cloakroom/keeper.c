#include <camkes.h>

static int inside;
static int visits;

static void let_in(int who)
{
    (void)room_lock();
    inside = who;
}

static void let_out(void)
{
    (void)room_unlock();
}

static int leave(int who)
{
    int alone = inside == who;
    book_lock();
    visits++;
    book_unlock();
    let_out();
    return alone;
}

static int counted(void)
{
    book_lock();
    int count = visits;
    book_unlock();
    return count;
}

void left_enter(int who)
{
    let_in(who);
}

int left_leave(int who)
{
    return leave(who);
}

int left_visits(void)
{
    return counted();
}

void right_enter(int who)
{
    let_in(who);
}

int right_leave(int who)
{
    return leave(who);
}

int right_visits(void)
{
    return counted();
}
