//! The rules about what ran, with their manual pages.

use fusee_diagnostics::{Code, Rule, Severity};

use super::chain_rules::{CHAIN_EXCEEDED, CHAIN_LATE, CHAIN_NOT_PROMISED, CHAIN_SILENT};

/// All of them, in order of their codes.
pub static RULES: &[Rule] = &[
    BOUND_EXCEEDED,
    DEADLINE_MISSED,
    JOB_CRASHED,
    NEVER_RELEASED,
    NOTHING_COMPLETE,
    NEVER_ENDED,
    RELEASES_MISSING,
    NOT_ENTERED,
    STUBS,
    STILL_RUNNING,
    NOT_PROMISED,
    CHAIN_EXCEEDED,
    CHAIN_LATE,
    CHAIN_SILENT,
    CHAIN_NOT_PROMISED,
    CORES_TAKE_TURNS,
    ASSUMPTION,
];

const CHAPTER: &str = "Fusee book, chapter \"Running\"";

/// A bound was exceeded.
pub(crate) const BOUND_EXCEEDED: Rule = Rule {
    code: Code("F1110"),
    name: "bound-exceeded",
    severity: Severity::Error,
    what: "A job took longer than the analysis promises.",
    why: "Either something that the description states did not hold, as an execution time that is \
          too short, and then F1129 or a note says what; or Fusee's analysis or its table of \
          kernel costs is wrong, and that is a defect of the highest rank.",
    example: "worker.wcet = \"1 ms\";   // and it works for 2 ms",
    instead: "Compare each component's execution time with its `wcet`: a budget equal to it, with \
              `continue`, records every job that needs more. If none does, please report it.",
    reference: CHAPTER,
};

/// Something that bounds rest on did not hold.
pub(crate) const ASSUMPTION: Rule = Rule {
    code: Code("F1129"),
    name: "stated-time-exceeded",
    severity: Severity::Error,
    what: "A job executed longer than its description states, all that it invokes and the kernel's \
           share included.",
    why: "Bounds rest on what the description states: those of the task itself, and those of all \
          that it can keep from running. Where a bound was exceeded in the same run, this comes \
          first. The run is made once more with all records to find it.",
    example: "worker.wcet = \"1 ms\";   // and its code runs for 40 ms",
    instead: "State a time that the code keeps, or leave it out and let `fusee analyze --programs` \
              prove one. A `budget` with `suspend` keeps others safe from it.",
    reference: CHAPTER,
};

/// A deadline was missed.
pub(crate) const DEADLINE_MISSED: Rule = Rule {
    code: Code("F1112"),
    name: "deadline-missed-in-run",
    severity: Severity::Warning,
    what: "In the run, a job completed after its deadline, or was not complete when its deadline \
           passed.",
    why: "What a run shows is a fact: this system can miss this deadline.",
    example: "bus.distribute_priority_protocol = \"fifo\";   // a low holder, a middle task, a \
              high waiter\n",
    instead: "`fusee run --trace` shows the run, `fusee analyze` names the largest causes and a \
              repair.",
    reference: CHAPTER,
};

/// Jobs ended by a fault.
pub(crate) const JOB_CRASHED: Rule = Rule {
    code: Code("F1115"),
    name: "job-crashed",
    severity: Severity::Warning,
    what: "Jobs of a task ended by a fault of their own component, or because that was restarted \
           or stopped.",
    why: "Such a job never completes, so it meets no deadline and keeps no bound, however early it \
          ended. A run full of crashes would otherwise look like one that is always in time.",
    example: "int run(void) { *(volatile int *)0 = 1; return 0; }   /* with a period */",
    instead: "Mend what the message about the fault (F1109) names: it has the component and the \
              source line.",
    reference: CHAPTER,
};

/// A task that was never released.
pub(crate) const NEVER_RELEASED: Rule = Rule {
    code: Code("F1116"),
    name: "task-never-released",
    severity: Severity::Warning,
    what: "In the whole run, no job of a task was released.",
    why: "Nothing was seen of the task, so nothing can be said about its deadline or its bound, \
          and all others ran without its load.",
    example: "logger.offset = \"20 s\";\n// fusee run system.camkes --for 10s",
    instead: "Run for a longer time with `--for`. A task that an event releases needs somebody who \
              emits it.",
    reference: CHAPTER,
};

/// No job was complete.
pub(crate) const NOTHING_COMPLETE: Rule = Rule {
    code: Code("F1117"),
    name: "no-job-complete",
    severity: Severity::Warning,
    what: "Jobs of a task were released, but the run ended before the first of them was complete.",
    why: "Nothing is known of its response time. The deadline had not passed when the run ended, \
          so none was missed, and none was met.",
    example: "fusee run system.camkes --for 1ms   # and the job takes 5 ms",
    instead: "Run for a longer time with `--for`: at least for some periods of the slowest task.",
    reference: CHAPTER,
};

