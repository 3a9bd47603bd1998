//! Several executions of one program, which share what was found of its flow.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::engine::{Engine, Stop};
use super::kernel::Cut;
use super::{Bound, Effort, Facts};
use crate::flow::{Function, Resolved};
use crate::machine::Machine;
use crate::program::Program;
use crate::value::Value;
use fusee_isa::language::Register;

/// Where an execution begins, and what is known there.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// Its first instruction.
    pub at: u64,
    /// What registers hold.
    pub registers: &'a [(Register, Value)],
    /// What words of memory hold: address, number.
    pub memory: &'a [(u64, u64)],
    /// Whether a kernel goes on here after it has waited for an interrupt.
    pub resumed: bool,
}

/// What is known of a program's flow.
#[derive(Debug, Default)]
pub struct Session {
    resolved: Resolved,
    functions: BTreeMap<u64, Rc<Function>>,
    cuts: Vec<Cut>,
    /// Where a kernel goes on after a wait with an empty stack.
    resumptions: BTreeSet<u64>,
}

impl Session {
    /// Nothing is known but what facts say.
    pub fn new(facts: &Facts) -> Self {
        Self { resolved: facts.targets.clone(), ..Self::default() }
    }

    /// Whoever was cut is to be executed again.
    pub fn forget_cuts(&mut self) {
        self.cuts.clear();
    }

    /// Where the kernel goes on after it has waited for an interrupt with an empty stack, as far as
    /// was found.
    pub fn resumptions(&self) -> &BTreeSet<u64> {
        &self.resumptions
    }

    /// Bounds the time from an address on, where these registers are known.
    pub fn execute<M: Machine>(
        &mut self,
        program: &Program,
        machine: &M,
        facts: &Facts,
        effort: Effort,
        entry: &Beginning<'_>,
    ) -> Bound {
        loop {
            let mut engine = Engine::new(program, machine, facts, effort);
            engine.resolved = self.resolved.clone();
            engine.functions = std::mem::take(&mut self.functions);
            let cuts = self.cuts.len();
            engine.cuts = std::mem::take(&mut self.cuts);
            let result = engine.begin(entry);
            let functions = std::mem::take(&mut engine.functions);
            self.cuts = std::mem::take(&mut engine.cuts);
            self.resumptions.append(&mut engine.resumptions);
            match result {
                // Functions were cut into blocks without the new targets.
                Err(Stop::NewTargets(address, targets)) => {
                    self.cuts.truncate(cuts);
                    self.resolved.entry(address).or_default().extend(targets);
                    continue;
                }
                Err(Stop::Exhausted) => {
                    self.functions = functions;
                    return engine.exhausted(entry.at);
                }
                Ok(paths) => {
                    self.functions = functions;
                    return engine.conclude(paths);
                }
            }
        }
    }
}
