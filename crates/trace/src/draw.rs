//! Records drawn as a timeline.
//!
//! [`Drawing`] takes the kernel's records in their order and keeps just enough
//! state to know which slices are open: a trace may start in the middle of a run,
//! and then a return whose entry was never seen draws nothing. Execution pieces
//! are drawn late, when time has passed in them, because most switches and
//! entries at one instant are undone at the same instant.
//!
//! Each core has components of its own: what it executes of a section between cores is
//! drawn there, whosever section it is, with whose time it uses.

use crate::counters::Counters;
use crate::names::Names;
use crate::threads::{State, ThreadTrack};
use crate::track::{Flow, Timeline, Track};
use fusee_kernel::{Kind, Record};

/// A trace being drawn from records.
#[derive(Debug, Clone)]
pub struct Drawing<'n> {
    names: &'n Names,
    timeline: Timeline,
    threads: Vec<Thread>,
    /// The thread whose release was the last record: what follows says whether its job starts.
    arriving: Option<usize>,
    cores: Vec<Core>,
    now: u64,
}

/// The state of a core.
#[derive(Debug, Clone, Copy, Default)]
struct Core {
    running: Option<usize>,
    /// The thread whose budget is charged for it, if not its own.
    lender: Option<usize>,
    execution: Option<Execution>,
}

#[derive(Debug, Clone)]
struct Thread {
    slices: ThreadTrack,
    counters: Counters,
    /// The gate between cores at which it has asked.
    asked: Option<u32>,
}

/// A piece of execution in one component.
#[derive(Debug, Clone, Copy)]
struct Execution {
    since: u64,
    piece: Piece,
    drawn: bool,
}

/// The code that runs: its thread, its payer, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    thread: usize,
    payer: usize,
    component: u32,
    flow: Flow,
}

/// Ranges of track numbers.
mod space {
    pub(super) const CORE: u64 = 1 << 32;
    pub(super) const THREAD: u64 = 2 << 32;
    pub(super) const COMPONENTS: u64 = 3 << 32;
    pub(super) const COMPONENT: u64 = 4 << 32;
}

/// Returns the trace of `records`, complete from the first to the last.
pub fn draw<'r>(names: &Names, records: impl IntoIterator<Item = &'r Record>) -> Vec<u8> {
    let mut drawing = Drawing::new(names);
    for record in records {
        drawing.take(record);
    }
    drawing.finish()
}

impl<'n> Drawing<'n> {
    /// Returns a trace with all tracks and nothing on them.
    pub fn new(names: &'n Names) -> Self {
        let mut timeline = Timeline::new();
        let cores = names.threads.iter().map(|thread| thread.core).max().unwrap_or(0) + 1;
        for core in 0..cores {
            timeline.process(
                Track(space::CORE + u64::from(core)),
                core + 1,
                &format!("core {core}"),
            );
        }
        let mut threads = Vec::with_capacity(names.threads.len());
        for (index, thread) in names.threads.iter().enumerate() {
            let track = Track(space::THREAD + index as u64);
            // Thread numbers must differ from process numbers, or the viewer takes the thread for
            // the main one.
            timeline.thread(track, thread.core + 1, 1000 + index as u32, &thread.name);
            let named = (index as u32, thread);
            let counters = Counters::new(named, track, &mut timeline);
            threads.push(Thread {
                slices: ThreadTrack::new(track, index as u32, thread.component),
                counters,
                asked: None,
            });
        }
        for core in 0..cores {
            let folder = Track(space::COMPONENTS + u64::from(core));
            let name = if cores > 1 {
                format!("components on core {core}")
            } else {
                "components".to_owned()
            };
            timeline.folder(folder, &name);
            for (index, name) in names.components.iter().enumerate() {
                let track = component_track(core as usize, index as u32);
                timeline.child(track, folder, name, index as u32);
            }
        }
        let cores = vec![Core::default(); cores as usize];
        Self { names, timeline, threads, arriving: None, cores, now: 0 }
    }

