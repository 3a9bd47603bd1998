//! A small system, and what is tried in it.

use fusee_kernel::tcaps::{AccountConfig, EndPointConfig, Priority, SchedulerConfig, Tables};
use fusee_kernel::{ThreadIndex, Time};

/// What schedulers and machine try in each state.
#[derive(Debug, Clone, Copy)]
pub struct Tries {
    /// What is delegated.
    pub amounts: &'static [Time],
    /// At which priorities.
    pub priorities: &'static [Priority],
    /// Which priorities dispatches have.
    pub dispatches: &'static [Option<Priority>],
    /// After which time dispatches end; [`NEVER`](fusee_kernel::NEVER): not.
    pub timeouts: &'static [Time],
    /// How late the timer may come.
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
    /// What it is there for.
    pub name: &'static str,
    /// Its accounts.
    pub accounts: &'static [AccountConfig],
    /// Its schedulers.
    pub schedulers: &'static [SchedulerConfig],
    /// Its threads.
    pub end_points: &'static [EndPointConfig],
    /// Its interrupts.
    pub interrupts: &'static [ThreadIndex],
    /// What is tried.
    pub tries: Tries,
}

impl System {
    /// As the kernel takes it.
    pub fn tables(&self) -> Tables<'static> {
        let &System { accounts, schedulers, end_points, interrupts, .. } = self;
        Tables { accounts, schedulers, end_points, interrupts }
    }
}
