#include <adding.h>

int add(int left, int right)
{
    return left + right;
}
