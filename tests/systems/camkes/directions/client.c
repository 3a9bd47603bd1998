#include <camkes.h>
#include <stdio.h>
#include <stdlib.h>

int run(void)
{
    int rest, seven = 7;
    int whole = p_divide(17, 5, &rest);
    printf("17 = 5 * %d + %d\n", whole, rest);
    char *text = strdup("stressed");
    p_turn(&text);
    printf("%s\n", text);
    free(text);
    int numbers[] = {1, 2, 3, 4}, *squares = NULL;
    size_t count;
    p_squares(4, numbers, &count, &squares);
    printf("%zu: %d %d %d %d\n", count, squares[0], squares[1], squares[2], squares[3]);
    free(squares);
    printf("%llx\n", (unsigned long long)p_wide(0x100000000, 0x20));
    printf("%d\n", p_odd(&seven));
    return 0;
}
