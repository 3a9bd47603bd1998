//! One core's kernel with its part in the global gates.

use crate::mutation::seeded;
use crate::{
    ComponentIndex, Delivery, Failure, GateIndex, GlobalIndex, Kernel, MailboxIndex, Memory,
    ResumeReason,
};
use crate::{Next, Policy, RestartIndex, ResumeError, SeatIndex};
use crate::{NextChosen, Sink, Status, TableError, Tables, ThreadIndex, Time};

use super::{At, CoreTableError, CoreTables, Debt, GlobalConfig};

/// A core's own part in the global gates. No other core writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Home {
    /// The thread whose presence at a gate is announced there.
    pub announced: ThreadIndex,
    /// The activation that this core executes for a gate.
    pub inside: Inside,
    /// A bit for each mutex between cores that a thread of this core holds.
    pub held: u64,
    /// The rest of the path under way.
    pub due: Due,
}

impl Home {
    /// A core before the start.
    pub const EMPTY: Self =
        Home { announced: ThreadIndex::NONE, inside: Inside::NOTHING, held: 0, due: Due::Nothing };

    /// Returns `true` if a thread of this core holds a mutex.
    #[inline]
    pub const fn holds(&self, global: GlobalIndex) -> bool {
        // All objects between cores have a bit here: `CoreTables::check` refuses more than 64.
        self.held >> global.0 & 1 != 0
    }
}

/// The activation that a core executes, as far as it is at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Inside {
    /// The gate that the activation belongs to; none: the core executes none.
    pub global: GlobalIndex,
    /// The component that it is in.
    pub component: ComponentIndex,
    /// The epoch of that on the core on which it came there. Where another core executes it, or the
    /// component is restarted meanwhile, that is not the epoch by which the executing core goes.
    pub epoch: u32,
    /// The number of gates below the global one that it has passed.
    pub depth: u8,
    /// The reason for which it resumes.
    pub reason: ResumeReason,
    /// The value that goes with the reason.
    pub value: u32,
}

impl Inside {
    /// A core that executes no activation.
    pub const NOTHING: Self = Inside {
        global: GlobalIndex::NONE,
        component: ComponentIndex::NONE,
        epoch: 0,
        depth: 0,
        reason: ResumeReason::Nothing,
        value: 0,
    };
}

/// The next section of a path, each under the lock of one gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Due {
    /// The path has ended.
    Nothing,
    /// The running thread asks, with this seat.
    Ask(GlobalIndex, SeatIndex),
    /// The announced thread is no longer the running one.
    Lose(GlobalIndex),
    /// The running thread has asked and is not announced.
    Gain(GlobalIndex),
    /// The core has been told to look.
    Look(GlobalIndex),
    /// The activation passes a gate below the global one.
    Pass(GlobalIndex, GateIndex),
    /// The activation comes back, or fails; or the running thread unlocks a mutex, or fails.
    Leave(GlobalIndex, Option<Failure>),
    /// A signal for a notification of another core is put into its mailbox: no lock is needed.
    Post(MailboxIndex, u32),
    /// The core has been told to look into a mailbox of its own, or at a restart: those are
    /// numbered behind the mailboxes.
    Collect(MailboxIndex),
    /// The running thread has faulted in a component that other cores enter as well.
    RestartFault(RestartIndex),
    /// The running thread is in such a component, whose initial data are to be put back.
    PutBack(RestartIndex),
    /// The activation is in such a component, and one of another epoch than this core goes by.
    RestartSeen(RestartIndex),
}

impl Due {
    /// Returns the gate whose lock it takes.
    pub fn global(self) -> Option<GlobalIndex> {
        match self {
            // No arm for the rest: a new section must say here whose lock it takes.
            Due::Nothing | Due::Post(..) | Due::Collect(_) => None,
            Due::RestartFault(_) | Due::PutBack(_) | Due::RestartSeen(_) => None,
            Due::Ask(global, _) | Due::Lose(global) | Due::Gain(global) => Some(global),
            Due::Look(global) | Due::Pass(global, _) | Due::Leave(global, _) => Some(global),
        }
    }

    /// Returns the mailbox at which it is.
    pub fn mailbox(self) -> Option<MailboxIndex> {
        match self {
            Due::Post(mailbox, _) | Due::Collect(mailbox) => Some(mailbox),
            _ => None,
        }
    }
}

