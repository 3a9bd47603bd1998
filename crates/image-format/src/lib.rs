//! The formats that the build, the kernel, the runtime and the host agree on.
//!
//! A bootable image is one generic kernel and, beside it, the system as data: tables that the
//! kernel decodes at boot, page tables, and the memory of the domains. Everything that more than
//! one of the four must know stands here and nowhere else: the numbers of the system calls
//! ([`abi`]), where things lie ([`Platform`], [`virtual_map`]), the form of page-table entries
//! ([`PageTableFormat`]), of the system's tables ([`Blob`]), and of what a run leaves behind in
//! memory ([`ResultBlock`], [`RawRecord`]).
//!
//! Reading takes bytes that may be anything: what is malformed is an error, never a panic. All
//! numbers are little-endian. Nothing here is specific to an architecture but where a type says so.
#![cfg_attr(not(feature = "std"), no_std)]

pub mod abi;
mod blob;
mod bytes;
mod cores;
mod entries;
mod header;
mod malformed;
mod record;
mod result;
#[cfg(feature = "std")]
mod system;
mod trees;
pub mod virtual_map;

pub use fusee_platform::{
    Ceilings, CoreTraits, Cores, KernelConfig, KernelPolicy, Locks, MemoryMap, Order,
    PageTableEntry, PageTableFormat, Permissions, Platform, Records,
};

pub use blob::{Blob, Section};
pub use bytes::Entry;
pub use cores::{BelowEntry, CORE_BYTES, CoreBlob, CoreHeader, GlobalEntry, tables_of};
#[cfg(feature = "std")]
pub use cores::{CoreSystem, shared_bytes};
pub use cores::{FRAME_WORDS, LINE_BYTES, LIVE_WORDS, PACKET_WORDS};
pub use entries::{
    ComponentEntry, CopyRange, GateEntry, InterruptLine, Opening, StackEntry, ThreadEntry,
};
pub use header::{END_OFFSET, Header, MAGIC, PLATFORM_OFFSET, VERSION, VERSION_WITH_TREES};
pub use malformed::Malformed;
pub use record::{MachineKind, RawRecord};
pub use result::{ResultBlock, Status};
#[cfg(feature = "std")]
pub use system::{System, SystemComponent, TooLarge};
#[cfg(feature = "std")]
pub use trees::TreeSystem;
pub use trees::{AccountEntry, SchedulerEntry, TreeBlob};