/// A job that does not end.
pub(crate) const NEVER_ENDED: Rule = Rule {
    code: Code("F1118"),
    name: "job-never-ended",
    severity: Severity::Warning,
    what: "A job of a task without a deadline was still under way when the run ended, longer than \
           its period.",
    why: "It computes without end, or waits for something that does not come. No later job of the \
          task can begin.",
    example: "int run(void) { never_wait(); return 0; }   /* with a period, and nobody emits \
              `never` */",
    instead: "`fusee run --trace` shows what it waits for. A `run` that loops belongs into a \
              component without period.",
    reference: CHAPTER,
};

/// Releases that did not come.
pub(crate) const RELEASES_MISSING: Rule = Rule {
    code: Code("F1119"),
    name: "releases-missing",
    severity: Severity::Warning,
    what: "A periodic task was released less often than its period and the length of the run say.",
    why: "The kernel releases jobs by its timer, whatever components do. Jobs that were not \
          released kept no deadline.",
    example: "fusee run system.camkes   # on a kernel that loses a timer interrupt",
    instead: "A component cannot cause this: please report it with the description.",
    reference: CHAPTER,
};

/// No thread entered a component.
pub(crate) const NOT_ENTERED: Rule = Rule {
    code: Code("F1120"),
    name: "component-never-ran",
    severity: Severity::Warning,
    what: "By the description, tasks invoke a component, but no invocation came to it in the \
           simulated run.",
    why: "What the run shows holds without the component's share: neither its time nor the waiting \
          for it is in it.",
    example: "fusee simulate system.camkes --for 1us",
    instead: "Run for a longer time with `--for`, or look why the task that invokes it does not \
              come so far.",
    reference: CHAPTER,
};

/// Some components are stubs.
pub(crate) const STUBS: Rule = Rule {
    code: Code("F1121"),
    name: "stubs",
    severity: Severity::Note,
    what: "Components without sources ran as their description says: they executed their times and \
           their calls, and nothing else.",
    why: "The description asked for it with `stub = true`, or the command with `--stubs`. Times of \
          such a run are those of the description, and not of any code.",
    example: "worker.stub = true;",
    instead: "Write the component's code, and take the attribute or the option away.",
    reference: "Fusee book, chapter \"Building\"",
};

/// Several cores of an emulator.
pub(crate) const CORES_TAKE_TURNS: Rule = Rule {
    code: Code("F1126"),
    name: "cores-take-turns",
    severity: Severity::Note,
    what: "A system of several cores ran where they take turns: one executes for a while, then \
           another, and the clock goes on for all. The run shows what every core did, what was \
           printed and what failed, and is held against no deadline and no bound.",
    why: "QEMU's clock counts the instructions of all cores as if they were one, so a job seems to \
          take longer for what another core did meanwhile, and a core that waits seems to wait \
          longer. On parallel cores it would be otherwise.",
    example: "fusee run vehicle.camkes --for 1s      # with tasks on four cores",
    instead: "Read responses from `fusee simulate`, whose cores are parallel, and bounds from \
              `fusee analyze`.",
    reference: CHAPTER,
};

/// A thread without a period that goes on.
pub(crate) const STILL_RUNNING: Rule = Rule {
    code: Code("F1122"),
    name: "thread-still-running",
    severity: Severity::Note,
    what: "The control thread of a component without a period had not come back from `run` when \
           the run ended.",
    why: "Many components loop in `run` and wait for events, and have nothing to come back for. \
          But a thread that hangs looks the same from outside.",
    example: "int run(void) { for (;;) { tick_wait(); count++; } }",
    instead: "Nothing, if it is meant so. Otherwise `fusee run --trace` shows what it waits for.",
    reference: CHAPTER,
};

/// Deadlines that no bound promises.
pub(crate) const NOT_PROMISED: Rule = Rule {
    code: Code("F1123"),
    name: "run-without-promise",
    severity: Severity::Warning,
    what: "Tasks with a deadline ran that has no bound, or one that is longer than the deadline.",
    why: "A run shows what can happen, not what cannot. Who reads only that no deadline was \
          missed, or only the exit status, would take it for the promise that the analysis does \
          not give.",
    example: "fusee run system.camkes   # and a loop in `run` has no bound",
    instead: "`fusee analyze` says what stands in the way and looks for a repair; `--programs` \
              takes times from what was built. A task that has no deadline needs no `period`: let \
              it wait for an event.",
    reference: CHAPTER,
};
