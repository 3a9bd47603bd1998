//! A state with its ledger: one step, checked.

use fusee_kernel::{
    Capability, Error, Event, Frame, GateIndex, GateKind, Kernel, OnFault, ServiceWord, Status,
    Store, Time,
};

use super::ledger::{Asked, Ledger};
use super::rule::{Breach, Checked, Rule, ensure};
use super::step::Step;
use super::systems::System;
use crate::{Rules, frames};

/// A policy under which components may let threads sleep.
pub trait Serviced: Rules<Word = ServiceWord> {}

impl<P: Rules<Word = ServiceWord>> Serviced for P {}

/// The kernel's state, and the sleeping threads.
#[derive(Debug, Clone)]
pub struct World<P: Serviced> {
    /// The kernel's state.
    pub store: Store<P>,
    /// The ledger beside the kernel's state.
    pub ledger: Ledger,
    /// The time that has passed, in ticks.
    pub now: Time,
    /// Frames of a thread, and one.
    depth: usize,
}

impl<P: Serviced> World<P> {
    /// Returns the state at the start.
    pub fn start(system: &System) -> Self {
        let tables = &system.tables;
        let store = Store::start(tables).expect("the tables of a system are right");
        let ledger = Ledger::start(tables.threads.len());
        World { store, ledger, now: 0, depth: usize::from(tables.depth) + 1 }
    }

    /// Returns a thread's frames, its home first.
    pub fn frames(&self, thread: usize) -> &[Frame<P>] {
        frames::of_thread(&self.store, self.depth, thread)
    }

    /// Returns the component in which a thread is.
    pub fn component_of(&self, thread: usize) -> usize {
        frames::top(self.frames(thread)).component.at()
    }

    /// Returns `true` if that has died or been restarted since.
    pub fn is_stale(&self, thread: usize) -> bool {
        self.is_stale_frame(frames::top(self.frames(thread)))
    }

    /// Returns `true` if a frame's component has died or been restarted since.
    pub fn is_stale_frame(&self, frame: &Frame<P>) -> bool {
        frames::is_stale(&self.store, frame)
    }

    /// Returns `true` if it is to be put back first.
    pub fn is_unrestored(&self, thread: usize) -> bool {
        self.store.components[self.component_of(thread)].is_unrestored() && !self.is_stale(thread)
    }

    fn is_home(&self, thread: usize) -> bool {
        self.store.threads[thread].depth() == 0
    }

    /// Takes and checks a step; whether it was refused.
    ///
    /// # Errors
    /// A rule does not hold.
    pub fn take(&mut self, system: &System, step: Step) -> Result<bool, Breach> {
        self.ledger.told.clear();
        let refused = match step {
            Step::Event(event) => self.handle(system, event)?,
            Step::Reprioritise(thread, priority) => {
                let mut kernel = Kernel::resume(system.tables, self.store.memory(), ());
                kernel.reprioritise(self.now, thread, P::given(priority)).is_err()
            }
            Step::Tick => {
                self.now += 1;
                false
            }
        };
        if refused {
            return Ok(true);
        }
        self.check(system)?;
        let kernel = Kernel::resume(system.tables, self.store.memory(), ());
        assert_eq!(kernel.check(), Ok(()), "where the rules hold, the kernel finds so itself");
        Ok(false)
    }

    fn handle(&mut self, system: &System, event: Event) -> Result<bool, Breach> {
        let before = self.clone();
        let answer = Kernel::resume(system.tables, self.store.memory(), ()).handle(self.now, event);
        ensure(Rule::Atomic, answer.is_ok() || self.store == before.store, || {
            format!("{event:?} is refused, yet the state changed")
        })?;
        let Some(thread) = before.store.running() else { return Ok(answer.is_err()) };
        let asked = before.asked(system, thread, event);
        let expected = before.refusal(system, thread, event, asked);
        let found = answer.err();
        let open = matches!(event, Event::Invoke(_) | Event::Release(..));
        ensure(Rule::Refusals, open || found == expected, || {
            format!("{event:?} by T{thread} gets {found:?}, it should be {expected:?}")
        })?;
        if found.is_none() {
            self.follow(system, (&before, thread), (event, asked));
        }
        Ok(found.is_some())
    }

    fn asked(&self, system: &System, thread: usize, event: Event) -> Option<Asked> {
        let component = &system.tables.components[self.component_of(thread)];
        let named = |slot: u16| match component.capabilities[usize::from(slot)] {
            Capability::Thread(_, thread) => thread.at(),
            other => panic!("{other:?} is no thread"),
        };
        match event {
            Event::Depend(slot) => {
                let target = named(slot);
                Some(Asked::Depend(target, self.store.threads[target].status != Status::Idle))
            }
            Event::Wake(slot) => Some(Asked::Wake(named(slot))),
            _ => None,
        }
    }

    /// Returns the error with which a call must be refused, if it must.
    fn refusal(
        &self,
        system: &System,
        thread: usize,
        event: Event,
        asked: Option<Asked>,
    ) -> Option<Error> {
        if let Some(Asked::Depend(target, _)) = asked {
            let row = system.row(self.component_of(thread)).expect("it may");
            if self.ledger.woken.contains(&(row, thread)) {
                return None;
            }
            if target == thread {
                return Some(Error::Reentry);
            }
            let mut at = target;
            for _ in &self.store.threads {
                at = self.waits_for(at)?;
                if at == thread {
                    return Some(Error::Deadlock);
                }
            }
        }
        match event {
            Event::Return => self.is_home(thread).then_some(Error::NotInGate),
            Event::Complete => (!self.is_home(thread)).then_some(Error::InGate),
            _ => None,
        }
    }

