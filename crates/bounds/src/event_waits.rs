//! The waits for events in the middle of a job that have a bound.
//!
//! A job that waits is suspended: what is said of jobs that wait suspended (module `suspension`)
//! holds of it, with the wait's length as the time in which it is. A signal that has come before
//! stays, so a wait ends with the next that comes, or has none. Two things bound when one does:
//!
//! - *By the clock.* A periodic task whose every job signals has one that arrives within a period
//!   T, whenever the wait begins, and it signals within its response R: T + R.
//! - *As an answer.* The job itself has signalled since it last waited for the event, and that
//!   releases a task whose every job signals it: that comes within D + R of the job's own signal, D
//!   being how long the kernel defers the release (module `event_arrivals`). No wait but this one
//!   can have used up the answer.
//!
//! Either goes on over further tasks that release each other, with D + R for each, and from core to
//! core with how long a look is pending.
//!
//! *Several who wait.* The kernel wakes the first waiter, by priority. So who waits by the clock
//! may have to let others go first, as often as they wait in the meantime; an answer that somebody
//! else can take has no bound. Nobody else can where all wait within the same exclusive gate: it
//! lets one in at a time, who has asked and been answered before the next comes.
//!
//! *In a gate.* Who waits inside an exclusive gate keeps others out for as long (module `held`).
//! Known is that of `inherited` and `fixed` gates where priorities decide, if the waiting thread
//! holds no other.

use fusee_model::derived::Derived;
use fusee_model::{
    Body, GateId, NotificationId, Policy, Protocol, ReleaseKind, Step, System, TaskId,
};

use crate::event_wait::{EventWait, Way};

/// So many tasks are followed that release each other.
const DEEPEST: usize = 6;

/// Steps of one job that are looked at.
const MOST_STEPS: usize = 10_000;

/// The waits of one section of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) task: TaskId,
    /// The how manieth of the task's job it is.
    number: usize,
    pub(crate) waits: Vec<EventWait>,
}

/// The waits of a system.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventWaits {
    /// By task; none where one of them has no bound.
    jobs: Vec<Vec<EventWait>>,
    /// By gate, the sections in which its holder waits.
    sections: Vec<Vec<Section>>,
}

impl EventWaits {
    /// Returns the waits of a system of which each is known, with the tasks that they keep out.
    pub(crate) fn of(system: &System, derived: &Derived, can_look: bool) -> Self {
        let any = system.gates.iter().flat_map(|gate| &gate.methods).map(|method| &method.body);
        let mut bodies = any.chain(system.tasks.iter().map(|task| &task.body));
        let none = Self {
            jobs: vec![Vec::new(); system.tasks.len()],
            sections: vec![Vec::new(); system.gates.len()],
        };
        // Most systems have no waits in jobs, and need not pay for following each step of them.
        if !bodies.any(|body| body.steps.iter().any(is_wait)) {
            return none;
        }
        let traces = system.task_ids().map(|(id, _)| Trace::of(system, derived, id)).collect();
        let mut found = Finder { system, traces, can_look }.found(none);
        found.forget_nested(system, derived);
        found
    }

    /// Forgets the waits that keep tasks out which hold another gate: such a task would keep others
    /// out for as long.
    fn forget_nested(&mut self, system: &System, derived: &Derived) {
        for (outer, _) in system.gate_ids().filter(|(_, gate)| gate.is_exclusive()) {
            for gate in derived.within(outer) {
                for section in std::mem::take(&mut self.sections[gate.index()]) {
                    self.jobs[section.task.index()].clear();
                }
            }
        }
        // A task without known waits has no known sections anywhere.
        for sections in &mut self.sections {
            sections.retain(|section| !self.jobs[section.task.index()].is_empty());
        }
    }

    /// Returns a task's, with those inside of gates; none where one of them has no bound.
    pub(crate) fn of_task(&self, task: TaskId) -> &[EventWait] {
        &self.jobs[task.index()]
    }

    /// Returns the sections at a gate in which its holder waits.
    pub(crate) fn sections(&self, gate: GateId) -> &[Section] {
        &self.sections[gate.index()]
    }
}

fn is_wait(step: &Step) -> bool {
    matches!(step, Step::Wait(_))
}

/// An action of a job on events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Emit(NotificationId),
    Wait(NotificationId),
}

/// An action, and where: inside of which exclusive gate, and the how manieth of its sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Traced {
    action: Action,
    held: Option<(GateId, usize)>,
}

/// The actions of a job in their order.
#[derive(Debug, Default)]
struct Trace {
    actions: Vec<Traced>,
    sections: usize,
    steps: usize,
}

