//! A violation's history, told step by step.

use std::fmt;

use fusee_kernel::{EarliestDeadline, FixedPriority, NEVER, PriorityCeiling, Status};

use crate::breach;
use crate::step::status_name;
use crate::systems::PolicyKind;
use crate::{Rule, Rules, Step, Store, System, Tape};

/// A rule that does not hold, and how it came to that.
pub type Violation = breach::Violation<Rule, Step>;

impl Violation {
    /// Returns the history, told step by step.
    pub fn history<'s>(&'s self, system: &'s System) -> History<'s> {
        History { system, violation: self }
    }
}

/// Replays a violation's steps and tells what each did.
#[derive(Debug)]
pub struct History<'s> {
    pub(crate) system: &'s System,
    pub(crate) violation: &'s Violation,
}

impl fmt::Display for History<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.system.name, self.violation.breach)?;
        match self.system.policy {
            PolicyKind::FixedPriority => self.steps::<FixedPriority>(out),
            PolicyKind::PriorityCeiling => self.steps::<PriorityCeiling>(out),
            PolicyKind::EarliestDeadline => self.steps::<EarliestDeadline>(out),
        }
    }
}

impl History<'_> {
    fn steps<P: Rules>(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(mut store) = Store::<P>::start(&self.system.tables) else { return Ok(()) };
        let mut now = self.system.begins;
        for (number, step) in self.violation.steps.iter().enumerate() {
            let caller = store.running();
            let result = step.take(&self.system.tables, &mut store, &mut now, &mut Tape::default());
            write!(out, "{:3}. ", number + 1)?;
            match (step, caller) {
                (Step::Event(_), Some(thread)) => write!(out, "while T{thread} runs: ")?,
                (Step::Event(_), None) => write!(out, "while idle: ")?,
                _ => {}
            }
            write!(out, "{step}")?;
            if let Err(error) = result {
                write!(out, ", refused: {error:?}")?;
            }
            writeln!(out, "\n     {}", Threads { system: self.system, store: &store })?;
        }
        Ok(())
    }
}

/// All threads of a state in a line.
struct Threads<'s, P: Rules> {
    system: &'s System,
    store: &'s Store<P>,
}

impl<P: Rules> fmt::Display for Threads<'_, P> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, thread) in self.store.threads.iter().enumerate() {
            if thread.status == Status::Idle && thread.depth() == 0 {
                continue;
            }
            write!(out, "T{index} {}", status_name(thread.status))?;
            if matches!(thread.status, Status::AtGate | Status::AtNotification) {
                write!(out, " {}", thread.waits_at)?;
            }
            write!(out, " at {}", P::tell(thread.effective))?;
            for frame in self.store.frames_of(&self.system.tables, index) {
                write!(out, " in G{}", frame.gate.0)?;
            }
            if thread.budget != NEVER {
                write!(out, " budget {}", thread.budget)?;
            }
            write!(out, "; ")?;
        }
        Ok(())
    }
}
