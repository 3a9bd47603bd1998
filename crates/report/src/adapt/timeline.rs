//! Kernel records as rows of a timeline.
//!
//! Records tell changes, the page shows stretches. Each thread's state is
//! followed from record to record. Records may begin in the middle of a run: what
//! a thread was doing before its first record follows from that record, because a
//! thread that returns was inside, and one that is handed a gate was waiting.

use crate::view::{Lane, Mark, MarkKind, Span, State, Timeline, Urgency};
use fusee_kernel::{Kind, NOT_PREEMPTED, Record};
use fusee_model::{Duration, Policy, System, TaskId};

/// The job that the timeline is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Focus {
    pub(crate) task: TaskId,
    pub(crate) arrival: u64,
    pub(crate) completion: u64,
}

/// Returns the rows for a window of time around `focus`, tasks in the order of `order`.
pub(crate) fn timeline(
    system: &System,
    records: &[Record],
    focus: Focus,
    order: &[TaskId],
) -> Timeline {
    let last = records.last().map_or(focus.completion, |r| r.time).max(focus.completion);
    let all = follow(system, records, order, last);
    let first = records.first().map_or(focus.arrival, |r| r.time);
    let (start, end) = window(&all, focus, first, last);
    // Who only wants to run all the time tells nothing.
    let acts = |s: &Span| s.end > start && s.start < end && !matches!(s.state, State::Ready(_));
    let shown =
        all.into_iter().filter(|(id, lane)| *id == focus.task || lane.spans.iter().any(acts));
    let (ids, lanes): (Vec<TaskId>, Vec<Lane>) = shown.unzip();
    let row = ids.iter().position(|&id| id == focus.task);
    Timeline {
        caption: caption(&system.task(focus.task).name, focus, start),
        start,
        end,
        focus: row.map(|row| (row, focus.arrival, focus.completion)),
        lanes,
        names: system.tasks.iter().map(|task| task.name.clone()).collect(),
    }
}

/// Returns all tasks' rows, from the first record to `last`.
fn follow(system: &System, records: &[Record], order: &[TaskId], last: u64) -> Vec<(TaskId, Lane)> {
    let mut threads: Vec<Thread> =
        system.tasks.iter().map(|task| Thread::new(task.component.index())).collect();
    let cores = system.cores() as usize;
    let mut follower = Follower { system, running: vec![None; cores], threads: &mut threads };
    for record in records {
        follower.take(record, records[0].time);
    }
    let lane = |&id: &TaskId| {
        let task = system.task(id);
        let lane = threads[id.index()].finish(&task.name, task.deadline.map(|d| d.value), last);
        (id, Lane { core: (cores > 1).then_some(task.core), ..lane })
    };
    let mut order = order.to_vec();
    order.sort_by_key(|&id| system.task(id).core);
    order.iter().map(lane).collect()
}

/// Returns the time to show: the job with as much before it, or its end if there is too much to
/// see.
fn window(lanes: &[(TaskId, Lane)], focus: Focus, first: u64, last: u64) -> (u64, u64) {
    let response = focus.completion.saturating_sub(focus.arrival);
    let start = focus.arrival.saturating_sub(response).max(first).min(focus.arrival);
    let end = focus.completion.saturating_add(response / 8).min(last);
    let late = late_start(lanes, end).min(focus.completion);
    if late <= start {
        return (start, end);
    }
    (late, focus.completion.saturating_add((focus.completion - late) / 8).min(end))
}

fn caption(name: &str, focus: Focus, start: u64) -> String {
    let (arrival, response) =
        (Duration(focus.arrival), Duration(focus.completion.saturating_sub(focus.arrival)));
    let part = if start > focus.arrival { " Only its end is shown." } else { "" };
    format!(
        "The job of {name} that arrives at {arrival} takes {response}: its longest response in the \
         run.{part}"
    )
}

/// More stretches than this cannot be told apart.
const MOST_SPANS: usize = 400;

/// Returns the instant from which no more than [`MOST_SPANS`] stretches of execution begin before
/// `end`.
fn late_start(lanes: &[(TaskId, Lane)], end: u64) -> u64 {
    let executes = |span: &&Span| matches!(span.state, State::Running(_)) && span.start < end;
    let mut starts: Vec<u64> = lanes
        .iter()
        .flat_map(|(_, lane)| lane.spans.iter().filter(executes).map(|span| span.start))
        .collect();
    starts.sort_unstable();
    starts.len().checked_sub(MOST_SPANS).map_or(0, |excess| starts[excess])
}

struct Thread {
    home: usize,
    /// Gates that it is inside, outermost first, with their components.
    inside: Vec<usize>,
    state: Option<Phase>,
    /// The gate between cores at which it has asked.
    asked: Option<usize>,
    since: u64,
    /// `true` if a record has told what it does.
    known: bool,
    queued: u64,
    spans: Vec<Span>,
    marks: Vec<Mark>,
    arrivals: Vec<u64>,
    completions: Vec<u64>,
}

