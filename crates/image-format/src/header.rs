//! The head of the system's tables.

use crate::bytes::{Reader, Writer};
use crate::{KernelPolicy, Malformed, Platform};

/// First bytes of the tables.
pub const MAGIC: u64 = u64::from_le_bytes(*b"FUSEESYS");
/// Version of the form; readers refuse all others.
pub const VERSION: u32 = 3;
/// The same form with the tables of schedulers behind it, which only a kernel takes that has them.
pub const VERSION_WITH_TREES: u32 = 4;
/// The offset of the machine's number.
pub const PLATFORM_OFFSET: usize = 12;
/// The offset of [`Header::end`], so that the host can set it in a finished image.
pub const END_OFFSET: usize = 16;

/// The facts about a system as a whole. Times are ticks of the platform's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// When the run ends and the machine is switched off; [`NEVER`](fusee_kernel::NEVER): not by
    /// itself.
    pub end: u64,
    /// The machine of the system.
    pub platform: Platform,
    /// When the first jobs begin: all offsets are shifted by this.
    pub startup: u64,
    /// The thread that must have finished by then; `u16::MAX`: none.
    pub boot_thread: u16,
    /// Longest chain of nested invocations.
    pub depth: u8,
    /// The number of cores.
    pub cores: u8,
    /// Releases that may wait for an unfinished job.
    pub backlog: u16,
    /// One more than the highest priority and ceiling.
    pub levels: u16,
    /// Time slice among equals; [`NEVER`](fusee_kernel::NEVER): none.
    pub time_slice: u64,
    /// Physical address of the [`ResultBlock`](crate::ResultBlock), with the records behind it.
    pub records: u64,
    /// Bytes of both.
    pub records_bytes: u64,
    /// The longest chain of gates of which each is held by the thread that waits at the next.
    pub chain: u16,
    /// The scheduling policy: a kernel takes only its own.
    pub policy: KernelPolicy,
    /// `true` if the tables of schedulers stand behind these.
    #[cfg(any(feature = "std", feature = "schedulers"))]
    pub trees: bool,
}

/// Returns `true` if tables of a version are read: a kernel takes its own only.
const fn is_taken(version: u32) -> bool {
    let own = cfg!(any(feature = "std", not(feature = "schedulers")));
    let with_trees = cfg!(any(feature = "std", feature = "schedulers"));
    (own && version == VERSION) || (with_trees && version == VERSION_WITH_TREES)
}

impl Header {
    pub(crate) const BYTES: usize = 80;

    /// Reads it, and the length of all the tables.
    pub(crate) fn decode(bytes: &[u8]) -> Result<(Header, usize), Malformed> {
        let mut from = Reader::new(bytes);
        if from.u64().ok_or(Malformed::Length)? != MAGIC {
            return Err(Malformed::Magic);
        }
        let version = from.u32().ok_or(Malformed::Length)?;
        if !is_taken(version) {
            return Err(Malformed::Version);
        }
        let platform = Platform::from_number(from.u32().ok_or(Malformed::Length)?)
            .ok_or(Malformed::Platform)?;
        let decoded = Header::decode_rest(&mut from, platform).ok_or(Malformed::Length);
        #[cfg(any(feature = "std", feature = "schedulers"))]
        let decoded = decoded.map(|(header, length)| {
            (Header { trees: version == VERSION_WITH_TREES, ..header }, length)
        });
        decoded
    }

    fn decode_rest(from: &mut Reader<'_>, platform: Platform) -> Option<(Header, usize)> {
        let end = from.u64()?;
        let bytes = usize::try_from(from.u64()?).ok()?;
        let header = Header {
            end,
            platform,
            startup: from.u64()?,
            boot_thread: from.u16()?,
            depth: from.u8()?,
            cores: from.u8()?,
            backlog: from.u16()?,
            levels: from.u16()?,
            time_slice: from.u64()?,
            records: from.u64()?,
            records_bytes: from.u64()?,
            chain: from.u16()?,
            policy: KernelPolicy::from_number(from.u8()?)?,
            #[cfg(any(feature = "std", feature = "schedulers"))]
            trees: false,
        };
        Some((header, bytes))
    }

    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "only the build writes"))]
    pub(crate) fn encode(&self, length: usize, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        #[cfg(any(feature = "std", feature = "schedulers"))]
        let version = if self.trees { VERSION_WITH_TREES } else { VERSION };
        #[cfg(not(any(feature = "std", feature = "schedulers")))]
        let version = VERSION;
        to.u64(MAGIC).u32(version).u32(self.platform as u32).u64(self.end).u64(length as u64);
        to.u64(self.startup).u16(self.boot_thread).u8(self.depth).u8(self.cores);
        to.u16(self.backlog).u16(self.levels).u64(self.time_slice);
        to.u64(self.records).u64(self.records_bytes).u16(self.chain).u8(self.policy.number());
    }
}
