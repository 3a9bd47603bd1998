//! The order in which threads have asked, and the end of each section.
//!
//! Kept beside each history, from its events alone.

use fusee_kernel::cores::OneCore;
use fusee_kernel::cores::{Answer, CoreOutcome, Due, Executes, GlobalProtocol, Host, HostCore};
use fusee_kernel::{Delivery, Event, GateKind, GlobalIndex, ResumeReason, ThreadIndex, Time};

use super::asked::asked;
use super::jobs::Jobs;
use super::kept::{Kept, may_fail};
use super::mail;
use super::mutexes;
use super::posts::Posts;
use super::rule::ensure;
use super::sleepers::Sleepers;
use super::{Checked, Rule, Step};

/// The state of requests and sections, as the events of a history tell it.
#[derive(Debug, Clone)]
pub struct Diary {
    /// For each gate, the seats of waiting threads and the owner, the owner first.
    pub queues: Vec<Vec<usize>>,
    /// For each gate and seat: its section has ended, and whether it has failed.
    ended: Vec<Vec<Option<bool>>>,
    /// For each gate: whether the first's section is still to enter where it is.
    enters: Vec<bool>,
    /// For each gate: what the first's section called has ended, and whether it has failed.
    below: Vec<Option<bool>>,
    /// For each core: whether the section that it executes runs when the path is over.
    pub goes_on: Vec<bool>,
    /// For each core and thread: it is to find that its section has ended, and whether it has
    /// failed.
    owed: Vec<Vec<Option<bool>>>,
    /// For each mailbox, what was signalled and not taken: bits, or how many.
    pub mail: Vec<u32>,
    /// The threads' debts for their signals.
    pub(super) posts: Posts,
    /// The urgencies of jobs, and the threads that they have waited for.
    pub(super) jobs: Jobs,
    /// The threads that sleep on another's account.
    pub(super) sleepers: Sleepers,
    /// For each restart of a component that several cores enter, what has been put back.
    pub restarts: Vec<Kept>,
}

