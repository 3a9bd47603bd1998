/* Answers in C; what is handed over is on the heap. */

#include <camkes.h>

int8_t echo_i8(int8_t value) { return value; }
uint8_t echo_u8(uint8_t value) { return value; }
int16_t echo_i16(int16_t value) { return value; }
uint16_t echo_u16(uint16_t value) { return value; }
int32_t echo_i32(int32_t value) { return value; }
uint32_t echo_u32(uint32_t value) { return value; }
int64_t echo_i64(int64_t value) { return value; }
uint64_t echo_u64(uint64_t value) { return value; }
bool echo_negated(bool value) { return !value; }
char echo_next(char value) { return (char)(value + 1); }
double echo_half(double value) { return value / 2; }

uint64_t echo_mixed(int8_t a, uint64_t b, int16_t c, uint32_t d, bool e, char f, int64_t g)
{
    return (uint64_t)a + b + (uint64_t)c + d + e + (uint64_t)f + (uint64_t)g;
}

void echo_change(int32_t *value, int64_t *doubled, const uint16_t *by)
{
    *value += *by;
    *doubled = 2 * (int64_t)*value;
}

char *echo_text(const char *value)
{
    return strdup(value);
}

void echo_exchange(char **value, char **copy, char **by)
{
    *copy = *value;
    *value = strdup(*by);
}

int32_t echo_sum(size_t values_sz, const int32_t *values)
{
    int32_t sum = 0;
    for (size_t i = 0; i < values_sz; i++) {
        sum += values[i];
    }
    return sum;
}

void echo_reverse(size_t *values_sz, uint16_t **values, size_t *low_sz, uint8_t **low, const size_t *added_sz,
                  int64_t **added)
{
    size_t count = *values_sz;
    uint16_t *reversed = malloc((count + *added_sz) * sizeof *reversed);
    *low = malloc(count);
    *low_sz = count;
    for (size_t i = 0; i < count; i++) {
        reversed[i] = (*values)[count - 1 - i];
        (*low)[i] = (uint8_t)(*values)[i];
    }
    for (size_t i = 0; i < *added_sz; i++) {
        reversed[count + i] = (uint16_t)(*added)[i];
    }
    free(*values);
    *values = reversed;
    *values_sz = count + *added_sz;
}

uint32_t echo_join(size_t parts_sz, char **parts, char **whole, size_t *list_sz, char ***list, const size_t *more_sz,
                   char ***more)
{
    size_t length = 1;
    for (size_t i = 0; i < parts_sz; i++) {
        length += strlen(parts[i]);
    }
    *whole = calloc(length, 1);
    for (size_t i = 0; i < parts_sz; i++) {
        strcat(*whole, parts[i]);
    }
    *list = realloc(*list, (*list_sz + *more_sz) * sizeof **list);
    for (size_t i = 0; i < *more_sz; i++) {
        (*list)[*list_sz + i] = strdup((*more)[i]);
    }
    *list_sz += *more_sz;
    return (uint32_t)*list_sz;
}

void echo_nothing(void) {}
