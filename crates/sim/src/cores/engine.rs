//! The loop that lets code execute on all cores between kernel entries.

use fusee_kernel::cores::{CoreOutcome, Executes, Host, OneCore, StartError};
use fusee_kernel::{Delivery, Error, Event, GlobalIndex, Kind, Record, Sink, ThreadIndex};

use super::{Completion, Schedule, Span, Who};

/// What a thread wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// To execute for so long.
    Execute(u64),
    /// To enter the kernel.
    Enter(Event),
}

/// What threads do between kernel entries. A section's code is its owner's, whoever executes it.
pub trait Code {
    /// What a thread wants next.
    fn wants(&mut self, who: Who) -> Want;

    /// It has executed for so long.
    fn executed(&mut self, who: Who, time: u64);

    /// The kernel has taken its event, or refused it and changed nothing.
    fn entered(&mut self, who: Who, event: Event, answer: Result<(), Error>);

    /// It comes to run and finds this.
    fn finds(&mut self, who: Who, delivery: Delivery);
}

/// Why there is no run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoresError {
    /// The tables of a core are wrong.
    #[error("the tables of core {core} are wrong: {error:?}")]
    Tables {
        /// Which.
        core: usize,
        /// Why.
        error: StartError,
    },
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// To its end.
    End,
    /// So many kernel entries, at this instant.
    Events(u64),
}

/// Jobs that end, as the kernel records them.
#[derive(Debug, Default)]
struct Ends(Vec<(u64, ThreadIndex, u64)>);

impl Sink for &mut Ends {
    fn record(&mut self, record: Record) {
        if record.kind == Kind::Complete {
            self.0.push((record.time, record.thread, record.value));
        }
    }
}

struct Run<'r, 't, C> {
    tables: &'r [OneCore<'t>],
    host: Host,
    outcomes: Vec<CoreOutcome>,
    code: &'r mut C,
    now: u64,
    events: u64,
    schedule: Schedule,
}

/// Runs the cores from time 0 to `end`, or up to so many kernel entries.
///
/// # Errors
/// [`CoresError`].
pub fn run<C: Code>(
    tables: &[OneCore<'_>],
    code: &mut C,
    (end, most_events): (u64, u64),
) -> Result<(Schedule, Reached), CoresError> {
    let host = Host::start(tables).map_err(|(core, error)| CoresError::Tables { core, error })?;
    let (schedule, outcomes) = (Schedule::default(), Vec::new());
    let mut run = Run { tables, host, outcomes, code, now: 0, events: 0, schedule };
    for core in 0..tables.len() {
        let outcome = run.host.outcome(tables, core);
        run.outcomes.push(outcome);
    }
    while run.now < end {
        while run.step() {
            if run.events > most_events {
                return Ok((run.schedule, Reached::Events(run.now)));
            }
        }
        run.pass(end);
    }
    Ok((run.schedule, Reached::End))
}

impl<C: Code> Run<'_, '_, C> {
    /// Something happens at this instant, if there is anything left.
    fn step(&mut self) -> bool {
        let cores = 0..self.tables.len();
        if let Some((core, global)) = cores.clone().find_map(|core| Some((core, self.told(core)?)))
        {
            self.host.look(self.tables, core, global);
            self.finish(core);
            return true;
        }
        for core in cores.clone() {
            if let Some(who) = self.executes(core)
                && let Want::Enter(event) = self.code.wants(who)
            {
                let answer = self.take(core, event);
                self.code.entered(who, event, answer);
                return true;
            }
        }
        match cores.into_iter().find(|&core| self.outcomes[core].timer <= self.now) {
            Some(core) => {
                // A timer is never refused.
                let _ = self.take(core, Event::Timer);
                true
            }
            None => false,
        }
    }

    /// The first gate at which a core has been told to look.
    fn told(&self, core: usize) -> Option<GlobalIndex> {
        let pending = self.host.cores[core].pending.0;
        (pending != 0).then_some(GlobalIndex(pending.trailing_zeros() as u16))
    }

    /// Whose code a core executes.
    fn executes(&self, core: usize) -> Option<Who> {
        let outcome = &self.outcomes[core];
        match outcome.executes {
            Executes::Nothing => None,
            Executes::Thread => Some(Who { core, thread: outcome.thread }),
            Executes::Activation(global) => {
                let owner = self.host.gates[global.at()].gate.owner;
                let seat = self.tables[core].1.globals[global.at()].seats[owner.at()];
                Some(Who { core: usize::from(seat.core), thread: seat.thread })
            }
        }
    }

    fn take(&mut self, core: usize, event: Event) -> Result<(), Error> {
        let mut ends = Ends::default();
        let answer = self.host.handle(self.tables, core, (self.now, event), &mut ends);
        for (time, thread, response) in ends.0 {
            let who = Who { core, thread };
            self.schedule.completions.push(Completion { time, who, response });
        }
        self.finish(core);
        answer
    }

    /// A core's path comes to its end, and what it has to tell is told.
    fn finish(&mut self, core: usize) {
        self.events += 1;
        while self.host.is_busy(core) {
            if self.host.cores[core].outbox.is_empty() {
                self.host.section(self.tables, core, self.now, ());
            } else {
                self.host.send(core);
                self.schedule.looks += 1;
            }
        }
        self.outcomes[core] = self.host.outcome(self.tables, core);
        if let Some(who) = self.executes(core) {
            self.code.finds(who, self.outcomes[core].delivery);
        }
    }

    /// Time passes, up to the next instant at which something happens.
    fn pass(&mut self, end: u64) {
        let mut next = end;
        for core in 0..self.tables.len() {
            next = next.min(self.outcomes[core].timer);
            if let Some(who) = self.executes(core)
                && let Want::Execute(time) = self.code.wants(who)
            {
                next = next.min(self.now.saturating_add(time));
            }
        }
        for core in 0..self.tables.len() {
            let (charged, executes) = (self.outcomes[core].thread, self.executes(core));
            if let Some(who) = executes {
                self.code.executed(who, next - self.now);
            }
            if charged.is_some() {
                let (from, until) = (self.now, next);
                self.schedule.add(Span { core, from, until, charged, executes });
            }
        }
        self.now = next;
    }
}
