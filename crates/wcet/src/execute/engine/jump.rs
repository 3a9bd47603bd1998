//! Branches, computed jumps, calls and returns.

use std::collections::BTreeSet;

use super::mode::Mode;
use super::{Engine, Missing};
use crate::execute::granted::Used;
use crate::execute::loop_watch::Branching;
use crate::execute::path::{Frame, Path, Stop};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Comparison, Instruction, Operand, Register};

/// A jump with more possible targets than this is not resolved.
const TARGETS: u64 = 4096;

const RETURNS: &str = "a return whose address was lost sight of leads back to its caller";

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// The addresses that a target can be, from its value and from facts.
    fn resolve(&mut self, at: &Instruction, target: Value) -> Option<BTreeSet<u64>> {
        let proved = self.possible(target);
        let Some(given) = self.subject.facts.targets.get(&at.address) else { return proved };
        let fact = Used::Targets(at.address);
        match proved {
            // What is proved says as much as the fact or more, so nothing rests on the fact.
            Some(proved) if proved.is_subset(given) => Some(proved),
            Some(proved) => {
                let both: BTreeSet<u64> = proved.intersection(given).copied().collect();
                // A contradiction means that there is no bound, so it does no harm that the path
                // ends here.
                if both.is_empty() {
                    let names: Vec<String> = proved
                        .iter()
                        .map(|&target| self.subject.setting.describe(target))
                        .collect();
                    self.findings
                        .contradict(fact, format!("the jump leads to {} only", names.join(", ")));
                }
                self.findings.rest_on(fact);
                Some(both)
            }
            None => {
                self.findings.rest_on(fact);
                Some(given.clone())
            }
        }
    }

    /// The same; an obstacle, with what is `unknown`, where there is no telling.
    fn targets(
        &mut self,
        at: &Instruction,
        target: Value,
        unknown: &'static str,
    ) -> Option<BTreeSet<u64>> {
        let targets = self.resolve(at, target);
        if targets.is_none() {
            self.obstacle(at.address, unknown, Missing::Targets);
        }
        targets
    }

    /// Returns the addresses that a value can be, where they are few.
    fn possible(&self, target: Value) -> Option<BTreeSet<u64>> {
        // Only plain numbers can be listed as places in the code, and each of them is a path of its
        // own.
        if target.base != Base::None || target.range.steps() >= TARGETS {
            return None;
        }
        let architecture = self.subject.setting.architecture();
        Some(
            target
                .range
                .numbers()
                .map(|n| self.subject.setting.wrap(architecture.jump_target(n as u64)))
                .collect(),
        )
    }

    /// Returns whether a comparison of numbers that are all known holds: nothing is learnt of them
    /// then.
    pub(super) fn decided(
        &self,
        state: &State,
        comparison: Comparison,
        sides: (Operand, Operand),
        echo: Option<(Operand, Operand)>,
    ) -> Option<bool> {
        let known = |operand| state.operand(operand).as_constant();
        let is_known = |(left, right)| known(left).is_some() && known(right).is_some();
        // With an approach a branch tells an order as well, and that may exclude a path: then the
        // branch must be looked at in full.
        let all = is_known(sides) && echo.is_none_or(is_known) && self.loops.approaches.is_empty();
        all.then(|| state.decide(comparison, state.operand(sides.0), state.operand(sides.1)))
            .flatten()
    }

    /// Returns the path on which a comparison holds, if it can.
    pub(super) fn branch(
        &self,
        path: &Path<M::Timing>,
        comparison: Comparison,
        (left, right): (Operand, Operand),
        echo: Option<(Operand, Operand)>,
    ) -> Option<Path<M::Timing>> {
        let (l, r) = (path.state.operand(left), path.state.operand(right));
        if path.state.decide(comparison, l, r) == Some(false) {
            return None;
        }
        let mut path = path.clone();
        // The echo is the same comparison of narrow or wide views of the registers. Without it the
        // other views would keep numbers that cannot be.
        let mut all = std::iter::once((left, right)).chain(echo);
        let possible = all.all(|(left, right)| path.state.assume(comparison, left, right));
        // Equal numbers leave the loop, so the order holds only where they differ.
        let ordered = match self
            .loops
            .in_order(self.branching(self.at))
            .filter(|_| comparison == Comparison::NotEqual)
        {
            Some(true) => path.state.assume(Comparison::LessSigned, left, right),
            Some(false) => path.state.assume(Comparison::LessSigned, right, left),
            None => true,
        };
        (possible && ordered).then_some(path)
    }

    /// Returns a branch at an address of the function that is under way.
    pub(super) fn branching(&self, address: u64) -> Branching {
        Branching { depth: self.calls.len(), address }
    }

    pub(super) fn computed_jump(
        &mut self,
        frame: &mut Frame<M::Timing>,
        at: &Instruction,
        path: Path<M::Timing>,
        target: Value,
    ) -> Result<(), Stop> {
        // The return address may be in another register than the usual one: this is a return, too.
        if target == frame.return_address {
            self.keep(frame, None, path);
            return Ok(());
        }
        if let Some(calls) = self.unwinds_to(target) {
            self.unwind(calls, path);
            return Ok(());
        }
        // What is jumped to comes back to the caller of this function, as behind a tail call.
        if let Some(path) = self.stated_at(at, &path) {
            self.keep(frame, None, path);
            return Ok(());
        }
        let unknown = "the target of this computed jump is not known";
        let Some(targets) = self.targets(at, target, unknown) else { return Ok(()) };
        let numbers = path.state.numbers(target);
        // A jump table can end a loop, so its index is watched. It has no other side, so 0 stands
        // there.
        self.loops.note(self.branching(at.address), (numbers, Range::constant(0)));
        // Blocks and loops were found without these targets and may be others with them.
        if !self.code.knows(at.address, &targets) {
            return Err(Stop::NewTargets(at.address, targets));
        }
        for target in targets {
            self.arrive(frame, target, path.clone());
        }
        Ok(())
    }

    pub(super) fn computed_call(
        &mut self,
        frame: &mut Frame<M::Timing>,
        at: &Instruction,
        path: Path<M::Timing>,
        target: Value,
    ) -> Result<(), Stop> {
        let next = at.next_address();
        // A stated time needs no targets, so they are not asked for.
        if let Some(path) = self.stated_at(at, &path) {
            self.arrive(frame, next, path);
            return Ok(());
        }
        let unknown = "the function that is called here is not known";
        let Some(targets) = self.targets(at, target, unknown) else {
            for path in self.behind(vec![path]) {
                self.arrive(frame, next, path);
            }
            return Ok(());
        };
        for target in targets {
            let return_address = Value::constant(self.subject.setting.register_number(next));
            for path in self.call(target, vec![path.clone()], return_address)? {
                self.arrive(frame, next, path);
            }
        }
        Ok(())
    }

    pub(super) fn return_to_caller(
        &mut self,
        frame: &mut Frame<M::Timing>,
        at: &Instruction,
        path: Path<M::Timing>,
        link: Register,
    ) -> Result<(), Stop> {
        let target = path.state.get(link);
        if target == frame.return_address {
            self.keep(frame, None, path);
        } else if let Some(calls) = self.unwinds_to(target) {
            self.unwind(calls, path);
        } else if path.state.could_be(target, frame.return_address) {
            // A store at an unknown place may have hidden the return address. It is taken to be
            // there still, and the result says so: else nearly every such store would leave no
            // bound.
            self.findings.assume(RETURNS);
            self.keep(frame, None, path);
        } else {
            self.computed_jump(frame, at, path, target)?;
        }
        Ok(())
    }

    /// Returns whether a path that is cut at a place goes on as one before it; if not, it goes on
    /// for all that were cut there.
    pub(super) fn goes_on_alike(&mut self, place: u64, state: &mut State) -> bool {
        self.cuts.goes_on_alike((place, &self.calls), state, self.subject.setting)
    }

    /// A path arrives at a block of its function.
    pub(super) fn arrive(
        &mut self,
        frame: &mut Frame<M::Timing>,
        address: u64,
        path: Path<M::Timing>,
    ) {
        match frame.function.block_at(address) {
            Some(block) => self.keep(frame, Some(block), path),
            // The bytes there may be no instruction, so no block can carry this fact.
            None if self.subject.facts.unreachable.contains(&address) => {
                self.findings.rest_on(Used::Unreachable(address));
            }
            None => {
                let error = self.subject.setting.instruction(address).err();
                let what = error.map_or_else(
                    || "there is no instruction here".to_owned(),
                    |error| error.to_string(),
                );
                self.obstacle(address, what, Missing::Nothing);
            }
        }
    }
}
