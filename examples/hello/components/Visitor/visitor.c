#include <camkes.h>
#include <stdio.h>

/* One job: called once in every period. */
int run(void)
{
    int number = greeting_greet(get_instance_name());
    printf("I am number %d.\n", number);
    return 0;
}
