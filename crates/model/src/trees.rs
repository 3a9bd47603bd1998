//! The trees of schedulers of a system.

use crate::{Duration, Priority, Scheduler, System, TaskId};

impl System {
    /// Returns the scheduler that dispatches a task; none: the kernel does.
    pub fn scheduler_of(&self, task: TaskId) -> Option<&Scheduler> {
        self.schedulers
            .iter()
            .find(|scheduler| scheduler.threads.iter().any(|own| own.value == task))
    }

    /// Returns the scheduler that a task is, if it is one.
    pub fn scheduler(&self, task: TaskId) -> Option<&Scheduler> {
        self.schedulers.iter().find(|scheduler| scheduler.task == task)
    }

    /// Returns the schedulers above a task, its own first; as many as there are at most, where they
    /// go round in a circle.
    pub fn schedulers_above(&self, task: TaskId) -> Vec<&Scheduler> {
        let own = self.scheduler_of(task);
        let above = |scheduler: &&Scheduler| self.scheduler_of(scheduler.task);
        std::iter::successors(own, above).take(self.schedulers.len()).collect()
    }

    /// Returns the root of the tree that a task is in, itself perhaps; none: it is in no tree.
    pub fn root_scheduler(&self, task: TaskId) -> Option<&Scheduler> {
        self.schedulers_above(task).pop().or_else(|| self.scheduler(task))
    }

    /// Returns the roots of all trees.
    pub fn root_schedulers(&self) -> impl Iterator<Item = &Scheduler> {
        self.schedulers.iter().filter(|one| self.scheduler_of(one.task).is_none())
    }

    /// Returns the value of an attribute of a scheduler's component: `quantum`, `look`, `capacity`,
    /// `every`.
    pub fn scheduling_time(&self, scheduler: &Scheduler, name: &str) -> Option<Duration> {
        let component = self.component(self.task(scheduler.task).component);
        let given = component.attributes.iter().find(|given| given.name == name)?;
        let crate::Value::Integer(time) = given.value else { return None };
        u64::try_from(time).ok().map(Duration)
    }

    /// Returns the priority of a task among those of the kernel: that of the tree which it is in.
    pub fn level(&self, task: TaskId) -> Priority {
        let root = self.schedulers_above(task).last().map_or(task, |root| root.task);
        self.task(root).priority.value
    }

    /// Returns the most that a task's account holds: all that its scheduler gives it, in the time
    /// in which it gives everything once.
    pub fn account_limit(&self, task: TaskId) -> Duration {
        let gifts = self.scheduler_of(task).map_or(&[][..], |scheduler| &scheduler.delegates);
        let own = gifts.iter().filter(|gift| gift.to == task);
        Duration(own.fold(0_u64, |sum, gift| sum.saturating_add(gift.amount.value.ns())))
    }
}
