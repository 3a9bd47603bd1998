//! Rules about scheduling policies.

use fusee_diagnostics::{Code, Rule, Severity};

pub(crate) static NO_THEOREM: Rule = Rule {
    code: Code("F0617"),
    name: "no-theorem",
    severity: Severity::Warning,
    what: "No theorem is known for the system's policy with a gate's protocol, or for the way in \
           which the gate is nested.",
    why: "A bound stands on a proof about what decides who runs and who enters. Where there is \
          none, a number would be a guess.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void access(); };
component Store { provides Bus bus; }
component User { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component User quick;
        component User slow;
        connection seL4RPCCall c(from quick.bus, from slow.bus, to store.bus);
    }
    configuration {
        system.policy = "earliest_deadline";
        quick.period = "10 ms";
        quick.wcet = "1 ms";
        quick.calls = ["bus"];
        slow.period = "100 ms";
        slow.wcet = "1 ms";
        slow.calls = ["bus"];
        store.bus_wcet = "500 us";
        store.bus_priority_protocol = "fifo";
    }
}
"#,
    instead: "Under earliest deadline, make the gate `srp`, `inherited` or `non_preemptive`. Under \
              fixed priorities, let gates around a `ceiling` gate be `ceiling` as well.",
    reference: "The book, chapter \"Analysis\".",
};

pub(crate) static SIGNALS: Rule = Rule {
    code: Code("F0621"),
    name: "signals-beyond-period",
    severity: Severity::Warning,
    what: "A task signals an event of another core, and either has no bound or may not be done \
           before its next release; or that core can be in its kernel for so long.",
    why: "Each signal interrupts the core that it is for. How many come in some time follows from \
          the releases of who sends them, as long as each of its jobs is over before the next. \
          Where the kernel costs nothing, looking for a signal does not, either.",
    example: r#"
import <std_connector.camkes>;
component Pump { control; emits Full full; }
component Alarm { control; consumes Full full; }
assembly {
    composition {
        component Pump pump;
        component Pump backup;
        component Alarm alarm;
        connection seL4Notification fills(from pump.full, to alarm.full);
    }
    configuration {
        backup.period = "20 ms";
        backup.wcet = "9 ms";
        backup.priority = 20;
        pump.period = "10 ms";
        pump.deadline = "20 ms";
        pump.priority = 10;
        pump.wcet = "4 ms";
        pump.calls = ["emit full"];
        alarm.core = 1;
        alarm.arrival = "event full";
        alarm.period = "10 ms";
        alarm.wcet = "1 ms";
    }
}
"#,
    instead: "Give who emits a period that it keeps: a longer one, shorter code, or another core.",
    reference: "The book, chapter \"Analysis\".",
};

pub(crate) static LATE: Rule = Rule {
    code: Code("F0620"),
    name: "suspended-beyond-period",
    severity: Severity::Warning,
    what: "A task that waits suspended at an `mpcp` gate may not be done before its next release, \
           or another one rests on such a task.",
    why: "While a job waits suspended, its core goes on with others, so its window is not one in \
          which the core is always busy. All that is known of such jobs, also for those on whom \
          they have an effect, is about jobs whose predecessor is over.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void access(); };
component Store { provides Bus bus; }
component User { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component User quick;
        component User slow;
        connection seL4RPCCall c(from quick.bus, from slow.bus, to store.bus);
    }
    configuration {
        quick.core = 0;
        quick.priority = 20;
        quick.period = "10 ms";
        quick.wcet = "1 ms";
        quick.calls = ["bus"];
        slow.core = 1;
        slow.priority = 10;
        slow.period = "100 ms";
        slow.wcet = "1 ms";
        slow.calls = ["bus"];
        store.bus_wcet = "6 ms";
        store.bus_priority_protocol = "mpcp";
    }
}
"#,
    instead: "`msrp` or `mrsp` at the gate: who waits there keeps its core. Or shorter sections, \
              or a longer period; the book says what that costs.",
    reference: "Rajkumar 1990; Lakshmanan, de Niz and Rajkumar 2009. The book, chapter \
                \"Analysis\".",
};

pub(crate) static SCHEDULER: Rule = Rule {
    code: Code("F0622"),
    name: "scheduler-decides",
    severity: Severity::Warning,
    what: "A component's thread decides who runs: by code of its own; or as a `DeferrableServer` \
           below another scheduler, or with threads that do more than compute and signal; or where \
           nobody has measured what it takes to decide, as on platforms without such costs, of \
           threads that wait in the middle of a job, or of a `DeferrableServer` that takes longer \
           to decide than the 10 µs that it leaves; or in a table below two; or a \
           `PriorityServers` below another scheduler, beside a tree of the same priority, or one \
           whose threads may use up their own time or wait; or its threads are released by events \
           or late, may not be done before their next releases, or have no slot for certain.",
    why: "Code can decide as it likes, and what the analysis knows is the kernel's decisions and \
          those of the schedulers that come with Fusee. Budgets bound what threads can take from \
          each other in any case; how late they get it, follows only from who decides.",
    example: r#"
component Scheduler { control; }
component Worker { control; }
assembly {
    composition {
        component Scheduler root;
        component Worker worker;
    }
    configuration {
        worker.scheduler = "root";
        worker.period = "10 ms";
        worker.wcet = "1 ms";
    }
}
"#,
    instead: "Use a scheduler that comes with Fusee, on a platform where it was measured what \
              these take, or without kernel costs; boot the \
              system and look (`fusee run`); or let the kernel's priorities decide.",
    reference: "The book, chapter \"Schedulers as components\".",
};

pub(crate) static SLEEP: Rule = Rule {
    code: Code("F0623"),
    name: "code-decides-who-sleeps",
    severity: Severity::Warning,
    what: "A component lets threads sleep on each other's account, and is none of those that come \
           with Fusee; or one of these is used in a way for which there is no theorem: calls that \
           name no lock, locks, or locks and gates, in two orders, locks within optimistic ones, \
           optimistic ones within an exclusive gate, locks and gates together of which the gates \
           raise nobody or somebody waits for an event within them, sections in which something \
           is signalled, or of a task that waits or may be suspended.",
    why: "When a thread goes to sleep, and who wakes it, is a matter of the component's code. What \
          those that come with Fusee do is known, as long as lists of calls say when somebody has \
          a lock, and nothing but further locks and gates is waited for meanwhile, in one order.",
    example: r#"
import <std_connector.camkes>;
procedure Locks { int take(in int lock); };
component Keeper { provides Locks locks; }
component Pump { control; uses Locks locks; }
assembly {
    composition {
        component Keeper keeper;
        component Pump pump;
        connection seL4RPCCall calls(from pump.locks, to keeper.locks);
    }
    configuration {
        pump.period = "10 ms";
        pump.calls = ["1 ms", "locks.take"];
        keeper.locks_wcet = "10 us";
        keeper.locks_priority_protocol = "propagated";
        keeper.dependencies = true;
    }
}
"#,
    instead: "Use a `LockPessimistic` or a `LockCeiling`, with `\"lock locks.0\", \"20 us\", \
              \"unlock locks.0\"` in the lists of calls; boot the system and look (`fusee run`); \
              or use mutexes of the kernel: `has mutex`.",
    reference: "The book, chapter \"Locks as components\".",
};
