//! From the model to the kernel's tables, with the numbers of objects.
//!
//! The kernel knows threads, gates and notifications by number only, and a
//! component names what it may use by slot. This crate hands out both, once, so
//! that the simulator, the generated code, the image and the tools that read
//! records cannot disagree.
//!
//! [`Objects`] are the model's own: task 3 is thread 3. A booted system needs
//! more: gates that set components up, locks, threads for callbacks, one thread
//! that boots. [`Machine`] appends them, so that the first numbers stay the model's,
//! and says where in its domain's address space each component finds its memory.

mod capabilities;
mod chain;
mod cores;
mod device;
mod error;
mod extend;
mod levels;
mod limits;
mod machine;
mod machines;
mod mail;
mod memory;
mod needs;
mod numbers;
mod objects;
mod policy;
mod protocol;
mod reach;
mod restarts;
mod rows;
mod shared;
mod slots;
pub mod symbol;
mod trees;

pub use capabilities::Capabilities;
pub use cores::{CoreObjects, Cores, Global};
pub use error::TablesError;
pub use fusee_image_format::{Ceilings, KernelPolicy, Locks, Order};
pub use machine::{Domain, GateRole, Interrupt, Machine, NotificationRole, ThreadRole};
pub use machines::{CoreMachine, Machines};
pub use memory::{CONSOLE_BYTES, Window, WindowKind};
pub use needs::Needs;
pub use numbers::CoreNumbers;
pub use objects::Objects;
pub use policy::{described_policy, kernel_config, kernel_policy};
pub use protocol::{between_cores, described};
pub use reach::{emitted, emitters, is_signalled};
pub use slots::{Callback, ComponentSlots, InterfaceSlots, LockSlots};
pub use trees::{of_threads as trees_of, opinion};
