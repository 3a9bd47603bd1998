#include <camkes.h>
#include <stdio.h>
#include <camkes/error.h>

static camkes_error_action_t special(camkes_error_t *error)
{
    printf("%s of %s: %s\n", error->interface, error->instance,
           error->type == CE_BUFFER_LENGTH_EXCEEDED ? "too long" : "something else");
    return CEA_DISCARD;
}

static camkes_error_action_t general(camkes_error_t *error)
{
    printf("general, %s\n", error->type == CE_SYSCALL_FAILED ? "the call failed" : "something else");
    return CEA_DISCARD;
}

int run(void)
{
    static char text[5000];
    memset(text, 'x', sizeof text - 1);
    printf("old: %d\n", p_register_error_handler(special) != NULL);
    camkes_register_error_handler(general);
    printf("%d\n", p_length("three"));
    printf("%d\n", p_length(text));
    printf("%d\n", q_length("crash"));
    printf("old: %d\n", p_register_error_handler(NULL) == special);
    return 0;
}
