//! The tables of schedulers, behind a system's tables.
//!
//! Each thread has an account with its own number, so that one row for each thread says both whose
//! it is and what it may hold; those of schedulers say as whom they have a say.

use crate::Malformed;
use crate::blob::Section;
use crate::bytes::{Entry, Reader, Writer};
use fusee_kernel::tcaps::{AccountConfig, EndPointConfig, Funding, Principal, SchedulerConfig};
use fusee_kernel::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex};

/// The first bytes of the tables.
const MAGIC: u64 = u64::from_le_bytes(*b"FUSEETCS");
/// Bytes of the head.
const HEAD: usize = 16;
/// Number of tables.
const SECTIONS: usize = 2;
/// The offset at which the tables begin.
const TABLES: usize = HEAD + SECTIONS * 8;

/// A thread's account, and the scheduler that dispatches the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountEntry {
    /// The scheduler that dispatches the thread; none: the kernel.
    pub dispatched_by: SchedulerIndex,
    /// The scheduler that dispatches on the account: the thread itself if it is a scheduler, else
    /// its scheduler.
    pub owner: SchedulerIndex,
    /// The root's priority of it, where the kernel fills it.
    pub level: u8,
    /// The priority that its owner attaches to it.
    pub priority: u64,
    /// The most that it holds; [`NEVER`]: the kernel fills it, and it does not end.
    pub limit: u64,
}

/// A row of a scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchedulerEntry(pub SchedulerConfig);

impl AccountEntry {
    /// Returns the account as the kernel takes it.
    pub const fn account(self) -> AccountConfig {
        let AccountEntry { owner, level, priority, limit, .. } = self;
        let funding = match limit {
            NEVER => Funding::Kernel { level, amount: NEVER },
            limit => Funding::Delegated { limit },
        };
        AccountConfig { scheduler: owner, priority, funding }
    }

    /// Returns the end-point of the thread with this number.
    pub const fn end_point(self, number: u16) -> EndPointConfig {
        EndPointConfig { scheduler: self.dispatched_by, account: AccountIndex(number) }
    }
}

impl Entry for AccountEntry {
    const BYTES: usize = 24;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (dispatched_by, owner) = (SchedulerIndex(from.u16()?), SchedulerIndex(from.u16()?));
        let level = u8::try_from(from.u32()?).ok()?;
        let (priority, limit) = (from.u64()?, from.u64()?);
        Some(AccountEntry { dispatched_by, owner, level, priority, limit })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u16(self.dispatched_by.0).u16(self.owner.0).u32(self.level.into());
        to.u64(self.priority).u64(self.limit);
    }
}

impl Entry for SchedulerEntry {
    const BYTES: usize = 8;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (thread, parent) = (ThreadIndex(from.u16()?), SchedulerIndex(from.u16()?));
        let principal = Principal(from.u16()?);
        Some(SchedulerEntry(SchedulerConfig { thread, principal, parent }))
    }

    fn encode(&self, bytes: &mut [u8]) {
        let SchedulerConfig { thread, principal, parent } = self.0;
        Writer::new(bytes).u16(thread.0).u16(parent.0).u16(principal.0);
    }
}

/// These tables, read in place.
#[derive(Debug, Clone, Copy)]
pub struct TreeBlob<'b> {
    /// One row for each thread.
    pub accounts: Section<'b, AccountEntry>,
    /// Schedulers, parents first.
    pub schedulers: Section<'b, SchedulerEntry>,
}

impl<'b> TreeBlob<'b> {
    /// Bytes that a head alone takes.
    pub const HEAD_BYTES: usize = TABLES;

    /// Returns their offset from the start of the system's tables, which are so long.
    pub const fn offset(tables: usize) -> usize {
        tables.next_multiple_of(8)
    }

    /// Returns their length in bytes, from their head.
    ///
    /// # Errors
    /// Bytes that do not begin so.
    pub fn length(head: &[u8]) -> Result<usize, Malformed> {
        let mut from = Reader::new(head);
        if from.u64().ok_or(Malformed::Length)? != MAGIC {
            return Err(Malformed::Magic);
        }
        let length = from.u64().and_then(|length| usize::try_from(length).ok());
        length.ok_or(Malformed::Length)
    }

    /// Reads and checks; bytes behind the end are ignored. Whether they fit each other is for
    /// `fusee_kernel::tcaps::Tables::check`.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn parse(bytes: &'b [u8]) -> Result<TreeBlob<'b>, Malformed> {
        let whole = bytes.get(..TreeBlob::length(bytes)?).ok_or(Malformed::Length)?;
        let directory = &mut Reader::new(whole.get(HEAD..).ok_or(Malformed::Length)?);
        let accounts = Section::parse(whole, directory)?;
        Ok(TreeBlob { accounts, schedulers: Section::parse(whole, directory)? })
    }
}

/// The same in vectors.
#[cfg(feature = "std")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeSystem {
    /// One row for each thread.
    pub accounts: std::vec::Vec<AccountEntry>,
    /// Schedulers, parents first.
    pub schedulers: std::vec::Vec<SchedulerEntry>,
}

#[cfg(feature = "std")]
impl TreeSystem {
    /// In bytes.
    ///
    /// # Errors
    /// When it is too large.
    pub fn encode(&self) -> Result<std::vec::Vec<u8>, crate::TooLarge> {
        let mut tables = crate::system::TableWriter::behind(TABLES);
        tables.add(&self.accounts)?;
        tables.add(&self.schedulers)?;
        Ok(tables.finish(HEAD, |length, head| {
            Writer::new(head).u64(MAGIC).u64(length as u64);
        }))
    }

    /// Reads it back.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn decode(bytes: &[u8]) -> Result<TreeSystem, Malformed> {
        let blob = TreeBlob::parse(bytes)?;
        Ok(TreeSystem {
            accounts: blob.accounts.iter().flatten().collect(),
            schedulers: blob.schedulers.iter().flatten().collect(),
        })
    }
}
