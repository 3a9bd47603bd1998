//! Schedulers that come with Fusee, in a run.
//!
//! What a scheduler's calls do is the kernel's decision, as everywhere; what it calls is its
//! code's. That code is in C, and so short that it stands here again, call by call: a [`Program`]
//! says what comes next, and is told what the kernel answers.

mod chooser;
mod partitions;
mod servers;

use std::collections::BTreeMap;

use chooser::Chooser;
use fusee_kernel::tcaps::{
    self, Decision, Dispatch, SchedulerEvent, Slot, Transfer, TreeKernel, Trees, Waited,
};
use fusee_kernel::{
    AccountIndex, Error, Event, Flow, Kernel, NEVER, Policy, Sink, ThreadIndex, Time,
};
use fusee_model::{Algorithm, System, TaskId};
use partitions::Partitions;

use crate::SimError;
use crate::arrivals::Arrivals;

/// A call of a scheduler.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Call {
    /// The next event; if there is none, it waits for one until then.
    Receive(Time),
    /// One of its threads runs.
    Dispatch(Dispatch),
    /// The core for another scheduler, and the time for it.
    Yield(Slot),
    /// Time for one of its threads.
    Give(Transfer),
}

/// The answer of the kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    /// It is done.
    Done,
    /// There was no event.
    Nothing,
    /// An event of a thread.
    Event(SchedulerEvent),
    /// It is refused.
    Refused(tcaps::Error),
}

/// A scheduler's code.
#[derive(Debug, Clone)]
enum Program {
    Partitions(Partitions),
    Chooser(Chooser),
}

/// The threads that each scheduler dispatches, as the kernel takes it.
pub(crate) struct Tables {
    accounts: Vec<tcaps::AccountConfig>,
    schedulers: Vec<tcaps::SchedulerConfig>,
    end_points: Vec<tcaps::EndPointConfig>,
    interrupts: Vec<ThreadIndex>,
    programs: BTreeMap<usize, Program>,
}

/// The state of a run's schedulers that the kernel writes.
pub(crate) struct Memory {
    store: tcaps::Store,
    alarms: Vec<Time>,
}

/// A run's schedulers before it starts.
pub(crate) struct Parts<'t> {
    tables: &'t Tables,
    memory: &'t mut Memory,
}

/// The schedulers of a run.
pub(crate) struct Schedulers<'t> {
    trees: Trees<'t>,
    programs: BTreeMap<usize, Program>,
}

impl Tables {
    /// Those of a system; none: it has no schedulers.
    ///
    /// # Errors
    /// [`SimError::Scheduler`]: one decides by code of its own.
    pub(crate) fn of(system: &System, arrivals: &[Arrivals]) -> Result<Option<Self>, SimError> {
        let threads = system.task_ids().map(|(id, _)| Some(id));
        let Some(trees) = fusee_tables::trees_of(system, threads) else { return Ok(None) };
        let mut programs = BTreeMap::new();
        for scheduler in &system.schedulers {
            let program = match scheduler.algorithm {
                Algorithm::Own => return Err(SimError::Scheduler { task: scheduler.task }),
                Algorithm::Partitions => Program::Partitions(Partitions::of(scheduler)),
                _ => Program::Chooser(Chooser::of(system, scheduler, arrivals)),
            };
            programs.insert(scheduler.task.index(), program);
        }
        let accounts = trees.accounts.iter();
        let end_points = accounts.clone().zip(0_u16..).map(|(row, number)| row.end_point(number));
        Ok(Some(Self {
            accounts: accounts.map(|row| row.account()).collect(),
            schedulers: trees.schedulers.iter().map(|row| row.0).collect(),
            interrupts: (0_u16..).map(ThreadIndex).take(trees.accounts.len()).collect(),
            end_points: end_points.collect(),
            programs,
        }))
    }

    fn kernels(&self) -> tcaps::Tables<'_> {
        tcaps::Tables {
            accounts: &self.accounts,
            schedulers: &self.schedulers,
            end_points: &self.end_points,
            interrupts: &self.interrupts,
        }
    }

    /// Room for their state.
    ///
    /// # Errors
    /// [`SimError::Tables`]: the kernel does not take them.
    pub(crate) fn memory(&self) -> Result<Memory, SimError> {
        let store = tcaps::Store::start(&self.kernels()).map_err(refused)?;
        Ok(Memory { store, alarms: vec![NEVER; self.schedulers.len()] })
    }
}

