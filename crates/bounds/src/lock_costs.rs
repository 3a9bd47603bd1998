//! The costs of asking a lock component.
//!
//! Of those that come with Fusee it is known what they do for a call. To take a lock or to release
//! it they enter the scheduler's section and leave it; who releases then wakes all who wait for a
//! lock. Whoever sleeps goes round once more each time that it is woken: it sleeps no more, perhaps
//! goes through the section, and sleeps again. Whoever finds the section taken sleeps until that is
//! left, and tries again.
//!
//! An optimistic lock is asked by who has found it taken: for an epoch, and then for the lock. The
//! client's own word is tried before, again by whoever is woken. So a round is that whole way, and
//! a request is one such way and a last try, which finds the lock free (module `lock_sections`).
//! What the client executes for a try is counted to the component's own code.
//!
//! What makes a thread go round is charged to who wakes it, since that wakes each of the others at
//! most: so no bound needs to know how often a thread is woken. Who was woken before a window
//! begins goes round in it once, and once more where it has not slept yet at the window's end: that
//! is in the sections of lower tasks (module `lock_sections`).

use fusee_model::{GateId, LockCall};

use crate::demand::Demand;
use crate::sleep_cost::SleepCost;

/// The time of the code that a call runs through.
pub(crate) struct Code {
    /// The code that tells an epoch; `None`: the lock has none.
    pub(crate) epoch: Option<Epoch>,
    /// The lock component's own to take a lock, once.
    pub(crate) take: Demand,
    /// The same to release it.
    pub(crate) release: Demand,
    /// The scheduler's own for a call, with the way there.
    pub(crate) asked: Demand,
}

/// The time that asking for an epoch takes.
pub(crate) struct Epoch {
    /// The way from the client to the component.
    pub(crate) passage: Demand,
    /// The component's own code.
    pub(crate) own: Demand,
}

/// The parts that calls of a lock component are made of.
pub(crate) struct Calls {
    /// The component's own code to take a lock, and to release it.
    own: [Demand; 2],
    /// The question before a lock is asked for, where that has an epoch.
    first: Demand,
    /// The cost of entering the scheduler's section and leaving it, which wakes all other threads
    /// at most.
    section: Demand,
    /// To be woken and to go round, in the code that takes a lock.
    pub(crate) round: Demand,
    /// The cost of waking a thread that waits for a lock, with what that one does then.
    woken: Demand,
    /// The number of other users.
    pub(crate) others: u64,
}

impl Calls {
    /// Those of a component that asks a scheduler behind a gate.
    pub(crate) fn of(code: Code, sleep: &SleepCost, scheduler: GateId) -> Self {
        let Code { epoch, take, release, asked } = code;
        // Nobody wakes itself.
        let others = sleep.users(scheduler).saturating_sub(1);
        let (sleeps, wakes) = (Demand::of_kernel(sleep.depend), Demand::of_kernel(sleep.wake));
        // A thread that has been woken on its way to sleep does not sleep, and asks again.
        let left = asked.plus(wakes.plus(sleeps).plus(asked).times(others));
        let section = asked.plus(left);
        let [passage, first] = match epoch {
            None => [Demand::NONE; 2],
            Some(Epoch { passage, own }) => [passage, passage.plus(own).plus(section)],
        };
        let round = first.plus(passage).plus(take).plus(sleeps).plus(asked).plus(section);
        let woken = asked.plus(wakes).plus(round);
        Self { own: [take, release], first, section, round, woken, others }
    }

    /// Returns the cost of one of them, behind the gate.
    pub(crate) fn call(&self, call: LockCall) -> Demand {
        let [take, release] = self.own;
        match call {
            LockCall::Take => self.first.plus(take).plus(self.section),
            // Who releases pays for what all that it wakes do until they sleep again. So nobody has
            // to count how often it is woken.
            LockCall::Release => release.plus(self.section).plus(self.woken.times(self.others)),
        }
    }
}