/// The frames and registers that a core executes. The thread that is scheduled and charged is
/// [`CoreOutcome::thread`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Executes {
    /// None: the core sleeps until the next event, because it idles, or its thread waits.
    Nothing,
    /// The thread's own.
    Thread,
    /// Those of a global gate's activation.
    Activation(GlobalIndex),
}

/// The work that the machine must do at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoreOutcome {
    /// The thread that is scheduled and charged; none: the core idles.
    pub thread: ThreadIndex,
    /// The frames that the core executes.
    pub executes: Executes,
    /// The event that these frames are told of. [`Delivery::Enter`] of an activation: it begins,
    /// with the owner's arguments.
    pub delivery: Delivery,
    /// When the timer must fire.
    pub timer: Time,
}

/// A reason for which a core cannot start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartError {
    /// Its own tables are wrong.
    Core(TableError),
    /// Those of the global gates are, or do not fit them.
    Globals(CoreTableError),
}

/// One core's kernel, with its part in the gates between cores. A machine that has a shorter way
/// for what concerns one core only asks that kernel itself.
#[derive(Debug)]
pub struct CoreKernel<'k, 'm, P: Policy, S = ()> {
    pub(super) kernel: &'k mut Kernel<'m, P, S>,
    pub(super) tables: &'k CoreTables<'m>,
    pub(super) home: &'k mut Home,
    pub(super) debts: &'k mut [Debt],
}

/// Checks the tables, clears the memory and arms the first releases.
///
/// # Errors
/// [`StartError`].
pub fn start<'m, P: Policy, S: Sink>(
    (tables, cores): (Tables<'m>, CoreTables<'m>),
    memory: Memory<'m, P>,
    home: &mut Home,
    sink: S,
) -> Result<Kernel<'m, P, S>, StartError> {
    cores.check(&tables).map_err(StartError::Globals)?;
    *home = Home::EMPTY;
    Kernel::start(tables, memory, sink).map_err(StartError::Core)
}

impl<'k, 'm, P: Policy, S: Sink> CoreKernel<'k, 'm, P, S> {
    /// Returns a kernel that was [started](start) with these tables, and this part: what each of
    /// its threads owes at each mailbox is none then.
    pub fn over(
        kernel: &'k mut Kernel<'m, P, S>,
        tables: &'k CoreTables<'m>,
        (home, debts): (&'k mut Home, &'k mut [Debt]),
    ) -> Self {
        CoreKernel { kernel, tables, home, debts }
    }

