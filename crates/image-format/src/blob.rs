//! The system's tables, read in place.
//!
//! [`Blob::parse`] checks once that every table lies within the bytes and that every row means
//! something; after that rows are read without further questions. Whether they fit each other is
//! for `fusee_kernel::Tables::check`, which the kernel calls at its start. Nothing is copied and
//! nothing allocated.

use core::marker::PhantomData;

use crate::bytes::{Entry, Reader};
use crate::{
    ComponentEntry, CopyRange, GateEntry, Header, InterruptLine, Malformed, Opening, StackEntry,
    ThreadEntry,
};
use fusee_kernel::{Capability, NotificationConfig};

/// One table of the image.
#[derive(Debug, Clone, Copy)]
pub struct Section<'b, T> {
    bytes: &'b [u8],
    rows: PhantomData<T>,
}

impl<'b, T: Entry> Section<'b, T> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.bytes.len() / T::BYTES
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns a row by its number.
    pub fn get(&self, index: usize) -> Option<T> {
        let first = index.checked_mul(T::BYTES)?;
        T::decode(self.bytes.get(first..first.checked_add(T::BYTES)?)?)
    }

    /// Iterates over all rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<T>> + use<'b, T> {
        self.bytes.chunks_exact(T::BYTES).map(T::decode)
    }

    pub(crate) fn parse(whole: &'b [u8], directory: &mut Reader<'_>) -> Result<Self, Malformed> {
        let offset = directory.u32().ok_or(Malformed::Length)? as usize;
        let count = directory.u32().ok_or(Malformed::Length)? as usize;
        let end = count.checked_mul(T::BYTES).and_then(|bytes| bytes.checked_add(offset));
        let bytes = end.and_then(|end| whole.get(offset..end)).ok_or(Malformed::Table)?;
        let section = Section { bytes, rows: PhantomData };
        if section.iter().any(|row| row.is_none()) {
            return Err(Malformed::Row);
        }
        Ok(section)
    }
}

/// A system's tables.
#[derive(Debug, Clone, Copy)]
pub struct Blob<'b> {
    /// The system as a whole.
    pub header: Header,
    /// The threads of the system.
    pub threads: Section<'b, ThreadEntry>,
    /// Stacks of the threads' homes, thread by thread.
    pub home_stacks: Section<'b, StackEntry>,
    /// The gates of the system.
    pub gates: Section<'b, GateEntry>,
    /// Stacks of the gates, gate by gate.
    pub gate_stacks: Section<'b, StackEntry>,
    /// The notifications of the system.
    pub notifications: Section<'b, NotificationConfig>,
    /// The components of the system.
    pub components: Section<'b, ComponentEntry>,
    /// Capabilities of all components.
    pub capabilities: Section<'b, Capability>,
    /// The ranges that restarts write, of all components.
    pub copies: Section<'b, CopyRange>,
    /// The interrupt lines of the system.
    pub interrupts: Section<'b, InterruptLine>,
    /// Memory that is opened below the kernel.
    pub openings: Section<'b, Opening>,
}

/// Number of tables.
pub(crate) const SECTIONS: usize = 10;

/// The offset at which the tables begin.
pub(crate) const TABLES: usize = Header::BYTES + SECTIONS * 8;

impl<'b> Blob<'b> {
    /// Bytes that a head alone takes: what must be readable before [`length`](Self::length) is
    /// known.
    pub const HEAD_BYTES: usize = TABLES;

    /// Returns the length of the tables in bytes, from their head.
    ///
    /// # Errors
    /// Bytes that do not begin as a system does.
    pub fn length(head: &[u8]) -> Result<usize, Malformed> {
        Ok(Header::decode(head)?.1)
    }

    /// Reads and checks; bytes behind the end are ignored.
    ///
    /// # Errors
    /// Bytes that are no system.
    pub fn parse(bytes: &'b [u8]) -> Result<Blob<'b>, Malformed> {
        let (header, length) = Header::decode(bytes)?;
        let whole = bytes.get(..length).ok_or(Malformed::Length)?;
        let directory = &mut Reader::new(whole.get(Header::BYTES..).ok_or(Malformed::Length)?);
        let blob = Blob {
            header,
            threads: Section::parse(whole, directory)?,
            home_stacks: Section::parse(whole, directory)?,
            gates: Section::parse(whole, directory)?,
            gate_stacks: Section::parse(whole, directory)?,
            notifications: Section::parse(whole, directory)?,
            components: Section::parse(whole, directory)?,
            capabilities: Section::parse(whole, directory)?,
            copies: Section::parse(whole, directory)?,
            interrupts: Section::parse(whole, directory)?,
            openings: Section::parse(whole, directory)?,
        };
        if blob.fits_together() { Ok(blob) } else { Err(Malformed::Count) }
    }

    fn fits_together(&self) -> bool {
        let within = |first: u32, count: u32, rows: usize| {
            u64::from(first) + u64::from(count) <= rows as u64
        };
        let stacks: usize =
            self.gates.iter().flatten().map(|gate| gate.config.stacks as usize).sum();
        stacks == self.gate_stacks.len()
            && self.home_stacks.len() == self.threads.len()
            && self.components.iter().flatten().all(|component| {
                within(component.first_capability, component.capabilities, self.capabilities.len())
                    && within(component.first_copy, component.copies, self.copies.len())
            })
    }
}
