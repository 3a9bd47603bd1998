//! The rules of simulation, with their manual pages.

use fusee_diagnostics::{Code, Rule, Severity};

/// All of them, in order of their codes.
pub static RULES: &[Rule] = &[
    NO_WCET,
    TOO_DEEP,
    SEVERAL_CORES,
    TABLES_REFUSED,
    DEADLINE_MISSED,
    RELEASE_LOST,
    CALL_REFUSED,
    NO_COST,
    SCHEDULER,
    LOCKS,
];

/// A body without a WCET.
pub(crate) const NO_WCET: Rule = Rule {
    code: Code("F0701"),
    name: "simulated-without-wcet",
    severity: Severity::Error,
    what: "A task reaches a component or a method of which nobody said how long it computes, so \
           there is nothing to simulate.",
    why: "A missing time is unknown, and unknown is not zero: a run in which the method takes no \
          time would show response times that no real run keeps.",
    example: "component Logger { control; uses Store store; }\n\
              assembly {\n  composition { component Logger log; component Disk disk;\n    \
              connection seL4RPCCall c(from log.store, to disk.store); }\n  \
              configuration { log.period = \"10 ms\"; log.wcet = \"1 ms\"; }\n}\n",
    instead: "Give `wcet` to the component, and `IFACE_wcet` or `IFACE_METHOD_wcet` for the \
              interfaces that it provides: `disk.store_wcet = \"200 us\"`.",
    reference: "Fusee book, chapter \"Simulation\"",
};

/// Endless or absurdly deep nesting.
pub(crate) const TOO_DEEP: Rule = Rule {
    code: Code("F0702"),
    name: "simulated-nesting-too-deep",
    severity: Severity::Error,
    what: "A job's invocations nest more than a thousand deep, or call each other in a circle.",
    why: "Each level needs a stack and a frame in the kernel, and a circle needs them without end. \
          The time of such a job has no bound.",
    example: "a.svc_calls = [\"next\"];   // a.next is b.svc\nb.svc_calls = [\"back\"];   // \
              b.back is a.svc\n",
    instead: "Break the circle: `fusee check` shows it whole. Often one of the calls can become an \
              event, or the `calls` attribute of one interface can leave out what it does not \
              call.",
    reference: "Fusee book, chapter \"Gates\"",
};

/// Several cores share something that they cannot share.
pub(crate) const SEVERAL_CORES: Rule = Rule {
    code: Code("F0703"),
    name: "simulated-between-cores",
    severity: Severity::Error,
    what: "Tasks of several cores use a gate, a mutex or an event that belongs to one core.",
    why: "Each core runs a kernel of its own, with its own copy of what is made for one core. Two \
          cores would go into the gate at once, and a signal on one core would be lost to who \
          waits on the other: the run would show what no real system does.",
    example: "sensor.core = 0;\nlogger.core = 1;\ndisk.store_priority_protocol = \
              \"inherited\";   // both use disk.store\n",
    instead: "Give the gate a protocol between cores: `msrp`, `mrsp` or `mpcp`. Tasks that signal \
              an event or lock a mutex belong on the core of those who wait for it.",
    reference: "Fusee book, chapter \"The kernel on several cores\"",
};

/// The kernel's tables do not take the system.
pub(crate) const TABLES_REFUSED: Rule = Rule {
    code: Code("F0704"),
    name: "kernel-refuses-system",
    severity: Severity::Error,
    what: "The kernel checks its tables before it starts, and found something in this system that \
           it cannot run.",
    why: "The same tables would be refused on hardware. A simulation that went on regardless would \
          show a system that cannot exist.",
    example: "store.put_priority_protocol = \"fixed\";\nstore.put_ceiling = 10;\nlog.priority = \
              20;   // uses store.put\n",
    instead: "Follow the kernel's reason; `fusee check` usually names the same place with more \
              detail.",
    reference: "Fusee book, chapter \"Kernel\"",
};

