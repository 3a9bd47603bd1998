//! The manual pages of the analysis.
//!
//! None of these is an error: a description whose deadlines are not guaranteed is
//! still one that can be simulated and changed. So each is a warning, and what a
//! bound silently rests on is a note.

mod chains;
mod costs;
mod locks;
mod policies;
mod trust;

pub(crate) use chains::{CHAIN, CHAIN_WITHOUT_BOUND};
pub(crate) use costs::{MESSAGE, PASSAGE};
pub(crate) use locks::LOCK;
pub(crate) use policies::{LATE, NO_THEOREM, SCHEDULER, SIGNALS, SLEEP};
pub(crate) use trust::UNTRUSTED;

use fusee_diagnostics::{Code, Rule, Severity};

pub(crate) static DEADLINE: Rule = Rule {
    code: Code("F0601"),
    name: "deadline-not-guaranteed",
    severity: Severity::Warning,
    what: "The bound on a task's response time is longer than its deadline. The message lists the \
           three largest parts of the bound with their places.",
    why: "A bound is what no run exceeds. One above the deadline does not prove that a job will be \
          late, but nothing proves that none will.",
    example: r#"
import <std_connector.camkes>;
procedure Access { void put(); };
component Store { provides Access a; }
component User { control; uses Access store; }
assembly {
    composition {
        component Store store;
        component User fast;
        component User slow;
        connection seL4RPCCall c(from fast.store, from slow.store, to store.a);
    }
    configuration {
        fast.period = "10 ms";
        fast.deadline = "4 ms";
        fast.wcet = "500 us";
        fast.calls = ["store.put"];
        slow.period = "100 ms";
        slow.wcet = "1 ms";
        slow.calls = ["store.put"];
        store.a_wcet = "3 ms";
    }
}
"#,
    instead: "Shorten the largest part: a shorter section, another protocol at the gate, another \
              priority. `fusee analyze` names the smallest change that it found to be enough.",
    reference: "Joseph and Pandya 1986; Audsley et al. 1993; the book, chapter \"Analysis\".",
};

pub(crate) static UNKNOWN_TIME: Rule = Rule {
    code: Code("F0602"),
    name: "execution-time-unknown",
    severity: Severity::Warning,
    what: "A task gets to a body whose worst-case execution time nobody gave.",
    why: "An unknown time is not zero. Whoever runs that body, shares its core at the same or a \
          lower priority, or can wait for a gate that it holds, has no bound.",
    example: r#"
import <std_connector.camkes>;
procedure Access { void put(); };
component Store { provides Access a; }
component User { control; uses Access store; }
assembly {
    composition {
        component Store store;
        component User fast;
        component User slow;
        connection seL4RPCCall c(from fast.store, from slow.store, to store.a);
    }
    configuration {
        fast.priority = 100;
        fast.calls = ["store.put"];
        slow.priority = 50;
        slow.period = "100 ms";
        slow.wcet = "1 ms";
        slow.calls = ["store.put"];
        store.a_wcet = "3 ms";
    }
}
"#,
    instead: "Give `wcet` for a task's own execution, `IFACE_wcet` or `IFACE_METHOD_wcet` for an \
              interface. 0 is allowed where it is true.",
    reference: "The book, chapter \"Design\": unknown is an error.",
};

pub(crate) static SIZE: Rule = Rule {
    code: Code("F0615"),
    name: "larger-than-measured",
    severity: Severity::Warning,
    what: "The system has more threads or cores, or gates nested deeper or chained longer, than \
           the kernel costs hold for.",
    why: "What a kernel path takes grows with all of them, and a table says under `limits` how \
          large the measured systems were. Cores count where they run at the same time and share a \
          memory: each waits while another one uses it. Each event that is consumed counts as a \
          thread, because its code may register a callback; a mutex counts as a gate. A chain \
          leads from gate to gate, each held by a thread that waits at the next.",
    example: r#"
import <std_connector.camkes>;
component User { control; }
assembly {
    composition {
        component User user;
    }
    configuration {
        user.period = "10 ms";
        user.wcet = "1 ms";
    }
}
"#,
    instead: "Split the system, or measure the kernel in one of this size, or prove its costs with \
              `fusee wcet`.",
    reference: "The book, chapter \"Running\".",
};

pub(crate) static CYCLE: Rule = Rule {
    code: Code("F0603"),
    name: "cycle-without-bound",
    severity: Severity::Warning,
    what: "A task can get into a recursion, or into gates that tasks take in opposite orders.",
    why: "A recursion has no longest path, and threads that wait for each other wait for ever.",
    example: r#"
import <std_connector.camkes>;
procedure P { void go(); };
component Part { provides P here; uses P there; }
component User { control; uses P part; }
component Pump { control; }
assembly {
    composition {
        component Part a;
        component Part b;
        component User user;
        component Pump pump;
        connection seL4RPCCall one(from user.part, from b.there, to a.here);
        connection seL4RPCCall two(from a.there, to b.here);
    }
    configuration {
        user.priority = 100;
        user.wcet = "1 ms";
        user.calls = ["part"];
        a.here_wcet = "1 ms";
        b.here_wcet = "1 ms";
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        pump.priority = 50;
    }
}
"#,
    instead: "Break the cycle. Where the description only lacks `calls`, so that all interfaces \
              were assumed, say which interface calls which.",
    reference: "Sudvarg et al. 2024, section 4: an acyclic graph of connections cannot deadlock.",
};

