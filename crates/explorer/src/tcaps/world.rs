//! A system's state with its ledger: one step, checked.

use fusee_kernel::Time;
use fusee_kernel::tcaps::{Error, Store, Tables};

use super::rule::ensure;
use super::view::View;
use super::{Ledger, Rule, Step, check, control, legal, moves};

/// A state, an instant, and what the history has come to.
#[derive(Debug, Clone)]
pub struct World {
    /// The kernel's state.
    pub store: Store,
    /// The instant of the state.
    pub now: Time,
    /// The ledger beside the dispatcher's state.
    pub ledger: Ledger,
}

/// The first token, close to the end so that tokens soon wrap around.
const FIRST_TOKEN: u32 = u32::MAX - 1;

impl World {
    /// Returns the start of a system whose tables are right; tokens are about to wrap around.
    pub fn start(tables: &Tables<'_>) -> Self {
        let mut store = Store::start(tables).expect("the tables of a system are right");
        for scheduler in &mut store.schedulers {
            scheduler.token = FIRST_TOKEN;
        }
        let ledger = Ledger::start(&View::of(tables, &store, 0));
        World { store, now: 0, ledger }
    }

    /// When the timer must come, by the kernel.
    pub fn timer(&mut self, tables: &Tables<'_>) -> Time {
        self.store.dispatcher(tables).next_timer()
    }

    /// Takes and checks a step; why it was refused, if it was. A timer may come so much too late.
    ///
    /// # Errors
    /// A rule does not hold.
    pub fn take(
        &mut self,
        tables: &Tables<'_>,
        step: Step,
        late: Time,
    ) -> Result<Option<Error>, super::Breach> {
        let (old, then) = (self.store.clone(), self.now);
        let taken = step.take(tables, &mut self.store, &mut self.now);
        let timer = self.timer(tables);
        let before = View::of(tables, &old, then);
        let legal = legal::check(step, taken.err(), &self.ledger, &before);
        let found = match taken {
            Err(error) => {
                ensure(Rule::Atomic, self.store == old, || {
                    format!("{step} is refused, yet the state changed")
                })?;
                return legal.map(|()| Some(error));
            }
            Ok(found) => found,
        };
        let after = View::of(tables, &self.store, self.now);
        moves::check(step, &before, &after)?;
        control::check(step, &self.ledger, (&before, &after))?;
        self.ledger.follow(step, found, (&before, &after))?;
        check::check(&after, &self.ledger, timer, late)?;
        let handled = step != Step::Timer || timer > self.now;
        ensure(Rule::Timer, handled, || format!("the timer is due at {timer} still"))?;
        moves::merges(step, &before, &after)?;
        // What a wrong call breaks tells more than that it is wrong.
        legal.map(|()| None)
    }
}