    /// Draws one record.
    pub fn take(&mut self, record: &Record) {
        if record.time > self.now {
            self.draw_execution();
            self.charge(record.time - self.now);
            self.now = record.time;
        }
        self.settle_arrival(record.kind);
        let thread = record.thread.at();
        if record.kind == Kind::Switch {
            let to = record.thread.is_some().then_some(thread);
            // Where there is one core, its records do not say which.
            let core = if self.cores.len() > 1 { usize::from(record.object) } else { 0 };
            self.switch(core, to);
        } else if thread < self.threads.len() {
            self.thread_record(thread, record);
        }
        self.follow_execution();
    }

    /// Ends all that is open and gives the trace's bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.draw_execution();
        for core in 0..self.cores.len() {
            self.end_execution(core);
        }
        for thread in &mut self.threads {
            thread.slices.end_job(self.now, &mut self.timeline);
        }
        self.timeline.finish()
    }

    fn thread_record(&mut self, thread: usize, record: &Record) {
        match record.kind {
            Kind::Release => self.arriving = Some(thread),
            Kind::Enter => self.enter(thread, u32::from(record.object)),
            Kind::Return => self.come_back(thread),
            Kind::Block => {
                let gate = u32::from(record.object);
                let name = format!("waits for {}", self.names.gate(gate));
                self.state(thread, State::AtGate(gate), &name);
            }
            Kind::Wait => {
                let notification = u32::from(record.object);
                let name = format!("waits for {}", self.names.notification(notification));
                self.state(thread, State::ForEvent(notification), &name);
            }
            Kind::Wake => self.ready_again(thread),
            Kind::Suspend => self.state(thread, State::Suspended, "suspended"),
            Kind::Complete => self.complete(thread),
            Kind::Fault | Kind::Abort => self.unwind(thread, record),
            // Drawn before, as what follows a release, or as what all threads see.
            Kind::Queue | Kind::Switch => {}
            Kind::Lose => self.instant(thread, "release lost"),
            Kind::Defer => self.instant(thread, "early arrival"),
            Kind::Miss => self.instant(thread, "deadline missed"),
            Kind::Overrun => self.instant(thread, "budget used up"),
            Kind::Rotate => self.instant(thread, "time slice ends"),
            Kind::Lend => self.lend(thread, record.object),
            Kind::Signal | Kind::Post => {
                let name = self.names.notification(u32::from(record.object));
                self.instant(thread, &format!("signals {name}"));
            }
            Kind::Throttle => {
                let name = self.names.notification(u32::from(record.object));
                self.instant(thread, &format!("may not signal {name} so often"));
            }
            Kind::HandOver => {
                let gate = self.names.gate(u32::from(record.object));
                self.instant(thread, &format!("is handed {gate}"));
            }
            Kind::Boost => self.boost(thread, record),
            Kind::Ask => self.ask(thread, record),
            Kind::Turn | Kind::Retry => self.ready_again(thread),
            Kind::Take => self.take_section(thread, record),
            Kind::LayDown | Kind::Finish => self.leave_section(thread, record),
        }
    }

    /// The record after a release says whether its job starts, waits or is lost.
    fn settle_arrival(&mut self, next: Kind) {
        let Some(thread) = self.arriving.take() else { return };
        self.instant(thread, "release");
        match next {
            Kind::Queue => self.threads[thread].counters.queue(self.now, 1, &mut self.timeline),
            Kind::Lose => return,
            Kind::Release | Kind::Defer | Kind::Complete | Kind::Miss => self.begin_job(thread),
            Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver => self.begin_job(thread),
            Kind::Boost | Kind::Overrun | Kind::Suspend | Kind::Lend => self.begin_job(thread),
            Kind::Switch | Kind::Rotate | Kind::Fault | Kind::Abort => self.begin_job(thread),
            Kind::Signal | Kind::Post | Kind::Wait | Kind::Wake => self.begin_job(thread),
            Kind::Throttle => self.begin_job(thread),
            Kind::Ask | Kind::Turn | Kind::Take => self.begin_job(thread),
            Kind::LayDown | Kind::Finish | Kind::Retry => self.begin_job(thread),
        }
        self.threads[thread].counters.replenish(self.now, &mut self.timeline);
    }

    fn begin_job(&mut self, thread: usize) {
        let name = &self.names.threads[thread].name;
        self.threads[thread].slices.begin_job(self.now, name, &mut self.timeline);
        self.state(thread, State::Ready, "ready");
    }

    fn complete(&mut self, thread: usize) {
        self.threads[thread].slices.end_job(self.now, &mut self.timeline);
        if self.threads[thread].counters.waiting() > 0 {
            self.threads[thread].counters.queue(self.now, -1, &mut self.timeline);
            self.begin_job(thread);
        }
    }

    /// Time passes at the expense of whoever pays.
    fn charge(&mut self, time: u64) {
        for core in 0..self.cores.len() {
            if let Some(payer) = self.payer(core) {
                self.threads[payer].counters.charge(time);
            }
        }
    }

    fn payer(&self, core: usize) -> Option<usize> {
        let Core { lender, running, .. } = self.cores[core];
        lender.or(running)
    }

    fn show_budget(&mut self, core: usize) {
        if let Some(payer) = self.payer(core) {
            self.threads[payer].counters.show_budget(self.now, &mut self.timeline);
        }
    }

    fn enter(&mut self, thread: usize, gate: u32) {
        let component = self.names.gates.get(gate as usize).map_or(0, |g| g.component);
        let name = self.names.gate(gate);
        self.ready_again(thread);
        self.threads[thread].slices.enter(self.now, (gate, component), &name, &mut self.timeline);
        if self.threads[thread].slices.state() == State::Ready {
            self.state(thread, State::Ready, "ready");
        }
    }

    fn ready_again(&mut self, thread: usize) {
        if matches!(self.threads[thread].slices.state(), State::AtGate(_) | State::ForEvent(_)) {
            self.state(thread, State::Ready, "ready");
        }
    }

    fn unwind(&mut self, thread: usize, record: &Record) {
        let what = if record.kind == Kind::Fault { "fault" } else { "abort" };
        let text = format!("{what} in {}", self.names.component(u32::from(record.object)));
        self.instant(thread, &text);
        while self.threads[thread].slices.depth() as u64 > record.value {
            self.leave(thread);
        }
    }

    fn leave(&mut self, thread: usize) {
        let Thread { slices, counters, .. } = &mut self.threads[thread];
        if let Some(gate) = slices.leave(self.now, &mut self.timeline) {
            counters.left(self.now, gate, &mut self.timeline);
        }
    }

    fn lend(&mut self, thread: usize, lender: u16) {
        let core = self.core(thread);
        self.show_budget(core);
        let lenders = Some(usize::from(lender)).filter(|&lender| lender < self.threads.len());
        self.cores[core].lender = lenders;
        let text = format!("runs on the budget of {}", self.thread_name(lender));
        self.instant(thread, &text);
    }

    fn core(&self, thread: usize) -> usize {
        self.names.threads[thread].core as usize
    }

    /// A thread asks at a gate between cores: what is done in its turn is drawn inside.
    fn ask(&mut self, thread: usize, record: &Record) {
        let gate = u32::from(record.object);
        self.enter(thread, gate);
        self.threads[thread].asked = Some(gate);
        if record.value > 0 {
            let name = format!("waits for {}", self.names.gate(gate));
            self.state(thread, State::AtGate(gate), &name);
        }
    }

    /// Back from a gate. Who has asked there between cores goes on, if its core has chosen it.
    fn come_back(&mut self, thread: usize) {
        self.leave(thread);
        if self.threads[thread].asked.take().is_none() {
            return;
        }
        if self.cores[self.core(thread)].running == Some(thread) {
            self.state(thread, State::Running, "");
        } else {
            self.state(thread, State::Ready, "ready");
        }
    }

    /// A core executes the section of a gate's owner from now on, in this thread's time.
    fn take_section(&mut self, thread: usize, record: &Record) {
        let (owner, core) = (record.value as usize, self.core(thread));
        if owner == thread || owner >= self.threads.len() {
            return self.state(thread, State::Running, "");
        }
        let text = format!("executes the section of {}", self.names.threads[owner].name);
        self.state(thread, State::Helping(owner), &text);
        let payer = &self.names.threads[thread].name;
        let text = format!("goes on on core {core}, in the time of {payer}");
        self.state(owner, State::Elsewhere, &text);
    }

    /// ... and does so no longer.
    fn leave_section(&mut self, thread: usize, record: &Record) {
        let (gate, owner) = (u32::from(record.object), record.value as usize);
        let text = format!("waits for {}", self.names.gate(gate));
        let laid_down = record.kind == Kind::LayDown;
        for one in [owner, thread] {
            let waits = match self.threads.get(one).map(|thread| thread.slices.state()) {
                Some(State::Helping(_) | State::Elsewhere) => true,
                // A section that has ended is over, whoever learns of it when.
                Some(State::Running) => one == owner && laid_down,
                _ => false,
            };
            if waits {
                self.state(one, State::AtGate(gate), &text);
            }
        }
    }

    fn boost(&mut self, thread: usize, record: &Record) {
        let gate = u32::from(record.object);
        let urgency = self.names.threads.get(thread).map(|name| name.urgency).unwrap_or_default();
        let urgency = urgency.told(record.value);
        let text = format!("{urgency} by {}", self.names.gate(gate));
        self.threads[thread].counters.boosted(self.now, gate, record.value, &mut self.timeline);
        self.instant(thread, &text);
    }

    fn thread_name(&self, index: u16) -> &str {
        self.names.threads.get(usize::from(index)).map_or("another", |thread| &thread.name)
    }

    fn instant(&mut self, thread: usize, text: &str) {
        self.timeline.instant(self.now, Track(space::THREAD + thread as u64), text, None);
    }

    fn state(&mut self, thread: usize, state: State, name: &str) {
        self.threads[thread].slices.become_(self.now, state, name, &mut self.timeline);
    }

    fn switch(&mut self, core: usize, to: Option<usize>) {
        if core >= self.cores.len() {
            return;
        }
        self.show_budget(core);
        self.cores[core].lender = None;
        let running = self.cores[core].running;
        if let Some(from) = running.filter(|&from| self.threads[from].slices.has_core()) {
            self.state(from, State::Ready, "preempted");
        }
        self.cores[core].running = to.filter(|&to| to < self.threads.len());
        if let Some(to) = self.cores[core].running {
            if !self.threads[to].slices.in_job() {
                self.begin_job(to);
            }
            match self.threads[to].asked {
                None => self.state(to, State::Running, ""),
                // It has its core, and waits until somebody executes its section.
                Some(gate) if self.threads[to].slices.state() == State::Ready => {
                    let name = format!("waits for {}", self.names.gate(gate));
                    self.state(to, State::AtGate(gate), &name);
                }
                Some(_) => {}
            }
        }
    }

    /// Returns the code that a core executes.
    fn piece(&self, core: usize) -> Option<Piece> {
        let payer = self.cores[core].running?;
        let thread = match self.threads[payer].slices.state() {
            State::Running => payer,
            State::Helping(owner) => owner,
            _ => return None,
        };
        let slices = &self.threads[thread].slices;
        Some(Piece { thread, payer, component: slices.component(), flow: slices.flow() })
    }

    /// Ends the present pieces of execution and starts others where anything about them has
    /// changed.
    fn follow_execution(&mut self) {
        for core in 0..self.cores.len() {
            let present = self.piece(core);
            if self.cores[core].execution.map(|execution| execution.piece) != present {
                self.end_execution(core);
                let started = |piece| Execution { since: self.now, piece, drawn: false };
                self.cores[core].execution = present.map(started);
            }
        }
    }

    fn end_execution(&mut self, core: usize) {
        if let Some(Execution { piece, drawn: true, .. }) = self.cores[core].execution {
            self.timeline.end(self.now, component_track(core, piece.component));
        }
    }

    /// Draws the present pieces once time has passed in them.
    fn draw_execution(&mut self) {
        for (number, core) in self.cores.iter_mut().enumerate() {
            let Some(execution) = core.execution.as_mut().filter(|execution| !execution.drawn)
            else {
                continue;
            };
            execution.drawn = true;
            let Piece { thread, payer, component, flow } = execution.piece;
            let name = |thread: usize| &self.names.threads[thread].name;
            let track = component_track(number, component);
            if thread == payer {
                self.timeline.begin(execution.since, track, name(thread), Some(flow));
            } else {
                let text = format!("{}, in the time of {}", name(thread), name(payer));
                self.timeline.begin(execution.since, track, &text, Some(flow));
            }
        }
    }
}

fn component_track(core: usize, component: u32) -> Track {
    Track(space::COMPONENT + ((core as u64) << 20) + u64::from(component))
}
