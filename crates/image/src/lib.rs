//! From the model and linked programs to one bootable image, and back.
//!
//! Nothing is decided at run time that can be decided here: every page table,
//! stack, capability and entry point is made before the machine is switched on, and
//! the kernel only reads them. [`build`] puts the kernel's program, the linked
//! programs of the domains and the tables of [`fusee_tables::Machine`] into one ELF
//! file, the same bytes for the same input.
//!
//! What was made is not believed: [`verify`] reads a finished image as the machine
//! would, works out who can reach which memory and which gate, and holds that
//! against the description. It shares no code with the rest of this crate.

mod build;
mod depth;
mod devices;
mod elf;
mod error;
mod inputs;
pub mod interface;
mod layout;
mod manifest;
mod memory;
mod physical;
mod program;
mod restart;
mod roles;
mod rules;
mod stacks;
mod system;
mod verify;
mod virtual_memory;

pub use build::{Built, DomainSizes, Sizes, build};
pub use devices::Refused;
pub use error::ImageError;
pub use inputs::{DomainProgram, Inputs};
pub use rules::RULES;
pub use verify::{Finding, Programs, Reach, Region, Report, VerifyError, verify};
