//! The simulator's ear at the kernel: costs, counts, records.
//!
//! All that a run needs to know of the kernel's decisions is in its trace
//! records, so the simulator listens to them as any other sink does. From a
//! record follow the cost of the path that wrote it, what the observer counts,
//! and, if the run records, a copy in the window.

use crate::SimError;
use crate::exclusion::Exclusion;
use crate::numbers::Numbers;
use crate::observer::Observer;
use crate::{Options, Recording};
use fusee_kernel::cores::Due;
use fusee_kernel::{Kind, Object, Record, Sink};
use fusee_model::costs::{CoreCosts, CostTable};
use fusee_model::{Duration, Gate, GateId, Lock, Protocol, System};

/// The meaning of passing a gate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passage {
    /// The cost of the way in.
    invoke: u64,
    /// The cost of the way out.
    return_: u64,
    protocol: Protocol,
    mutex: Mutex,
}

/// The kind of mutex that a gate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mutex {
    /// It is none, or its kernel has no words.
    Gate,
    /// Each lock is a call, of a kernel that has words: it passes no gate.
    Called,
    /// A mutex that is a word.
    Word,
}

impl Mutex {
    fn of(system: &System, id: GateId) -> Mutex {
        let Some(lock) = system.mutex(id) else { return Mutex::Gate };
        let component = system.component(system.gate(id).component);
        let has_words = system.mutex_words().next().is_some();
        match component.code.locks.get(lock).is_some_and(Lock::is_word) {
            true => Mutex::Word,
            false if has_words => Mutex::Called,
            false => Mutex::Gate,
        }
    }
}

impl Passage {
    /// Returns a gate with this protocol that costs nothing.
    fn free(gate: &Gate) -> Passage {
        let protocol = gate.protocol.value;
        Passage { invoke: 0, return_: 0, protocol, mutex: Mutex::Gate }
    }

    /// Returns all gates of a system where the times say already what they cost.
    pub(crate) fn all_free(system: &System) -> Vec<Passage> {
        system.gates.iter().map(Passage::free).collect()
    }

    /// Returns all gates of a system.
    ///
    /// # Errors
    /// [`SimError::NoCost`].
    pub(crate) fn all(system: &System, costs: &CostTable) -> Result<Vec<Passage>, SimError> {
        system.gate_ids().map(|(id, gate)| Passage::of(system, (id, gate), costs)).collect()
    }

    fn of(
        system: &System,
        (id, gate): (GateId, &Gate),
        costs: &CostTable,
    ) -> Result<Passage, SimError> {
        let protocol = gate.protocol.value;
        if gate.direct {
            return Ok(Passage::free(gate));
        }
        let passage = |invoke: Duration, return_: Duration| Passage {
            invoke: invoke.ns(),
            return_: return_.ns(),
            protocol,
            mutex: Mutex::of(system, id),
        };
        if protocol.is_global() && costs.cores.is_none() {
            return Err(SimError::NoCost { gate: id, protocol });
        }
        let both = match system.mutex(id) {
            Some(_) => costs.mutex_passage(protocol),
            None => costs.gate_passage(protocol),
        };
        both.map(|(invoke, return_)| passage(invoke, return_))
            .ok_or(SimError::NoCost { gate: id, protocol })
    }
}

/// The simulator's ear at all kernels of a run.
pub(crate) struct Watcher {
    pub(crate) observer: Observer,
    exclusion: Exclusion,
    pub(crate) records: Vec<Record>,
    /// First and last instant that is recorded.
    window: (u64, u64),
    costs: CostTable,
    gates: Vec<Passage>,
    /// Tasks that have a scheduler, or are one: a thread that is not dispatched is suspended.
    dispatched: Vec<bool>,
    /// Threads that sleep on another's account.
    asleep: Vec<bool>,
    cores: Vec<Watched>,
}

/// The known facts about a core.
#[derive(Debug, Clone, Default)]
struct Watched {
    /// Cost of the records since the last [`Watcher::take_cost`].
    cost: u64,
    /// A gate is being handed on: its entry was paid for when it was asked for.
    handed: bool,
    /// The thread that runs, while nothing but a preemption can take the core from it.
    running: Option<usize>,
    /// A gate that barred others was left: that is paid for once.
    lifted: bool,
    /// The record before was this thread's wait: a wake now means that it need not wait.
    waits: Option<usize>,
    /// The timer has fired, and what it fired for has not been paid yet.
    timer: bool,
    /// The thread whose arrival was recorded last since the last [`Watcher::take_cost`].
    released: Option<usize>,
    /// The thread that has signalled last: a release or deferral by the signal is recorded right
    /// behind it.
    signaller: Option<usize>,
}

