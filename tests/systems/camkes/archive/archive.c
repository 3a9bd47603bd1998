#include <camkes.h>

static void fill(page_t *page)
{
    page->sum = 0;
    for (int i = 0; i < 500; i++) {
        page->lines[i] += page->letter;
        page->sum += page->lines[i];
    }
}

static int words(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++) {
        count += *text != ' ' && (text[1] == ' ' || text[1] == '\0');
    }
    return count;
}

static char *line(char letter, int length)
{
    char *text = malloc((size_t)length + 1);
    memset(text, letter, (size_t)length);
    text[length] = '\0';
    return text;
}

#define DESK(name)                                                               \
    int name##_words(const char *text)                                           \
    {                                                                            \
        return words(text);                                                      \
    }                                                                            \
    int name##_plain(int a, int b)                                               \
    {                                                                            \
        return a - b;                                                            \
    }

#define SHELF(name)                                                              \
    void name##_fill(page_t *page)                                               \
    {                                                                            \
        fill(page);                                                              \
    }                                                                            \
    char *name##_line(char letter, int length)                                   \
    {                                                                            \
        return line(letter, length);                                             \
    }                                                                            \
    DESK(name)

SHELF(front)
SHELF(back)
DESK(desk)
