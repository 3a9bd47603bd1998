//! A system in vectors, as the build makes it and the verifier reads it back.

use crate::blob::TABLES;
use crate::bytes::{Entry, Writer};
use crate::{
    Blob, ComponentEntry, CopyRange, GateEntry, Header, InterruptLine, Malformed, Opening,
    StackEntry, ThreadEntry,
};
use fusee_kernel::{Capability, NotificationConfig, OnFault};

/// A whole system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    /// The system as a whole.
    pub header: Header,
    /// The threads of the system.
    pub threads: Vec<ThreadEntry>,
    /// Stacks of the threads' homes, thread by thread.
    pub home_stacks: Vec<StackEntry>,
    /// The gates of the system.
    pub gates: Vec<GateEntry>,
    /// Stacks of the gates, gate by gate.
    pub gate_stacks: Vec<StackEntry>,
    /// The notifications of the system.
    pub notifications: Vec<NotificationConfig>,
    /// The components of the system.
    pub components: Vec<SystemComponent>,
    /// The interrupt lines of the system.
    pub interrupts: Vec<InterruptLine>,
    /// Memory that is opened below the kernel.
    pub openings: Vec<Opening>,
}

/// A component with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemComponent {
    /// The effect of a fault in it.
    pub on_fault: OnFault,
    /// The value of the register that selects its address space.
    pub address_space: u64,
    /// The objects that its code may name, by slot.
    pub capabilities: Vec<Capability>,
    /// The ranges that a restart writes.
    pub copies: Vec<CopyRange>,
}

/// The tables would be longer than their own offsets can say: 4 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl System {
    /// Returns the tables in bytes.
    ///
    /// # Errors
    /// When they are too large.
    pub fn encode(&self) -> Result<Vec<u8>, TooLarge> {
        let mut tables = TableWriter::behind(TABLES);
        tables.add(&self.threads)?;
        tables.add(&self.home_stacks)?;
        tables.add(&self.gates)?;
        tables.add(&self.gate_stacks)?;
        tables.add(&self.notifications)?;
        self.add_components(&mut tables)?;
        tables.add(&self.interrupts)?;
        tables.add(&self.openings)?;
        Ok(tables.finish(Header::BYTES, |length, head| self.header.encode(length, head)))
    }

    fn add_components(&self, tables: &mut TableWriter) -> Result<(), TooLarge> {
        let (mut rows, mut capabilities, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        for component in &self.components {
            rows.push(ComponentEntry {
                on_fault: component.on_fault,
                address_space: component.address_space,
                first_capability: number(capabilities.len())?,
                capabilities: number(component.capabilities.len())?,
                first_copy: number(copies.len())?,
                copies: number(component.copies.len())?,
            });
            capabilities.extend_from_slice(&component.capabilities);
            copies.extend_from_slice(&component.copies);
        }
        tables.add(&rows)?;
        tables.add(&capabilities)?;
        tables.add(&copies)
    }

    /// Reads the tables back.
    ///
    /// # Errors
    /// Bytes that are no system.
    pub fn decode(bytes: &[u8]) -> Result<System, Malformed> {
        let blob = Blob::parse(bytes)?;
        let component = |row: ComponentEntry| SystemComponent {
            on_fault: row.on_fault,
            address_space: row.address_space,
            capabilities: part(blob.capabilities.iter(), row.first_capability, row.capabilities),
            copies: part(blob.copies.iter(), row.first_copy, row.copies),
        };
        Ok(System {
            header: blob.header,
            threads: blob.threads.iter().flatten().collect(),
            home_stacks: blob.home_stacks.iter().flatten().collect(),
            gates: blob.gates.iter().flatten().collect(),
            gate_stacks: blob.gate_stacks.iter().flatten().collect(),
            notifications: blob.notifications.iter().flatten().collect(),
            components: blob.components.iter().flatten().map(component).collect(),
            interrupts: blob.interrupts.iter().flatten().collect(),
            openings: blob.openings.iter().flatten().collect(),
        })
    }
}

fn part<T>(rows: impl Iterator<Item = Option<T>>, first: u32, count: u32) -> Vec<T> {
    rows.skip(first as usize).take(count as usize).flatten().collect()
}

fn number(count: usize) -> Result<u32, TooLarge> {
    u32::try_from(count).map_err(|_| TooLarge)
}

/// Tables as they grow, and where each is.
pub(crate) struct TableWriter {
    bytes: Vec<u8>,
    directory: Vec<(u32, u32)>,
}

impl TableWriter {
    /// No table yet: they begin behind a head and the directory.
    pub(crate) fn behind(head: usize) -> TableWriter {
        TableWriter { bytes: vec![0; head], directory: Vec::new() }
    }

    pub(crate) fn add<T: Entry>(&mut self, rows: &[T]) -> Result<(), TooLarge> {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let first = self.bytes.len();
        self.directory.push((number(first)?, number(rows.len())?));
        self.bytes.resize(first + rows.len() * T::BYTES, 0);
        for (row, place) in rows.iter().zip(self.bytes[first..].chunks_exact_mut(T::BYTES)) {
            row.encode(place);
        }
        number(self.bytes.len()).map(drop)
    }

    /// All of it, with a head of so many bytes, which is told the length, and the directory behind
    /// that.
    pub(crate) fn finish(mut self, head: usize, write: impl FnOnce(usize, &mut [u8])) -> Vec<u8> {
        let length = self.bytes.len();
        write(length, &mut self.bytes[..head]);
        let mut to = Writer::new(&mut self.bytes[head..]);
        for (first, count) in self.directory {
            to.u32(first).u32(count);
        }
        self.bytes
    }
}
