//! The kernel paths that are taken, as code of the thread that takes them.

/// The calls of each path, and the errors that it must meet.
pub(crate) const PATHS: &[(&str, &str)] = &[
    ("no call", "fill\n.rept 60\nnop\n.endr\nj whole"),
    ("invoke, return", "make INVOKE, 0\nexpect own_results"),
    ("invoke, return, inherited", "make INVOKE, 1\nexpect own_results"),
    ("invoke, return, fixed", "make INVOKE, 2\nexpect own_results"),
    (
        "invoke with message, return with message",
        "make INVOKE, 1 << 16, FURTHER\nexpect \
        own_results",
    ),
    ("fault in a callee", "make INVOKE, 2 << 16\nexpect own_nothing, FAULTED"),
    ("refused returns", "make INVOKE, 3 << 16\nexpect own_results"),
    (
        "yield in a callee",
        "make SIGNAL, 18\nexpect own_nothing\nmake INVOKE, 4 << 16\nexpect \
                           own_results",
    ),
    ("yield", "make SIGNAL, 18\nexpect own_nothing\nmake YIELD\nexpect own_nothing"),
    // What a callee leaves behind is what a careless way back would find.
    (
        "yield with all bits set",
        "make SIGNAL, 18\nexpect own_nothing\nmake INVOKE, 0\nexpect own_results\nmake YIELD, \
         -1\nexpect own_nothing",
    ),
    (
        "signal, poll, wait",
        "make SIGNAL, 4\nexpect own_nothing\nmake POLL, 5\nexpect own_bits
        make POLL, 5\nexpect own_bits\nmake SIGNAL, 4\nexpect own_nothing
        make WAIT, 5\nexpect own_bits",
    ),
    ("signal that wakes a higher thread", "make SIGNAL, 6\nexpect own_nothing"),
    (
        "signal that wakes a lower thread",
        "make POLL, 7\nexpect own_bits\nmake SIGNAL, 13\nexpect own_nothing\nmake WAIT, 7\nexpect \
         own_bits",
    ),
    (
        "wait for an interrupting thread",
        "make POLL, 7\nexpect own_bits\nmake WAIT, 7\nexpect own_bits",
    ),
    ("lock, unlock", "make LOCK, 8\nexpect own_nothing\nmake UNLOCK, 8\nexpect own_nothing"),
    (
        "lock twice, unlock twice",
        "make LOCK, 8\nexpect own_nothing\nmake LOCK, 8\nexpect own_nothing, REENTRY
        make UNLOCK, 8\nexpect own_nothing\nmake UNLOCK, 8\nexpect own_nothing, NOT_LOCKED",
    ),
    (
        "a mutex for which somebody waits",
        "make LOCK, 8\nexpect own_nothing\nmake SIGNAL, 14\nexpect own_nothing
        make UNLOCK, 8\nexpect own_nothing",
    ),
    ("a gate for which somebody waits", "make INVOKE, 11\nexpect own_results"),
    ("a job", "make SIGNAL, 9\nexpect own_nothing"),
    ("a budget that ends", "make SIGNAL, 10\nexpect own_nothing"),
    ("acknowledge", "make ACKNOWLEDGE, 12\nexpect own_nothing"),
    (
        "an interrupt of a device",
        "fill\nli t1, UART\nli t2, 2\nsb t2, 1(t1)\nfill\n.rept \
                                  20\nnop\n.endr\nj whole",
    ),
    (
        "refused calls",
        "make 1000\nexpect own_nothing, UNKNOWN
        make INVOKE, 99\nexpect own_nothing, NO_CAPABILITY
        make INVOKE, -1\nexpect own_nothing, NO_CAPABILITY
        make SIGNAL, 0\nexpect own_nothing, NO_CAPABILITY
        make WAIT, 0\nexpect own_nothing, NO_CAPABILITY
        make LOCK, -1\nexpect own_nothing, NO_CAPABILITY
        make INVOKE, 0, 115\nexpect own_nothing, TOO_LONG
        make ACKNOWLEDGE, 0\nexpect own_nothing, NO_CAPABILITY",
    ),
    ("a dead component", "make INVOKE, 15\nj whatever"),
    (
        "a fault, a restart, a call",
        "make INVOKE, (2 << 16) + 3\nexpect own_nothing, FAULTED
        make INVOKE, 3\nexpect own_results",
    ),
    (
        "a job in a component to be restored",
        "make INVOKE, (2 << 16) + 3\nexpect own_nothing, FAULTED
        make SIGNAL, 16\nexpect own_nothing",
    ),
    (
        "a component that is gone",
        "make INVOKE, (5 << 16) + 3\nexpect own_nothing, ABORTED
        make INVOKE, 3\nexpect own_results",
    ),
];

/// The first of the paths in which components are restarted.
pub(crate) const RESTARTS: usize = 24;
