#include <camkes.h>
#include <stdio.h>

static int received;

int run(void)
{
    received++;
    /* One message in four claims to be 16 MiB long. */
    int parsed = messages_parse(received % 4 == 0 ? 1 << 24 : 64);
    if (parsed == 0) {
        printf("message %d crashed the parser (error %d)\n", received, fusee_take_error());
    } else {
        printf("message %d is the parser's number %d\n", received, parsed);
    }
    return 0;
}
