//! The costs of schedulers' decisions.
//!
//! A scheduler is code, and what it takes to decide it takes from the core. Of those that come with
//! Fusee it is known what makes them decide:
//!
//! - One that chooses decides when whom it dispatched waits, when a release is due for which it
//!   wants control back, and once more for either if something came in meanwhile, since then its
//!   dispatch is refused: three times for each job of its threads. It hears of each job twice.
//!   Where no clock says when a thread is released, it looks; in turns, each turn is decided.
//! - A table decides when a slot begins, and while somebody runs in it not again. Whoever has
//!   another slot tells it at most twice in its period: it becomes ready at most once until it runs
//!   again, and waits only where it runs.
//! - A server decides as one that chooses, and besides when all is filled up, and when it is used
//!   up. What threads have together it gives until a time; if others, or the kernel, take the core
//!   meanwhile, something is left then, and it decides once more for each time that this happens.
//! - To those outside of a tree all of that counts, whoever has which slot: a table decides in
//!   a slot as often as one that chooses does, and so does one above that table.
//!
//! Where threads may be in sections that others find free, what comes meanwhile is taken up at
//! their end: that is a path more before a decision, and the end of the section is one.
//!
//! What was under way, or had come in and was not heard of, when a window begins is in it once: one
//! event of each thread, and decisions of all schedulers concerned. In a window that has slots they
//! begin anew in each.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::costs::{SchedulerCosts, Slope};
use fusee_model::{Algorithm, InterfaceKind, LEAST_GIVEN, Scheduler, System, TaskId};

use crate::amount::Amount;
use crate::context::Context;
use crate::obstacle::Obstacle;
use crate::own_time::OwnTime;
use crate::servers::Server;
use crate::split::Split;
use crate::trees;

/// After which time a scheduler looks, if a description does not say otherwise, in nanoseconds.
const LOOK: u64 = 1_000_000;

/// The length of a turn, if a description does not say otherwise, in nanoseconds.
const TURN: u64 = 1_000_000;

/// An event that comes once in a window.
const ONCE: Arrivals = Arrivals { period: u64::MAX, jitter: 0 };

/// Returns the arrivals of an event that comes once in each of these times, anywhere in it.
fn steadily(period: u64) -> Arrivals {
    Arrivals { period, jitter: period }
}

/// The time that schedulers take of a window.
pub(crate) struct Scheduling {
    /// The events that make them decide, with the time of a decision.
    pub(crate) decisions: Vec<(Arrivals, u64)>,
    /// The time that they take each time that the window has the core again.
    pub(crate) each: Amount,
}

impl Scheduling {
    /// Returns the time of the schedulers that concern a window of a level.
    ///
    /// # Errors
    /// Nobody knows what one of them takes.
    pub(crate) fn of(context: &Context<'_>, split: &Split) -> Result<Self, Obstacle> {
        let mut all = Sum {
            decisions: Vec::new(),
            once: Amount::ZERO,
            each: Amount::ZERO,
            late: Amount::ZERO,
        };
        // Without schedulers, and where their decisions cost nothing, none of this takes time.
        let Some(costs) = context.kernel.schedulers else { return all.done() };
        let system = context.system;
        let own = split.dispatched.and_then(|task| trees::root(system, task));
        all.late = context.kernel.longest_path.times(2);
        for root in system.root_schedulers() {
            let here = system.task(root.task).core == split.core;
            let above = i16::from(system.level(root.task)) >= split.level;
            // In windows of its own tree a thread meets the schedulers above it. Of any other tree
            // all decisions count, as long as the tree is not below the level.
            match split.dispatched {
                Some(task) if own == Some(root) => all.inside(&costs, context, task)?,
                _ if here && above => all.outside(&costs, context, root)?,
                _ => {}
            }
        }
        // Windows of a thread that waits in the middle of a job begin several times.
        if split.suspended.is_some() {
            all.each = all.each.plus(std::mem::replace(&mut all.once, Amount::ZERO));
        }
        all.done()
    }
}

/// The same while it is added up.
struct Sum {
    decisions: Vec<(Arrivals, Amount)>,
    /// The decisions that are under way when a window begins.
    once: Amount,
    each: Amount,
    /// The time that an event takes besides, which comes while its scheduler must wait.
    late: Amount,
}

impl Sum {
    /// Returns the time of a decision of a table, or of one that chooses: where threads of its tree
    /// can be in sections that others find free, one path that finds this, and the one on which the
    /// section ends, come before each.
    fn after(&self, context: &Context<'_>, own: &Scheduler, decision: Amount) -> Amount {
        match trees::holding_up(context, own.task).next() {
            None => decision,
            Some(_) => decision.plus(self.late),
        }
    }

