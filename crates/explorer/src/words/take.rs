//! One step of a state with its ledger, checked.

use fusee_kernel::{
    Capability, Delivery, Error, Event, GateIndex, GateKind, Kernel, MutexWord, Outcome, Protocol,
    Status,
};

use super::check;
use super::ledger::Hand;
use super::rule::{Breach, Checked, Rule, ensure};
use super::step::Step;
use super::system::{Conduct, System, Weakness};
use super::world::{Worded, World};

impl<P: Worded> World<P> {
    /// Takes and checks a step; whether it was refused.
    ///
    /// # Errors
    /// A rule does not hold.
    pub fn take(
        &mut self,
        system: &System,
        step: Step,
        weakness: Option<Weakness>,
    ) -> Result<bool, Breach> {
        let before = self.clone();
        let running = self.store.running();
        let refused = match (step, running) {
            (Step::LookToLock(slot), Some(thread)) => {
                self.look(thread, Hand::Locking(slot, self.word(system, thread, slot)))
            }
            (Step::LookToUnlock(slot), Some(thread)) => {
                self.look(thread, Hand::Unlocking(slot, self.word(system, thread, slot)))
            }
            (Step::GoOn, Some(thread)) => self.go_on(system, thread, weakness)?,
            (Step::Write(mutex, word), _) => {
                self.store.gates[mutex.at()].word.value = word;
                false
            }
            (Step::Event(event), _) => self.handle(system, event, weakness)?,
            (Step::Reprioritise(thread, priority), _) => {
                self.unless_kept(weakness);
                let given = Kernel::resume(system.tables, self.store.memory(), ());
                let mut kernel = given;
                kernel.reprioritise(self.now, thread, P::given(priority)).is_err()
            }
            (Step::Tick, _) => {
                self.now += 1;
                false
            }
            _ => false,
        };
        if refused && matches!(step, Step::Event(_)) {
            return Ok(true);
        }
        self.follow(system, (&before, step))?;
        check::check(system, self)?;
        let kernel = Kernel::resume(system.tables, self.store.memory(), ());
        assert_eq!(kernel.check(), Ok(()), "where the rules hold, the kernel finds so itself");
        Ok(false)
    }

    fn unless_kept(&mut self, weakness: Option<Weakness>) {
        self.ledger.reserved &= weakness == Some(Weakness::KeptReservation);
    }

    fn mutex(&self, system: &System, thread: usize, slot: u16) -> GateIndex {
        let component = &system.tables.components[self.component_of(thread)];
        match component.capabilities[usize::from(slot)] {
            Capability::Mutex(mutex) => mutex,
            other => panic!("{other:?} is no mutex"),
        }
    }

    fn word(&self, system: &System, thread: usize, slot: u16) -> u32 {
        self.store.gates[self.mutex(system, thread, slot).at()].word.value
    }

    fn look(&mut self, thread: usize, hand: Hand) -> bool {
        self.ledger.hands[thread] = hand;
        self.ledger.reserved = true;
        false
    }

    /// Takes the library's step after its look: one store, or a call.
    fn go_on(
        &mut self,
        system: &System,
        thread: usize,
        weakness: Option<Weakness>,
    ) -> Result<bool, Breach> {
        let me = MutexWord::of(fusee_kernel::ThreadIndex(thread as u16));
        let hand = std::mem::replace(&mut self.ledger.hands[thread], Hand::Free);
        let (slot, seen, stored, locks) = match hand {
            Hand::Locking(slot, seen) => {
                (slot, seen, (seen == MutexWord::NOBODY).then_some(me), true)
            }
            Hand::Unlocking(slot, seen) => {
                let mine = match weakness {
                    Some(Weakness::DeafUnlock) => seen & !MutexWord::CONTENDED == me,
                    _ => seen == me,
                };
                (slot, seen, mine.then_some(MutexWord::NOBODY), false)
            }
            Hand::Free | Hand::Waiting(_) => return Ok(false),
        };
        let mutex = self.mutex(system, thread, slot);
        let reserved = std::mem::take(&mut self.ledger.reserved);
        if let Some(word) = stored.filter(|_| reserved) {
            self.store.gates[mutex.at()].word.value = word;
            self.believe(thread, mutex, locks);
            return Ok(false);
        }
        if weakness == Some(Weakness::OldWord) && self.store.gates[mutex.at()].holder.is_none() {
            self.store.gates[mutex.at()].word.value = seen;
        }
        let event = if locks { Event::Lock(slot) } else { Event::Unlock(slot) };
        let expected = self.refusal((system, thread), mutex, locks);
        let found = self.call(system, event)?;
        if system.conduct == Conduct::Honest {
            ensure(Rule::Refusals, found == expected, || {
                format!("{event:?} by T{thread} gets {found:?}, it should be {expected:?}")
            })?;
        }
        if found.is_none() {
            match self.store.threads[thread].status {
                Status::AtGate => self.ledger.hands[thread] = Hand::Waiting(mutex),
                _ => {
                    self.believe(thread, mutex, locks);
                    if locks {
                        self.told(system, thread, mutex)?;
                    }
                }
            }
        }
        Ok(found.is_some())
    }

    /// Returns the error with which a call must be refused, if it must.
    fn refusal(
        &self,
        (system, thread): (&System, usize),
        mutex: GateIndex,
        locks: bool,
    ) -> Option<Error> {
        let owners = &self.ledger.owners[mutex.at()];
        let holds = owners.contains(&thread);
        if !locks {
            return (!holds).then_some(Error::NotLocked);
        }
        if holds {
            return Some(Error::Reentry);
        }
        let recorded = self.store.gates[mutex.at()].holder;
        let live = owners.iter().copied().find(|owner| !self.is_gone(*owner, mutex));
        let mut at = if recorded.is_some() { Some(recorded.at()) } else { live };
        for _ in system.tables.threads {
            let next = self.store.threads[at?].gate()?;
            at = Some(self.store.gates[next.at()].holder.at());
            if at == Some(thread) {
                return Some(Error::Deadlock);
            }
        }
        None
    }

