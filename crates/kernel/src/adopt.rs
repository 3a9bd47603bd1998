//! The adoption of threads that hold a mutex by its word.
//!
//! A thread that finds the word taken asks the kernel, which looks at word and queue in one step:
//! no epoch tells old questions from new ones. If there is a record, the caller waits behind it.
//! Else the word names the owner, which the kernel *adopts*, if that thread is inside of the
//! component; a component that names a wrong owner can only name one of the threads that are inside
//! of it.
//!
//! The record stands on the owner's frame for that component, which may be in the middle of its
//! stack, and there *in the place of the frame's gate*, which it remembers. So every look at a
//! frame finds a held mutex with waiters first, and refuses: no return is made while there is a
//! record, and none of the fast paths has anything to check for it. The frame of a thread that
//! comes to unlock is the topmost one, so mutexes are unlocked in any order.
//!
//! A record exists exactly while a thread waits.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::word::{MutexWord, Word};
use crate::{
    Capability, ComponentIndex, Error, Frame, GateIndex, GateKind, Kind, Next, ResumeReason, Sink,
    Status, ThreadIndex, Time,
};

/// The result of the call that locks a mutex whose holder has failed inside.
const OWNER_DIED: u32 = 1;

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Returns a mutex' word, as the kernel has left it.
    pub fn word(&self, mutex: GateIndex) -> u32 {
        self.gate(mutex).word.value()
    }

    /// Sets a mutex' word to the value that components have written without the kernel.
    pub fn set_word(&mut self, mutex: GateIndex, value: u32) {
        self.memory.gates[mutex.at()].word.set(value);
    }

    /// The running thread locks a mutex of its component, or waits. Steps: where it waits, twice
    /// the declared chain, as at a gate, and the frames of the adopted owner.
    pub(crate) fn change_by_lock(&mut self, now: Time, mutex: GateIndex) -> Result<Next, Error> {
        let caller = self.caller()?;
        // The record before the word: while there is one, only the kernel writes the word, and a
        // component that writes it all the same must not be believed.
        let mut holder = self.gate(mutex).holder;
        let mut frame = None;
        if holder.is_none() {
            let owner = MutexWord::owner(self.word(mutex));
            let inside = owner.and_then(|owner| Some((owner, self.frame_inside(owner, mutex)?)));
            let Some((owner, inside)) = inside else {
                // A thread that was inside before a restart has left nothing half done in the new
                // data: its mutex is granted as a free one.
                let died = owner.is_some_and(|owner| !self.is_stale_inside(owner, mutex));
                self.set_word(mutex, MutexWord::of(caller));
                self.thread_mut(caller).promise(ResumeReason::Signal, u32::from(died));
                return Ok(Next::Other);
            };
            (holder, frame) = (owner, Some(inside));
            seeded!(EarlyRecord, self.adopt(owner, inside, mutex), ());
        }
        // Refused before anything has changed.
        let root = self.end_of_chain_from(caller, holder)?;
        if let Some(frame) = frame {
            seeded!(EarlyRecord, (), self.adopt(holder, frame, mutex));
        }
        if !self.wait_at(now, mutex) {
            if self.thread(root).status == Status::Suspended {
                self.revive(root);
            }
            self.choose(now);
        }
        Ok(Next::Other)
    }

    /// The running thread unlocks a mutex that it has locked. Steps: the records on its frame,
    /// unless another thread lends it time.
    pub(crate) fn change_by_unlock_word(
        &mut self,
        now: Time,
        mutex: GateIndex,
    ) -> Result<Next, Error> {
        let thread = self.caller()?;
        let holder = self.gate(mutex).holder;
        if holder.is_none() {
            // Its last waiter may have gone, or it was interrupted between its look at the word and
            // its store.
            let owns = MutexWord::owner(self.word(mutex)) == Some(thread);
            if !owns || seeded!(StrictUnlock, true, false) {
                return Err(Error::NotLocked);
            }
            self.set_word(mutex, MutexWord::NOBODY);
            return Ok(Next::Same);
        }
        // On the topmost frame only: what an outer invocation has locked is not this one's to
        // unlock.
        if holder != thread || !self.has_record(self.top(thread), mutex) {
            return Err(Error::NotLocked);
        }
        self.thread_mut(thread).promise(ResumeReason::Nothing, 0);
        let next = self.hand_mutex_on(now, mutex, 0);
        if self.core().current.is_none() || self.take_over(now, next) != Next::Other {
            self.queue_up(now, next);
        }
        Ok(Next::Open)
    }

    /// The running thread's invocation or job ends: its component's mutexes that it holds are
    /// handed on, or say that it has failed. Steps: the component's capabilities, and the records.
    pub(crate) fn let_go(&mut self, now: Time, thread: ThreadIndex) {
        let component = self.component_of(thread);
        while let Some(mutex) = self.topmost_record(thread) {
            // Whoever sleeps there gets no mutex. It is told that no thread may be about to wake
            // it.
            if self.gate(mutex).word.depends() {
                self.wake_dependents(now, mutex);
                continue;
            }
            let next = self.hand_mutex_on(now, mutex, seeded!(SilentDeath, 0, OWNER_DIED));
            self.queue_up(now, next);
        }
        // Where the component was restarted, the data behind the mutex are whole again.
        let left = if self.is_stale(thread) { MutexWord::NOBODY } else { MutexWord::DIED };
        for capability in self.tables.components[component.at()].capabilities {
            let Capability::Mutex(mutex) = *capability else { continue };
            // While no thread waits only the word says who holds it, so each word has to be looked
            // at.
            let holds = self.gate(mutex).holder.is_none()
                && MutexWord::owner(self.word(mutex)) == Some(thread);
            if seeded!(UnseenWord, false, holds) {
                self.set_word(mutex, left);
            }
        }
    }

    /// A component's data are put back: so are its words, but for those that the kernel writes.
    /// Steps: the component's capabilities.
    pub(crate) fn reset_words(&mut self, component: ComponentIndex) {
        for capability in self.tables.components[component.at()].capabilities {
            let Capability::Mutex(mutex) = *capability else { continue };
            // A recorded word is the kernel's, and threads wait for it: it stays as it is.
            if seeded!(ClearedRecord, true, self.gate(mutex).holder.is_none()) {
                self.set_word(mutex, MutexWord::NOBODY);
            }
        }
    }

    /// Returns the record on top of those of a thread's topmost frame, if there is one.
    #[inline(always)]
    pub(crate) fn topmost_record(&self, thread: ThreadIndex) -> Option<GateIndex> {
        if !P::Word::ADOPTS {
            return None;
        }
        // The record stands in the place of the frame's gate, so one look tells.
        let gate = self.top(thread).gate;
        (gate.is_some() && self.kind(gate) == GateKind::Mutex).then_some(gate)
    }

    /// Returns `true` if a mutex' record stands on the thread's topmost frame. Steps: its records.
    pub(crate) fn holds_on_top(&self, thread: ThreadIndex) -> bool {
        // Without sleepers each record is one of a mutex.
        if !P::Word::DEPENDS {
            return self.topmost_record(thread).is_some();
        }
        let is_mutex = |gate| self.kind(gate) == GateKind::Mutex && !self.gate(gate).word.depends();
        self.gates_of(self.top(thread)).any(is_mutex)
    }

    /// Iterates over the gates that a frame is in: the mutexes whose records stand on it, and the
    /// gate that it has passed.
    pub(crate) fn gates_of(&self, frame: &Frame<P>) -> impl Iterator<Item = GateIndex> {
        let some = |gate: GateIndex| gate.is_some().then_some(gate);
        core::iter::successors(some(frame.gate), move |&gate| {
            let is_record = P::Word::ADOPTS && self.kind(gate) == GateKind::Mutex;
            some(if is_record { self.gate(gate).word.under() } else { GateIndex::NONE })
        })
    }

    /// Returns `true` if a mutex' record stands on this frame. Steps: its records.
    pub(crate) fn has_record(&self, frame: &Frame<P>, mutex: GateIndex) -> bool {
        self.gates_of(frame).any(|gate| gate == mutex)
    }

    fn kind(&self, gate: GateIndex) -> GateKind {
        self.gate(gate).kind
    }

    /// Returns a thread's frame for a mutex' component, if it has one that is not stale, and has
    /// got there. Steps: its frames.
    fn frame_inside(&self, owner: ThreadIndex, mutex: GateIndex) -> Option<usize> {
        let (component, state) = (self.gate(mutex).component, self.memory.threads.get(owner.at())?);
        // The whole epoch: no thread can hold anything in a component that is dead or still to be
        // put back.
        let epoch = self.memory.components[component.at()].epoch;
        // The first one found is the only live one: the build refuses ways that come back to a
        // component.
        let mut all = (state.home as usize..=state.top()).rev();
        let is_of_it = |at: &usize| {
            seeded!(TrustedOwner, true, self.memory.frames[*at].component == component)
        };
        let frame = seeded!(TopmostRecord, all.next(), all.find(is_of_it))?;
        // Between two jobs a thread is nowhere, but its home keeps the epoch of the last job.
        let live = self.memory.frames[frame].epoch == epoch && state.status != Status::Idle;
        // It has not run there yet, so it cannot have locked anything: the word lies.
        let begins = frame == state.top()
            && matches!(state.reason, ResumeReason::Enter | ResumeReason::Start);
        (live && !seeded!(EarlyOwner, false, begins)).then_some(frame)
    }

    /// Returns `true` if a thread is in a mutex' component, but in an older epoch than the present
    /// one. Steps: its frames.
    fn is_stale_inside(&self, owner: ThreadIndex, mutex: GateIndex) -> bool {
        let component = self.gate(mutex).component;
        let epoch = self.memory.components[component.at()].epoch;
        let Some(state) = self.memory.threads.get(owner.at()) else { return false };
        let mut frames = self.memory.frames[state.home as usize..=state.top()].iter();
        frames.any(|frame| frame.component == component && frame.epoch != epoch)
    }

    /// Puts a record on a frame of the thread that a mutex' word names. Constant time.
    pub(crate) fn adopt(&mut self, owner: ThreadIndex, frame: usize, mutex: GateIndex) {
        let state = &mut self.memory.gates[mutex.at()];
        let frame = &mut self.memory.frames[frame];
        state.holder = owner;
        state.word.set(MutexWord::of(owner) | MutexWord::CONTENDED);
        state.word.put_over(frame.gate);
        frame.gate = mutex;
    }

    /// Takes a mutex' record, which there is, off the running thread's topmost frame, and gives the
    /// mutex to its first waiter, which is still to be queued. Steps: the records of the frame.
    fn hand_mutex_on(&mut self, now: Time, mutex: GateIndex, died: u32) -> ThreadIndex {
        let thread = self.gate(mutex).holder;
        if self.core().is_lent() {
            // The lender may get the mutex now; what it has lent is gone.
            self.charge(now);
        }
        self.take_record_off(thread, mutex);
        let next = self.gate(mutex).waiters.head();
        self.memory.gates[mutex.at()].waiters.pop(self.memory.threads, next);
        self.thread_mut(next).status = Status::Idle;
        self.record(now, Kind::HandOver, next, mutex.0, u64::from(thread.0));
        self.own(next, mutex);
        self.thread_mut(next).promise(ResumeReason::Signal, died);
        // It may have run on the time of the thread that has the mutex now.
        if self.thread(thread).is_exhausted() {
            self.reconsider(now, thread);
        }
        next
    }

    /// Takes a record off a thread's topmost frame, and from the thread what it has inherited by
    /// that. Steps: the records of the frame.
    fn take_record_off(&mut self, thread: ThreadIndex, mutex: GateIndex) {
        let top = self.thread(thread).top();
        let under = self.gate(mutex).word.under();
        if self.memory.frames[top].gate == mutex {
            self.memory.frames[top].gate = under;
        } else {
            let mut above = self.memory.frames[top].gate;
            // It ends, because all who come here know that the record stands on this frame.
            while self.gate(above).word.under() != mutex {
                above = self.gate(above).word.under();
            }
            self.memory.gates[above.at()].word.put_over(under);
        }
        let (frame, state) = (&self.memory.frames[top], self.thread(thread));
        // The frame of the home has no floor: there is nothing below it but the base.
        let floor = if state.is_home() { state.base } else { frame.floor };
        let demand = seeded!(RestoredFloor, P::LEAST, self.demand_of(frame));
        self.thread_mut(thread).effective = floor.max(demand);
    }

    /// A thread has got a mutex: there is a record if others still wait. Constant time.
    fn own(&mut self, thread: ThreadIndex, mutex: GateIndex) {
        let state = &mut self.memory.gates[mutex.at()];
        if seeded!(KeptRecord, false, state.waiters.is_empty()) {
            // No thread waits, so there is no record, and the word is the component's again.
            state.holder = ThreadIndex::NONE;
            state.word.set(MutexWord::of(thread));
        } else {
            let frame = self.memory.threads[thread.at()].top();
            self.adopt(thread, frame, mutex);
        }
    }
}