    /// Returns the thread that another one waits for: by the ledger, or at a gate.
    fn waits_for(&self, thread: usize) -> Option<usize> {
        if let Some((_, target)) = self.ledger.asleep[thread] {
            return Some(target);
        }
        let gate = self.store.threads[thread].gate()?;
        Some(self.store.gates[gate.at()].holder.at())
    }

    /// The ledger takes the step.
    fn follow(
        &mut self,
        system: &System,
        (before, thread): (&Self, usize),
        (event, asked): (Event, Option<Asked>),
    ) {
        let component = before.component_of(thread);
        let row = system.row(component);
        if let Some((row, asked)) = row.zip(asked) {
            self.ledger.ask((row, thread), asked);
        }
        let on_fault = system.tables.components[component].on_fault;
        let gone =
            event == Event::Fault && !before.is_stale(thread) && on_fault != OnFault::Continue;
        if let Some(row) = row.filter(|_| gone) {
            self.ledger.forget(row);
        }
        let ends = matches!(event, Event::Complete | Event::Fault | Event::Abort);
        if ends && before.is_home(thread) {
            self.ledger.end_job(thread);
        }
    }

    fn check(&self, system: &System) -> Checked {
        self.sleepers(system)?;
        self.priorities(system)?;
        self.payers()?;
        let threads = || self.store.threads.iter();
        let ready = threads().filter(|thread| thread.status == Status::Ready);
        let ready = ready.map(|thread| thread.effective).max();
        let running = self.store.running().map(|thread| self.store.threads[thread].effective);
        ensure(Rule::Highest, running >= ready, || {
            format!("priority {ready:?} is ready while {running:?} runs")
        })
    }

    /// The ledger knows the waits of threads for each other.
    fn payers(&self) -> Checked {
        let threads = &self.store.threads;
        for (thread, state) in threads.iter().enumerate() {
            let lends = |&other: &usize| threads[other].budget > 0 && self.root(other) == thread;
            let lenders: Vec<usize> =
                (0..threads.len()).filter(|&other| other != thread).filter(lends).collect();
            let most = lenders.iter().map(|&lender| threads[lender].effective).max();
            let core = &self.store.cores[0];
            let payer = core.payer().at();
            let pays = match (state.status, state.budget > 0) {
                (Status::Suspended, own) => !own && lenders.is_empty(),
                (Status::Running, true) => payer == thread,
                // That a budget has ended is found out at once.
                (Status::Running, false) => {
                    threads[payer].budget == 0 && core.limit <= self.now
                        || lenders.contains(&payer) && Some(threads[payer].effective) == most
                }
                _ => true,
            };
            ensure(Rule::Payers, pays, || {
                format!("T{payer} pays while T{thread} is {:?}, may: {lenders:?}", state.status)
            })?;
        }
        Ok(())
    }

    /// Returns the thread at the end of the chain of threads that wait for each other.
    fn root(&self, thread: usize) -> usize {
        let mut at = thread;
        for _ in &self.store.threads {
            match self.waits_for(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    fn sleepers(&self, system: &System) -> Checked {
        for (thread, state) in self.store.threads.iter().enumerate() {
            let at = state.gate().filter(|gate| system.is_about(*gate));
            let about = |(row, target): (usize, usize)| GateIndex((row + target) as u16);
            let expected = self.ledger.asleep[thread].map(about);
            ensure(Rule::Sleepers, at == expected, || {
                format!("T{thread} sleeps at {at:?}, it should be {expected:?}")
            })?;
        }
        for &(thread, told) in &self.ledger.told {
            let found = self.store.threads[thread].value;
            ensure(Rule::Told, found == told, || format!("T{thread} is told {found}, not {told}"))?;
        }
        for (index, gate) in self.store.gates.iter().enumerate() {
            if !system.is_about(GateIndex(index as u16)) {
                continue;
            }
            let sleepers = self.ledger.asleep.iter().flatten();
            let about = |&(row, target): &(usize, usize)| (row + target == index).then_some(target);
            let expected = sleepers.filter_map(about).next();
            let holder = gate.holder.is_some().then(|| gate.holder.at());
            ensure(Rule::Dependencies, holder == expected, || {
                format!("G{index} is about {holder:?}, it should be {expected:?}")
            })?;
        }
        Ok(())
    }

    /// Effective priorities are the least fixpoint of base priorities, sleepers and waiters.
    fn priorities(&self, system: &System) -> Checked {
        let threads = &self.store.threads;
        let mut expected: Vec<P::Urgency> = threads.iter().map(|thread| thread.base).collect();
        for _ in 0..=threads.len() {
            for waiter in 0..threads.len() {
                let asleep = self.ledger.asleep[waiter].is_some();
                let inherits = |gate: GateIndex| system.tables.gates[gate.at()].protocol.inherits();
                if asleep || threads[waiter].gate().is_some_and(inherits) {
                    let target = self.waits_for(waiter).expect("it waits");
                    expected[target] = expected[target].max(expected[waiter]);
                }
            }
            for (thread, expected) in expected.iter_mut().enumerate() {
                for frame in self.frames(thread).iter().skip(1) {
                    let gate = &system.tables.gates[frame.gate.at()];
                    if gate.kind == GateKind::Interface {
                        let ceiling = P::ceiling(&system.tables, gate.protocol);
                        *expected = (*expected).max(P::claimed(frame.claim, ceiling));
                    }
                }
            }
        }
        for (thread, state) in threads.iter().enumerate() {
            let (is, should) = (state.effective, expected[thread]);
            ensure(Rule::Priorities, is == should, || {
                let [is, should] = [is, should].map(P::tell);
                format!("T{thread}'s effective priority is {is}, the rule says {should}")
            })?;
        }
        Ok(())
    }
}