impl Watched {
    fn charge(&mut self, cost: Duration) {
        self.cost = self.cost.saturating_add(cost.ns());
    }
}

/// Takes the records of one core's kernel.
pub(crate) struct Ear<'w> {
    watcher: &'w mut Watcher,
    numbers: &'w Numbers,
    core: usize,
}

impl Sink for Ear<'_> {
    #[inline]
    fn record(&mut self, record: Record) {
        let record = self.numbers.told(self.core, record);
        self.watcher.record(self.core, record);
    }
}

impl Watcher {
    pub(crate) fn new(system: &System, options: &Options, gates: Vec<Passage>) -> Watcher {
        let window = match options.recording {
            Recording::Window { from, to } => (from.ns(), to.ns()),
            Recording::Off => (1, 0),
        };
        Watcher {
            observer: Observer::new(system),
            exclusion: Exclusion::new(system),
            records: Vec::new(),
            window,
            costs: options.costs.clone(),
            gates,
            dispatched: dispatched(system),
            asleep: vec![false; system.tasks.len()],
            cores: vec![Watched::default(); system.cores() as usize],
        }
    }

    /// Returns the receiver of a core's records.
    pub(crate) fn ear<'w>(&'w mut self, core: usize, numbers: &'w Numbers) -> Ear<'w> {
        Ear { watcher: self, numbers, core }
    }

    /// Notes that the next event on a core is caused by its timer.
    pub(crate) fn expect_timer(&mut self, core: usize) {
        self.cores[core].timer = true;
    }

    /// Takes the cost of a core's kernel paths since the last call.
    pub(crate) fn take_cost(&mut self, core: usize) -> u64 {
        let watched = &mut self.cores[core];
        let cost = std::mem::take(&mut watched.cost);
        watched.timer = false;
        watched.lifted = false;
        watched.released = None;
        if cost > 0 {
            self.observer.in_kernel(cost);
        }
        cost
    }

    /// A core looks at a gate, or into a mailbox.
    pub(crate) fn looks(&mut self, core: usize) {
        self.charge(core, self.between().look.ns());
    }

    /// A core's next section, under a gate's lock, costs what no record tells.
    pub(crate) fn enters(&mut self, core: usize, section: Due) {
        let costs = self.between();
        let cost = match section {
            Due::Lose(_) => costs.lose,
            Due::Gain(_) => costs.gain,
            Due::Pass(..) => costs.pass,
            Due::Nothing | Due::Ask(..) | Due::Look(_) | Due::Leave(..) => Duration::ZERO,
            Due::Post(..) | Due::Collect(_) => Duration::ZERO,
            // No job faults between cores.
            Due::RestartFault(_) | Due::PutBack(_) | Due::RestartSeen(_) => Duration::ZERO,
        };
        self.charge(core, cost.ns());
    }

    /// A section comes back from a gate that it has passed.
    pub(crate) fn comes_back(&mut self, core: usize) {
        self.charge(core, self.between().pass.ns());
    }

    /// Returns the time for which a core holds a lock on a path that has held locks for some time:
    /// not longer than the path takes.
    pub(crate) fn hold(&self, core: usize, held: u64) -> u64 {
        self.between().lock.ns().min(self.cores[core].cost.saturating_sub(held))
    }

    /// Without gates between cores none is needed.
    fn between(&self) -> CoreCosts {
        self.costs.cores.unwrap_or_default()
    }

    /// The job of a thread of a core is over without being complete.
    pub(crate) fn ends(&mut self, core: usize, thread: usize, now: u64) {
        self.observer.ended(thread, now);
        self.cores[core].running = None;
    }

    /// Returns `true` if a gate is a mutex that is a word.
    pub(crate) fn is_word(&self, gate: usize) -> bool {
        self.gates[gate].mutex == Mutex::Word
    }

