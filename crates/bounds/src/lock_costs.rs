//! What it costs to ask a lock component.
//!
//! Of those that come with Fusee it is known what they do for a call. To take a lock or to release
//! it they enter the scheduler's section and leave it; who releases then wakes all who wait for a
//! lock. Whoever sleeps goes round once more each time that it is woken: it sleeps no more, perhaps
//! goes through the section, and sleeps again. Whoever finds the section taken sleeps until that is
//! left, and tries again.
//!
//! What makes a thread go round is charged to who wakes it, since that wakes each of the others at
//! most: so no bound needs to know how often a thread is woken. Who was woken before a window
//! begins goes round in it once, and once more where it has not slept yet at the window's end: that
//! is in the sections of lower tasks (module `lock_sections`).

use fusee_model::{GateId, LockCall};

use crate::demand::Demand;
use crate::sleep_cost::SleepCost;

/// How long code takes that a call runs through.
pub(crate) struct Code {
    /// The lock component's own to take a lock, once.
    pub(crate) take: Demand,
    /// The same to release it.
    pub(crate) release: Demand,
    /// The scheduler's own, for a call.
    pub(crate) scheduler: Demand,
    /// The same with the way there.
    pub(crate) asked: Demand,
}

/// What calls of a lock component are made of.
pub(crate) struct Calls {
    /// The component's own code to take a lock, and to release it.
    own: [Demand; 2],
    /// To enter the scheduler's section and to leave it, which wakes everybody else at most.
    section: Demand,
    /// To be woken and to go round, in the code that takes a lock.
    pub(crate) round: Demand,
    /// To wake somebody who waits for a lock, with what that one does then.
    woken: Demand,
    /// How many others there are.
    others: u64,
}

impl Calls {
    /// Those of a component that asks a scheduler behind a gate.
    pub(crate) fn of(code: Code, sleep: &SleepCost, scheduler: GateId) -> Self {
        let Code { take, release, scheduler: inside, asked } = code;
        let others = sleep.users(scheduler).saturating_sub(1);
        let (sleeps, wakes) = (Demand::of_kernel(sleep.depend), Demand::of_kernel(sleep.wake));
        let left = asked.plus(wakes.plus(sleeps).plus(inside).times(others));
        let section = asked.plus(left);
        let round = take.plus(sleeps).plus(asked).plus(section);
        let woken = asked.plus(wakes).plus(round);
        Self { own: [take, release], section, round, woken, others }
    }

    /// What one of them costs, behind the gate.
    pub(crate) fn call(&self, call: LockCall) -> Demand {
        let [take, release] = self.own;
        match call {
            LockCall::Take => take.plus(self.section),
            LockCall::Release => release.plus(self.section).plus(self.woken.times(self.others)),
        }
    }
}