/// The state of a thread during a job; `None` stands for no job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    Ready,
    Waiting(usize),
    Event,
    Suspended,
    /// Its core executes this task's section, in this component.
    Helping(usize, usize),
    /// Its section goes on in this task's time.
    Elsewhere(usize),
}

impl Thread {
    fn new(home: usize) -> Thread {
        let (inside, spans, marks, arrivals, completions) =
            (vec![], vec![], vec![], vec![], vec![]);
        Thread {
            home,
            inside,
            state: None,
            asked: None,
            since: 0,
            known: false,
            queued: 0,
            spans,
            marks,
            arrivals,
            completions,
        }
    }

    /// Ends the present stretch at `time`.
    fn cut(&mut self, time: u64) {
        let component = self.inside.last().copied().unwrap_or(self.home);
        let state = match self.state {
            None => None,
            Some(Phase::Running) => Some(State::Running(component)),
            Some(Phase::Ready) => Some(State::Ready(component)),
            Some(Phase::Waiting(gate)) => Some(State::Waiting(gate)),
            Some(Phase::Event) => Some(State::Event),
            Some(Phase::Suspended) => Some(State::Suspended),
            Some(Phase::Helping(owner, component)) => Some(State::Helping { component, owner }),
            Some(Phase::Elsewhere(payer)) => Some(State::Elsewhere { component, payer }),
        };
        if let Some(state) = state
            && time > self.since
        {
            match self.spans.last_mut() {
                Some(last) if last.end == self.since && last.state == state => last.end = time,
                _ => self.spans.push(Span { start: self.since, end: time, state }),
            }
        }
        self.since = time;
    }

    fn become_(&mut self, time: u64, state: Option<Phase>) {
        self.cut(time);
        self.state = state;
        self.known = true;
    }

    /// A first record that shows what the thread has been doing since the records began.
    fn assume(&mut self, first: u64, state: Phase) {
        if !self.known {
            (self.since, self.state, self.known) = (first, Some(state), true);
        }
    }

    /// A return from a gate whose entry came before the records: all so far was inside.
    fn leave(&mut self, time: u64, component: usize) {
        self.cut(time);
        if self.inside.pop().is_none() {
            for span in &mut self.spans {
                match &mut span.state {
                    State::Running(c) | State::Ready(c) if *c == self.home => *c = component,
                    _ => {}
                }
            }
        }
    }

    fn finish(&mut self, name: &str, deadline: Option<Duration>, last: u64) -> Lane {
        self.cut(last);
        let mut marks = std::mem::take(&mut self.marks);
        for (job, &arrival) in self.arrivals.iter().enumerate() {
            marks.push(Mark { time: arrival, kind: MarkKind::Release });
            let Some(due) = deadline.and_then(|d| arrival.checked_add(d.ns())) else { continue };
            marks.push(Mark { time: due, kind: MarkKind::Deadline });
            // Jobs of a task complete in the order of their arrivals; those under way at the first
            // record come first.
            let skipped = self.completions.len().saturating_sub(self.arrivals.len());
            let done = self.completions.get(job + skipped).copied();
            if done.map_or(last > due, |done| done > due) {
                marks.push(Mark { time: due, kind: MarkKind::Miss });
            }
        }
        marks
            .extend(self.completions.iter().map(|&time| Mark { time, kind: MarkKind::Completion }));
        marks.sort_by_key(|mark| mark.time);
        Lane {
            task: name.to_owned(),
            core: None,
            home: self.home,
            spans: std::mem::take(&mut self.spans),
            marks,
        }
    }
}

struct Follower<'a> {
    system: &'a System,
    /// The thread that each core has chosen.
    running: Vec<Option<usize>>,
    threads: &'a mut [Thread],
}

/// Returns the urgency that a thread inherits, from the value of a record.
fn inherited(policy: Policy, value: u64) -> Urgency {
    match policy {
        Policy::FixedPriority => Urgency::Priority(u8::try_from(value).unwrap_or(u8::MAX)),
        Policy::EarliestDeadline if value == NOT_PREEMPTED => Urgency::Top,
        Policy::EarliestDeadline => Urgency::Deadline(value),
    }
}

/// Returns the scheduling policy of a thread's core; no task stands behind those that yield to all.
fn policy_of(system: &System, thread: usize) -> Policy {
    system.policy_on(system.tasks.get(thread).map_or(0, |task| task.core))
}

