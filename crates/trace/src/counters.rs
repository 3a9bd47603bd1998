//! A thread's numbers over time: inherited urgency, waiting releases, budget.
//!
//! The kernel records when a waiter raises a thread and does not record the end of
//! it, because the end is the return from the gate: waiters do not give up. So
//! what is inherited at each gate is kept here until then.

use crate::names::{ThreadName, Urgency};
use crate::track::{Timeline, Track, Unit};

/// Ranges of track numbers, beside those of the drawing.
mod space {
    pub(super) const INHERITED: u64 = 5 << 32;
    pub(super) const BACKLOG: u64 = 6 << 32;
    pub(super) const BUDGET: u64 = 7 << 32;
}

/// The counters of one thread.
#[derive(Debug, Clone)]
pub(crate) struct Counters {
    thread: u64,
    urgency: Urgency,
    /// Gate by gate, what is inherited there.
    inherited: Vec<(u32, u64)>,
    waiting: u64,
    /// The whole budget and what is left of it.
    budget: Option<(u64, u64)>,
}

impl Counters {
    /// Describes the tracks below the thread's own.
    pub(crate) fn new(
        (thread, name): (u32, &ThreadName),
        parent: Track,
        timeline: &mut Timeline,
    ) -> Self {
        let (thread, urgency) = (u64::from(thread), name.urgency);
        let (inherited, unit) = match urgency {
            Urgency::Priority => ("inherited priority", Unit::Count),
            Urgency::Deadline => ("inherited deadline", Unit::Nanoseconds),
        };
        let of = |what: &str| format!("{}: {what}", name.name);
        timeline.counter_track(Track(space::INHERITED + thread), parent, &of(inherited), unit);
        timeline.counter_track(
            Track(space::BACKLOG + thread),
            parent,
            &of("waiting releases"),
            Unit::Count,
        );
        if name.budget.is_some() {
            timeline.counter_track(
                Track(space::BUDGET + thread),
                parent,
                &of("budget left"),
                Unit::Nanoseconds,
            );
        }
        let budget = name.budget.map(|amount| (amount, amount));
        Self { thread, urgency, inherited: Vec::new(), waiting: 0, budget }
    }

    /// Somebody who waits at `gate` makes the thread this urgent.
    pub(crate) fn boosted(&mut self, at: u64, gate: u32, urgency: u64, timeline: &mut Timeline) {
        self.inherited.retain(|&(other, _)| other != gate);
        self.inherited.push((gate, urgency));
        self.show_inherited(at, timeline);
    }

    /// The thread has left `gate`.
    pub(crate) fn left(&mut self, at: u64, gate: u32, timeline: &mut Timeline) {
        let before = self.inherited.len();
        self.inherited.retain(|&(other, _)| other != gate);
        if self.inherited.len() != before {
            self.show_inherited(at, timeline);
        }
    }

    fn show_inherited(&self, at: u64, timeline: &mut Timeline) {
        let most = self.urgency.most(self.inherited.iter().map(|&(_, urgency)| urgency));
        timeline.count(at, Track(space::INHERITED + self.thread), most as i64);
    }

    /// Releases that wait for the job under way.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting
    }

    /// One more of them, or one less.
    pub(crate) fn queue(&mut self, at: u64, change: i64, timeline: &mut Timeline) {
        self.waiting = self.waiting.saturating_add_signed(change);
        timeline.count(at, Track(space::BACKLOG + self.thread), self.waiting as i64);
    }

    /// Pays for `time`.
    pub(crate) fn charge(&mut self, time: u64) {
        if let Some((_, left)) = &mut self.budget {
            *left = left.saturating_sub(time);
        }
    }

    /// A release: the budget is whole again.
    pub(crate) fn replenish(&mut self, at: u64, timeline: &mut Timeline) {
        self.budget = self.budget.map(|(amount, _)| (amount, amount));
        self.show_budget(at, timeline);
    }

    /// Draws what is left of the budget.
    pub(crate) fn show_budget(&self, at: u64, timeline: &mut Timeline) {
        if let Some((_, left)) = self.budget {
            timeline.count(at, Track(space::BUDGET + self.thread), left as i64);
        }
    }
}