    /// Returns the core's own kernel.
    pub fn kernel(&self) -> &Kernel<'m, P, S> {
        self.kernel
    }

    /// Returns the activation that this core executes for a gate.
    pub fn inside(&self) -> &Inside {
        &self.home.inside
    }

    /// Returns the next section of the path under way.
    pub fn next(&self) -> Due {
        self.home.due
    }

    /// Returns the gate whose lock the next section of the path under way takes; none: the path has
    /// ended, or goes on at a mailbox.
    #[inline]
    pub fn due(&self) -> Option<GlobalIndex> {
        self.home.due.global()
    }

    /// Returns the gate at which a thread has asked and from which it has not come back, or the
    /// mutex that it is still to get. Constant time.
    pub fn asked(&self, thread: ThreadIndex) -> Option<GlobalIndex> {
        let state = self.kernel.memory.threads.get(thread.at())?;
        if state.status == Status::AtNotification {
            // A request that waits suspended has no frame of the stand-in yet, but waits for its
            // turn.
            return self.tables.global_of_turn(crate::NotificationIndex(state.waits_at));
        }
        self.tables.global(self.kernel.top(thread).gate).filter(|&global| !self.home.holds(global))
    }

    /// Turns to something at which the core has been told to look, of which nothing is
    /// [pending](super::Pending) any more. There is no path under way.
    pub fn look(&mut self, at: At) {
        self.home.due = match at {
            At::Gate(global) => Due::Look(global),
            At::Mailbox(mailbox) => Due::Collect(mailbox),
        };
    }

    /// The running thread has become that without a word to others, which may concern them: it has
    /// asked before. Or it holds a mutex, and its budget may have been filled. There is no path
    /// under way.
    pub fn come_back(&mut self, now: Time) {
        self.end_step(now, Next::Same);
    }

    /// Returns the frames that the core executes when the path has ended. Constant time.
    pub fn executes(&self) -> Executes {
        let thread = self.kernel.current();
        // Asked first: in the time of this thread the core executes a section, perhaps of another
        // owner.
        if self.home.inside.global.is_some() {
            Executes::Activation(self.home.inside.global)
        // A thread that waits keeps the core and does not poll memory: the core sleeps until a
        // look.
        } else if thread.is_none() || self.asked(thread).is_some() {
            Executes::Nothing
        } else {
            Executes::Thread
        }
    }

    /// Returns the end of a path, with which all is settled: what the core executes. Constant time.
    #[inline(always)]
    pub fn ended(&self) -> (Executes, NextChosen) {
        (self.executes(), NextChosen::DONE)
    }

    /// Takes the reason for which the activation that the core executes resumes. An error: the
    /// activation cannot go on. Constant time.
    #[inline]
    pub fn found(&mut self) -> Result<ResumeReason, ResumeError> {
        let inside = &self.home.inside;
        // The whole epoch, so that one comparison finds a component that is dead, newer or not put
        // back.
        let here = self.kernel.component(inside.component).epoch == inside.epoch;
        if !seeded!(UncutSection, true, here) {
            return Err(self.why_not_resumed());
        }
        Ok(core::mem::replace(&mut self.home.inside.reason, ResumeReason::Nothing))
    }

    /// Returns the reason for which the executed activation cannot go on.
    #[cold]
    #[inline(never)]
    fn why_not_resumed(&self) -> ResumeError {
        self.resume_error().unwrap_or(ResumeError::Gone)
    }

    /// Returns the reason for which the activation that the core executes cannot go on, or `None`
    /// if it can. An [abort](crate::Event::Abort) tells whether the activation is gone
    /// or this core has to leave first.
    pub fn resume_error(&self) -> Option<ResumeError> {
        let inside = &self.home.inside;
        let component = self.kernel.component(inside.component);
        if component.epoch == inside.epoch {
            return None;
        }
        let waits = component.is_unrestored() && component.entering() == inside.epoch;
        Some(if waits { ResumeError::Unrestored } else { ResumeError::Gone })
    }

    /// Returns the work that the machine must do when the path has ended.
    pub fn outcome(&mut self) -> CoreOutcome {
        let (thread, timer) = (self.kernel.current(), self.kernel.next_timer());
        let executes = self.executes();
        let delivery = match executes {
            Executes::Activation(global) => {
                let (reason, value) = (self.found(), self.home.inside.value);
                Delivery::of(reason, value, self.tables.stand_in(global))
            }
            Executes::Nothing => Delivery::None,
            Executes::Thread => self.kernel.outcome().delivery,
        };
        CoreOutcome { thread, executes, delivery, timer }
    }

    pub(super) fn config(&self, global: GlobalIndex) -> &'m GlobalConfig<'m> {
        &self.tables.globals[global.at()]
    }

    pub(super) fn seat(&self, global: GlobalIndex, thread: ThreadIndex) -> SeatIndex {
        self.tables.seat(global, thread)
    }

    /// Ends each event and section: the most urgent thread runs, a thread that has asked for a gate
    /// has credit, and the work that is due under another lock is known.
    pub(super) fn end_step(&mut self, now: Time, next: Next) {
        if next == Next::Open {
            self.kernel.reschedule(now);
        }
        // Not before the choice: which section is due depends on the thread that runs.
        let (current, announced) = (self.kernel.current(), self.home.announced);
        if current == announced {
            // A thread that has asked runs on, or no thread runs and none has asked.
            self.home.due = Due::Nothing;
            if current.is_some() {
                self.kernel.give_credit(now, current);
            }
            return;
        }
        let asked = self.asked(current);
        // While a mutex is held, no thread runs but its holder.
        let holds = self.home.held != 0 && current.is_some();
        if asked.is_some() || seeded!(EndsWithMutex, false, holds) {
            self.kernel.give_credit(now, current);
        }
        // One section at a time, and the loss first. This is asked again when that has ended.
        self.home.due = match self.asked(announced) {
            Some(global) => Due::Lose(global),
            None => asked.map_or(Due::Nothing, Due::Gain),
        };
    }
}
