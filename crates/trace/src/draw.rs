//! Records drawn as a timeline.
//!
//! [`Drawing`] takes the kernel's records in their order and keeps just enough
//! state to know which slices are open: a trace may start in the middle of a run,
//! and then a return whose entry was never seen draws nothing. Execution pieces
//! are drawn late, when time has passed in them, because most switches and
//! entries at one instant are undone at the same instant.

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
    running: Option<usize>,
    /// Whose budget is charged for it, if not its own.
    lender: Option<usize>,
    execution: Option<Execution>,
    now: u64,
}

#[derive(Debug, Clone)]
struct Thread {
    slices: ThreadTrack,
    counters: Counters,
}

/// A piece of execution in one component.
#[derive(Debug, Clone, Copy)]
struct Execution {
    since: u64,
    thread: usize,
    component: u32,
    flow: Flow,
    drawn: bool,
}

/// Ranges of track numbers.
mod space {
    pub(super) const CORE: u64 = 1 << 32;
    pub(super) const THREAD: u64 = 2 << 32;
    pub(super) const COMPONENTS: u64 = 3 << 32;
    pub(super) const COMPONENT: u64 = 4 << 32;
}

/// The trace of `records`, complete from the first to the last.
pub fn draw<'r>(names: &Names, records: impl IntoIterator<Item = &'r Record>) -> Vec<u8> {
    let mut drawing = Drawing::new(names);
    for record in records {
        drawing.take(record);
    }
    drawing.finish()
}

impl<'n> Drawing<'n> {
    /// A trace with all tracks and nothing on them.
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
            let counters = Counters::new(named, names.urgency, track, &mut timeline);
            threads.push(Thread {
                slices: ThreadTrack::new(track, index as u32, thread.component),
                counters,
            });
        }
        timeline.folder(Track(space::COMPONENTS), "components");
        for (index, name) in names.components.iter().enumerate() {
            let track = Track(space::COMPONENT + index as u64);
            timeline.child(track, Track(space::COMPONENTS), name, index as u32);
        }
        Self {
            names,
            timeline,
            threads,
            arriving: None,
            running: None,
            lender: None,
            execution: None,
            now: 0,
        }
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
            self.switch(record.thread.is_some().then_some(thread));
        } else if thread < self.threads.len() {
            self.thread_record(thread, record);
        }
        self.follow_execution();
    }

    /// Ends all that is open and gives the trace's bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.draw_execution();
        if let Some(Execution { component, drawn: true, .. }) = self.execution {
            self.timeline.end(self.now, component_track(component));
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
            Kind::Return => self.leave(thread),
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
            Kind::Signal => {
                let name = self.names.notification(u32::from(record.object));
                self.instant(thread, &format!("signals {name}"));
            }
            Kind::HandOver => {
                let gate = self.names.gate(u32::from(record.object));
                self.instant(thread, &format!("is handed {gate}"));
            }
            Kind::Boost => self.boost(thread, record),
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
            Kind::Signal | Kind::Wait | Kind::Wake => self.begin_job(thread),
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
        if let Some(payer) = self.lender.or(self.running) {
            self.threads[payer].counters.charge(time);
        }
    }

    fn show_budget(&mut self) {
        if let Some(payer) = self.lender.or(self.running) {
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
        let Thread { slices, counters } = &mut self.threads[thread];
        if let Some(gate) = slices.leave(self.now, &mut self.timeline) {
            counters.left(self.now, gate, &mut self.timeline);
        }
    }

    fn lend(&mut self, thread: usize, lender: u16) {
        self.show_budget();
        self.lender = Some(usize::from(lender)).filter(|&lender| lender < self.threads.len());
        let text = format!("runs on the budget of {}", self.thread_name(lender));
        self.instant(thread, &text);
    }

    fn boost(&mut self, thread: usize, record: &Record) {
        let gate = u32::from(record.object);
        let urgency = self.names.urgency.told(record.value);
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

    fn switch(&mut self, to: Option<usize>) {
        self.show_budget();
        self.lender = None;
        if let Some(from) = self.running.filter(|&from| self.threads[from].slices.runs()) {
            self.state(from, State::Ready, "preempted");
        }
        self.running = to.filter(|&to| to < self.threads.len());
        if let Some(to) = self.running {
            if !self.threads[to].slices.in_job() {
                self.begin_job(to);
            }
            self.state(to, State::Running, "");
        }
    }

    /// Ends the present piece of execution and starts another if anything about it has changed.
    fn follow_execution(&mut self) {
        let running = self.running.filter(|&thread| self.threads[thread].slices.runs());
        let present = running.map(|thread| (thread, &self.threads[thread].slices));
        let present = present.map(|(thread, slices)| (thread, slices.component(), slices.flow()));
        if self.execution.map(|e| (e.thread, e.component, e.flow)) == present {
            return;
        }
        if let Some(Execution { component, drawn: true, .. }) = self.execution {
            self.timeline.end(self.now, component_track(component));
        }
        self.execution = present.map(|(thread, component, flow)| {
            let since = self.now;
            Execution { since, thread, component, flow, drawn: false }
        });
    }

    /// Draws the present piece once time has passed in it.
    fn draw_execution(&mut self) {
        if let Some(execution) = self.execution.as_mut().filter(|execution| !execution.drawn) {
            execution.drawn = true;
            let name = &self.names.threads[execution.thread].name;
            let track = component_track(execution.component);
            self.timeline.begin(execution.since, track, name, Some(execution.flow));
        }
    }
}

fn component_track(component: u32) -> Track {
    Track(space::COMPONENT + u64::from(component))
}
