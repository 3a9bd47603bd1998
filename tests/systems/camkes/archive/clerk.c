#include <camkes.h>
#include <stdio.h>

static int told;

static camkes_error_action_t too_long(camkes_error_t *error)
{
    told += error->type == CE_BUFFER_LENGTH_EXCEEDED;
    return CEA_DISCARD;
}

static char text[1025];

int run(void)
{
    desk_register_error_handler(too_long);
    memset(text, 'x', 1023);
    text[500] = ' ';
    printf("%d words, told %d\n", desk_words(text), told);
    text[1023] = 'x';
    printf("one letter more: %d words, told %d\n", desk_words(text), told);
    printf("%d\n", desk_plain(9, 2));
    return 0;
}
