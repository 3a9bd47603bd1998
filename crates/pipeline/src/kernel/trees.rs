//! The sizes of trees of schedulers, as far as the kernel's loops go by them.

use fusee_image_format::{AccountEntry, Malformed, SchedulerEntry, TreeBlob};
use fusee_kernel::SchedulerIndex;
use fusee_kernel::tcaps::{ENTRIES, Principal};

/// The sizes of them that facts about the kernel name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Trees {
    /// The schedulers that are components.
    pub(super) schedulers: u64,
    /// The most schedulers on a way from one up to its root, both included.
    pub(super) levels: u64,
    /// The threads that are schedulers, or that a scheduler dispatches: the others are never
    /// activated.
    pub(super) activated: u64,
    /// The most threads that can be activated on one account: those of the scheduler that owns it,
    /// and that one's own.
    pub(super) sharers: u64,
    /// The most principals that can have a say in a quality: the root, and each scheduler.
    pub(super) principals: u64,
}

impl Trees {
    /// Those of the tables that stand behind a system's others: none where nothing does.
    pub(super) fn of(behind: impl Fn(usize) -> Vec<u8>) -> Result<Self, Malformed> {
        let head = behind(TreeBlob::HEAD_BYTES);
        let Ok(length) = TreeBlob::length(&head) else { return Ok(Self::default()) };
        let bytes = behind(length);
        let blob = TreeBlob::parse(&bytes)?;
        let accounts: Vec<AccountEntry> = blob.accounts.iter().flatten().collect();
        let schedulers: Vec<SchedulerEntry> = blob.schedulers.iter().flatten().collect();
        Ok(Self::sized(&accounts, &schedulers))
    }

    fn sized(accounts: &[AccountEntry], schedulers: &[SchedulerEntry]) -> Self {
        let mut levels: Vec<u64> = Vec::new();
        // Parents come first.
        for entry in schedulers {
            let above = levels.get(entry.0.parent.at()).copied().unwrap_or(0);
            levels.push(above + 1);
        }
        let threads = |number| {
            let its = accounts.iter().filter(|entry| entry.dispatched_by == SchedulerIndex(number));
            its.count() as u64
        };
        let dispatched = accounts.iter().filter(|entry| entry.dispatched_by.is_some()).count();
        let roots = schedulers.iter().filter(|entry| entry.0.parent.is_none()).count();
        let speaks_as_root = schedulers.iter().any(|entry| entry.0.principal == Principal::ROOT);
        let principals = schedulers.len() + usize::from(!speaks_as_root);
        Self {
            schedulers: schedulers.len() as u64,
            levels: levels.into_iter().max().unwrap_or(0),
            activated: (dispatched + roots) as u64,
            sharers: 1 + (0..schedulers.len() as u16).map(threads).max().unwrap_or(0),
            principals: principals.min(ENTRIES) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_kernel::ThreadIndex;
    use fusee_kernel::tcaps::SchedulerConfig;

    /// Schedulers with their parents; threads with their schedulers. Two threads come first that
    /// are the kernel's and no scheduler.
    fn sized(parents: &[Option<u16>], threads: &[u16]) -> Trees {
        let none = SchedulerIndex::NONE;
        let account = |dispatched_by| AccountEntry {
            dispatched_by,
            owner: none,
            level: 0,
            priority: 0,
            limit: 1,
        };
        let number = |parent: &Option<u16>| parent.map_or(none, SchedulerIndex);
        let mut accounts = vec![account(none); 2];
        accounts.extend(parents.iter().map(|parent| account(number(parent))));
        accounts.extend(threads.iter().map(|thread| account(SchedulerIndex(*thread))));
        let scheduler = |(place, parent): (usize, &Option<u16>)| {
            let (thread, principal) = (ThreadIndex(place as u16 + 2), Principal(place as u16 + 1));
            SchedulerEntry(SchedulerConfig { thread, principal, parent: number(parent) })
        };
        let schedulers: Vec<_> = parents.iter().enumerate().map(scheduler).collect();
        Trees::sized(&accounts, &schedulers)
    }

    #[test]
    fn a_row_of_schedulers_has_as_many_levels() {
        let row = sized(&[None, Some(0), Some(1)], &[2, 2]);
        let sizes = Trees { schedulers: 3, levels: 3, activated: 5, sharers: 3, principals: 4 };
        assert_eq!(row, sizes);
    }

    #[test]
    fn schedulers_beside_each_other_have_two() {
        let fan = sized(&[None, Some(0), Some(0), Some(0)], &[1]);
        let sizes = Trees { schedulers: 4, levels: 2, activated: 5, sharers: 4, principals: 5 };
        assert_eq!(fan, sizes);
    }

    #[test]
    fn no_more_principals_have_a_say_than_a_quality_holds() {
        let two_trees: Vec<Option<u16>> =
            (0..20).map(|place| if place < 2 { None } else { Some(place - 2) }).collect();
        let sizes = Trees { schedulers: 20, levels: 10, activated: 20, sharers: 2, principals: 16 };
        assert_eq!(sized(&two_trees, &[]), sizes);
    }
}