impl Diary {
    /// Before the start.
    pub fn start(tables: &[OneCore<'_>]) -> Diary {
        let globals = tables.first().map_or(&[][..], |(_, shared)| shared.globals);
        Diary {
            queues: vec![Vec::new(); globals.len()],
            ended: globals.iter().map(|config| vec![None; config.seats.len()]).collect(),
            enters: vec![true; globals.len()],
            below: vec![None; globals.len()],
            goes_on: vec![false; tables.len()],
            mail: vec![0; tables.first().map_or(0, |(_, shared)| shared.mailboxes.len())],
            posts: Posts::start(tables),
            jobs: Jobs::start(tables),
            sleepers: Sleepers::start(tables),
            restarts: Kept::start(tables),
            owed: tables.iter().map(|(one, _)| vec![None; one.threads.len()]).collect(),
        }
    }

    /// Notes a step that was taken.
    ///
    /// # Errors
    /// A thread comes back whose section has not ended.
    pub fn follow(
        &mut self,
        tables: &[OneCore<'_>],
        (step, now): (Step, Time),
        (before, after): (&Host, &Host),
    ) -> Checked {
        let Some(core) = step.core() else {
            self.posts.tick(tables);
            return Ok(());
        };
        self.posts.follow(step, &tables[core], (before, after));
        self.sleepers.follow(step, &tables[core], (before, after))?;
        if let Step::Event(_, Event::Release(thread, nominal)) = step {
            self.jobs.arrive(&tables[core], thread.at(), nominal);
        }
        self.ends(step, &tables[core], before);
        if let Step::Section(_) = step
            && after.cores[core].read.is_none()
        {
            self.section(tables, core, before)?;
            self.at_mailbox(&tables[core], now, (&before.cores[core], &after.cores[core]))?;
        }
        // Only now: a step that ends a section may begin the next one.
        Kept::follow(&mut self.restarts, (before, after), &tables[core]);
        self.jobs.follow(&tables[core], &after.cores[core], now)?;
        for thread in 0..self.owed[core].len() {
            let own = |host: &Host| asked(&tables[core], &host.cores[core].store, thread);
            let (Some(global), None) = (own(before), own(after)) else { continue };
            let seat = tables[core].1.seat(global, ThreadIndex(thread as u16));
            let ended = self.ended[global.at()][seat.at()].take();
            ensure(Rule::Once, ended.is_some(), || {
                format!(
                    "T{thread} of core {core} comes back, its section at g{} has not ended",
                    global.0
                )
            })?;
            let is_mutex = mutexes::is_mutex(&tables[core], global);
            // A failure ends what it was in when it locked the mutex, which may be a job.
            let jobs = is_mutex && before.cores[core].store.depth(thread) == 1;
            let due = match (is_mutex, ended == Some(true)) {
                (true, false) => Some(ResumeReason::Nothing),
                (true, true) if jobs => None,
                (_, true) => Some(ResumeReason::Failed),
                (false, false) => Some(ResumeReason::Return),
            };
            self.owed[core][thread] = ended.filter(|&failed| !is_mutex || failed && !jobs);
            let reason = after.cores[core].store.reason(thread);
            let right = due.is_none_or(|due| reason == due);
            ensure(Rule::Once, right, || {
                format!("T{thread} of core {core} is to find {reason:?}")
            })?;
        }
        self.answers(after)
    }

    /// A fault in a component that several cores enter, or the end of a frame there, is told to the
    /// cores that have entered.
    fn ends(&mut self, step: Step, tables: &OneCore<'_>, host: &Host) {
        let core = usize::from(tables.1.core);
        let before = &host.cores[core];
        let Some(thread) = before.store.running() else { return };
        // Who holds a mutex learns of it when that is passed on.
        let holds = mutexes::held(tables, host, thread).is_some();
        if before.home.inside.global.is_some() || holds {
            return;
        }
        let ends = match step {
            Step::Event(_, event) => event == Event::Abort,
            Step::Section(_) => matches!(before.home.due, Due::RestartFault(_)),
            _ => false,
        };
        if ends && before.store.depth(thread) > 0 {
            self.owed[core][thread] = Some(true);
        }
    }

    /// A step at a mailbox, unless a defect has done half of it.
    fn at_mailbox(
        &mut self,
        tables: &OneCore<'_>,
        now: Time,
        (before, after): (&HostCore, &HostCore),
    ) -> Checked {
        let due = before.home.due;
        let (Due::Post(mailbox, _) | Due::Collect(mailbox)) = due else { return Ok(()) };
        if after.home.due == due {
            return Ok(());
        }
        let Some(&config) = tables.1.mailboxes.get(mailbox.at()) else { return Ok(()) };
        let signals = self.mail[mailbox.at()];
        self.mail[mailbox.at()] = mail::follow(&config, due, signals);
        let releases = tables.0.notifications[config.notification.at()].releases;
        if matches!(due, Due::Collect(_)) && signals > 0 && releases.is_some() {
            self.jobs.arrive(tables, releases.at(), now);
        }
        match due {
            Due::Collect(_) => mail::collected(tables, (config, signals), (before, after)),
            _ => Ok(()),
        }
    }

    /// The answers that gates keep for cores which have not yet taken note say how the sections
    /// ended.
    fn answers(&self, host: &Host) -> Checked {
        for (global, (gate, ended)) in host.gates.iter().zip(&self.ended).enumerate() {
            for (seat, (request, &failed)) in gate.requests.iter().zip(ended).enumerate() {
                let kept = match request.answer {
                    Answer::None => None,
                    Answer::Returned => Some(false),
                    Answer::Failed(_) => Some(true),
                };
                ensure(Rule::Once, kept == failed, || {
                    format!("g{global} keeps {:?} for seat {seat}", request.answer)
                })?;
            }
        }
        Ok(())
    }

    fn section(&mut self, tables: &[OneCore<'_>], core: usize, before: &Host) -> Checked {
        let (own, shared) = (&before.cores[core], &tables[core].1);
        match own.home.due {
            Due::Ask(global, _) => {
                let seat = shared.seat(global, own.store.current()).at();
                let config = &shared.globals[global.at()];
                let queue = &mut self.queues[global.at()];
                let rank = |seat: usize| config.seats[seat].rank;
                let behind = |other: &&usize| rank(**other) < rank(seat);
                let place = match config.protocol {
                    GlobalProtocol::Mpcp => {
                        let lower = queue.iter().skip(1).filter(behind).count();
                        queue.len() - lower
                    }
                    GlobalProtocol::Msrp | GlobalProtocol::Mrsp => queue.len(),
                };
                queue.insert(place, seat);
            }
            Due::Pass(global, _) => self.enters[global.at()] = true,
            Due::Leave(global, failure) => {
                if failure.is_some() && !mutexes::is_mutex(&tables[core], global) {
                    may_fail(&self.restarts, &tables[core], (before, global))?;
                }
                let ends = before.gates[global.at()].gate.depth == 0;
                let queue = &mut self.queues[global.at()];
                if ends && !queue.is_empty() {
                    let owner = queue.remove(0);
                    self.ended[global.at()][owner] = Some(failure.is_some());
                }
                self.enters[global.at()] = ends;
                self.below[global.at()] = (!ends).then_some(failure.is_some());
            }
            _ => {}
        }
        Ok(())
    }

    /// Notes that a thread begins in a component that several cores enter, at the end of a path.
    pub fn begin(&mut self, (one, shared): &OneCore<'_>, own: &HostCore, outcome: &CoreOutcome) {
        let begins = matches!(outcome.delivery, Delivery::Enter(_) | Delivery::Start);
        if outcome.executes == Executes::Nothing || !begins {
            return;
        }
        let (thread, section) = (outcome.thread.at(), outcome.executes != Executes::Thread);
        let component = match section {
            true => own.home.inside.component.at(),
            false => own.store.component_of(one, thread),
        };
        let of_it = shared.restarts.iter().position(|config| config.component.at() == component);
        let Some(kept) = of_it.map(|number| &mut self.restarts[number]) else { return };
        if let Delivery::Enter(gate) = outcome.delivery
            && one.gates[gate.at()].kind == GateKind::Mutex
        {
            kept.go_on(shared.core.into(), thread, own.store.depth(thread));
        } else if section {
            kept.begin_section(&own.home.inside);
        } else {
            kept.begin(shared.core.into(), thread, own.store.depth(thread));
        }
    }

    /// Compares the end of a core's path with the history.
    ///
    /// # Errors
    /// A section begins twice or in the middle; or somebody finds that it has ended, or how,
    /// wrongly.
    pub fn compare(&mut self, core: usize, outcome: &CoreOutcome) -> Checked {
        match outcome.executes {
            Executes::Nothing => Ok(()),
            Executes::Activation(global) => self.section_goes_on(core, global, outcome),
            Executes::Thread => {
                let thread = outcome.thread.at();
                let found = match outcome.delivery {
                    Delivery::Return => Some(false),
                    Delivery::Failed(_) => Some(true),
                    _ => None,
                };
                match self.owed[core][thread].take() {
                    None => ensure(Rule::Once, found != Some(true), || {
                        format!("T{thread} of core {core} finds a failure, nothing has failed")
                    }),
                    owed => ensure(Rule::Once, owed == found, || {
                        format!("T{thread} of core {core} finds {:?}", outcome.delivery)
                    }),
                }
            }
        }
    }

    fn section_goes_on(
        &mut self,
        core: usize,
        global: GlobalIndex,
        outcome: &CoreOutcome,
    ) -> Checked {
        // Where its component is gone or to be put back, it enters later or never.
        self.goes_on[core] = !matches!(outcome.delivery, Delivery::Abort | Delivery::Restore);
        if !self.goes_on[core] {
            return Ok(());
        }
        let entered = matches!(outcome.delivery, Delivery::Enter(_));
        let enters = std::mem::replace(&mut self.enters[global.at()], false);
        ensure(Rule::Once, entered == enters, || {
            format!("the section of g{} finds {:?}, enters: {enters}", global.0, outcome.delivery)
        })?;
        let found = match outcome.delivery {
            Delivery::Return => Some(false),
            Delivery::Failed(_) => Some(true),
            _ => None,
        };
        let below = self.below[global.at()].take();
        ensure(Rule::Once, found == below, || {
            format!("the section of g{} finds {:?}: {below:?}", global.0, outcome.delivery)
        })
    }
}
