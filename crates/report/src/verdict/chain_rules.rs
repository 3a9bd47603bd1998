//! The rules about chains in a run, with their manual pages.

use fusee_diagnostics::{Code, Rule, Severity};

const CHAPTER: &str = "Fusee book, chapter \"Chains and events\"";

/// A bound on a chain was exceeded.
pub(crate) const CHAIN_EXCEEDED: Rule = Rule {
    code: Code("F1130"),
    name: "chain-bound-exceeded",
    severity: Severity::Error,
    what: "An effect took longer through a chain, or was older at its end, than the analysis \
           promises.",
    why: "Either a task on the way takes longer than its description says, or does not signal \
          where it says so, or Fusee's analysis is wrong; the latter is a defect of the highest \
          rank.",
    example: "filter.calls = [\"emit filtered\"];   // and it does so in every second job only",
    instead: "Compare each task of the chain with its description. If all do as it says, please \
              report it.",
    reference: CHAPTER,
};

/// A chain took longer than allowed.
pub(crate) const CHAIN_LATE: Rule = Rule {
    code: Code("F1131"),
    name: "chain-late",
    severity: Severity::Warning,
    what: "In the run, a chain took longer than its description allows. Each job is taken to read \
           right when it begins and its output to be there when it is complete: code that reads \
           later or writes earlier may have been faster in this run, and need not be in the next.",
    why: "What a run shows is a fact: this system can be too late.",
    example: "system.chains = [\"sensor -> motor within 20 ms\"];   // and `motor` reads every 50 \
              ms",
    instead: "`fusee analyze` shows what the time consists of: shorten the largest part.",
    reference: CHAPTER,
};

/// Nothing reached the end of a chain.
pub(crate) const CHAIN_SILENT: Rule = Rule {
    code: Code("F1132"),
    name: "chain-silent",
    severity: Severity::Warning,
    what: "No job at the end of a chain used anything that had come through it.",
    why: "A chain of which nothing arrives is late nowhere, and a run that shows this shows \
          nothing.",
    example: "fusee run system.camkes --for 1ms   # and the chain takes 5 ms",
    instead: "Run for a longer time. If the chain stays silent, look at the tasks on the way: \
              `fusee run --trace`.",
    reference: CHAPTER,
};

/// A chain that no bound promises.
pub(crate) const CHAIN_NOT_PROMISED: Rule = Rule {
    code: Code("F1133"),
    name: "chain-without-promise",
    severity: Severity::Warning,
    what: "A chain ran that has no bound, or one above what its description allows.",
    why: "A run shows what can happen, not what cannot.",
    example: "system.chains = [\"sensor -> motor within 20 ms\"];   // and `motor` is sporadic",
    instead: "`fusee analyze` says what stands in the way.",
    reference: CHAPTER,
};
