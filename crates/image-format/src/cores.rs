//! The tables of a core of several, beyond its own system's.
//!
//! Each core has tables of its own, as if there were no others; these rows stand right behind them.
//! They are the same for all cores but for the head.

use crate::blob::Section;
use crate::bytes::{Entry, Reader, Writer};
use crate::{Malformed, MemoryMap, StackEntry};
use fusee_kernel::cores::{
    GlobalProtocol, MailboxConfig, PostLimit, RequestSlot, RestartConfig, Sender,
};
use fusee_kernel::{ComponentIndex, GateIndex, GlobalIndex, MailboxIndex};
use fusee_kernel::{NotificationIndex, ThreadIndex};

/// Bytes from one core's kernel to the next one's: in the first half lie its code and data, in the
/// second its tables. The first core's are where they are with one core.
pub const CORE_BYTES: u64 = 2 << 20;

/// Returns the address of a core's tables.
pub const fn tables_of(map: MemoryMap, core: usize) -> u64 {
    map.blob + core as u64 * CORE_BYTES
}

/// Bytes of memory that no two cores write in turn: each part of what they share begins on a line.
pub const LINE_BYTES: usize = 64;
/// Words of registers that an invocation preserves, for each frame.
pub const FRAME_WORDS: usize = 19;
/// Words behind the topmost frame's: registers that are live only where it was interrupted.
pub const LIVE_WORDS: usize = 15;
/// Words that travel with a request: those in registers, the number of further ones, the caller,
/// and their place.
pub const PACKET_WORDS: usize = 9;

/// The first bytes of the tables.
const MAGIC: u64 = u64::from_le_bytes(*b"FUSEEMCS");
/// Number of tables.
const SECTIONS: usize = 6;
/// The offset at which the tables begin.
const TABLES: usize = CoreHeader::BYTES + SECTIONS * 8;

/// The facts about one of several cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoreHeader {
    /// The number of the core.
    pub core: u8,
    /// The number of all cores.
    pub cores: u8,
    /// The number of its first thread among those of all cores.
    pub first_thread: u16,
    /// Physical address of what the cores share.
    pub shared: u64,
    /// Bytes of that.
    pub shared_bytes: u64,
}

/// A gate between cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlobalEntry {
    /// The rule by which its users wait.
    pub protocol: GlobalProtocol,
    /// The number of further gates that its activation passes.
    pub depth: u8,
    /// The first of its seats.
    pub first_seat: u16,
    /// The number of them.
    pub seats: u16,
}

/// A stack of an activation in a gate that it passes below its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BelowEntry {
    /// The gate between cores whose activation it is.
    pub global: GlobalIndex,
    /// The gate below it.
    pub gate: GateIndex,
    /// Virtual address at which it enters.
    pub entry: u64,
    /// The stack that it has there.
    pub stack: StackEntry,
}

/// The tables of one of several cores, read in place.
#[derive(Debug, Clone, Copy)]
pub struct CoreBlob<'b> {
    /// The facts about the core.
    pub header: CoreHeader,
    /// The gates between cores.
    pub globals: Section<'b, GlobalEntry>,
    /// The threads that use them, gate by gate.
    pub seats: Section<'b, RequestSlot>,
    /// Stacks of their activations in other gates.
    pub below: Section<'b, BelowEntry>,
    /// The notifications that are signalled from other cores.
    pub mailboxes: Section<'b, MailboxConfig>,
    /// The threads that may signal those, with their limits.
    pub senders: Section<'b, Sender>,
    /// The components that several cores enter and that a fault ends or restarts.
    pub restarts: Section<'b, RestartConfig>,
}

impl CoreHeader {
    const BYTES: usize = 40;

    fn decode(bytes: &[u8]) -> Result<(CoreHeader, usize), Malformed> {
        let mut from = Reader::new(bytes);
        if from.u64().ok_or(Malformed::Length)? != MAGIC {
            return Err(Malformed::Magic);
        }
        let mut rest = || {
            let length = usize::try_from(from.u64()?).ok()?;
            let (core, cores, first_thread) = (from.u8()?, from.u8()?, from.u16()?);
            from.u32()?;
            let (shared, shared_bytes) = (from.u64()?, from.u64()?);
            let header = CoreHeader { core, cores, first_thread, shared, shared_bytes };
            Some((header, length))
        };
        rest().ok_or(Malformed::Length)
    }
}

