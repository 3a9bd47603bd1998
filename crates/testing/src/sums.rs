//! A keeper of a sum, which tells when two were inside or a part was lost.

/// Answers with twice what it is given, behind a gate that needs no lock.
pub const HELPER: &str = "
#include <camkes.h>

int twice_twice(int value)
{
    return 2 * value;
}
";

/// The keeper, who does this work between reading the sum and writing it.
pub fn keeper(work: &str) -> String {
    KEEPER.replace("WORK", work)
}

const KEEPER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static volatile int total, inside;

static int step(int value)
{
    if (inside)
        printf("two are inside\n");
    inside = 1;
    int seen = total;
WORK
    total = seen + value;
    inside = 0;
    return total;
}

int sum_add(int value)
{
    return step(value);
}

int sum_both(int value)
{
    int before = twice_twice(total + value);
    int after = step(value);
    if (before != 2 * after)
        printf("changed: %d and %d\n", before, after);
    return after;
}
"#;