    /// Returns the cost of locking a word and unlocking it, without the kernel.
    pub(crate) fn uncontended(&self) -> u64 {
        self.costs.mutex.uncontended.map_or(0, Duration::ns)
    }

    /// A thread has got a free mutex.
    pub(crate) fn takes_word(&mut self, thread: usize, gate: usize) {
        self.observer.invoked(gate);
        self.exclusion.locks(thread, gate);
    }

    /// The same, by a call.
    pub(crate) fn locks_by_call(&mut self, core: usize, (thread, gate): (usize, usize)) {
        self.takes_word(thread, gate);
        self.charge(core, self.gates[gate].invoke);
    }

    /// A thread unlocks a mutex without waiting threads.
    pub(crate) fn frees_word(&mut self, thread: usize, gate: usize) {
        self.exclusion.unlocks(thread, gate);
    }

    /// A thread calls the kernel to unlock a mutex.
    pub(crate) fn unlocks_by_call(&mut self, core: usize, gate: usize) {
        self.charge(core, self.gates[gate].return_);
    }

    /// A thread asks to sleep on another's account.
    pub(crate) fn depends(&mut self, core: usize) {
        self.charge(core, self.costs.dependencies.unwrap_or_default().depend.ns());
    }

    /// A thread wakes another one, or lets it not sleep.
    pub(crate) fn wakes(&mut self, core: usize) {
        self.charge(core, self.costs.dependencies.unwrap_or_default().wake.ns());
    }

    /// Returns `true` if a record is about a gate that the description does not have: at which
    /// threads wait that sleep on another's account.
    fn is_about_sleep(&self, record: &Record) -> bool {
        record.kind.object() == Object::Gate && usize::from(record.object) >= self.gates.len()
    }

    fn record(&mut self, core: usize, record: Record) {
        if cfg!(debug_assertions) {
            self.exclusion.hear(&record);
        }
        self.hear(core, &record);
        let is_told = record.time >= self.window.0 && record.time <= self.window.1;
        if is_told && !self.is_about_sleep(&record) {
            self.records.push(record);
        }
    }

    fn charge(&mut self, core: usize, cost: u64) {
        self.cores[core].charge(Duration(cost));
    }

    fn enter(&mut self, core: usize, (thread, gate): (usize, usize), now: u64) {
        if std::mem::take(&mut self.cores[core].handed) {
            self.observer.acquired(thread, gate, now);
        } else {
            self.observer.invoked(gate);
            self.charge(core, self.gates[gate].invoke);
        }
    }

    fn block(&mut self, core: usize, (thread, gate): (usize, usize), now: u64) {
        self.observer.invoked(gate);
        self.observer.waits(thread, gate, now);
        self.charge(core, self.gates[gate].invoke);
        self.charge(core, self.costs.block.ns());
        self.cores[core].running = None;
    }

    fn switch(&mut self, core: usize, to: Option<usize>) {
        let watched = &mut self.cores[core];
        if let Some(from) = watched.running.filter(|_| watched.running != to) {
            self.observer.preempted(from);
        }
        watched.running = to;
    }

    /// The end of a budget, if that is why the timer fired.
    fn budget_end(&mut self, core: usize) {
        if std::mem::take(&mut self.cores[core].timer) {
            self.charge(core, self.costs.budget_end.ns());
        }
    }

    fn suspend(&mut self, core: usize, thread: usize) {
        if self.dispatched[thread] {
            return self.switch(core, None);
        }
        self.budget_end(core);
        if self.cores[core].running == Some(thread) {
            self.observer.overrun(thread);
            self.cores[core].running = None;
        }
    }

    fn wake(&mut self, core: usize, thread: usize, waits: Option<usize>) {
        if waits == Some(thread) {
            self.cores[core].running = waits;
        } else {
            self.charge(core, self.costs.wake.ns());
        }
    }

    /// A gate that bars others is left: one of the threads that have waited goes on, and all are
    /// ready.
    fn retry(&mut self, core: usize, (thread, gate): (usize, usize), now: u64) {
        self.observer.acquired(thread, gate, now);
        let cost = if std::mem::replace(&mut self.cores[core].lifted, true) {
            self.costs.wake
        } else {
            self.costs.handoff
        };
        self.charge(core, cost.ns());
    }