pub(crate) static WAITS: Rule = Rule {
    code: Code("F0604"),
    name: "waits-in-its-job",
    severity: Severity::Warning,
    what: "A job waits for an event between its release and its completion, and nobody knows for \
           how long, or it may not be done before the next is released.",
    why: "A wait has a bound if each job of a periodic task signals the event, or of one that the \
          waiting job itself has released just before; if nobody else can take an answer, and it \
          is known what looking for signals of other cores costs. Inside a gate that keeps others \
          out it must be `inherited` or `fixed`, priorities must decide, and neither who waits \
          nor who is kept out may hold another such gate then. A job that suspends itself \
          disturbs others more than its execution time says: two \
          of its jobs can come close together. So without that neither it nor anyone at or below \
          its priority has a bound, nor anyone who can wait for a gate that it holds while \
          waiting.",
    example: r#"
import <std_connector.camkes>;
component Source { control; emits Data data; }
component Reader { control; consumes Data data; }
assembly {
    composition {
        component Source source;
        component Reader reader;
        connection seL4Notification c(from source.data, to reader.data);
    }
    configuration {
        source.period = "10 ms";
        source.wcet = "1 ms";
        source.calls = ["emit data"];
        reader.period = "10 ms";
        reader.calls = ["5 us", "wait data", "20 us"];
    }
}
"#,
    instead: "Let the event come more often than the job, or wait for an answer, of which each \
              who asks has an event of its own, or all within one gate. Wait before entering a \
              gate, or put components that are nested into one `group`. Or let the event \
              release the task instead: `arrival = \"event data\"`, with a `period` \
              as the least time between two, unless one task alone emits it, once in each of its \
              jobs. The wait is then where one job ends and the next begins.",
    reference: "Chen et al., Real-Time Systems 55, 2019: many analyses of self-suspension are \
                wrong.",
};

pub(crate) static INVERSION: Rule = Rule {
    code: Code("F0605"),
    name: "priority-inversion",
    severity: Severity::Warning,
    what: "A task can wait at a `fifo` gate while the thread inside is kept from running by a \
           third task that is less urgent than the one that waits.",
    why: "The gate does not raise whoever is inside. So the wait lasts as long as tasks in between \
          keep the core, though they have nothing to do with the gate: an unbounded priority \
          inversion, as on the Mars Pathfinder in 1997.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void access(); };
component InformationBus { provides Bus bus; }
component User { control; uses Bus bus; }
component Radio { control; }
assembly {
    composition {
        component InformationBus information;
        component User distribution;
        component Radio radio;
        component User meteo;
        connection seL4RPCCall c(from distribution.bus, from meteo.bus, to information.bus);
    }
    configuration {
        distribution.period = "125 ms";
        distribution.wcet = "25 ms";
        distribution.calls = ["bus"];
        radio.period = "500 ms";
        radio.wcet = "200 ms";
        meteo.period = "5 s";
        meteo.wcet = "50 ms";
        meteo.calls = ["bus"];
        information.bus_wcet = "2 ms";
        information.bus_priority_protocol = "fifo";
    }
}
"#,
    instead: "Make the gate `inherited` (the thread inside runs at the priority of who waits) or \
              `fixed` (it runs at the ceiling).",
    reference: "Sha, Rajkumar and Lehoczky 1990, section 2.",
};

pub(crate) static SUSPENDED: Rule = Rule {
    code: Code("F0606"),
    name: "budget-can-end-early",
    severity: Severity::Warning,
    what: "A task with `overrun = \"suspend\"` may use up its budget before its job is over: its \
           execution time with the kernel's share is not below the budget, or a job may last past \
           the next release and eat into the next budget.",
    why: "It then stands still until its next release, so its own response time has no bound here. \
          If it can hold an exclusive gate at that moment, whoever waits for the gate lends it \
          time and may run out of budget in turn.",
    example: r#"
import <std_connector.camkes>;
procedure Access { void put(); };
component Store { provides Access a; }
component User { control; uses Access store; }
assembly {
    composition {
        component Store store;
        component User fast;
        component User slow;
        connection seL4RPCCall c(from fast.store, from slow.store, to store.a);
    }
    configuration {
        fast.period = "10 ms";
        fast.wcet = "500 us";
        fast.calls = ["store.put"];
        slow.period = "100 ms";
        slow.wcet = "2 ms";
        slow.budget = "2 ms";
        slow.overrun = "suspend";
        slow.calls = ["store.put"];
        store.a_wcet = "1 ms";
    }
}
"#,
    instead: "Raise the budget, shorten the job, or let an overrun `continue` or `notify`.",
    reference: "The book, chapter \"Gates\".",
};

