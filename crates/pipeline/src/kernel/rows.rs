//! The rows of a cost table for each entry of the kernel.
//!
//! An entry's bound has the whole path: whom it wakes, for whom it goes on, the
//! message that it copies. What other tables add for these is nothing here. An
//! interrupt finds the core asleep or not, so a row that it begins is the longest of
//! these paths, behind what is under way.
//!
//! | row | entries |
//! | --- | --- |
//! | `invoke`, `return` | the same at gates of the protocol; at all where the image has none |
//! | `mutex.lock`, `mutex.unlock` | `lock`, `unlock` |
//! | `completion`, `wait` | `complete`, `wait` |
//! | `signal` | `signal`, `poll` |
//! | `release`, `time_slice`, `budget_end` | `timer`, `idle` |
//! | `device.interrupt` | `external`, `idle` |
//! | `device.acknowledge` | `acknowledge` |
//! | `fault` | `fault`, `yield`, `acknowledge`, `no_operation`, all about gates, also refused |
//! | `message` | by how much passages with further words are longer, whatever the protocol |
//! | `block`, `handoff`, `inherit_step`, `wake` | nothing besides |

use fusee_model::costs::{CostTable, DeviceCosts, Limits, MessageCosts, MutexCosts};
use fusee_model::costs::{ProtocolCosts, Provenance};
use fusee_model::{Duration, Policy, Protocol};

use super::Paths;
use super::passages::Passage;

/// The paths that the timer begins.
const TIMER: [&str; 2] = ["timer", fusee_wcet_kernel::IDLE];

/// Those that a device begins.
const DEVICE: [&str; 2] = ["external", fusee_wcet_kernel::IDLE];

/// The entries that users ask for and no row is for.
const OTHERS: [&str; 8] = [
    "fault",
    "yield",
    "acknowledge",
    "no_operation",
    "invoke",
    "invoke_with_message",
    "return",
    "return_with_message",
];

impl Paths {
    /// Returns a cost table in which what the kernel does by itself is proved, in a system that is
    /// no larger than this one and does nothing that this one can't: so these must be the bounds of
    /// the open system.
    pub fn costs(&self, measured: CostTable, late: u64) -> Option<CostTable> {
        let timer = self.longest_of(&TIMER).ok()?.ns().checked_add(late).map(Duration)?;
        let mut table =
            CostTable { release: timer, time_slice: timer, budget_end: timer, ..measured };
        for path in ["release", "time_slice", "budget_end"] {
            table.origins.insert(path.to_owned(), Provenance::Proved);
        }
        table.limits = Some(match table.limits {
            Some(Limits { threads, nesting, cores, schedulers }) => Limits {
                threads: threads.min(self.limits.threads),
                nesting: nesting.min(self.limits.nesting),
                cores,
                schedulers,
            },
            None => self.limits,
        });
        Some(table)
    }

    /// Returns the cost table of this image: every number is proved, of the kernel alone.
    ///
    /// # Errors
    /// The name of an entry without a bound.
    pub fn costs_of_image(&self, late: u64) -> Result<CostTable, String> {
        let zero = Duration::ZERO;
        let resumed = self.bounds.resumed.unwrap_or(0);
        let begun = |paths: &[&str]| {
            let longest = self.longest_of(paths)?.ns().max(resumed);
            Ok::<_, String>(Duration(longest.saturating_add(late)))
        };
        let interrupt = begun(&TIMER)?;
        let known = protocols(self.policy);
        let gate = |entry: &str| {
            let longest = self.longest_of(&[entry])?;
            let row = |protocol| self.passage(entry, protocol).unwrap_or(longest).min(longest);
            Ok::<_, String>(ProtocolCosts::of_each(|protocol| {
                known.contains(&protocol).then(|| row(protocol))
            }))
        };
        let [invoke, invoke_more] = [gate("invoke")?, gate("invoke_with_message")?];
        let [return_, return_more] = [gate("return")?, gate("return_with_message")?];
        let more = |plain: &ProtocolCosts, more: &ProtocolCosts| {
            let by = |&protocol: &Protocol| {
                let (plain, more) = (plain.of(protocol)?.ns(), more.of(protocol)?.ns());
                Some(more.saturating_sub(plain))
            };
            known.iter().filter_map(by).max().unwrap_or(0)
        };
        let further = more(&invoke, &invoke_more).saturating_add(more(&return_, &return_more));
        let message = MessageCosts { invocation: Duration(further), word: zero };
        Ok(CostTable {
            platform: self.platform.name().to_owned(),
            policy: self.policy,
            also: None,
            image: Some(self.digest.clone()),
            provenance: Provenance::Proved,
            release: interrupt,
            completion: self.longest_of(&["complete"])?,
            invoke,
            return_,
            mutex: MutexCosts {
                lock: self.longest_of(&["lock"])?,
                unlock: self.longest_of(&["unlock"])?,
                uncontended: None,
            },
            block: zero,
            handoff: zero,
            inherit_step: zero,
            signal: self.longest_of(&["signal", "poll"])?,
            wait: self.longest_of(&["wait"])?,
            wake: zero,
            budget_end: interrupt,
            fault: self.longest_of(&OTHERS)?,
            time_slice: interrupt,
            device: Some(DeviceCosts {
                interrupt: begun(&DEVICE)?,
                acknowledge: self.longest_of(&["acknowledge"])?,
            }),
            message: Some(message),
            cores: None,
            schedulers: None,
            dependencies: None,
            limits: Some(self.limits),
            origins: Default::default(),
        })
    }

    /// Returns the bound of an entry at gates of a protocol, if there are such.
    fn passage(&self, entry: &str, protocol: Protocol) -> Option<Duration> {
        let is = |passage: &&Passage| passage.entry == entry && passage.protocol == protocol;
        self.passages.iter().find(is)?.bound.time.map(Duration)
    }

    /// Returns the longest of these entries; those that this kernel has not are on no path.
    fn longest_of(&self, names: &[&str]) -> Result<Duration, String> {
        let all = self.bounds.entries.iter().filter(|entry| names.contains(&entry.name.as_str()));
        let times = all.map(|entry| entry.bound.time.ok_or_else(|| entry.name.clone()));
        let longest = times.collect::<Result<Vec<u64>, String>>()?.into_iter().max();
        longest.map(Duration).ok_or_else(|| names.join(", "))
    }
}

/// Returns the protocols between tasks of one core.
fn protocols(policy: Policy) -> &'static [Protocol] {
    use Protocol::{Ceiling, Fifo, Fixed, Inherited, NonPreemptive, Propagated, Srp};
    match policy {
        Policy::FixedPriority => &[Propagated, Fixed, Inherited, Fifo, Ceiling],
        Policy::EarliestDeadline => &[Propagated, Inherited, Fifo, Srp, NonPreemptive],
    }
}
