//! The kernel's two calls for lock components.

use fusee_kernel::Event;

use super::Engine;
use crate::locks::Slept;

impl Engine<'_> {
    /// Code sleeps on the account of the thread in a slot, unless it has been woken before.
    pub(crate) fn depend(&mut self, (core, task): (usize, usize), slot: u16) {
        match self.handle(core, Event::Depend(slot)) {
            Ok(()) => {
                self.watcher.depends(core);
                self.begin(core);
            }
            // Its code knows what to do.
            Err(_) => {
                self.events += 1;
                self.interpreter.slept(task, Slept::Refused);
            }
        }
    }

    /// Code wakes the thread in a slot, or lets it not sleep next time.
    pub(crate) fn wake(&mut self, core: usize, slot: u16) {
        match self.handle(core, Event::Wake(slot)) {
            Ok(()) => {
                self.watcher.wakes(core);
                self.begin(core);
            }
            Err(_) => self.events += 1,
        }
    }
}
