//! Which entries of the kernel are which rows of a cost table.
//!
//! An entry's bound has the whole path: whom it wakes, for whom it goes on, the
//! message that it copies. What other tables add for these is nothing here. The
//! timer finds the core asleep or not, so a row that it begins is the longest of
//! these paths, behind what is under way.
//!
//! | row | entries |
//! | --- | --- |
//! | `invoke`, `return` | the same, with and without further words |
//! | `mutex.lock`, `mutex.unlock` | `lock`, `unlock` |
//! | `completion`, `wait` | `complete`, `wait` |
//! | `signal` | `signal`, `poll` |
//! | `release`, `time_slice`, `budget_end` | `timer`, `idle` |
//! | `fault` | `fault`, `yield`, `acknowledge`, `no_operation` |
//! | `block`, `handoff`, `inherit_step`, `wake`, `message` | nothing besides |

use fusee_model::costs::{CostTable, Limits, MessageCosts, MutexCosts, ProtocolCosts, Provenance};
use fusee_model::{Duration, Policy, Protocol};

use super::Paths;

/// The paths that the timer begins.
const TIMER: [&str; 2] = ["timer", fusee_wcet_kernel::IDLE];

impl Paths {
    /// A cost table in which what the kernel does by itself is proved, in a system that is no
    /// larger than this one and does nothing that this one can't: so these must be the bounds of
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

    /// The cost table of this image: every number is proved, of the kernel alone.
    ///
    /// # Errors
    /// The name of an entry without a bound.
    pub fn costs_of_image(&self, late: u64) -> Result<CostTable, String> {
        let zero = Duration::ZERO;
        let resumed = self.bounds.resumed.unwrap_or(0);
        let interrupt = self.longest_of(&TIMER)?.ns().max(resumed);
        let interrupt = Duration(interrupt.saturating_add(late));
        let known = protocols(self.policy);
        let gate = |entries: &[&str]| {
            let longest = self.longest_of(entries)?;
            Ok::<_, String>(ProtocolCosts::of_each(|protocol| {
                known.contains(&protocol).then_some(longest)
            }))
        };
        Ok(CostTable {
            platform: self.platform.name().to_owned(),
            policy: self.policy,
            also: None,
            image: Some(self.digest.clone()),
            provenance: Provenance::Proved,
            release: interrupt,
            completion: self.longest_of(&["complete"])?,
            invoke: gate(&["invoke", "invoke_with_message"])?,
            return_: gate(&["return", "return_with_message"])?,
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
            fault: self.longest_of(&["fault", "yield", "acknowledge", "no_operation"])?,
            time_slice: interrupt,
            message: Some(MessageCosts::default()),
            cores: None,
            schedulers: None,
            dependencies: None,
            limits: Some(self.limits),
            origins: Default::default(),
        })
    }

    /// The longest of these entries; those that this kernel has not are on no path.
    fn longest_of(&self, names: &[&str]) -> Result<Duration, String> {
        let all = self.bounds.entries.iter().filter(|entry| names.contains(&entry.name.as_str()));
        let times = all.map(|entry| entry.bound.time.ok_or_else(|| entry.name.clone()));
        let longest = times.collect::<Result<Vec<u64>, String>>()?.into_iter().max();
        longest.map(Duration).ok_or_else(|| names.join(", "))
    }
}

/// The protocols between tasks of one core.
fn protocols(policy: Policy) -> &'static [Protocol] {
    use Protocol::{Ceiling, Fifo, Fixed, Inherited, NonPreemptive, Propagated, Srp};
    match policy {
        Policy::FixedPriority => &[Propagated, Fixed, Inherited, Fifo, Ceiling],
        Policy::EarliestDeadline => &[Propagated, Inherited, Fifo, Srp, NonPreemptive],
    }
}
