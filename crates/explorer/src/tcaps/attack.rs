//! A scheduler that does what it likes, beside one whose thread needs its time.
//!
//! Two of the kernel's schedulers: the better one gives its thread three cycles every ten, as a
//! timer interrupt says. The other one, its child and their threads call what chance tells them:
//! they dispatch, delegate and give all away, send to anybody, fault, and do not return. What they
//! cannot do is delegate to the thread: its end-point is nobody's but its scheduler's to give to,
//! because one cycle of theirs would lower all of its time to their level.

use fusee_kernel::tcaps::Delegation;
use fusee_kernel::{AccountIndex, ThreadIndex, Time};

use super::drive::draw_step;
use super::history::told;
use super::systems::ATTACKED;
use super::view::View;
use super::{Step, World};

/// The period in which the thread gets its time.
const PERIOD: Time = 10;

/// The time that it gets in each period.
const SHARE: Time = 3;

const SCHEDULER: usize = 0;
const THREAD: usize = 1;

/// The counts of an attack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outlasted {
    /// Steps of the hostile ones that were not refused.
    pub calls: u64,
    /// Periods in which the thread had its time at once.
    pub periods: u64,
}

/// Lets the hostile ones call so often, as `choose(n)` says, which answers a number below n.
///
/// # Errors
/// A rule broke, or the thread had not its time.
pub fn attack(choose: &mut dyn FnMut(u32) -> u32, steps: u32) -> Result<Outlasted, String> {
    let tables = ATTACKED.tables();
    let mut world = World::start(&tables);
    let mut outlasted = Outlasted::default();
    let mut release = Release::default();
    let mut left = steps;
    while left > 0 {
        let timer = world.timer(&tables);
        let before = world.clone();
        let view = View::of(&tables, &before.store, before.now);
        let hostile = view.running.is_none_or(|running| running > THREAD);
        let own = release.step(&view, timer);
        left -= u32::from(own.is_none() && hostile);
        let step = own.unwrap_or_else(|| hostile_step(&view, timer, choose));
        let refused = world
            .take(&tables, step, 0)
            .map_err(|breach| format!("{step}: {breach}\nbefore: {}", told(&view)))?;
        outlasted.calls += u64::from(own.is_none() && refused.is_none());
        if release.is_over(world.now) {
            let ran = world.ledger.ran[THREAD];
            if ran != release.target {
                return Err(format!("at {}: the thread ran {ran}, {release:?}", world.now));
            }
            outlasted.periods += 1;
            release.checked = true;
        }
    }
    Ok(outlasted)
}

/// The work of the good scheduler.
#[derive(Debug, Default)]
struct Release {
    /// The period whose interrupt has come.
    periods: Time,
    /// `true` if the scheduler has still to give.
    gives: bool,
    /// The execution time of the thread when it has had its share.
    target: i64,
    /// `true` if that has been looked at.
    checked: bool,
}

impl Release {
    /// Returns the step that is due, or that the good ones take; none: it is the others' turn.
    fn step(&mut self, view: &View<'_>, timer: Time) -> Option<Step> {
        if timer <= view.now {
            return Some(Step::Timer);
        }
        if self.periods * PERIOD <= view.now {
            self.periods += 1;
            self.gives = true;
            self.checked = false;
            self.target += SHARE as i64;
            return Some(Step::Interrupt(SCHEDULER as u16));
        }
        match view.running {
            Some(SCHEDULER) if self.gives && view.events(SCHEDULER).is_empty() => {
                self.gives = false;
                let (from, to) = (AccountIndex(0), ThreadIndex(THREAD as u16));
                Some(Step::Yield(Delegation { from, to, amount: SHARE, priority: 1 }))
            }
            Some(SCHEDULER) => Some(Step::Wait),
            Some(THREAD) => Some(Step::Tick),
            _ => None,
        }
    }

    /// Returns `true` if the thread must have had its time.
    fn is_over(&self, now: Time) -> bool {
        !self.checked && (self.periods - 1) * PERIOD + SHARE == now
    }
}

fn hostile_step(view: &View<'_>, timer: Time, choose: &mut dyn FnMut(u32) -> u32) -> Step {
    match draw_step(view, timer, (0, choose)) {
        Step::Delegate(delegation) if delegation.to.at() <= THREAD => Step::Send(delegation.to),
        // Time passes, too, where nobody has anything to do.
        Step::Wait if view.running.is_none() => Step::Tick,
        step => step,
    }
}