pub(crate) static SEVERAL_CORES: Rule = Rule {
    code: Code("F0607"),
    name: "no-bound-over-several-cores",
    severity: Severity::Warning,
    what: "Tasks of several cores reach an exclusive gate.",
    why: "The bounds here are those of single cores, where a holder that is raised gets to run. A \
          holder on another core is beyond what they show.",
    example: "a.core = 0;\nb.core = 1;   // both use store.put",
    instead: "Put all users of the gate on one core, or make the gate `propagated` if it needs no \
              exclusion.",
    reference: "Rajkumar 1990; Gai et al. 2001; Burns and Wellings 2013 for protocols across \
                cores.",
};

pub(crate) static OVERLOAD: Rule = Rule {
    code: Code("F0608"),
    name: "core-overloaded",
    severity: Severity::Warning,
    what: "A task and those that it yields to need more than the whole core, kernel included.",
    why: "Work then piles up without end.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump a; component Pump b; }
    configuration {
        a.period = "10 ms";
        a.wcet = "6 ms";
        b.period = "10 ms";
        b.wcet = "5 ms";
    }
}
"#,
    instead: "Shorten jobs, lengthen periods, or move a task to another core.",
    reference: "Liu and Layland 1973.",
};

pub(crate) static NO_END: Rule = Rule {
    code: Code("F0609"),
    name: "no-end-in-sight",
    severity: Severity::Warning,
    what: "The busy window of a task did not end within 10,000 of its jobs, a time in it does not \
           fit 64 bits of nanoseconds (584 years), or more than 16 releases of a task can wait: \
           the kernel keeps no more.",
    why: "With a utilisation of exactly 1, or almost, blocking or jitter may never be caught up. \
          Without the end of the window there is no bound.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        pump.period = "10 ms";
        pump.wcet = "10 ms";
        pump.deadline = "20 ms";
        pump.jitter = "1 ms";
    }
}
"#,
    instead: "Leave the core a little time.",
    reference: "Lehoczky 1990.",
};

pub(crate) static COSTS: Rule = Rule {
    code: Code("F0610"),
    name: "bounds-rest-on-costs",
    severity: Severity::Note,
    what: "The kernel costs behind the bounds are measured or given, not proved.",
    why: "A bound is as good as what it rests on. A measured cost is the longest that was seen, \
          not the longest there is.",
    example: "fusee analyze SYSTEM --costs board.toml   # provenance = \"measured\"",
    instead: "Use a table that a static analysis of the kernel's binary has made, or keep a \
              margin.",
    reference: "The book, chapter \"Analysis\".",
};

pub(crate) static ONCE: Rule = Rule {
    code: Code("F0611"),
    name: "counted-once",
    severity: Severity::Note,
    what: "A task without period, at or above the priority of analysed ones, is counted with one \
           job.",
    why: "Its control thread is started once. If that job does not end after its `wcet`, the \
          bounds of the tasks below do not hold.",
    example: r#"
component Init { control; }
component Pump { control; }
assembly {
    composition { component Init init; component Pump pump; }
    configuration {
        init.priority = 200;
        init.wcet = "3 ms";
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        pump.priority = 100;
    }
}
"#,
    instead: "Give it a period, a budget, or a priority below all tasks with deadlines.",
    reference: "The book, chapter \"Analysis\".",
};

pub(crate) static LOWER_LEVEL: Rule = Rule {
    code: Code("F0612"),
    name: "bound-of-a-lower-level",
    severity: Severity::Note,
    what: "A bound was found in the window of a lower priority level, because a `fifo` gate can be \
           held below the task.",
    why: "Such a gate can keep a more urgent task waiting while less urgent ones run. The bound \
          counts all of them as if they were more urgent; it is sound, and often much longer than \
          needed.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void access(); };
component Store { provides Bus bus; }
component User { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component User urgent;
        component User slow;
        connection seL4RPCCall c(from urgent.bus, from slow.bus, to store.bus);
    }
    configuration {
        urgent.period = "10 ms";
        urgent.wcet = "1 ms";
        urgent.calls = ["bus"];
        slow.period = "100 ms";
        slow.wcet = "1 ms";
        slow.calls = ["bus"];
        store.bus_wcet = "500 us";
        store.bus_priority_protocol = "fifo";
    }
}
"#,
    instead: "Make the gate `inherited` or `fixed`.",
    reference: "The book, chapter \"Analysis\".",
};

/// All rules of this crate, in the order of their codes.
pub static RULES: &[Rule] = &[
    DEADLINE,
    UNKNOWN_TIME,
    CYCLE,
    WAITS,
    INVERSION,
    SUSPENDED,
    SEVERAL_CORES,
    OVERLOAD,
    NO_END,
    COSTS,
    ONCE,
    LOWER_LEVEL,
    LOCK,
    MESSAGE,
    SIZE,
    PASSAGE,
    NO_THEOREM,
    CHAIN,
    CHAIN_WITHOUT_BOUND,
    LATE,
    SIGNALS,
    SCHEDULER,
    SLEEP,
    UNTRUSTED,
];
