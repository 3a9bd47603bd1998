#include <camkes.h>
#include <stdio.h>
#include <app/gen_config.h>

const char *word(void);

int run(void)
{
#ifndef CONFIG_APP_FAST
    for (int i = 0; i < CONFIG_APP_TIMES; i++) {
        printf("%s\n", word());
    }
#endif
    return 0;
}
