//! A thread's track: its job, the gates that it is inside, what it waits for.
//!
//! The slices of a track nest, and so do a job, its invocations, and whatever
//! keeps the thread from running. The innermost slice says why the thread does
//! not execute; where there is none, it does. Beside its own track, a thread
//! draws the pieces in which it executes onto the tracks of the components it
//! visits. These pieces carry the job's flow, so that the viewer draws one line
//! through all the components, which is what a migrating thread is.

use crate::track::{Flow, Timeline, Track};

/// The state of a thread: executing, or the reason why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It has no job.
    Idle,
    /// It executes now.
    Running,
    /// It could, but somebody else does.
    Ready,
    /// It waits at a gate.
    AtGate(u32),
    /// It waits for a notification.
    ForEvent(u32),
    /// Its budget is used up.
    Suspended,
    /// It executes the section of this thread, in its own time.
    Helping(usize),
    /// Its section goes on on another core, in the time of another thread.
    Elsewhere,
}

/// The open slices on a thread's track.
#[derive(Debug, Clone)]
pub(crate) struct ThreadTrack {
    pub(crate) track: Track,
    thread: u32,
    home: u32,
    /// Jobs started so far.
    job: u64,
    /// Gates entered and the components behind them, outermost first.
    inside: Vec<(u32, u32)>,
    in_job: bool,
    state: State,
    /// The innermost slice: a state other than running.
    leaf: bool,
}

impl ThreadTrack {
    /// Returns a thread without a job.
    pub(crate) fn new(track: Track, thread: u32, home: u32) -> Self {
        let inside = Vec::new();
        Self { track, thread, home, job: 0, inside, in_job: false, state: State::Idle, leaf: false }
    }

    /// Returns the flow of its present job.
    pub(crate) fn flow(&self) -> Flow {
        Flow(u64::from(self.thread) << 40 | self.job)
    }

    /// Returns the component in which it is.
    pub(crate) fn component(&self) -> u32 {
        self.inside.last().map_or(self.home, |&(_, component)| component)
    }

    /// Returns `true` if its core executes something in its time.
    pub(crate) fn has_core(&self) -> bool {
        matches!(self.state, State::Running | State::Helping(_))
    }

    /// Returns `true` if a job is under way.
    pub(crate) fn in_job(&self) -> bool {
        self.in_job
    }

    /// A job begins.
    pub(crate) fn begin_job(&mut self, at: u64, name: &str, timeline: &mut Timeline) {
        if self.in_job {
            return;
        }
        self.job += 1;
        self.in_job = true;
        timeline.begin(at, self.track, name, Some(self.flow()));
    }

    /// The job ends, with everything that is open in it.
    pub(crate) fn end_job(&mut self, at: u64, timeline: &mut Timeline) {
        self.close_leaf(at, timeline);
        while self.inside.pop().is_some() {
            timeline.end(at, self.track);
        }
        if std::mem::take(&mut self.in_job) {
            timeline.end(at, self.track);
        }
        self.state = State::Idle;
    }

    /// Through a gate into the component behind it.
    pub(crate) fn enter(&mut self, at: u64, gate: (u32, u32), name: &str, timeline: &mut Timeline) {
        self.close_leaf(at, timeline);
        self.inside.push(gate);
        timeline.begin(at, self.track, name, None);
    }

    /// Back from the innermost gate, whose number is the answer; nothing when its entry was never
    /// seen.
    pub(crate) fn leave(&mut self, at: u64, timeline: &mut Timeline) -> Option<u32> {
        self.close_leaf(at, timeline);
        let (gate, _) = self.inside.pop()?;
        timeline.end(at, self.track);
        Some(gate)
    }

    /// Returns the number of gates that it is inside, of those whose entry was seen.
    pub(crate) fn depth(&self) -> usize {
        self.inside.len()
    }

    /// A new state; `name` is the slice's.
    pub(crate) fn become_(&mut self, at: u64, state: State, name: &str, timeline: &mut Timeline) {
        if self.state == state && (self.leaf || !shown(state)) {
            return;
        }
        self.close_leaf(at, timeline);
        self.state = state;
        if shown(state) {
            timeline.begin(at, self.track, name, None);
            self.leaf = true;
        }
    }

    /// Returns the present state.
    pub(crate) fn state(&self) -> State {
        self.state
    }

    fn close_leaf(&mut self, at: u64, timeline: &mut Timeline) {
        if std::mem::take(&mut self.leaf) {
            timeline.end(at, self.track);
        }
    }
}

fn shown(state: State) -> bool {
    !matches!(state, State::Idle | State::Running)
}
