/* Passes every question back to whoever asked. */

#include <camkes.h>

int strict_ask(int depth)
{
    return back_ask(depth) + 1;
}

int open_ask(int depth)
{
    return back_ask(depth) + 1;
}
