//! One core in unit steps: jobs arrive, wait, take turns and end.
//!
//! Who is more urgent, and what a gate does, is a policy's, which computes it anew from its
//! definition each time: no queue, no tree, no floor in a frame.

use std::collections::VecDeque;

use fusee_kernel::{NEVER, Time};

use crate::scripted::{BACKLOG, END, Op, Schedule};

/// When a task's jobs arrive, and what each does.
pub(crate) struct Task<'d> {
    pub(crate) period: Time,
    pub(crate) offset: Time,
    pub(crate) script: &'d [Op],
}

/// The definition of a policy and of its gates' protocols.
pub(crate) trait Definition: Sized {
    /// The greater comes first.
    type Urgency: Copy + Ord;

    /// Derives the urgency of each task, from nothing.
    fn derive(&self, core: &Core<'_, Self>) -> Vec<Self::Urgency>;
    /// Returns the gate that is in a task's way to another one; none: it enters.
    fn bar(&self, core: &Core<'_, Self>, task: usize, gate: usize) -> Option<usize>;
    /// Returns `true` if a thread that waits at a gate queues anew when its urgency changes.
    fn orders(&self, gate: usize) -> bool;
    /// Returns `true` if a gate that is left lets all who wait ask again, instead of going to the
    /// first.
    fn is_asked_again(&self, gate: usize) -> bool;
    /// Returns `true` if holding a gate keeps a task on the core when its time slice is over.
    fn pins(&self, gate: usize) -> bool;
    /// A job begins.
    fn begin(&mut self, task: usize);
    /// A job has to wait at a gate.
    fn wait(&mut self, jobs: &[Job], task: usize, gate: usize);
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Job {
    /// Nominal arrivals, that of the job under way first.
    pub(crate) arrivals: VecDeque<Time>,
    at: usize,
    /// Gates held, and since when.
    pub(crate) held: Vec<(usize, Time)>,
    /// The held gate that is in its way.
    pub(crate) waits: Option<usize>,
    /// Place among equals, in the ready queue or at a gate.
    place: i64,
    slice: Time,
}

impl Job {
    pub(crate) fn holds(&self, gate: usize) -> bool {
        self.held.iter().any(|held| held.0 == gate)
    }

    fn is_ready(&self) -> bool {
        !self.arrivals.is_empty() && self.waits.is_none()
    }
}

/// Places before and behind all that there are.
#[derive(Default)]
struct Places {
    first: i64,
    last: i64,
}

impl Places {
    fn before_all(&mut self) -> i64 {
        self.first -= 1;
        self.first
    }

    fn behind_all(&mut self) -> i64 {
        self.last += 1;
        self.last
    }
}

pub(crate) struct Core<'d, D: Definition> {
    tasks: Vec<Task<'d>>,
    slice: Time,
    pub(crate) jobs: Vec<Job>,
    urgencies: Vec<D::Urgency>,
    running: Option<usize>,
    places: Places,
    now: Time,
    schedule: Schedule,
}

/// Returns the schedule of these tasks.
pub(crate) fn schedule<D: Definition>(
    definition: &mut D,
    tasks: Vec<Task<'_>>,
    slice: Time,
) -> Schedule {
    let (jobs, schedule) = (vec![Job::default(); tasks.len()], Schedule::default());
    let (running, places, now, urgencies) = (None, Places::default(), 0, Vec::new());
    let mut core = Core { tasks, slice, jobs, urgencies, running, places, now, schedule };
    core.urgencies = definition.derive(&core);
    while core.now < END {
        core.tick(definition);
    }
    core.schedule
}

impl<D: Definition> Core<'_, D> {
    pub(crate) fn holder(&self, gate: usize) -> Option<usize> {
        self.jobs.iter().position(|job| job.holds(gate))
    }

    /// Whoever runs has done all that takes no time, and all that are due have come, before it
    /// works for a tick.
    fn tick(&mut self, definition: &mut D) {
        let mut due: VecDeque<_> = (0..self.tasks.len()).filter(|&n| self.is_due(n)).collect();
        loop {
            match self.running {
                Some(task) if self.op(task) != Some(Op::Work) => self.step(definition, task),
                _ if !due.is_empty() => {
                    due.pop_front().into_iter().for_each(|task| self.release(definition, task))
                }
                Some(task) if self.jobs[task].slice == 0 => self.rotate(definition, task),
                _ => break,
            }
            self.settle(definition);
        }
        self.schedule.ticks.push(self.running);
        if let Some(task) = self.running {
            let job = &mut self.jobs[task];
            job.at += 1;
            job.slice = if job.slice == NEVER { NEVER } else { job.slice - 1 };
        }
        self.now += 1;
    }

    fn is_due(&self, task: usize) -> bool {
        let Task { period, offset, .. } = self.tasks[task];
        self.now >= offset && (self.now - offset).is_multiple_of(period)
    }

    fn op(&self, task: usize) -> Option<Op> {
        self.tasks[task].script.get(self.jobs[task].at).copied()
    }

    fn release(&mut self, definition: &mut D, task: usize) {
        let job = &mut self.jobs[task];
        // The job under way does not count among those that wait.
        if job.arrivals.len() <= usize::from(BACKLOG) {
            job.arrivals.push_back(self.now);
        }
        if job.arrivals.len() == 1 {
            self.begin(definition, task);
        }
    }

    fn begin(&mut self, definition: &mut D, task: usize) {
        self.jobs[task].at = 0;
        self.jobs[task].slice = self.slice;
        definition.begin(task);
        self.urgencies[task] = definition.derive(self)[task];
        self.jobs[task].place = self.places.behind_all();
    }

    fn step(&mut self, definition: &mut D, task: usize) {
        match self.op(task) {
            Some(Op::Enter(gate)) => match definition.bar(self, task, gate) {
                None => self.enter(task, gate),
                Some(bar) => {
                    self.jobs[task].waits = Some(bar);
                    definition.wait(&self.jobs, task, bar);
                    self.jobs[task].place = self.places.behind_all();
                    self.running = None;
                }
            },
            Some(Op::Leave) => {
                self.jobs[task].at += 1;
                let (gate, _) = self.jobs[task].held.pop().expect("a gate");
                self.urgencies[task] = definition.derive(self)[task];
                self.free(definition, gate);
            }
            Some(Op::Work) => {}
            None => {
                let arrival = self.jobs[task].arrivals.pop_front().expect("a job");
                self.schedule.completions.push((self.now, task, self.now - arrival));
                self.running = None;
                self.urgencies[task] = definition.derive(self)[task];
                if !self.jobs[task].arrivals.is_empty() {
                    self.begin(definition, task);
                }
            }
        }
    }

    fn enter(&mut self, task: usize, gate: usize) {
        self.jobs[task].held.push((gate, self.now));
        self.jobs[task].at += 1;
    }

    /// A gate is free: the first who waits gets it, or, where it has barred others, each asks anew.
    fn free(&mut self, definition: &mut D, gate: usize) {
        let mut waiters: Vec<usize> =
            (0..self.jobs.len()).filter(|&task| self.jobs[task].waits == Some(gate)).collect();
        waiters.sort_by_key(|&task| {
            let urgency = definition.orders(gate).then_some(self.urgencies[task]);
            (std::cmp::Reverse(urgency), self.jobs[task].place)
        });
        if definition.is_asked_again(gate) {
            for task in waiters {
                self.jobs[task].waits = None;
                self.jobs[task].place = self.places.behind_all();
            }
        } else if let Some(&next) = waiters.first() {
            self.jobs[next].waits = None;
            self.enter(next, gate);
            // Who has preferred a gate before goes on with what it has begun.
            let nested = self.jobs[next].held.len() > 1;
            self.jobs[next].place =
                if nested { self.places.before_all() } else { self.places.behind_all() };
            self.urgencies[next] = definition.derive(self)[next];
        }
    }

    /// Urgencies take effect, then the most urgent runs.
    fn settle(&mut self, definition: &D) {
        for (task, urgency) in definition.derive(self).into_iter().enumerate() {
            if urgency == self.urgencies[task] {
                continue;
            }
            self.urgencies[task] = urgency;
            match self.jobs[task].waits {
                // It queues anew, behind its equals there.
                Some(gate) if definition.orders(gate) => {
                    self.jobs[task].place = self.places.behind_all();
                }
                None if self.running != Some(task) => {
                    self.jobs[task].place = self.places.before_all();
                }
                _ => {}
            }
        }
        let rank = |&task: &usize| (std::cmp::Reverse(self.urgencies[task]), self.jobs[task].place);
        let best = self.others(self.running).min_by_key(rank);
        match (self.running, best) {
            (Some(current), Some(best)) if self.urgencies[best] > self.urgencies[current] => {
                self.jobs[current].place = self.places.before_all();
                self.running = Some(best);
            }
            (None, best) => self.running = best,
            _ => {}
        }
    }

    /// Iterates over the ready tasks beside one.
    fn others(&self, but: Option<usize>) -> impl Iterator<Item = usize> {
        let ready = move |&task: &usize| Some(task) != but && self.jobs[task].is_ready();
        (0..self.jobs.len()).filter(ready)
    }

    /// A time slice is over.
    fn rotate(&mut self, definition: &D, task: usize) {
        self.jobs[task].slice = self.slice;
        let pinned = self.jobs[task].held.iter().any(|held| definition.pins(held.0));
        let equal =
            self.others(Some(task)).any(|other| self.urgencies[other] == self.urgencies[task]);
        if equal && !pinned {
            self.jobs[task].place = self.places.behind_all();
            self.running = None;
        }
    }
}
