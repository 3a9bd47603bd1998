#include <camkes.h>

int p_length(const char *text)
{
    return (int)strlen(text);
}

int q_length(const char *text)
{
    if (strcmp(text, "crash") == 0) {
        abort();
    }
    return 0;
}
