#include <camkes.h>
#include <ctype.h>
#include <stdlib.h>

int p_count(size_t words_sz, char **words)
{
    int letters = 0;
    for (size_t i = 0; i < words_sz; i++) {
        letters += strlen(words[i]);
    }
    return letters;
}

void p_letters(const char *word, size_t *each_sz, char ***each)
{
    *each_sz = strlen(word);
    *each = malloc(*each_sz * sizeof **each);
    for (size_t i = 0; i < *each_sz; i++) {
        (*each)[i] = strndup(word + i, 1);
    }
}

void p_upper(size_t *words_sz, char ***words)
{
    for (size_t i = 0; i < *words_sz; i++) {
        for (char *c = (*words)[i]; *c != 0; c++) {
            *c = toupper((unsigned char)*c);
        }
    }
}
