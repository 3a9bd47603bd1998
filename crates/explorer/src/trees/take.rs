//! One step of a history, checked.

use fusee_kernel::tcaps::TreeKernel;
use fusee_kernel::{Event, Flow, Time};

use super::rule::ensure;
use super::taken::Taken;
use super::world::Both;
use super::{Breach, Checked, Rule, Step, System, TreePolicy, World};
use super::{calls, check, mutexes, order, sleepers};

impl<P: TreePolicy> World<P> {
    /// Takes and checks a step; whether it was refused, or is none in this state.
    ///
    /// # Errors
    /// A rule does not hold.
    pub fn take(&mut self, system: &System, step: Step) -> Result<bool, Breach> {
        let mut before = self.clone();
        let seen = self.seen(system);
        if step == Step::Tick {
            self.ledger.tick(system, &seen);
            self.now += 1;
            check::timer(system, self)?;
            return Ok(false);
        }
        if mutexes::is_done_without_kernel(self, system, step) {
            mutexes::follow(system, (&before, &seen), self, step)?;
            return Ok(false);
        }
        let taken = self.make(system, step);
        calls::check(system, (&mut before, &seen), step, taken)?;
        if matches!(taken, Taken::Refused | Taken::Denied(_)) {
            self.is_unchanged(system, &before, (step, taken))?;
            return Ok(true);
        }
        self.ledger.follow(system, &seen, &self.seen(system));
        mutexes::follow(system, (&before, &seen), self, step)?;
        sleepers::follow(system, (&before, &seen), self, step)?;
        match (step, taken) {
            (Step::Decide(decision), _) => self.ledger.decide(system, self.now, &decision),
            (Step::Receive(_), Taken::Received(waited)) => {
                let scheduler = seen.runs.and_then(|runs| system.is_scheduler(runs));
                if let Some(scheduler) = scheduler {
                    self.ledger.hear(system, scheduler, (waited, &seen))?;
                }
            }
            _ => {}
        }
        let over = order::turn_over(system, (&before, &seen), step);
        if let Some(turn) = over {
            self.ledger.slices[turn] = system.tables.time_slice;
        }
        let after = self.seen(system);
        order::check((&before, &seen), (self, &after), over)?;
        // What has been used is charged with the next event, and told then.
        check::timer(system, self)?;
        let mut told = self.clone();
        if step.may_be_at_once() {
            told.reconcile(system);
            check::nothing_to_tell(system, self, &told)?;
        }
        check::check(system, &mut told)?;
        check::rings(system, &before, (self, &after))?;
        check::stopped(system, &seen, (self, &after))?;
        check::heirs(&seen, self, &after)?;
        check::ceilings(system, &seen, (self, &after))?;
        check::sections(system, &seen, (self, &after), step)?;
        if step == Step::Event(Event::Timer) {
            let due = self.timer(system) <= self.now;
            ensure(Rule::Timer, !due || !self.is_as(&before), || {
                "the timer is due, and nothing comes of it".to_owned()
            })?;
        }
        Ok(false)
    }

    /// A refused call changes nothing but that the time of the caller is charged.
    fn is_unchanged(
        &self,
        system: &System,
        before: &Self,
        (step, taken): (Step, Taken),
    ) -> Checked {
        let mut both = [self.clone(), before.clone()];
        if matches!(taken, Taken::Denied(_)) {
            both.iter_mut().for_each(|world| world.reconcile(system));
        }
        ensure(Rule::Atomic, both[0].is_as(&both[1]), || {
            format!("{step} is refused, yet the state changed")
        })
    }

    fn make(&mut self, system: &System, step: Step) -> Taken {
        let now = self.now;
        self.with(system, |(kernel, trees)| {
            let taken = make((kernel, trees), now, step);
            // Who runs is told what it finds.
            let _ = kernel.outcome();
            taken
        })
    }
}

fn make<P: TreePolicy>((kernel, trees): Both<'_, '_, '_, P>, now: Time, step: Step) -> Taken {
    match step {
        Step::Tick => Taken::Done,
        Step::Event(event) => match Flow::over(kernel, trees).take(now, event) {
            Ok(_) => Taken::Done,
            Err(_) => Taken::Refused,
        },
        Step::LongWay(event) => {
            let mut flow = Flow::over(kernel, trees);
            match flow.change(now, event) {
                Ok(changed) => {
                    let _ = flow.reschedule(now, changed);
                    Taken::Done
                }
                Err(_) => Taken::Refused,
            }
        }
        Step::Receive(alarm) => match TreeKernel::over(kernel, trees).wait(now, alarm) {
            Ok(waited) => Taken::Received(waited),
            Err(error) => Taken::Denied(error),
        },
        Step::Decide(decision) => match TreeKernel::over(kernel, trees).decide(now, &decision) {
            Ok(()) => Taken::Done,
            Err(error) => Taken::Denied(error),
        },
    }
}
