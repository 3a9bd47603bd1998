//! Tasks that dispatch others, and the time that they give them.

pub(crate) mod adds_up;
pub(crate) mod beside;
pub(crate) mod circle;
pub(crate) mod gives_no_time;
pub(crate) mod never_funded;
pub(crate) mod no_deadline;
pub(crate) mod no_order;
pub(crate) mod no_time_between;
pub(crate) mod nobody;
pub(crate) mod not_its_thread;
pub(crate) mod of_its_own;
pub(crate) mod principals;
pub(crate) mod waits;

use fusee_model::{Scheduler, System, TaskId};

/// The schedulers that come with Fusee and only say who is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shipped {
    EarliestDeadline,
    FixedPriority,
    RoundRobin,
}

impl Shipped {
    pub(super) const ALL: [Self; 3] =
        [Self::EarliestDeadline, Self::FixedPriority, Self::RoundRobin];

    /// The component type.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::EarliestDeadline => "EarliestDeadline",
            Self::FixedPriority => "FixedPriority",
            Self::RoundRobin => "RoundRobin",
        }
    }
}

/// Those of one kind that have threads.
pub(super) fn shipped(system: &System, kind: Shipped) -> impl Iterator<Item = &Scheduler> {
    let is_kind = move |own: &&Scheduler| {
        let component = system.task(own.task).component;
        system.component(component).kind == kind.name()
    };
    system.schedulers.iter().filter(is_kind)
}

/// All schedulers and their threads, each once.
pub(super) fn of_trees(system: &System) -> Vec<TaskId> {
    let schedulers = system.schedulers.iter();
    let members = schedulers.flat_map(|scheduler| {
        let own = scheduler.threads.iter().map(|thread| thread.value);
        own.chain([scheduler.task])
    });
    let mut all: Vec<TaskId> = members.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether the schedulers above one go round in a circle.
pub(super) fn is_in_circle(system: &System, scheduler: &Scheduler) -> bool {
    system.schedulers_above(scheduler.task).iter().any(|above| above.task == scheduler.task)
}
