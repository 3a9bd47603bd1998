#include <camkes.h>
#include <stdio.h>

static char essay[3000];
static page_t page;

int run(void)
{
    page.letter = letter[0];
    for (int i = 0; i < 500; i++) {
        page.lines[i] = i;
    }
    shelf_fill(&page);
    printf("%c: the last line is %d, the sum %ld\n", page.letter, page.lines[499], page.sum);
    for (size_t i = 0; i < sizeof essay - 1; i++) {
        essay[i] = i % 5 == 4 ? ' ' : letter[0];
    }
    printf("%d words\n", shelf_words(essay));
    char *line = shelf_line(letter[0], 2000);
    printf("a line of %zu, which ends with %s\n", strlen(line), line + 1995);
    free(line);
    printf("%d\n", shelf_plain(5, 8));
    return 0;
}
