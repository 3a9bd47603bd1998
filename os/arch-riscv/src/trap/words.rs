//! Mutexes that are words in their components' memory, when contended.

use super::token::{Never, Trap};
use crate::context::Context;
use crate::{clock, physical};
use fusee_image_format::abi;
use fusee_kernel::{Changed, Error, Event, Time};
use fusee_system::UserWords;
use fusee_trap_flow::{answer, go_on};

/// The words that the image names.
struct Words;

impl UserWords for Words {
    #[inline(always)]
    fn read(&self, address: u32) -> u32 {
        // SAFETY:
        // 1. The boot has checked that a stack's area, as which the image names the word, is
        //    aligned main memory outside the kernel.
        unsafe { physical::read_register(address.into()) }
    }

    #[inline(always)]
    fn write(&mut self, address: u32, value: u32) {
        // SAFETY:
        // 1. As in `read`; the kernel refers to no memory of components, and these do not run
        //    meanwhile.
        unsafe { physical::write_register(address.into(), value) }
    }
}

/// The running thread locks or unlocks a mutex that it could not without the kernel.
#[inline(never)]
pub(super) fn call(mut trap: Trap, context: Context, operation: usize, slot: u16) -> Never {
    let event = if operation == abi::LOCK { Event::Lock(slot) } else { Event::Unlock(slot) };
    match trap.system_mut().pass_mutex((clock::now(), event), slot, &mut Words) {
        Ok(chosen) => go_on(trap, chosen),
        #[cfg(feature = "cores")]
        Err(Error::NoCapability) => super::between::at_mutex(trap, context, operation, slot),
        Err(error) => answer(trap, context, error as usize),
    }
}

/// An invocation ends otherwise than by a return, or what a thread is in has been put back.
pub(super) fn end_invocation(trap: &mut Trap, now: Time, event: Event) -> Result<Changed, Error> {
    trap.system_mut().unwind(now, event, &mut Words)
}
