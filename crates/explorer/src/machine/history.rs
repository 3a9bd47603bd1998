//! A violation's history on the machine, told step by step.

use std::fmt;

use fusee_kernel::FixedPriority;

use super::state::State;
use crate::{Step, System, Tape, Violation};

/// Replays a violation's traps and tells how each ended.
#[derive(Debug)]
pub struct History<'s> {
    pub(super) system: &'s System,
    pub(super) violation: &'s Violation,
}

impl fmt::Display for History<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.system.name, self.violation.breach)?;
        let mut state = State::<FixedPriority>::start(self.system);
        let mut now = self.system.begins;
        for (number, &step) in self.violation.steps.iter().enumerate() {
            write!(out, "{:3}. {step}", number + 1)?;
            match step {
                Step::Event(event) => {
                    let way = state.trap(self.system, event, (now, &mut Tape::default()));
                    writeln!(out, " at {now}: {way:?}")?;
                    // The step that breaks a rule is the last, and told above.
                    let _ = state.follow(self.system, way);
                }
                _ => {
                    now += 1;
                    writeln!(out)?;
                }
            }
        }
        Ok(())
    }
}