impl<'b> CoreBlob<'b> {
    /// Bytes that a head alone takes.
    pub const HEAD_BYTES: usize = TABLES;

    /// Returns their offset from the start of the core's tables, which are so long.
    pub const fn offset(tables: usize) -> usize {
        tables.next_multiple_of(8)
    }

    /// Returns their length in bytes, from their head.
    ///
    /// # Errors
    /// Bytes that do not begin so.
    pub fn length(head: &[u8]) -> Result<usize, Malformed> {
        Ok(CoreHeader::decode(head)?.1)
    }

    /// Reads and checks; bytes behind the end are ignored.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn parse(bytes: &'b [u8]) -> Result<CoreBlob<'b>, Malformed> {
        let (header, length) = CoreHeader::decode(bytes)?;
        let whole = bytes.get(..length).ok_or(Malformed::Length)?;
        let directory = whole.get(CoreHeader::BYTES..).ok_or(Malformed::Length)?;
        let directory = &mut Reader::new(directory);
        let blob = CoreBlob {
            header,
            globals: Section::parse(whole, directory)?,
            seats: Section::parse(whole, directory)?,
            below: Section::parse(whole, directory)?,
            mailboxes: Section::parse(whole, directory)?,
            senders: Section::parse(whole, directory)?,
            restarts: Section::parse(whole, directory)?,
        };
        if blob.fits_together() { Ok(blob) } else { Err(Malformed::Count) }
    }

    fn fits_together(&self) -> bool {
        let mut next = 0;
        let in_order = self.globals.iter().flatten().all(|global| {
            let starts = usize::from(global.first_seat) == next;
            next += usize::from(global.seats);
            starts
        });
        let known = |entry: BelowEntry| entry.global.at() < self.globals.len();
        let owned = |mailbox: MailboxConfig| mailbox.core < self.header.cores;
        let owned = self.mailboxes.iter().flatten().all(owned);
        let core = self.header.core < self.header.cores;
        let sends = |sender: Sender| {
            sender.core < self.header.cores && sender.mailbox.at() < self.mailboxes.len()
        };
        let beyond = |config: RestartConfig| {
            let cores = config.cores.checked_shr(self.header.cores.into());
            cores.is_some_and(|cores| cores != 0)
        };
        in_order
            && core
            && owned
            && self.senders.iter().flatten().all(sends)
            && !self.restarts.iter().flatten().any(beyond)
            && next == self.seats.len()
            && self.below.iter().flatten().all(known)
    }
}

impl Entry for GlobalEntry {
    const BYTES: usize = 8;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let protocol = GlobalProtocol::from_code(from.u8()?)?;
        let (depth, first_seat, seats) = (from.u8()?, from.u16()?, from.u16()?);
        Some(GlobalEntry { protocol, depth, first_seat, seats })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u8(self.protocol.code()).u8(self.depth).u16(self.first_seat).u16(self.seats);
    }
}

impl Entry for RequestSlot {
    const BYTES: usize = 4;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        Some(RequestSlot { core: from.u8()?, rank: from.u8()?, thread: ThreadIndex(from.u16()?) })
    }

    fn encode(&self, bytes: &mut [u8]) {
        Writer::new(bytes).u8(self.core).u8(self.rank).u16(self.thread.0);
    }
}

impl Entry for MailboxConfig {
    const BYTES: usize = 4;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (core, counts) = (from.u8()?, from.u8()?);
        let counts = match counts {
            0 => false,
            1 => true,
            _ => return None,
        };
        Some(MailboxConfig { core, counts, notification: NotificationIndex(from.u16()?) })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u8(self.core).u8(u8::from(self.counts)).u16(self.notification.0);
    }
}

impl Entry for Sender {
    const BYTES: usize = 32;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let core = from.u8()?;
        from.u8()?;
        let (thread, mailbox) = (ThreadIndex(from.u16()?), MailboxIndex(from.u16()?));
        from.u16()?;
        let (cost, credit, back) = (from.u64()?, from.u64()?, from.u32()?);
        from.u32()?;
        Some(Sender { core, thread, mailbox, limit: PostLimit { cost, credit, back } })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u8(self.core).u8(0).u16(self.thread.0).u16(self.mailbox.0).u16(0);
        let PostLimit { cost, credit, back } = self.limit;
        to.u64(cost).u64(credit).u32(back).u32(0);
    }
}

