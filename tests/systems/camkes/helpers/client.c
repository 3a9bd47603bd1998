#include <camkes.h>
#include <stdio.h>
#include <utils/attribute.h>
#include <utils/util.h>
#include <utils/zf_log.h>

struct pair {
    int left, right;
};

compile_time_assert(two_words, sizeof(struct pair) == 8);

int run(void)
{
    struct pair pair = {1, 2};
    int *right = &pair.right;
    printf("%d\n", CONTAINER_OF(right, struct pair, right)->left);
    printf("%d %d %lu %lu\n", MIN(3, 4), MAX(3, 4), BIT(5), ROUND_UP(10ul, 8));
    printf("%d %d\n", (int)ARRAY_SIZE(((int[]){1, 2, 3})), IS_POWER_OF_2(48));
    ZF_LOGE("error %d", 5);
    ZF_LOGI("not shown");
    ZF_LOGE_IF(pair.left == 1, "because");
    return 0;
}