    fn complete(&mut self, core: usize, thread: usize, now: u64) {
        self.charge(core, self.costs.completion.ns());
        // The job is over when its completion is, whatever that costs.
        self.observer.completed(thread, now.saturating_add(self.cores[core].cost));
        self.cores[core].running = None;
    }

    /// A thread asks at a gate between cores.
    fn ask(&mut self, core: usize, (thread, gate): (usize, usize), record: &Record) {
        self.observer.invoked(gate);
        self.charge(core, self.gates[gate].invoke);
        if record.value > 0 {
            self.observer.waits_between_cores(thread, gate, record.time);
            if self.gates[gate].protocol.suspends() {
                self.cores[core].running = None;
            }
        }
    }

    /// Follows a record of a core.
    pub(crate) fn hear(&mut self, core: usize, record: &Record) {
        let (thread, object, now) = (record.thread.at(), usize::from(record.object), record.time);
        let at = (thread, object);
        let waits = self.cores[core].waits.take();
        match record.kind {
            Kind::Release => {
                self.cores[core].timer = false;
                self.charge(core, self.costs.release.ns());
                let by = self.cores[core].signaller;
                self.observer.released(thread, (record.value, now), by);
                self.cores[core].released = Some(thread);
            }
            // What is lost without a release had come too early, and too often before.
            Kind::Lose if self.cores[core].released != Some(thread) => {
                self.observer.refused_early(thread);
            }
            Kind::Lose => self.observer.lost(thread),
            Kind::Switch => self.switch(core, record.thread.is_some().then_some(thread)),
            Kind::Enter => self.enter(core, at, now),
            Kind::Block if self.is_about_sleep(record) => {
                self.asleep[thread] = true;
                self.cores[core].running = None;
            }
            Kind::Block => self.block(core, at, now),
            Kind::HandOver if self.gates[object].mutex != Mutex::Gate => {
                self.observer.acquired(thread, object, now);
                self.charge(core, self.costs.handoff.ns());
            }
            Kind::HandOver => {
                self.cores[core].handed = true;
                self.charge(core, self.costs.handoff.ns());
            }
            // Between cores it is paid for where the section ends, and where its core looks.
            Kind::Return if self.gates[object].protocol.is_global() => {}
            Kind::Return => self.charge(core, self.gates[object].return_),
            Kind::Boost => self.charge(core, self.costs.inherit_step.ns()),
            Kind::Complete => self.complete(core, thread, now),
            Kind::Overrun => {
                self.budget_end(core);
                self.observer.overrun(thread);
            }
            Kind::Suspend => self.suspend(core, thread),
            Kind::Lend => self.budget_end(core),
            Kind::Rotate => self.charge(core, self.costs.time_slice.ns()),
            Kind::Fault => self.charge(core, self.costs.fault.ns()),
            Kind::Signal => {
                // A timer that does not release tells of a budget that an operation has used up.
                self.budget_end(core);
                self.charge(core, self.costs.signal.ns());
                self.cores[core].signaller = Some(thread);
            }
            // The core that looks records a signal of its own.
            Kind::Post => {
                self.charge(core, self.costs.signal.max(self.between().look).ns());
            }
            // Who is refused has called, too.
            Kind::Throttle => {
                self.charge(core, self.costs.signal.max(self.between().look).ns());
            }
            Kind::Wait => {
                self.charge(core, self.costs.wait.ns());
                self.cores[core].waits = Some(thread);
                self.cores[core].running = None;
            }
            // It is paid for by who has called.
            Kind::Wake if std::mem::take(&mut self.asleep[thread]) => {}
            Kind::Wake => self.wake(core, thread, waits),
            Kind::Retry => self.retry(core, (thread, object), now),
            Kind::Defer => self.observer.deferred(thread, self.cores[core].signaller),
            Kind::Ask => self.ask(core, at, record),
            Kind::Take => self.observer.has_turn(record.value as usize, object, now),
            Kind::Finish => self.charge(core, self.gates[object].return_),
            Kind::Queue | Kind::Miss | Kind::Abort | Kind::Turn | Kind::LayDown => {}
        }
    }
}

/// For each task, whether schedulers have to do with it.
fn dispatched(system: &System) -> Vec<bool> {
    let has = |id| system.scheduler_of(id).is_some() || system.scheduler(id).is_some();
    system.task_ids().map(|(id, _)| has(id)).collect()
}