impl Trace {
    /// Returns the trace of a task; `None`: it is not known, or a wait in it is where nothing is
    /// known of waits.
    fn of(system: &System, derived: &Derived, id: TaskId) -> Option<Trace> {
        let task = system.task(id);
        let knows = system.schedulers.is_empty() && !derived.task(id).cyclic;
        let mut trace = Trace::default();
        trace.follow(system, &task.body, &[]).filter(|()| knows)?;
        let kept = |one: &Traced| matches!(one.action, Action::Wait(_)) && one.held.is_some();
        // What a wait inside of a gate does to others is known only where priorities decide.
        let by_priority = system.policy_on(task.core) == Policy::FixedPriority;
        (by_priority || !trace.actions.iter().any(kept)).then_some(trace)
    }

    /// Adds a body; `held`: the exclusive gates that its thread is in, each with its section.
    fn follow(&mut self, system: &System, body: &Body, held: &[(GateId, usize)]) -> Option<()> {
        for step in &body.steps {
            self.steps += 1;
            // A method is followed each time that it is invoked, so the steps of a job may grow
            // without measure.
            if self.steps > MOST_STEPS {
                return None;
            }
            let action = match *step {
                Step::Emit(event) => Action::Emit(event),
                Step::Wait(event) => Action::Wait(event),
                Step::Invoke { gate, method, .. } => {
                    self.invoke(system, (gate, method), held)?;
                    continue;
                }
                Step::Compute { .. } => continue,
            };
            if matches!(action, Action::Wait(_)) && !may_wait(system, held) {
                return None;
            }
            self.actions.push(Traced { action, held: held.first().copied() });
        }
        Some(())
    }

    fn invoke(
        &mut self,
        system: &System,
        (gate, method): (GateId, Option<usize>),
        held: &[(GateId, usize)],
    ) -> Option<()> {
        // A system that was not read from a description may name what it has not.
        let described = system.gates.get(gate.index())?;
        let mut inside = held.to_vec();
        if described.is_exclusive() {
            self.sections += 1;
            inside.push((gate, self.sections));
        }
        let only = (described.methods.len() == 1).then_some(0);
        if let Some(method) = method.or(only) {
            return self.follow(system, &described.methods.get(method)?.body, &inside);
        }
        // One of them: then nothing may depend on which.
        described.methods.iter().try_for_each(|method| {
            let before = self.actions.len();
            self.follow(system, &method.body, &inside)?;
            let waits = |one: &Traced| matches!(one.action, Action::Wait(_));
            let known = !self.actions[before..].iter().any(waits);
            // The method may be another one in the next job, so nothing that it signals counts as
            // certain.
            self.actions.truncate(before);
            known.then_some(())
        })
    }

    fn waits_for(&self, event: NotificationId) -> impl Iterator<Item = &Traced> {
        self.actions.iter().filter(move |one| one.action == Action::Wait(event))
    }
}

/// Returns `true` if the effect of a wait inside these gates on others is known.
fn may_wait(system: &System, held: &[(GateId, usize)]) -> bool {
    match held {
        [] => true,
        [(gate, _)] => {
            let protocol = system.gate(*gate).protocol.value;
            matches!(protocol, Protocol::Inherited | Protocol::Fixed)
        }
        _ => false,
    }
}

struct Finder<'a> {
    system: &'a System,
    traces: Vec<Option<Trace>>,
    /// `true` if it is known how long a core takes to look for signals of others.
    can_look: bool,
}