    fn believe(&mut self, thread: usize, mutex: GateIndex, holds: bool) {
        let owners = &mut self.ledger.owners[mutex.at()];
        owners.retain(|owner| *owner != thread);
        if holds {
            owners.push(thread);
        }
    }

    /// Calls the kernel; why it refuses, if it does.
    fn call(&mut self, system: &System, event: Event) -> Result<Option<Error>, Breach> {
        let before = self.store.clone();
        let answer = Kernel::resume(system.tables, self.store.memory(), ()).handle(self.now, event);
        ensure(Rule::Atomic, answer.is_ok() || self.store == before, || {
            format!("{event:?} is refused, yet the state changed")
        })?;
        if let Ok(Outcome { delivery: Delivery::Enter(gate), thread, .. }) = answer {
            let entered = self.store.gates[gate.at()].kind == GateKind::Interface;
            ensure(Rule::Inside, entered, || format!("T{} enters by M{}", thread.0, gate.0))?;
        }
        Ok(answer.err())
    }

    fn handle(
        &mut self,
        system: &System,
        event: Event,
        weakness: Option<Weakness>,
    ) -> Result<bool, Breach> {
        self.unless_kept(weakness);
        let (running, stale) =
            (self.store.running(), self.store.running().is_some_and(|it| self.is_stale(it)));
        let home = running.map(|thread| self.component_of(thread));
        let barred = running.and_then(|thread| self.is_barred(system, thread, event));
        let refused = self.call(system, event)?.is_some();
        if let (Some(thread), Some((barred, held)), false) = (running, barred, refused) {
            let waits = self.store.threads[thread].status == Status::AtGate;
            ensure(Rule::Bars, waits == barred && (barred || !held), || {
                format!("{event:?} by T{thread} waits: {waits}; is barred: {barred}, held: {held}")
            })?;
        }
        let (Some(thread), Some(component), false) = (running, home, refused) else {
            return Ok(refused);
        };
        if matches!(event, Event::Fault | Event::Abort | Event::Return | Event::Complete) {
            self.leave(thread, component, event == Event::Fault && !stale);
        }
        Ok(refused)
    }

    /// Returns whether others' ceilings keep a thread out, and whether another thread is inside, if
    /// it enters a gate with a ceiling.
    fn is_barred(&self, system: &System, thread: usize, event: Event) -> Option<(bool, bool)> {
        let Event::Invoke(slot) = event else { return None };
        let component = &system.tables.components[self.component_of(thread)];
        let Capability::Gate(entered) = component.capabilities[usize::from(slot)] else {
            return None;
        };
        let ceiling = |gate: usize| match system.tables.gates[gate].protocol {
            Protocol::Ceiling { ceiling } => Some(P::given(ceiling)),
            _ => None,
        };
        ceiling(entered.at())?;
        let others = (0..self.store.threads.len()).filter(|other| *other != thread);
        let held: Vec<usize> = others
            .flat_map(|other| self.frames(other))
            .flat_map(|frame| check::on_frame(self, frame))
            .collect();
        let base = self.store.threads[thread].base;
        let barred = held.iter().filter_map(|&gate| ceiling(gate)).any(|ceiling| ceiling >= base);
        Some((barred, held.contains(&entered.at())))
    }

    /// A thread's invocation of a component has ended.
    fn leave(&mut self, thread: usize, component: usize, failed: bool) {
        self.ledger.hands[thread] = Hand::Free;
        for (mutex, gate) in self.store.gates.iter().enumerate() {
            if gate.component.at() == component && self.ledger.owners[mutex].contains(&thread) {
                self.ledger.owners[mutex].retain(|owner| *owner != thread);
                self.ledger.failed[mutex] |= failed;
            }
        }
        for (mutex, gate) in self.store.gates.iter().enumerate() {
            if self.store.components[gate.component.at()].is_unrestored() {
                self.ledger.failed[mutex] = false;
            }
        }
    }

    /// A thread that waits no more has got its mutex.
    fn follow(&mut self, system: &System, (before, step): (&Self, Step)) -> Checked {
        for thread in 0..self.ledger.hands.len() {
            let Hand::Waiting(mutex) = self.ledger.hands[thread] else { continue };
            if self.store.threads[thread].status == Status::AtGate {
                continue;
            }
            let waiters = check::waiters(&before.store, mutex.at());
            ensure(Rule::Order, waiters.first() == Some(&thread), || {
                format!("T{thread} gets M{} before {waiters:?}", mutex.0)
            })?;
            self.ledger.hands[thread] = Hand::Free;
            self.believe(thread, mutex, true);
            self.ledger.failed[mutex.at()] =
                matches!(step, Step::Event(Event::Fault | Event::Abort));
            self.told(system, thread, mutex)?;
        }
        Ok(())
    }

    fn told(&mut self, system: &System, thread: usize, mutex: GateIndex) -> Checked {
        let failed = std::mem::take(&mut self.ledger.failed[mutex.at()]);
        if system.conduct != Conduct::Honest {
            return Ok(());
        }
        let told = self.store.threads[thread].value == 1;
        ensure(Rule::Died, told == failed, || {
            format!("T{thread} is told {told}, that the holder of M{} failed is {failed}", mutex.0)
        })
    }
}
