//! Several cores: each runs a one-core kernel, and these share global gates.
//!
//! A global gate is a queue of requests; the first owns it. Its section is executed by one
//! *activation*, which belongs to the gate and not to a thread: it runs on a core whose request is
//! present, the owner's or, under [`Mrsp`](GlobalProtocol::Mrsp), any other that waits. A core
//! takes it for itself, and no core assigns it to another. A core tells another one of something by
//! an inter-processor interrupt ([`Ipi`]), which makes that core look and never says what it finds.
//!
//! To its own core's kernel a request is a thread inside an ordinary gate with a ceiling, the
//! *stand-in*; so urgencies, ready queues and budgets are those of the one-core kernel, which knows
//! nothing of other cores and is unchanged. A request that waits suspended
//! ([`Mpcp`](GlobalProtocol::Mpcp)) waits for a notification of its own core, its *turn*.
//!
//! [`CoreKernel`] is a layer above one core's kernel. A path through it is a list of *sections*,
//! each under the lock of one gate: while [`CoreKernel::due`] names one, the machine takes that
//! lock, calls [`CoreKernel::section`], frees the lock and sends the interrupts that it returns.
//! The lock itself is the machine's. Sections change their own core's state and that of the gate,
//! nothing else.
//!
//! A notification belongs to the core of those who wait for it. Signals of other cores lie in its
//! [`Mailbox`], until that core, which is told to look there, takes them: one thing at a time.
//! Nothing there needs a lock. How often a thread may signal one is [limited](PostLimit) on its own
//! core.
//!
//! A component that several cores enter can be restarted: each core has an epoch of its own, and
//! what they share of it is a [`Restart`]. A section is cut off on whichever core executes it then.

mod account;
#[cfg(feature = "std")]
mod any_store;
mod core_kernel;
mod events;
#[cfg(feature = "std")]
mod host;
mod limit;
mod mail;
mod mailbox;
mod mutex;
mod restart;
mod sections;
mod shared;
mod stand_in;
mod tables;

#[cfg(feature = "std")]
pub use any_store::AnyStore;
pub use core_kernel::{CoreKernel, CoreOutcome, Due, Executes, Home, Inside, StartError, start};
#[cfg(feature = "std")]
pub use host::{Host, HostCore, HostGate, HostRestart, OneCore};
pub use limit::{Debt, PostLimit, Sender};
pub use mailbox::{Mailbox, Taken};
pub use restart::{Restart, Restarting};
pub use shared::{Answer, At, GlobalGate, Ipi, Ipis, Left, Locked, NO_CORE, Pending};
pub use shared::{Request, Visit};
pub use tables::{CoreTableError, CoreTables, GlobalConfig, GlobalProtocol, MailboxConfig};
pub use tables::{RequestSlot, RestartConfig};
