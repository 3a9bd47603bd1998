//! The simulator's ear at the kernel: costs, counts, records.
//!
//! All that a run needs to know of the kernel's decisions is in its trace
//! records, so the simulator listens to them as any other sink does. From a
//! record follow the cost of the path that wrote it, what the observer counts,
//! and, if the run records, a copy in the window.

use crate::SimError;
use crate::exclusion::Exclusion;
use crate::observer::Observer;
use crate::{Options, Recording};
use fusee_kernel::{Kind, Record, Sink};
use fusee_model::costs::CostTable;
use fusee_model::{Gate, GateId, System};

/// What each gate costs on the way in and out.
///
/// # Errors
/// [`SimError::NoCost`].
pub(crate) fn passages(system: &System, costs: &CostTable) -> Result<Vec<(u64, u64)>, SimError> {
    let gate = |(id, gate): (GateId, &Gate)| {
        if gate.direct {
            return Ok((0, 0));
        }
        if system.mutex(id).is_some() {
            return Ok((costs.mutex.lock.ns(), costs.mutex.unlock.ns()));
        }
        let protocol = gate.protocol.value;
        let both = costs.invoke.of(protocol).zip(costs.return_.of(protocol));
        both.map(|(invoke, return_)| (invoke.ns(), return_.ns()))
            .ok_or(SimError::NoCost { gate: id, protocol })
    };
    system.gate_ids().map(gate).collect()
}

pub(crate) struct Watcher {
    pub(crate) observer: Observer,
    exclusion: Exclusion,
    pub(crate) records: Vec<Record>,
    /// First and last instant that is recorded.
    window: (u64, u64),
    costs: CostTable,
    /// Costs of invoking and of returning, for each gate.
    gates: Vec<(u64, u64)>,
    /// Cost of the records since the last [`Watcher::take_cost`].
    cost: u64,
    /// A gate is being handed on: its entry was paid for when it was asked for.
    handed: bool,
    /// The thread that runs, while nothing but a preemption can take the core from it.
    running: Option<usize>,
    /// The record before was this thread's wait: a wake now means that it need not wait.
    waits: Option<usize>,
    /// The timer has fired, and what it fired for has not been paid yet.
    timer: bool,
    /// The thread whose arrival was recorded last since the last [`Watcher::take_cost`].
    released: Option<usize>,
}

impl Watcher {
    /// `gates`: what each gate costs on the way in and out.
    pub(crate) fn new(system: &System, options: &Options, gates: Vec<(u64, u64)>) -> Watcher {
        let window = match options.recording {
            Recording::Window { from, to } => (from.ns(), to.ns()),
            Recording::Off => (1, 0),
        };
        let observer = Observer::new(system);
        let records = Vec::new();
        Watcher {
            observer,
            exclusion: Exclusion::new(system),
            records,
            window,
            costs: options.costs.clone(),
            gates,
            cost: 0,
            handed: false,
            running: None,
            waits: None,
            timer: false,
            released: None,
        }
    }

    /// What comes now is because of the timer.
    pub(crate) fn expect_timer(&mut self) {
        self.timer = true;
    }

    /// What the kernel paths since the last call cost.
    pub(crate) fn take_cost(&mut self) -> u64 {
        let cost = std::mem::take(&mut self.cost);
        self.timer = false;
        self.released = None;
        if cost > 0 {
            self.observer.in_kernel(cost);
        }
        cost
    }

    fn charge(&mut self, cost: u64) {
        self.cost = self.cost.saturating_add(cost);
    }

    fn enter(&mut self, thread: usize, gate: usize, now: u64) {
        if std::mem::take(&mut self.handed) {
            self.observer.acquired(thread, gate, now);
        } else {
            self.observer.invoked(gate);
            self.charge(self.gates[gate].0);
        }
    }

    fn block(&mut self, thread: usize, gate: usize, now: u64) {
        self.observer.invoked(gate);
        self.observer.waits(thread, gate, now);
        self.charge(self.gates[gate].0);
        self.charge(self.costs.block.ns());
        self.running = None;
    }

    fn switch(&mut self, to: Option<usize>) {
        if let Some(from) = self.running.filter(|_| self.running != to) {
            self.observer.preempted(from);
        }
        self.running = to;
    }

    /// The end of a budget, if that is why the timer fired.
    fn budget_end(&mut self) {
        if std::mem::take(&mut self.timer) {
            self.charge(self.costs.budget_end.ns());
        }
    }

    fn suspend(&mut self, thread: usize) {
        self.budget_end();
        if self.running == Some(thread) {
            self.observer.overrun(thread);
            self.running = None;
        }
    }

    fn wake(&mut self, thread: usize, waits: Option<usize>) {
        if waits == Some(thread) {
            self.running = waits;
        } else {
            self.charge(self.costs.wake.ns());
        }
    }

    fn complete(&mut self, thread: usize, now: u64) {
        self.charge(self.costs.completion.ns());
        // The job is over when its completion is, whatever that costs.
        self.observer.completed(thread, now.saturating_add(self.cost));
        self.running = None;
    }

    /// Follows a record.
    pub(crate) fn hear(&mut self, record: &Record) {
        let (thread, object, now) = (record.thread.at(), usize::from(record.object), record.time);
        let waits = self.waits.take();
        match record.kind {
            Kind::Release => {
                self.timer = false;
                self.charge(self.costs.release.ns());
                self.observer.released(thread, record.value, now);
                self.released = Some(thread);
            }
            // What is lost without a release had come too early, and too often before.
            Kind::Lose if self.released != Some(thread) => self.observer.refused_early(thread),
            Kind::Lose => self.observer.lost(thread),
            Kind::Switch => self.switch(record.thread.is_some().then_some(thread)),
            Kind::Enter => self.enter(thread, object, now),
            Kind::Block => self.block(thread, object, now),
            Kind::HandOver => {
                self.handed = true;
                self.charge(self.costs.handoff.ns());
            }
            Kind::Return => self.charge(self.gates[object].1),
            Kind::Boost => self.charge(self.costs.inherit_step.ns()),
            Kind::Complete => self.complete(thread, now),
            Kind::Overrun => {
                self.budget_end();
                self.observer.overrun(thread);
            }
            Kind::Suspend => self.suspend(thread),
            Kind::Lend => self.budget_end(),
            Kind::Rotate => self.charge(self.costs.time_slice.ns()),
            Kind::Fault => self.charge(self.costs.fault.ns()),
            Kind::Signal => self.charge(self.costs.signal.ns()),
            Kind::Wait => {
                self.charge(self.costs.wait.ns());
                self.waits = Some(thread);
                self.running = None;
            }
            Kind::Wake => self.wake(thread, waits),
            Kind::Defer => self.observer.deferred(thread),
            Kind::Queue | Kind::Miss | Kind::Abort => {}
        }
    }
}

impl Sink for Watcher {
    #[inline]
    fn record(&mut self, record: Record) {
        if cfg!(debug_assertions) {
            self.exclusion.hear(&record);
        }
        self.hear(&record);
        if record.time >= self.window.0 && record.time <= self.window.1 {
            self.records.push(record);
        }
    }
}
