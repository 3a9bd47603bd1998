//! Mutexes that are words in their components' memory.
//!
//! The kernel's decisions know a word by its value. Here it is read where the build has put it
//! before they are asked, unless it has a record: then only the kernel writes it. What they make of
//! it is written back. No address comes from a component.

use crate::System;
#[cfg(feature = "cores")]
use fusee_kernel::MutexWord;
use fusee_kernel::{
    Capability, Changed, ComponentIndex, Error, Event, GateIndex, NextChosen, Time,
};

/// The word of a mutex whose holder is no thread of this core.
#[cfg(feature = "cores")]
const NONE: u32 = u16::MAX as u32;

/// Words of components' memory, by their physical addresses.
pub trait UserWords {
    /// Returns the word there.
    fn read(&self, address: u32) -> u32;

    /// Writes the word at an address.
    fn write(&mut self, address: u32, value: u32);
}

impl System {
    /// The running thread locks or unlocks a mutex: [`Event::Lock`] or [`Event::Unlock`]. Who goes
    /// on is then settled.
    ///
    /// # Errors
    /// What the kernel refuses.
    #[inline(never)]
    pub fn pass_mutex(
        &mut self,
        (now, event): (Time, Event),
        slot: u16,
        memory: &mut impl UserWords,
    ) -> Result<NextChosen, Error> {
        let Capability::Mutex(mutex) = self.kernel.capability(slot)? else {
            return Err(Error::NoCapability);
        };
        self.look(mutex, memory);
        // One event each: all of the kernel's operations are a part of what can be any.
        let changed = match event {
            Event::Lock(_) => self.flow().change(now, Event::Lock(slot))?,
            _ => self.flow().change(now, Event::Unlock(slot))?,
        };
        self.put_back(mutex, memory);
        Ok(self.reschedule(now, changed))
    }

    /// The running thread's invocation ends otherwise than by a return, or what it is in has been
    /// put back: that may change all words of the component.
    ///
    /// # Errors
    /// What the kernel refuses.
    #[inline(never)]
    pub fn unwind(
        &mut self,
        now: Time,
        event: Event,
        memory: &mut impl UserWords,
    ) -> Result<Changed, Error> {
        let component = self.kernel.component_of(self.kernel.current());
        if event != Event::Restored {
            self.each(component, |system, mutex| system.look(mutex, memory));
        }
        let changed = match event {
            Event::Fault => self.flow().change(now, Event::Fault)?,
            Event::Abort => self.flow().change(now, Event::Abort)?,
            _ => self.flow().change(now, Event::Restored)?,
        };
        self.each(component, |system, mutex| system.put_back(mutex, memory));
        Ok(changed)
    }

    fn each(&mut self, component: ComponentIndex, mut take: impl FnMut(&mut System, GateIndex)) {
        let tables = *self.kernel.tables();
        for capability in tables.components[component.at()].capabilities {
            if let Capability::Mutex(mutex) = *capability {
                take(self, mutex);
            }
        }
    }

    /// Tells the kernel what a word has become without it.
    #[inline(always)]
    fn look(&mut self, mutex: GateIndex, memory: &impl UserWords) {
        let place = self.word_of(mutex);
        if place != 0 && self.kernel.gate(mutex).holder.is_none() {
            self.kernel.set_word(mutex, self.of_this_core(memory.read(place)));
        }
    }

    #[inline(always)]
    fn put_back(&mut self, mutex: GateIndex, memory: &mut impl UserWords) {
        let place = self.word_of(mutex);
        if place != 0 {
            memory.write(place, self.of_all_cores(self.kernel.word(mutex)));
        }
    }

    /// Returns a word with the number that the kernel has for the thread that it names: components
    /// know threads by their numbers among those of all cores.
    #[cfg(feature = "cores")]
    fn of_this_core(&self, word: u32) -> u32 {
        match word {
            MutexWord::NOBODY | MutexWord::DIED => word,
            // One of another core is as none.
            owner => owner.checked_sub(self.first_thread()).filter(|own| *own > 0).unwrap_or(NONE),
        }
    }

    /// Returns a word of the kernel's with the number by which components know that thread.
    #[cfg(feature = "cores")]
    fn of_all_cores(&self, word: u32) -> u32 {
        match word {
            MutexWord::NOBODY | MutexWord::DIED => word,
            owner => owner.wrapping_add(self.first_thread()),
        }
    }

    #[cfg(feature = "cores")]
    fn first_thread(&self) -> u32 {
        self.globals.header.first_thread.into()
    }

    /// Components know threads by the kernel's numbers.
    #[cfg(not(feature = "cores"))]
    #[inline(always)]
    fn of_this_core(&self, word: u32) -> u32 {
        word
    }

    /// Components know threads by the kernel's numbers.
    #[cfg(not(feature = "cores"))]
    #[inline(always)]
    fn of_all_cores(&self, word: u32) -> u32 {
        word
    }

    fn word_of(&self, mutex: GateIndex) -> u32 {
        self.words.get(mutex.at()).copied().unwrap_or(0)
    }
}
