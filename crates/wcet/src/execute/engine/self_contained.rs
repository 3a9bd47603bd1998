//! Functions that keep to themselves, executed once for many calls.
//!
//! Why that is sound: a function is executed for itself from a state in which
//! nothing is known but the numbers of the registers that it reads and the
//! addresses in the stack. Every call that is entered with the same is one of
//! the executions that this stands for, if no load can give what is known
//! elsewhere (an address in the stack, of which nobody would see that it was
//! lost sight of), and no store can change it: loads are of constants or of
//! what was stored in the frame since, stores are into the frame. Each load and
//! store is held to that when it is executed; what the code looks like decides
//! only whether it is tried. An address in the stack that the caller keeps in a
//! register is some far one, which the function may save and restore, and do
//! nothing else with.

use std::rc::Rc;

use super::Engine;
use super::mode::Mode;
use super::trial::Notes;
use crate::execute::findings::Findings;
use crate::execute::path::{Path, Stop};
use crate::execute::summaries::{Alone, End, Inputs, Summary, allows, calls_of, read_by};
use crate::machine::Machine;
use crate::state::{Access, State, Stored};
use crate::value::{Base, Value};
use fusee_isa::language::{Effect, Operand, Register, Width};
use fusee_isa::{Architecture, riscv};

/// The most blocks of an execution for a summary.
const ALLOWANCE: u64 = 16_384;
/// When these parts of the effort are used up, rough summaries are enough: within a loop whose
/// iterations are summed up, and elsewhere.
const SUMMED_UP: u64 = 64;
const COARSE: u64 = 8;
/// Calls within calls that are looked at.
const DEEPEST: usize = 32;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// The paths behind a call, if a summary tells them.
    pub(super) fn summarized(
        &mut self,
        entry: u64,
        paths: &[Path<M::Timing>],
        return_address: Value,
    ) -> Result<Option<Vec<Path<M::Timing>>>, Stop> {
        let facts = self.subject.facts;
        let across = facts.totals.is_empty() && facts.exclusions.is_empty();
        let link = self.subject.setting.architecture().link();
        let [path] = paths else { return Ok(None) };
        // A summary returns to the caller. With another return address it would have to jump
        // elsewhere.
        let usual = path.state.get(link) == return_address;
        // Summaries count no iterations for totals and carry no marks.
        if !K::TAKES_BACK || !across || !usual || self.only_lists() {
            return Ok(None);
        }
        if self.is_rough() && self.depth_limit(entry).is_some() {
            return self.at_depth(entry, path);
        }
        // How deep it may still call itself is not among its inputs.
        if self.calls.contains(&entry) {
            return Ok(None);
        }
        // For a single call a summary would be one more execution for nothing.
        if !self.summaries.is_called_again(entry) {
            return Ok(None);
        }
        let Some(read) = self.registers_read(entry, 0) else { return Ok(None) };
        let inputs = path.state.inputs(read);
        // The very same inputs first: a summary for more of them may take longer than this call.
        if let Some(behind) = self.known(entry, path, |known| *known == inputs)? {
            return Ok(Some(behind));
        }
        let coarse = self.is_rough() || self.is_coarse(&inputs);
        if coarse && let Some(behind) = self.known(entry, path, |known| allows(known, &inputs))? {
            return Ok(Some(behind));
        }
        let any = coarse && self.summaries.asks_for_any(entry);
        if !any && !self.summaries.asks_for(entry, &inputs) {
            return Ok(None);
        }
        let Some(summary) = self.execute_alone(entry, inputs.clone(), path, ALLOWANCE)? else {
            self.summaries.failed(entry);
            return Ok(None);
        };
        self.summaries.keep(entry, summary);
        if any {
            let all = State::any_inputs(&inputs, riscv::GP, self.subject.setting);
            if let Some(summary) = self.execute_alone(entry, all, path, ALLOWANCE)? {
                self.summaries.keep_any(entry, summary);
            }
        }
        self.known(entry, path, |known| *known == inputs)
    }

    /// Returns whether it is enough to know what a function comes to in more cases than these: much
    /// was executed already, and a loop is summed up, where numbers are known only roughly.
    fn is_coarse(&self, inputs: &Inputs) -> bool {
        let rough = |value: &Value| value.base == Base::None && value.range.as_constant().is_none();
        let part = if self.loops.trials > 0 { SUMMED_UP } else { COARSE };
        self.work.done() > self.work.effort.blocks / part
            && inputs.iter().any(|(_, value)| rough(value))
    }

    /// The paths behind a call, if there is a summary for inputs that `allow` it.
    fn known(
        &mut self,
        entry: u64,
        path: &Path<M::Timing>,
        allow: impl Fn(&Inputs) -> bool,
    ) -> Result<Option<Vec<Path<M::Timing>>>, Stop> {
        let machine = self.subject.machine;
        // Times hold only for a machine whose state is covered.
        let covers = |timing: &M::Timing| machine.includes(timing, &path.timing);
        match self.summaries.find(entry, allow, covers) {
            Some(summary) => self.behind_summary(&summary, path),
            None => Ok(None),
        }
    }

    /// The paths behind a call of which this summary tells what it comes to; nothing where it does
    /// not say what that changes here.
    pub(super) fn behind_summary(
        &mut self,
        summary: &Summary<M::Timing>,
        path: &Path<M::Timing>,
    ) -> Result<Option<Vec<Path<M::Timing>>>, Stop> {
        let setting = self.subject.setting;
        let is_watched = self.summaries.alone.is_some();
        let touched = (&summary.stores[..], &summary.outside);
        let behind = |end: &End<M::Timing>| {
            let mut state = path.state.behind(&end.state, touched, setting)?;
            // The function around is watched as well: a later load there must be seen to read what
            // was stored in its own frame.
            if is_watched {
                state.hold(&summary.stores, setting);
            }
            let time = path.time.saturating_add(end.time);
            let tally = path.tally.clone();
            Some(Path { state, timing: end.timing.clone(), time, tally, ..*path })
        };
        let Some(behind) = summary.ends.iter().map(behind).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        // What a callee touches, the function around touches.
        if let Some(around) = &mut self.summaries.alone {
            around.stores.extend(summary.stores.iter().map(|one| (one.at, one.width)));
            let outside = &mut around.outside;
            around.is_open |= !path.state.touches(&summary.outside, outside, setting);
        }
        self.findings.absorb(summary.number, &summary.findings);
        for &(line, header) in &summary.findings.loops_on_lines {
            self.one_loop_only(line, header);
        }
        // It counts as a block, so that endless calls of known functions use up the effort as well.
        if !self.work.begin_block(path.state.pieces()) {
            return Err(Stop::Exhausted);
        }
        let on_its_way = |(mut after, end): (Path<M::Timing>, &End<M::Timing>)| {
            after.way = self.ways.repeat(path.way, &end.way, 1);
            after
        };
        Ok(Some(behind.into_iter().zip(&summary.ends).map(on_its_way).collect()))
    }

    /// Executes a function for all calls with these inputs; nothing where one may come to something
    /// else.
    pub(super) fn execute_alone(
        &mut self,
        entry: u64,
        inputs: Inputs,
        path: &Path<M::Timing>,
        allowance: u64,
    ) -> Result<Option<Summary<M::Timing>>, Stop> {
        let setting = self.subject.setting;
        let pointer = path.state.get(self.stack_pointer());
        let frame = pointer.range.as_constant().filter(|_| pointer.base == Base::Stack);
        // Without a known stack pointer nobody can tell which stores are in the frame.
        let Some(frame) = frame else { return Ok(None) };
        let link = setting.architecture().link();
        let begin = Path { state: State::self_contained(&inputs, setting), ..path.clone() };
        let (notes, begun) = (self.notes(), self.work.useful());
        let depths = (self.calls.len(), self.loops.depth());
        // Its findings are added at each of its calls, so they must be free of what was found
        // before.
        self.findings = Findings::new();
        let around = self.summaries.alone.replace(Alone { frame, ..Alone::default() });
        // Its time counts wherever it is called.
        let sought = std::mem::take(&mut self.loops.sought);
        let loan = self.work.lend(allowance);
        // The return address is the caller's, whoever that is: all that is known is what the link
        // register held.
        let back = Value::based(Base::Symbol(link.index() as u32));
        let done = self.enter(entry, vec![begin], back);
        let ran_out = self.work.take_back(loan);
        self.loops.sought = sought;
        let alone = std::mem::replace(&mut self.summaries.alone, around).unwrap_or_default();
        // An execution that broke off has left its calls and loops on the stacks.
        if done.is_err() {
            self.cut_calls(depths.0);
            self.loops.come_back_to(depths.1);
        }
        let returned = match done {
            // Only the end of the loan is a failure of the summary alone. Any other stop is for
            // all.
            Err(stop) if !(ran_out && matches!(stop, Stop::Exhausted)) => {
                self.take_back(notes);
                return Err(stop);
            }
            done => done.ok(),
        };
        let ends = returned.and_then(|paths| self.ends(path, &paths, &notes));
        let findings = std::mem::replace(&mut self.findings, Findings::new());
        self.take_back(notes);
        let Some(ends) = ends.filter(|_| !alone.is_open && findings.is_alone()) else {
            self.work.waste(begun);
            return Ok(None);
        };
        let stored = |(at, width): (i64, Width)| Stored {
            at,
            width,
            // What was in the place before is surely gone only if every path has stored there.
            surely: ends.iter().all(|end| end.state.has_stored(at, width)),
        };
        let stores = alone.stores.into_iter().map(stored).collect();
        let (findings, timing, outside) = (Rc::new(findings), path.timing.clone(), alone.outside);
        Ok(Some(Summary { inputs, timing, ends, stores, outside, findings, number: 0 }))
    }

    /// The ends of an execution, if each has kept to the conventions.
    fn ends(
        &self,
        begin: &Path<M::Timing>,
        paths: &[Path<M::Timing>],
        notes: &Notes,
    ) -> Option<Vec<End<M::Timing>>> {
        let stack = self.stack_pointer();
        let end = |path: &Path<M::Timing>| {
            let usual = path.state.get(stack) == begin.state.get(stack)
                && !path.state.has_stack_escaped()
                && path.state.keeps_unseen()
                && path.resumed == begin.resumed
                && path.tally == begin.tally;
            usual.then(|| End {
                state: path.state.clone(),
                timing: path.timing.clone(),
                time: path.time - begin.time,
                way: self.ways.since(begin.way, path.way),
            })
        };
        // A path that ended elsewhere is none of the ends that a caller gets.
        let ended = self.has_ended_since(notes);
        paths.iter().map(end).collect::<Option<Vec<_>>>().filter(|_| !ended)
    }

    /// Applies effects where a function is executed for itself, and sees where they lead.
    pub(super) fn watched(&mut self, state: &mut State, effects: &[Effect]) -> Vec<Access> {
        let mut accesses = Vec::new();
        for effect in effects {
            // A half of a saved register follows it on its own. That is no look at the address.
            if let Some(half) = state.half_of_unseen(effect, self.subject.setting) {
                state.apply(&Effect::Unknown { target: half }, self.subject.setting);
                continue;
            }
            // Before the effect, which may change the registers of its own address.
            self.watch(state, effect);
            accesses.extend(K::effects(self, state, std::slice::from_ref(effect)));
            // Nothing that is computed is taken for one of the far addresses.
            if let Effect::Compute { target, .. } = *effect {
                self.watch_operands(state, [Operand::Register(target)]);
            }
        }
        accesses
    }

    fn watch(&mut self, state: &State, effect: &Effect) {
        let (setting, rough) = (self.subject.setting, self.is_rough());
        let place = match *effect {
            Effect::Store { address, width, .. } if rough => {
                self.within_table(state, state.address(address, setting), width)
            }
            Effect::Load { address, .. } | Effect::Store { address, .. } => {
                state.address(address, setting)
            }
            _ => Value::ANY,
        };
        let Some(alone) = &mut self.summaries.alone else { return };
        match *effect {
            Effect::Load { width, .. } => {
                let same = state.keeps_to(alone.frame, (place, width), setting);
                // What others store is any number here; an address in the stack that it may be is
                // lost sight of where the function is called.
                let is_told = same
                    || rough && (place.base != Base::Stack || alone.outside.look((place, width)));
                alone.is_open |= !is_told;
            }
            Effect::Store { value, width, .. } => {
                let at = place.range.as_constant().filter(|_| place.base == Base::Stack);
                let end = at.map(|at| at.saturating_add(width.bytes() as i64));
                let in_frame = end.is_some_and(|end| end <= alone.frame);
                // Whoever finds an address of the stack elsewhere may store through it at any time.
                let shows = state.operand(value).base == Base::Stack;
                let is_told = in_frame
                    || rough && !shows && (at.is_some() || alone.outside.store(place, width));
                alone.is_open |= !is_told;
                alone.stores.extend(at.map(|at| (at, width)));
            }
            _ => {
                // Atomic accesses are to memory that others use as well.
                let is_atomic = matches!(effect, Effect::Atomic { .. });
                alone.is_open |=
                    is_atomic || effect.operands().any(|operand| state.is_unseen(operand));
            }
        }
    }

    /// Operands are compared where a function is executed for itself.
    pub(super) fn watch_operands<const N: usize>(&mut self, state: &State, all: [Operand; N]) {
        if let Some(alone) = &mut self.summaries.alone {
            alone.is_open |= all.into_iter().any(|operand| state.is_unseen(operand));
        }
    }

    /// The registers on which it may depend what a function does, if it seems to keep to itself.
    fn registers_read(&mut self, entry: u64, depth: usize) -> Option<u128> {
        if let Some(known) = self.summaries.read(entry) {
            return known;
        }
        // Nothing is said of a function that calls itself.
        self.summaries.note_read(entry, None);
        let read = self.find_registers_read(entry, depth);
        self.summaries.note_read(entry, read);
        read
    }

    fn find_registers_read(&mut self, entry: u64, depth: usize) -> Option<u128> {
        // This calls itself for each callee, and the host's stack is limited.
        if depth > DEEPEST {
            return None;
        }
        let function = self.function(entry).ok()?;
        let architecture = self.subject.setting.architecture();
        let frame = architecture.frame_registers();
        let calls = calls_of(&function, Some(&frame[..]).filter(|_| !self.is_rough()))?;
        for &call in &calls {
            self.registers_read(call, depth + 1)?;
        }
        // Each callee is known by now: one that is not has ended this above.
        let called = |call: u64| self.summaries.read(call).flatten().unwrap_or(0);
        let read = read_by(&function, &called);
        Some(self.may_matter(read))
    }

    /// Those of the registers that a function reads on which it may depend what it does.
    pub(super) fn may_matter(&self, read: u128) -> u128 {
        let architecture = self.subject.setting.architecture();
        let bit = |register: Register| 1u128 << register.index();
        let bits = |registers: Vec<Register>| registers.into_iter().map(bit).sum::<u128>();
        // A register that calls preserve is read to be saved. If it is used otherwise, nothing is
        // known of it here, which is sound. The link register is the return address.
        let mut may_matter = bits(architecture.changed_by_calls()) & !bit(architecture.link());
        if let Architecture::Riscv(_) = architecture {
            // Addresses of small data and constants are distances from it.
            may_matter |= bit(riscv::GP);
        }
        read & may_matter | bit(architecture.stack_pointer())
    }
}