    fn done(mut self) -> Result<Scheduling, Obstacle> {
        self.decisions.push((ONCE, self.once));
        let known =
            |(arrivals, cost): (Arrivals, Amount)| Ok((arrivals, cost.0.ok_or(Obstacle::NoEnd)?));
        let mut decisions: Vec<_> =
            self.decisions.into_iter().map(known).collect::<Result<_, _>>()?;
        decisions.retain(|&(_, cost)| cost > 0);
        Ok(Scheduling { decisions, each: self.each })
    }

    /// Returns the times of one that chooses.
    fn chooser(&self, costs: &SchedulerCosts, context: &Context<'_>, own: &Scheduler) -> Chooser {
        let chooser = Chooser::of(costs, own);
        Chooser { choose: self.after(context, own, chooser.choose), ..chooser }
    }

    /// Those above a thread in its own windows.
    fn inside(
        &mut self,
        costs: &SchedulerCosts,
        context: &Context<'_>,
        task: TaskId,
    ) -> Result<(), Obstacle> {
        let mut below = task;
        for scheduler in context.system.schedulers_above(task) {
            match scheduler.algorithm {
                Algorithm::Partitions => {
                    let decision = self.after(context, scheduler, Amount::of(costs.slot));
                    self.in_slots((decision, Amount::of(costs.note)), scheduler, below);
                }
                _ => {
                    let chooser = self.chooser(costs, context, scheduler);
                    self.choices(context, scheduler, chooser)?;
                    // Whenever the window has the core again, it must first be decided who goes on.
                    self.each = self.each.plus(chooser.choose);
                }
            }
            below = scheduler.task;
        }
        Ok(())
    }

    /// Adds the decisions of a table above the owner of one of its slots, in windows of that one.
    fn in_slots(&mut self, (decision, note): (Amount, Amount), table: &Scheduler, slot: TaskId) {
        let rounds = steadily(trees::period(table));
        // The slot's own thread is silent while it runs. Any other one has two events in a period
        // at most: it becomes ready once until it runs again, and waits once.
        let others = table.threads.iter().filter(|other| other.value != slot);
        self.decisions.extend(others.map(|_| (rounds, note.times(2))));
        self.each = self.each.plus(decision);
        self.once = self.once.plus(decision).plus(note.times(2 * table.threads.len() as u64));
    }

    /// All schedulers of a tree, in windows outside of it.
    fn outside(
        &mut self,
        costs: &SchedulerCosts,
        context: &Context<'_>,
        root: &Scheduler,
    ) -> Result<(), Obstacle> {
        let system = context.system;
        let all = system.schedulers.iter();
        for scheduler in all.filter(|one| trees::root(system, one.task) == Some(root)) {
            if trees::is_unknown(system, scheduler) {
                return unmeasured(scheduler);
            }
            match scheduler.algorithm {
                Algorithm::Partitions => self.slots(costs, context, scheduler)?,
                _ => {
                    let chooser = self.chooser(costs, context, scheduler);
                    self.choices(context, scheduler, chooser)?;
                }
            }
        }
        Ok(())
    }

    /// A table with all of its slots.
    fn slots(
        &mut self,
        costs: &SchedulerCosts,
        context: &Context<'_>,
        table: &Scheduler,
    ) -> Result<(), Obstacle> {
        let system = context.system;
        let decision = self.after(context, table, Amount::of(costs.slot));
        let note = Amount::of(costs.note);
        let job = decision.times(3).plus(note.times(2));
        for thread in table.threads.iter().map(|thread| thread.value) {
            // A slot begins with the decision of the table, and then one of the scheduler in it.
            let begins = match system.scheduler(thread) {
                None => Amount::ZERO,
                Some(guest) if guest.algorithm == Algorithm::Partitions => decision,
                Some(guest) => self.chooser(costs, context, guest).choose,
            };
            let slots = table.delegates.iter().filter(|gift| gift.to == thread).count() as u64;
            let each = decision.plus(begins).times(slots);
            self.decisions.push((steadily(trees::period(table)), each));
            for job_of in workers(system, thread) {
                steady(context, table, job_of)?;
                self.decisions.push((context.arrivals(job_of), job));
                self.once = self.once.plus(job);
            }
        }
        self.once = self.once.plus(decision);
        Ok(())
    }

    /// One that chooses among its threads.
    fn choices(
        &mut self,
        context: &Context<'_>,
        scheduler: &Scheduler,
        chooser: Chooser,
    ) -> Result<(), Obstacle> {
        let Chooser { choose, hear, .. } = chooser;
        // One decision for the release and one for the end, and one more where an event has come in
        // between, because then the dispatch is refused.
        let job = choose.times(3).plus(hear.times(2));
        // Releases by a clock are known before. For all others the scheduler has to look now and
        // then.
        let mut looks = None;
        for thread in scheduler.threads.iter().map(|thread| thread.value) {
            steady(context, scheduler, thread)?;
            self.decisions.push((context.arrivals(thread), job));
            if !is_clocked(context, thread) {
                looks = Some(look(context.system, scheduler));
            }
        }
        if scheduler.algorithm == Algorithm::RoundRobin {
            looks = Some(turn(context.system, scheduler));
        }
        // Looks may begin anywhere in a period, and a time of 0 would mean without end.
        let looks = looks.map(|every| (steadily(every.max(1)), choose));
        self.decisions.extend(looks);
        let pending = hear.times(scheduler.threads.len() as u64);
        // One decision is in progress, and the thread that it had dispatched may wait just then.
        self.once = self.once.plus(pending).plus(choose.times(2));
        self.refills(context, scheduler, chooser)
    }