fn refused(error: tcaps::TableError) -> SimError {
    SimError::Tables { reason: format!("schedulers: {error:?}") }
}

impl<'t> Parts<'t> {
    pub(crate) fn of(tables: &'t Tables, memory: &'t mut Memory) -> Self {
        Parts { tables, memory }
    }

    /// Starts them in a kernel that has just started.
    ///
    /// # Errors
    /// [`SimError::Tables`]: the kernel does not take them.
    pub(crate) fn start<P: Policy, S: Sink>(
        self,
        kernel: &mut Kernel<'_, P, S>,
    ) -> Result<Schedulers<'t>, SimError> {
        let Parts { tables, memory } = self;
        let parts = (tables.kernels(), memory.store.memory());
        let trees = Trees::start(kernel, parts, &mut memory.alarms).map_err(refused)?;
        Ok(Schedulers { trees, programs: tables.programs.clone() })
    }
}

impl Schedulers<'_> {
    /// Returns `true` if a task's code is a scheduler's.
    pub(crate) fn has(&self, task: usize) -> bool {
        self.programs.contains_key(&task)
    }

    /// When the timer must fire for them.
    pub(crate) fn next_timer<P: Policy, S: Sink>(&self, kernel: &Kernel<'_, P, S>) -> Time {
        self.trees.next_timer(kernel)
    }

    /// The kernel takes an event as a machine does. What was done at once leaves nothing to tell.
    ///
    /// # Errors
    /// What the kernel refuses.
    pub(crate) fn handle<P: Policy, S: Sink>(
        &mut self,
        kernel: &mut Kernel<'_, P, S>,
        (now, event): (Time, Event),
    ) -> Result<(), Error> {
        let mut flow = Flow::over(kernel, &mut self.trees);
        let _ = flow.take(now, event)?;
        debug_assert!(flow.is_told(now), "{event:?} at {now} is told");
        Ok(())
    }

    /// The running scheduler makes its next call.
    pub(crate) fn go_on<P: Policy, S: Sink>(
        &mut self,
        kernel: &mut Kernel<'_, P, S>,
        (now, task): (Time, usize),
    ) {
        let Some(program) = self.programs.get_mut(&task) else { return };
        let mut kernel = TreeKernel::over(kernel, &mut self.trees);
        let call = match program {
            Program::Partitions(own) => own.next(now),
            Program::Chooser(own) => own.next(now),
        };
        let answer = match call {
            Call::Receive(until) => kernel.wait(now, until).map(|waited| match waited {
                Waited::Event(event) => Answer::Event(event),
                Waited::Pending | Waited::Blocked => Answer::Nothing,
            }),
            Call::Dispatch(dispatch) => {
                kernel.decide(now, &Decision::Dispatch(dispatch)).map(|()| Answer::Done)
            }
            Call::Yield(slot) => {
                kernel.decide(now, &Decision::YieldUntil(slot)).map(|()| Answer::Done)
            }
            Call::Give(transfer) => {
                kernel.decide(now, &Decision::Transfer(transfer)).map(|()| Answer::Done)
            }
        };
        let answer = answer.unwrap_or_else(Answer::Refused);
        match program {
            Program::Partitions(own) => own.hear(answer),
            Program::Chooser(own) => own.hear(now, answer),
        }
    }
}

/// Returns a thread's number in the kernel's tables, on one core.
fn thread(task: TaskId) -> ThreadIndex {
    ThreadIndex(task.index() as u16)
}

/// Returns a dispatch on the account of a scheduler's own thread, with a token newer than the last.
fn dispatch((own, token): (ThreadIndex, &mut u32), thread: ThreadIndex, timeout: Time) -> Dispatch {
    *token = token.wrapping_add(1);
    Dispatch { thread, account: AccountIndex(own.0), priority: None, timeout, token: *token }
}

/// Returns the first release of a task that a clock releases, and its period.
fn clock(system: &System, arrivals: &[Arrivals], task: TaskId) -> Option<(Time, Time)> {
    let release = system.task(task).release.as_ref()?;
    let clocked = release.kind == fusee_model::ReleaseKind::Periodic;
    clocked.then(|| (arrivals[task.index()].first(), release.period.value.ns()))
}
