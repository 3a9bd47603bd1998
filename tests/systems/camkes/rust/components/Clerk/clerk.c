/* A component in C beside those in Rust. */
#include <camkes.h>
#include <stdio.h>

int run(void)
{
    entry_t entry = {.amount = 2, .day = 8, .sign = '-'};
    printf("the sum is %d\n", ledger_book(entry));
    char *motto = ledger_motto("Clerk");
    printf("the bank says: %s\n", motto);
    free(motto);
    return 0;
}
