#include <camkes.h>
#include <stdio.h>
#include <stdlib.h>

/* CAmkES shows the heap by these names. */
extern char *morecore_area;
extern size_t morecore_size;

static void give_back(size_t count, char **texts)
{
    for (size_t i = 0; i < count; i++) {
        uintptr_t offset = (uintptr_t)texts[i] - (uintptr_t)morecore_area;
        if (offset >= morecore_size) {
            printf("%s is not on the heap\n", texts[i]);
        }
        free(texts[i]);
    }
    free(texts);
}

int run(void)
{
    char *words[] = {"to", "be", "or", "not"};
    printf("%d letters\n", p_count(4, words));
    char **each = NULL;
    size_t count;
    p_letters("abc", &count, &each);
    printf("%zu: %s, %s, %s\n", count, each[0], each[1], each[2]);
    give_back(count, each);
    char **pair = malloc(2 * sizeof *pair);
    pair[0] = strdup("north");
    pair[1] = strdup("south");
    count = 2;
    p_upper(&count, &pair);
    printf("%s %s\n", pair[0], pair[1]);
    give_back(count, pair);
    return 0;
}
