//! The order of threads under a policy, as levels: the higher, the more urgent.
//!
//! Under fixed priorities a task's level is its priority. Under earliest deadline a window
//! is known by x, the time from its start to the deadline of the job in question, and what
//! matters about x is which relative deadlines are at most x. So the distinct ones are
//! numbered, the longest with 1, and x has the number of the longest that is at most x;
//! 0 is left for tasks without deadline, which yield to everybody.
//!
//! A job whose release is late by its jitter has less than its relative deadline left. The
//! policy may count its deadline from the nominal arrival or from the release: so a task
//! has two levels, one for when it can be in the way, and one for when it must yield.

use fusee_model::{Policy, Priority, System, TOP_PRIORITY, Task, TaskId};

/// The levels of a system's tasks.
pub(crate) struct Levels {
    policy: Policy,
    /// The relative deadlines behind the levels 1, 2, ..., longest first.
    deadlines: Vec<u64>,
    base: Vec<i16>,
    highest: Vec<i16>,
}

impl Levels {
    /// Those of a core.
    pub(crate) fn of(system: &System, core: u32) -> Self {
        let policy = system.policy_on(core);
        if policy == Policy::FixedPriority {
            // A late release does not change a priority, so both levels are the same here.
            let base: Vec<i16> =
                system.task_ids().map(|(id, _)| i16::from(system.level(id))).collect();
            return Self { policy, deadlines: Vec::new(), highest: base.clone(), base };
        }
        let mut deadlines: Vec<u64> = system.tasks.iter().filter_map(relative).collect();
        // A late release shortens what is left of a deadline, so windows of that length have other
        // members.
        deadlines.extend(system.tasks.iter().filter_map(least_left));
        deadlines.sort_unstable_by_key(|&deadline| std::cmp::Reverse(deadline));
        deadlines.dedup();
        let mut levels = Self { policy, deadlines, base: Vec::new(), highest: Vec::new() };
        levels.base = system
            .tasks
            .iter()
            .map(|task| relative(task).map_or(0, |time| levels.at(time)))
            .collect();
        levels.highest = system
            .tasks
            .iter()
            .map(|task| least_left(task).map_or(0, |time| levels.at(time)))
            .collect();
        levels
    }

    /// Returns the level at or above which a task is for certain.
    pub(crate) fn base(&self, task: TaskId) -> i16 {
        self.base[task.index()]
    }

    /// Returns the highest level at which a job of a task can stand.
    pub(crate) fn highest(&self, task: TaskId) -> i16 {
        self.highest[task.index()]
    }

    /// Returns the level of threads that none preempts.
    pub(crate) fn top(&self) -> i16 {
        match self.policy {
            // Above all priorities, and above all boosts.
            Policy::FixedPriority => boost(TOP_PRIORITY) + 1,
            Policy::EarliestDeadline => i16::MAX,
        }
    }

    /// Returns the level of windows from whose start to the deadline in question it takes so long.
    pub(crate) fn at(&self, time: u64) -> i16 {
        // The longest stand first, so those that are longer than the time are in front.
        let longer = self.deadlines.partition_point(|&deadline| deadline > time);
        i16::try_from(longer).unwrap_or(i16::MAX - 1).saturating_add(1)
    }

    /// For each level, from the lowest on, the relative deadline at which it begins and the one
    /// where it ends.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (i16, u64, Option<u64>)> + '_ {
        let ends = [None].into_iter().chain(self.deadlines.iter().map(|&deadline| Some(deadline)));
        self.deadlines.iter().zip(ends).map(|(&begin, end)| (self.at(begin), begin, end))
    }
}

/// Returns the level of a thread that is boosted above all priorities.
pub(crate) fn boost(priority: Priority) -> i16 {
    i16::from(TOP_PRIORITY) + 1 + i16::from(priority)
}

/// Returns a task's relative deadline.
pub(crate) fn relative(task: &Task) -> Option<u64> {
    let release = task.release.as_ref()?;
    Some(task.deadline.unwrap_or(release.period).value.ns())
}

/// Returns the rest of the relative deadline when a job is released as late as it may be.
pub(crate) fn least_left(task: &Task) -> Option<u64> {
    Some(relative(task)?.saturating_sub(task.release.as_ref()?.jitter.value.ns()))
}
