//! Mutexes that are words: what a component does without its kernel.
//!
//! Of a run's steps these alone are no event of a kernel's. A thread looks at the word and changes
//! it, and only if it cannot, the kernel is asked: as the code that comes with components does it.
//! Look and store are one step here. Under a policy whose kernel has words, a mutex that the
//! description calls pessimistic is one that nobody looks at: each lock is a call.

use crate::SimError;
use crate::engine::Engine;
use crate::interpreter::Way;
use crate::program::Entry;
use fusee_kernel::{Capability, Event, GateIndex, MutexWord, Policy, Status, Store, ThreadIndex};
use fusee_kernel::{Word, each_store};

/// Returns `true` if a kernel adopts owners that words name.
fn adopts<P: Policy>(_: &Store<P>) -> bool {
    P::Word::ADOPTS
}

fn word<P: Policy>(store: &Store<P>, mutex: GateIndex) -> u32 {
    store.gates[mutex.at()].word.value()
}

fn set_word<P: Policy>(store: &mut Store<P>, mutex: GateIndex, value: u32) {
    store.gates[mutex.at()].word.set(value);
}

impl Engine<'_> {
    /// Returns `true` if mutexes of a core's kernel are words.
    pub(crate) fn has_words(&self, core: usize) -> bool {
        each_store!(&self.host.cores[core].store, store => adopts(store))
    }

    /// Code locks the mutex in a slot and goes on in its section, or waits.
    pub(crate) fn lock_word(
        &mut self,
        (core, task): (usize, usize),
        (slot, entry): (u16, Entry),
    ) -> Result<(), SimError> {
        let thread = self.running(core);
        let mutex = self.mutex(core, slot);
        if let Some(mutex) = mutex.filter(|&mutex| self.watcher.is_word(mutex.at()))
            && self.word(core, mutex) == MutexWord::NOBODY
        {
            self.set_word(core, mutex, MutexWord::of(thread));
            self.watcher.takes_word(task, mutex.at());
            self.interpreter.enter(task, entry, Way::Mutex(slot));
            *self.interpreter.remaining(task) += self.watcher.uncontended();
            self.events += 1;
            return Ok(());
        }
        if self.handle(core, Event::Lock(slot)).is_err() {
            self.refuse(task);
            return Ok(());
        }
        self.interpreter.enter(task, entry, Way::Mutex(slot));
        let waits = self.host.cores[core].store.status(thread.at()) == Status::AtGate;
        if let Some(mutex) = mutex.filter(|_| !waits) {
            self.watcher.locks_by_call(core, (task, mutex.at()));
        }
        self.begin(core);
        Ok(())
    }

    /// Code unlocks the mutex in a slot, at the end of its section.
    pub(crate) fn unlock_word(
        &mut self,
        (core, task): (usize, usize),
        slot: u16,
    ) -> Result<(), SimError> {
        let thread = self.running(core);
        self.interpreter.leave(task);
        let Some(mutex) = self.mutex(core, slot) else {
            return self.owed(core, Event::Unlock(slot));
        };
        let own = MutexWord::of(thread);
        if self.watcher.is_word(mutex.at()) && self.word(core, mutex) == own {
            self.set_word(core, mutex, MutexWord::NOBODY);
            self.watcher.frees_word(task, mutex.at());
            self.events += 1;
            return Ok(());
        }
        self.watcher.unlocks_by_call(core, mutex.at());
        let goes_on = self.word(core, mutex) & MutexWord::CONTENDED != 0;
        if !goes_on {
            self.watcher.frees_word(task, mutex.at());
        }
        self.owed(core, Event::Unlock(slot))
    }

    fn running(&self, core: usize) -> ThreadIndex {
        self.cores[core].outcome.thread
    }

    /// Returns the mutex in a slot of the running thread's component. Which that is, its topmost
    /// frame says itself: in the place of the frame's gate there may be a mutex' record.
    fn mutex(&self, core: usize, slot: u16) -> Option<GateIndex> {
        let (tables, thread) = (&self.tables[core].0, self.running(core).at());
        let component = each_store!(&self.host.cores[core].store, store => {
            let top = store.frames_of(tables, thread).last();
            top.unwrap_or_else(|| store.home_of(tables, thread)).component
        });
        match tables.components[component.at()].capabilities.get(usize::from(slot)) {
            Some(&Capability::Mutex(mutex)) => Some(mutex),
            _ => None,
        }
    }

    fn word(&self, core: usize, mutex: GateIndex) -> u32 {
        each_store!(&self.host.cores[core].store, store => word(store, mutex))
    }

    fn set_word(&mut self, core: usize, mutex: GateIndex, value: u32) {
        each_store!(&mut self.host.cores[core].store, store => set_word(store, mutex, value));
    }
}
