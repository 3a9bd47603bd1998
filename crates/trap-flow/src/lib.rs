//! The flow from a trap to the thread that goes on, on any machine.
//!
//! The kernel's decisions are `fusee_kernel`'s. The order in which a machine asks for them, when it
//! sets its timer, what it keeps of a call and which way out a thread takes are decisions as well:
//! they are here, over the trait [`Arch`]. A processor's crate implements it with registers,
//! address spaces and devices, and boots; the explorer implements it on paper and tries every
//! interleaving. So the flow that is explored is the flow that runs.
//!
//! A trap begins with a value of [`Arch`], the right to the machine until the trap ends. Each
//! function takes it and gives it on; a way out consumes it. Each trap handles one event: the work
//! that is left after that, for a thread whose component is gone or to be put back, is a trap of
//! its own.
#![no_std]
#![cfg_attr(
    not(feature = "mutations"),
    allow(
        clippy::no_effect,
        clippy::nonminimal_bool,
        reason = "where no defect can be seeded, what is right stands alone, and may be nothing"
    )
)]

// A machine has no `std`. Only a seeded defect needs it, which is kept for each thread of the host.
#[cfg(feature = "mutations")]
extern crate std;

mod arch;
mod calls;
mod defect;
mod faults;
mod interrupts;
mod leave;
mod passage;
mod registers;

pub use arch::{Arch, FaultPlace, Host};
pub use calls::{call, is_simple, signal, simple, wait};
#[cfg(feature = "mutations")]
pub use defect::Defect;
pub use faults::{fault, record_fault};
pub use interrupts::{device, record_stray, tick, timer};
pub use leave::{answer, arm_for, enter, go_back, go_on, leave, method_and_caller, reschedule};
pub use passage::{
    Returned, hand_on, invoke, invoke_slow, invoke_with_message, keep_message, refuse_slot,
    return_, return_with_message, wait_at_gate,
};
pub use registers::Registers;