impl Entry for RestartConfig {
    const BYTES: usize = 8;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let component = ComponentIndex(from.u16()?);
        from.u16()?;
        Some(RestartConfig { component, cores: from.u32()? })
    }

    fn encode(&self, bytes: &mut [u8]) {
        Writer::new(bytes).u16(self.component.0).u16(0).u32(self.cores);
    }
}

impl Entry for BelowEntry {
    const BYTES: usize = 40;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (global, gate) = (GlobalIndex(from.u16()?), GateIndex(from.u16()?));
        from.u32()?;
        let entry = from.u64()?;
        let (stack_pointer, thread_pointer) = (from.u64()?, from.u64()?);
        let stack = StackEntry { stack_pointer, thread_pointer, message: from.u64()? };
        Some(BelowEntry { global, gate, entry, stack })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u16(self.global.0).u16(self.gate.0).u32(0).u64(self.entry);
        to.u64(self.stack.stack_pointer).u64(self.stack.thread_pointer).u64(self.stack.message);
    }
}

/// Bytes that suffice for what so many cores share, on a machine with words of so many bytes: so
/// many mailboxes and restarts, and gates of so many seats, whose activations go so deep into
/// others. Each part begins on a line of its own, as the kernel cuts them.
#[cfg(feature = "std")]
pub fn shared_bytes(
    (cores, mailboxes, restarts): (usize, usize, usize),
    globals: impl Iterator<Item = (usize, usize)>,
    word: u64,
) -> u64 {
    use fusee_kernel::cores::{GlobalGate, Request, Visit};
    let word = word as usize;
    let parts = |(seats, depth): (usize, usize)| {
        let bytes = [
            LINE_BYTES,
            size_of::<GlobalGate>(),
            seats * size_of::<Request>(),
            depth * size_of::<Visit>(),
            seats * PACKET_WORDS * word,
            depth * word,
            ((depth + 1) * FRAME_WORDS + LIVE_WORDS) * word,
        ];
        bytes.into_iter().map(|bytes| bytes.next_multiple_of(LINE_BYTES)).sum::<usize>()
    };
    // A restart has a lock beside it.
    ((1 + cores + mailboxes + 2 * restarts) * LINE_BYTES + globals.map(parts).sum::<usize>()) as u64
}

/// The tables of one of several cores, in vectors.
#[cfg(feature = "std")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreSystem {
    /// The facts about the core.
    pub header: CoreHeader,
    /// The gates between cores.
    pub globals: std::vec::Vec<GlobalEntry>,
    /// The threads that use them, gate by gate.
    pub seats: std::vec::Vec<RequestSlot>,
    /// Stacks of their activations in other gates.
    pub below: std::vec::Vec<BelowEntry>,
    /// The notifications that are signalled from other cores.
    pub mailboxes: std::vec::Vec<MailboxConfig>,
    /// The threads that may signal those, with their limits.
    pub senders: std::vec::Vec<Sender>,
    /// The components that several cores enter and that a fault ends or restarts.
    pub restarts: std::vec::Vec<RestartConfig>,
}

#[cfg(feature = "std")]
impl CoreSystem {
    /// In bytes.
    ///
    /// # Errors
    /// When it is too large.
    pub fn encode(&self) -> Result<std::vec::Vec<u8>, crate::TooLarge> {
        let mut tables = crate::system::TableWriter::behind(TABLES);
        tables.add(&self.globals)?;
        tables.add(&self.seats)?;
        tables.add(&self.below)?;
        tables.add(&self.mailboxes)?;
        tables.add(&self.senders)?;
        tables.add(&self.restarts)?;
        Ok(tables.finish(CoreHeader::BYTES, |length, head| {
            let header = &self.header;
            let mut to = Writer::new(head);
            to.u64(MAGIC).u64(length as u64).u8(header.core).u8(header.cores);
            to.u16(header.first_thread).u32(0).u64(header.shared).u64(header.shared_bytes);
        }))
    }

    /// Reads it back.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn decode(bytes: &[u8]) -> Result<CoreSystem, Malformed> {
        let blob = CoreBlob::parse(bytes)?;
        Ok(CoreSystem {
            header: blob.header,
            globals: blob.globals.iter().flatten().collect(),
            seats: blob.seats.iter().flatten().collect(),
            below: blob.below.iter().flatten().collect(),
            mailboxes: blob.mailboxes.iter().flatten().collect(),
            senders: blob.senders.iter().flatten().collect(),
            restarts: blob.restarts.iter().flatten().collect(),
        })
    }
}
