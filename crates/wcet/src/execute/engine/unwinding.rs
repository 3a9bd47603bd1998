//! Jumps that end several calls at once, as `longjmp` does.
//!
//! A jump to the place behind a call that is still under way ends that call and
//! all those within it, whatever the stack pointer says: what follows is executed
//! from the state that the path has by then. `setjmp` itself needs nothing: what
//! follows its second return is executed where the jump is made, as code that the
//! jump leads to, until that returns to the caller of an outer function.

use super::Engine;
use super::mode::Mode;
use crate::execute::path::{Frame, Path};
use crate::machine::Machine;
use crate::value::Value;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns the number of calls around the function to whose caller an address leads, if it is
    /// not the innermost one.
    pub(super) fn unwinds_to(&self, target: Value) -> Option<usize> {
        // The innermost address is a plain return, which callers look at before.
        let (_, around) = self.return_addresses.split_last()?;
        around.iter().rposition(|&address| address == target)
    }

    /// Ends all calls but so many.
    pub(super) fn unwind(&mut self, calls: usize, path: Path<M::Timing>) {
        // A path that ends calls has left the loops in them, too.
        self.endings.count += 1;
        self.endings.unwound.push((calls, path));
    }

    /// Lets paths return that have ended the call that ends now together with those within it.
    pub(super) fn take_unwound(&mut self, frame: &mut Frame<M::Timing>) {
        let calls = self.calls.len();
        let unwound = std::mem::take(&mut self.endings.unwound);
        // The others end more calls, and wait for those around.
        let (here, further): (Vec<_>, Vec<_>) = unwound.into_iter().partition(|one| one.0 == calls);
        self.endings.unwound = further;
        here.into_iter().for_each(|(_, path)| self.keep(frame, None, path));
    }

    /// Forgets all calls but the outermost ones, so many of them.
    pub(super) fn cut_calls(&mut self, calls: usize) {
        self.calls.truncate(calls);
        self.return_addresses.truncate(calls);
    }
}
