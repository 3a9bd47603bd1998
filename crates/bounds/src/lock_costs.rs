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
    /// The lock component's own, once.
    pub(crate) own: Demand,
    /// The scheduler's own, for a call.
    pub(crate) scheduler: Demand,
    /// The same with the way there.
    pub(crate) asked: Demand,
}

/// What calls of a lock component are made of.
pub(crate) struct Calls {
    /// To pass through the component's own code once.
    own: Demand,
    /// A call of the scheduler.
    asked: Demand,
    /// To leave its section, which wakes everybody else at most.
    left: Demand,
    /// To be woken and to go round.
    pub(crate) round: Demand,
    /// To wake somebody who waits for a lock, with what that one does then.
    woken: Demand,
    /// How many others there are.
    others: u64,
}

impl Calls {
    /// Those of a component that asks a scheduler behind a gate.
    pub(crate) fn of(code: Code, sleep: &SleepCost, scheduler: GateId) -> Self {
        let Code { own, scheduler: inside, asked } = code;
        let others = sleep.users(scheduler).saturating_sub(1);
        let (sleeps, wakes) = (Demand::of_kernel(sleep.depend), Demand::of_kernel(sleep.wake));
        let left = asked.plus(wakes.plus(sleeps).plus(inside).times(others));
        let round = own.plus(sleeps).plus(asked.times(2)).plus(left);
        Self { own, asked, left, round, woken: asked.plus(wakes).plus(round), others }
    }

    /// What one of them costs, behind the gate.
    pub(crate) fn call(&self, call: LockCall) -> Demand {
        let section = self.own.plus(self.asked).plus(self.left);
        match call {
            LockCall::Take => section,
            LockCall::Release => section.plus(self.woken.times(self.others)),
        }
    }
}
