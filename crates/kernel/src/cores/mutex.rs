//! Mutexes that threads of several cores lock.
//!
//! Such a mutex is a gate between cores without an activation: queue, lock and interrupts are those
//! of one, and its protocol is [`GlobalProtocol::Msrp`](super::GlobalProtocol::Msrp), so a waiting
//! thread stays on its core and no other thread takes the core from it. The new owner stays where
//! it was, in its own frames, as a thread of its core with the urgency of the stand-in: nothing is
//! to be executed for it elsewhere, and it may take all fast paths of its core. So this core only
//! remembers that one of its threads is the owner, until that unlocks the mutex, or its invocation
//! ends otherwise.

use crate::mutation::seeded;
use crate::{
    Capability, Error, Event, Failure, GateKind, GlobalIndex, Kind, Policy, ResumeReason, Sink,
};
use crate::{ThreadIndex, Time};

use super::shared::AtHome;
use super::{CoreKernel, Due, Ipis, Left, Locked};

impl<P: Policy, S: Sink> CoreKernel<'_, '_, P, S> {
    /// Returns `true` if a gate between cores is a mutex.
    #[inline]
    pub(super) fn is_mutex(&self, global: GlobalIndex) -> bool {
        self.kernel.gate(self.tables.stand_in(global)).kind == GateKind::Mutex
    }

    /// Returns the mutex between cores that a call of the running thread's names.
    pub fn mutex(&self, event: Event) -> Option<GlobalIndex> {
        let (Event::Lock(slot) | Event::Unlock(slot)) = event else { return None };
        match self.kernel.capability(slot) {
            Ok(Capability::Mutex(gate)) => self.tables.global(gate),
            _ => None,
        }
    }

    /// Returns the mutex between cores that a thread has locked last, and inside of whose
    /// invocation it still is.
    pub(super) fn mutex_of(&self, thread: ThreadIndex) -> Option<GlobalIndex> {
        let global = self.tables.global(self.kernel.top(thread).gate);
        global.filter(|&global| self.home.holds(global))
    }

    /// The running thread, which waits nowhere, locks a mutex between cores or unlocks it.
    ///
    /// # Errors
    /// Those of [`ask`](Self::ask); [`Error::NotLocked`]: the thread has not locked it last.
    pub fn at_mutex(&mut self, global: GlobalIndex, event: Event) -> Result<(), Error> {
        if matches!(event, Event::Lock(_)) {
            return self.ask(global);
        }
        if self.mutex_of(self.kernel.current()) != Some(global) {
            return Err(Error::NotLocked);
        }
        self.home.due = Due::Leave(global, None);
        Ok(())
    }

    /// Returns `true` if a call of the running thread's would make other cores wait for more than
    /// its section: it holds a mutex between cores, and waits for a signal, or at a gate of its own
    /// core that other threads hold. Constant time; under the priority ceiling protocol the steps
    /// of a search for the threads that are in the way.
    pub fn keeps_waiting(&self, event: Event) -> bool {
        // The common case, without a look at the slot.
        if self.home.held == 0 || seeded!(WaitingOwner, true, false) {
            return false;
        }
        match event {
            // Refused also where something is pending: whether a thread waits is known only
            // afterwards.
            Event::Wait(_) => true,
            Event::Invoke(slot) | Event::Lock(slot) => match self.kernel.capability(slot) {
                Ok(Capability::Gate(gate) | Capability::Mutex(gate)) => self.kernel.blocks(gate),
                _ => false,
            },
            _ => false,
        }
    }

    /// The announced thread has the mutex, and waits for nothing any more.
    pub(super) fn hold(&mut self, global: GlobalIndex) {
        self.home.held |= 1 << global.0;
        // It executes its own frames from now on, so there is no presence that another core must
        // know.
        self.home.announced = ThreadIndex::NONE;
    }

    /// The running thread gives the mutex away, because it unlocks it or has failed with it.
    pub(super) fn unlock(
        &mut self,
        now: Time,
        global: GlobalIndex,
        failure: Option<Failure>,
        locked: &mut Locked<'_>,
    ) -> Left {
        let owner = locked.pop();
        self.tell(now, Kind::Finish, (global, self.kernel.current()), u64::from(owner.0));
        self.home.held &= !(1 << global.0);
        // The first request's core alone: no other core can execute what a thread does in its own
        // frames.
        let told = self.pass_on(global, locked);
        let ipis = Ipis::NONE.and(seeded!(HoardedMutex, None, told));
        Left { home: AtHome::Unlocked(failure), ..Left::sending(ipis) }
    }

    /// The running thread goes on without the mutex, or where its failure sends it.
    pub(super) fn go_on_unlocked(&mut self, now: Time, failure: Option<Failure>) {
        let thread = self.kernel.current();
        match failure {
            None => self.kernel.stand_down(now, thread, (ResumeReason::Nothing, 0)),
            Some(failure) => {
                self.kernel.charge(now);
                // Before the invocation ends, which may take the thread off the core.
                self.kernel.settle_account(now, thread);
                self.kernel.fail_unlocked(now, thread, failure);
            }
        }
    }
}
