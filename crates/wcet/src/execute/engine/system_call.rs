//! System calls of programs that run on a kernel.
//!
//! What happens in a kernel, and in whoever it lets run meanwhile, is not in the
//! program, and neither is its time. What can be said is what the program finds
//! when it goes on: the registers that the kernel preserves, its own stack, and
//! of all else nothing. A [`KernelInterface`] says what the kernel promises;
//! without one, a system call is an obstacle.

use std::collections::BTreeSet;

use super::mode::Mode;
use super::stopping::Behind;
use super::{Engine, Missing};
use crate::execute::interface::Request;
use crate::execute::path::{Frame, Path};
use crate::execute::ways::Way;
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Effect, Instruction, Operand, Register};

/// A call that can ask for more than this is not taken apart.
const REQUESTS: u64 = 16;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns what a system call can ask for; nothing where that is not known.
    pub(super) fn requests(&self, state: &State) -> BTreeSet<Request> {
        let Some(kernel) = &self.subject.facts.kernel else { return BTreeSet::new() };
        let subjects =
            few(state.get(kernel.subject)).map(|all| all.into_iter().map(Some).collect());
        // A request for an object that is not known is a request all the same, and must be counted.
        let subjects: Vec<Option<u64>> = subjects.unwrap_or(vec![None]);
        let of = |operation| subjects.iter().map(move |&subject| Request { operation, subject });
        few(state.get(kernel.operation)).unwrap_or_default().into_iter().flat_map(of).collect()
    }

    /// A path is in the kernel: it goes on behind the call, or is at its end.
    pub(super) fn system_call(
        &mut self,
        frame: &mut Frame<M::Timing>,
        call: &Instruction,
        path: Path<M::Timing>,
        requests: BTreeSet<Request>,
    ) {
        let facts = self.subject.facts;
        let mut path = match self.behind_trap(call, path) {
            Behind::Nothing => return,
            Behind::Back(path) => return self.arrive(frame, call.next_address(), path),
            Behind::Open(path) => path,
        };
        let Some(kernel) = &facts.kernel else {
            let what = "a system call's time is not in this binary";
            self.obstacle(call.address, what, Missing::Time);
            let behind = self.behind(vec![path]);
            behind.into_iter().for_each(|path| self.arrive(frame, call.next_address(), path));
            return;
        };
        // Only the operation tells whether the path comes back.
        if requests.is_empty() {
            return self.obstacle(
                call.address,
                "which system call this is, is not known",
                Missing::Nothing,
            );
        }
        // One call may be of either kind, so the path may end here and go on as well.
        let (last, others): (BTreeSet<_>, BTreeSet<_>) =
            requests.into_iter().partition(|request| kernel.ends.contains(&request.operation));
        if !last.is_empty() {
            let next = kernel.next_job.contains(&call.address).then(|| path.clone());
            self.end_path(path.clone());
            if let Some(next) = next {
                self.next_job(frame, call, next);
            }
        }
        if !others.is_empty() {
            self.findings.coverage.requests.entry(call.address).or_default().extend(others);
            self.resume(&mut path.state, &kernel.changed);
            // Threads that ran meanwhile have left nothing of it in caches.
            path.timing = self.subject.machine.at_entry();
            self.arrive(frame, call.next_address(), path);
        }
    }

    /// A job has ended, and the next one begins behind the call: another path, whose time begins
    /// at 0.
    fn next_job(
        &mut self,
        frame: &mut Frame<M::Timing>,
        call: &Instruction,
        mut path: Path<M::Timing>,
    ) {
        let facts = self.subject.facts;
        let Some(kernel) = &facts.kernel else { return };
        self.resume(&mut path.state, &kernel.changed);
        // Once is enough for all paths that come here with no more than one before.
        if self.goes_on_alike(call.address, &mut path.state) {
            return;
        }
        // Other jobs have run meanwhile.
        path.timing = self.subject.machine.at_entry();
        (path.time, path.way, path.resumed) = (0, Way::START, true);
        self.arrive(frame, call.next_address(), path);
    }

    /// Forgets what others may have changed: all memory but the stack, and it as well once they may
    /// know where it is.
    fn resume(&self, state: &mut State, changed: &[(Register, Range)]) {
        // Before the store: the kernel sees these registers, so an address in the stack that is in
        // one of them opens the stack to that store.
        for &(register, _) in changed {
            state.apply(&Effect::Hide { value: Operand::Register(register) }, self.subject.setting);
        }
        // Which number is stored does not matter. At an unknown place it ends all that is known.
        state.store_at(
            Value::ANY,
            Operand::Constant(0),
            self.subject.setting.register_width(),
            self.subject.setting,
        );
        for &(register, range) in changed {
            state.set(register, Value::number(range));
        }
    }
}

/// The numbers that a value can be, if these are few.
fn few(value: Value) -> Option<Vec<u64>> {
    // A wide range stands for many requests that nobody makes.
    let few = value.base == Base::None && value.range.steps() < REQUESTS;
    few.then(|| value.range.numbers().map(|number| number as u64).collect())
}
