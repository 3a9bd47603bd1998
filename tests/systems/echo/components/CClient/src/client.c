/* Asks both servers for everything and checks the answers; what comes back is freed here. */

#include <camkes.h>
#include <stdio.h>

static int right, wrong;

#define EXPECT(condition) \
    do { \
        if (condition) { \
            right++; \
        } else { \
            wrong++; \
            printf("line %d: not " #condition "\n", __LINE__); \
        } \
    } while (0)

static void ask_c(void)
{
    EXPECT(c_i8(INT8_MIN) == INT8_MIN && c_i8(-1) == -1);
    EXPECT(c_u8(UINT8_MAX) == UINT8_MAX);
    EXPECT(c_i16(INT16_MIN) == INT16_MIN);
    EXPECT(c_u16(UINT16_MAX) == UINT16_MAX);
    EXPECT(c_i32(INT32_MIN) == INT32_MIN);
    EXPECT(c_u32(UINT32_MAX) == UINT32_MAX);
    EXPECT(c_i64(INT64_MIN + 1) == INT64_MIN + 1);
    EXPECT(c_u64(UINT64_MAX - 1) == UINT64_MAX - 1);
    EXPECT(c_negated(false) && !c_negated(true));
    EXPECT(c_next('y') == 'z');
    EXPECT(c_half(-2.5) == -1.25);
    EXPECT(c_mixed(-1, 1ULL << 40, -2, 3, true, 4, -5) == (1ULL << 40));
    c_nothing();

    int32_t value = -70000;
    int64_t doubled = 0;
    const uint16_t by = 65535;
    c_change(&value, &doubled, &by);
    EXPECT(value == -4465 && doubled == -8930);

    char *text = c_text("Good evening");
    EXPECT(strcmp(text, "Good evening") == 0);
    char *copy = NULL;
    char *with = (char *)"another";
    c_exchange(&text, &copy, &with);
    EXPECT(strcmp(text, "another") == 0 && strcmp(copy, "Good evening") == 0);
    free(text);
    free(copy);

    const int32_t numbers[] = {1, -2, 300000};
    EXPECT(c_sum(3, numbers) == 299999 && c_sum(0, numbers) == 0);
    size_t values_sz = 2, low_sz = 0, added_sz = 1;
    uint16_t *values = malloc(2 * sizeof *values);
    values[0] = 0x1234;
    values[1] = 0x5678;
    uint8_t *low = NULL;
    int64_t added[] = {0x9abc}, *more_values = added;
    c_reverse(&values_sz, &values, &low_sz, &low, &added_sz, &more_values);
    EXPECT(values_sz == 3 && values[0] == 0x5678 && values[1] == 0x1234 && values[2] == 0x9abc);
    EXPECT(low_sz == 2 && low[0] == 0x34 && low[1] == 0x78);
    free(values);
    free(low);

    char *parts[] = {(char *)"one", (char *)"", (char *)"two"}, *more[] = {(char *)"four"}, **more_texts = more;
    char *whole = NULL;
    size_t list_sz = 1, more_sz = 1;
    char **list = malloc(sizeof *list);
    list[0] = strdup("three");
    EXPECT(c_join(3, parts, &whole, &list_sz, &list, &more_sz, &more_texts) == 2);
    EXPECT(strcmp(whole, "onetwo") == 0 && list_sz == 2);
    EXPECT(strcmp(list[0], "three") == 0 && strcmp(list[1], "four") == 0);
    free(whole);
    free(list[0]);
    free(list[1]);
    free(list);
}

static void ask_rust(void)
{
    EXPECT(rust_i8(INT8_MIN) == INT8_MIN && rust_i8(-1) == -1);
    EXPECT(rust_u8(UINT8_MAX) == UINT8_MAX);
    EXPECT(rust_i16(INT16_MIN) == INT16_MIN);
    EXPECT(rust_u16(UINT16_MAX) == UINT16_MAX);
    EXPECT(rust_i32(INT32_MIN) == INT32_MIN);
    EXPECT(rust_u32(UINT32_MAX) == UINT32_MAX);
    EXPECT(rust_i64(INT64_MIN + 1) == INT64_MIN + 1);
    EXPECT(rust_u64(UINT64_MAX - 1) == UINT64_MAX - 1);
    EXPECT(rust_negated(false) && !rust_negated(true));
    EXPECT(rust_next('y') == 'z');
    EXPECT(rust_half(-2.5) == -1.25);
    EXPECT(rust_mixed(-1, 1ULL << 40, -2, 3, true, 4, -5) == (1ULL << 40));
    rust_nothing();

    int32_t value = -70000;
    int64_t doubled = 0;
    const uint16_t by = 65535;
    rust_change(&value, &doubled, &by);
    EXPECT(value == -4465 && doubled == -8930);

    char *text = rust_text("Good evening");
    EXPECT(strcmp(text, "Good evening") == 0);
    char *copy = NULL;
    char *with = (char *)"another";
    rust_exchange(&text, &copy, &with);
    EXPECT(strcmp(text, "another") == 0 && strcmp(copy, "Good evening") == 0);
    free(text);
    free(copy);

    const int32_t numbers[] = {1, -2, 300000};
    EXPECT(rust_sum(3, numbers) == 299999 && rust_sum(0, numbers) == 0);
    size_t values_sz = 2, low_sz = 0, added_sz = 1;
    uint16_t *values = malloc(2 * sizeof *values);
    values[0] = 0x1234;
    values[1] = 0x5678;
    uint8_t *low = NULL;
    int64_t added[] = {0x9abc}, *more_values = added;
    rust_reverse(&values_sz, &values, &low_sz, &low, &added_sz, &more_values);
    EXPECT(values_sz == 3 && values[0] == 0x5678 && values[1] == 0x1234 && values[2] == 0x9abc);
    EXPECT(low_sz == 2 && low[0] == 0x34 && low[1] == 0x78);
    free(values);
    free(low);

    char *parts[] = {(char *)"one", (char *)"", (char *)"two"}, *more[] = {(char *)"four"}, **more_texts = more;
    char *whole = NULL;
    size_t list_sz = 1, more_sz = 1;
    char **list = malloc(sizeof *list);
    list[0] = strdup("three");
    EXPECT(rust_join(3, parts, &whole, &list_sz, &list, &more_sz, &more_texts) == 2);
    EXPECT(strcmp(whole, "onetwo") == 0 && list_sz == 2);
    EXPECT(strcmp(list[0], "three") == 0 && strcmp(list[1], "four") == 0);
    free(whole);
    free(list[0]);
    free(list[1]);
    free(list);
}

int run(void)
{
    ask_c();
    ask_rust();
    printf("%d answers right, %d wrong, error %d\n", right, wrong, fusee_take_error());
    return 0;
}
