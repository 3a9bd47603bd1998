//! Several executions of one program, which share what was found of its flow.

use std::collections::BTreeSet;

use super::beginning::Beginning;
use super::code::Code;
use super::cuts::Cuts;
use super::engine::Engine;
use super::engine::kernel::Kernel;
use super::path::Stop;
use super::subject::Subject;
use super::work::Work;
use super::{Bound, Effort, Facts};
use crate::machine::Machine;

/// The flow of a program, as far as it is known.
#[derive(Debug, Default)]
pub struct Session {
    code: Code,
    cuts: Cuts,
    /// Addresses at which a kernel goes on after a wait with an empty stack.
    resumptions: BTreeSet<u64>,
}

impl Session {
    /// Nothing is known but what facts say.
    pub fn new(facts: &Facts) -> Self {
        Self { code: Code::new(facts.targets.clone()), ..Self::default() }
    }

    /// Paths that were cut are to be executed again.
    pub fn forget_cuts(&mut self) {
        self.cuts.truncate(0);
    }

    /// Returns where the kernel goes on after it has waited for an interrupt with an empty stack,
    /// as far as was found.
    pub fn resumptions(&self) -> &BTreeSet<u64> {
        &self.resumptions
    }

    /// Bounds the time from an address on, where these registers are known.
    pub(super) fn execute<M: Machine>(
        &mut self,
        subject: Subject<'_, M>,
        effort: Effort,
        entry: &Beginning<'_>,
    ) -> Bound {
        loop {
            let code = std::mem::take(&mut self.code);
            let mut engine = Engine::<M, Kernel>::new(subject, Work::new(effort.into(), 0), code);
            let cuts = self.cuts.len();
            // Cuts of other entries hold here, too: behind a cut all entries go on alike.
            engine.cuts = std::mem::take(&mut self.cuts);
            let result = engine.begin(entry);
            self.code = std::mem::take(&mut engine.code);
            self.cuts = std::mem::take(&mut engine.cuts);
            // Also where the execution begins again: with more targets these places are still
            // reached.
            self.resumptions.append(&mut engine.mode.resumptions);
            match result {
                // Functions were cut into blocks without the new targets.
                Err(Stop::NewTargets(jump, targets)) => {
                    // Behind these cuts nobody has gone on to the end, so they must stand for no
                    // other path.
                    self.cuts.truncate(cuts);
                    self.code.begin_again(jump, targets);
                }
                Err(Stop::Exhausted) => return engine.exhausted(entry.at),
                Ok(paths) => return engine.conclude(paths),
            }
        }
    }
}