impl Finder<'_> {
    fn found(&self, mut waits: EventWaits) -> EventWaits {
        let of_task = |(id, _): (TaskId, _)| self.of_task(id);
        let known: Vec<Option<Vec<(Traced, EventWait)>>> =
            self.system.task_ids().map(of_task).collect();
        for (task, known) in known.into_iter().enumerate() {
            let task = TaskId::from(task);
            for (traced, wait) in known.into_iter().flatten() {
                if let Some((gate, number)) = traced.held {
                    let sections = &mut waits.sections[gate.index()];
                    let same = |last: &&mut Section| last.task == task && last.number == number;
                    match sections.last_mut().filter(same) {
                        Some(last) => last.waits.push(wait.clone()),
                        None => {
                            sections.push(Section { task, number, waits: vec![wait.clone()] });
                        }
                    }
                }
                waits.jobs[task.index()].push(wait);
            }
        }
        waits
    }

    /// All waits of a job; `None`: one has no bound.
    fn of_task(&self, id: TaskId) -> Option<Vec<(Traced, EventWait)>> {
        let trace = self.traces[id.index()].as_ref()?;
        let waits = trace.actions.iter().enumerate().filter_map(|(at, traced)| {
            let Action::Wait(event) = traced.action else { return None };
            Some(self.wait(id, (at, traced.held), event).map(|wait| (*traced, wait)))
        });
        waits.collect()
    }

    fn wait(
        &self,
        waiter: TaskId,
        (at, held): (usize, Option<(GateId, usize)>),
        event: NotificationId,
    ) -> Option<EventWait> {
        let others = self.others(waiter, event)?;
        let own_gate = held.map(|(gate, _)| gate);
        let one_at_a_time = own_gate.is_some()
            && self.all_waits(event).all(|one| one.held.map(|(gate, _)| gate) == own_gate);
        let alone = others.is_empty();
        let actions = &self.traces[waiter.index()].as_ref()?.actions[..at];
        // What was signalled before the last wait for this event may have been answered by then.
        let since = actions.iter().rposition(|one| one.action == Action::Wait(event));
        let since = &actions[since.map_or(0, |last| last + 1)..];
        let asked: Vec<NotificationId> = since
            .iter()
            // Somebody else could take the answer, unless one section holds both the question and
            // the wait.
            .filter(|one| alone || one_at_a_time && one.held == held)
            .filter_map(|one| match one.action {
                Action::Emit(event) => Some(event),
                Action::Wait(_) => None,
            })
            .collect();
        let mut ways = Vec::new();
        self.follow(event, (waiter, &asked), &mut Vec::new(), &mut ways);
        // Within one gate nobody else waits at the same time.
        let rivals = if one_at_a_time { Vec::new() } else { self.first(waiter, event, others) };
        // Without any way nobody knows when the signal comes.
        (!ways.is_empty()).then_some(EventWait { waiter, event, ways, rivals })
    }

    fn all_waits(&self, event: NotificationId) -> impl Iterator<Item = &Traced> {
        self.traces.iter().flatten().flat_map(move |trace| trace.waits_for(event))
    }

    /// Other tasks that wait for an event, with how often a job does; `None`: not known.
    fn others(&self, waiter: TaskId, event: NotificationId) -> Option<Vec<(TaskId, u64)>> {
        let mut found = Vec::new();
        for (id, _) in self.system.task_ids().filter(|&(id, _)| id != waiter) {
            let count = match &self.traces[id.index()] {
                // A task that could not be followed may take the event as often as it likes.
                None if self.system.awaited_by(id).contains(&event) => return None,
                None => 0,
                Some(trace) => trace.waits_for(event).count() as u64,
            };
            found.extend((count > 0).then_some((id, count)));
        }
        Some(found)
    }

    /// Returns those of them that the kernel wakes first: by priority, to which a task inside of a
    /// gate may be raised.
    fn first(
        &self,
        waiter: TaskId,
        event: NotificationId,
        mut others: Vec<(TaskId, u64)>,
    ) -> Vec<(TaskId, u64)> {
        let by_deadline = self.policy(waiter) == Policy::EarliestDeadline;
        // Whoever is inside of a gate may be raised, and deadlines change from job to job. So
        // nobody is certain to stand behind the waiter, and all others may go first.
        let raised = by_deadline || self.all_waits(event).any(|one| one.held.is_some());
        let priority = |task: TaskId| self.system.task(task).priority.value;
        others.retain(|&(task, _)| raised || priority(task) >= priority(waiter));
        others
    }

    /// Goes back from an event over the tasks that signal it in each of their jobs.
    fn follow(
        &self,
        event: NotificationId,
        (waiter, asked): (TaskId, &[NotificationId]),
        behind: &mut Vec<TaskId>,
        ways: &mut Vec<Way>,
    ) {
        if behind.len() == DEEPEST {
            return;
        }
        if !behind.is_empty() && asked.contains(&event) {
            let tasks = behind.iter().rev().copied().collect();
            ways.push(Way { by_clock: false, tasks });
        }
        for emitter in self.system.emitters(event) {
            let always = self.system.emissions(emitter, event).is_some_and(|all| all.least > 0);
            let near = self.can_look || self.core(emitter) == self.core(waiter);
            // Bounds of cores by priority rest on those by deadlines, and not the other way.
            let known = self.policy(waiter) == Policy::FixedPriority
                || self.policy(emitter) == Policy::EarliestDeadline;
            // Who waits signals nothing meanwhile, and in a circle of tasks a signal would wait for
            // itself.
            if !always || !near || !known || emitter == waiter || behind.contains(&emitter) {
                continue;
            }
            behind.push(emitter);
            match self.system.task(emitter).release.as_ref().map(|release| release.kind) {
                Some(ReleaseKind::Periodic) => {
                    let tasks = behind.iter().rev().copied().collect();
                    ways.push(Way { by_clock: true, tasks });
                }
                Some(ReleaseKind::Notification(before)) => {
                    self.follow(before, (waiter, asked), behind, ways);
                }
                // Nothing says when such a task has its next job.
                Some(ReleaseKind::Sporadic) | None => {}
            }
            behind.pop();
        }
    }

    fn policy(&self, task: TaskId) -> Policy {
        self.system.policy_on(self.core(task))
    }

    fn core(&self, task: TaskId) -> u32 {
        self.system.task(task).core
    }
}
