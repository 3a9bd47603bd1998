//! A small system, and what is tried in it.

use fusee_kernel::tcaps::{AccountConfig, EndPointConfig, Priority, SchedulerConfig, Tables};
use fusee_kernel::{ThreadIndex, Time};

/// The steps that schedulers and machine try in each state.
#[derive(Debug, Clone, Copy)]
pub struct Tries {
    /// The amounts that are delegated.
    pub amounts: &'static [Time],
    /// The priorities at which they are delegated.
    pub priorities: &'static [Priority],
    /// The priorities of dispatches.
    pub dispatches: &'static [Option<Priority>],
    /// After which time dispatches end; [`NEVER`](fusee_kernel::NEVER): not.
    pub timeouts: &'static [Time],
    /// The longest delay of the timer, in ticks.
    pub late: Time,
    /// `true` if threads fault.
    pub faults: bool,
    /// `true` if schedulers have alarms, and yield until a time.
    pub slots: bool,
    /// `true` if schedulers transfer time between their own accounts.
    pub transfers: bool,
}

impl Tries {
    /// One cycle at one priority, and a time-out after one.
    pub const PLAIN: Self = Tries {
        amounts: &[1],
        priorities: &[1],
        dispatches: &[None],
        timeouts: &[fusee_kernel::NEVER, 1],
        late: 0,
        faults: true,
        slots: false,
        transfers: false,
    };
}

/// A small system.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that say why the system is explored.
    pub name: &'static str,
    /// The accounts of the system.
    pub accounts: &'static [AccountConfig],
    /// The schedulers of the system.
    pub schedulers: &'static [SchedulerConfig],
    /// The threads of the system.
    pub end_points: &'static [EndPointConfig],
    /// The thread of each interrupt line.
    pub interrupts: &'static [ThreadIndex],
    /// The steps that are tried.
    pub tries: Tries,
}

impl System {
    /// As the kernel takes it.
    pub fn tables(&self) -> Tables<'static> {
        let &System { accounts, schedulers, end_points, interrupts, .. } = self;
        Tables { accounts, schedulers, end_points, interrupts }
    }
}