/// A deadline that a run missed.
pub const DEADLINE_MISSED: Rule = Rule {
    code: Code("F0705"),
    name: "deadline-missed-in-simulation",
    severity: Severity::Warning,
    what: "In the simulated run, a job completed after its deadline, or was not complete when its \
           deadline passed.",
    why: "A miss that a run shows is a fact: this system can miss this deadline, with no worse \
          than the described execution times and arrivals. (No miss in a run proves nothing; that \
          is what the analysis is for.)",
    example: "bus.distribute_priority_protocol = \"fifo\";   // a low holder, a middle task, a \
              high waiter\n",
    instead: "Look at the timeline around the worst response (`--trace`, `--report`): who ran \
              while the job waited? `fusee analyze` names the largest causes and a repair.",
    reference: "Fusee book, chapter \"Simulation\"",
};

/// Releases that the kernel dropped.
pub const RELEASE_LOST: Rule = Rule {
    code: Code("F0706"),
    name: "release-lost",
    severity: Severity::Warning,
    what: "A task fell so far behind that the kernel could not keep any more of its releases and \
           dropped some.",
    why: "The kernel counts waiting releases in a bounded counter. A task that reaches its end is \
          overloaded for good: its response times grow with the length of the run.",
    example: "logger.period = \"1 ms\";\nlogger.wcet = \"2 ms\";\n",
    instead: "Lower the task's execution time or lengthen its period; the utilisation of all tasks \
              together must stay below 1.",
    reference: "Fusee book, chapter \"Kernel\"",
};

/// Calls that the kernel refused.
pub const CALL_REFUSED: Rule = Rule {
    code: Code("F0707"),
    name: "call-refused-in-simulation",
    severity: Severity::Warning,
    what: "In the simulated run, the kernel refused calls of a task: it answered an invocation, a \
           lock, a signal or a wait with an error.",
    why: "Nobody did what the call asked for, so the job was shorter than its description: \
          response times of such a run say nothing about the system.",
    example: "a.svc_calls = [\"next\"];   // ... and the holders of gates form a longer chain than \
              the tables say\n",
    instead: "A description that passes every check should have none: please report it with the \
              description.",
    reference: "Fusee book, chapter \"Running\"",
};

/// A component's own code is a scheduler.
pub(crate) const SCHEDULER: Rule = Rule {
    code: Code("F0709"),
    name: "simulated-without-scheduler",
    severity: Severity::Error,
    what: "A component's thread decides who runs, by code of its own.",
    why: "The simulator executes descriptions, not code, and what a scheduler decides is in its \
          code: any schedule that is shown without it would be an invention.",
    example: "worker.scheduler = \"root\";\n",
    instead: "Boot the system: `fusee run`. Schedulers that come with Fusee are simulated.",
    reference: "Fusee book, chapter \"Schedulers as components\"",
};

/// A protocol that the table of kernel costs does not have.
pub(crate) const NO_COST: Rule = Rule {
    code: Code("F0708"),
    name: "simulated-without-kernel-cost",
    severity: Severity::Error,
    what: "A gate has a protocol of which the table of kernel costs does not say what entering and \
           leaving take.",
    why: "Not every kernel has every protocol, so a table may leave some out. A run in which such \
          a gate costs nothing would show response times that no real run keeps.",
    example: "store.put_priority_protocol = \"ceiling\";   // and a table without \
              `invoke.ceiling`\n",
    instead: "Give the gate another protocol, or add `invoke.ceiling` and `return.ceiling` to the \
              table.",
    reference: "Fusee book, chapter \"Costs\"",
};

/// A component's lock is asked for without saying which.
pub(crate) const LOCKS: Rule = Rule {
    code: Code("F0710"),
    name: "simulated-lock-unknown",
    severity: Severity::Error,
    what: "A task calls a component for a lock, one that comes with Fusee, and nothing says for \
           which lock, and until when; or the component asks no scheduler.",
    why: "A run in which nobody waits for a lock, or somebody for another one, would show response \
          times that no real run keeps.",
    example: "import <fusee/locks.camkes>;\nstore.log_calls = [\"locks.take\", \"20 us\", \
              \"locks.release\"];   // store.locks leads to a LockPessimistic\n",
    instead: "Say it in the list of calls: `\"lock locks.0\", \"20 us\", \"unlock locks.0\"`, with \
              the client's interface and the lock's number. Connect the component's `scheduler` to \
              a `LockScheduler`.",
    reference: "Fusee book, chapter \"Locks as components\"",
};