impl Follower<'_> {
    fn take(&mut self, record: &Record, first: u64) {
        let (time, index) = (record.time, record.thread.at());
        if record.kind == Kind::Switch {
            // Where there is one core, its records do not say which.
            let core = if self.running.len() > 1 { usize::from(record.object) } else { 0 };
            self.switch((time, core), record.thread.is_some().then_some(index), first);
            return;
        }
        let gate = usize::from(record.object);
        let component = self.system.gates.get(gate).map(|g| g.component.index());
        let Some(thread) = self.threads.get_mut(index) else { return };
        match record.kind {
            Kind::Release => {
                thread.arrivals.push(record.value);
                if thread.state.is_none() {
                    thread.become_(time, Some(Phase::Ready));
                }
            }
            Kind::Queue => thread.queued = record.value,
            Kind::Lose => {
                thread.arrivals.pop();
            }
            Kind::Complete => {
                thread.assume(first, Phase::Running);
                thread.completions.push(time);
                let next = (thread.queued > 0).then_some(Phase::Ready);
                thread.queued = thread.queued.saturating_sub(1);
                thread.become_(time, next);
                thread.inside.clear();
            }
            Kind::Block => {
                thread.assume(first, Phase::Running);
                thread.become_(time, Some(Phase::Waiting(gate)));
            }
            Kind::HandOver | Kind::Retry => {
                thread.assume(first, Phase::Waiting(gate));
                thread.become_(time, Some(Phase::Ready));
            }
            Kind::Enter => {
                thread.assume(first, Phase::Running);
                thread.cut(time);
                thread.inside.extend(component);
            }
            Kind::Return => {
                thread.assume(first, Phase::Running);
                if let Some(component) = component {
                    thread.leave(time, component);
                }
                self.come_back(time, index);
            }
            Kind::Fault | Kind::Abort => {
                thread.cut(time);
                thread.inside.truncate(record.value as usize);
            }
            Kind::Wait => thread.become_(time, Some(Phase::Event)),
            Kind::Wake => thread.become_(time, Some(Phase::Ready)),
            Kind::Suspend => thread.become_(time, Some(Phase::Suspended)),
            Kind::Boost => {
                let urgency = inherited(policy_of(self.system, index), record.value);
                thread.marks.push(Mark { time, kind: MarkKind::Boost(urgency) });
            }
            // Whether a job was late is told by its end; of the rest a lane shows nothing.
            Kind::Switch | Kind::Defer | Kind::Miss | Kind::Signal => {}
            Kind::Post | Kind::Throttle => {}
            Kind::Overrun | Kind::Lend | Kind::Rotate => {}
            Kind::Ask => {
                thread.assume(first, Phase::Running);
                thread.cut(time);
                thread.inside.extend(component);
                thread.asked = Some(gate);
                if record.value > 0 {
                    thread.become_(time, Some(Phase::Waiting(gate)));
                }
            }
            Kind::Turn => thread.become_(time, Some(Phase::Ready)),
            Kind::Take | Kind::LayDown | Kind::Finish => self.section(record, component),
        }
    }

    /// A thread that has asked at a gate between cores comes back, and goes on if its core has
    /// chosen it.
    fn come_back(&mut self, time: u64, index: usize) {
        let thread = &mut self.threads[index];
        if thread.asked.take().is_some() {
            let runs = self.running.contains(&Some(index));
            thread.become_(time, Some(if runs { Phase::Running } else { Phase::Ready }));
        }
    }

    /// In a thread's time its core executes an owner's section from now on, or no longer.
    fn section(&mut self, record: &Record, component: Option<usize>) {
        let (time, payer, owner) = (record.time, record.thread.at(), record.value as usize);
        let gate = usize::from(record.object);
        if owner >= self.threads.len() {
            return;
        }
        let waits = Some(Phase::Waiting(gate));
        match record.kind {
            Kind::Take if owner == payer => {
                self.threads[owner].become_(time, Some(Phase::Running));
            }
            Kind::Take => {
                let helps = Phase::Helping(owner, component.unwrap_or(0));
                self.threads[payer].become_(time, Some(helps));
                self.threads[owner].become_(time, Some(Phase::Elsewhere(payer)));
            }
            // Where its own core has executed it, that has chosen another, or goes on with it.
            _ if owner == payer => {}
            _ => {
                self.threads[owner].become_(time, waits);
                if matches!(self.threads[payer].state, Some(Phase::Helping(..))) {
                    self.threads[payer].become_(time, waits);
                }
            }
        }
    }

    fn switch(&mut self, (time, core): (u64, usize), to: Option<usize>, first: u64) {
        let Some(running) = self.running.get_mut(core) else { return };
        if let Some(from) = running.take() {
            let thread = &mut self.threads[from];
            if matches!(thread.state, Some(Phase::Running | Phase::Helping(..))) {
                thread.become_(time, Some(Phase::Ready));
            }
        }
        let Some(to) = to.filter(|&to| to < self.threads.len()) else { return };
        let thread = &mut self.threads[to];
        *running = Some(to);
        thread.assume(first, Phase::Ready);
        match thread.asked {
            None => thread.become_(time, Some(Phase::Running)),
            // It has its core, and waits until somebody executes its section.
            Some(gate) if thread.state == Some(Phase::Ready) => {
                thread.become_(time, Some(Phase::Waiting(gate)));
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
