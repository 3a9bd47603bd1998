#include <camkes.h>
#include <stdio.h>

static int is_ready;

void post_init(void)
{
    is_ready = 1;
}

int run(void)
{
    assert(is_ready);
    char *slogan = desk_slogan();
    printf("%s, reader %d: %s\n", get_instance_name(), id, slogan);
    free(slogan);

    int number = desk_lend(favourite);
    book_t book = {0};
    desk_describe(favourite, &book);
    printf("%s is number %d (%c), %d left\n", favourite, number, book.initial, book.copies);

    int mine[] = {number, 99};
    printf("%d of 2 taken back\n", desk_give_back(2, mine));
    printf("no such title: %d\n", desk_lend("Nobody"));
    return 0;
}