    /// Adds the further decisions of a server.
    fn refills(
        &mut self,
        context: &Context<'_>,
        scheduler: &Scheduler,
        Chooser { choose, hear, fill }: Chooser,
    ) -> Result<(), Obstacle> {
        let system = context.system;
        if let Some(Server { every, .. }) = Server::of(system, scheduler) {
            // It would decide again and again, while there is too little left for that.
            if choose.0.is_none_or(|choose| choose > LEAST_GIVEN.ns()) {
                return unmeasured(scheduler);
            }
            // All is filled up, and is used up.
            self.decisions.push((steadily(every), choose.times(2)));
            let here = context.interrupts.iter().filter(|other| other.core == context.core);
            let again = here.map(|other| (other.arrivals, choose.times(other.times)));
            self.decisions.extend(again);
        }
        let threads = scheduler.threads.iter();
        // All are filled up by one decision in each period. In between each of them may end once,
        // and its scheduler hears of that and decides.
        let own: Vec<_> = threads.filter_map(|thread| OwnTime::of(system, thread.value)).collect();
        if let Some(first) = own.first() {
            let ends = choose.plus(hear).times(own.len() as u64);
            self.decisions.push((steadily(first.every), choose.plus(fill).plus(ends)));
        }
        Ok(())
    }
}

/// Returns the threads below another one that are no schedulers; itself, if it is none.
fn workers(system: &System, thread: TaskId) -> Vec<TaskId> {
    match system.scheduler(thread) {
        None => vec![thread],
        Some(own) => own.threads.iter().flat_map(|own| workers(system, own.value)).collect(),
    }
}

/// The times of a scheduler that chooses, with as many threads as it has.
#[derive(Clone, Copy)]
struct Chooser {
    choose: Amount,
    hear: Amount,
    /// Added where it gives its threads their own time again.
    fill: Amount,
}

impl Chooser {
    fn of(costs: &SchedulerCosts, scheduler: &Scheduler) -> Self {
        let of = |slope: Slope| Amount(slope.of(scheduler.threads.len()).map(|cost| cost.ns()));
        let choose = match scheduler.algorithm {
            Algorithm::DeferrableServer | Algorithm::PriorityServers => costs.serve,
            _ => costs.choose,
        };
        Self { choose: of(choose), hear: of(costs.hear), fill: of(costs.fill) }
    }
}

/// Returns the time of a decision of a scheduler that chooses, in nanoseconds; none: too much for
/// the clock.
pub(crate) fn deciding(costs: &SchedulerCosts, scheduler: &Scheduler) -> Option<u64> {
    Chooser::of(costs, scheduler).choose.0
}

/// After which time a scheduler looks, in nanoseconds.
pub(crate) fn look(system: &System, scheduler: &Scheduler) -> u64 {
    system.scheduling_time(scheduler, "look").map_or(LOOK, |look| look.ns())
}

/// Returns the length of a turn, in nanoseconds.
fn turn(system: &System, scheduler: &Scheduler) -> u64 {
    system.scheduling_time(scheduler, "quantum").map_or(TURN, |quantum| quantum.ns())
}

/// Returns `true` if a thread has a period, so that its scheduler knows when it is released.
fn is_clocked(context: &Context<'_>, thread: TaskId) -> bool {
    let release = context.system.task(thread).release.as_ref();
    release.is_some_and(|release| release.kind == fusee_model::ReleaseKind::Periodic)
}

/// Returns the obstacle of a scheduler whose decisions have not been measured.
fn unmeasured(scheduler: &Scheduler) -> Result<(), Obstacle> {
    Err(Obstacle::SchedulerCosts { task: scheduler.task })
}

/// Checks that a thread waits at the ends of its jobs only: its scheduler hears of each other wait,
/// too.
fn steady(context: &Context<'_>, own: &Scheduler, thread: TaskId) -> Result<(), Obstacle> {
    let waits = match &context.demands.tasks[thread.index()] {
        Ok(demand) => demand.waits.is_some(),
        // A thread whose code is not described cannot wait where there is nothing to wait for.
        Err(_) => {
            let component = context.system.component(context.system.task(thread).component);
            let leads = |kind: &InterfaceKind| {
                matches!(kind, InterfaceKind::Uses(_) | InterfaceKind::Consumes(_))
            };
            component.interfaces.iter().any(|interface| leads(&interface.kind))
        }
    };
    if waits { unmeasured(own) } else { Ok(()) }
}
